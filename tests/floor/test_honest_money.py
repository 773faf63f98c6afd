"""Honest play settles every wager exactly, and no chip appears or vanishes.

The settlement here is written from 58 Pa. Code §§ 539.3, 539.6, 539.7, 689.2 and 689.3 a second
time, apart from the floor's own tables.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import prod

import pytest

from ledger import events as e
from ledger.kernel import table_of

from . import asia_poker

FILED = {
    "Three of a Kind": 180,
    "Any Three of a Kind": 30,
    "Two of a Kind": 8,
    "Two Dice Combination": 5,
    "Small Bet": 1,
    "Big Bet": 1,
}
TOTALS = {
    4: 60,
    5: 18,
    6: 14,
    7: 12,
    8: 8,
    9: 6,
    10: 6,
    11: 6,
    12: 6,
    13: 8,
    14: 12,
    15: 14,
    16: 18,
    17: 60,
}
PAYOUT_LIMIT = {"DC-02": 2_500_000}
MONEY_TABLES = ("SB-01", "SB-02", "DC-01", "DC-02", "AP-01", "AP-02")


def sic_bo_odds(wager: str, picks: Sequence[int], faces: Sequence[int]) -> int | None:
    shown = Counter(faces)
    total = sum(faces)
    triple = len(shown) == 1
    match wager:
        case "Three of a Kind":
            wins = shown[picks[0]] == 3
        case "Two of a Kind":
            wins = shown[picks[0]] >= 2
        case "Any Three of a Kind":
            wins = triple
        case "Total Value Bet":
            return TOTALS[picks[0]] if total == picks[0] else None
        case "Two Dice Combination":
            wins = shown[picks[0]] > 0 and shown[picks[1]] > 0
        case "Small Bet":
            wins = 4 <= total <= 10 and not triple
        case "Big Bet":
            wins = 11 <= total <= 17 and not triple
        case "One of a Kind":
            return shown[picks[0]] or None
        case _:
            raise AssertionError(wager)
    return FILED[wager] if wins else None


def rounds(facts: Sequence[e.Fact]) -> Iterator[list[e.Fact]]:
    """The facts of each round of the tables that record wagers, by table and event time."""
    by_table: dict[str, list[e.Fact]] = defaultdict(list)
    for fact in facts:
        by_table[table_of(fact.stream)].append(fact)
    for table in MONEY_TABLES:
        current: list[e.Fact] = []
        for fact in sorted(by_table[table], key=lambda f: f.event_time):
            if isinstance(fact, e.BettingOpened):
                if current:
                    yield current
                current = []
            if current or isinstance(fact, e.BettingOpened):
                current.append(fact)
        yield current


def expected(facts: list[e.Fact]) -> dict[str, tuple[str, Fraction, int]]:
    """Outcome, winnings and stake taken of each wager that stands."""
    if facts[0].stream.startswith("AP"):
        return asia_poker.expected(facts)
    area: dict[str, tuple[str, tuple[int, ...]]] = {}
    stake: dict[str, int] = {}
    thrown: e.DiceThrown | None = None
    spun: list[e.WheelSpun] = []
    void = closed = False
    for fact in facts:
        match fact:
            case e.WagerPlaced():
                area[fact.wager_id], stake[fact.wager_id] = (
                    (fact.wager, fact.picks),
                    fact.stake_cents,
                )
            case e.WagerIncreased():
                stake[fact.wager_id] += fact.added_cents
            case e.WagerMoved():
                area[fact.wager_id] = (fact.wager, fact.picks)
            case e.NoMoreBetsAnnounced():
                closed = True
            case e.WagerTakenDown() | e.WagerReturned() if not closed:
                del stake[fact.wager_id]
            case e.DiceThrown():
                thrown = fact
                void = void or any(die.rest is not e.Rest.FLAT for die in fact.dice)
            case e.DeviceFailed(device=e.Device.AUTOMATED_SHAKER):
                void = True
            case e.WheelSpun():
                spun.append(fact)
            case _:
                pass
    table = table_of(facts[0].stream)
    valid = [
        s
        for s in spun
        if s.clapper is e.Clapper.IN_SECTION and (s.revolutions_thousandths or 0) >= 3_000
    ]
    shown = [s.symbols[0] for s in valid if s.symbols]
    result: dict[str, tuple[str, Fraction, int]] = {}
    for wager, cents in stake.items():
        odds: int | None
        if table.startswith("SB"):
            faces = [die.face or 0 for die in thrown.dice] if thrown else []
            odds = None if void else sic_bo_odds(*area[wager], faces)
        else:
            assert shown, "a wheel round ends with a valid spin"
            multiplier = prod(int(symbol[0]) for symbol in shown[:-1])
            odds = int(shown[-1]) * multiplier if area[wager][0] == shown[-1] else None
        if void:
            result[wager] = ("RETURNED", Fraction(0), 0)
        elif odds is None:
            result[wager] = ("LOST", Fraction(0), cents)
        else:
            due = Fraction(odds) * cents
            result[wager] = ("WON", min(due, Fraction(PAYOUT_LIMIT.get(table, due))), 0)
    return result


def settlement_differences(facts: Sequence[e.Fact]) -> list[tuple[str, str]]:
    """Wagers that were settled otherwise, by round and wager."""
    different = []
    for play in rounds(facts):
        opened = play[0]
        observed = {
            f.wager_id: (f.outcome.value, Fraction(f.winnings_cents), f.stake_taken_cents)
            for f in play
            if isinstance(f, e.WagerSettled)
        }
        wanted = expected(play)
        different += [
            (f"{opened.stream}:{opened.seq}", wager)
            for wager in sorted(wanted.keys() | observed.keys())
            if wanted.get(wager) != observed.get(wager)
        ]
    return different


def test_every_wager_is_settled_exactly(honest: tuple[e.Fact, ...]) -> None:
    assert sum(isinstance(f, e.WagerSettled) for f in honest) > 10_000
    assert settlement_differences(honest) == []


def test_losers_come_before_winners_and_nothing_is_settled_twice(
    honest: tuple[e.Fact, ...],
) -> None:
    for play in rounds(honest):
        settled = [f for f in play if isinstance(f, e.WagerSettled)]
        outcomes = [f.outcome.value for f in settled]
        if not play[0].stream.startswith("AP"):  # § 575.11(e): hand by hand
            assert outcomes == sorted(outcomes), "LOST, then WON (or all RETURNED)"
        assert len({f.wager_id for f in settled}) == len(settled)


def test_stacked_multipliers_and_every_outcome_occur(honest: tuple[e.Fact, ...]) -> None:
    factors = [
        sum(isinstance(f, e.SpinCalled) and f.result in ("2x", "7x") for f in play)
        for play in rounds(honest)
    ]
    assert max(factors) >= 2
    outcomes = Counter(f.outcome for f in honest if isinstance(f, e.WagerSettled))
    assert min(outcomes[o] for o in (e.SettledAs.WON, e.SettledAs.LOST, e.SettledAs.RETURNED)) > 0


def chip_gap(facts: Sequence[e.Fact], table: str) -> int:
    """Closer less what should lie in the rack."""
    rack = 0
    gap = 0
    for fact in sorted(
        (f for f in facts if table_of(f.stream) == table), key=lambda f: f.event_time
    ):
        match fact:
            case e.OpenerCounted():
                rack = fact.chips_cents
            case e.FillDelivered():
                rack += fact.chips_cents
            case e.CreditTaken():
                rack -= fact.chips_cents
            case e.CashChanged():
                rack -= fact.chips_cents
            case e.WagerSettled():
                rack += fact.stake_taken_cents - fact.winnings_cents
                assert rack >= 0, "nobody pays with chips that are not there"
            case e.CloserCounted():
                gap += fact.chips_cents - rack
            case _:
                pass
    return gap


@pytest.mark.parametrize("table", MONEY_TABLES)
def test_chips_are_conserved(honest: tuple[e.Fact, ...], table: str) -> None:
    assert chip_gap(honest, table) == 0


def test_the_drop_is_the_cash_that_was_changed(week: tuple[e.Fact, ...]) -> None:
    changed: Counter[str] = Counter()
    for fact in week:
        if isinstance(fact, e.CashChanged):
            assert fact.cash_cents == fact.chips_cents
            changed[table_of(fact.stream)] += fact.cash_cents
        elif isinstance(fact, e.DropBoxCounted):
            counted = sum(c.denomination_cents * c.pieces for c in fact.cash)
            assert counted == changed.pop(table_of(fact.stream)) > 0
            assert len(set(fact.counted_by)) >= 2
    assert not changed


def test_no_patron_stakes_more_than_was_bought_and_won(honest: tuple[e.Fact, ...]) -> None:
    purse: Counter[str] = Counter()
    owner: dict[tuple[str, str], tuple[str, int]] = {}
    for fact in sorted(honest, key=lambda f: f.event_time):
        table = table_of(fact.stream)
        match fact:
            case e.CashChanged() if fact.patron:
                purse[fact.patron] += fact.chips_cents
            case e.WagerPlaced() if fact.patron:
                purse[fact.patron] -= fact.stake_cents
                owner[table, fact.wager_id] = (fact.patron, fact.stake_cents)
                assert purse[fact.patron] >= 0
            case e.WagerIncreased():
                patron, cents = owner[table, fact.wager_id]
                purse[patron] -= fact.added_cents
                owner[table, fact.wager_id] = (patron, cents + fact.added_cents)
            case e.WagerTakenDown() | e.WagerReturned():
                patron, cents = owner[table, fact.wager_id]
                purse[patron] += cents
            case e.WagerSettled():
                patron, cents = owner[table, fact.wager_id]
                purse[patron] += cents - fact.stake_taken_cents + fact.winnings_cents
            case _:
                pass
