"""What other answers to open questions would do to a house advantage.

Readings: touchdown-at-zero, first-and-goal-at-once, extra-point-is-no-play,
extra-point-without-touchdown, trips-over-everything, turnover-is-penalty-wager, exactly-four.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Final

from ledger.games.football_field import (
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
from ledger.games.odds import edges
from ledger.games.room import Edges, OtherAnswer, Outcomes, Rules
from ledger.games.three_dice_football.wagers import FULL_GAME, PlayIs


def moved(spot: Spot, play: Play, *, passed: bool = False, late: bool = False) -> Spot | Ended:
    """Return where the markers lie after a play, by another reading.

    Without one it is the reading in force.

    Args:
        spot: where they lay.
        play: the play.
        passed: the marker must pass yard 0 for a touchdown (reading touchdown-at-zero).
        late: 1st & Goal comes only after three downs (reading first-and-goal-at-once).
    """
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
    """Return every game by another reading, by its first play, end and extra point roll.

    The arguments are those of ``moved``. Each row has its exact probability and the factor 1.
    """
    known: dict[Spot, dict[Ended, Fraction]] = {}

    def ends(spot: Spot | Ended) -> dict[Ended, Fraction]:
        if isinstance(spot, Ended):
            return {spot: Fraction(1)}
        if spot not in known:
            ways: dict[Ended, Fraction] = {}
            for play, chance in plays().items():
                for end, then in ends(moved(spot, play, passed=passed, late=late)).items():
                    ways[end] = ways.get(end, Fraction(0)) + chance * then
            known[spot] = ways
        return known[spot]

    def games() -> Iterator[tuple[FieldShown, Fraction, Fraction]]:
        for play, chance in plays().items():
            for end, then in ends(moved(START, play, passed=passed, late=late)).items():
                rolled = extras().items() if end.scored else ((None, Fraction(1)),)
                for extra, p in rolled:
                    yield FieldShown(play, end, extra), chance * then * p, Fraction(1)

    return tuple(games())


def full_game(**answer: bool) -> OtherAnswer:
    """Return the computation of full game wagers by another reading; arguments as for ``moved``."""

    def other(rules: Rules, _outcomes: Outcomes, _usual: Edges) -> Edges:
        rows = {name: row for name, row in rules.wagers.items() if name in FULL_GAME}
        return edges(rules, games_by(**answer), rows)

    return other


def extra_returned(_rules: Rules, outcomes: Outcomes, usual: Edges) -> Edges:
    """Return the edge if an Extra Point wager went back where nothing was scored."""
    back = sum((p for shown, p, _ in outcomes if not shown.game.scored), Fraction(0))
    return {("Extra Point", ()): usual["Extra Point", ()] - back}


def no_turnover(rules: Rules, outcomes: Outcomes, _usual: Edges) -> Edges:
    """Return the edge if a Penalty wager lost on a turnover."""
    row = replace(rules.wagers["Penalty"], wins_on=PlayIs((Kind.PENALTY,)))
    return edges(rules, outcomes, {row.name: row})


def four_returned(_rules: Rules, outcomes: Outcomes, usual: Edges) -> Edges:
    """Return the edges if wagers on over and under four yards went back on exactly four."""
    four = Play(Kind.YARDS, 4)
    back = sum((p for shown, p, _ in outcomes if shown.play == four), Fraction(0))
    return {(name, ()): usual[name, ()] - back for name in ("Over Four Yards", "Under Four Yards")}


ANSWERS: Final[Mapping[str, Mapping[str, OtherAnswer]]] = {
    "touchdown-at-zero": {"passed": full_game(passed=True)},
    "first-and-goal-at-once": {"after-three-downs": full_game(late=True)},
    "extra-point-is-no-play": {},
    "extra-point-without-touchdown": {"returned": extra_returned},
    "trips-over-everything": {},
    "turnover-is-penalty-wager": {"loses": no_turnover},
    "exactly-four": {"returned": four_returned},
}
