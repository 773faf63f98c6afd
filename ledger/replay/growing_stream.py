"""One stream while the log is read: its facts in order of arrival, in memory or written away."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from ledger.replay.row_blocks import (
    ROW,
    Block,
    GrowingRows,
    RowBlocks,
    Rows,
    ScratchRows,
    joined_blocks,
)
from ledger.replay.scratch_file import ScratchFile
from ledger.replay.stream_index import Ends, PrefixStates


class GrowingStream:
    """One stream while it is read, in order of arrival.

    Attributes:
        rows: its facts that nobody asked for yet, packed.
        count: how many facts it has, with those that were kept.
        highest: the highest sequence number.
        late: how many facts came after one with a higher number.
        sources: by name (UTF-8) the number of each source.
        schemas: the first bytes of its framed events.
        names: of how many schemas, its and all, and the subjects and names of its events.
        odd_keys: facts that came under another key: sequence number and key.
        proven_at: as in ``StreamIndex``.
        marks: kept states of its prefix hash.
        unspilled: room for the facts in memory; the first ``in_memory`` of it are taken.
        spilled: where those lie that were read here before them.
        spilled_blocks: the same in blocks, whose ends are known unread.
        kept: reads its facts before those, in order of arrival; None where there are none.
        kept_blocks: returns these in blocks.
        kept_last: position of the entry of the last of them.
        reached: how far all of these go but for ``rows``, while times and numbers only rise.
    """

    __slots__ = (
        "_put_away", "count", "highest", "in_memory", "is_rising", "kept",
        "kept_blocks", "kept_last", "late", "marks", "names", "odd_keys",
        "proven_at", "reached", "rows", "schemas", "sources", "spilled", "spilled_blocks",
        "unspilled",
    )  # fmt: skip

    def __init__(self) -> None:
        self.rows = bytearray()
        self.count = 0
        self.highest = 0
        self.late = 0
        self.sources: dict[bytes, int] = {}
        self.schemas: set[bytes] = set()
        self.names: tuple[tuple[int, int], frozenset[str], frozenset[str]] | None = None
        self.odd_keys: list[tuple[int, bytes]] = []
        self.proven_at: int | None = None
        self.marks = PrefixStates()
        self.unspilled: Rows = np.empty(0, ROW)
        self.in_memory = 0
        self.spilled: list[ScratchRows] = []
        self.spilled_blocks: list[Block] = []
        self.kept: Callable[[], Rows] | None = None
        self.kept_blocks: Callable[[], list[Block]] = list
        self.kept_last = 0
        self.reached: Ends | None = None
        self.is_rising = True
        self._put_away: RowBlocks | None = None

    def take_up(
        self, rows: Callable[[], Rows], blocks: Callable[[], list[Block]], ends: Ends | None
    ) -> None:
        """Go on after facts that were kept.

        Args:
            rows: reads them, in order of arrival.
            blocks: returns them in blocks.
            ends: how far they go; None where times and numbers do not only rise.
        """
        self.kept, self.kept_blocks = rows, blocks
        self.reached, self.is_rising = ends, ends is not None

    def note_seqs(self, seqs: Iterable[int]) -> None:
        """Note the numbers of facts that came: some may come after one with a higher number."""
        for seq in seqs:
            if seq < self.highest:
                self.late += 1
                self.marks.cut(seq)
            else:
                self.highest = seq

    def spill(self, scratch: ScratchFile) -> bool:
        """Write the rows in memory into a scratch file; whether there was room for them."""
        rows = self.fresh()
        if not len(rows):
            return True
        at = scratch.append(rows.tobytes())
        if at is None:
            return False
        self.kept_last = int(rows["position"][-1])
        part = ScratchRows(scratch, at, len(rows))
        self.spilled.append(part)
        self.spilled_blocks.append(Block.of(rows)._replace(read=part.read))
        self.spilled_blocks = joined_blocks(self.spilled_blocks)
        self.forget_fresh()
        return True

    def forget_fresh(self) -> None:
        """Let go of the rows in memory."""
        self.rows, self.unspilled, self.in_memory = bytearray(), np.empty(0, ROW), 0
        self._put_away = None

    def fresh(self) -> Rows:
        """Return the rows in memory, in order of arrival; what was returned stays as it was."""
        if self.rows:
            rows = np.frombuffer(self.rows, ROW)
            before, count = self.in_memory, self.in_memory + len(rows)
            if count > len(self.unspilled):
                room = np.empty(max(count, 2 * before), ROW)
                room[:before] = self.unspilled[:before]
                self.unspilled = room
            self.unspilled[before:count] = rows
            self.in_memory, self.rows = count, bytearray()
            if self.is_rising:
                ends = self.reached
                self.reached = Ends.of_rising(rows) if ends is None else ends.with_rising(rows)
                self.is_rising = self.reached is not None
        return self.unspilled[: self.in_memory]

    def read_here(self) -> Callable[[], list[Rows]]:
        """Return what reads the facts that were read here, in order of arrival, in parts."""
        spilled, fresh = tuple(self.spilled), self.fresh()
        return lambda: [*(part.read() for part in spilled), fresh]

    def arrived(self) -> Callable[[], Rows]:
        """Return what reads the facts so far, in order of arrival."""
        kept, read_here = self.kept, self.read_here()
        if kept is None and not self.spilled:
            (fresh,) = read_here()
            return lambda: fresh

        def read() -> Rows:
            parts = [part for part in (*([kept()] if kept else ()), *read_here()) if len(part)]
            return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, ROW), *parts])

        return read

    def blocks(self, *, goes_on: bool) -> RowBlocks | GrowingRows | None:
        """Return the facts so far in blocks; None where some must be read to put them in order.

        Args:
            goes_on: whether more will come; else they are written again, one after the other.
        """
        if self.late or self.ends() is None:
            return None
        fresh = self.fresh()
        if goes_on:
            if self._put_away is None:
                self._put_away = RowBlocks([*self.kept_blocks(), *self.spilled_blocks])
            return GrowingRows(self._put_away, fresh)
        if self.kept is None and not self.spilled:
            return None
        if self.kept is None:
            whole = ScratchRows.joined(self.spilled, fresh)
            if whole is not None:
                return RowBlocks.over(whole)
        blocks = [Block.of(fresh)] if len(fresh) else []
        return RowBlocks([*self.kept_blocks(), *self.spilled_blocks, *blocks])

    def last_recorded(self) -> int:
        """Return the position of the entry of the fact that was recorded last."""
        fresh = self.fresh()
        return int(fresh["position"][-1]) if len(fresh) else self.kept_last

    def ends(self) -> Ends | None:
        """Return how far the stream goes, where no kept fact has to be read for it."""
        self.fresh()
        return self.reached
