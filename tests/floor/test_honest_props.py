"""Honest play of Props & Hops: every wager settled exactly, and each duty around the shaker kept.

The settlement is written from 58 Pa. Code §§ 668a.2-668a.4 a second time, apart from the floor's
own tables; which combinations a hop wager covers is read from the filing.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from ledger import events as e
from ledger.kernel import table_of

from .test_honest_duties import of_table
from .test_honest_money import chip_gap

TABLES = ("PH-01", "PH-02")
SIXES_AND_EIGHTS = {(1, 5), (2, 4), (3, 3), (2, 6), (3, 5), (4, 4)}
ONE_ROLL = {"Double": 30, "Any Number": 15, "1-6 and Under": 1, "3-4 and Over": 1}
HOPS = {
    "Hop the Top": Fraction(3, 2),
    "Hop the Left": Fraction(2),
    "Hop the Right": Fraction(2),
    "Hop the Center": Fraction(3, 2),
}
by_table = pytest.mark.parametrize("table", TABLES)


def groups(facts: tuple[e.Fact, ...], table: str) -> dict[str, set[tuple[int, ...]]]:
    filed = next(
        f for f in facts if isinstance(f, e.HopGroupsFiled) and f.submission == f"RS-{table}"
    )
    return {
        g.wager: {tuple(map(int, word.split("-"))) for word in g.combinations} for g in filed.groups
    }


def odds(
    placed: e.WagerPlaced | e.WagerMoved,
    faces: tuple[int, int],
    hops: dict[str, set[tuple[int, ...]]],
) -> Fraction | None:
    """What a wager on one roll pays; None: it loses."""
    low, high = sorted(faces)
    total = low + high
    match placed.wager:
        case "Double" | "Any Number":
            wins = placed.picks == (low, high)
        case "Field":
            if total in (2, 12):
                return Fraction(2)
            return Fraction(1) if total in (3, 4, 9, 10, 11) else None
        case "1-6 and Under":
            wins = total <= 6 or (low, high) == (1, 6)
        case "3-4 and Over":
            wins = total >= 8 or (low, high) == (3, 4)
        case hop:
            return HOPS[hop] if (low, high) in hops[hop] else None
    return Fraction(ONE_ROLL[placed.wager]) if wins else None


@by_table
def test_every_wager_is_settled_exactly(honest: tuple[e.Fact, ...], table: str) -> None:
    hops = groups(honest, table)
    area: dict[str, e.WagerPlaced | e.WagerMoved] = {}
    stake: dict[str, int] = {}
    faces: tuple[int, int] = (0, 0)
    due: dict[str, Fraction | None] = {}
    left: set[tuple[int, ...]] = set()
    seen: Counter[str] = Counter()
    for fact in of_table(honest, table):
        match fact:
            case e.BettingOpened():
                assert not due, "all of the last round is settled"
            case e.WagerPlaced():
                area[fact.wager_id], stake[fact.wager_id] = fact, fact.stake_cents
                if fact.wager == "Six Eight Shake" and not left:
                    left = set(SIXES_AND_EIGHTS)
                if fact.wager == "Six Eight Shake":
                    assert left == SIXES_AND_EIGHTS, "joined while no lammer is collected"
            case e.WagerMoved():
                area[fact.wager_id] = fact
            case e.WagerIncreased():
                stake[fact.wager_id] += fact.added_cents
            case e.WagerTakenDown() | e.WagerReturned():
                del area[fact.wager_id], stake[fact.wager_id]
                if all(a.wager != "Six Eight Shake" for a in area.values()):
                    left = set()
            case e.DiceThrown() if all(die.rest is e.Rest.FLAT for die in fact.dice):
                low, high = sorted(die.face or 0 for die in fact.dice)
                faces = (low, high)
                left.discard(faces)
                for wager, place in area.items():
                    if place.wager != "Six Eight Shake":
                        due[wager] = odds(place, faces, hops)
                    elif low + high == 7:
                        due[wager] = None
                    elif not left:
                        due[wager] = Fraction(150)
                if low + high == 7:
                    left = set()
            case e.WagerSettled():
                wager, pays = fact.wager_id, due.pop(fact.wager_id)
                cents = stake.pop(wager)
                seen[f"{area.pop(wager).wager} {fact.outcome}"] += 1
                if pays is None:
                    assert (fact.outcome, fact.stake_taken_cents) == (e.SettledAs.LOST, cents)
                else:
                    assert fact.outcome is e.SettledAs.WON
                    assert fact.winnings_cents == pays * cents
            case _:
                pass
    assert not due
    assert not area, "nothing is left on the layout at the day's end"
    assert seen["Six Eight Shake LOST"] > 10
    assert min(seen[f"{name} WON"] for name in ("Field", "Any Number", "Hop the Left")) > 5


@by_table
def test_losers_come_first(honest: tuple[e.Fact, ...], table: str) -> None:
    won = False
    for fact in of_table(honest, table):
        if isinstance(fact, e.BettingOpened):
            won = False
        elif isinstance(fact, e.WagerSettled):
            assert not (won and fact.outcome is e.SettledAs.LOST)
            won = won or fact.outcome is e.SettledAs.WON


@by_table
def test_chips_are_conserved(honest: tuple[e.Fact, ...], table: str) -> None:
    assert chip_gap(honest, table) == 0


@by_table
def test_the_shaker_goes_round(honest: tuple[e.Fact, ...], table: str) -> None:
    """§ 668a.3(f), (k): the first seat first, the same player until a 7, then the next one up."""
    seats: set[str] = set()
    shooter: str | None = None
    seven = False
    turns: Counter[bool] = Counter()
    for fact in of_table(honest, table):
        match fact:
            case e.PositionTaken():
                seats.add(fact.position)
            case e.PositionLeft():
                seats.remove(fact.position)
            case e.PlayerShook():
                assert (fact.shakes or 0) >= 3
                order = sorted(seats)
                if shooter is None:
                    due = order[0]
                elif seven or shooter not in seats:
                    due = next((seat for seat in order if seat > shooter), order[0])
                else:
                    due = shooter
                assert fact.position == due
                shooter, seven = due, False
            case e.DiceThrown() if all(die.rest is e.Rest.FLAT for die in fact.dice):
                seven = sum(die.face or 0 for die in fact.dice) == 7
                turns[seven] += 1
            case _:
                pass
    assert turns[True] > 20


@by_table
def test_the_dealer_shakes_before_each_round(honest: tuple[e.Fact, ...], table: str) -> None:
    """§ 668a.3(d), (j): covered, before the first round and after each."""
    shaken, covered = False, False
    for fact in of_table(honest, table):
        match fact:
            case e.ShakerCovered():
                covered = True
            case e.ShakerUncovered():
                covered = False
            case e.DiceShaken():
                assert covered
                assert fact.role is e.Role.DEALER
                shaken = True
            case e.BettingOpened():
                assert shaken
                shaken = False
            case e.TableClosed():
                assert shaken
            case _:
                pass


@by_table
def test_a_no_roll_is_called_and_shaken_again(honest: tuple[e.Fact, ...], table: str) -> None:
    after: list[str] = []
    for fact in of_table(honest, table):
        if isinstance(fact, e.DiceThrown) and any(d.rest is not e.Rest.FLAT for d in fact.dice):
            after = [table_of(fact.stream)]
        elif after:
            after.append(type(fact).__name__)
            if len(after) == 6:
                assert after[1:] == ["NoRollCalled", "ShakerCovered", "PlayerShook", "ShakerUncovered", "DiceThrown"]  # fmt: skip
                return
    raise AssertionError("no roll was called off")


@by_table
def test_lammers_follow_the_rolls(honest: tuple[e.Fact, ...], table: str) -> None:
    lying: set[str] = set()
    moved = 0
    rolled = ""
    for fact in of_table(honest, table):
        match fact:
            case e.LammersPlaced():
                assert not lying
                lying = set(fact.combinations)
                assert len(lying) == 6
            case e.RollCalled():
                rolled = "-".join(map(str, sorted(fact.faces)))
            case e.LammerCollected():
                assert fact.combination == rolled
                lying.remove(rolled)
                moved += 1
            case e.LammersCleared():
                lying = set()
            case _:
                pass
    assert moved > 10


def test_what_the_filing_says_leaves_the_house_an_edge(honest: tuple[e.Fact, ...]) -> None:
    for table in TABLES:
        for wager, boxes in groups(honest, table).items():
            ways = sum(1 if low == high else 2 for low, high in boxes)
            assert Fraction(ways, 36) * (1 + HOPS[wager]) < 1
