"""The index kept on disk, so that a question reads only the entries that came since.

Beside the ledger lie segments, each with what one stretch of the log added to the index: the rows
of each stream and what else a pass notes, in parts that are read by themselves. A head names every
part with its SHA-256, the size and the root of the log that it was made of, and the code that made
it; the ledger's key seals the head. Rows lie in blocks, which a part of their own names likewise: a
question about a day reads those of the day. Whatever is missing, of another code or another ledger,
or not what was sealed is read from the entries again. A newer segment takes in those that are not
twice as long: there are few of them, and each row is written a few times only.

Whoever signs a night or verifies does without it, and ``verify --judged`` compares it with the
entries.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from functools import lru_cache, partial
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ledger.kernel.code_fingerprint import code_fingerprint
from ledger.kernel.quick_dataclass import dataclass
from ledger.log import EarlierLog
from ledger.log.port import ReadableLog
from ledger.log.signed_file_index import SealedFolder, Seals
from ledger.replay.attendance import Place
from ledger.replay.bundles import opening_state, snapshot_of
from ledger.replay.growing_stream import GrowingStream
from ledger.replay.index import Correction, IndexPass
from ledger.replay.packed_columns import pack_columns, unpack_columns
from ledger.replay.row_blocks import BLOCK_ROWS, ROW, Block, MergedRows, Rows, blocks_of
from ledger.replay.stream_index import Ends, in_order

FOLDER: Final = "index"
KIND: Final = "index"
"""What the head is called in the index that seals it."""
HEAD: Final = "head"
KEEP_EVERY: Final = 2_048
"""Entries that a question reads by itself rather than have them kept."""
GRACE: Final = 3_600.0
"""Seconds that a segment stays after no head names it: somebody may be reading it."""
CODE: Final = ("kernel", "events", "codec", "log", "replay")
"""Folders whose code decides what an index holds."""
PLACES: Final = np.dtype([("time", "<i8"), ("position", "<i8"), ("at", "<i8"), ("length", "<i8")])
"""Places of staff facts; see ``Attendance``."""

BLOCKS_HELD: Final = 32
"""Blocks of rows that stay in memory for a process that asks again and again."""

Ref = tuple[str, int, int, str]
"""A part: its segment, where it begins in it, its length in bytes, its SHA-256 in hexadecimal."""
_BlockRow = tuple[int, list[int], list[int], int, str]
"""A block of rows: as in ``Block``, then its length in bytes, its SHA-256 in hexadecimal."""


class _PartWrong(Exception):
    """A part is not there, or not what was sealed."""


@dataclass(slots=True)
class _Head:
    """What the head says.

    Attributes:
        size: entries of the log that the segments cover.
        root: the log's tree hash at that size, in hexadecimal.
        offset: as in ``IndexPass``.
        events: by the first bytes of a framed event in hexadecimal, its name.
        segments: names and lengths in entries, the oldest first.
        streams: by name, what is known of each stream without its rows.
        parts: by name, where each part lies, in order of arrival.
        code: what made it.
    """

    size: int
    root: str
    offset: int
    events: dict[str, str]
    segments: list[tuple[str, int]]
    streams: dict[str, dict[str, Any]]
    parts: dict[str, list[Ref]]
    code: str

    @classmethod
    def empty(cls) -> _Head:
        """What is known where nothing is kept."""
        return cls(0, "", 0, {}, [], {}, {}, "")


class KeptIndex:
    """The kept index of one ledger.

    Args:
        log: the ledger's log as it stands.
        folder: where it lies.
        seals: those of the ledger.
    """

    def __init__(self, log: ReadableLog, folder: Path, seals: Seals) -> None:
        self._log = log
        self._folder = folder
        self._sealed = SealedFolder(folder, KIND, seals)
        self._head = _Head.empty()
        self._again: IndexPass | None = None
        self._unpacked = lru_cache(BLOCKS_HELD)(self._unpack)

    def size(self) -> int:
        """Return how many entries of the log it covers."""
        head = self._standing()
        return 0 if head is None else head.size

    def read(self, *, as_recorded: bool, goes_on: bool) -> IndexPass:
        """Return a pass over the log, with what was kept taken up; a longer one is kept.

        Args:
            as_recorded, goes_on: as for ``IndexPass``.

        Raises:
            EntryWrong, KeyTwice, IntegrityBroken: as for a pass.
        """
        reading = IndexPass(as_recorded=as_recorded, goes_on=goes_on)
        head = self._standing()
        if head is not None:
            self._head = head
            try:
                self._take_up(reading)
            except _PartWrong:
                self._head = _Head.empty()
                reading = IndexPass(as_recorded=as_recorded, goes_on=goes_on)
        before = _Extent.of(reading)
        reading.read_on(self._log)
        if reading.size - self._head.size >= KEEP_EVERY and not as_recorded:
            self._keep(reading, before)
        return reading

    def _standing(self) -> _Head | None:
        """The head, if it is of this log and this code."""
        stored = self._sealed.read(HEAD)
        if stored is None:
            return None
        try:
            head = _Head(**json.loads(stored))
        except (TypeError, ValueError):
            return None
        snapshot = snapshot_of(self._log)
        if head.code != self._made_by() or snapshot is None or head.size > snapshot.size:
            return None
        return head if snapshot.root_at(head.size).hex() == head.root else None

    def _made_by(self) -> str:
        """The code, and what was erased: it moves what follows in a bundle."""
        return code_fingerprint(*CODE) + opening_state(self._log).hex()

    def _take_up(self, reading: IndexPass) -> None:
        """Give a fresh pass what was kept."""
        head = self._head
        reading.size, reading.kept_size, reading.offset = head.size, head.size, head.offset
        for text, name in head.events.items():
            reading.know_event(bytes.fromhex(text), name)
        reading.digests += b"".join(self._parts("digests"))
        reading.unreadable += self._rows("unreadable", ROW).tobytes()
        for event, position, offset, framed in self._listed("corrections"):
            reading.correct(Correction(event, position, offset, bytes.fromhex(framed)))
        staff = (part.removeprefix("staff/") for part in head.parts if part.startswith("staff/"))
        reading.attendance.kept = {table: partial(self._staff, table) for table in staff}
        for name, known in head.streams.items():
            own = reading.growing[name.encode()] = GrowingStream()
            own.count, own.highest, own.late = known["count"], known["highest"], known["late"]
            own.proven_at = known["proven_at"]
            own.sources = {source.encode(): at for at, source in enumerate(known["sources"])}
            own.schemas = {bytes.fromhex(schema) for schema in known["schemas"]}
            odd = self._listed(f"odd/{name}")
            own.odd_keys = [(seq, bytes.fromhex(key)) for seq, key in odd]
            own.take_up(
                partial(self._rows_or_again, name),
                partial(self._blocks_or_again, name),
                None if known["ends"] is None else Ends(*known["ends"]),
            )
            own.kept_last = known["last_recorded"]
            if rivals := self._rows(f"conflicts/{name}", ROW).tobytes():
                reading.conflicts[name] = bytearray(rivals)

    def _keep(self, reading: IndexPass, before: _Extent) -> None:
        """Keep what a pass read beyond what was kept; failing to is no error."""
        if self._sealed.seals.signer is None:
            return
        old, segments, length = self._head, [*self._head.segments], reading.size - self._head.size
        taken: set[str] = set()
        rows: dict[str, list[Rows]] = {}
        while segments and segments[-1][1] < 2 * length:
            name, entries = segments.pop()
            taken.add(name)
            length += entries
        parts: dict[str, list[bytes]] = {}
        try:
            for part, refs in old.parts.items():
                kind, _, stream = part.partition("/")
                if kind == "rows":
                    rows[stream] = [block.read() for block in self._blocks(stream, taken)]
                elif kind != "blocks":
                    parts[part] = [self._part(ref) for ref in refs if ref[0] in taken]
            for part, packed in before.beyond(reading):
                parts.setdefault(part, []).append(packed)
            joined = {part: _joined(part, all_) for part, all_ in parts.items()}
            for encoded, own in reading.growing.items():
                stream = encoded.decode()
                joined |= _in_blocks(stream, [*rows.get(stream, ()), *own.read_here()()])
            name, refs_of = self._write(joined)
        except (_PartWrong, OSError):
            return
        for part, refs in old.parts.items():
            refs_of[part] = [*(one for one in refs if one[0] not in taken), *refs_of.get(part, ())]
        growing = {one.decode(): own for one, own in reading.growing.items()}
        head = _Head(
            size=reading.size,
            root=reading.log.root.hex(),
            offset=reading.offset,
            events={first.hex(): event for first, event in reading.events.items()},
            segments=[*segments, (name, length)],
            streams={stream: _known(stream, own) for stream, own in growing.items()},
            parts=refs_of,
            code=self._made_by(),
        )
        if self._sealed.write(HEAD, [json.dumps(asdict(head), separators=(",", ":")).encode()]):
            self._clear({name for name, _ in head.segments})

    def _write(self, parts: Mapping[str, bytes]) -> tuple[str, dict[str, list[Ref]]]:
        """Write a segment; its name, and where each part lies in it."""
        refs: dict[str, list[Ref]] = {}
        whole = b"".join(parts.values())
        name, at = f"{sha256(whole).hexdigest()[:32]}.segment", 0
        for part, packed in parts.items():
            if packed:
                refs[part] = [(name, at, len(packed), sha256(packed).hexdigest())]
            at += len(packed)
        self._folder.mkdir(parents=True, exist_ok=True)
        scratch = self._folder / f"{name}.{os.getpid()}"
        scratch.write_bytes(whole)
        scratch.replace(self._folder / name)
        return name, refs

    def _clear(self, named: Container[str]) -> None:
        """Remove the segments that no head has named for a while."""
        with suppress(OSError):
            for path in self._folder.glob("*.segment*"):
                if path.name not in named and time.time() - path.stat().st_mtime > GRACE:
                    path.unlink(missing_ok=True)

    def _part(self, ref: Ref) -> bytes:
        """The bytes of a part, if they are what the head names."""
        name, at, length, digest = ref
        try:
            with (self._folder / name).open("rb") as file:
                file.seek(at)
                packed = file.read(length)
        except OSError as error:
            raise _PartWrong(name) from error
        if sha256(packed).hexdigest() != digest:
            raise _PartWrong(name)
        return packed

    def _parts(self, part: str) -> list[bytes]:
        return [self._part(ref) for ref in self._head.parts.get(part, ())]

    def _rows(self, part: str, kind: np.dtype[np.void]) -> NDArray[np.void]:
        tables = [unpack_columns(packed, kind) for packed in self._parts(part)]
        return np.concatenate(tables) if tables else np.empty(0, kind)

    def _listed(self, part: str) -> list[Any]:
        return [one for packed in self._parts(part) for one in json.loads(packed)]

    def _blocks(self, stream: str, segments: Container[str] | None = None) -> Iterator[Block]:
        """The kept blocks of a stream, those of some segments or all."""
        lists, rows_of = (
            self._head.parts.get(f"{kind}/{stream}", []) for kind in ("blocks", "rows")
        )
        if len(lists) != len(rows_of):
            raise _PartWrong(stream)
        for listed, (name, at, *_) in zip(lists, rows_of, strict=True):
            if segments is None or name in segments:
                of_segment: list[_BlockRow] = json.loads(self._part(listed))
                for rows, first, last, length, digest in of_segment:
                    yield Block(
                        rows, first, last, partial(self._unpacked, (name, at, length, digest))
                    )
                    at += length

    def _unpack(self, ref: Ref) -> Rows:
        return unpack_columns(self._part(ref), ROW)

    def _blocks_or_again(self, stream: str) -> list[Block]:
        """The kept blocks of a stream, each from the entries where it is not what was kept."""

        def read(block: Block, start: int) -> Rows:
            try:
                return block.read()
            except _PartWrong:
                return self._rows_again(stream)[start : start + block.rows]

        try:
            blocks = [*self._blocks(stream)]
        except _PartWrong:
            return [Block.of(self._rows_again(stream))]
        starts = accumulate((block.rows for block in blocks), initial=0)
        return [
            block._replace(read=partial(read, block, start))
            for block, start in zip(blocks, starts, strict=False)
        ]

    def _rows_or_again(self, stream: str) -> Rows:
        """The kept rows of a stream, from the entries where they are not what was kept."""
        blocks = [block.read() for block in self._blocks_or_again(stream)]
        return np.concatenate([np.empty(0, ROW), *blocks])

    def _rows_again(self, stream: str) -> Rows:
        return self._read_again().growing[stream.encode()].arrived()()

    def _staff(self, table: str) -> list[Place]:
        try:
            places: list[Place] = self._rows(f"staff/{table}", PLACES).tolist()
        except _PartWrong:
            places = self._read_again().attendance.places.get(table, [])
        return places

    def _read_again(self) -> IndexPass:
        """A pass over the entries that the head covers, without what was kept."""
        if self._again is None:
            self._again = IndexPass(goes_on=True)
            self._again.read_on(EarlierLog(self._log, self._head.size))
        return self._again


def _known(stream: str, own: GrowingStream) -> dict[str, Any]:
    """What is known of a stream without its rows."""
    ends = own.ends()
    if ends is None:
        merged = MergedRows.of(in_order(stream, own.arrived()(), is_late=bool(own.late)))
        ends = Ends.of(merged) if merged.is_rising else None
    return {
        "count": own.count,
        "highest": own.highest,
        "late": own.late,
        "proven_at": own.proven_at,
        "sources": [source.decode() for source in own.sources],
        "schemas": sorted(schema.hex() for schema in own.schemas),
        "ends": ends,
        "last_recorded": own.last_recorded(),
    }


@dataclass(frozen=True, slots=True)
class _Extent:
    """How much of each thing a pass had before it read on."""

    odd: Mapping[bytes, int]
    rivals: Mapping[str, int]
    unreadable: int
    corrections: int
    digests: int

    @classmethod
    def of(cls, reading: IndexPass) -> _Extent:
        """Return the extent of what a pass has."""
        return cls(
            {name: len(own.odd_keys) for name, own in reading.growing.items()},
            {stream: len(rivals) for stream, rivals in reading.conflicts.items()},
            len(reading.unreadable),
            len(reading.corrections),
            len(reading.digests),
        )

    def beyond(self, reading: IndexPass) -> Iterator[tuple[str, bytes]]:
        """Yield the parts that a pass read since, by name."""
        for name, own in reading.growing.items():
            stream = name.decode()
            odd = [(seq, key.hex()) for seq, key in own.odd_keys[self.odd.get(name, 0) :]]
            yield f"odd/{stream}", _dumped(odd)
        for stream, rivals in reading.conflicts.items():
            rows = bytes(rivals[self.rivals.get(stream, 0) :])
            yield f"conflicts/{stream}", pack_columns(np.frombuffer(rows, ROW))
        for table, places in reading.attendance.places.items():
            yield f"staff/{table}", pack_columns(np.array(places, PLACES))
        unreadable = bytes(reading.unreadable[self.unreadable :])
        yield "unreadable", pack_columns(np.frombuffer(unreadable, ROW))
        corrections = reading.corrections[self.corrections :]
        yield "corrections", _dumped([(*one[:3], one.framed.hex()) for one in corrections])
        yield "digests", bytes(reading.digests[self.digests :])


def _in_blocks(stream: str, parts: list[Rows]) -> dict[str, bytes]:
    """The rows of a stream in blocks, and the list of these."""
    rows = np.concatenate(parts)
    if not len(rows):
        return {}
    listed: list[_BlockRow] = []
    blocks = []
    for block in blocks_of(rows, BLOCK_ROWS):
        packed = pack_columns(block.read())
        blocks.append(packed)
        listed.append((*block[:3], len(packed), sha256(packed).hexdigest()))
    return {f"rows/{stream}": b"".join(blocks), f"blocks/{stream}": _dumped(listed)}


def _dumped(items: list[Any]) -> bytes:
    return json.dumps(items, separators=(",", ":")).encode() if items else b""


def _joined(part: str, packed: list[bytes]) -> bytes:
    """One part of several, in order of arrival."""
    packed = [one for one in packed if one]
    if len(packed) < 2:
        return b"".join(packed)
    kind = part.partition("/")[0]
    if kind == "digests":
        return b"".join(packed)
    if kind in ("odd", "corrections"):
        return _dumped([item for one in packed for item in json.loads(one)])
    rows = PLACES if kind == "staff" else ROW
    return pack_columns(np.concatenate([unpack_columns(one, rows) for one in packed]))
