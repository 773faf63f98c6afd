"""Where the facts of a log stand: one pass over its entries, 30 bytes a fact.

Beyond ``SPILL_ROWS`` these lie in a scratch file, so that the memory does not grow with the log.

The log leads each bundle back to its signed root before it hands it out. A pass may take up what an
earlier one read and the ledger's key sealed (``kept_index.py``), and read only what came since.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ledger.codec import decode as decode_fact
from ledger.codec import registry
from ledger.events import SUBJECTS, Fact, FactAmended, FactsAdded
from ledger.kernel import table_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.log.bulk_bundles import machine
from ledger.log.entry import ACCEPTED, EntryUnreadable, decode
from ledger.log.log_at_earlier_size import files_of
from ledger.log.port import Quarantined, ReadableLog, SchemaUsed
from ledger.log.stream_writers import terminal_of
from ledger.log.tiles import WIDTH, pack
from ledger.replay import amendments as corrections
from ledger.replay.amendments import (
    Amendment,
    Concerned,
    FirstRecording,
    Problem,
    apply,
    entitled,
    read_amendment,
)
from ledger.replay.attendance import STAFF, Attendance
from ledger.replay.bulk_index import read_bundles
from ledger.replay.bundles import Bundles, note_others, opening_state, snapshot_of
from ledger.replay.errors import EntryWrong
from ledger.replay.fact_header import EntryHead, fact_head, framed_after, framed_at, head_of
from ledger.replay.growing_stream import GrowingStream
from ledger.replay.roster import KINDS as CREDENTIALS
from ledger.replay.roster import Roster, roster_of
from ledger.replay.row_blocks import (
    PACKED_ROW,
    ROW,
    MergedRows,
    Rows,
)
from ledger.replay.scratch_file import ScratchFile
from ledger.replay.stream_index import (
    KIND_UNKNOWN,
    StreamIndex,
    in_order,
    kind_numbers,
)

if TYPE_CHECKING:
    from ledger.log.ledger_at_checkpoint import FileSnapshot

TABLE_SUBJECTS: Final = frozenset({"tables", "dice", "wheel", "cards", "wagers"})
"""A group of streams with a fact of one of these is a table; any other is an office."""
CORRECTING: Final = frozenset({FactAmended.__name__, FactsAdded.__name__})
KEPT: Final = CORRECTING | {*STAFF}
"""The facts by which corrections and additions are judged."""
SOURCES: Final = 65_535
"""How many sources of one stream are told apart by number; the rest are read from their facts."""
SPILL_ROWS: Final = 300_000
"""How many facts a pass keeps in memory before it writes their rows into its scratch file."""
PREFIX: Final = 2
"""Bytes of the length that stands before each entry of a bundle."""


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
        opening_state: of the log; see ``bundles.opening_state``.
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
    opening_state: bytes = b""
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


def first_difference(index: Index, other: Index) -> str | None:
    """Return what two indexes of one log know differently, in words; None where nothing is."""
    for name in sorted({*index.streams, *other.streams}):
        mine, theirs = index.streams.get(name), other.streams.get(name)
        if mine is None or theirs is None or not np.array_equal(mine.rows, theirs.rows):
            return f"the facts of {name}"
        if mine.ends != theirs.ends or not np.array_equal(mine.times, theirs.times):
            return f"the times of {name}"
        if not np.array_equal(mine.conflicts, theirs.conflicts):
            return f"the rivals of facts of {name}"
        for attribute in ("sources", "subjects", "events", "late", "odd_keys", "proven_at"):
            if getattr(mine, attribute) != getattr(theirs, attribute):
                return f"{attribute.replace('_', ' ')} of {name}"
    if not np.array_equal(index.unreadable, other.unreadable):
        return "what is no fact"
    for table in {*index.tables, *other.tables}:
        if index.attendance.all_places(table) != other.attendance.all_places(table):
            return f"who stood at {table}"
    if index.amendments != other.amendments or index.attendance.added != other.attendance.added:
        return "corrections and additions"
    return None if index.digests == other.digests else "hashes of the entries"


class Correction(NamedTuple):
    """An amendment or an addition: its event, position, offset in the bundle, framed bytes."""

    event: str
    position: int
    offset: int
    framed: bytes


class FinishedStream(NamedTuple):
    """A stream as it was finished last.

    Attributes:
        known: its index.
        without: positions of the amendments of facts that it has not.
        extent: how many facts and bytes of rivals it had.
    """

    known: StreamIndex
    without: set[int]
    extent: tuple[int, int]


def build(log: ReadableLog, *, as_recorded: bool = False) -> Index:
    """Read and index a log.

    Args:
        log: the log; all of its entries are read once.
        as_recorded: index the facts as if nothing had been amended.

    Raises:
        EntryWrong: an entry cannot be read.
        KeyTwice: two accepted entries have one key.
    """
    note_others()
    reading = IndexPass(as_recorded=as_recorded, goes_on=False)
    reading.read_on(log)
    return reading.index()


class IndexPass:
    """A pass over a log, which may go on where it ended once the log has grown.

    Args:
        as_recorded: index the facts as if nothing had been amended.
        goes_on: whether more will be read; else what was read is let go while the index is made.
    """

    def __init__(self, *, as_recorded: bool = False, goes_on: bool) -> None:
        self.as_recorded = as_recorded
        self.goes_on = goes_on
        self.size = 0
        self.kept_size = 0  # of what was taken up and not read
        self.offset = 0
        self.growing: dict[bytes, GrowingStream] = {}
        self.subjects: dict[bytes, str] = {}
        self.events: dict[bytes, str] = {}
        self.conflicts: dict[str, bytearray] = {}
        self.unreadable = bytearray()
        self.digests = bytearray()
        self.opening_state = b""
        self.head = EntryHead(b"\xff", None)
        self.is_of_terminal = False
        self.kinds = kind_numbers()
        self.kept: dict[bytes, str] = {}
        self.read_amendments: list[Amendment] = []
        self.amendments: list[Amendment] = []
        self.attendance = Attendance()
        self.corrections: list[Correction] = []
        self.finished: dict[str, FinishedStream] = {}
        self.scratch = ScratchFile()
        self.in_memory = 0

    def read_on(self, log: ReadableLog) -> None:
        """Read the entries that a log has beyond those that were read.

        Args:
            log: the same log, grown.

        Raises:
            EntryWrong: an entry cannot be read.
        """
        self.log = log
        self.attendance = replace(self.attendance, _stays={})
        self.opening_state = opening_state(log)
        files, size, later = snapshot_of(log), log.size, files_of(log)
        if files is not None:
            machine(size - self.size)  # loaded where it is worth it, for all bundles that follow
        if later is not None and not later.is_sealed:  # at an earlier size, too
            self._read_each(files, -(-self.size // WIDTH) * WIDTH)
            first, stop = self.size // WIDTH, size // WIDTH
            whole = read_bundles(self, later, first, stop, digests=files is not None)
            if whole * WIDTH > self.size:
                self.size, self.offset = whole * WIDTH, 0
        self._read_each(files, size)

    def _read_each(self, files: FileSnapshot | None, size: int) -> None:
        """Read the entries up to a size of the log, bundle by bundle."""
        size = min(size, self.log.size)
        offset, bundles = self.offset, self.log.bundles if files is None else files.signed_bundles
        for first, signed in bundles(self.size, size):
            if files is not None and not (first + len(signed)) % WIDTH:
                whole, stop = signed, first + len(signed)
                if first % WIDTH:  # the beginning of this bundle was read before
                    ((_, whole),) = files.signed_bundles(first - first % WIDTH, stop)
                self.digests += sha256(pack(whole)).digest()
            entries = signed if files is None else files.opened(first, signed)
            for position, entry in enumerate(entries, first):
                if not position % WIDTH:
                    offset = PREFIX
                self.take(entry, position, offset)
                offset += len(entry) + PREFIX
            self.spill(len(entries))
        self.size, self.offset = size, offset

    def take(self, entry: bytes, position: int, offset: int) -> None:
        """Take in an entry.

        Args:
            entry: its bytes.
            position: its place in the log.
            offset: where it begins in its bundle, in bytes.

        Raises:
            EntryWrong: it cannot be read.
        """
        try:
            if entry[0] == ACCEPTED:
                self.accepted(entry, position, offset)
            else:
                self.take_other_entry(entry, position, offset)
        except (EntryUnreadable, UnicodeDecodeError, IndexError) as error:
            raise EntryWrong(position, str(error)) from error

    def spill(self, more: int) -> None:
        """Write the rows of all streams into the scratch file where there are many.

        Without room there they stay in memory.

        Args:
            more: how many entries were taken since this was asked last.
        """
        self.in_memory += more
        if self.in_memory <= SPILL_ROWS:
            return
        self.in_memory = 0
        for own in self.growing.values():
            if not own.spill(self.scratch):
                return

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
            opening_state=self.opening_state,
        )

    def accepted(self, entry: bytes, position: int, offset: int) -> None:
        """Take in a fact.

        Args:
            entry: the entry's bytes.
            position: its place in the log.
            offset: where it begins in its bundle, in bytes.
        """
        odd: bytes | None = None
        framed = framed_after(entry, self.head) if entry.startswith(self.head.raw) else None
        if framed is not None:  # as of nearly all entries
            at = framed
        else:
            at, odd = framed_at(entry)
            self.head = head_of(entry)
            topic = self.head.topic
            self.is_of_terminal = topic is not None and terminal_of(topic) is not None
        name, seq, moment, source = fact_head(entry, at)
        own = self.growing.get(name)
        if own is None:
            own = self.growing[name] = GrowingStream()
        if self.is_of_terminal and own.proven_at is None:
            own.proven_at = moment
        number = own.sources.get(source)
        if number is None:
            number = self.new_source(own, source)
        head = entry[at : at + 5]
        kind = self.kinds.get(head, KIND_UNKNOWN)
        length = len(entry) - at
        own.rows += PACKED_ROW.pack(seq, moment, position, offset + at, length, number, kind)
        own.schemas.add(head)
        own.count += 1
        if seq < own.highest:
            own.note_seqs((seq,))
        else:
            own.highest = seq
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
        if name in CORRECTING:
            self.correct(Correction(name, position, offset + at, entry[at:]))
        else:
            stream, _, moment, _ = fact_head(entry, at)
            places = self.attendance.places.setdefault(table_of(stream.decode()), [])
            places.append((moment, position, offset + at, len(entry) - at))

    def correct(self, correction: Correction) -> None:
        """Take in an amendment or an addition."""
        self.corrections.append(correction)
        if correction.event == FactAmended.__name__:
            if self.as_recorded:
                return
            self.read_amendments.append(
                read_amendment(correction.framed, 0, correction.position, correction.offset)
            )
        else:
            self.attendance.added_framed.append(correction.framed)

    def new_source(self, own: GrowingStream, source: bytes) -> int:
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
            self.know_event(head, name)
        elif isinstance(decoded, Quarantined):
            rows, seq = self.unreadable, 0
            if decoded.conflicts_with is not None:
                stream, seq, _ = decoded.conflicts_with
                rows = self.conflicts.setdefault(stream, bytearray())
            rows += PACKED_ROW.pack(seq, 0, position, offset, len(entry), 0, KIND_UNKNOWN)

    def know_event(self, head: bytes, name: str) -> None:
        """Know the event of the framed events that begin with these bytes."""
        self.events[head], self.subjects[head] = name, SUBJECTS.get(name, "")
        if name in KEPT:
            self.kept[head] = name

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
            for row in own.arrived()() if own.schemas & heads else ():
                _, at, position, offset, length, *_ = row.item()
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
            rows = np.empty(0, ROW) if own is None else own.arrived()()
            for row in rows[np.isin(rows["seq"], sorted(seqs))]:
                seq, _, position, offset, length, *_ = row.item()
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
        self.amendments = corrections.in_order(self.read_amendments)
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
            stream, own = name.decode(), self.growing[name]
            rivals = self.conflicts.get(stream, b"")
            done = self.finished.get(stream)
            extent = own.count, len(rivals)
            if done is None or done.extent != extent or stream in amended or done.known.amended:
                conflicts = np.frombuffer(bytes(rivals), ROW)
                index, without = self.stream(stream, own, conflicts, amended.get(stream, []))
                done = FinishedStream(index, without, extent)
            out[stream] = done.known
            nothing |= done.without
            if self.goes_on:
                self.finished[stream] = done
            else:
                del self.growing[name]
        self.amendments = [
            replace(one, problem=Problem.NO_SUCH_FACT) if one.position in nothing else one
            for one in self.amendments
        ]
        return out

    def stream(
        self, stream: str, own: GrowingStream, conflicts: Rows, amended: list[Amendment]
    ) -> tuple[StreamIndex, set[int]]:
        """The finished index of one stream, and the amendments of facts that it has not."""
        arrived, is_late = own.arrived(), bool(own.late)
        ends, last_recorded = None if amended else own.ends(), own.last_recorded()
        blocks = None if amended else own.blocks(goes_on=self.goes_on)
        if not self.goes_on:
            own.forget_fresh()

        def merge() -> MergedRows:
            return MergedRows.of(in_order(stream, arrived(), is_late=is_late))

        before: dict[int, FirstRecording] = {}
        nothing: set[int] = set()
        merged: MergedRows | Callable[[], MergedRows] = merge
        if amended:
            rows = in_order(stream, arrived(), is_late=is_late)
            rows, before, nothing = apply(rows, amended)
            merged = MergedRows.of(rows)
            for seq, before_amendment in before.items():
                own.marks.cut(seq - 1)
                replacement = before_amendment.amendment.fact.replacement
                if replacement:
                    head = self.note_event(replacement[:5])
                    own.schemas.add(head)
                    rows["kind"][rows["seq"] == seq] = self.kinds.get(head, KIND_UNKNOWN)
        elif blocks is not None:
            merged = blocks.merged
        elif own.kept is None:
            merged = merge()
        if own.names is None or own.names[0] != (len(own.schemas), len(self.events)):
            own.names = (
                (len(own.schemas), len(self.events)),
                frozenset(self.subjects.get(one, "") for one in own.schemas),
                frozenset(self.events.get(one, "") for one in own.schemas),
            )
        _, subjects, events = own.names
        order = np.argsort(conflicts["seq"], kind="stable") if len(conflicts) else ...
        in_order_of_seq = conflicts[order]
        index = StreamIndex(
            stream=stream,
            merged=merged,
            known_ends=ends,
            blocks=blocks,
            sources=tuple(source.decode() for source in own.sources),
            subjects=subjects,
            events=events,
            late=own.late,
            conflicts=in_order_of_seq,
            odd_keys=tuple(sorted(own.odd_keys)),
            marks=own.marks,
            proven_at=own.proven_at,
            amended=before,
            last_recorded=last_recorded,
        )
        return index, nothing
