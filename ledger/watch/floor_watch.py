"""All tables of a ledger as it grows: what each growth lets be said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import date, timedelta
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple

from ledger.analytics import JudgedTables
from ledger.audit import (
    Day,
    FloorDays,
    day_of,
    gaming_days,
    last_gaming_day,
)
from ledger.events import DropBoxCounted
from ledger.kernel import Finding, PropertyClock
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import Replay
from ledger.watch.closed_day import ClosedDayAudit
from ledger.watch.growth import LedgerGrowth, is_office
from ledger.watch.notices import Change, Notice, Silence, belongs_to, notice_of
from ledger.watch.silences import FloorSilences
from ledger.watch.table_watch import PausedWalk, TableWatch, known_until
from ledger.watch.told import Told

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


class ComparedWalk(NamedTuple):
    """What of a table's walk was compared with what was told.

    Attributes:
        walk: the walk.
        settled: so many of the findings of its rounds.
        seen: how often each id was seen among these.
        others: ids of what else it had found, which a later look may take back.
    """

    walk: PausedWalk
    settled: int
    seen: Counter[str]
    others: set[str]


@dataclass(slots=True)
class FloorWatch:
    """Follows a ledger; ``memory`` says what needs not be said again.

    Attributes:
        folder: the ledger.
        memory: what was told up to now; it is brought up to date.
        since: the first gaming day that is told, if ``memory`` says none: default the last one.
        audits_later: a tick leaves the days that were closed to ``audit_on``; else it audits them
            whole.
    """

    folder: Path
    memory: Told
    since: date | None = None
    audits_later: bool = False
    _tables: dict[tuple[str, date], TableWatch] = field(default_factory=dict)
    _compared: dict[tuple[str, date], ComparedWalk] = field(default_factory=dict)
    _closed: set[date] = field(default_factory=set)
    _audits: dict[date, ClosedDayAudit] = field(default_factory=dict)
    _days: frozenset[date] = frozenset()
    _floor_days: FloorDays = field(default_factory=FloorDays)
    _growth: LedgerGrowth = field(init=False)
    _silences: FloorSilences = field(init=False)

    def __post_init__(self) -> None:
        self._silences = FloorSilences(self.memory)
        self._growth = LedgerGrowth(self.folder)

    @property
    def judged(self) -> int:
        """How many entries of the ledger were judged."""
        return self._growth.size

    @property
    def is_auditing(self) -> bool:
        """Whether a closed day waits to be audited to its end (``audit_on``)."""
        return bool(self._audits)

    @property
    def replay(self) -> Replay | None:
        """The ledger's replay as far as it was judged; None before the first tick."""
        return self._growth.replay

    @property
    def clock(self) -> PropertyClock | None:
        """The property's; None before the first tick."""
        return self._growth.clock

    def has_judged(self, notice: Notice) -> bool:
        """Whether all that a finding rests on is here and was judged, so that it would be found."""
        replay = self._growth.replay
        if replay is None:
            return False
        for fact in notice.facts:
            stream, _, seq = fact.rpartition(":")
            extent = self._growth.extents.get(stream)
            if extent is None or not seq.isdecimal() or extent.last_seq < int(seq):
                return False
        until = self._heard(replay).until.get(notice.table, 0)
        return notice.gaming_day in self._closed or (notice.happened_at or until) < until

    def tick(self) -> Tick | None:
        """Judge what came since the last tick; None if nothing did.

        Raises:
            PropertyUnknown: no fact describes the property yet.
        """
        growth = self._growth
        grown = growth.grow()
        if grown is None:
            return None
        replay, judged = grown
        self._floor_days.read_on(replay, growth.arrived)
        last = last_gaming_day(replay)
        if last is None:
            growth.done()
            return None
        if self.memory.begins is None:
            self.memory.begins = self.since or last
        self.memory.forget_before(last - REMEMBERED)
        self._days = frozenset(gaming_days(replay))
        notices = list(self._of_open_days(replay, judged, last))
        self._note_closed_days(replay, judged)
        if not self.audits_later:
            notices += self._of_closed_days(replay, judged, lambda: False)
        silences = tuple(
            self._silences.changes(
                replay, judged.record.office, growth.size, growth.arrived, growth.recorded_at
            )
        )
        growth.done()
        return self._taken(notices, silences)

    def audit_on(self, seconds: float) -> Tick | None:
        """Audit days that were closed, table by table; None where no such day waits for it.

        What came since the last tick is not looked at.

        Args:
            seconds: after so long the rest is left to the next call; one table is audited at least.
        """
        replay, judged = self._growth.replay, self._growth.judged
        if not self._audits or replay is None or judged is None:
            return None
        began = monotonic()
        notices = self._of_closed_days(replay, judged, lambda: monotonic() - began >= seconds)
        return self._taken(list(notices))

    def _taken(self, notices: list[Notice], silences: tuple[Silence, ...] = ()) -> Tick:
        """Note what is told, in the order of its facts."""
        replay = self._growth.replay
        assert replay is not None
        if not self._audits:
            self.memory.size = self._growth.size
        notices.sort(key=lambda notice: (notice.happened_at or 0, notice.id))
        for notice in notices:
            self.memory.take(notice)
        return Tick(
            notices=tuple(notices), silences=silences, heard=self._heard(replay), clock=self.clock
        )

    def _of_open_days(self, replay: Replay, judged: JudgedTables, last: date) -> Iterator[Notice]:
        """The tables of days that no closing has ended.

        A walk of a day that one has ended goes on to the first fact after it: there it keeps the
        state with which the next day begins, which else replays the day.
        """
        growth, clock = self._growth, judged.record.clock
        closings, arrived = judged.record.office.closings, growth.arrived
        for table, streams in replay.tables().items():
            earliest = min((arrived[name][0] for name in streams if name in arrived), default=None)
            if earliest is None and not growth.has_office_facts:
                continue
            until = known_until(replay, table)
            today = clock.day_of(max(until - 1, 0))
            for day in (today - timedelta(days=1), today):
                is_closed = day.isoformat() in closings
                is_left_alone = is_closed and (table, day) not in self._tables
                if day < self._begins or day > last or is_left_alone:
                    continue
                watch = self._watch(table, day_of(clock, day))
                findings = growth.judge(watch, until, earliest)
                if not is_closed:
                    yield from self._changes(replay, day, table, findings, watch, earliest)
                if day < today and not watch.is_past_the_day:
                    break  # its next fact waits for what clocks may put before it
                if is_closed and day < today:
                    self._tables.pop((table, day)).forget_from(0)

    @property
    def _begins(self) -> date:
        assert self.memory.begins is not None
        return self.memory.begins

    def _watch(self, table: str, day: Day) -> TableWatch:
        key = table, day.date
        if key not in self._tables:
            self._tables[key] = TableWatch(table, day)
        return self._tables[key]

    def _note_closed_days(self, replay: Replay, judged: JudgedTables) -> None:
        """Note the days that a closing has ended and that are to be audited, or audited again."""
        clock = judged.record.clock
        for text in sorted(judged.record.office.closings):
            day = date.fromisoformat(text)
            span = day_of(clock, day)
            is_told = day >= self._begins and day in self._days
            if is_told and (day not in self._closed or _bears(replay, self._growth.arrived, span)):
                self._audits.setdefault(day, ClosedDayAudit(span))

    def _of_closed_days(
        self, replay: Replay, judged: JudgedTables, is_late: Callable[[], bool]
    ) -> Iterator[Notice]:
        """The days that a closing has ended: they are audited whole, if need be over more calls."""
        closings = judged.record.office.closings
        for day in sorted(self._audits):
            audit = None
            if day >= self._begins and day.isoformat() in closings:
                audit = self._audits[day].go_on(judged, is_late)
                if audit is None:
                    return
            del self._audits[day]
            if audit is not None:
                yield from self._changes(replay, day, None, audit.findings, None, None)
                self._closed.add(day)
                for key in [key for key in self._tables if key[1] in self._closed]:
                    self._compared.pop(key, None)
                    if key[1] < day:
                        self._tables.pop(key).forget_from(0)

    def _changes(
        self,
        replay: Replay,
        day: date,
        table: str | None,
        findings: Sequence[Finding],
        watch: TableWatch | None,
        earliest: int | None,
    ) -> Iterator[Notice]:
        """What is to be said of a day, given what was told: of one table, or of the whole day.

        Where a table's walk went on, what it had found in rounds stands as it was told: only what
        it found since is looked at, and what a look may still take back.
        """
        before = self._compared.get((table, day)) if table is not None else None
        paused = None if watch is None else watch.paused
        is_followed = before is not None and paused is not None and before.walk is paused
        if before is not None and is_followed:
            known, seen = before.settled, before.seen
            gone = before.others
        else:
            known, seen = 0, Counter[str]()
            gone = {*self.memory.standing(day, table)}
        settled = len(findings) if paused is None else len(paused.earlier)
        fresh = _notices(self._growth.origin, findings[known:settled], seen, replay)
        others = _notices(self._growth.origin, findings[settled:], seen.copy(), replay)
        for notice in chain(fresh, others):
            gone.discard(notice.id)
            change = self._change(notice, day, earliest, is_closed=watch is None)
            if change is not None:
                yield change
        for name in sorted(gone):
            standing = self.memory.days[day].get(name)
            if standing is not None:
                because = _because(watch is None, earliest)
                telling = standing.telling + 1
                yield replace(standing, change=Change.WITHDRAWN, because=because, telling=telling)
        if table is not None and paused is not None:
            names = {notice.id for notice in others}
            self._compared[table, day] = ComparedWalk(paused, settled, seen, names)

    def _change(
        self, notice: Notice, day: date, earliest: int | None, *, is_closed: bool
    ) -> Notice | None:
        """What is to be said of a finding as it is now; None where it was told so."""
        before = self.memory.days.get(day, {}).get(notice.id)
        telling = self.memory.tellings(notice) + 1
        if before is None:
            return replace(notice, telling=telling)
        if before.version == notice.version:
            return None
        because = _because(is_closed, earliest)
        return replace(notice, change=Change.RESTATED, because=because, telling=telling)

    def idle(self, watched_at: int) -> Silence | None:
        """Return that nothing comes from any table any more, once, while one of them is open.

        Args:
            watched_at: by the clock of who watches, microseconds UTC.
        """
        replay, judged = self._growth.replay, self._growth.judged
        recorded_at = self._growth.recorded_at
        if replay is None or judged is None or not recorded_at:
            return None
        return self._silences.idle(replay, judged.record.office, recorded_at, watched_at)

    def _heard(self, replay: Replay) -> Heard:
        lasts = [
            self._growth.extents[stream].last_time
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
        first < span.ends or stream in counting or is_office(replay, stream)
        for stream, (first, _) in arrived.items()
    )


def _notices(
    origin: str, findings: Iterable[Finding], seen: Counter[str], replay: Replay
) -> list[Notice]:
    """The first tellings of findings.

    Args:
        origin: the ledger's.
        findings: of one table, or of a day.
        seen: how often each id was seen before; counted on.
        replay: the ledger's replay.
    """
    notices = []
    for finding in findings:
        fact = belongs_to(finding)
        at = None if fact is None else replay.merged_at(*fact)
        notice = notice_of(origin, finding, at)
        number = seen[notice.id]
        seen[notice.id] += 1
        notices.append(notice if not number else notice_of(origin, finding, at, number))
    return notices


def _because(is_closed: bool, earliest: int | None) -> str:
    if is_closed:
        return "the gaming day was closed and judged as a whole"
    if earliest is None:
        return "the office stated something that bears on it"
    return "facts came that bear on it"
