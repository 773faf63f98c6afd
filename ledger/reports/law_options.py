"""What another answer to an open question would make of a house advantage.

Nothing here is the law as we read it: each figure is that of an answer which was not chosen. Where
an answer does not say enough for a figure, the words of the register stand in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Final, TypeAlias

from ledger.games import Room
from ledger.games.asia_poker.terms import BONUS
from ledger.games.asia_poker.wagers import BONUS_COUNTS, NINE_HIGHS, BonusHand
from ledger.games.chances import Outcomes
from ledger.games.dreamcatcher.terms import NUMBERS, ORDER
from ledger.games.dreamcatcher.wagers import FACTORS
from ledger.games.field import (
    FIRST_SERIES,
    GOAL_YARD,
    NEXT_DOWN,
    START,
    Ended,
    FieldShown,
    Kind,
    Play,
    Result,
    Spot,
    extras,
    plays,
)
from ledger.games.props_and_hops.terms import LAMMERS
from ledger.games.props_and_hops.wagers import chance_to_complete
from ledger.games.room import Picks, Rules, Wager
from ledger.games.three_dice_football.wagers import FULL_GAME, PlayIs
from ledger.kernel import Odds
from ledger.law import reading
from ledger.reports.law_odds import lines_of, percent

PLACES: Final = 4
Key: TypeAlias = tuple[str, Picks]
Edges: TypeAlias = dict[Key, Fraction]
Other: TypeAlias = Callable[[Rules, Outcomes, Edges], Edges | str | None]
"""House advantages by another answer, words in their place, or None where nothing can be said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionShown:
    """An answer that was not chosen, and the house advantages that it would make otherwise."""

    reading: str
    option: str
    figures: tuple[tuple[str, Fraction, Fraction], ...]
    words: str

    @property
    def says(self) -> str:
        """In English, with the fraction of each figure and what it is as we read the text."""
        return self._said(
            f"{who} {percent(edge, PLACES)} ({_short(edge)}) in place of {percent(usual, PLACES)}"
            for who, edge, usual in self.figures
        )

    @property
    def brief(self) -> str:
        """The same in per cent alone."""
        return self._said(f"{who} {percent(edge, PLACES)}" for who, edge, _ in self.figures)

    def _said(self, figures: Iterable[str]) -> str:
        head = f"{self.reading}, if '{self.option}': "
        return head + (f"{'; '.join(figures)}." if self.figures else self.words)


def options_shown(room: Room, rules: Rules, outcomes: Outcomes) -> tuple[OptionShown, ...]:
    """Each answer not chosen that would change what a wager of the room returns."""
    usual = edges(rules, outcomes)
    return tuple(
        _shown(name, option, rules, outcomes, usual)
        for name in MONEY.get(room.key, ())
        for option in reading(name).alternatives or (reading(name).choice,)
    )


def edges(rules: Rules, outcomes: Outcomes, rows: dict[str, Wager] | None = None) -> Edges:
    """The house advantage of each wager and pick by these rows."""
    found: Edges = {}
    for wager in (rows or dict(rules.wagers)).values():
        for pick in wager.picks:
            lines = lines_of(rules, wager, pick, outcomes)
            if lines:
                found[wager.name, pick] = lines[0].house_edge
    return found


def _shown(name: str, option: str, rules: Rules, outcomes: Outcomes, usual: Edges) -> OptionShown:
    way = OTHERS.get((name, option))
    other = way(rules, outcomes, usual) if way else _as_filed(name, option, rules, outcomes)
    entry = reading(name)
    if isinstance(other, str):
        return OptionShown(reading=name, option=option, figures=(), words=other)
    figures = tuple(
        (_who(key), edge, usual[key])
        for key, edge in (other or {}).items()
        if key in usual and edge != usual[key]
    )
    words = f"{entry.options[option]} No exact figure; {entry.effect[:1].lower()}{entry.effect[1:]}"
    return OptionShown(reading=name, option=option, figures=_joined(figures), words=words)


def _as_filed(name: str, option: str, rules: Rules, outcomes: Outcomes) -> Edges | None:
    """By the row's own other predicate, as a property could file it."""
    rows = {
        wager.name: replace(wager, wins_on=dict(wager.otherwise)[option])
        for wager in rules.wagers.values()
        if wager.reading == name and option in dict(wager.otherwise)
    }
    return edges(rules, outcomes, rows) if rows else None


def _who(key: Key) -> str:
    wager, pick = key
    return f"{wager} {' and '.join(map(str, pick))}".strip()


def _joined(
    figures: tuple[tuple[str, Fraction, Fraction], ...],
) -> tuple[tuple[str, Fraction, Fraction], ...]:
    """Picks with the same figures share one entry: "Two of a Kind 1" and five more."""
    groups: dict[tuple[str, Fraction, Fraction], list[str]] = {}
    for who, edge, usual in figures:
        base = who.rstrip("0123456789 ").removesuffix(" and").rstrip("0123456789 ")
        groups.setdefault((base, edge, usual), []).append(who)
    return tuple((_names(base, who), edge, usual) for (base, edge, usual), who in groups.items())


def _names(base: str, who: list[str]) -> str:
    if len(who) == 1 or not base:
        return ", ".join(who)
    picks = [one.removeprefix(base).strip() for one in who]
    return f"{base} (each pick)" if len(who) > 4 else f"{base} {', '.join(picks)}"


def _short(edge: Fraction) -> str:
    text = str(edge)
    return text if len(text) <= 30 else "exactly a fraction of long terms"


# --- Sic Bo, Dreamcatcher -------------------------------------------------------------------------


def _paid_twice(rules: Rules, outcomes: Outcomes, usual: Edges) -> Edges:
    """Two Dice Combination paid once more where one of its numbers shows twice."""
    (line,) = rules.payouts["Two Dice Combination"]
    found = {}
    for key, edge in usual.items():
        if key[0] == "Two Dice Combination":
            again = sum(
                (p for faces, p, _ in outcomes if sorted(set(faces)) == sorted(key[1])), Fraction(0)
            )
            found[key] = edge - again * line.odds.ratio
    return found


def _sum_of_multipliers(rules: Rules, _outcomes: Outcomes, usual: Edges) -> Edges:
    """Multipliers added: 1 without one, else their sum."""
    q = Fraction(sum(ORDER.count(symbol) for symbol in FACTORS), len(ORDER))
    mean = Fraction(
        sum(ORDER.count(symbol) * factor for symbol, factor in FACTORS.items()),
        sum(ORDER.count(symbol) for symbol in FACTORS),
    )
    return _by_factor(rules, usual, (1 - q) + q / (1 - q) * mean, on_stake=False)


def _on_the_return(rules: Rules, outcomes: Outcomes, usual: Edges) -> Edges:
    """The product applied to winnings and stake together."""
    return _by_factor(rules, usual, outcomes[0][2], on_stake=True)


def _by_factor(rules: Rules, usual: Edges, factor: Fraction, *, on_stake: bool) -> Edges:
    around = sum(ORDER.count(number) for number in NUMBERS)
    return {
        (name, pick): 1
        - Fraction(ORDER.count(name), around)
        * ((factor if on_stake else 1) + rules.payouts[name][0].odds.ratio * factor)
        for name, pick in usual
    }


# --- Three Dice Football --------------------------------------------------------------------------


def moved(spot: Spot, play: Play, *, passed: bool = False, late: bool = False) -> Spot | Ended:
    """Where the markers lie by another reading of 0 or of 1st & Goal; by neither: as ours."""
    if play.kind in (Kind.TRIPS_TD, Kind.TURNOVER):
        result = Result.TRIPS_TD if play.kind is Kind.TRIPS_TD else Result.TURNOVER
        return Ended(result, spot.play)
    yard, down = spot.yard - play.yards, NEXT_DOWN[spot.down]
    if yard < 0 or (yard == 0 and not passed):
        return Ended(Result.TOUCHDOWN, spot.play)
    if spot.down in FIRST_SERIES and yard <= GOAL_YARD and (down is None or not late):
        return Spot(yard, START_AND_GOAL, spot.play + 1)
    return Ended(Result.ON_DOWNS, spot.play) if down is None else Spot(yard, down, spot.play + 1)


START_AND_GOAL: Final = next(down for down in NEXT_DOWN if down.name == "FIRST_AND_GOAL")


def games_by(*, passed: bool = False, late: bool = False) -> Outcomes:
    """Every game by another reading, by its first play, end and extra point roll."""
    known: dict[Spot, dict[Ended, Fraction]] = {}

    def ends(spot: Spot | Ended) -> dict[Ended, Fraction]:
        if isinstance(spot, Ended):
            return {spot: Fraction(1)}
        if spot not in known:
            found: dict[Ended, Fraction] = {}
            for play, chance in plays().items():
                for end, then in ends(moved(spot, play, passed=passed, late=late)).items():
                    found[end] = found.get(end, Fraction(0)) + chance * then
            known[spot] = found
        return known[spot]

    def games() -> Iterator[tuple[FieldShown, Fraction, Fraction]]:
        for play, chance in plays().items():
            for end, then in ends(moved(START, play, passed=passed, late=late)).items():
                rolled = extras().items() if end.scored else ((None, Fraction(1)),)
                for extra, p in rolled:
                    yield FieldShown(play, end, extra), chance * then * p, Fraction(1)

    return tuple(games())


def _full_game(**answer: bool) -> Other:
    def other(rules: Rules, _outcomes: Outcomes, _usual: Edges) -> Edges:
        rows = {name: row for name, row in rules.wagers.items() if name in FULL_GAME}
        return edges(rules, games_by(**answer), rows)

    return other


def _extra_returned(_rules: Rules, outcomes: Outcomes, usual: Edges) -> Edges:
    back = sum((p for shown, p, _ in outcomes if not shown.game.scored), Fraction(0))
    return {("Extra Point", ()): usual["Extra Point", ()] - back}


def _no_turnover(rules: Rules, outcomes: Outcomes, _usual: Edges) -> Edges:
    row = replace(rules.wagers["Penalty"], wins_on=PlayIs((Kind.PENALTY,)))
    return edges(rules, outcomes, {row.name: row})


def _four_returned(_rules: Rules, outcomes: Outcomes, usual: Edges) -> Edges:
    four = Play(Kind.YARDS, 4)
    back = sum((p for shown, p, _ in outcomes if shown.play == four), Fraction(0))
    return {(name, ()): usual[name, ()] - back for name in ("Over Four Yards", "Under Four Yards")}


# --- Props & Hops, Asia Poker ---------------------------------------------------------------------


def _joins(rules: Rules, _outcomes: Outcomes, _usual: Edges) -> str:
    """The player's edge by the lammers already collected, from the least to the most."""
    (line,) = rules.payouts["Six Eight Shake"]
    worth = [
        chance_to_complete(frozenset(collected)) * (1 + line.odds.ratio) - 1
        for flags in product((0, 1), repeat=len(LAMMERS))
        if 0 < sum(flags) < len(LAMMERS)
        for collected in [
            [faces for faces, flag in zip(sorted(LAMMERS), flags, strict=True) if flag]
        ]
    ]
    low, high = (f"{percent(-edge, PLACES)} ({-edge})" for edge in (min(worth), max(worth)))
    return (
        f"Six Eight Shake from {low} with the first lammer collected to {high} with all but one:"
        " a negative house advantage is the player's."
    )


def _nine_high_flush(rules: Rules, _outcomes: Outcomes, usual: Edges) -> Edges:
    """Hands that are 9-high and hold a flush, at the odds of the flush."""
    held = sum(max(map(suits.count, range(4))) >= 5 for suits in product(range(4), repeat=7)) * len(
        NINE_HIGHS
    )
    lost = _odds(rules, BonusHand.NINE_HIGH).ratio - _odds(rules, BonusHand.FLUSH).ratio
    return {(BONUS, ()): usual[BONUS, ()] + Fraction(held, _hands()) * lost}


def _from_nine_high(rules: Rules, _outcomes: Outcomes, usual: Edges) -> Edges:
    """Only 9-high and the hands above it win."""
    counts, hands = dict(BONUS_COUNTS), list(BonusHand)
    below = hands[hands.index(BonusHand.NINE_HIGH) + 1 :]
    lost = sum(
        (Fraction(counts[h], _hands()) * (1 + _odds(rules, h).ratio) for h in below), Fraction(0)
    )
    return {(BONUS, ()): usual[BONUS, ()] + lost}


def _odds(rules: Rules, hand: BonusHand) -> Odds:
    return next(line.odds for line in rules.payouts[BONUS] if line.payout.filed_as == hand.value)


def _hands() -> int:
    return sum(count for _, count in BONUS_COUNTS)


MONEY: Final[dict[str, tuple[str, ...]]] = {
    "sic_bo": ("triple-is-a-pair", "total-includes-triple", "two-dice-once", "total-3-or-18"),
    "dreamcatcher": ("multipliers-multiply",),
    "three_dice_football": (
        "touchdown-at-zero", "first-and-goal-at-once", "extra-point-is-no-play",
        "extra-point-without-touchdown", "trips-over-everything", "turnover-is-penalty-wager",
        "exactly-four",
    ),
    "props_and_hops": ("hop-groups-are-filed", "shake-joins-fresh"),
    "asia_poker": ("copy-loses", "nine-high-or-better", "nine-high-over-flush", "bonus-joker-ace"),
}  # fmt: skip
"""Readings whose other answers change what a wager returns, by room."""

OTHERS: Final[dict[tuple[str, str], Other]] = {
    ("two-dice-once", "twice"): _paid_twice,
    ("multipliers-multiply", "sum-on-odds"): _sum_of_multipliers,
    ("multipliers-multiply", "product-on-return"): _on_the_return,
    ("touchdown-at-zero", "passed"): _full_game(passed=True),
    ("first-and-goal-at-once", "after-three-downs"): _full_game(late=True),
    ("extra-point-without-touchdown", "returned"): _extra_returned,
    ("turnover-is-penalty-wager", "loses"): _no_turnover,
    ("exactly-four", "returned"): _four_returned,
    ("shake-joins-fresh", "joins"): _joins,
    ("nine-high-over-flush", "flush"): _nine_high_flush,
    ("nine-high-or-better", "nine-high"): _from_nine_high,
}
