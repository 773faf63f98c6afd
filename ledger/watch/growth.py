"""A ledger as it grows: what came since the last look, and the house's facts read on with it.

What bears on nothing that was read of the house is not read again, and the custody of coupons is
followed on where what came lies after all that it knows, be it an office's.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AnySet
from dataclasses import field
from pathlib import Path
from typing import Final, NamedTuple

from ledger.analytics import JudgedTables
from ledger.audit import HouseRecord, last_of_coupons, numbered_here, streams_of_coupons
from ledger.audit.carried import CarriedStates
from ledger.audit.ledger_contract import FOREVER, stated_ends
from ledger.audit.office_inputs import OfficeInputs, office_inputs
from ledger.coupons.followed_events import WANTED
from ledger.events import FactAmended
from ledger.kernel import Finding, PropertyClock, table_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.log import read_log
from ledger.log.ledger_at_checkpoint import CACHE
from ledger.replay import Replay, StreamExtent
from ledger.watch.table_watch import BookRead, TableWatch

LOOKED_BACK: Final = 24 * 3_600_000_000
"""How far back the last fact of a coupon is looked for, in microseconds; it is taken to be no
earlier."""


class FollowedBook(NamedTuple):
    """How far the custody of coupons was followed, and through which streams."""

    read: BookRead
    streams: frozenset[str]


class Margins(NamedTuple):
    """By table, how far before a fact its clocks may let it bear, by what an office stated."""

    office: object
    by_table: dict[str, int]


@dataclass(slots=True)
class LedgerGrowth:
    """Reads a ledger on.

    Attributes:
        folder: the ledger.
        size: entries that were taken in and judged (``done``).
        replay: its replay; None before the first ``grow``.
        judged: its judged tables, with the house's facts.
        arrived: by stream, the first and the last time of what came since ``size``.
        extents: how far each stream goes.
        origin: the ledger's name.
        recorded_at: when the last entry was recorded, microseconds UTC; 0 if not known.
        clock: the property's.
        has_office_facts: whether an office's fact is among what came.
    """

    folder: Path
    size: int = 0
    replay: Replay | None = None
    judged: JudgedTables | None = None
    arrived: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    extents: dict[str, StreamExtent] = field(default_factory=dict)
    origin: str = ""
    recorded_at: int = 0
    clock: PropertyClock | None = None
    has_office_facts: bool = False
    _changed: AnySet[str] = frozenset()
    _extents_before: dict[str, StreamExtent] = field(default_factory=dict)
    _book: FollowedBook | None = None
    _readings: int = 0
    _inputs: OfficeInputs | None = None
    _carried: CarriedStates | None = None
    _margins: Margins = field(default_factory=lambda: Margins(None, {}))

    def grow(self) -> tuple[Replay, JudgedTables] | None:
        """Read what came since ``size``; None if nothing did.

        Raises:
            PropertyUnknown: no fact describes the property yet.
        """
        log = read_log(self.folder)
        if log.size == self.size:
            return None
        self.origin = log.origin
        before = self.replay
        replay = Replay.following(self.folder) if before is None else before.grown(log)
        self.replay = replay
        ((_, entry),) = log.entries(log.size - 1, log.size)
        self.recorded_at = getattr(entry, "record_time", self.recorded_at)
        self.arrived = replay.arrived_since(self.size)
        judged, earlier = JudgedTables(replay, self.folder / CACHE), self.judged
        self._changed = {*replay.streams()} if before is None else replay.changed_since(before)
        self._extents_before = self.extents
        self.extents = self.extents | {stream: replay.extent(stream) for stream in self._changed}
        self.has_office_facts = any(is_office(replay, stream) for stream in self.arrived)
        if (
            earlier is not None
            and not self.has_office_facts
            and self._is_as_sound(earlier, earlier)
        ):
            self._take_over(replay, judged, earlier)
        elif (
            earlier is not None
            and FactAmended.__name__ not in replay.kinds_since(self.size)
            and self._is_as_sound(earlier, judged)
        ):
            self._follow_book(replay, judged, earlier)
        else:
            self._book = None
        self.clock = judged.record.clock  # what is refused of the house is refused here
        self.judged, self._carried = judged, None
        return replay, judged

    def done(self) -> None:
        """Count what was read as judged."""
        assert self.replay is not None
        self.size = self.replay.size
        self.arrived, self.has_office_facts = {}, False

    def judge(self, watch: TableWatch, until: int, earliest: int | None) -> list[Finding]:
        """Judge a table's day on, and return all that is certain of it.

        Args:
            watch: the table's day.
            until: the first merge time that is not judged, microseconds UTC.
            earliest: the time of the first fact of the table that came; None: none did.
        """
        replay, judged = self.replay, self.judged
        assert replay is not None
        assert judged is not None
        house = judged.house
        if self._inputs is None or self.has_office_facts:
            self._inputs = office_inputs(replay, house.office)
        inputs, book = self._inputs, self._book_read(replay)
        streams = {*replay.tables()[watch.table]}
        if not watch.stands(inputs, book, house.coupons, streams):
            watch.forget_from(0)
        if earliest is not None:
            watch.forget_from(earliest, self._margin(house, watch.table))
        if self._carried is None:
            folder = self.folder / CACHE / "carried"
            self._carried = CarriedStates(folder, replay, house.office)
        findings = watch.judge(replay, house, self._carried, until, inputs)
        watch.hang_on(inputs, book, streams)
        return findings

    def _is_as_sound(self, earlier: JudgedTables, judged: JudgedTables) -> bool:
        """Whether nothing came since the last tick that tears a stream or mends it, be it up to
        what a control total states; nor another clock of the property.

        Args:
            earlier: the judged tables at the last tick.
            judged: those whose office states the totals now.
        """

        def soundness(
            extent: StreamExtent | None, stream: str, stated: Mapping[str, int]
        ) -> tuple[int, int, int, bool]:
            if extent is None:
                return 0, 0, stated.get(stream, 0), False
            short = max(stated.get(stream, 0) - extent.last_seq, 0)
            return extent.missing, extent.conflicts, short, extent.is_office

        stated_before = stated_ends(earlier.record.office)
        stated = stated_ends(judged.record.office)
        otherwise = {stream for stream, _ in stated.items() ^ stated_before.items()}
        return judged.record.clock == earlier.record.clock and all(
            soundness(self.extents.get(stream), stream, stated)
            == soundness(self._extents_before.get(stream), stream, stated_before)
            for stream in self._changed | otherwise
        )

    def _take_over(self, replay: Replay, judged: JudgedTables, earlier: JudgedTables) -> None:
        """Take over what was read of the house, and follow its coupons through what came."""
        came = replay.arrived_since(self.size, WANTED)
        judged.take_over(earlier, with_book=not came)
        if came:
            self._follow_book(replay, judged, earlier)

    def _follow_book(self, replay: Replay, judged: JudgedTables, earlier: JudgedTables) -> None:
        """Follow the coupons through what came, where that came in order after all that the book
        knows; else they are followed anew when somebody asks.
        """
        came = replay.arrived_since(self.size, WANTED)
        before, streams = self._book, streams_of_coupons(replay)
        first = min((begins for begins, _ in came.values()), default=FOREVER)
        joined = [] if before is None else [one for one in streams if one not in before.streams]
        sound = all(
            not (extent := self.extents[one]).missing and not extent.conflicts for one in joined
        )
        if before is None or first <= before.read.until or not sound:
            self._book = None
            return
        judged.follow_on(earlier, first)
        until = (
            max(before.read.until, last_of_coupons(replay, first)) if came else before.read.until
        )
        self._book = FollowedBook(BookRead(before.read.reading, until), frozenset(streams))

    def _book_read(self, replay: Replay) -> BookRead:
        """How far the custody of coupons is followed."""
        if self._book is None:
            newest = max((one.last_time for one in self.extents.values()), default=0)
            until = last_of_coupons(replay, newest - LOOKED_BACK)
            self._readings += 1
            read = BookRead(self._readings, until)
            self._book = FollowedBook(read, frozenset(streams_of_coupons(replay)))
        return self._book.read

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


def is_office(replay: Replay, stream: str) -> bool:
    """Whether a stream is an office's; what persons make of findings is none that bears on them."""
    return table_of(stream) in replay.offices() and not numbered_here(stream)
