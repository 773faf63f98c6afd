"""Where the facts of a log stand: one pass over all of its entries, 28 bytes a fact.

It is made from the entries each time, which the log leads back to its signed root, and never from
a stored shortcut: a row left out of a shortcut would hide a fact, and nothing would show it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from struct import Struct
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from ledger.codec import decode as decode_fact
from ledger.codec import registry
from ledger.events import SUBJECTS, Fact, FactAmended, FactsAdded
from ledger.kernel import table_of
from ledger.log.entry import ACCEPTED, EntryUnreadable, coordinates_of, decode
from ledger.log.port import Quarantined, ReadableLog, SchemaUsed
from ledger.log.stream_writers import terminal_of
from ledger.log.tiles import WIDTH, pack
from ledger.replay.amendments import (
    Amendment,
    Concerned,
    FirstRecording,
    Problem,
    apply,
    entitled,
    in_order,
    read_amendment,
)
from ledger.replay.attendance import STAFF, Attendance
from ledger.replay.bundles import Bundles, snapshot_of
from ledger.replay.errors import EntryWrong, KeyTwice
from ledger.replay.fact_header import fact_head, framed_at
from ledger.replay.merge_time import Times, merge_times
from ledger.replay.roster import KINDS as CREDENTIALS
from ledger.replay.roster import Roster, roster_of

if TYPE_CHECKING:
    from hashlib import _Hash

TABLE_SUBJECTS: Final = frozenset({"tables", "dice", "wheel", "cards", "wagers"})
"""A group of streams with a fact of one of these is a table; any other is an office."""
KEPT: Final = frozenset({FactAmended.__name__, FactsAdded.__name__, *STAFF})
"""The facts by which corrections and additions are judged."""
SOURCES: Final = 65_535
"""How many sources of one stream are told apart by number; the rest are read from their facts."""
PREFIX: Final = 2
"""Bytes of the length that stands before each entry of a bundle."""
MARK_EVERY: Final = 4_096
"""Facts between two kept states of a stream's prefix hash."""

_ROW: Final = Struct("<qqIIHH")
ROW: Final = np.dtype(
    [
        ("seq", "<i8"),
        ("time", "<i8"),
        ("position", "<u4"),
        ("offset", "<u4"),  # of the framed event in its bundle
        ("length", "<u2"),
        ("source", "<u2"),
    ]
)
Rows = NDArray[np.void]
"""Rows with the columns of ``ROW``."""


@dataclass(slots=True)
class PrefixStates:
    """States of a prefix hash, so that a later one need not begin at the first fact.

    Attributes:
        counts: after how many facts by sequence number each state was kept.
        lasts: the sequence number of the last of these facts.
        states: the SHA-256 states.
    """

    counts: list[int] = field(default_factory=list)
    lasts: list[int] = field(default_factory=list)
    states: list[_Hash] = field(default_factory=list)

    def add(self, count: int, last: int, state: _Hash) -> None:
        """Keep a copy of a state.

        Args:
            count: how many facts the state covers.
            last: the sequence number of the last of them.
            state: a SHA-256 under way; it may be updated further, since a copy is kept.
        """
        self.counts.append(count)
        self.lasts.append(last)
        self.states.append(state.copy())

    def __reduce__(self) -> tuple[type[PrefixStates], tuple[()]]:
        """A copy in another process begins anew: the state of a hash cannot be copied there."""
        return PrefixStates, ()

    def cut(self, seq: int) -> None:
        """Drop the states that a fact arriving late no longer allows."""
        while self.lasts and self.lasts[-1] > seq:
            self.counts.pop()
            self.lasts.pop()
            self.states.pop()


@dataclass(slots=True)
class StreamIndex:
    """One stream: its rows by sequence number, and their merge times.

    Attributes:
        stream: its name.
        rows: its facts, after amendments; the length of a withdrawn one is 0.
        times: the merge time of each row, in microseconds UTC.
        is_rising: whether the merge times are the event times.
        has_strays: whether a merge time may depend on facts that come after it.
        sources: the names of its sources; the column ``source`` counts in it.
        subjects: the subjects of its events.
        events: the names of its events.
        late: how many facts arrived after one with a higher number.
        conflicts: quarantined rivals of its facts, by the number that they claim.
        proven_at: event time of the first fact that came by the own topic of its terminal, in
            microseconds UTC; None if none did.
        odd_keys: facts that came under another key: sequence number and key.
        marks: kept states of its prefix hash.
        amended: amended facts as they were before, by sequence number.
    """

    stream: str
    rows: Rows
    times: Times
    is_rising: bool
    has_strays: bool
    sources: tuple[str, ...]
    subjects: frozenset[str]
    events: frozenset[str]
    late: int
    conflicts: Rows
    odd_keys: tuple[tuple[int, bytes], ...]
    marks: PrefixStates
    proven_at: int | None
    amended: dict[int, FirstRecording] = field(default_factory=dict)


@dataclass(slots=True)
class Index:
    """The index of a whole log.

    Attributes:
        size: how many entries were read.
        root: the tree hash at that size.
        digests: SHA-256 of each full bundle, 32 bytes each; see ``bundles.py``.
        streams: by name, in byte order.
        unreadable: quarantined bytes that are no fact.
        events: by the first bytes of a framed event, its name.
        amendments: all of them, in the order in which they count.
        attendance: who stood at each table, and what persons added.
        tables: by table, its streams.
        offices: by office, its streams.
    """

    size: int
    root: bytes
    digests: bytes
    streams: dict[str, StreamIndex]
    unreadable: Rows
    events: dict[bytes, str]
    amendments: tuple[Amendment, ...] = ()
    attendance: Attendance = field(default_factory=Attendance)
    tables: dict[str, tuple[str, ...]] = field(default_factory=dict)
    offices: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        groups: dict[str, list[str]] = {}
        for stream in sorted(self.streams, key=str.encode):
            groups.setdefault(table_of(stream), []).append(stream)
        for group in sorted(groups, key=str.encode):
            streams = tuple(groups[group])
            at_table = any(self.streams[one].subjects & TABLE_SUBJECTS for one in streams)
            (self.tables if at_table else self.offices)[group] = streams


class _GrowingStream:
    """One stream while it is read, in order of arrival."""

    __slots__ = (
        "count", "hashing", "highest", "late", "lowest_late", "marks", "odd_keys", "proven_at",
        "rows", "schemas", "sources", "state",
    )  # fmt: skip

    def __init__(self) -> None:
        self.rows = bytearray()
        self.count = 0
        self.highest = 0
        self.proven_at: int | None = None
        self.late = 0
        self.lowest_late = 1 << 63
        self.sources: dict[bytes, int] = {}
        self.schemas: set[bytes] = set()
        self.odd_keys: list[tuple[int, bytes]] = []
        self.state = sha256()
        self.hashing = True
        self.marks = PrefixStates()

    def came_late(self, seq: int) -> None:
        """A fact came after one with a higher seq."""
        self.late += 1
        self.hashing = False
        if seq < self.lowest_late:
            self.lowest_late = seq
            self.marks.cut(seq)


def build(log: ReadableLog, *, as_recorded: bool = False) -> Index:
    """Read and index a log.

    Args:
        log: the log; all of its entries are read once.
        as_recorded: index the facts as if nothing had been amended.

    Raises:
        EntryWrong: an entry cannot be read.
        KeyTwice: two accepted entries have one key.
    """
    return IndexPass(log, as_recorded=as_recorded, goes_on=False).index()


class IndexPass:
    """A pass over a log, which may go on where it ended once the log has grown.

    Args:
        log: the log.
        as_recorded: index the facts as if nothing had been amended.
        goes_on: whether more will be read; else what was read is let go while the index is made.
    """

    def __init__(self, log: ReadableLog, *, as_recorded: bool = False, goes_on: bool) -> None:
        self.log = log
        self.as_recorded = as_recorded
        self.goes_on = goes_on
        self.size = 0
        self.offset = 0
        self.growing: dict[bytes, _GrowingStream] = {}
        self.subjects: dict[bytes, str] = {}
        self.events: dict[bytes, str] = {}
        self.conflicts: dict[str, bytearray] = {}
        self.unreadable = bytearray()
        self.digests = bytearray()
        self.plain = b"\xff"
        self.kept: dict[bytes, str] = {}
        self.read_amendments: list[Amendment] = []
        self.amendments: list[Amendment] = []
        self.attendance = Attendance()
        self.read_on(log)

    def read_on(self, log: ReadableLog) -> None:
        """Read the entries that a log has beyond those that were read.

        Args:
            log: the same log, grown.

        Raises:
            EntryWrong: an entry cannot be read.
        """
        offset, began = self.offset, self.size
        self.log = log
        self.attendance = replace(self.attendance, _stays={})
        is_folder = snapshot_of(log) is not None
        for first, entries in log.bundles(began, log.size):
            if is_folder and not (first + len(entries)) % WIDTH:
                whole = entries
                if first % WIDTH:  # the beginning of this bundle was read before
                    ((_, whole),) = log.bundles(first - first % WIDTH, first + len(entries))
                self.digests += sha256(pack(whole)).digest()
            for position, entry in enumerate(entries, first):
                if not position % WIDTH:
                    offset = PREFIX
                try:
                    if entry[0] == ACCEPTED:
                        self.accepted(entry, position, offset)
                    else:
                        self.take_other_entry(entry, position, offset)
                except (EntryUnreadable, UnicodeDecodeError, IndexError) as error:
                    raise EntryWrong(position, str(error)) from error
                offset += len(entry) + PREFIX
        self.size, self.offset = log.size, offset

    def index(self) -> Index:
        """Return the index of all entries that were read.

        Raises:
            KeyTwice: two accepted entries have one key.
        """
        streams = self.streams()
        return Index(
            size=self.size,
            root=self.log.root,
            digests=bytes(self.digests),
            streams=streams,
            amendments=tuple(self.amendments),
            attendance=self.attendance,
            unreadable=np.frombuffer(bytes(self.unreadable), ROW),
            events=dict(self.events),
        )

    def accepted(self, entry: bytes, position: int, offset: int) -> None:
        """Take in a fact.

        Args:
            entry: the entry's bytes.
            position: its place in the log.
            offset: where it begins in its bundle, in bytes.
        """
        odd: bytes | None = None
        by_topic = False
        if entry.startswith(self.plain):  # one append writes the same bytes before most facts
            at = len(self.plain)
            at += 1 if entry[at] < 128 else 2 if entry[at + 1] < 128 else 3
        else:
            at, odd = framed_at(entry)
            length = len(entry) - at
            before = at - (1 if length < 64 else 2 if length < 8192 else 3)
            if odd is None and entry[before - 2 : before] == b"\x00\x00":
                self.plain = entry[:before]
            else:
                by_topic = True
        name, seq, moment, source = fact_head(entry, at)
        own = self.growing.get(name)
        if own is None:
            own = self.growing[name] = _GrowingStream()
        if by_topic and own.proven_at is None:
            place = coordinates_of(entry)
            if place is not None and terminal_of(place.topic) is not None:
                own.proven_at = moment
        number = own.sources.get(source)
        if number is None:
            number = self.new_source(own, source)
        own.rows += _ROW.pack(seq, moment, position, offset + at, len(entry) - at, number)
        head = entry[at : at + 5]
        own.schemas.add(head)
        own.count += 1
        if seq < own.highest:
            own.came_late(seq)
        else:
            own.highest = seq
            if own.hashing:
                own.state.update(entry[at:])
                if not own.count % MARK_EVERY:
                    own.marks.add(own.count, seq, own.state)
        if odd is not None:
            own.odd_keys.append((seq, odd))
        if head in self.kept:
            self.keep(self.kept[head], entry, at, position, offset)

    def keep(self, name: str, entry: bytes, at: int, position: int, offset: int) -> None:
        """Take in a fact by which another one is judged: an amendment, an addition, staff.

        Args:
            name: the name of its event.
            entry: the bytes of its log entry.
            at: where in them the framed fact begins.
            position: of the entry in the log.
            offset: of the entry in the bundle, in bytes.
        """
        if name == FactAmended.__name__:
            self.read_amendments.append(read_amendment(entry, at, position, offset))
        elif name == FactsAdded.__name__:
            added = decode_fact(entry[at:])
            assert isinstance(added, FactsAdded)
            self.attendance.added.append(added)
        else:
            stream, _, moment, _ = fact_head(entry, at)
            places = self.attendance.places.setdefault(table_of(stream.decode()), [])
            places.append((moment, position, offset + at, len(entry) - at))

    def new_source(self, own: _GrowingStream, source: bytes) -> int:
        """The number of a source that the stream did not have before."""
        number = len(own.sources)
        if number >= SOURCES:
            return SOURCES
        source.decode()
        own.sources[source] = number
        return number

    def take_other_entry(self, entry: bytes, position: int, offset: int) -> None:
        """Take in a quarantined arrival or a schema.

        Args:
            entry: the entry's bytes.
            position: its place in the log.
            offset: where it begins in its bundle, in bytes.
        """
        decoded = decode(entry)
        if isinstance(decoded, SchemaUsed):
            name = decoded.name.rpartition(".")[2]
            head = b"\x00" + decoded.id.to_bytes(4, "big")
            self.events[head], self.subjects[head] = name, SUBJECTS.get(name, "")
            if name in KEPT and not (self.as_recorded and name == FactAmended.__name__):
                self.kept[head] = name
        elif isinstance(decoded, Quarantined):
            rows, seq = self.unreadable, 0
            if decoded.conflicts_with is not None:
                stream, seq, _ = decoded.conflicts_with
                rows = self.conflicts.setdefault(stream, bytearray())
            rows += _ROW.pack(seq, 0, position, offset, len(entry), 0)

    def note_event(self, head: bytes) -> bytes:
        """Know the event of a replacement, which the log may use nowhere else."""
        if head not in self.events:
            name = next(one.name for one in registry() if one.id == int.from_bytes(head[1:], "big"))
            self.events[head], self.subjects[head] = name, SUBJECTS.get(name, "")
        return head

    def roster(self) -> Roster:
        """Who holds a credential, by the facts as they were recorded first."""
        return roster_of(self.credentials() if self.amendments else ())

    def credentials(self) -> Iterator[tuple[int, Fact]]:
        """The facts that a roster is read from, each with its event time."""
        bundles = Bundles(self.log, self.size, bytes(self.digests))
        heads = {head for head, name in self.events.items() if name in CREDENTIALS}
        for own in self.growing.values():
            rows = np.frombuffer(bytes(own.rows), ROW) if own.schemas & heads else ()
            for row in rows:
                _, at, position, offset, length, _ = row.item()
                framed = bundles(position // WIDTH)[offset : offset + length]
                if framed[:5] in heads:
                    yield at, decode_fact(framed)

    def concerned(self) -> Concerned:
        """Whom an amendment concerns, by the facts as they were recorded first."""
        bundles = Bundles(self.log, self.size, bytes(self.digests))
        keys: dict[str, set[int]] = {}
        for amendment in self.amendments:
            keys.setdefault(amendment.fact.amended_stream, set()).add(amendment.fact.amended_seq)
        first: dict[tuple[str, int], tuple[int, int, int]] = {}
        for stream, seqs in keys.items():
            own = self.growing.get(stream.encode())
            rows = np.frombuffer(bytes(own.rows) if own else b"", ROW)
            for row in rows[np.isin(rows["seq"], sorted(seqs))]:
                seq, _, position, offset, length, _ = row.item()
                first[stream, seq] = position, offset, length

        def concerned(fact: FactAmended, earlier: FactAmended | None) -> Mapping[str, str]:
            versions = [
                decode_fact(one.replacement)
                for one in (earlier, fact)
                if one is not None and one.replacement is not None
            ]
            place = first.get((fact.amended_stream, fact.amended_seq))
            if place is not None:
                position, offset, length = place
                framed = bundles(position // WIDTH)[offset : offset + length]
                versions.insert(0, decode_fact(framed))
            return self.attendance.concerned(versions, earlier, bundles)

        return concerned

    def streams(self) -> dict[str, StreamIndex]:
        """The streams in byte order; what they grew in is let go one by one."""
        out = {}
        amended: dict[str, list[Amendment]] = {}
        self.amendments = in_order(self.read_amendments)
        self.amendments = entitled(self.amendments, self.roster(), self.concerned())
        for amendment in self.amendments:
            amended.setdefault(amendment.fact.amended_stream, []).append(amendment)
        nothing = {
            one.position
            for stream, of_stream in amended.items()
            if stream.encode() not in self.growing
            for one in of_stream
        }
        for name in sorted(self.growing):
            stream = name.decode()
            own = self.growing[name]
            conflicts = np.frombuffer(bytes(self.conflicts.get(stream, b"")), ROW)
            out[stream], without = self.stream(stream, own, conflicts, amended.get(stream, []))
            nothing |= without
            if not self.goes_on:
                del self.growing[name]
        self.amendments = [
            replace(one, problem=Problem.NO_SUCH_FACT) if one.position in nothing else one
            for one in self.amendments
        ]
        return out

    def stream(
        self, stream: str, own: _GrowingStream, conflicts: Rows, amended: list[Amendment]
    ) -> tuple[StreamIndex, set[int]]:
        """The finished index of one stream, and the amendments of facts that it has not."""
        rows = np.frombuffer(bytes(own.rows), ROW)
        if not self.goes_on:
            own.rows = bytearray()
        if own.late:
            rows = rows[np.argsort(rows["seq"], kind="stable")]
        again = np.flatnonzero(rows["seq"][1:] == rows["seq"][:-1])
        if len(again):
            raise KeyTwice(stream, int(rows["seq"][again[0]]), int(rows["position"][again[0] + 1]))
        before: dict[int, FirstRecording] = {}
        nothing: set[int] = set()
        if amended:
            rows, before, nothing = apply(rows, amended)
            for seq, before_amendment in before.items():
                own.marks.cut(seq - 1)
                if before_amendment.amendment.fact.replacement:
                    own.schemas.add(
                        self.note_event(before_amendment.amendment.fact.replacement[:5])
                    )
        times, has_strays = merge_times(rows["time"])
        index = StreamIndex(
            stream=stream,
            rows=rows,
            times=times,
            is_rising=not has_strays and bool((times == rows["time"]).all()),
            has_strays=has_strays,
            sources=tuple(source.decode() for source in own.sources),
            subjects=frozenset(self.subjects.get(one, "") for one in own.schemas),
            events=frozenset(self.events.get(one, "") for one in own.schemas),
            late=own.late,
            conflicts=conflicts[np.argsort(conflicts["seq"], kind="stable")],
            odd_keys=tuple(sorted(own.odd_keys)),
            marks=own.marks,
            proven_at=own.proven_at,
            amended=before,
        )
        return index, nothing
