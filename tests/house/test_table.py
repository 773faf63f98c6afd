"""What stands and who stands at a table: staff, dice, trials, approvals, inspections."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from ledger.audit import audit_day
from ledger.replay import Replay
from tests.engine import (
    LAYOUT,
    OPENED,
    Scene,
    codes,
    dreamcatcher,
    log_of,
    roll,
    said,
    seen,
    serials,
    sic_bo,
)  # fmt: skip

DAY = 24 * 3600


def played(scene: Scene, at: float) -> Scene:
    """An empty round."""
    scene.add("BettingOpened", at - 10)
    roll(scene, at - 2, 1, 2, 3)
    scene.add("LightsCleared", at + 10)
    return scene


# --- 539.1(f): the dealer at the shaker ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("gap", "told"),
    [
        pytest.param(0, [], id="539.1(f): the same microsecond"),
        pytest.param(-5, [], id="539.1(f): both at once for five seconds"),
        pytest.param(0.000001, ["shaker_unattended 539.1(f)"], id="539.1(f): one microsecond"),
        pytest.param(600, ["shaker_unattended 539.1(f)"], id="539.1(f): ten minutes"),
    ],
)
def test_a_relief_at_the_shaker(gap: float, told: list[str]) -> None:
    scene = sic_bo()
    scene.add("StaffRelieved", 100, role="DEALER", person="D1")
    scene.add("StaffAssigned", 100 + gap, role="DEALER", person="D2")
    assert scene.said() == told


def test_nobody_comes_before_the_day_ends() -> None:
    scene = sic_bo().drop("TableClosed")
    scene.add("StaffRelieved", 3600, role="DEALER", person="D1")
    audit = scene.audit()
    assert said(audit.findings) == ["shaker_unattended 539.1(f)"]
    assert audit.findings[0].facts[-1] == scene.lines_of("StaffRelieved")[0].ref


def test_a_dealer_leaves_when_the_shaker_is_gone() -> None:
    scene = sic_bo()
    scene.add("ShakerRemoved", 9 * 3600, shaker="S-1")
    scene.add("StaffRelieved", 9 * 3600 + 1, role="DEALER", person="D1")
    assert scene.said() == []


def test_a_second_dealer_stays() -> None:
    scene = sic_bo()
    scene.add("StaffAssigned", 50, role="DEALER", person="D2")
    scene.add("StaffRelieved", 100, role="DEALER", person="D1")
    assert scene.said() == []


def test_another_role_does_not_attend_the_shaker() -> None:
    scene = sic_bo()
    scene.add("StaffRelieved", 100, role="DEALER", person="D1")
    scene.add("StaffAssigned", 100, role="BOXPERSON", person="B1")
    assert "shaker_unattended" in codes(scene.audit().findings)


def test_a_wheel_may_stand_alone() -> None:
    scene = dreamcatcher()
    scene.add("StaffRelieved", 100, role="DEALER", person="D1")
    assert scene.said() == []


# --- 539.2(b): the age of dice -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("age", "told"),
    [
        pytest.param(DAY, [], id="539.2(b): exactly 24:00:00"),
        pytest.param(
            DAY + 0.000001, ["dice_over_24_hours 539.2(b)"], id="539.2(b): 24:00:00.000001"
        ),
        pytest.param(DAY - 60, [], id="539.2(b): a minute less"),
    ],
)
def test_the_age_of_dice_when_they_are_used(age: float, told: list[str]) -> None:
    scene = sic_bo()
    scene.lines_of("DiceSetPlaced")[0].at = -4 * 3600
    scene.lines_of("TableClosed")[0].at = 40 * 3600
    scene.closed = False
    shaken = -4 * 3600 + age
    scene.add("BettingOpened", shaken - 10)
    scene.add("NoMoreBetsAnnounced", shaken - 5)
    scene.add("ShakerCovered", shaken - 4, shaker="S-1")
    scene.add("DiceShaken", shaken, shakes=3, kind="MANUAL")
    assert [code for code in told_of_both_days(scene) if "dice" in code] == told


def told_of_both_days(scene: Scene) -> list[str]:
    replay = Replay(log_of(scene.build()))
    days = (scene.day, scene.day + timedelta(days=1))
    return [code for day in days for code in said(audit_day(replay, day).findings)]


def aged(*between: tuple[str, float, dict[str, Any]]) -> list[str]:
    """Dice placed at 8:00 are used at 8:00:08 the next day; what happened in between."""
    scene = sic_bo()
    scene.change("DiceSetPlaced", at=-4 * 3600)
    scene.closed = False
    scene.change("TableClosed", at=22 * 3600)
    for kind, at, values in between:
        scene.add(kind, at, **values)
    played(scene, 20 * 3600 + 10)
    return [code for code in told_of_both_days(scene) if "dice" in code]


OVER = ["dice_over_24_hours 539.2(b)"]


def test_dice_of_yesterday() -> None:
    assert aged() == OVER


def test_dice_of_yesterday_over_a_closing() -> None:
    """Reading dice-clock: the clock runs while the table is closed."""
    opening = {"game": "Sic Bo", "layout": LAYOUT, "paytable": "RS-1", "capture": "FULL"}
    assert aged(("TableClosed", 3_600, {"reason": None}), ("TableOpened", 7_200, opening)) == OVER


def test_one_die_of_three_is_exchanged() -> None:
    """Per die: the two that stayed are old, and told once."""
    assert aged(
        ("DiceSetRemoved", 3_600, {"dice": ["d1"]}), ("DiceSetPlaced", 3_601, {"dice": serials("d4")})
    ) == OVER  # fmt: skip


def test_all_dice_are_exchanged() -> None:
    assert aged(
        ("DiceSetRemoved", 3_600, {"dice": ["d1", "d2", "d3"]}),
        ("DiceSetPlaced", 3_601, {"dice": serials("d4", "d5", "d6")}),
    ) == []  # fmt: skip


def test_a_die_that_comes_back_is_as_old_as_before() -> None:
    assert aged(
        ("DiceSetRemoved", 3_600, {"dice": ["d1", "d2", "d3"]}),
        ("DiceSetPlaced", 3_601, {"dice": serials("d1", "d5", "d6")}),
    ) == OVER  # fmt: skip


@pytest.mark.parametrize(
    ("names", "told"),
    [(("d1", "d2"), 1), (("d1", "d2", "d3"), 0), (("d1", "d2", "d3", "d4"), 1)],
)
def test_539_2_a_three_dice(names: tuple[str, ...], told: int) -> None:
    scene = sic_bo().change("DiceSetPlaced", dice=serials(*names))
    audit = played(scene, 100).audit()
    assert [f.code for f in audit.findings] == ["wrong_number_of_dice"] * told


# --- 539.5(a): trials before opening ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "told"),
    [
        pytest.param({"trial_entries": 1, "values_per_entry": 3}, [], id="539.5(a)(1): three values"),
        pytest.param({"trial_entries": 3, "values_per_entry": None}, [], id="539.5(a)(1): three entries"),
        pytest.param({"trial_entries": 2, "values_per_entry": 1}, ["inspection_incomplete 539.5(a)(1)"], id="539.5(a)(1): two values"),
        pytest.param({"trial_entries": None}, ["inspection_incomplete 539.5(a)(1) ?"], id="539.5(a)(1): not recorded"),
        pytest.param({"lit_properly": None}, ["inspection_incomplete 539.5(a)(1) ?"], id="539.5(a)(1): lights not recorded"),
        pytest.param({"inspected_by": "F2"}, ["inspection_by_wrong_person 539.5(a)"], id="539.5(a): another floorperson"),
        pytest.param({"inspected_by": "D1"}, ["inspection_by_wrong_person 539.5(a)"], id="539.5(a): the dealer"),
    ],
)  # fmt: skip
def test_the_trial_of_the_electrical_device(values: dict[str, Any], told: list[str]) -> None:
    assert [
        code[: len(told[0])] if told else code
        for code in sic_bo().change("DeviceInspected", **values).said()
    ] == told


@pytest.mark.parametrize("values", [{"lit_properly": False}, {"working": False}])
def test_a_table_opens_with_a_fault(values: dict[str, Any]) -> None:
    assert codes(sic_bo().change("DeviceInspected", **values).audit().findings) == {
        "opened_with_fault"
    }


def test_no_trial_at_all() -> None:
    assert "inspection_missing" in codes(sic_bo().drop("DeviceInspected").audit().findings)


def test_each_opening_needs_its_own_trial() -> None:
    scene = sic_bo().change("TableClosed", at=3_600.0)
    scene.add("TableOpened", 7_200, game="Sic Bo", layout=LAYOUT, paytable="RS-1", capture="FULL")
    scene.add("TableClosed", 9_000)
    audit = scene.audit()
    assert codes(audit.findings) == {"inspection_missing"}
    assert audit.findings[0].facts[-1] == scene.lines_of("TableOpened")[1].ref


# --- approvals -------------------------------------------------------------------------------------------

SHAKER = {"equipment": "S-1"}
NOT_APPROVED = ["equipment_not_approved 539.1(d)"]


@pytest.mark.parametrize(
    ("at", "withdrawn", "told"),
    [
        pytest.param(OPENED - 1, False, [], id="539.1(d): a second before the opening"),
        pytest.param(OPENED, False, [], id="539.1(d): at the opening"),
        pytest.param(OPENED + 1, False, NOT_APPROVED, id="539.1(d): approved later"),
        pytest.param(-5 * 3600, True, NOT_APPROVED, id="539.1(d): withdrawn"),
    ],
)
def test_when_a_shaker_was_approved(at: float, withdrawn: bool, told: list[str]) -> None:
    scene = sic_bo().change("EquipmentApproved", SHAKER, at=float(at), withdrawn=withdrawn)
    assert scene.said() == told


def test_an_approval_that_was_withdrawn_and_given_again() -> None:
    scene = sic_bo()
    for at, withdrawn in ((-4 * 3600, True), (-3 * 3600, False)):
        scene.house(
            "EquipmentApproved",
            at,
            equipment="S-1",
            bureau="GAMING_OPERATIONS",
            withdrawn=withdrawn,
        )
    assert scene.said() == []


@pytest.mark.parametrize("bureau", ["GAMING_LABORATORY_OPERATIONS", "BOARD", "UNRECOGNISED"])
def test_another_bureau_approved_the_shaker(bureau: str) -> None:
    assert sic_bo().change("EquipmentApproved", SHAKER, bureau=bureau).said() == NOT_APPROVED


def test_another_shaker_was_approved() -> None:
    assert sic_bo().change("EquipmentApproved", SHAKER, equipment="S-1b").said() == NOT_APPROVED


@pytest.mark.parametrize(("bureaus", "told"), [(2, 0), (1, 1), (0, 1)])
def test_an_automated_shaker_needs_both_bureaus(bureaus: int, told: int) -> None:
    scene = sic_bo().change("ShakerPlaced", kind="AUTOMATED").drop("EquipmentApproved", **SHAKER)
    scene.add(
        "DeviceInspected", OPENED - 400, device="AUTOMATED_SHAKER", device_id="S-1", inspected_by="F1",
        operations=3, tossed_properly=True, working=True,
    )  # fmt: skip
    for bureau in ("GAMING_OPERATIONS", "GAMING_LABORATORY_OPERATIONS")[:bureaus]:
        scene.house("EquipmentApproved", -4 * 3600, equipment="S-1", bureau=bureau, withdrawn=False)
    assert [f.code for f in scene.audit().findings] == ["equipment_not_approved"] * told


def test_a_shaker_brought_during_play_is_judged_then() -> None:
    scene = sic_bo()
    scene.add("ShakerRemoved", 100, shaker="S-1")
    scene.add("ShakerPlaced", 101, shaker="S-2", kind="MANUAL")
    audit = scene.audit()
    assert said(audit.findings) == NOT_APPROVED
    assert audit.findings[0].facts == (scene.lines_of("ShakerPlaced")[1].ref,)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        pytest.param({"bureau": "BOARD"}, {"layout_not_approved"}, id="539.1(c): another bureau"),
        pytest.param({"layout": "L-2"}, {"layout_not_approved", "boxes_not_approved"}, id="539.1(c): another layout"),
        pytest.param({"at": float(OPENED + 1)}, {"layout_not_approved", "boxes_not_approved"}, id="539.1(c): approved later"),
        pytest.param({"boxes_approved": False}, {"boxes_not_approved"}, id="539.1(a): boxes not approved"),
        pytest.param({"boxes_approved": None}, {"boxes_not_approved"}, id="539.1(a): boxes not spoken of"),
        pytest.param({"game": "Dreamcatcher"}, {"layout_not_approved", "boxes_not_approved"}, id="539.1(c): another game's"),
    ],
)  # fmt: skip
def test_the_approval_of_a_layout(change: dict[str, Any], told: set[str]) -> None:
    assert codes(sic_bo().change("LayoutApproved", **change).audit().findings) <= told
    assert "layout_not_approved" not in told or "layout_not_approved" in codes(
        sic_bo().change("LayoutApproved", **change).audit().findings
    )


# --- itemised inspections ---------------------------------------------------------------------------------


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    "item",
    ["drop_box", "tip_box", "wager_areas", "printed_odds", "compartment_transparent", "cover_opaque", "sealable", "present", "area_depicts_wagers"],
)  # fmt: skip
def test_an_item_never_inspected_is_unknown(item: str) -> None:
    audit = sic_bo().drop("ItemInspected", item=item).audit()
    assert audit.findings
    assert {f.certainty for f in audit.findings} == {"unknown"}


@pytest.mark.parametrize(
    "item", ["drop_box", "wager_areas", "compartment_transparent", "sealable", "present"]
)
def test_an_item_found_wanting_is_broken(item: str) -> None:
    audit = sic_bo().change("ItemInspected", {"item": item}, found=False).audit()
    assert [f.certainty for f in audit.findings] == ["broken"]


def test_an_inspection_holds_for_the_thing_it_looked_at() -> None:
    scene = sic_bo().change("ItemInspected", {"item": "sealable"}, subject_id="S-9")
    assert {f.certainty for f in scene.audit().findings} == {"unknown"}


def test_the_last_look_counts() -> None:
    scene = sic_bo()
    scene.add(
        "ItemInspected", OPENED - 100, subject="SHAKER", subject_id="S-1", item="sealable", found=False, inspected_by="F1"
    )  # fmt: skip
    assert [f.certainty for f in scene.audit().findings] == ["broken"]


@pytest.mark.parametrize(
    ("drop", "tip", "told"),
    [
        ("dealer side, left", "dealer side, right", 0),
        ("dealer side, left", "dealer side, left", 1),
        ("patron side", "dealer side, left", 1),
    ],
)
def test_539_1_a_boxes_on_opposite_hands(drop: str, tip: str, told: int) -> None:
    scene = sic_bo()
    for item, side in (("drop_box", drop), ("tip_box", tip)):
        scene.change("ItemInspected", {"item": item}, seen=seen(f"side={side}"))
    assert [f.code for f in scene.audit().findings] == ["drop_or_tip_box_misplaced"] * told


def test_a_layout_without_an_area() -> None:
    names = ["Three of a Kind", "Two of a Kind", "Any Three of a Kind", "Total Value Bet", "Two Dice Combination", "Small Bet", "Big Bet"]  # fmt: skip
    audit = sic_bo().change("ItemInspected", {"item": "wager_areas"}, seen=seen(*names)).audit()
    assert [f.code for f in audit.findings] == ["layout_incomplete"]
    assert "One of a Kind" in (audit.findings[0].observed or "")
