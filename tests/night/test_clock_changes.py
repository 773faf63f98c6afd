"""The two days of a clock change: 23 and 25 hours, each fact in its own gaming day."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from ledger.events import Fact
from ledger.kernel import PropertyClock
from ledger.night import run_night
from tests.analytics import given
from tests.cli.given import day as small_day

HOUR = 3_600_000_000
CLOCK = PropertyClock("America/New_York", 360)


def facts_on(day: date) -> list[Fact]:
    """The small day, moved so that its play begins an hour before the gaming day ends."""
    sent = small_day()
    first = min(fact.event_time for fact in sent if fact.stream != "house")
    moved = CLOCK.bounds(day)[1] - HOUR - first
    return [
        replace(fact, event_time=fact.event_time + (moved if fact.stream != "house" else 0))
        for fact in sent
    ]


@pytest.mark.by_turns(2)
@pytest.mark.parametrize(
    ("day", "hours", "begins", "ends"),
    [
        (date(2021, 3, 13), 23, "2021-03-13T06:00:00-05:00", "2021-03-14T06:00:00-04:00"),
        (date(2021, 11, 6), 25, "2021-11-06T06:00:00-04:00", "2021-11-07T06:00:00-05:00"),
    ],
    ids=["spring", "autumn"],
)
def test_a_night_with_a_clock_change(
    day: date, hours: int, begins: str, ends: str, tmp_path: Path
) -> None:
    sent = facts_on(day)
    first, after = CLOCK.bounds(day)
    assert after - first == hours * HOUR
    moved = [replace(f, event_time=first - 10 * HOUR) if f.stream == "house" else f for f in sent]
    folder = given.ledger(tmp_path / "ledger", moved)
    found = run_night(folder, day, out=tmp_path / "out", processes=1)
    manifest = found.issue.manifest
    assert (manifest["from"], manifest["to"]) == (begins, ends)
    inside = sum(first <= fact.event_time < after for fact in moved)
    assert manifest["events"] == inside > 0
    again = run_night(folder, day, out=tmp_path / "other", processes=1)
    assert again.issue.digest == found.issue.digest


def test_each_hour_of_both_nights_has_one_gaming_day() -> None:
    for day in (date(2021, 3, 13), date(2021, 11, 6)):
        first, after = CLOCK.bounds(day)
        assert CLOCK.day_of(first) == CLOCK.day_of(after - 1) == day
        assert CLOCK.day_of(after) == day + timedelta(days=1)
