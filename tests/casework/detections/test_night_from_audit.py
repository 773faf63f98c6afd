"""From a simulated floor to nights: what is read, what is left out, who dealt."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from types import SimpleNamespace

import pytest

from ledger import events
from ledger.audit import read_office, rounds_of
from ledger.casework.detections import detect
from ledger.casework.history import Night
from ledger.casework.night_from_audit import history_of, night_of
from ledger.casework.table_facts import Issues
from ledger.floor import FIRST_DAY, Plant, simulate
from ledger.replay import Replay
from tests.engine import log_of
from tests.games.facts import fact

PLANTS = (
    "overpaid:4@SB-01",
    "underpaid:2@SB-01",
    "late_wager:3@SB-01",
    "props_late_wager:2@PH-01",
    "late_wager:2@AP-01",
)


@pytest.fixture(scope="module")
def floor():
    drawn = simulate(9, plants=[Plant.parse(one) for one in PLANTS], scale=0.15, coupons=True)
    facts = tuple(drawn.facts)
    return SimpleNamespace(facts=facts, truth=drawn.truth, replay=Replay(log_of(facts)))


@pytest.fixture(scope="module")
def night(floor):
    (night,) = history_of(floor.replay, [FIRST_DAY])
    return night


def test_every_throw_and_spin_is_there_and_those_that_do_not_count_say_why(floor, night):
    kinds = Counter(type(one) for one in floor.facts)
    assert len(night.spins) == kinds[events.WheelSpun]
    thrown = {(one.stream, one.seq) for one in floor.facts if isinstance(one, events.DiceThrown)}
    assert thrown <= {(one.stream, one.seq) for one in night.throws}
    assert {one.out for one in night.spins} <= {
        "",
        "the clapper between two sections",
        "fewer than three revolutions",
        "declared void",
    }
    assert all(face in range(1, 7) for one in night.throws if not one.out for _, face in one.dice)
    assert {one.sections for one in night.spins} == {54}


def test_dice_are_those_in_play_and_dealers_those_on_duty(night):
    sic_bo = [one for one in night.throws if one.table == "SB-01"]
    assert all(sorted(serial for serial, _ in one.dice) == one.set.split(", ") for one in sic_bo)
    assert {one.shaker for one in sic_bo} == {"SH-SB-01"}
    assert all(one.by for one in night.spins)
    assert all(one.dealer and one.supervisor for one in night.handled)


def test_what_was_planted_is_counted(floor, night):
    mine = [one for one in night.handled if one.table == "SB-01"]
    planted = Counter(row["kind"] for row in floor.truth)
    assert sum(one.over for one in mine) == planted["overpaid"] == 4
    assert sum(one.under for one in mine) == planted["underpaid"] == 2
    assert sum(one.late for one in mine) == 3 == planted["late_wager"] - 2
    late = {(one.stream, one.seq) for one in night.late}
    assert Counter(stream for stream, _ in late) == {"SB-01": 3, "PH-01": 2, "AP-01": 2}
    assert (
        0
        < sum(one.wagers for one in night.handled)
        <= sum(n for table, _, n in night.busy if any(h.table == table for h in night.handled))
    )


def test_577_3_c_a_wager_on_the_game_after_its_first_throw_is_late(floor):
    """One laid on a later play is in time; the same chips on the game are late."""
    facts, thrown = list(floor.facts), False
    for at, one in enumerate(facts):
        if one.stream == "FB-01":
            thrown = not isinstance(one, events.BettingOpened) and (
                thrown or (isinstance(one, events.MarkersPlaced) and one.play > 1)
            )
            if thrown and isinstance(one, events.WagerPlaced):
                facts[at] = replace(one, wager="Defense")
                break
    (changed,) = history_of(Replay(log_of(facts)), [FIRST_DAY])
    late = [one for one in changed.late if one.table == "FB-01"]
    assert {(one.part, one.patron) for one in late} == {
        ("full game wagers", ""),
        ("full game wagers", facts[at].patron),
    }


def test_every_game_has_its_win_or_says_what_is_not_tested(night):
    wins = {(one.game, one.part): one for one in night.wins}
    assert set(wins) == {
        ("Asia Poker", "Bonus Wager"),
        ("Dreamcatcher", ""),
        ("Props & Hops", ""),
        ("Sic Bo", ""),
        ("Three Dice Football", "full game wagers"),
        ("Three Dice Football", "single play wagers"),
    }
    told = {game for (game, _), one in wins.items() if one.chance_low is not None}
    assert told == {"Sic Bo", "Dreamcatcher", "Props & Hops", "Three Dice Football"}
    assert wins["Asia Poker", "Bonus Wager"].why == "hands of several positions come from one deck"
    assert wins["Props & Hops", ""].without == "Six Eight Shake"
    for one in wins.values():
        if one.chance_low is not None:
            assert min(one.chance_low, one.chance_high) > 1e-4
            assert one.chance_low + one.chance_high >= 1
    assert {(one.game, one.wager) for one in night.untested} == {("Asia Poker", "Asia Poker Wager")}
    (poker,) = (
        one.sentence
        for one in detect((night,), FIRST_DAY, detections=["win_on_wagers"])
        if one.table == "AP-01"
    )
    assert "; not tested: " in poker
    assert "of Asia Poker Wager, since what it returns hangs on how each player sets" in poker


def test_coupons_know_their_dealer_issuer_and_patron(night):
    assert night.redeemed
    assert all(one.dealer for one in night.redeemed)
    assert sum(bool(one.issuer) for one in night.redeemed) > len(night.redeemed) / 2


def test_a_night_from_rounds_that_were_kept_is_the_same(floor, night):
    replay = floor.replay
    kept = list(rounds_of(replay, FIRST_DAY))
    assert night_of(replay, read_office(replay), FIRST_DAY, kept[::-1]) == night


def test_an_honest_floor_raises_nothing_and_says_so(night):
    alerts = detect((night,), FIRST_DAY)
    assert [one for one in alerts if one.raised] == []
    assert {one.detection for one in alerts} >= {
        "dice_bias",
        "wheel_bias",
        "win_on_wagers",
        "late_wagers",
    }
    assert detect((night,), FIRST_DAY) == alerts


def test_a_wheel_has_the_spins_of_all_its_days(night):
    """A night of spins alone stands for a day long ago; what detects sees the life whole."""
    after = FIRST_DAY + timedelta(days=40)
    life = Night(day=FIRST_DAY, begins=night.begins, spins=night.spins)
    moved = 40 * 24 * 3600 * 1_000_000
    later = replace(
        life, day=after, begins=life.begins + moved, spins=tuple(replace(one, at=one.at + moved) for one in life.spins)
    )  # fmt: skip
    wheel, *_ = detect((life, later), after, detections=["wheel_bias"])
    alone, *_ = detect((later,), after, detections=["wheel_bias"])
    assert wheel.volume == 2 * alone.volume > 0


def test_lots_are_asked_only_where_they_are_recorded(floor, night):
    assert {one.lot for one in night.throws} == {""}
    replay = floor.replay
    serials = {serial: "LOT-7" for one in night.throws for serial, _ in one.dice}
    (lotted,) = history_of(replay, [FIRST_DAY], lots=serials)
    assert {one.lot for one in lotted.throws} == {"LOT-7"}


def test_lots_are_those_that_inspections_of_dice_recorded(floor, night):
    first = next(one for one in night.throws if one.table == "FB-01")
    serials = {serial for serial, _ in first.dice}

    def with_lot(one):
        mine = isinstance(one, events.ItemInspected) and one.subject_id in serials
        return replace(one, seen=(events.Seen(name="lot", value="L-9"),)) if mine else one

    facts = [with_lot(one) for one in floor.facts]
    assert facts != list(floor.facts)
    (lotted,) = history_of(Replay(log_of(facts)), [FIRST_DAY])
    of = {frozenset(serial for serial, _ in one.dice) <= serials: one.lot for one in lotted.throws}
    assert of == {True: "L-9", False: ""}
    found = {one.subject for one in detect((lotted,), FIRST_DAY, detections=["dice_bias"])}
    assert any("supplier's lot L-9" in one for one in found)


def test_after_a_gap_nobody_is_named_until_it_is_stated_again(floor, night):
    ends = max(
        one.seq
        for one in floor.facts
        if isinstance(one, events.StaffAssigned) and one.stream == "SB-01"
    )
    facts = [one for one in floor.facts if (one.stream, one.seq) != ("SB-01", ends + 1)]
    (gapped,) = history_of(Replay(log_of(facts)), [FIRST_DAY])
    assert all(one.dealer for one in night.handled if one.table == "SB-01")
    assert any(not one.dealer for one in gapped.handled if one.table == "SB-01")
    unnamed = sum(one.wagers for one in gapped.handled if not one.dealer)
    alerts = detect((gapped,), FIRST_DAY, detections=["payment_errors"])
    assert {one.left_out for one in alerts if not one.subject.startswith("too few")} <= {
        0,
        unnamed * 16,
    }


def test_issuers_by_ranges():
    issues = Issues()
    ranges = (fact_range("M25-0001", "M25-0100"),)
    issues.take(fact("CouponsIssued", 1, 0, stream="coupons", ranges=ranges, issued_by="P-1"))
    later = (fact_range("M25-0050", "M25-0060"),)
    issues.take(
        fact(
            "CouponsDistributed",
            2,
            0,
            stream="coupons",
            ranges=later,
            distributed_by="P-2",
            patron="G-1",
        )
    )
    assert issues.of("M25-0010")[:2] == ("P-1", "")
    assert issues.of("M25-0055")[:2] == ("P-2", "G-1")
    assert issues.of("M25-0101") == issues.of("nothing") == issues.of("X25-0010") == ("", "", 0)


def fact_range(first, last):
    from ledger.events import CouponRange

    return CouponRange(denomination_cents=2500, first=first, last=last, quantity=None)


def test_a_day_without_facts_is_an_empty_night(floor):
    (night,) = history_of(floor.replay, [date(2021, 7, 1)])
    assert (night.throws, night.rounds, night.handled) == ((), (), ())
    assert detect((night,), date(2021, 7, 1)) == ()
