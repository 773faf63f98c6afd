"""Carried state: what a table's replay knows when a gaming day starts, so that none replays a year.

It is only a cache: kept for each table under the hashes of its own streams' prefixes, of the
office's facts that bear on it (a late filing changes what held before), and of the code and rows
that made it. It is sealed by the ledger's key (``log/signed_file_index.py``): one that is missing,
unreadable or not sealed is rebuilt by replay; an audit is the same with it and without.

Its bytes are those of ``rounds/state_bytes``, compressed: a closed list of kinds, and no pickle.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import field
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ledger.audit.office_inputs import office_inputs
from ledger.kernel.code_fingerprint import RULES, code_fingerprint
from ledger.kernel.quick_dataclass import dataclass
from ledger.kernel.value_bytes import ValueUnreadable
from ledger.log.signed_file_index import SealedFolder
from ledger.replay import Replay

if TYPE_CHECKING:
    from ledger.house import Office
    from ledger.rounds import InEveryOrder


def rules_hash() -> bytes:
    """Return SHA-256 over the code and rows of this package that decide the result of a replay."""
    return bytes.fromhex(code_fingerprint(*RULES))


STATE_EVERY: Final = 400
"""After every so many facts of a table its state is put aside, before the next round opens."""
LARGEST: Final = 1 << 28
"""Bytes of a state when it is unpacked; no state has more."""
KIND: Final = "carried"
"""What the files are called in the index that seals them."""


@dataclass(slots=True)
class HandedStates:
    """States that one gaming day of a table hands on to the next, by the name of each.

    Attributes:
        before: those of earlier days.
        kept: those that are handed on.
    """

    before: Mapping[str, bytes]
    kept: dict[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CarriedStates:
    """The carried states of one ledger, in a folder of its cache.

    Args:
        folder: where they lie; None: nowhere.
        replay: the ledger's replay.
        office: what the states refer to and do not hold.
        handed: states that were handed on are read first, and new ones are put there alone; None
            reads and writes the folder.
    """

    folder: Path | None
    replay: Replay
    office: Office
    handed: HandedStates | None = None

    @classmethod
    def of(
        cls, carried: Path | CarriedStates | None, replay: Replay, office: Office
    ) -> CarriedStates | None:
        """Return carried states that are given as such, or by their folder; None where none are."""
        return cls(carried, replay, office) if isinstance(carried, Path) else carried

    def load(self, orders: InEveryOrder, streams: Iterable[str], day: date, begins: int) -> bool:
        """Give a fresh play the state at the start of a day.

        Args:
            orders: the play; it must have taken no fact.
            streams: the table's streams.
            day: the gaming day.
            begins: its first microsecond UTC.

        Returns:
            False if no readable state is kept; the play is then unchanged.
        """
        stored = self.stored(self.name(orders.play.table, streams, day, begins))
        return stored is not None and self.resume(orders, stored)

    def stored(self, name: str) -> bytes | None:
        """Return the state of a name; None if none was handed on or sealed under it."""
        if self.handed is not None and name in self.handed.before:
            return self.handed.before[name]
        sealed = self._sealed()
        kept = None if sealed is None else sealed.read(name)
        try:
            return None if kept is None else zlib.decompressobj().decompress(kept, LARGEST)
        except zlib.error:  # another version wrote it
            return None

    def _sealed(self) -> SealedFolder | None:
        return None if self.folder is None else self.replay.sealed(self.folder, KIND)

    def resume(self, orders: InEveryOrder, stored: bytes) -> bool:
        """Give a fresh play a state that ``packed`` returned; False if it cannot be read."""
        from ledger.rounds.state_bytes import read_state  # a book of coupons needs no round

        try:
            state = read_state(stored, self.office, orders.play.state.desk.lookup)
        except ValueUnreadable:
            return False
        orders.take_up(state)
        return True

    @staticmethod
    def packed(orders: InEveryOrder) -> bytes:
        """Return the state of a play as bytes; not to be called while coupons lie with wagers."""
        from ledger.rounds.state_bytes import write_state

        return write_state(orders.known())

    def keep(self, orders: InEveryOrder, streams: Iterable[str], day: date, begins: int) -> None:
        """Keep the state at the start of a day; failing to write a cache is no error.

        None is kept while coupons lie with wagers: what they win depends on other tables' facts.

        Args:
            orders: the play, before any fact of the day.
            streams: the table's streams.
            day: the gaming day.
            begins: its first microsecond UTC.
        """
        if orders.with_coupons():
            return
        if self.handed is not None:
            name = self.name(orders.play.table, streams, day, begins)
            self.handed.kept[name] = self.packed(orders)
        elif self._sealed() is not None:
            self.write(self.name(orders.play.table, streams, day, begins), self.packed(orders))

    def write(self, name: str, state: bytes) -> None:
        """Seal a state under its name in the folder; failing to write a cache is no error."""
        sealed = self._sealed()
        if sealed is not None:
            sealed.write(name, [zlib.compress(state, level=1)])

    def name(self, table: str, streams: Iterable[str], day: date, begins: int) -> str:
        """Return a state's name: hashes of the table's prefixes, the office, and the code.

        Args:
            table: the table.
            streams: its streams.
            day: the gaming day at whose start it holds.
            begins: the first microsecond UTC of that day.
        """
        hasher = sha256(rules_hash() + table.encode() + b"\0" + day.isoformat().encode())
        own = {*streams}
        for stream in sorted(own & {*self.replay.streams()}):
            last = self.replay.last_seq_before(stream, begins)
            hasher.update(stream.encode() + b"\0" + self.replay.prefix_key(stream, last))
        hasher.update(office_inputs(self.replay, self.office).digest(own, begins))
        return f"{day.isoformat()}-{hasher.hexdigest()}"


@dataclass(slots=True)
class StatesWithin:
    """States of a play within a day, so that a round is shown without the rounds before it.

    Args:
        states: by the moment at which each held (microseconds UTC), as ``CarriedStates.packed``.
        facts: how many facts the play had taken when the last one was put aside.
        every: after how many facts the next one is due.
    """

    states: dict[int, bytes] = field(default_factory=dict)
    facts: int | None = None
    every: int = STATE_EVERY

    def opens(self, orders: InEveryOrder, at: int) -> None:
        """Put the state aside before a round opens, if one is due and no coupon lies in it."""
        if self.facts is None:
            self.facts = orders.play.state.facts  # the day's first state is kept by itself
        elif self.is_due(orders):
            self.states[at] = CarriedStates.packed(orders)
            self.facts = orders.play.state.facts

    def is_due(self, orders: InEveryOrder) -> bool:
        """Whether a state is put aside before the next round opens."""
        if self.facts is None or orders.with_coupons():
            return False
        return orders.play.state.facts - self.facts >= self.every
