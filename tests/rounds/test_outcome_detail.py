"""A round's outcome is data; its room puts it into words, and refuses one that it cannot have."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from ledger.analytics.audit_rows import round_row
from ledger.games import BY_KEY
from ledger.games.asia_poker.outcome_words import HandOutcome, HandResult, PositionsOutcome
from ledger.games.football_field import Ended, Extra, Kind, Play, Result
from ledger.games.outcomes import DiceOutcome, OutcomeUnknown, WagersReturned, WheelOutcome
from ledger.games.three_dice_football.outcome_words import GameOutcome, PlayOutcome
from ledger.kernel import PropertyClock
from ledger.rounds import RoundResult
from tests.games.transcript import results_of, transcripts

CLOCK = PropertyClock("America/New_York", 360)
COMPARED = HandOutcome(result=HandResult.COMPARED, compared=("higher", "copy", "lower"))


def settled(room: str) -> RoundResult:
    """A round of a transcript of the room."""
    return results_of(transcripts(room)[0])[0]


@pytest.mark.parametrize(
    ("room", "detail", "words"),
    [
        ("sic_bo", DiceOutcome(faces=(2, 3, 4)), "2 3 4"),
        ("sic_bo", DiceOutcome(faces=(2, 3, 4), as_stated=True), "2 3 4 (as stated)"),
        ("props_and_hops", DiceOutcome(faces=(2, 6)), "2-6"),
        ("dreamcatcher", WheelOutcome(sections=("7x", "2x", "10"), factor=14), "7x, 2x, 10"),
        (
            "three_dice_football",
            PlayOutcome(play=Play(Kind.YARDS, 2), faces=(1, 3, 2)),
            "2 yards by green 1 3, red 2",
        ),
        (
            "three_dice_football",
            GameOutcome(end=Ended(Result.TOUCHDOWN, 4), extra_rolled=True, extra=Extra.ONE),
            "touchdown on play 4, one 1",
        ),
        (
            "asia_poker",
            PositionsOutcome(hands=(("2", COMPARED),), in_play=True, wagers_recorded=True),
            "2: high higher, medium copy, low lower",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_room_words_what_the_round_came_to(room: str, detail: Any, words: str) -> None:
    assert BY_KEY[room].words_of(detail) == words
    assert replace(settled(room), detail=detail).shown == words


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("room", "detail"),
    [
        ("dreamcatcher", WheelOutcome(sections=("Joker",))),
        ("dreamcatcher", WheelOutcome(sections=("3x", "10"), factor=3)),
        ("dreamcatcher", WheelOutcome(sections=("10", "2x"))),
        ("dreamcatcher", WheelOutcome(sections=())),
        ("dreamcatcher", DiceOutcome(faces=(1, 2, 3))),
        ("sic_bo", WheelOutcome(sections=("10",))),
        ("props_and_hops", COMPARED),
        ("three_dice_football", DiceOutcome(faces=(1, 2, 3))),
        ("asia_poker", DiceOutcome(faces=(1, 2, 3))),
    ],
    ids=str,
)
def test_an_outcome_that_the_game_cannot_have_never_becomes_a_row_of_the_marts(
    room: str, detail: Any
) -> None:
    with pytest.raises(OutcomeUnknown) as refused:
        round_row(replace(settled(room), detail=detail), CLOCK)
    assert refused.value.game == BY_KEY[room].game


@pytest.mark.parametrize("room", sorted(BY_KEY))
def test_every_outcome_of_the_transcripts_is_plain_data_with_words(room: str) -> None:
    seen = 0
    for path in transcripts(room):
        for result in results_of(path):
            if result.detail is None:
                assert result.shown is None
                continue
            seen += 1
            assert json.loads(json.dumps(result.detail.data)) == dict(result.detail.data)
            assert result.shown
            if isinstance(result.detail, WagersReturned):
                assert result.detail.data == {"returned_by": result.detail.cite.section}
    assert seen > 5
