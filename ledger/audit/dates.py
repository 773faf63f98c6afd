"""Which gaming days a ledger is about, and facts whose dates lie years off all of them.

Only days that hold facts are visited, however far apart they lie: one mistyped year costs one day
and no more. Days with facts within ``FAR_DAYS`` of each other form a group; the ledger's own days
are those of the group with the most facts (of two equal ones the earlier).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Final
from weakref import WeakKeyDictionary

from ledger.audit.ledger_contract import CASES, FOREVER, SIGNATURES, Day, date_far_off, day_of
from ledger.audit.office import read_office
from ledger.kernel import FactRef, Finding, PropertyClock, table_of
from ledger.replay import Replay

FAR_DAYS: Final = 2 * 366
"""How many days lie at least between a far date and the ledger's own: no table pauses as long."""
LONG_AGO_DAYS: Final = 100 * 366
"""How many days before the ledger's own an office may date a fact: approvals and grants are older
than play, but not by a century."""
AFTERWARDS: Final = frozenset({CASES, "imports", "amendments"})
"""Offices whose facts say what was done with the record; their dates say when that was done."""
DESCRIBED: Final = "house/property"
"""The stream in which a command describes a new property; it too is dated when it was typed."""


def is_played(stream: str) -> bool:
    """Whether a stream records the floor itself, and not what was done with the record."""
    return table_of(stream) not in AFTERWARDS and stream not in (SIGNATURES, DESCRIBED)


def days_held(replay: Replay, clock: PropertyClock, streams: Iterable[str]) -> Counter[date]:
    """Return how many facts of these streams each gaming day holds, without empty days."""
    days: Counter[date] = Counter()
    for stream in streams:
        at = replay.times_around(stream, -FOREVER)[1]
        while at is not None:
            day = clock.day_of(at)
            begins, ends = clock.bounds(day)
            days[day] += replay.facts_between(stream, begins, ends)
            at = replay.times_around(stream, ends)[1]
    return days


def days_before(
    replay: Replay, clock: PropertyClock, streams: Iterable[str], day: date
) -> Iterator[date]:
    """Yield the gaming days before one that hold a fact of these streams, the last one first.

    Args:
        replay: the replay of the ledger.
        clock: the property's.
        streams: those that are looked at; a day on which only others have facts is passed over.
        day: the gaming day before which they lie.
    """
    streams = tuple(streams)
    begins = clock.start_of(day)
    while times := [at for s in streams if (at := replay.times_around(s, begins)[0]) is not None]:
        before = clock.day_of(max(times))
        yield before
        begins = clock.start_of(before)


def own_days(fact_counts: Mapping[date, int]) -> list[date]:
    """Return the days that a ledger is about, rising, from the number of facts of each day."""
    groups: list[list[date]] = []
    for day in sorted(fact_counts):
        if groups and (day - groups[-1][-1]).days <= FAR_DAYS:
            groups[-1].append(day)
        else:
            groups.append([day])
    return max(groups, key=lambda group: sum(fact_counts[day] for day in group), default=[])


def own_span(replay: Replay, clock: PropertyClock, streams: Iterable[str]) -> list[date]:
    """Return the first and the last of the days that a ledger is about; nothing without a fact.

    Where no day lies years off the others, which is nearly always, no day is visited.
    """
    streams = tuple(streams)
    known = frozenset(replay.streams())
    extents = [replay.extent(stream) for stream in streams if stream in known]
    if not extents:
        return []
    last = clock.day_of(max(extent.last_time for extent in extents))
    first = reached = clock.day_of(min(extent.first_time for extent in extents))
    while reached < last:
        ahead = next(days_before(replay, clock, streams, _shifted(reached, FAR_DAYS + 1)))
        if ahead == reached:
            own = own_days(days_held(replay, clock, streams))
            return [own[0], own[-1]]
        reached = ahead
    return [first, last]


class FloorDays:
    """The gaming days on which tables have facts, kept while a ledger grows."""

    def __init__(self) -> None:
        self._clock: PropertyClock | None = None
        self._by_stream: dict[str, Counter[date]] = {}

    def read_on(self, replay: Replay, arrived: Mapping[str, tuple[int, int]]) -> None:
        """Let the days of a replay be known from those of the one that it grew from.

        Args:
            replay: the ledger's replay.
            arrived: the streams of which something came, or was amended, since the last time, with
                the first and the last merge time on which that bears, microseconds UTC.

        Raises:
            PropertyUnknown: no fact describes the property.
        """
        clock = read_office(replay).clock
        if clock != self._clock:
            self._clock, self._by_stream = clock, {}
        known, days = self._by_stream, Counter[date]()
        last_day = Day(date=date.min, begins=0, ends=0)
        for stream in _of_tables(replay):
            of_stream, came = known.get(stream), arrived.get(stream)
            if of_stream is None:
                known[stream] = of_stream = days_held(replay, clock, (stream,))
            elif came is not None:
                if not last_day.has(came[1]):
                    last_day = day_of(clock, clock.day_of(came[1]))
                if last_day.has(came[0]):  # the facts of other days are as many as they were
                    of_others = of_stream.total() - of_stream[last_day.date]
                    of_stream[last_day.date] = replay.extent(stream).facts - of_others
                else:
                    known[stream] = of_stream = days_held(replay, clock, (stream,))
            days.update(of_stream)
        _HELD[replay] = days


def gaming_days(replay: Replay) -> list[date]:
    """Return the gaming days on which a table has a fact, rising, also those dated years off.

    Raises:
        PropertyUnknown: no fact describes the property.
    """
    return sorted(_held_by_tables(replay, read_office(replay).clock))


def last_gaming_day(replay: Replay) -> date | None:
    """Return the last of the ledger's own gaming days, the default where none is named.

    None if no table has a fact.

    Raises:
        PropertyUnknown: no fact describes the property.
    """
    return max(_own_span(replay, read_office(replay).clock), default=None)


def far_dates(replay: Replay, clock: PropertyClock, day: Day) -> Iterator[Finding]:
    """Report facts dated years off the ledger's days, stream by stream (L.5).

    They are reported twice: on the day they are dated, and where people look. That is the day of
    the fact of their stream that they follow (or precede), else the nearest of the ledger's days.
    """
    for stream, since, until, count in _far_stretches(replay, clock):
        own = own_days(_held_by_tables(replay, clock))
        first, last = day_of(clock, own[0]), day_of(clock, own[-1])
        is_late = until == FOREVER
        near = (
            replay.times_around(stream, last.ends)[0]
            if is_late
            else replay.times_around(stream, first.begins)[1]
        )
        if near is None or not first.begins <= near < last.ends:
            near = last.begins if is_late else first.begins
        fact_counts = days_held(replay, clock, [stream])
        far = sorted(d for d in fact_counts if since <= clock.start_of(d) < until)
        if not day.has(near) and day.date not in far:
            continue
        seqs = replay.places(stream, *_seqs(replay, stream, since, until))[0]
        ends = FactRef(stream, int(seqs[0])), FactRef(stream, int(seqs[-1]))
        yield date_far_off(day, ends, count, far, own)


def has_far_dates(replay: Replay, clock: PropertyClock) -> bool:
    """Return whether any fact is dated years off: what is said of it hangs on the other days."""
    return any(True for _ in _far_stretches(replay, clock))


def _far_stretches(replay: Replay, clock: PropertyClock) -> Iterator[tuple[str, int, int, int]]:
    """Yield stretches of time years off the ledger's days: stream, bounds, how many facts."""
    own = _own_span(replay, clock)
    if not own:
        return
    for stream in replay.streams():
        if not is_played(stream):
            continue
        slack = LONG_AGO_DAYS if table_of(stream) in replay.offices() else FAR_DAYS
        early = clock.start_of(_shifted(own[0], -slack))
        late = clock.bounds(_shifted(own[-1], FAR_DAYS))[1]
        for since, until in ((-FOREVER, early), (late, FOREVER)):
            count = replay.facts_between(stream, since, until)
            if count:
                yield stream, since, until, count


_HELD: Final[WeakKeyDictionary[Replay, Counter[date]]] = WeakKeyDictionary()
"""The days of the tables, by replay: every day's audit asks for them."""
_SPANS: Final[WeakKeyDictionary[Replay, list[date]]] = WeakKeyDictionary()
"""The first and the last of the tables' own days, by replay."""


def _held_by_tables(replay: Replay, clock: PropertyClock) -> Counter[date]:
    days = _HELD.get(replay)
    if days is None:
        days = _HELD[replay] = days_held(replay, clock, _of_tables(replay))
    return days


def _own_span(replay: Replay, clock: PropertyClock) -> list[date]:
    span = _SPANS.get(replay)
    if span is None:
        span = _SPANS[replay] = own_span(replay, clock, _of_tables(replay))
    return span


def _of_tables(replay: Replay) -> Iterator[str]:
    return (stream for streams in replay.tables().values() for stream in streams)


def _seqs(replay: Replay, stream: str, since: int, until: int) -> tuple[int, int]:
    """Return the seq before the first, and the last seq, of a stream in a stretch of time."""
    return replay.last_seq_before(stream, since), replay.last_seq_before(stream, until)


def _shifted(day: date, days: int) -> date:
    """Return a day moved by so many days, within the calendar."""
    number = day.toordinal() + days
    return date.fromordinal(min(max(number, date.min.toordinal()), date.max.toordinal()))
