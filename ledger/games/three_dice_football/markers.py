"""Where Yard Marker, Down Puck and Game Length Puck lie, and what the dealer announces.

Law: § 577.6(a), (c), (d). Reading: first-and-goal-at-once.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger.events import Down, DownAnnounced, Fact, MarkersPlaced, TurnoverAnnounced
from ledger.games.football_field import START, Kind, Result
from ledger.games.room import Rules, Ruling
from ledger.games.three_dice_football.equipment import once
from ledger.games.three_dice_football.state import State
from ledger.games.three_dice_football.terms import DOWN_WORDS, Phase

UNSAID = (None, Down.UNRECOGNISED)


def on_placed(rules: Rules, state: State, fact: MarkersPlaced) -> Iterator[Ruling]:
    """Report markers that do not lie where the dice put them (§ 577.6(a), (c))."""
    if not state.in_round or state.blind:
        return
    if state.ended is not None:
        yield from _after_score(rules, state, fact)
        return
    spot = state.spot
    if spot is None or state.phase not in (Phase.BEFORE, Phase.BETWEEN):
        return
    yard_row, puck_row, play_row = _rows(state)
    if fact.yard not in (None, spot.yard):
        observed, right = f"yard {fact.yard}", f"yard {spot.yard}"
        yield from _misplaced(rules, state, fact, yard_row, observed, right)
    if fact.down not in (*UNSAID, spot.down):
        observed, right = _down(fact.down), DOWN_WORDS[spot.down]
        yield from _misplaced(rules, state, fact, puck_row, observed, right)
    elif fact.play not in (None, spot.play):
        observed, right = f"play {fact.play}", f"play {spot.play}"
        yield from _misplaced(rules, state, fact, play_row, observed, right)


def _after_score(rules: Rules, state: State, fact: MarkersPlaced) -> Iterator[Ruling]:
    """Report a Yard Marker outside the end zone after a score.

    It may already be where the next game starts (§ 577.6(a)).
    """
    end = state.ended
    if end is None or not end.scored or fact.yard in (None, 0):
        return
    at_start = fact.yard == START.yard and fact.down in (*UNSAID, START.down)
    if at_start and state.phase is Phase.OVER and fact.play in (None, START.play):
        return
    row = ".6(c)(5)" if end.result is Result.TRIPS_TD else ".6(c)(1)#1"
    yield from _misplaced(rules, state, fact, row, f"yard {fact.yard}", "the end zone")


def _rows(state: State) -> tuple[str, str, str]:
    """Return the sentences on yard, down and play that bind after the last play."""
    if state.play is None or state.spot == START:
        return ".6(a)#2", ".6(a)#1", ".6(a)#3"
    if state.play.kind is Kind.PENALTY:
        return ".6(c)(2)#1", ".6(c)(2)#2", ".6(c)(2)#2"
    if state.play.yards:
        return ".6(c)(1)#1", ".6(c)(1)#2", ".6(c)(1)#2"
    return (".6(c)(3)",) * 3


def on_announced(rules: Rules, state: State, fact: DownAnnounced) -> Iterator[Ruling]:
    """Report a down or a distance that is not that of the field (§ 577.6(d))."""
    spot = state.spot
    if spot is None:
        return
    if fact.down in (*UNSAID, spot.down) and fact.distance_yards in (None, spot.yard):
        return
    yards = "no distance" if fact.distance_yards is None else f"{fact.distance_yards} yards"
    yield from _announced(rules, state, fact, f"{_down(fact.down)}, {yards}")


def on_turnover_announced(rules: Rules, state: State, fact: TurnoverAnnounced) -> Iterator[Ruling]:
    """Report a turnover announced although the game goes on (§ 577.6(d))."""
    yield from _announced(rules, state, fact, "a turnover")


def _announced(rules: Rules, state: State, fact: Fact, observed: str) -> Iterator[Ruling]:
    """Report what was announced between two plays and does not hold."""
    spot = state.spot
    if spot is None or state.blind or state.phase is not Phase.BETWEEN:
        return
    right = f"{DOWN_WORDS[spot.down]}, {spot.yard} yards"
    yield from _misplaced(rules, state, fact, ".6(d)#3", observed, right)


def _down(down: Down | None) -> str:
    return "no down" if down is None else DOWN_WORDS.get(down, "another down")


def _misplaced(
    rules: Rules, state: State, fact: Fact, row: str, observed: str, right: str
) -> Iterator[Ruling]:
    yield from once(
        rules, state, fact, f"marker_misplaced@{row}", observed=observed, expected=right
    )
