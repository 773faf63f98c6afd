"""One date years off costs one day of work, is a finding, and never becomes the day that is meant.

Work is counted in gaming days whose bounds are asked for, never in time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from ledger.analytics.facts import TableFollower
from ledger.audit import FormDesk, audit_day, gaming_days, last_gaming_day, read_office
from ledger.coupons import CustodyRegister
from ledger.coupons.periods import _months
from ledger.events import Fact
from ledger.floor import FIRST_DAY, simulate
from ledger.kernel import FactRef, PropertyClock, gaming_day, to_micros
from ledger.log import init, open_log
from ledger.replay import Replay
from tests.engine import CLOCK, codes, log_of, table_day
from tests.games.facts import fact as made

TABLE = "DC-01"
FAR = date(9998, 5, 5)
DAYS_WALKED = 40
"""More gaming days than any part of a ledger of one day and one far date has to look at."""


def noon(day: date) -> int:
    return to_micros(datetime(day.year, day.month, day.day, 16, tzinfo=UTC))


def typed(day: date, stream: str = TABLE, kind: str = "TableClosed", **said: str) -> Fact:
    """A fact after the last one of a stream, or in one of its own if it is dated before all."""
    stream = stream if day > FIRST_DAY else f"{stream}/typed"
    last = max((fact.seq for fact in table_day(TABLE) if fact.stream == stream), default=0)
    return replace(
        made(kind, last + 1, 0, **said), stream=stream, source=f"T-{stream}", event_time=noon(day)
    )


@contextmanager
def days_walked() -> Iterator[set[date]]:
    """The gaming days whose beginning was asked for meanwhile."""
    walked: set[date] = set()
    start_of = gaming_day._start_of

    def noted(clock: PropertyClock, day: date) -> int:
        walked.add(day)
        return start_of(clock, day)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gaming_day, "_start_of", noted)
        yield walked


def replay_of(facts: Iterable[Fact], tmp_path: Path) -> Replay:
    from ledger.codec import frame
    from ledger.log import Arrival

    init(tmp_path / "ledger", origin="far.example", property="Far", record_time=1)
    with open_log(tmp_path / "ledger") as log:
        log.append([Arrival(frame(fact)) for fact in facts], 2)
    return Replay.open(tmp_path / "ledger")


FAR_DAYS = [
    pytest.param(FAR, id="far in the future"),
    pytest.param(date(9998, 12, 31), id="the last day that a fact can have"),
    pytest.param(date(2, 1, 2), id="year 2"),
    pytest.param(date(2034, 3, 3), id="a typed 2034"),
    pytest.param(date(1961, 6, 12), id="sixty years ago"),
]


@pytest.mark.parametrize("far", FAR_DAYS)
def test_a_far_date_costs_one_day_and_is_told_where_people_look(far: date, tmp_path: Path) -> None:
    replay = replay_of([*table_day(TABLE), typed(far)], tmp_path)
    with days_walked() as walked:
        assert gaming_days(replay) == sorted([FIRST_DAY, far])
        assert last_gaming_day(replay) == FIRST_DAY
        for day in (FIRST_DAY, far):
            audit = audit_day(replay, day, carried=tmp_path / "carried")
            told = [one for one in audit.findings if one.code == "date_far_off"]
            assert [one.facts for one in told] == [(FactRef(typed(far).stream, typed(far).seq),)]
            assert str(far) in told[0].sentence
            assert told[0].gaming_day == day
    assert len(walked) < DAYS_WALKED


@pytest.mark.parametrize("far", FAR_DAYS)
def test_the_rows_of_a_far_date_are_those_of_its_days(far: date, tmp_path: Path) -> None:
    """What is set at a table stands from then on; the empty days in between have no row."""
    facts = [*table_day(TABLE), typed(far, kind="StaffAssigned", role="FLOORPERSON", person="F-9")]
    replay = replay_of(facts, tmp_path)
    rows: list[str] = []
    with days_walked() as walked:
        follower = TableFollower(
            replay, read_office(replay), TABLE, lambda name, _row: rows.append(name)
        )
        follower.run({})
    assert len(walked) < DAYS_WALKED
    assert rows


def test_a_far_date_in_an_office_is_told_too(tmp_path: Path) -> None:
    replay = replay_of(
        [
            *table_day(TABLE),
            typed(FAR, stream="house", kind="GamingDayClosed", gaming_day="2021-06-12"),
        ],
        tmp_path,
    )
    assert "date_far_off" in codes(audit_day(replay, FIRST_DAY).findings)


def test_an_office_may_say_what_it_approved_years_ago() -> None:
    old = replace(
        made("GamingDayClosed", 1, 0, gaming_day="1990-01-01"),
        stream="house/old",
        event_time=noon(date(1990, 1, 1)),
    )
    audit = audit_day(Replay(log_of([*table_day(TABLE), old])), FIRST_DAY)
    assert "date_far_off" not in codes(audit.findings)


def test_two_days_within_two_years_are_both_the_ledgers_own() -> None:
    near = FIRST_DAY + timedelta(days=700)
    replay = Replay(log_of([*table_day(TABLE), typed(near)]))
    assert last_gaming_day(replay) == near
    assert "date_far_off" not in codes(audit_day(replay, near).findings)


def test_months_of_a_long_pause_are_not_gone_through() -> None:
    """An inventory is due for each month of the record; of a pause of centuries for its end."""
    book = CustodyRegister(CLOCK)
    book.documents.first_stock = FIRST_DAY
    for day in (FIRST_DAY, date(2021, 8, 2), FAR):
        book.day(day).begun = True
    assert list(_months(book, FAR)) == [date(2021, month, 1) for month in (6, 7, 8)] + [
        date(9998, 4, 1)
    ]
    assert list(_months(book, date(2021, 8, 2))) == [date(2021, 6, 1), date(2021, 7, 1)]


@pytest.mark.row_by_row
@pytest.mark.parametrize("zone", ["America/New_York", "Pacific/Kiritimati", "Etc/GMT+12"])
@pytest.mark.parametrize("starts", [0, 360, 1_439])
@pytest.mark.parametrize("day", [date.min, date(1, 1, 2), date(9999, 12, 30), date.max])
def test_a_day_at_the_calendars_edge_has_its_bounds(zone: str, starts: int, day: date) -> None:
    begins, ends = PropertyClock(zone, starts).bounds(day)
    assert ends - begins == 86_400 * 1_000_000


# --- dates that facts name --------------------------------------------------------------------------

EDGES = {"day": ("0001-01-02", "9999-12-30"), "month": ("0001-01", "9999-12")}
"""The first and the last that a field can name."""


def named_dates(facts: Iterable[Fact]) -> Iterator[tuple[int, str, str]]:
    """Each kind of field that names a day or a month, at its first fact: place, field, kind."""
    seen: set[tuple[str, str]] = set()
    for place, fact in enumerate(facts):
        for field in (one.name for one in fields(fact)):
            value = getattr(fact, field)
            day = isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value)
            if (day or field == "month") and (type(fact).__name__, field) not in seen:
                seen.add((type(fact).__name__, field))
                yield place, field, "day" if day else "month"


def test_what_a_fact_names_may_be_any_date(tmp_path: Path) -> None:
    """Every date of a day of coupons at either end of the calendar, all at once and one by one."""
    facts = list(simulate(3, scale=0.01, coupons=True).facts)
    places = list(named_dates(facts))
    assert {(type(facts[place]).__name__, field) for place, field, _ in places} > {
        ("CouponSeriesDescribed", "expires"),
        ("CouponsForwarded", "for_gaming_day"),
        ("CouponsInventoried", "month"),
        ("GamingDayClosed", "gaming_day"),
    }
    for edge in (0, 1):
        moved = list(facts)
        for place, field, kind in places:
            moved[place] = replace(moved[place], **{field: EDGES[kind][edge]})
        for of_day in [moved] if edge == 0 else [moved, *one_by_one(facts, places, edge)]:
            desk = FormDesk.open(log_of(of_day))
            with days_walked() as walked:
                audit_day(desk.replay, FIRST_DAY)
                assert desk.last_day() == FIRST_DAY
                for day in (FIRST_DAY, max(desk.book.days)):
                    assert desk.issues(day)
            assert len(walked) < DAYS_WALKED


def one_by_one(
    facts: list[Fact], places: list[tuple[int, str, str]], edge: int
) -> Iterator[list[Fact]]:
    """The day with one date moved at a time, of those that place a fact on another day."""
    for place, field, kind in places:
        if field in ("for_gaming_day", "month"):
            new = replace(facts[place], **{field: EDGES[kind][edge]})
            yield [*facts[:place], new, *facts[place + 1 :]]


def test_a_certification_may_end_on_the_calendars_first_day() -> None:
    dated = {"approved_on": "0001-01-02", "valid_until": "0001-01-02"}
    came = {"received_on": "2021-06-12", "complete": True}
    facts = [
        made("ProviderCertified", 1, 0, provider="P-7", **dated),
        made("RenewalReceived", 2, 1, provider="P-7", **came),
    ]
    facts = [replace(fact, stream="house/providers", event_time=noon(FIRST_DAY)) for fact in facts]
    audit = audit_day(Replay(log_of([*table_day(TABLE), *facts])), FIRST_DAY)
    assert "renewal_late" in codes(audit.findings)
