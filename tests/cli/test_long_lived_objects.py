"""What a watch keeps is set aside from the collector; what is let go in circles is found again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from weakref import ref

import pytest

from ledger.cli.long_lived_objects import SET_ASIDE_EVERY, LongLivedObjects


class Circle:
    """Refers to itself."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    gc.unfreeze()


def test_what_is_left_of_many_entries_is_set_aside_once() -> None:
    objects, before = LongLivedObjects(), gc.get_freeze_count()
    objects.after_look(SET_ASIDE_EVERY - 1, is_quiet=False)
    assert gc.get_freeze_count() == before
    objects.after_look(SET_ASIDE_EVERY, is_quiet=False)
    aside = gc.get_freeze_count()
    assert aside > before
    objects.after_look(SET_ASIDE_EVERY + 1, is_quiet=True)
    assert gc.get_freeze_count() <= aside


def test_a_circle_is_freed_before_it_is_set_aside_and_after_a_day_is_over() -> None:
    objects = LongLivedObjects()
    young, old = Circle(), Circle()
    of_young, of_old = ref(young), ref(old)
    del young
    objects.after_look(SET_ASIDE_EVERY, is_quiet=False)
    assert of_young() is None
    del old
    objects.after_look(2 * SET_ASIDE_EVERY, is_quiet=False)
    assert of_old() is not None
    objects.note_day_over()
    objects.after_look(2 * SET_ASIDE_EVERY + 1, is_quiet=False)
    assert of_old() is not None
    objects.after_look(2 * SET_ASIDE_EVERY + 1, is_quiet=True)
    assert of_old() is None
