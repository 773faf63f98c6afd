"""A table's day in cents: counts, late counts, win by count against win by rounds."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from ledger.audit import TableAccount, Theory, audit_day, read_office, shown_of
from ledger.audit.accounts import LATE_DAYS
from ledger.events import CouponRange, DenominationCount
from ledger.replay import Replay
from tests.engine import Scene, dreamcatcher, log_of, roll, said, sic_bo, spin

DAY = 24 * 3600
CHIPS = "T-01/chips"
COUNT = "T-01/count"
CLOSES = 8 * 3600


def notes(cents: int) -> list[DenominationCount]:
    return [DenominationCount(denomination_cents=100, pieces=cents // 100)]


def counted(scene: Scene, at: float, cents: int, box: str = "B1", **other: object) -> None:
    said = {"box": box, "for_gaming_day": scene.day.isoformat(), "cash": notes(cents), **other}
    scene.add("DropBoxCounted", at, COUNT, chips_cents=said.pop("chips_cents", 0), **said)


def money(scene: Scene) -> Scene:
    """A day of one loser and one winner, whose counts agree: the house is up 10.00 - 30.00."""
    scene.add("DropBoxHung", -1900, CHIPS, box="B1")
    scene.add("OpenerCounted", -1850, CHIPS, chips_cents=1_000_000)
    scene.add("BettingOpened", 0)
    loser = scene.wager(1, "Big Bet")
    winner = scene.wager(2, "Total Value Bet", 6, cents=500)
    roll(scene, 10, 1, 2, 3)
    scene.lost(19, loser)
    scene.won(20, winner, 7_000)
    scene.add("LightsCleared", 22)
    scene.add("CashChanged", 100, CHIPS, cash_cents=5_000, chips_cents=5_000)
    scene.add("FillDelivered", 200, CHIPS, slip="F1", chips_cents=20_000)
    scene.add("CreditTaken", 300, CHIPS, slip="C1", chips_cents=10_000)
    rack = 1_000_000 + 1_000 - 7_000 - 5_000 + 20_000 - 10_000
    scene.add("CloserCounted", CLOSES + 60, CHIPS, chips_cents=rack)
    scene.add("DropBoxRemoved", CLOSES + 90, CHIPS, box="B1")
    return scene


def account(scene: Scene, day: date | None = None) -> TableAccount:
    (one,) = audit_day(Replay(log_of(scene.build())), day or scene.day).accounts
    return one


def test_the_formula_and_the_rounds_agree() -> None:
    scene = money(sic_bo())
    counted(scene, CLOSES + 3600, 5_000)
    one = account(scene)
    assert (one.opener_cents, one.fills_cents, one.credits_cents) == (1_000_000, 20_000, 10_000)
    assert (one.closer_cents, one.drop_cents) == (999_000, 5_000)
    assert one.by_count_cents == 999_000 + 10_000 + 5_000 - 1_000_000 - 20_000 == -6_000
    assert one.by_rounds_cents == 1_000 - 7_000
    assert one.difference_cents == 0
    assert one.wagered_cents == 1_500
    assert scene.said() == []


@pytest.mark.parametrize("cents", [-1, 0, 1])
def test_a_cent_is_a_difference(cents: int) -> None:
    scene = money(sic_bo())
    counted(scene, CLOSES + 3600, 5_000)
    (line,) = scene.lines_of("CloserCounted")
    line.said["chips_cents"] += cents
    assert scene.said() == (["win_differs L.8"] if cents else [])
    assert account(scene).difference_cents == cents


def test_the_sentence_says_by_how_much_and_names_the_counts() -> None:
    scene = money(sic_bo())
    counted(scene, CLOSES + 3600, 4_900)
    (finding,) = scene.audit().findings
    assert finding.sentence == ("Counted win -$61.00, calculated win -$60.00: $1.00 short.")
    assert (finding.expected, finding.observed) == ("-$60.00", "-$61.00")
    streams = {ref.stream for ref in finding.facts}
    assert streams == {CHIPS, COUNT}
    assert finding.stream == COUNT


def test_a_lost_fact_makes_the_difference_unknown() -> None:
    scene = money(sic_bo())
    counted(scene, CLOSES + 3600, 5_000)
    facts = scene.build()
    fill = scene.lines_of("FillDelivered")[0].ref
    left = [f for f in facts if (f.stream, f.seq) != fill]
    audit = audit_day(Replay(log_of(left)), scene.day)
    assert said(audit.findings) == ["gap L.1", "win_differs L.8 ?"]
    assert audit.accounts[0].doubtful


def closed_the_next_day(scene: Scene) -> list[object]:
    facts = scene.build()
    last = facts[-1]
    following = date.fromordinal(scene.day.toordinal() + 1).isoformat()
    return [*facts, replace(last, seq=last.seq + 1, event_time=last.event_time + DAY * 10**6, gaming_day=following)]  # type: ignore[call-arg]  # fmt: skip


def test_a_box_awaits_its_count_and_is_never_zero() -> None:
    scene = money(sic_bo())
    one = account(scene)
    assert one.awaiting == ("B1",)
    assert one.missing == ("the count of box B1",)
    assert one.drop_cents is one.by_count_cents is one.difference_cents is None
    assert scene.said() == []  # it may still come
    audit = audit_day(Replay(log_of(closed_the_next_day(scene))), scene.day)  # type: ignore[arg-type]
    assert "table_count_missing L.8 ?" in said(audit.findings)


@pytest.mark.parametrize("late", [DAY - CLOSES, LATE_DAYS * DAY, (LATE_DAYS + 1) * DAY])
def test_a_late_count_is_found_within_its_days(late: int) -> None:
    scene = replace(money(sic_bo()), closed=False)
    counted(scene, CLOSES + late, 5_000)
    one = account(scene)
    if late <= LATE_DAYS * DAY:
        assert (one.drop_cents, one.difference_cents, one.missing) == (5_000, 0, ())
    else:
        assert (one.drop_cents, one.awaiting) == (None, ("B1",))


def test_a_late_count_without_box_facts_is_found() -> None:
    scene = replace(money(sic_bo()).drop("DropBoxHung").drop("DropBoxRemoved"), closed=False)
    counted(scene, CLOSES + DAY, 5_000)
    assert account(scene).drop_cents == 5_000


def test_a_count_for_another_day_is_not_this_days_drop() -> None:
    scene = replace(money(sic_bo()), closed=False)
    scene.add("DropBoxRemoved", -1890, CHIPS, box="B0")
    counted(scene, -1000, 700, "B0", for_gaming_day="2011-03-14")
    counted(scene, CLOSES + 3600, 5_000)
    one = account(scene)
    assert (one.drop_cents, one.awaiting) == (5_000, ())


def test_two_counts_of_a_box_that_differ_are_no_count() -> None:
    scene = money(sic_bo())
    counted(scene, CLOSES + 3600, 5_000)
    counted(scene, CLOSES + 3700, 5_000)
    assert account(scene).drop_cents == 5_000
    counted(scene, CLOSES + 3800, 4_900)
    assert account(scene).by_count_cents is None
    assert scene.said() == ["table_count_missing L.8 ?"]


def test_chips_in_the_box_are_drop_and_two_boxes_add_up() -> None:
    scene = money(sic_bo())
    counted(scene, CLOSES + 3600, 3_000, chips_cents=500)
    counted(scene, CLOSES + 3700, 1_500, "B2")
    assert account(scene).drop_cents == 5_000
    assert scene.said() == []


@pytest.mark.parametrize("kind", ["OpenerCounted", "CloserCounted"])
def test_an_opener_asks_for_a_closer(kind: str) -> None:
    scene = money(sic_bo()).drop(kind)
    counted(scene, CLOSES + 3600, 5_000)
    assert scene.said() == ["table_count_missing L.8 ?"]
    assert account(scene).by_count_cents is None


def test_a_table_opened_twice_has_two_of_each() -> None:
    scene = money(sic_bo())
    counted(scene, CLOSES + 3600, 5_000)
    scene.add("CloserCounted", 400, CHIPS, chips_cents=999_000)
    scene.add("OpenerCounted", 500, CHIPS, chips_cents=999_000)
    assert account(scene).difference_cents == 0
    scene.lines_of("OpenerCounted")[1].said["chips_cents"] = 998_900
    assert account(scene).difference_cents == 100


def test_nothing_counted_is_nothing_claimed() -> None:
    scene = sic_bo()
    one = account(scene)
    assert one.missing == ("any count",)
    assert one.by_rounds_cents == 0
    assert one.by_count_cents is None
    assert scene.said() == []


def test_coupons_stand_beside_the_drop() -> None:
    scene = money(sic_bo())
    scene.add(
        "CouponSeriesDescribed", -17_000, "coupons", series="S1", denomination_cents=2_500, prefix="M25-", digits=5
    )  # fmt: skip
    counted(scene, CLOSES + 3600, 5_000, coupons=["M25-00001", "m25 2"])
    one = account(scene)
    assert (one.coupons, one.coupons_cents, one.drop_cents, one.difference_cents) == (2, 5_000, 5_000, 0)  # fmt: skip
    scene.lines_of("DropBoxCounted")[0].said["coupons"] = ["M25-00001", "X9"]
    assert account(scene).coupons_cents is None


def test_coupons_counted_by_themselves_stand_beside_the_drop_once() -> None:
    scene = money(sic_bo())
    scene.add(
        "CouponSeriesDescribed", -17_000, "coupons", series="S1", denomination_cents=2_500, prefix="M25-", digits=5
    )  # fmt: skip
    counted(scene, CLOSES + 3600, 5_000)
    first, last = "M25-00001", "M25-00003"
    some = CouponRange(denomination_cents=2_500, first=first, last=last, quantity=3)
    said_ = {"box": "B1", "box_table": scene.table, "for_gaming_day": scene.day.isoformat(), "part": 1, "parts": 1,
             "ranges": (some,), "unreadable": 0, "counted_by": ("C-1", "C-2")}  # fmt: skip
    scene.add("CouponsCounted", CLOSES + 3700, "coupons/count", **said_)
    one = account(scene)
    assert (one.coupons, one.coupons_cents, one.drop_cents, one.difference_cents) == (3, 7_500, 5_000, 0)  # fmt: skip
    line = scene.lines_of("CouponsCounted")[0].said
    scene.lines_of("DropBoxCounted")[0].said["coupons"] = [first]
    assert (account(scene).coupons, account(scene).coupons_cents) == (1, 2_500)  # never both
    scene.lines_of("DropBoxCounted")[0].said["coupons"] = []
    line["unreadable"] = 1
    assert (account(scene).coupons, account(scene).coupons_cents) == (4, None)
    line["unreadable"], line["parts"] = 0, 2  # the other part is not there yet
    assert account(scene).coupons_cents is None
    line["parts"], line["for_gaming_day"] = 1, "2021-01-01"
    assert (account(scene).coupons, account(scene).coupons_cents) == (0, 0)


def test_a_wager_taken_down_or_handed_back_was_not_wagered() -> None:
    scene = money(sic_bo())
    counted(scene, CLOSES + 3600, 5_000)
    gone = scene.wager(3, "Small Bet", cents=10_000)
    scene.add("WagerTakenDown", 5, wager_id=gone)
    assert account(scene).wagered_cents == 1_500


def test_theoretical_win_and_holds_are_exact() -> None:
    """Of 216 throws 105 win a Big Bet, at 1 to 1: the house keeps 6 in 216."""
    scene = money(sic_bo())
    counted(scene, CLOSES + 3600, 5_000)
    replay = Replay(log_of(scene.build()))
    audit = audit_day(replay, scene.day)
    office = read_office(replay).office
    shown = shown_of(audit.accounts[0], Theory(office), scene.day)
    rules = {one.wager: Theory(office).edge(one, scene.day) for one in audit.accounts[0].stakes or ()}  # fmt: skip
    assert rules["Big Bet"] == Fraction(6, 216)
    (big,) = [one for one in audit.accounts[0].stakes or () if one.wager == "Big Bet"]
    won = Fraction(105, 216)  # a stake of 1 comes back as 2, or not at all
    assert Theory(office).spread(big, scene.day) == 4 * won * (1 - won)
    assert Theory(office).spread(replace(big, wager="No Such Bet"), scene.day) is None
    assert shown.theoretical == sum(
        one.cents * (rules[one.wager] or 0) for one in audit.accounts[0].stakes or ()
    )
    assert shown.hold_on_drop == Fraction(-6_000, 5_000)
    assert shown.hold_on_wagers == Fraction(-6_000, 1_500)


def test_a_wheel_has_theory_too() -> None:
    scene = dreamcatcher()
    scene.add("BettingOpened", 0)
    name = scene.wager(1, "10", cents=1_000)
    spin(scene, 10, "1")
    scene.lost(40, name)
    replay = Replay(log_of(scene.build()))
    audit = audit_day(replay, scene.day)
    shown = shown_of(audit.accounts[0], Theory(read_office(replay).office), scene.day)
    assert shown.theoretical is not None
    assert shown.theoretical > 0


def test_an_outcome_table_has_counts_but_no_win_by_rounds() -> None:
    scene = money(sic_bo()).change("TableOpened", capture="OUTCOME")
    for kind in ("WagerPlaced", "WagerSettled"):
        scene.drop(kind)
    counted(scene, CLOSES + 3600, 5_000)
    one = account(scene)
    assert one.by_count_cents == -6_000
    assert one.by_rounds_cents is one.difference_cents is one.wagered_cents is None
    assert scene.said() == []
