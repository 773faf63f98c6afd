"""Local dates and times of a sheet, as moments: a time that is no time, or two, is refused.

A clock change makes one hour of the year twice and one never. A row with such a time is taken only
with an offset from UTC in a column of its own.
"""

from __future__ import annotations

import re
from dataclasses import field
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from ledger.intake.cells import CellWrong
from ledger.kernel import MICROSECONDS, PropertyClock, to_micros
from ledger.kernel.quick_dataclass import dataclass

_OFFSET: Final = re.compile(r"(?:UTC)?([+-])(\d{1,2}):?(\d{2})?|Z|UTC", re.ASCII)


@dataclass(slots=True)
class Moments:
    """Reads local times by the property's clock.

    Args:
        clock: time zone, and when the gaming day starts.
    """

    clock: PropertyClock
    _zone: ZoneInfo = field(init=False)
    _hours: dict[tuple[date, int], int | None] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._zone = ZoneInfo(self.clock.time_zone)

    def at(self, day: date, moment: time, offset: str | None, *, gaming_day: bool) -> int:
        """Microseconds UTC.

        Args:
            day: calendar date, or the gaming day.
            moment: by the property's clocks.
            offset: "-05:00" where the sheet says it.
            gaming_day: whether ``day`` is the gaming day, whose hours after midnight are
                those of the next date.

        Raises:
            CellWrong: ``time_twice``, ``time_never`` or ``not_an_offset``.
        """
        if gaming_day and moment.hour * 60 + moment.minute < self.clock.starts_minutes:
            day += timedelta(days=1)
        if offset:
            return self._with_offset(datetime.combine(day, moment), offset)
        hour = (day, moment.hour)
        if hour not in self._hours:
            if len(self._hours) > 10_000:
                self._hours.clear()
            self._hours[hour] = self._plain_hour(day, moment.hour)
        start = self._hours[hour]
        if start is not None:
            within = (moment.minute * 60 + moment.second) * MICROSECONDS + moment.microsecond
            return start + within
        return self._near_change(datetime.combine(day, moment))

    def _plain_hour(self, day: date, hour: int) -> int | None:
        """When a local hour begins, if no clock change touches it."""
        begins = datetime.combine(day, time(hour))
        starts = {
            to_micros((begins + timedelta(minutes=minute)).replace(tzinfo=self._zone, fold=fold))
            - minute * 60 * MICROSECONDS
            for minute in (0, 15, 30, 45, 59)
            for fold in (0, 1)
        }
        return starts.pop() if len(starts) == 1 else None

    def _near_change(self, wall: datetime) -> int:
        early = wall.replace(tzinfo=self._zone, fold=0)
        late = wall.replace(tzinfo=self._zone, fold=1)
        if early.utcoffset() == late.utcoffset():
            return to_micros(early)
        back = datetime.fromtimestamp(early.timestamp(), self._zone).replace(tzinfo=None)
        if back.replace(microsecond=0) != wall.replace(microsecond=0):
            raise CellWrong("time_never", "the clocks skipped this time")
        raise CellWrong("time_twice", "the clocks showed this time twice; give the offset from UTC")

    def _with_offset(self, wall: datetime, offset: str) -> int:
        match = _OFFSET.fullmatch(offset)
        if match is None:
            raise CellWrong("not_an_offset", "not an offset such as -05:00")
        minutes = int(match[2] or 0) * 60 + int(match[3] or 0) if match[1] else 0
        east = timedelta(minutes=-minutes if match[1] == "-" else minutes)
        for fold in (0, 1):
            aware = wall.replace(tzinfo=self._zone, fold=fold)
            shown = datetime.fromtimestamp(aware.timestamp(), self._zone).replace(tzinfo=None)
            if aware.utcoffset() == east and shown.replace(microsecond=0) == wall.replace(
                microsecond=0
            ):
                return to_micros(aware)
        raise CellWrong(
            "not_an_offset", "the property's clocks never show this time with this offset"
        )
