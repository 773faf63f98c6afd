"""Local times at the clock changes of 14 March and 7 November 2021, New York."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

import pytest

from ledger.intake.cells import CellWrong
from ledger.intake.local_times import Moments
from ledger.kernel import PropertyClock

CLOCK = PropertyClock("America/New_York", 360)
SPRING, AUTUMN, JUNE = date(2021, 3, 14), date(2021, 11, 7), date(2021, 6, 12)


def at(day: date, moment: str, offset: str | None = None, *, gaming_day: bool = False) -> str:
    """The moment in UTC, to the second; or the code of the refusal."""
    try:
        micros = Moments(CLOCK).at(day, time.fromisoformat(moment), offset, gaming_day=gaming_day)
    except CellWrong as wrong:
        return wrong.code
    return datetime.fromtimestamp(micros / 1e6, UTC).strftime("%m-%d %H:%M:%S")


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("day", "moment", "offset", "said"),
    [
        (JUNE, "21:00", None, "06-13 01:00:00"),
        (SPRING, "01:59:59", None, "03-14 06:59:59"),
        (SPRING, "02:00", None, "time_never"),
        (SPRING, "02:59:59", None, "time_never"),
        (SPRING, "03:00", None, "03-14 07:00:00"),
        (SPRING, "02:30", "-05:00", "not_an_offset"),
        (AUTUMN, "00:59:59", None, "11-07 04:59:59"),
        (AUTUMN, "01:00", None, "time_twice"),
        (AUTUMN, "01:59:59", None, "time_twice"),
        (AUTUMN, "02:00", None, "11-07 07:00:00"),
        (AUTUMN, "01:30", "-04:00", "11-07 05:30:00"),
        (AUTUMN, "01:30", "-05:00", "11-07 06:30:00"),
        (AUTUMN, "01:30", "UTC-5", "11-07 06:30:00"),
        (AUTUMN, "01:30", "-0500", "11-07 06:30:00"),
        (AUTUMN, "01:30", "-06:00", "not_an_offset"),
        (JUNE, "21:00", "-04:00", "06-13 01:00:00"),
        (JUNE, "21:00", "-05:00", "not_an_offset"),
        (JUNE, "21:00", "Z", "not_an_offset"),
        (JUNE, "21:00", "EDT", "not_an_offset"),
    ],
)
def test_local_times(day: date, moment: str, offset: str | None, said: str) -> None:
    assert at(day, moment, offset) == said


@pytest.mark.parametrize(
    ("moment", "said"), [("05:59:59", "06-13 09:59:59"), ("06:00", "06-12 10:00:00"), ("00:10", "06-13 04:10:00")]
)  # fmt: skip
def test_a_gaming_day_has_the_hours_after_midnight(moment: str, said: str) -> None:
    assert at(JUNE, moment, gaming_day=True) == said


def test_the_gaming_day_before_a_clock_change_has_the_hour_that_comes_twice() -> None:
    assert at(date(2021, 11, 6), "01:30", gaming_day=True) == "time_twice"
    assert at(date(2021, 11, 6), "01:30", "-05:00", gaming_day=True) == "11-07 06:30:00"


@pytest.mark.parametrize(
    ("zone", "day", "moment", "said"),
    [
        ("Australia/Lord_Howe", date(2021, 10, 3), "02:15", "time_never"),  # half an hour's change
        ("Australia/Lord_Howe", date(2021, 10, 3), "02:30", "10-02 15:30:00"),
        ("Asia/Kolkata", JUNE, "05:30", "06-12 00:00:00"),
    ],
)
def test_other_zones(zone: str, day: date, moment: str, said: str) -> None:
    moments = Moments(PropertyClock(zone, 0))
    try:
        micros = moments.at(day, time.fromisoformat(moment), None, gaming_day=False)
    except CellWrong as wrong:
        assert wrong.code == said  # noqa: PT017 - others are not refused
    else:
        assert datetime.fromtimestamp(micros / 1e6, UTC).strftime("%m-%d %H:%M:%S") == said


def test_many_hours_are_not_kept() -> None:
    moments = Moments(CLOCK)
    for number in range(12_000):
        day = date.fromordinal(date(2000, 1, 1).toordinal() + number // 24)
        try:
            moments.at(day, time(number % 24), None, gaming_day=False)
        except CellWrong:
            continue
    assert len(moments._hours) <= 10_001
