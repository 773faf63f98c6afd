"""The facts of a table's streams in merged order as columns, for whoever reads their bytes in bulk.

There are columns only where a walk would hand out the same facts one by one and nothing else: no
fact is missing, none is contested, each stream has one source, and each fact is merged by its own
time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ledger.codec import Undecodable
from ledger.codec import decode as decode_fact
from ledger.codec.limits import HEADER_BYTES
from ledger.codec.varint import long_bytes
from ledger.events import Fact
from ledger.kernel.quick_dataclass import dataclass
from ledger.log.tiles import WIDTH
from ledger.replay.errors import EntryWrong
from ledger.replay.replay_items import FactStep
from ledger.replay.walk import StreamPart

COLUMNS = ("seq", "position", "offset", "length", "kind")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFacts:
    """Facts in merged order; entry by entry, the columns are of one length.

    Attributes:
        streams: the names of the streams.
        sources: by stream, its source as it is written in each fact: its length, then its name.
        at: merge time, which is the event time, microseconds UTC.
        rank: which of ``streams``.
        seq: sequence number.
        position: position of the entry.
        offset, length: where the framed event lies in its bundle.
        kind: number of its schema, as ``kind_numbers`` counts.
        begins: where in the framed event the field ``recorded_by`` begins.
        bundle: returns the verified bytes of a bundle.
        columns: the same columns for work in bulk, by name, 64 bits each.
    """

    streams: tuple[str, ...]
    sources: tuple[bytes, ...]
    at: Sequence[int]
    rank: Sequence[int]
    seq: Sequence[int]
    position: Sequence[int]
    offset: Sequence[int]
    length: Sequence[int]
    kind: Sequence[int]
    begins: Sequence[int]
    bundle: Callable[[int], bytes]
    columns: Mapping[str, NDArray[np.int64]]

    def __len__(self) -> int:
        return len(self.at)

    def fact(self, row: int) -> Fact:
        """Decode one fact.

        Raises:
            EntryWrong: it cannot be decoded by this version.
            IntegrityBroken: bytes are not what was signed.
        """
        start = self.offset[row]
        packed = self.bundle(self.position[row] // WIDTH)
        try:
            return decode_fact(packed[start : start + self.length[row]])
        except Undecodable as refusal:
            reason = f"an accepted fact is {refusal.reason}"
            raise EntryWrong(self.position[row], reason) from refusal

    def apart(self, reach: int) -> NDArray[np.bool_]:
        """Tell of each fact whether it surely follows the one before it.

        Args:
            reach: facts of two streams that lie nearer than this have no known order, microseconds.
        """
        at, rank = self.columns["at"], self.columns["rank"]
        apart = np.ones(len(at), np.bool_)
        apart[1:] = (rank[1:] == rank[:-1]) | (at[1:] - at[:-1] >= reach)
        return apart

    def rows_of(self, kinds: Sequence[int]) -> list[int]:
        """Return the rows of some kinds of fact, by the numbers of their schemas."""
        column = self.columns["kind"]
        wanted = np.zeros(max(column.max(initial=0), *kinds, 0) + 1, np.bool_)  # they are small
        wanted[[*kinds]] = True
        rows: list[int] = np.flatnonzero(wanted[column]).tolist()
        return rows

    def step(self, row: int) -> FactStep:
        """One fact as a walk hands it out."""
        return FactStep(self.fact(row), self.position[row], self.at[row])


def table_facts(
    parts: Sequence[StreamPart], stated: Mapping[str, int], bundle: Callable[[int], bytes]
) -> TableFacts | None:
    """Return the facts of these stretches as columns.

    Args:
        parts: in the order in which equal times are resolved.
        stated: by stream, the last sequence number that a control total states.
        bundle: returns the verified bytes of a bundle.

    Returns:
        None where a walk would hand out anything but these facts, each at its own time.
    """
    if not all(_is_plain(part, stated.get(part.stream.stream, 0)) for part in parts):
        return None
    if stated.keys() - {part.stream.stream for part in parts}:
        return None  # a stream of which no fact is there
    parts = [part for part in parts if part.high > part.low]
    if not parts:
        return None
    rows = [part.stream.rows_between(part.low, part.high) for part in parts]
    times = np.concatenate([part.stream.times_between(part.low, part.high) for part in parts])
    rank = np.repeat(np.arange(len(parts)), [len(one) for one in rows])
    order = np.lexsort((rank, times))  # stable: within a stream by number
    columns = {name: np.concatenate([one[name] for one in rows])[order] for name in COLUMNS}
    sources = [
        part.stream.sources[int(one["source"][0])].encode()
        for part, one in zip(parts, rows, strict=True)
    ]
    names = tuple(part.stream.stream for part in parts)
    fixed = np.array(
        [
            HEADER_BYTES + len(_text(name.encode())) + len(_text(source))
            for name, source in zip(names, sources, strict=True)
        ]
    )
    begins = fixed[rank[order]] + _size(columns["seq"]) + _size(times[order])
    kept = columns["length"] > 0  # the others were withdrawn
    columns |= {"at": times[order], "rank": rank[order], "begins": begins}
    wide = {name: column[kept].astype(np.int64) for name, column in columns.items()}
    return TableFacts(
        streams=names,
        sources=tuple(map(_text, sources)),
        bundle=bundle,
        columns=wide,
        **{name: _one_by_one(column) for name, column in wide.items()},
    )


def _one_by_one(column: NDArray[np.int64]) -> Sequence[int]:
    """A column of which each place is read as a whole number of Python."""
    numbers: Any = column.data
    return cast(Sequence[int], numbers)


def _is_plain(part: StreamPart, stated: int) -> bool:
    """Whether a walk of a stretch hands out its facts, each at its own time, and nothing else."""
    index, low, high, _ = part
    rows = index.rows_between(max(low - 1, 0), min(high + 1, index.ends.facts))
    seqs = rows["seq"]
    if stated > index.ends.last_seq or (seqs[1:] != seqs[:-1] + 1).any():
        return False
    if not low and len(seqs) and int(seqs[0]) != 1:
        return False
    if low == high:
        return True
    own = index.rows_between(low, high)
    rivals = index.conflicts["seq"]
    contested = (rivals >= own["seq"][0]) & (rivals <= own["seq"][-1])
    return not (
        bool(contested.any())
        or bool((index.times_between(low, high) != own["time"]).any())
        or bool((own["source"] != own["source"][0]).any())
    )


def _text(text: bytes) -> bytes:
    """A text as it is written: its length, then its bytes."""
    return long_bytes(len(text)) + text


def _size(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many bytes Avro takes for each number."""
    wide = numbers.astype(np.int64)
    zigzag = ((wide << 1) ^ (wide >> 63)).view(np.uint64)
    size = np.ones(len(wide), np.int64)
    for bits in range(7, 64, 7):
        size += zigzag >= np.uint64(1) << np.uint64(bits)
    return size
