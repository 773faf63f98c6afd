"""The gaming day over both clock changes, in zones east and west, with awkward starts.

Clock changes named here are those of the tz database: New York 2021 springs on 14 March at 2:00 and
falls back on 7 November at 2:00; Lord Howe moves by half an hour; Samoa skipped 30 December 2011.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.kernel import MICROSECONDS, PropertyClock, to_datetime, to_micros

HOUR = 3_600 * MICROSECONDS
NEW_YORK = "America/New_York"
SPRING, AUTUMN = date(2021, 3, 14), date(2021, 11, 7)


def at(text: str) -> int:
    return to_micros(datetime.fromisoformat(text).replace(tzinfo=UTC))


def hours(clock: PropertyClock, day: date) -> float:
    begins, ends = clock.bounds(day)
    return (ends - begins) / HOUR


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("start", "day", "length"),
    [
        pytest.param(360, date(2021, 3, 12), 24, id="6:00, two days before"),
        pytest.param(360, date(2021, 3, 13), 23, id="6:00, the night of the change in spring"),
        pytest.param(360, SPRING, 24, id="6:00, the day after it"),
        pytest.param(360, date(2021, 11, 6), 25, id="6:00, the night of the change in autumn"),
        pytest.param(360, AUTUMN, 24, id="6:00, the day after that"),
        pytest.param(0, SPRING, 23, id="midnight, spring"),
        pytest.param(0, AUTUMN, 25, id="midnight, autumn"),
        pytest.param(
            150, date(2021, 3, 13), 23.5, id="2:30 is skipped: the day before it ends at 3:00"
        ),
        pytest.param(150, SPRING, 23.5, id="2:30 is skipped: its own day starts at 3:00"),
        pytest.param(
            90, date(2021, 11, 6), 24, id="1:30 comes twice: the first one starts the day"
        ),
        pytest.param(90, AUTUMN, 25, id="1:30 comes twice: its day has 25 hours"),
        pytest.param(1_439, date(2021, 3, 13), 23, id="23:59, spring"),
    ],
)
def test_the_length_of_a_day(start: int, day: date, length: float) -> None:
    assert hours(PropertyClock(NEW_YORK, start), day) == length


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("start", "day", "begins"),
    [
        (360, date(2021, 3, 13), "2021-03-13T11:00"),
        (360, SPRING, "2021-03-14T10:00"),
        (360, AUTUMN, "2021-11-07T11:00"),
        (150, SPRING, "2021-03-14T07:00"),
        (120, SPRING, "2021-03-14T07:00"),
        (119, SPRING, "2021-03-14T06:59"),
        (180, SPRING, "2021-03-14T07:00"),
        (90, AUTUMN, "2021-11-07T05:30"),
        (120, AUTUMN, "2021-11-07T07:00"),
    ],
)
def test_when_a_day_starts(start: int, day: date, begins: str) -> None:
    assert PropertyClock(NEW_YORK, start).start_of(day) == at(begins)


def test_both_sides_of_a_start() -> None:
    clock = PropertyClock(NEW_YORK, 360)
    start = clock.start_of(SPRING)
    assert clock.day_of(start) == SPRING
    assert clock.day_of(start - 1) == SPRING - timedelta(days=1)


def test_the_second_of_two_half_past_ones_is_the_same_day() -> None:
    clock = PropertyClock(NEW_YORK, 90)
    assert clock.day_of(at("2021-11-07T05:30")) == AUTUMN  # 1:30 EDT
    assert clock.day_of(at("2021-11-07T06:30")) == AUTUMN  # 1:30 EST
    assert (
        clock.day_of(at("2021-11-07T06:29:59.999999")) == AUTUMN
    )  # 1:29 EST, an hour into the day


def test_half_an_hour_at_lord_howe() -> None:
    clock = PropertyClock("Australia/Lord_Howe", 360)
    assert hours(clock, date(2021, 4, 3)) == 24.5
    assert hours(clock, date(2021, 10, 2)) == 23.5


def test_a_day_that_samoa_never_had() -> None:
    """30 December 2011 was skipped: what would be its start is that of the 31st."""
    clock = PropertyClock("Pacific/Apia", 360)
    assert hours(clock, date(2011, 12, 29)) + hours(clock, date(2011, 12, 30)) == 24
    moment = clock.start_of(date(2011, 12, 31))
    assert clock.day_of(moment) == date(2011, 12, 31)


ZONES = st.sampled_from([NEW_YORK, "UTC", "Europe/Vienna", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Auckland"])  # fmt: skip
CLOCKS = st.builds(PropertyClock, ZONES, st.integers(0, 1_439))
DAYS = st.dates(date(1990, 1, 1), date(2037, 12, 31))
CHANGES = st.sampled_from([SPRING, AUTUMN, date(2021, 3, 28), date(2021, 10, 31), date(2021, 4, 4)])
NEAR = st.builds(lambda day, off: day + timedelta(days=off), CHANGES, st.integers(-2, 2))


@given(CLOCKS, DAYS | NEAR)
def test_a_start_lies_in_its_day(clock: PropertyClock, day: date) -> None:
    assert clock.day_of(clock.start_of(day)) == day
    assert clock.day_of(clock.start_of(day) - 1) == day - timedelta(days=1)


@given(CLOCKS, DAYS | NEAR, st.integers(0, 25 * HOUR))
def test_each_instant_belongs_to_exactly_one_day(
    clock: PropertyClock, day: date, after: int
) -> None:
    moment = clock.start_of(day) + after
    mine = clock.day_of(moment)
    near = [mine + timedelta(days=off) for off in range(-3, 4)]
    holds = [each for each in near if clock.bounds(each)[0] <= moment < clock.bounds(each)[1]]
    assert holds == [mine]


@given(CLOCKS, DAYS | NEAR)
def test_days_follow_without_a_seam(clock: PropertyClock, day: date) -> None:
    assert clock.bounds(day)[1] == clock.bounds(day + timedelta(days=1))[0]
    assert 22.5 <= hours(clock, day) <= 25.5


@given(st.integers(-(2**40), 2**52))
def test_moments_are_exact_to_the_microsecond(moment: int) -> None:
    assert to_micros(to_datetime(moment)) == moment


@pytest.mark.parametrize(
    ("shown", "calendar"), [(time(21, 15), 12), (time(6), 12), (time(5, 59), 13), (time(0), 13)]
)
def test_a_time_before_the_start_is_the_next_morning(shown: time, calendar: int) -> None:
    clock = PropertyClock("America/New_York", 6 * 60)
    moment = clock.at(date(2021, 6, 12), shown)
    assert clock.local(moment).replace(tzinfo=None) == datetime.combine(
        date(2021, 6, calendar), shown
    )
    assert clock.day_of(moment) == date(2021, 6, 12)
