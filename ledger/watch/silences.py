"""Which tables and feeds of an open floor fell silent, fell behind or are heard again; pictures.

How long each may be silent is what the property registered (``Office.silence_limit``). The floor's
time is that of its newest fact, but none is taken to be later than it was recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AnySet
from dataclasses import field
from typing import Final, NamedTuple

from ledger.events import CameraLost, CameraRestored
from ledger.house import Office
from ledger.house.staleness import SilenceLimit
from ledger.kernel import table_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import FactStep, Replay
from ledger.watch.notices import Feed, FeedLimit, Silence
from ledger.watch.told import Told

ALL_TABLES: Final = "every table"
"""Stands in place of a table where nothing comes from any of them."""
WHOLE_FLOOR: Final = Feed(ALL_TABLES)
PICTURES: Final = frozenset({CameraLost.__name__, CameraRestored.__name__})
OPENINGS: Final = ("TableOpened", "TableClosed")
LOOKED_BACK: Final = 24 * 3_600_000_000
"""How far before its last fact it is looked for whether a table opened or closed; microseconds."""


class LastFact(NamedTuple):
    """The last fact of a feed, and how far the floor was when something came from it last."""

    last: int
    heard_at: int


@dataclass(slots=True)
class TableCameras:
    """Which cameras of a table have no picture.

    Attributes:
        until: the first moment that was not read yet, microseconds UTC.
        lost: by camera, since when.
    """

    until: int = 0
    lost: dict[str, int] = field(default_factory=dict)


class IdleLook(NamedTuple):
    """When the last entry was recorded, and from when on it is worth a look whether that is long
    ago; microseconds UTC."""

    recorded_at: int
    due: int


def awaited_feeds(replay: Replay, office: Office, at: int) -> Iterator[tuple[Feed, SilenceLimit]]:
    """Yield each table, and each feed that has a limit of its own, with how long it may be silent.

    Args:
        replay: the ledger's replay.
        office: what the property stated.
        at: the moment, microseconds UTC.
    """
    for table, streams in replay.tables().items():
        if len(streams) == 1 or not office.staleness.names_feeds:
            yield Feed(table), office.silence_limit(table, at, streams[0])
            continue
        yield Feed(table), office.silence_limit(table, at)
        for stream in streams:
            limit = office.silence_limit(table, at, stream)
            if limit.is_of_feed:
                yield Feed(table, stream), limit


def feed_limits(replay: Replay, office: Office, at: int) -> tuple[FeedLimit, ...]:
    """Return how long each table, and each feed with a limit of its own, may be silent.

    Args:
        replay, office, at: as for ``awaited_feeds``.
    """
    return tuple(
        FeedLimit(
            feed=feed,
            micros=limit.micros,
            fact=None if limit.fact is None else str(limit.fact),
            terminal=None if feed.stream is None else office.clocks.writer(feed.stream, at),
        )
        for feed, limit in awaited_feeds(replay, office, at)
    )


def last_time(replay: Replay, feed: Feed) -> int:
    """Return the time of the last fact of a table or a feed, microseconds UTC."""
    streams = replay.tables()[feed.table] if feed.stream is None else (feed.stream,)
    return max(replay.extent(stream).last_time for stream in streams)


def is_open(replay: Replay, table: str, last: int) -> bool:
    """Whether the last word on a table, up to its last fact, is that it is open."""
    opened = False
    since = last - LOOKED_BACK
    for step in replay.walk(replay.tables()[table], since=since, only=OPENINGS):
        fact = getattr(step, "fact", None)
        if fact is not None:
            opened = type(fact).__name__ == "TableOpened"
    return opened


@dataclass(slots=True)
class FloorSilences:
    """Tells each silence once, and once that it is over; ``memory`` says what was told."""

    memory: Told
    _last_facts: dict[Feed, LastFact] = field(default_factory=dict)
    _shut: set[str] = field(default_factory=set)
    _cameras: dict[str, TableCameras] = field(default_factory=dict)
    _looked_for_pictures: bool = False
    _idle_look: IdleLook = field(default_factory=lambda: IdleLook(0, 0))

    def changes(
        self,
        replay: Replay,
        office: Office,
        since: int,
        arrived: Mapping[str, tuple[int, int]],
        recorded_at: int,
    ) -> Iterator[Silence]:
        """What fell silent, fell behind or is heard again since a size of the ledger.

        Silent is what nothing comes from while the floor goes on; behind is that whose facts come,
        but late.

        Args:
            replay: the ledger's replay.
            office: what the property stated.
            since: the size at the last look; 0 at the first.
            arrived: the streams of which something came since, with its first and last time.
            recorded_at: when the last entry was recorded, microseconds UTC; 0 if not known.
        """
        came = {Feed(table_of(stream)) for stream in arrived}
        came |= {Feed(table_of(stream), stream) for stream in arrived}
        self._shut -= {feed.table for feed in came}
        for stream, (first, _) in arrived.items():
            known = self._cameras.get(table_of(stream))
            if known is not None and first < known.until:
                del self._cameras[table_of(stream)]
        self._note_last_facts(replay, office, came, recorded_at)
        newest = self._newest()
        self.memory.limits = feed_limits(replay, office, newest)
        if WHOLE_FLOOR in self.memory.silent and came & self._last_facts.keys():
            before = self.memory.silent.pop(WHOLE_FLOOR)
            yield Silence(table=ALL_TABLES, last_at=before, floor_at=newest, is_over=True)
        for feed, limit in self._looked_at(replay, office, newest):
            last = self._last_facts[feed]
            if feed in came and since:
                last = self._last_facts[feed] = LastFact(last.last, newest)
            change = self._change(replay, feed, last, limit, newest, has_come=feed in came)
            if change is not None:
                yield change
        if not self._looked_for_pictures or replay.kinds_since(since) & PICTURES:
            self._looked_for_pictures = True
            yield from self._pictures(replay, newest, since)

    def _newest(self) -> int:
        return max((known.last for known in self._last_facts.values()), default=0)

    def _looked_at(
        self, replay: Replay, office: Office, newest: int
    ) -> Iterator[tuple[Feed, SilenceLimit]]:
        """What is awaited, and what was told to be silent and has no limit of its own any more."""
        awaited = dict(awaited_feeds(replay, office, newest))
        for feed in [known for known in self.memory.silent if known not in awaited]:
            if feed in self._last_facts:
                awaited[feed] = office.silence_limit(feed.table, newest, feed.stream)
        yield from awaited.items()

    def _change(
        self,
        replay: Replay,
        feed: Feed,
        known: LastFact,
        limit: SilenceLimit,
        newest: int,
        *,
        has_come: bool,
    ) -> Silence | None:
        """What is to be told of one table or feed, and note it as told."""
        is_behind = newest - known.heard_at <= limit.micros < newest - known.last
        is_missed = newest - known.last > limit.micros
        was = feed in self.memory.silent, feed in self.memory.behind
        is_same = (is_missed, is_behind) == was and not (is_missed and has_come)
        is_allowed_now = was[0] and not is_missed and not has_come  # nothing was heard, yet
        if is_same or is_allowed_now or (is_missed and feed.table in self._shut):
            return None
        if is_missed and not is_open(replay, feed.table, last_time(replay, Feed(feed.table))):
            self._shut.add(feed.table)
            is_missed = is_behind = False
        self._note_missed(feed, known.last if is_missed else None, is_behind=is_behind)
        if (is_missed, is_behind) == was:
            return None
        return Silence(
            table=feed.table, stream=feed.stream, last_at=known.last, floor_at=newest,
            is_over=not is_missed, is_behind=is_behind, limit_micros=limit.micros,
            limit_fact=None if limit.fact is None else str(limit.fact),
        )  # fmt: skip

    def _note_missed(self, feed: Feed, last: int | None, *, is_behind: bool) -> None:
        """Note as told that a feed is silent or behind, or with None that it is neither."""
        self.memory.silent.pop(feed, None)
        self.memory.behind.discard(feed)
        if last is not None:
            self.memory.silent[feed] = last
        if is_behind:
            self.memory.behind.add(feed)

    def _note_last_facts(
        self, replay: Replay, office: Office, came: AnySet[Feed], recorded_at: int
    ) -> None:
        """Note the last fact of each table and awaited feed from which something came.

        None is taken to be later than it was recorded: a clock that runs ahead makes no other
        table silent, and keeps its own from falling silent no longer than until then.
        """
        wanted = [Feed(table) for table in replay.tables()]
        if office.staleness.names_feeds or any(feed.stream for feed in self.memory.silent):
            wanted += [
                Feed(table, stream)
                for table, streams in replay.tables().items()
                if len(streams) > 1
                for stream in streams
            ]
        for feed in wanted:
            if feed in came or feed not in self._last_facts:
                last = last_time(replay, feed)
                last = min(last, recorded_at or last)
                before = self._last_facts.get(feed)
                self._last_facts[feed] = LastFact(last, last if before is None else before.heard_at)

    def idle(
        self, replay: Replay, office: Office, recorded_at: int, watched_at: int
    ) -> Silence | None:
        """Return that nothing comes from any table any more, once, while one of them is open.

        Args:
            replay: the ledger's replay.
            office: what the property stated.
            recorded_at: when the last entry was recorded, microseconds UTC.
            watched_at: by the clock of who watches, microseconds UTC.
        """
        if WHOLE_FLOOR in self.memory.silent:
            return None
        look = self._idle_look
        if look.recorded_at == recorded_at and watched_at < look.due:
            return None
        floor = [Feed(table) for table in replay.tables()]
        ends = {feed: last_time(replay, feed) for feed in floor}
        newest = max(ends.values(), default=0)
        limits = dict(awaited_feeds(replay, office, newest))
        missed_from = sorted(
            (recorded_at + limits[feed].micros, feed.table)
            for feed in floor
            if newest - ends[feed] <= limits[feed].micros
        )
        self._idle_look = IdleLook(recorded_at, watched_at + LOOKED_BACK)
        for due, table in missed_from:
            if watched_at <= due:
                self._idle_look = IdleLook(recorded_at, due + 1)
                return None
            if is_open(replay, table, ends[Feed(table)]):
                limit = limits[Feed(table)]
                self.memory.silent[WHOLE_FLOOR] = recorded_at
                return Silence(
                    table=ALL_TABLES, last_at=recorded_at, floor_at=watched_at, is_over=False,
                    limit_micros=limit.micros,
                    limit_fact=None if limit.fact is None else str(limit.fact),
                )  # fmt: skip
        return None

    def _pictures(self, replay: Replay, newest: int, since: int) -> Iterator[Silence]:
        """The cameras of open tables whose picture was lost, or is back, since it was told last."""
        lost = self._lost_pictures(replay, since)
        before, self.memory.lost = self.memory.lost, lost
        for (table, camera), at in sorted(lost.items()):
            if (table, camera) not in before:
                yield Silence(
                    table=table, last_at=at, floor_at=newest, is_over=False, camera=camera
                )
        for (table, camera), at in sorted(before.items()):
            if (table, camera) not in lost:
                yield Silence(table=table, last_at=at, floor_at=newest, is_over=True, camera=camera)

    def _lost_pictures(self, replay: Replay, since: int) -> dict[tuple[str, str], int]:
        """The cameras of open tables without a picture, by table and camera, each with since when.

        What was read of a table is not read again, and no table of whose cameras nothing came.
        """
        lost: dict[tuple[str, str], int] = {}
        came = replay.arrived_since(since, PICTURES) if self._cameras else ()
        moved = {table_of(stream) for stream in came}
        for table, streams in replay.tables().items():
            is_read = table in self._cameras and table not in moved
            known = self._cameras.setdefault(table, TableCameras())
            steps = (
                () if is_read else replay.walk(streams, since=known.until or None, only=PICTURES)
            )
            for step in steps:
                if not isinstance(step, FactStep):
                    continue
                if isinstance(step.fact, CameraLost):
                    known.lost.setdefault(step.fact.camera, step.at)
                elif isinstance(step.fact, CameraRestored):
                    known.lost.pop(step.fact.camera, None)
            if is_read and not known.lost:
                continue
            last = last_time(replay, Feed(table))
            known.until = known.until if is_read else last + 1
            if known.lost and is_open(replay, table, last):
                lost |= {(table, camera): at for camera, at in known.lost.items()}
        return lost
