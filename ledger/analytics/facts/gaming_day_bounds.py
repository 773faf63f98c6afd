"""Moments of one table: gaming days asked cheaply, and stretches of time cut at their bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from datetime import date
from typing import Final, NamedTuple

from ledger.kernel import LONGEST_PAUSE, PropertyClock
from ledger.kernel.quick_dataclass import dataclass

Next = Callable[[int], int | None]
"""The merge time of the table's first fact at or after a moment; None where there is none."""
Add = Callable[[str, tuple[object, ...]], None]
"""Where a row goes: the table of staging, and the row."""
_NO_DAY: Final = date(1970, 1, 1)


class Span(NamedTuple):
    """The part of a stretch that lies in one gaming day, in microseconds UTC."""

    day: date
    since: int
    until: int


@dataclass(slots=True)
class TableMoment:
    """Where a walk over one table stands.

    ``at`` is the merge time of the last fact; ``round`` the round under way, by its first fact;
    ``dealers`` who hold the role of dealer; ``next_fact`` finds the end of a pause.
    """

    table: str
    clock: PropertyClock
    next_fact: Next
    at: int = 0
    game: str | None = None
    round: str | None = None
    round_day: date | None = None
    dealers: tuple[str, ...] = ()
    _day: date = field(default=_NO_DAY)
    _begins: int = 0
    _ends: int = -1

    def come_to(self, at: int) -> None:
        """Go to the moment of a fact, in microseconds UTC."""
        self.at = at
        if not self._begins <= at < self._ends:
            self._day = self.clock.day_of(at)
            self._begins, self._ends = self.clock.bounds(self._day)

    @property
    def day(self) -> date:
        """The gaming day of the round under way, else of the last fact."""
        return self.round_day or self._day

    def next_round(self, round_id: str | None) -> None:
        """Another round begins at this moment, or none; a round is of the day it began in."""
        self.round = round_id
        self.round_day = None if round_id is None else self._day

    def local(self, at: int) -> str:
        """A moment, in microseconds UTC, as local time with its offset from UTC."""
        return self.clock.local(at).isoformat(sep=" ", timespec="microseconds")

    def spans(self, since: int, until: int) -> Iterator[Span]:
        """A stretch of time, gaming day by gaming day; one without length is one of its day.

        Of a pause longer than ``LONGEST_PAUSE`` days no day is handed out.
        """
        if since == until:
            yield Span(self.clock.day_of(since), since, until)
        while since < until:
            day = self.clock.day_of(since)
            end = min(self.clock.bounds(day)[1], until)
            yield Span(day, since, end)
            since = end
            ahead = self.next_fact(since) if since < until else None
            if ahead is not None and (self.clock.day_of(ahead) - day).days > LONGEST_PAUSE:
                since = self.clock.start_of(self.clock.day_of(min(ahead, until)))
