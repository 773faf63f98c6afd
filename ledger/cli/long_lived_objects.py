"""Keeps the collector of circles from going through all that a watch remembers, while facts wait.

A full collection goes through every object there is: the plays of all tables, a third of a second
after a few minutes of a large floor, and more with each hour. What a look left behind is looked
through once and then set aside (``gc.freeze``); what is let go is freed as ever, but for circles
among what was set aside. Those are looked for when a gaming day was let go, once it is quiet.
"""

from __future__ import annotations

import gc
from typing import Final

SET_ASIDE_EVERY: Final = 10_000
"""After so many entries that were judged, what is left of them is set aside."""
LOOKS_WAITED: Final = 2_400
"""So many looks with something to judge a collection of all waits at most: ten minutes or more."""


class LongLivedObjects:
    """Sets aside what a process keeps from look to look."""

    def __init__(self) -> None:
        self._set_aside_at = 0
        self._looks = 0
        self._is_due = False

    def note_day_over(self) -> None:
        """Note that much was let go: what of it hangs together in circles is to be looked for."""
        self._is_due = True

    def after_look(self, judged: int, *, is_quiet: bool) -> None:
        """Do what is due after a look.

        Args:
            judged: how many entries of the ledger were judged up to now.
            is_quiet: whether there was nothing to judge.
        """
        self._looks += self._is_due
        if self._is_due and (is_quiet or self._looks > LOOKS_WAITED):
            self._is_due, self._looks = False, 0
            gc.unfreeze()
        elif judged - self._set_aside_at < SET_ASIDE_EVERY:
            return
        self._set_aside_at = judged
        gc.collect()
        gc.freeze()
