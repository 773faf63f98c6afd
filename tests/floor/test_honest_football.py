"""Honest play of Three Dice Football: games, settlements and the duties around the dice.

Field and settlement are written from 58 Pa. Code §§ 577.1-577.9 a second time, apart from the
floor's own tables. Readings: touchdown-at-zero, first-and-goal-at-once.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from ledger import events as e

from .test_honest_duties import of_table
from .test_honest_money import chip_gap

TABLES = ("FB-01", "FB-02")
by_table = pytest.mark.parametrize("table", TABLES)
FULL = {"Touchdown", "Defense", "Extra Point", "Quick Strike TD", "Game Changer", "Game Length"}
SINGLE = {"Trips TD": 30, "Penalty": 9, "Turnover": 60, "Cover Three": 7, "No Gain": 5, "Big Play": 4, "Under Four Yards": 1}  # fmt: skip
Throw = tuple[int, int, int]


class Game:
    """A game as the text tells it."""

    def __init__(self) -> None:
        self.yard, self.plays, self.tries, self.goal = 20, 0, 0, False
        self.over = self.scored = self.instant = False
        self.extra: Throw | None = None

    def throw(self, green: int, other: int, red: int) -> None:
        """One down."""
        self.plays += 1
        if green == other == red:
            self.over = self.scored = self.instant = True
            return
        if red == 6 and green + other <= 3:
            self.over = self.instant = True
            return
        self.yard += 1 if green + other < red else red - green - other
        self.tries += 1
        if self.yard <= 0:
            self.over = self.scored = True
        elif not self.goal and self.yard <= 10:
            self.goal, self.tries = True, 0
        elif self.tries == 3:
            self.over = True


def play_odds(wager: str, throw: Throw) -> Fraction | None:
    """What a single play wager pays on a throw; None: it loses."""
    trips = len(set(throw)) == 1
    gained = throw[0] + throw[1] - throw[2]
    turnover = throw[2] == 6 and throw[0] + throw[1] <= 3
    back = gained < 0
    if wager == "Over Four Yards":
        return Fraction(7) if trips else Fraction(1) if gained >= 5 else None
    wins = {
        "Trips TD": trips,
        "Penalty": back,
        "Turnover": turnover,
        "Cover Three": trips or back,
        "No Gain": gained <= 0 and not trips,
        "Big Play": trips or gained >= 7,
        "Under Four Yards": gained <= 3 and not trips,
    }[wager]
    return Fraction(SINGLE[wager]) if wins else None


def game_odds(wager: str, picks: tuple[int, ...], game: Game) -> Fraction | None:
    """What a full game wager pays; None: it loses."""
    match wager:
        case "Touchdown":
            return Fraction(1) if game.scored else None
        case "Defense":
            return None if game.scored else Fraction(4, 5)
        case "Quick Strike TD":
            by_play = {1: 8, 2: 5, 3: 3, 4: 1}
            return Fraction(by_play[game.plays]) if game.scored and game.plays <= 4 else None
        case "Game Changer":
            return Fraction(5) if game.instant else None
        case "Game Length":
            lengths = {1: "22", 2: "22", 3: "6/5", 4: "5", 5: "3", 6: "6"}
            return Fraction(lengths[game.plays]) if picks == (game.plays,) else None
        case _:
            if not game.scored or game.extra is None:
                return None
            ones = game.extra.count(1)
            if ones:
                return Fraction({1: 1, 2: 10, 3: 50}[ones])
            return Fraction(10) if len(set(game.extra)) == 1 else None


def counts(throw: e.DiceThrownByHand) -> bool:
    """No die off the table or on another, none propped twice, the far end struck."""
    bad = (e.ThrowRest.OFF_TABLE, e.ThrowRest.ON_A_DIE, e.ThrowRest.TWO_SIDES_PROPPED)
    return bool(throw.struck_far_end) and all(die.rest not in bad for die in throw.dice)


def faces(throw: e.DiceThrownByHand) -> Throw:
    """Green, green, red; of a cocked die the side opposite to that on which it rests."""
    green, other, red = (
        7 - die.resting_side if die.resting_side is not None else die.face or 0
        for die in throw.dice
    )
    return green, other, red


@by_table
def test_every_wager_is_settled_exactly(honest: tuple[e.Fact, ...], table: str) -> None:
    area: dict[str, tuple[str, tuple[int, ...]]] = {}
    stake: dict[str, int] = {}
    due: dict[str, Fraction | None] = {}
    game = Game()
    seen: Counter[str] = Counter()
    for fact in of_table(honest, table):
        match fact:
            case e.BettingOpened():
                assert not area, "all of the last game is settled"
                game = Game()
            case e.WagerPlaced():
                assert not game.over
                assert fact.wager not in FULL or game.plays == 0, "full game wagers are locked"
                area[fact.wager_id] = (fact.wager, fact.picks)
                stake[fact.wager_id] = fact.stake_cents
            case e.WagerIncreased():
                assert game.plays == 0
                stake[fact.wager_id] += fact.added_cents
            case e.WagerTakenDown() | e.WagerReturned():
                assert game.plays == 0
                del area[fact.wager_id]
            case e.DiceThrownByHand() if counts(fact):
                throw = faces(fact)
                if game.over:
                    assert fact.purpose is e.ThrowPurpose.EXTRA_POINT
                    assert game.scored
                    assert any(name == "Extra Point" for name, _ in area.values())
                    assert {name for name, _ in area.values()} <= {"Touchdown", "Extra Point"}
                    game.extra = throw
                else:
                    assert not due, "settled before the next throw"
                    game.throw(*throw)
                for wager, (name, picks) in area.items():
                    if name not in FULL:
                        due[wager] = play_odds(name, throw)
                    elif game.over:
                        due[wager] = game_odds(name, picks, game)
            case e.WagerSettled():
                name, _ = area.pop(fact.wager_id)
                cents, pays = stake.pop(fact.wager_id), due.pop(fact.wager_id)
                seen[f"{name} {fact.outcome}"] += 1
                if pays is None:
                    assert (fact.outcome, fact.stake_taken_cents) == (e.SettledAs.LOST, cents)
                else:
                    assert fact.outcome is e.SettledAs.WON
                    assert fact.winnings_cents == pays * cents
            case _:
                pass
    assert not area
    for name in ("Touchdown", "Defense", "Extra Point", "Game Length", "Over Four Yards"):
        assert seen[f"{name} WON"], name
        assert seen[f"{name} LOST"], name


@by_table
def test_chips_are_conserved(honest: tuple[e.Fact, ...], table: str) -> None:
    assert chip_gap(honest, table) == 0


@by_table
def test_markers_and_announcements_follow_the_game(honest: tuple[e.Fact, ...], table: str) -> None:
    game = Game()
    said = 0
    for fact in of_table(honest, table):
        match fact:
            case e.BettingOpened():
                game = Game()
            case e.DiceThrownByHand() if counts(fact) and not game.over:
                game.throw(*faces(fact))
            case e.MarkersPlaced() if not game.over:
                assert (fact.yard, fact.play) == (game.yard, game.plays + 1)
                said += 1
            case e.MarkersPlaced():
                assert (fact.yard, fact.play) == (0, None)
            case e.DownAnnounced():
                assert fact.distance_yards == game.yard
                assert not game.over
            case e.TurnoverAnnounced():
                assert game.over
                assert game.instant
                assert not game.scored
            case _:
                pass
    assert said > 200


@by_table
def test_the_dice_go_round(honest: tuple[e.Fact, ...], table: str) -> None:
    """§§ 577.4(b), (c), 577.7: kept after a score, else offered clockwise until one accepts."""
    thrower: str | None = None
    offered = ""
    dice: set[str] = set()
    changes = 0
    for fact in of_table(honest, table):
        match fact:
            case e.DiceOffered():
                offered = fact.position
            case e.DiceAccepted():
                assert fact.position == offered
                thrower, changes = fact.position, changes + 1
            case e.DiceSelected():
                assert fact.position == thrower
                dice = set(fact.dice)
                assert len(dice) == 3
            case e.DiceThrownByHand():
                assert fact.position == thrower
                assert {die.serial for die in fact.dice} == dice
                assert [die.colour for die in fact.dice] == ["green", "green", "red"]
            case _:
                pass
    assert changes > 20


@by_table
def test_three_dealers_two_cameras_and_a_fresh_set(week: tuple[e.Fact, ...], table: str) -> None:
    """§§ 577.4(a), (d), 577.9 over eight days."""
    staff: set[tuple[e.Role, str]] = set()
    ends: dict[str, str | None] = {}
    here: set[str] = set()
    used: set[str] = set()
    for fact in of_table(week, table):
        match fact:
            case e.StaffAssigned():
                staff.add((fact.role, fact.person))
            case e.StaffRelieved():
                staff.remove((fact.role, fact.person))
            case e.CameraDescribed():
                assert fact.stationary
                ends[fact.camera] = fact.covers
            case e.DiceSetPlaced():
                here = {die.serial for die in fact.dice}
                colours = Counter(die.colour for die in fact.dice)
                assert colours == {"green": 4, "red": 2}
                assert not here & used, "a set is never used again"
                used |= here
            case e.DiceSetRemoved():
                here -= set(fact.dice)
            case e.DiceThrownByHand():
                roles = Counter(role for role, _ in staff)
                assert roles[e.Role.DEALER] == 2
                assert roles[e.Role.STICKPERSON] == 1
                assert {die.serial for die in fact.dice} <= here
            case _:
                pass
    assert sorted(ends.values(), key=str) == ["end A", "end B"]


def test_each_lawful_accident_occurs(honest: tuple[e.Fact, ...]) -> None:
    mine = [f for f in honest if f.stream.startswith("FB")]
    names = Counter(type(fact).__name__ for fact in mine)
    for name in ("NoRollCalled", "ThrowVoided", "FaceDisputed", "DisputeRuled", "DiceRefused"):
        assert names[name], name
    rests = {die.rest for f in mine if isinstance(f, e.DiceThrownByHand) for die in f.dice}
    assert e.ThrowRest.ONE_SIDE_PROPPED in rests
