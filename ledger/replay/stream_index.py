"""One stream in the index: its rows by sequence number, after amendments, and their merge times.

Rows that are kept on disk are read when somebody asks for them; how far the stream goes is known
before that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ledger.codec import registry
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay.amendments import FirstRecording
from ledger.replay.errors import KeyTwice
from ledger.replay.merge_time import Times
from ledger.replay.row_blocks import GrowingRows, MergedRows, RowBlocks, Rows

if TYPE_CHECKING:
    from hashlib import _Hash

KIND_UNKNOWN: Final = 65_535
"""The kind of an event that this version has no schema of."""


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


def head_of(schema_id: int) -> bytes:
    """Return the first bytes of the framed events of a schema."""
    return b"\0" + schema_id.to_bytes(4, "big")


@cache
def kind_numbers() -> dict[bytes, int]:
    """Return by the first bytes of a framed event the number of its kind."""
    return {head_of(one.id): number for number, one in enumerate(registry())}


def in_order(stream: str, rows: Rows, *, is_late: bool) -> Rows:
    """Return the rows of a stream by sequence number.

    Args:
        stream: its name.
        rows: in order of arrival.
        is_late: whether any arrived after one with a higher number.

    Raises:
        KeyTwice: two of them have one number.
    """
    if is_late:
        rows = rows[np.argsort(rows["seq"], kind="stable")]
    again = np.flatnonzero(rows["seq"][1:] == rows["seq"][:-1])
    if len(again):
        raise KeyTwice(stream, int(rows["seq"][again[0]]), int(rows["position"][again[0] + 1]))
    return rows


class Ends(NamedTuple):
    """How far a stream goes: its facts, first and last number, first and last merge time."""

    facts: int
    first_seq: int
    last_seq: int
    first_time: int
    last_time: int

    @classmethod
    def of(cls, merged: MergedRows) -> Ends:
        """Return the ends of rows; there is at least one."""
        seqs, times = merged.rows["seq"], merged.times
        return cls(len(seqs), int(seqs[0]), int(seqs[-1]), int(times[0]), int(times[-1]))

    @classmethod
    def of_rising(cls, rows: Rows) -> Ends | None:
        """Return the ends of rows in order of arrival; None where these do not simply rise."""
        first = Ends(1, *(int(rows[name][0]) for name in ("seq", "seq", "time", "time")))
        return first.with_rising(rows[1:])

    def with_rising(self, rows: Rows) -> Ends | None:
        """Return the ends with rows that came since; None where they do not simply go on."""
        if not len(rows):
            return self
        seqs, times = rows["seq"], rows["time"]
        goes_on = int(seqs[0]) > self.last_seq and int(times[0]) >= self.last_time
        if not goes_on or (seqs[1:] <= seqs[:-1]).any() or (times[1:] < times[:-1]).any():
            return None
        facts = self.facts + len(rows)
        return Ends(facts, self.first_seq, int(seqs[-1]), self.first_time, int(times[-1]))


class Row(NamedTuple):
    """One row, with the columns of ``ROW``."""

    seq: int
    time: int
    position: int
    offset: int
    length: int
    source: int
    kind: int


@dataclass(slots=True)
class StreamIndex:
    """One stream: its rows by sequence number, and their merge times.

    Attributes:
        stream: its name.
        merged: its facts in order, or what reads them.
        known_ends: how far it goes, where that is known without its facts.
        blocks: its facts, where they came in order and none was amended; what is asked of them
            without ``rows`` or ``times`` reads no others.
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
        last_recorded: position of the entry of the fact that was recorded last.
    """

    stream: str
    merged: MergedRows | Callable[[], MergedRows]
    known_ends: Ends | None
    sources: tuple[str, ...]
    subjects: frozenset[str]
    events: frozenset[str]
    late: int
    conflicts: Rows
    odd_keys: tuple[tuple[int, bytes], ...]
    marks: PrefixStates
    proven_at: int | None
    amended: dict[int, FirstRecording] = field(default_factory=dict)
    last_recorded: int = 0
    blocks: RowBlocks | GrowingRows | None = None

    def rows_between(self, low: int, high: int) -> Rows:
        """Return the rows [low, high)."""
        return self.rows[low:high] if self.blocks is None else self.blocks.between(low, high)

    def times_between(self, low: int, high: int) -> Times:
        """Return the merge times of the rows [low, high)."""
        if self.blocks is None:
            return self.times[low:high]
        times: Times = self.blocks.between(low, high)["time"]
        return times

    def row(self, row: int) -> Row:
        """Return one row."""
        return Row(*self.rows_between(row, row + 1)[0].item())

    def time_of(self, row: int) -> int:
        """Return the merge time of a row, microseconds UTC."""
        return int(self.times[row]) if self.blocks is None else self.blocks.entry("time", row)

    def seq_of(self, row: int) -> int:
        """Return the sequence number of a row."""
        return int(self.rows["seq"][row]) if self.blocks is None else self.blocks.entry("seq", row)

    def row_at_time(self, moment: int) -> int:
        """Return the first row that is not merged before a moment (microseconds UTC)."""
        if self.blocks is None:
            return int(np.searchsorted(self.times, moment))
        return self.blocks.row_at("time", moment)

    def row_at_seq(self, seq: int) -> int:
        """Return the first row whose sequence number is not less than this."""
        if self.blocks is None:
            return int(np.searchsorted(self.rows["seq"], seq))
        return self.blocks.row_at("seq", seq)

    def rows_since(self, size: int) -> tuple[Rows, int]:
        """Return the rows among which all are that were recorded from a size of the log on.

        Returns:
            The rows up to the last one, and the number of the first of them.
        """
        if self.blocks is None:
            return self.rows, 0
        first = self.blocks.row_at("position", size)
        return self.blocks.between(first, len(self.blocks)), first

    @property
    def last_position(self) -> int:
        """The highest position of an entry with one of its facts, or with an amendment of one."""
        if not self.amended:
            return self.last_recorded
        amendments = (one.amendment.position for one in self.amended.values())
        return max(self.last_recorded, *amendments, 0)

    @property
    def ends(self) -> Ends:
        """How far the stream goes."""
        if self.known_ends is None:
            self.known_ends = Ends.of(self._read())
        return self.known_ends

    @property
    def rows(self) -> Rows:
        """As ``MergedRows.rows``."""
        return self._read().rows

    @property
    def times(self) -> Times:
        """As ``MergedRows.times``."""
        return self._read().times

    @property
    def is_rising(self) -> bool:
        """As ``MergedRows.is_rising``."""
        return self.blocks is not None or self._read().is_rising

    @property
    def has_strays(self) -> bool:
        """As ``MergedRows.has_strays``."""
        return self.blocks is None and self._read().has_strays

    def _read(self) -> MergedRows:
        if not isinstance(self.merged, MergedRows):
            self.merged = self.merged()
        return self.merged

    def __getstate__(self) -> object:
        """A copy in another process takes the rows along, but for those that it reads as well."""
        if self.blocks is not None and self.blocks.is_shared():
            self.merged = self.blocks.merged
        else:
            self._read()
            self.blocks = None
        return object.__getstate__(self)
