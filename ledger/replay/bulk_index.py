"""Whole bundles taken into an index at once, with machine code.

The pass over single entries (``IndexPass.accepted``) is the authority: it takes each entry that is
in any way new, and whatever machine code has not seen it take before. So nothing is known here but
what was learned there, and no refusal is worded here.
"""

from __future__ import annotations

from hashlib import sha256
from types import ModuleType
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from ledger.kernel.machine_code import twin
from ledger.log.bulk_bundles import PackedEntries
from ledger.log.entry import ACCEPTED, EntryUnreadable
from ledger.log.tiles import WIDTH
from ledger.replay.fact_header import EntryHead, fact_head, framed_at, head_of
from ledger.replay.growing_stream import GrowingStream
from ledger.replay.row_blocks import ROW

if TYPE_CHECKING:
    from ledger.log.ledger_at_checkpoint import FileSnapshot

BUNDLES: Final = 64
"""Bundles that are taken at once."""
FEW: Final = 32
"""Where machine code takes no more entries than so many, single ones are taken for a while."""
MOST_ALONE: Final = 64
"""So many entries at most are then taken one by one."""
LONGEST: Final = 63
"""Bytes of the longest name of a stream or source that is taken at once: its length is one byte."""
OF_STREAMS: Final = -1
_OFFSET, _LENGTH, _SOURCE, _KIND = 3, 4, 5, 6
_COLUMNS: Final = 7
"""Of a fact: its stream by number, then what a row says but for the position."""


class EntryPass(Protocol):
    """A pass over single entries: ``IndexPass``.

    Attributes:
        head: what the entry taken last has in common with those beside it.
        is_of_terminal: whether that one came by a terminal's own topic.
        digests: SHA-256 of each full bundle.
        growing: the streams by name.
        kinds: the number of an event's kind, by the first bytes of a framed one.
        kept: the names of events that are kept whole, by the same.
    """

    head: EntryHead
    is_of_terminal: bool
    digests: bytearray
    growing: dict[bytes, GrowingStream]
    kinds: dict[bytes, int]
    kept: dict[bytes, str]

    def take(self, entry: bytes, position: int, offset: int) -> None:
        """Take in an entry."""

    def keep(self, name: str, entry: bytes, at: int, position: int, offset: int) -> None:
        """Take in a fact of a kind that is kept."""

    def spill(self, more: int) -> None:
        """Write rows away where there are many."""


def read_bundles(
    reading: EntryPass, files: FileSnapshot, first: int, stop: int, *, digests: bool = True
) -> int:
    """Take full bundles into an index that is being made, as far as that can be done at once.

    Args:
        reading: the pass over the log.
        files: the log.
        first: the first of the bundles.
        stop: the first one after them.
        digests: the pass is over the log as it stands, and keeps SHA-256 of each bundle.

    Returns:
        The number of the first bundle that was not taken, ``stop`` where all were.
    """
    functions = twin("ledger.replay.index_fast", (stop - first) * WIDTH)
    if functions is None:
        return first
    taking = _Taking(reading, functions)
    while first < stop:
        until = min(first + BUNDLES, stop)
        proved = files.full_bundles(first, until)
        if proved is None:
            break
        bundles, packed = proved
        for bundle in bundles if digests else ():
            reading.digests += sha256(bundle).digest()
        taking.take(packed, first * WIDTH)
        reading.spill(len(packed))
        first = until
    return first


class _Taking:
    """Takes bundles, and learns from what had to be taken one by one."""

    def __init__(self, reading: EntryPass, functions: ModuleType) -> None:
        self._reading = reading
        self._functions = functions
        self._streams: list[GrowingStream] = []
        self._numbers: dict[bytes, int] = {}
        self._keys = _Keys(functions)

    def take(self, packed: PackedEntries, first: int) -> None:
        """Take the entries of some bundles, the first of which has this position."""
        reading = self._reading
        columns = np.empty((_COLUMNS, len(packed)), np.int64)
        kept = np.empty(len(packed), np.int64)
        at, alone = 0, 1
        while at < len(packed):
            head, keys = reading.head, self._keys
            until, kept_count = self._functions.place_facts(
                packed.raw, packed.starts, packed.ends, WIDTH, at,
                np.frombuffer(head.raw, np.uint8), head.topic is not None,
                *keys.arrays, keys.meanings, columns, kept,
            )  # fmt: skip
            if until - at > FEW:
                self._add(columns[:, at:until], first + at)
                self._keep(packed, kept[:kept_count], columns, first)
                (last,) = packed[slice(until - 1, until)].entries()
                reading.head = head_of(last)
                at, alone = until, 1
            else:
                alone = min(2 * alone, MOST_ALONE)
            until = min(at + alone, len(packed))
            for entry in packed[slice(at, until)].entries():
                begins = int(packed.starts[at - at % WIDTH]) - 2
                reading.take(entry, first + at, int(packed.starts[at]) - begins)
                self._learn(entry)
                at += 1

    def _add(self, columns: NDArray[np.int64], position: int) -> None:
        """Add the facts that machine code has placed to their streams."""
        order = np.argsort(columns[0], kind="stable")
        columns = columns[:, order]
        streams, seqs, times = columns[0], columns[1], columns[2]
        rows = np.empty(len(order), ROW)
        rows["seq"], rows["time"], rows["position"] = seqs, times, position + order
        rows["offset"], rows["length"] = columns[_OFFSET], columns[_LENGTH]
        rows["source"], rows["kind"] = columns[_SOURCE], columns[_KIND]
        is_next = streams[1:] == streams[:-1]
        falls = np.flatnonzero(is_next & (seqs[1:] < seqs[:-1]))
        falling = {*streams[falls].tolist()}
        begins = np.concatenate(([0], np.flatnonzero(~is_next) + 1))
        ends = np.append(begins[1:], len(order))
        places = zip(begins.tolist(), ends.tolist(), seqs[begins].tolist(), strict=True)
        for begin, end, seq in places:
            number = int(streams[begin])
            own = self._streams[number]
            if self._reading.is_of_terminal and own.proven_at is None:
                own.proven_at = int(times[begin])
            own.rows += rows[begin:end].tobytes()
            own.count += end - begin
            if number in falling or seq < own.highest:
                own.note_seqs(seqs[begin:end].tolist())
            else:
                own.highest = int(seqs[end - 1])

    def _keep(
        self,
        packed: PackedEntries,
        kept: NDArray[np.int64],
        columns: NDArray[np.int64],
        first: int,
    ) -> None:
        """Take in the facts by which others are judged."""
        reading = self._reading
        for at in kept.tolist():
            (entry,) = packed[slice(at, at + 1)].entries()
            framed = len(entry) - int(columns[_LENGTH, at])
            offset = int(columns[_OFFSET, at]) - framed
            name = reading.kept[entry[framed : framed + 5]]
            reading.keep(name, entry, framed, first + at, offset)

    def _learn(self, entry: bytes) -> None:
        """Let machine code take facts like one that was taken alone."""
        reading = self._reading
        if entry[0] != ACCEPTED:
            return
        try:
            at, _ = framed_at(entry)
            name, _, _, source = fact_head(entry, at)
        except EntryUnreadable:  # more is asked here than where it was taken
            return
        own = reading.growing[name]
        stream = self._numbers.setdefault(name, len(self._streams))
        if stream == len(self._streams):
            self._streams.append(own)
        head = entry[at : at + 5]
        source_number = own.sources.get(source)
        if source_number is None:  # beyond those that are told apart
            return
        kind = reading.kinds.get(head)
        if kind is None or max(len(name), len(source)) > LONGEST:
            return
        named = at + 6 + len(name)
        self._keys.learn(entry[at + 1 : named], OF_STREAMS, (stream, kind, head in reading.kept))
        self._keys.learn(bytes([2 * len(source)]) + source, stream, (source_number, 0, 0))


class _Keys:
    """Keys, which are bytes with an owner, and what they mean, where machine code finds them.

    A stream's key is the id of a schema and the name after its length; a source's the name after
    its length, and its owner is the stream.

    Attributes:
        arrays: the bytes of all keys, where each begins, the owner of each, and a table with twice
            as many places as there can be keys.
        meanings: of a stream's schema, its number, the kind, and whether such facts are kept; of a
            source, its number in the stream.
    """

    def __init__(self, functions: ModuleType) -> None:
        self._functions = functions
        self._known: dict[tuple[int, bytes], tuple[int, int, int]] = {}
        self._make_room(1 << 12, 1 << 18)

    def learn(self, key: bytes, owner: int, meaning: tuple[int, int, int]) -> None:
        """Note what a key means, if it is not known yet."""
        if (owner, key) in self._known:
            return
        pool, places, owners, _ = self.arrays
        number = len(self._known)
        self._known[owner, key] = meaning
        if number == len(owners) or places[number] + len(key) + 8 > len(pool):
            self._make_room(2 * len(owners), 2 * (len(pool) + len(key)))
        else:
            self._put(number, key, owner, meaning)

    def _make_room(self, keys: int, octets: int) -> None:
        """Make larger arrays, and put all keys into them."""
        self.arrays = (
            np.zeros(octets, np.uint8),
            np.zeros(keys + 1, np.int64),
            np.zeros(keys, np.int64),
            np.full(2 * keys, -1, np.int64),
        )
        self.meanings = np.zeros((keys, 3), np.int64)
        for number, ((owner, key), meaning) in enumerate(self._known.items()):
            self._put(number, key, owner, meaning)

    def _put(self, number: int, key: bytes, owner: int, meaning: tuple[int, int, int]) -> None:
        padded = np.frombuffer(key + bytes(8), np.uint8)
        self._functions.learn(padded, owner, number, *self.arrays)
        self.meanings[number] = meaning
