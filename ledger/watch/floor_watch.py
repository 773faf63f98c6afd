"""All tables of a ledger as it grows: what each growth lets be said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from ledger.analytics import JudgedTables
from ledger.audit import (
    Day,
    HouseRecord,
    day_of,
    gaming_days,
    last_gaming_day,
    last_of_coupons,
    numbered_here,
    streams_of_coupons,
)
from ledger.audit.carried import CarriedStates
from ledger.audit.ledger_contract import stated_ends
from ledger.audit.office_inputs import OfficeInputs, office_inputs
from ledger.coupons.followed_events import WANTED
from ledger.events import DropBoxCounted
from ledger.kernel import FactRef, Finding, PropertyClock, table_of
from ledger.log import read_log
from ledger.log.ledger_at_checkpoint import CACHE
from ledger.replay import Replay, StreamExtent
from ledger.watch.notices import Change, Notice, Silence, belongs_to, notice_of
from ledger.watch.silences import FloorSilences
from ledger.watch.table_watch import BookRead, TableWatch, known_until
from ledger.watch.told import Told

LOOKED_BACK: Final = 24 * 3_600_000_000
"""How far back the last fact of a coupon is looked for, in microseconds; it is taken to be no
earlier."""
REMEMBERED: Final = timedelta(days=7)
"""How long after a day a late fact still changes what was told of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """How far the watch is.

    Attributes:
        size: entries of the ledger that were judged.
        newest_at: the newest fact of any table, microseconds UTC; None without any.
        until: by table, up to which moment it is judged for certain, microseconds UTC.
    """

    size: int
    newest_at: int | None
    until: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """What a growth of the ledger lets be said.

    Attributes:
        notices: the findings, in the order of their facts.
        silences: the tables that fell silent, or are heard again.
        heard: how far the watch is.
        clock: the property's.
    """

    notices: tuple[Notice, ...]
    silences: tuple[Silence, ...]
    heard: Heard
    clock: PropertyClock | None


class FollowedBook(NamedTuple):
    """How far the custody of coupons was followed, and through which streams."""

    read: BookRead
    streams: frozenset[str]


class Margins(NamedTuple):
    """By table, how far before a fact its clocks may let it bear, by what an office stated."""

    office: object
    by_table: dict[str, int]


@dataclass(slots=True)
class FloorWatch:
    """Follows a ledger; ``memory`` says what needs not be said again.

    Attributes:
        folder: the ledger.
        memory: what was told up to now; it is brought up to date.
        since: the first gaming day that is told, if ``memory`` says none: default the last one.
    """

    folder: Path
    memory: Told
    since: date | None = None
    _tables: dict[tuple[str, date], TableWatch] = field(default_factory=dict)
    _closed: set[date] = field(default_factory=set)
    _days: frozenset[date] = frozenset()
    _inputs: OfficeInputs | None = None
    _tables_judged: JudgedTables | None = None
    _extents: dict[str, StreamExtent] = field(default_factory=dict)
    _extents_before: dict[str, StreamExtent] = field(default_factory=dict)
    _book: FollowedBook | None = None
    _readings: int = 0
    _judged: int = 0
    _replay: Replay | None = None
    _margins: Margins = field(default_factory=lambda: Margins(None, {}))
    _origin: str = ""
    _recorded_at: int = 0
    _silences: FloorSilences = field(init=False)

    def __post_init__(self) -> None:
        self._silences = FloorSilences(self.memory)

    @property
    def judged(self) -> int:
        """How many entries of the ledger were judged."""
        return self._judged

    @property
    def replay(self) -> Replay | None:
        """The ledger's replay as far as it was judged; None before the first tick."""
        return self._replay

    @property
    def clock(self) -> PropertyClock | None:
        """The property's; None before the first tick."""
        return None if self._tables_judged is None else self._tables_judged.record.clock

    def has_judged(self, notice: Notice) -> bool:
        """Whether all that a finding rests on is here and was judged, so that it would be found."""
        replay = self._replay
        if replay is None:
            return False
        for fact in notice.facts:
            stream, _, seq = fact.rpartition(":")
            extent = self._extents.get(stream)
            if extent is None or not seq.isdecimal() or extent.last_seq < int(seq):
                return False
        until = self._heard(replay).until.get(notice.table, 0)
        return notice.gaming_day in self._closed or (notice.happened_at or until) < until

    def tick(self) -> Tick | None:
        """Judge what came since the last tick; None if nothing did.

        Raises:
            PropertyUnknown: no fact describes the property yet.
        """
        log = read_log(self.folder)
        if log.size == self._judged:
            return None
        self._origin = log.origin
        before = self._replay
        replay = Replay.following(self.folder) if before is None else before.grown(log)
        self._replay = replay
        ((_, entry),) = log.entries(log.size - 1, log.size)
        self._recorded_at = getattr(entry, "record_time", self._recorded_at)
        arrived = replay.arrived_since(self._judged)
        judged = JudgedTables(replay, self.folder / CACHE)
        earlier = self._tables_judged
        self._extents_before = self._extents
        self._extents = {stream: replay.extent(stream) for stream in replay.streams()}
        if earlier is not None and self._is_house_the_same(replay, earlier.record, arrived):
            self._take_over(replay, judged, earlier)
        else:
            self._book = None
        clock = judged.record.clock
        self._tables_judged = judged
        last = last_gaming_day(replay)
        if last is None:
            self._judged = replay.size
            return None
        if self.memory.begins is None:
            self.memory.begins = self.since or last
        self.memory.forget_before(last - REMEMBERED)
        self._days = frozenset(gaming_days(replay))
        notices = list(self._of_open_days(replay, judged, last, arrived))
        notices += self._of_closed_days(replay, judged, arrived)
        silences = tuple(
            self._silences.changes(
                replay, judged.record.office, self._judged, arrived.keys(), self._recorded_at
            )
        )
        self._judged = self.memory.size = replay.size
        notices.sort(key=lambda notice: (notice.happened_at or 0, notice.id))
        for notice in notices:
            self.memory.take(notice)
        return Tick(
            notices=tuple(notices),
            silences=silences,
            heard=self._heard(replay),
            clock=clock,
        )

    def _is_house_the_same(
        self, replay: Replay, house: HouseRecord, arrived: Mapping[str, tuple[int, int]]
    ) -> bool:
        """Whether nothing came since the last tick that bears on the house's facts.

        That is: no office's fact, and none that tears a stream or mends it, be it up to what a
        control total states.
        """
        stated = stated_ends(house.office)

        def soundness(extent: StreamExtent | None, stream: str) -> tuple[int, int, int, bool]:
            if extent is None:
                return 0, 0, stated.get(stream, 0), False
            short = max(stated.get(stream, 0) - extent.last_seq, 0)
            return extent.missing, extent.conflicts, short, extent.is_office

        before = self._extents_before
        return all(
            soundness(extent, stream) == soundness(before.get(stream), stream)
            for stream, extent in self._extents.items()
        ) and not any(_is_office(replay, stream) for stream in arrived)

    def _take_over(self, replay: Replay, judged: JudgedTables, earlier: JudgedTables) -> None:
        """Take over what was read of the house, and follow its coupons through what came.

        Where that came in order after all that the book knows, it is followed on; else anew.
        """
        came = replay.arrived_since(self._judged, WANTED)
        judged.take_over(earlier, with_book=not came)
        if not came:
            return
        before, streams = self._book, streams_of_coupons(replay)
        first = min(begins for begins, _ in came.values())
        joined = [] if before is None else [one for one in streams if one not in before.streams]
        sound = all(
            not (extent := self._extents[one]).missing and not extent.conflicts for one in joined
        )
        if before is None or first <= before.read.until or not sound:
            self._book = None
            return
        judged.follow_on(earlier, first)
        until = last_of_coupons(replay, first)
        self._book = FollowedBook(BookRead(before.read.reading, until), frozenset(streams))

    def _book_read(self, replay: Replay) -> BookRead:
        """How far the custody of coupons is followed."""
        if self._book is None:
            newest = max((one.last_time for one in self._extents.values()), default=0)
            until = last_of_coupons(replay, newest - LOOKED_BACK)
            self._readings += 1
            read = BookRead(self._readings, until)
            self._book = FollowedBook(read, frozenset(streams_of_coupons(replay)))
        return self._book.read

    def _of_open_days(
        self,
        replay: Replay,
        judged: JudgedTables,
        last: date,
        arrived: Mapping[str, tuple[int, int]],
    ) -> Iterator[Notice]:
        """The tables of days that no closing has ended."""
        clock, house = judged.record.clock, judged.house
        closings = house.office.closings
        office_came = any(_is_office(replay, stream) for stream in arrived)
        if office_came or self._inputs is None:
            self._inputs = office_inputs(replay, house.office)
        inputs, book = self._inputs, self._book_read(replay)
        carried = CarriedStates(self.folder / CACHE / "carried", replay, house.office)
        for table, streams in replay.tables().items():
            earliest = min((arrived[name][0] for name in streams if name in arrived), default=None)
            if earliest is None and not office_came:
                continue
            until = known_until(replay, table)
            today = clock.day_of(max(until - 1, 0))
            for day in (today - timedelta(days=1), today):
                if day < self._begins or day.isoformat() in closings or day > last:
                    continue
                watch = self._watch(table, day_of(clock, day))
                if not watch.stands(inputs, book, house.coupons, {*streams}):
                    watch.forget_from(0)
                if earliest is not None:
                    watch.forget_from(earliest, self._margin(house, table))
                findings = watch.judge(replay, house, carried, until, inputs)
                watch.hang_on(inputs, book, {*streams})
                yield from self._changes(replay, day, table, findings, watch, earliest)

    def _margin(self, house: HouseRecord, table: str) -> int:
        """How far before a fact the clocks of a table may let it bear, in microseconds.

        It is asked of each table at each tick, and changes only with what the house states.
        """
        if self._margins.office is not house.office:
            self._margins = Margins(house.office, {})
        margins = self._margins.by_table
        if table not in margins:
            margins[table] = 2 * house.office.clocks.widest(table)
        return margins[table]

    @property
    def _begins(self) -> date:
        assert self.memory.begins is not None
        return self.memory.begins

    def _watch(self, table: str, day: Day) -> TableWatch:
        key = table, day.date
        if key not in self._tables:
            self._tables[key] = TableWatch(table, day)
        return self._tables[key]

    def _of_closed_days(
        self, replay: Replay, judged: JudgedTables, arrived: Mapping[str, tuple[int, int]]
    ) -> Iterator[Notice]:
        """The days that a closing has ended: they are audited whole."""
        clock = judged.record.clock
        for text in sorted(judged.record.office.closings):
            day = date.fromisoformat(text)
            span = day_of(clock, day)
            if day < self._begins or day not in self._days:
                continue
            if day in self._closed and not _bears(replay, arrived, span):
                continue
            findings = judged.audit(day).findings
            yield from self._changes(replay, day, None, findings, None, None)
            self._closed.add(day)
            for key in [key for key in self._tables if key[1] == day]:
                del self._tables[key]

    def _changes(
        self,
        replay: Replay,
        day: date,
        table: str | None,
        findings: Iterable[Finding],
        watch: TableWatch | None,
        earliest: int | None,
    ) -> Iterator[Notice]:
        """What is to be said of a day, given what was told: of one table, or of the whole day."""
        standing = {
            name: notice
            for name, notice in self.memory.days.get(day, {}).items()
            if table is None or notice.table == table
        }
        findings = list(findings)
        times = {
            fact: replay.merged_at(*fact)
            for finding in findings
            if (fact := belongs_to(finding)) is not None
        }
        for notice in _notices(self._origin, findings, times):
            before = standing.pop(notice.id, None)
            telling = self.memory.tellings(notice) + 1
            if before is None:
                yield replace(notice, telling=telling)
            elif before.version != notice.version:
                because = _because(watch is None, earliest)
                yield replace(notice, change=Change.RESTATED, because=because, telling=telling)
        for gone in standing.values():
            because = _because(watch is None, earliest)
            yield replace(gone, change=Change.WITHDRAWN, because=because, telling=gone.telling + 1)

    def idle(self, watched_at: int) -> Silence | None:
        """Return that nothing comes from any table any more, once, while one of them is open.

        Args:
            watched_at: by the clock of who watches, microseconds UTC.
        """
        replay, judged = self._replay, self._tables_judged
        if replay is None or judged is None or not self._recorded_at:
            return None
        return self._silences.idle(replay, judged.record.office, self._recorded_at, watched_at)

    def _heard(self, replay: Replay) -> Heard:
        lasts = [
            self._extents[stream].last_time
            for streams in replay.tables().values()
            for stream in streams
        ]
        until: dict[str, int] = {}
        for (table, _), watch in self._tables.items():
            until[table] = max(until.get(table, 0), watch.until)
        return Heard(size=replay.size, newest_at=max(lasts, default=None), until=until)


def _bears(replay: Replay, arrived: Mapping[str, tuple[int, int]], span: Day) -> bool:
    """Whether something came that may bear on a closed day: of its time, of an office, a count."""
    counting = replay.streams_with({DropBoxCounted.__name__})
    return any(
        first < span.ends or stream in counting or _is_office(replay, stream)
        for stream, (first, _) in arrived.items()
    )


def _is_office(replay: Replay, stream: str) -> bool:
    """Whether a stream is an office's; what persons make of findings is none that bears on them."""
    return table_of(stream) in replay.offices() and not numbered_here(stream)


def _notices(
    origin: str, findings: Iterable[Finding], times: dict[FactRef, int | None]
) -> Iterator[Notice]:
    seen: Counter[str] = Counter()
    for finding in findings:
        fact = belongs_to(finding)
        at = None if fact is None else times.get(fact)
        notice = notice_of(origin, finding, at)
        number = seen[notice.id]
        seen[notice.id] += 1
        yield notice if not number else notice_of(origin, finding, at, number)


def _because(is_closed: bool, earliest: int | None) -> str:
    if is_closed:
        return "the gaming day was closed and judged as a whole"
    if earliest is None:
        return "the office stated something that bears on it"
    return "facts came that bear on it"
