"""Counts and names of events as people read them."""

from __future__ import annotations

import pytest

from ledger.events import DiceThrown, NoMoreBetsAnnounced
from ledger.kernel import event_words, plural, times


@pytest.mark.parametrize(
    ("count", "words"), [(0, "0 dice"), (1, "1 die"), (2, "2 dice"), (1_200, "1,200 dice")]
)
def test_a_count_has_its_plural(count: int, words: str) -> None:
    assert plural(count, "die", "dice") == words


def test_without_a_plural_of_its_own_an_s_is_added() -> None:
    assert [plural(count, "lammer") for count in (1, 2)] == ["1 lammer", "2 lammers"]


def test_how_often() -> None:
    assert [times(count) for count in range(4)] == ["never", "once", "twice", "3 times"]


def test_the_name_of_an_event() -> None:
    assert event_words(NoMoreBetsAnnounced) == "no more bets announced"
    assert event_words(DiceThrown) == "dice thrown"
