"""A spell of each gaming day, as a person writes it."""

from __future__ import annotations

from datetime import time

from ledger.analytics.round_line import RoundLine
from ledger.cli.errors import TimeWrong
from ledger.kernel import PropertyClock
from ledger.kernel.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Hours:
    """A spell of each gaming day by the property's clocks; None: from its start, to its end."""

    begins: time | None
    ends: time | None

    @classmethod
    def of(cls, begins: str | None, ends: str | None) -> Hours:
        """Read two local times as a person writes them.

        Raises:
            TimeWrong: a text is no time of day.
        """
        return cls(_time_of_day(begins), _time_of_day(ends))

    def meet(self, result: RoundLine, clock: PropertyClock) -> bool:
        """Whether a round was under way in the spell; one without an end is where it began."""
        last = result.closed_at if result.closed_at is not None else result.opened_at
        begins, ends = (
            None if one is None else clock.at(result.gaming_day, one)
            for one in (self.begins, self.ends)
        )
        return (begins is None or last >= begins) and (ends is None or result.opened_at < ends)


def _time_of_day(text: str | None) -> time | None:
    if text is None:
        return None
    try:
        return time.fromisoformat(text).replace(tzinfo=None)
    except ValueError as error:
        raise TimeWrong(text) from error
