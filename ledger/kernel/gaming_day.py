"""Which gaming day a moment belongs to, correct across both clock changes of a year.

A gaming day starts at a local wall-clock time that the property states and ends where the next
one starts. Its length is 24 hours, except for the two days with a clock change (23 and 25).
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ledger.kernel.quick_dataclass import dataclass

MICROSECONDS: Final = 1_000_000
FIRST_YEAR: Final = 1971
LAST_YEAR: Final = 9000
"""Years of which a day before and after, and every time of day, can be told in UTC."""
LONGEST_PAUSE: Final = 400
"""A pause without any fact is followed day by day up to this many days; a longer one is not."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DAY: Final = 86_400 * MICROSECONDS


@dataclass(frozen=True, slots=True)
class PropertyClock:
    """The property's own statement: its time zone and when its gaming day starts.

    A start that falls into the hour skipped in spring is taken at the first moment after it, one
    that occurs twice in autumn at the first.

    Args:
        time_zone: a name of the tz database, "America/New_York".
        starts_minutes: minutes from local midnight.

    >>> clock = PropertyClock("America/New_York", 6 * 60)
    >>> after_midnight = clock.at(date(2014, 6, 14), time(1, 30))
    >>> clock.day_of(after_midnight), clock.local(after_midnight).isoformat()
    (datetime.date(2014, 6, 14), '2014-06-15T01:30:00-04:00')
    >>> first, end = clock.bounds(date(2014, 11, 1))  # clocks go back the next morning at 2:00
    >>> (end - first) // 3_600_000_000
    25
    """

    time_zone: str
    starts_minutes: int

    @property
    def is_known(self) -> bool:
        """Whether the tz database has the time zone; without it no other question has an answer."""
        try:
            ZoneInfo(self.time_zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            return False
        return True

    def start_of(self, day: date) -> int:
        """When the gaming day starts, in microseconds UTC."""
        return _start_of(self, day)

    def bounds(self, day: date) -> tuple[int, int]:
        """Return the first microsecond UTC of the gaming day, and the first one after the day."""
        begins = _start_of(self, day)
        if day == date.max:
            return begins, begins + _DAY
        return begins, _start_of(self, day + timedelta(days=1))

    def day_of(self, moment: int) -> date:
        """Return the gaming day of a moment in microseconds UTC."""
        local = to_datetime(moment).astimezone(ZoneInfo(self.time_zone)).date()
        for day in (local + timedelta(days=1), local, local - timedelta(days=1)):
            if self.start_of(day) <= moment:
                return day
        raise AssertionError("a gaming day starts at least every 25 hours")

    def at(self, day: date, time_of_day: time) -> int:
        """Return when the property's clocks show a time in a gaming day, in microseconds UTC.

        A time before the start of the day is that of the next morning; of a time that occurs twice
        in autumn it is the first.
        """
        minutes = time_of_day.hour * 60 + time_of_day.minute
        calendar = day + timedelta(days=1) if minutes < self.starts_minutes else day
        local = datetime.combine(calendar, time_of_day, ZoneInfo(self.time_zone))
        return (local - _EPOCH) // timedelta(microseconds=1)

    def local(self, moment: int) -> datetime:
        """Return a moment in microseconds UTC as the property's clocks show it."""
        return to_datetime(moment).astimezone(ZoneInfo(self.time_zone))

    def time_on(self, day: date, moment: int, form: str = "%H:%M:%S") -> str:
        """Print the local time, with the calendar date where that differs from the gaming day.

        Args:
            day: the gaming day beside which the time stands.
            moment: microseconds UTC.
            form: how the time of day is written, as ``strftime`` takes it.

        >>> clock = PropertyClock("America/New_York", 6 * 60)
        >>> day = date(2014, 6, 14)
        >>> clock.time_on(day, clock.at(day, time(21, 2, 10)))
        '21:02:10'
        >>> clock.time_on(day, clock.at(day, time(1, 30)))
        '01:30:00 Jun 15'
        """
        local = self.local(moment)
        beside = "" if local.date() == day else f" {local:%b} {local.day}"
        return f"{local:{form}}{beside}"


@lru_cache(maxsize=4096)
def _start_of(clock: PropertyClock, day: date) -> int:
    zone = ZoneInfo(clock.time_zone)
    hour, minute = divmod(clock.starts_minutes, 60)
    wall = datetime.combine(day, time(hour, minute), tzinfo=zone)
    if not date.min < day < date.max:  # in UTC it may lie outside the calendar
        from_utc = zone.utcoffset(wall)
        assert from_utc is not None
        return to_micros(wall.replace(tzinfo=UTC)) - from_utc // timedelta(microseconds=1)
    moment = to_micros(wall)
    if to_datetime(moment).astimezone(zone).replace(tzinfo=None) == wall.replace(tzinfo=None):
        return moment
    low = moment - _DAY  # the wall time is skipped: find the change itself
    high = moment + _DAY
    target = wall.replace(tzinfo=None)
    while low + 1 < high:
        middle = (low + high) // 2
        before = to_datetime(middle).astimezone(zone).replace(tzinfo=None) < target
        low, high = (middle, high) if before else (low, middle)
    return high


def seconds(micros: int) -> str:
    """Print a span in microseconds as seconds with its sign, cut to the millisecond.

    >>> seconds(300_999), seconds(-1_500_000)
    ('+0.300 s', '-1.500 s')
    """
    whole, rest = divmod(abs(micros), MICROSECONDS)
    return f"{'-' if micros < 0 else '+'}{whole}.{rest // 1000:03d} s"


def to_micros(moment: datetime) -> int:
    """Return an aware time as microseconds since 1970 UTC, exactly."""
    since = moment.astimezone(UTC) - _EPOCH
    return (since.days * 86_400 + since.seconds) * MICROSECONDS + since.microseconds


def to_datetime(moment: int) -> datetime:
    """Return microseconds since 1970 UTC as an aware time in UTC, exactly."""
    return _EPOCH + timedelta(microseconds=moment)
