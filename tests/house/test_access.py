"""Devices (521.6), the rules text and the gaming guide (521.9), told once on their gaming day."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ledger.audit import audit_day
from ledger.kernel import Finding
from tests.engine import Scene, judged, log_of, said, sealed_replay, sic_bo

HOUR = 3_600


def office(day: date = date(2011, 3, 15)) -> Scene:
    """An office in which nothing is wrong, and no table."""
    scene = sic_bo(day)
    scene.lines = [line for line in scene.lines if line.stream == "house"]
    return scene


def findings(*told: tuple[str, float, dict[str, Any]]) -> tuple[Finding, ...]:
    scene = office()
    for kind, at, values in told:
        scene.house(kind, at, **values)
    return scene.audit().findings


def say(*told: tuple[str, float, dict[str, Any]]) -> list[str]:
    return said(findings(*told))


# --- devices ---------------------------------------------------------------------------------------


def device(at: float = 0, **said_of_it: Any) -> tuple[str, float, dict[str, Any]]:
    values = {"table": "SB-01", "person": "P1", "device": "Calculator", "purpose": "odds"}
    return "ElectronicDeviceSeen", at, {**values, **said_of_it}


def permitted(at: float, **said_of_it: Any) -> tuple[str, float, dict[str, Any]]:
    values = {"device": "calculator", "bureau": "BOARD", "withdrawn": False}
    return "ElectronicDevicePermitted", at, {**values, **said_of_it}


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("seen", "told"),
    [
        ({"used": True, "intended": None}, ["#2 critical broken"]),
        ({"used": True, "intended": True}, ["#2 critical broken"]),
        ({"used": True, "table": None}, ["#2 critical unknown"]),
        ({"used": True, "purpose": None}, ["#2 critical unknown"]),
        ({"used": False, "intended": True}, ["#1 high broken"]),
        ({"used": None, "intended": True}, ["#1 high broken"]),
        ({"used": False, "intended": None}, ["#1 high unknown"]),
        ({"used": None, "intended": None}, ["#2 critical unknown"]),
        ({"used": None, "intended": False}, ["#2 critical unknown"]),
        ({"used": False, "intended": False}, []),
    ],
)
def test_521_6_use_and_intent(seen: dict[str, Any], told: list[str]) -> None:
    found = findings(device(**seen))
    assert {one.code for one in found} <= {"prohibited_device"}
    assert [f"#{one.citations[0].part} {one.severity} {one.certainty}" for one in found] == told


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("permissions", "told"),
    [
        pytest.param([permitted(-1)], [], id="to all"),
        pytest.param([permitted(-1, person="P1")], [], id="to him"),
        pytest.param([permitted(0)], [], id="at that moment"),
        pytest.param([permitted(1)], ["521.6"], id="a second late"),
        pytest.param([permitted(-1, person="P2")], ["521.6"], id="to another"),
        pytest.param([permitted(-1, device="Phone")], ["521.6"], id="another device"),
        pytest.param([permitted(-1, device="  the CALCULATOR ")], [], id="in the same words"),
        pytest.param([permitted(-1, bureau="GAMING_OPERATIONS")], ["521.6"], id="by a bureau"),
        pytest.param([permitted(-1, bureau=None)], ["521.6 ?"], id="by whom is not recorded"),
        pytest.param([permitted(-1, bureau="UNRECOGNISED")], ["521.6 ?"], id="by a new bureau"),
        pytest.param([permitted(-2), permitted(-1, withdrawn=True)], ["521.6"], id="taken back"),
        pytest.param(
            [permitted(-2, person="P1"), permitted(-1, withdrawn=True)], [], id="his own stays"
        ),
        pytest.param(
            [permitted(-2), permitted(-1, person="P1", withdrawn=True)],
            ["521.6"],
            id="taken back from him",
        ),
        pytest.param(
            [permitted(-2, person="P1", withdrawn=True), permitted(-1)], [], id="later to all"
        ),
    ],
)
def test_521_6_what_the_board_permitted(permissions: list[Any], told: list[str]) -> None:
    assert say(*permissions, device(used=True)) == [f"prohibited_device {one}" for one in told]


# --- the text of the rules -------------------------------------------------------------------------


def kept(at: float = 0, **said_of_it: Any) -> tuple[str, float, dict[str, Any]]:
    values = {"place": "security podium", "present": True, "printed": True, "complete": True}
    return "RulesTextKept", at, {**values, "games": ["Sic Bo"], **said_of_it}


def place(at: float, **said_of_it: Any) -> tuple[str, float, dict[str, Any]]:
    values = {"place": "Cage 2", "bureau": "GAMING_OPERATIONS", "withdrawn": False}
    return "RulesTextPlaceApproved", at, {**values, **said_of_it}


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("look", "told"),
    [
        ({}, []),
        ({"games": None}, []),
        ({"games": ["SIC BO", "Craps"]}, []),
        ({"place": "The security podium, main entrance"}, []),
        ({"place": "beside the security podium"}, ["#2 low broken"]),
        ({"present": False}, ["#1 medium broken"]),
        ({"present": False, "place": "Cage 2"}, ["#1 medium broken"]),
        ({"printed": False}, ["#1 medium broken"]),
        ({"printed": None}, ["#1 medium unknown"]),
        ({"complete": False, "printed": None}, ["#1 medium broken"]),
        ({"games": []}, ["#1 medium broken"]),
        ({"games": ["Craps"]}, ["#1 medium broken"]),
        ({"place": "Cage 2"}, ["#2 low broken"]),
        ({"place": "Cage 2", "complete": False}, ["#1 medium broken", "#2 low broken"]),
    ],
)
def test_521_9_a_the_text_and_its_place(look: dict[str, Any], told: list[str]) -> None:
    found = findings(kept(**look))
    assert {one.code for one in found} <= {"rules_text_not_available"}
    assert sorted(f"#{f.citations[0].part} {f.severity} {f.certainty}" for f in found) == told


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("approvals", "told"),
    [
        ([place(-1)], []),
        ([place(0)], []),
        ([place(1)], ["521.9(a)"]),
        ([place(-1, place="Cage 3")], ["521.9(a)"]),
        ([place(-1, bureau="BOARD")], ["521.9(a)"]),
        ([place(-1, bureau=None)], ["521.9(a) ?"]),
        ([place(-2), place(-1, withdrawn=True)], ["521.9(a)"]),
        ([place(-2, withdrawn=True), place(-1)], []),
    ],
)
def test_521_9_a_another_place(approvals: list[Any], told: list[str]) -> None:
    found = say(*approvals, kept(place="cage 2"))
    assert found == [f"rules_text_not_available {one}" for one in told]


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (kept(HOUR, place="Cage 2"), []),
        (kept(-HOUR, place="Cage 2"), []),
        (kept(HOUR, place="Cage 2", complete=None), ["", " ?"]),
        (kept(HOUR, place="Cage 2", games=[]), ["", ""]),
        (kept(HOUR), [""]),
    ],
)
def test_521_9_a_one_place_or_the_other(other: Any, told: list[str]) -> None:
    found = say(place(-2 * HOUR), kept(present=False), other)
    assert found == [f"rules_text_not_available 521.9(a){one}" for one in told]


def test_521_9_a_a_look_on_another_day_shows_nothing_of_this_one() -> None:
    earlier = kept(-10 * HOUR, place="Cage 2")  # 02:00: the gaming day begins at 06:00
    scene = office()
    for kind, at, values in (place(-11 * HOUR), earlier, kept(present=False)):
        scene.house(kind, at, **values)
    assert said(judged(scene.build(), scene.day).findings) == ["rules_text_not_available 521.9(a)"]


@pytest.mark.parametrize(("shown", "told"), [(True, []), (False, [""]), (None, [" ?"])])
def test_521_9_a_shown_to_who_asks(shown: bool | None, told: list[str]) -> None:
    found = say(("RulesTextRequested", 0, {"requested_by": "P1", "shown": shown}))
    assert found == [f"rules_access_refused 521.9(a){one}" for one in told]


# --- the gaming guide ------------------------------------------------------------------------------


def decided(at: float, guide: str = "G1", **said_of_it: Any) -> tuple[str, float, dict[str, Any]]:
    values = {"guide": guide, "approved": True, "bureau": "GAMING_OPERATIONS"}
    return "GuideSampleDecided", at, {**values, **said_of_it}


def revised(
    at: float, guide: str, of: str | None, material: bool | None
) -> tuple[str, float, dict[str, Any]]:
    values = {"guide": guide, "revision_of": of, "materially_different": material}
    return "GuidePrepared", at, values


def used(kind: str, at: float = 0, guide: str = "G1", **more: Any) -> tuple[str, float, Any]:
    return kind, at, {"guide": guide, **more}


C, D = "gaming_guide_not_approved 521.9(c)", "gaming_guide_not_approved 521.9(d)"


@pytest.mark.row_by_row
@pytest.mark.parametrize("kind", ["GuideIssued", "GuideDisplayed"])
@pytest.mark.parametrize(
    ("before", "guide", "told"),
    [
        pytest.param([], "G1", [C], id="never"),
        pytest.param([decided(-1)], "G1", [], id="approved"),
        pytest.param([decided(0)], "G1", [], id="at that moment"),
        pytest.param([decided(1)], "G1", [C], id="a second late"),
        pytest.param([decided(-1, approved=False)], "G1", [C], id="denied"),
        pytest.param([decided(-2), decided(-1, approved=False)], "G1", [C], id="taken back"),
        pytest.param([decided(-1, bureau="CASINO_COMPLIANCE")], "G1", [C], id="another bureau"),
        pytest.param([decided(-1, bureau=None)], "G1", [f"{C} ?"], id="by whom is not recorded"),
        pytest.param([decided(-2), revised(-1, "G2", "G1", False)], "G2", [], id="immaterial"),
        pytest.param([decided(-2), revised(-1, "G2", "G1", True)], "G2", [D], id="material"),
        pytest.param([decided(-2), revised(-1, "G2", "G1", None)], "G2", [f"{D} ?"], id="how?"),
        pytest.param(
            [decided(-3), revised(-2, "G2", "G1", True), decided(-1, "G2")], "G2", [], id="own"
        ),
        pytest.param([decided(-2), revised(1, "G2", "G1", False)], "G2", [C], id="said too late"),
        pytest.param([revised(-1, "G2", "G1", False)], "G2", [C], id="of one never approved"),
        pytest.param(
            [decided(-3), revised(-2, "G2", "G1", True), revised(-1, "G3", "G2", False)],
            "G3",
            [D],
            id="a chain with a material link",
        ),
        pytest.param(
            [decided(-3), revised(-2, "G2", "G1", False), revised(-1, "G3", "G2", False)],
            "G3",
            [],
            id="a chain without one",
        ),
        pytest.param(
            [revised(-2, "G2", "G3", False), revised(-1, "G3", "G2", False)], "G3", [C], id="a ring"
        ),
        pytest.param([revised(-1, "G1", "G1", False)], "G1", [C], id="of itself"),
    ],
)
def test_521_9_c_and_d_before_it_is_used(
    kind: str, before: list[Any], guide: str, told: list[str]
) -> None:
    assert say(*before, used(kind, 0, guide)) == told


@pytest.mark.parametrize("where", [None, "garage", "security podium", "table SB-01"])
def test_521_9_e_an_approved_guide_may_hang_anywhere(where: str | None) -> None:
    assert say(decided(-1), used("GuideDisplayed", place=where)) == []
    assert say(used("GuideDisplayed", place=where)) == [C]


@pytest.mark.parametrize(
    ("after", "told"),
    [
        pytest.param([], [C], id="left"),
        pytest.param([used("GuideRemoved", 3, place="hall")], [], id="taken down"),
        pytest.param([used("GuideRemoved", 3)], [], id="taken down everywhere"),
        pytest.param([used("GuideRemoved", 3, place="bar")], [C], id="at another place"),
        pytest.param([decided(3)], [], id="approved again"),
    ],
)
def test_521_9_c_an_approval_taken_back_from_a_guide_on_display(
    after: list[Any], told: list[str]
) -> None:
    shown = used("GuideDisplayed", 1, place="hall")
    assert say(decided(0), shown, decided(2, approved=False), *after) == told


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"given": True, "guide": "G1"}, []),
        ({"given": True, "guide": "G2"}, [C]),
        ({"given": True}, []),
        ({"given": False}, ["gaming_guide_not_available 521.9(b)"]),
        ({"given": None}, ["gaming_guide_not_available 521.9(b) ?"]),
    ],
)
def test_521_9_b_given_to_who_asks(asked: dict[str, Any], told: list[str]) -> None:
    assert say(decided(-1), ("GuideRequested", 0, {"requested_by": "P1", **asked})) == told


def test_521_9_c_some_guide_given_where_none_was_ever_approved() -> None:
    assert say(("GuideRequested", 0, {"given": True})) == [f"{C} ?"]


@pytest.mark.parametrize(
    ("look", "told"),
    [
        ({"guide_present": True}, []),
        ({"guide_present": True, "guide": "G1"}, []),
        ({"guide_present": True, "guide": "G2"}, [C]),
        ({"guide_present": False}, ["gaming_guide_not_on_web 521.9(f)"]),
        ({"guide_present": None}, ["gaming_guide_not_on_web 521.9(f) ?"]),
    ],
)
def test_521_9_f_on_the_web_site(look: dict[str, Any], told: list[str]) -> None:
    assert say(decided(-1), ("WebSiteChecked", 0, look)) == told


# --- the audit -------------------------------------------------------------------------------------


def two_tables() -> Scene:
    """A table in order, another one, and a device seen on the office's record."""
    scene = sic_bo()
    scene.add("TableOpened", 0, "T-02", game="Other", layout="L", paytable=None, capture="COUNTS")
    scene.house("GameApproved", -3 * HOUR, game="Other", approved_time=lambda s: s.noon - 1)
    kind, at, values = device(used=True)
    scene.house(kind, at, **values)
    return scene


def test_the_office_is_told_once_whatever_the_tables() -> None:
    found = two_tables().audit().findings
    assert said(found) == ["prohibited_device 521.6"]
    assert found[0].stream == "house"
    assert found[0].gaming_day == date(2011, 3, 15)


def test_a_fact_is_told_on_its_own_gaming_day_alone() -> None:
    scene = office()
    scene.closed = False
    kind, _, values = device(used=True)
    scene.house(kind, 18 * HOUR - 0.000001, **values)  # 06:00 of the next day is not reached
    scene.house("WebSiteChecked", 18 * HOUR, guide_present=True)
    facts = scene.build()
    today = {one.code for one in judged(facts, scene.day).findings}
    tomorrow = {one.code for one in judged(facts, date(2011, 3, 16)).findings}
    assert "prohibited_device" in today
    assert "prohibited_device" not in tomorrow


def test_the_audit_is_the_same_with_and_without_carried_state(tmp_path: Path) -> None:
    replay = sealed_replay(log_of(two_tables().build()))
    day = date(2011, 3, 15)
    whole = audit_day(replay, day)
    assert audit_day(replay, day, carried=tmp_path) == whole
    assert audit_day(replay, day, carried=tmp_path) == whole


@pytest.mark.parametrize("lost", ["ElectronicDevicePermitted", "SignApproved"])
def test_after_a_gap_in_the_office_a_permission_may_have_been_lost(lost: str) -> None:
    scene = office()
    for kind, at, values in (permitted(-HOUR, device="Phone"), device(used=True)):
        scene.house(kind, at, **values)
    gone = [line.fact for line in scene.lines_of(lost)] if scene.build() else []
    facts = [fact for fact in scene.build() if fact not in gone]
    found = said(judged(facts, scene.day).findings)
    assert "prohibited_device 521.6 ?" in found
    assert "prohibited_device 521.6" not in found
