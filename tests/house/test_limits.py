"""Limits and the notice of their change (521.7, 521.8): each duty on both sides of its edge."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine import (
    OPENED,
    SECOND,
    Scene,
    codes,
    dreamcatcher,
    moment,
    roll,
    said,
    sic_bo,
    spin,
)

TOO_SHORT = "limits_notice_too_short 521.8(c)(2)(i)"
NO_NOTICE = "limits_notice_missing 521.8(c)(2)"
NO_SIGN = "limits_sign_missing 521.8(c)(2)(ii)"
INCOMPLETE = "limits_sign_incomplete 521.8(c)(2)(ii)"
UNTOLD = "limits_change_not_announced 521.8(c)(2)(iii)"
NEW = {"minimum_cents": 1_000, "maximum_cents": 500_000}
OLD = {"minimum_cents": 500, "maximum_cents": 1_000_000}
HALF_HOUR = 1_800


def table(*, playing: bool | None = True) -> Scene:
    """A Sic Bo table with a patron at it, nobody, or no record of either."""
    scene = sic_bo()
    scene.house("SignApproved", -4 * 3600, sign="LS-2", location=True, size=True, language=True)
    if playing:
        scene.add("PositionTaken", -60, position="1")
    elif playing is False:
        scene.add("PatronsCounted", -60, count=0)
    return scene


def sign(scene: Scene, at: float, *, effective: float | None = HALF_HOUR, **said: Any) -> None:
    values = {**NEW, **said}
    when = None if effective is None else moment(effective)
    scene.add(
        "LimitsSignPosted", at, sign="LS-2", states_change=True, effective_time=when, **values
    )


def changed(
    scene: Scene,
    *,
    signed: float | None = 0,
    announced: float | None = 0,
    at: float = HALF_HOUR,
    effective: float | None = HALF_HOUR,
    **limits: Any,
) -> Scene:
    """Sign, announcement, change."""
    if signed is not None:
        sign(scene, signed, effective=effective)
    if announced is not None:
        scene.add("LimitsChangeAnnounced", announced, **NEW)
    scene.add("LimitsSet", at, **{**NEW, **limits})
    return scene


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("how", "told"),
    [
        pytest.param({}, [], id="521.8(c)(2)(i): exactly 30:00"),
        pytest.param({"at": 1_799.999999, "effective": 1_799.999999}, [TOO_SHORT], id="521.8(c)(2)(i): 29:59.999999"),
        pytest.param({"at": 1_799, "effective": 1_799}, [TOO_SHORT], id="521.8(c)(2)(i): 29:59"),
        pytest.param({"at": 7_200, "effective": 7_200}, [], id="521.8(c)(2)(i): two hours"),
        pytest.param({"announced": 0.000001}, [TOO_SHORT], id="limits-change: announced a microsecond late"),
        pytest.param({"announced": 1_200}, [TOO_SHORT], id="limits-change: the clock runs from the announcement"),
        pytest.param({"signed": 1_200}, [TOO_SHORT], id="limits-change: the clock runs from the sign"),
        pytest.param({"effective": None}, [INCOMPLETE], id="521.8(c)(2)(ii): a sign without a time"),
        pytest.param({"effective": 1_801}, [INCOMPLETE], id="521.8(c)(2)(ii): a sign with a later time"),
        pytest.param({"effective": HALF_HOUR}, [], id="521.8(c)(2)(ii): the time of the change itself"),
        pytest.param({"effective": 1_700}, [], id="521.8(c)(2)(ii): an earlier time than the change"),
        pytest.param({"signed": None}, [NO_SIGN], id="521.8(c)(2)(ii): no sign"),
        pytest.param({"announced": None}, [UNTOLD], id="521.8(c)(2)(iii): not announced"),
        pytest.param({"signed": None, "announced": None}, sorted([NO_SIGN, UNTOLD, NO_NOTICE]), id="521.8(c)(2): nothing at all"),
        pytest.param({"minimum_cents": 2_000}, sorted([NO_SIGN, UNTOLD, NO_NOTICE]), id="521.8(c)(2): told of another minimum"),
        pytest.param({"announced": 1_801}, [UNTOLD], id="521.8(c)(2)(iii): announced after the change"),
    ],
)  # fmt: skip
def test_a_change_while_patrons_play(how: dict[str, Any], told: list[str]) -> None:
    assert changed(table(), **how).said() == told


NOTHING: dict[str, Any] = {"signed": None, "announced": None}


@pytest.mark.parametrize(
    ("playing", "told"),
    [
        pytest.param(False, [], id="521.8(c)(1): nobody plays"),
        pytest.param(True, sorted([NO_SIGN, UNTOLD, NO_NOTICE]), id="521.8(c)(2): somebody plays"),
        pytest.param(None, sorted(f"{code} ?" for code in (NO_SIGN, UNTOLD, NO_NOTICE)), id="nobody recorded it"),
    ],
)  # fmt: skip
def test_whether_patrons_play(playing: bool | None, told: list[str]) -> None:
    assert changed(table(playing=playing), **NOTHING).said() == told


def test_the_change_says_itself_that_nobody_plays() -> None:
    assert changed(table(), **NOTHING, patrons_playing=False).said() == []


def test_the_last_patron_left() -> None:
    scene = table()
    scene.add("PositionLeft", 10, position="1")
    assert changed(scene, **NOTHING).said() == []


def test_a_standing_wager_is_a_patron_playing() -> None:
    scene = table(playing=False)
    scene.add("BettingOpened", 100)
    scene.wager(101, "Small Bet")
    scene.add("LimitsSet", 105, **NEW)
    roll(scene, 110, 1, 2, 3)
    scene.won(120, "W1", 1_000)
    scene.add("LightsCleared", 130)
    assert scene.said() == sorted([NO_SIGN, UNTOLD, NO_NOTICE])


@pytest.mark.parametrize(
    "limits",
    [
        {"minimum_cents": 400, "maximum_cents": 1_000_000},
        {"minimum_cents": 500, "maximum_cents": 2_000_000},
        {"minimum_cents": 500, "maximum_cents": 999_999},
        {"minimum_cents": 501, "maximum_cents": 1_000_000},
    ],
    ids=["lower minimum", "higher maximum", "lower maximum", "higher minimum"],
)
def test_any_change_in_whose_favour_it_may_be(limits: dict[str, int]) -> None:
    """Reading limits-change: widening needs notice as narrowing does."""
    scene = table()
    scene.add("LimitsSet", HALF_HOUR, **limits)
    assert scene.said() == sorted([NO_SIGN, UNTOLD, NO_NOTICE])


def test_the_same_limits_again_are_no_change() -> None:
    scene = table()
    scene.add("LimitsSet", HALF_HOUR, **OLD)
    assert scene.said() == []


def back(scene: Scene) -> None:
    """The old limits hold again an hour after the new ones, told of by a sign of their own."""
    told, again = 2 * HALF_HOUR, 3 * HALF_HOUR
    scene.house("SignApproved", -4 * 3600, sign="LS-3", location=True, size=True, language=True)
    scene.add(
        "LimitsSignPosted", told, sign="LS-3", states_change=True, effective_time=moment(again), **OLD
    )  # fmt: skip
    scene.add("LimitsChangeAnnounced", told, **OLD)
    scene.add("LimitsSet", again, **OLD)


@pytest.mark.parametrize(
    "first",
    [
        pytest.param({}, id="told of while patrons played"),
        pytest.param({"patrons_playing": False}, id="told of though nobody played"),
    ],
)
@pytest.mark.parametrize(
    ("signed", "announced", "told"),
    [
        pytest.param(True, True, [], id="both again"),
        pytest.param(False, True, [NO_SIGN], id="521.8(c)(2)(ii): the sign of the first change"),
        pytest.param(True, False, [UNTOLD], id="521.8(c)(2)(iii): the announcement of the first"),
    ],
)
def test_a_notice_tells_of_one_change(
    first: dict[str, Any], signed: bool, announced: bool, told: list[str]
) -> None:
    """5-10,000, 10-5,000, 5-10,000 and 10-5,000 again: the last needs notices of its own."""
    scene = table()
    changed(scene, **first)
    back(scene)
    if signed:
        sign(scene, 4 * HALF_HOUR, effective=5 * HALF_HOUR)
    if announced:
        scene.add("LimitsChangeAnnounced", 4 * HALF_HOUR, **NEW)
    scene.add("LimitsSet", 5 * HALF_HOUR, **NEW)
    assert scene.said() == told


def test_a_sign_of_a_later_change_is_not_spent_by_an_earlier_one() -> None:
    """Both signs hang from the start; the second names the time of the second change."""
    scene = table()
    scene.house("SignApproved", -4 * 3600, sign="LS-4", location=True, size=True, language=True)
    later = moment(5 * HALF_HOUR)
    changed(scene)
    scene.add("LimitsSignPosted", 1, sign="LS-4", states_change=True, effective_time=later, **NEW)
    back(scene)
    scene.add("LimitsChangeAnnounced", 4 * HALF_HOUR, **NEW)
    scene.add("LimitsSet", 5 * HALF_HOUR, **NEW)
    assert scene.said() == []


def test_a_sign_for_all_wagers_tells_of_each_kind_that_changes() -> None:
    scene = table()
    scene.add("LimitsSet", OPENED - 580, wager=KIND, **OLD)
    scene.add("LimitsSignPosted", OPENED - 580, sign="LS-1", wager=KIND, **OLD)
    changed(scene)
    scene.add("LimitsSet", HALF_HOUR, wager=KIND, **NEW)
    assert scene.said() == []


def test_before_the_opening_limits_change_freely() -> None:
    scene = table()
    scene.add("LimitsSet", OPENED - 300, **NEW)
    scene.add("LimitsSignPosted", OPENED - 299, sign="LS-1", **NEW)
    assert scene.said() == []


# --- by kind of wager --------------------------------------------------------------------------------

KIND = "Three of a Kind"


def test_a_kind_gets_limits_of_its_own_while_patrons_play() -> None:
    """From the table's limits to narrower ones for one wager: a change."""
    scene = table()
    scene.add("LimitsSet", HALF_HOUR, wager=KIND, minimum_cents=500, maximum_cents=1_000)
    assert {code.split()[0] for code in scene.said()} >= {
        "limits_change_not_announced",
        "limits_sign_missing",
    }


def test_a_kind_that_keeps_the_limits_it_had() -> None:
    scene = table()
    scene.add("LimitsSet", HALF_HOUR, wager=KIND, **OLD)
    assert scene.said() == []


def test_two_kinds_change_together_each_told() -> None:
    scene = table()
    scene.add("LimitsSet", OPENED - 580, wager=KIND, minimum_cents=500, maximum_cents=10_000)
    scene.add(
        "LimitsSignPosted",
        OPENED - 580,
        sign="LS-1",
        wager=KIND,
        minimum_cents=500,
        maximum_cents=10_000,
    )
    for wager, most in ((None, 2_000_000), (KIND, 20_000)):
        limits = {"wager": wager, "minimum_cents": 500, "maximum_cents": most}
        sign(scene, 0, **limits)
        scene.add("LimitsChangeAnnounced", 0, **limits)
        scene.add("LimitsSet", HALF_HOUR, **limits)
    assert scene.said() == []


def test_one_of_two_kinds_is_not_told() -> None:
    scene = table()
    scene.add("LimitsSet", OPENED - 580, wager=KIND, minimum_cents=500, maximum_cents=10_000)
    scene.add(
        "LimitsSignPosted",
        OPENED - 580,
        sign="LS-1",
        wager=KIND,
        minimum_cents=500,
        maximum_cents=10_000,
    )
    changed(scene)
    scene.add("LimitsSet", HALF_HOUR, wager=KIND, minimum_cents=500, maximum_cents=20_000)
    assert scene.said() == sorted([NO_SIGN, UNTOLD, NO_NOTICE])


# --- setting, showing, keeping ------------------------------------------------------------------------


def test_521_7_a_no_limits_at_the_opening() -> None:
    assert sic_bo().drop("LimitsSet").said() == ["limits_not_set 521.7(a)"]


@pytest.mark.parametrize("missing", ["minimum_cents", "maximum_cents"])
def test_521_7_a_both_ends_must_be_set(missing: str) -> None:
    scene = (
        sic_bo()
        .change("LimitsSet", **{missing: None})
        .change("LimitsSignPosted", **{missing: None})
    )
    assert scene.said() == ["limits_not_set 521.7(a)"]


def test_521_7_b_no_sign_shows_them() -> None:
    assert sic_bo().drop("LimitsSignPosted").said() == ["limits_sign_missing 521.7(b)"]


def test_521_7_b_the_sign_shows_others() -> None:
    scene = sic_bo().change("LimitsSignPosted", maximum_cents=999)
    assert scene.said() == ["limits_sign_missing 521.7(b)"]


@pytest.mark.parametrize("part", ["location", "size", "language"])
def test_521_8_d_each_part_of_a_sign_is_approved(part: str) -> None:
    audit = sic_bo().change("SignApproved", **{part: False}).audit()
    assert said(audit.findings) == ["sign_not_approved 521.8(d)"]
    assert audit.findings[0].expected == part


def test_521_8_d_a_sign_without_any_approval() -> None:
    assert sic_bo().drop("SignApproved").said() == ["sign_not_approved 521.8(d)"]


def test_521_8_d_approved_after_its_use() -> None:
    scene = sic_bo().change("SignApproved", at=OPENED)
    assert scene.said() == ["sign_not_approved 521.8(d)"]


def staked(cents: int, **wager: Any) -> Scene:
    scene = sic_bo()
    scene.add("BettingOpened", 0)
    scene.wager(1, "Big Bet", cents=cents, **wager)
    roll(scene, 10, 1, 2, 3)
    scene.lost(20, "W1", cents)
    scene.add("LightsCleared", 30)
    return scene


@pytest.mark.parametrize(
    ("cents", "told"),
    [
        (500, []),
        (499, ["wager_under_limit 521.7(c)"]),
        (1_000_000, []),
        (1_000_001, ["wager_over_limit 521.7(c)"]),
    ],
)
def test_521_7_c_a_stake_at_the_limit(cents: int, told: list[str]) -> None:
    assert staked(cents).said() == told


def test_521_7_c_an_over_limit_wager_is_lost_in_its_entirety() -> None:
    """Only the maximum is taken: the limit finding, and the stake that was not taken."""
    scene = staked(1_200_000)
    scene.lines_of("WagerSettled")[0].said["stake_taken_cents"] = 1_000_000
    audit = scene.audit()
    assert said(audit.findings) == ["stake_taken_wrong 521.7(c)", "wager_over_limit 521.7(c)"]
    assert [f.effect_cents for f in audit.findings if f.code == "stake_taken_wrong"] == [200_000]


def test_an_over_limit_wager_handed_back_in_time_was_not_accepted() -> None:
    scene = sic_bo()
    scene.add("BettingOpened", 0)
    scene.wager(1, "Big Bet", cents=2_000_000)
    scene.add("WagerReturned", 2, wager_id="W1", returned_cents=2_000_000)
    roll(scene, 10, 1, 2, 3)
    scene.add("LightsCleared", 30)
    assert scene.said() == []


def test_limit_at_acceptance_a_later_change_does_not_reach_a_standing_wager() -> None:
    scene = changed(table(), at=HALF_HOUR)
    scene.add("BettingOpened", HALF_HOUR - 10)
    scene.wager(HALF_HOUR - 5, "Big Bet", cents=600)  # below the new minimum, not below the old
    roll(scene, HALF_HOUR + 10, 1, 2, 3)
    scene.lost(HALF_HOUR + 20, "W1", 600)
    scene.add("LightsCleared", HALF_HOUR + 30)
    assert scene.said() == []


@pytest.mark.parametrize(("cents", "told"), [(1_500, []), (1_250, ["wager_not_in_increment 521.7(d)"])])  # fmt: skip
def test_521_7_d_a_filed_increment(cents: int, told: list[str]) -> None:
    assert staked(cents).change("RulesSubmissionFiled", increment_cents=500).said() == told


@pytest.mark.parametrize(("filed", "told"), [(500, []), (None, ["requirement_not_filed 521.7(d)"]), (100, ["requirement_not_filed 521.7(d)"])])  # fmt: skip
def test_521_7_d_a_required_increment_is_filed(filed: int | None, told: list[str]) -> None:
    scene = (
        sic_bo()
        .change("LimitsSet", increment_cents=500)
        .change("RulesSubmissionFiled", increment_cents=filed)
    )
    assert scene.said() == told


def test_each_kind_is_held_to_its_own_limits() -> None:
    scene = dreamcatcher()
    scene.add("LimitsSet", OPENED - 580, wager="40", minimum_cents=500, maximum_cents=1_000)
    scene.add(
        "LimitsSignPosted",
        OPENED - 580,
        sign="LS-1",
        wager="40",
        minimum_cents=500,
        maximum_cents=1_000,
    )
    scene.add("BettingOpened", 0)
    scene.wager(1, "40", cents=1_500)
    scene.wager(2, "20", cents=1_500)
    spin(scene, 10, "1")
    scene.lost(30, "W1", 1_500)
    scene.lost(31, "W2", 1_500)
    audit = scene.audit()
    assert codes(audit.findings) == {"wager_over_limit"}
    assert [f.wager for f in audit.findings] == ["W1"]
    assert scene.noon % SECOND == 0
