"""Carried state: what a table's replay knows when a gaming day starts, so that none replays a year.

It is only a cache: kept for each table under the hashes of its own streams' prefixes, of the office
streams as a whole (a late filing changes what held before), and of the code and rows that made it.
A missing or unreadable one is rebuilt by replay; an audit is the same with it and without.

Its bytes are those of ``rounds/state_bytes``: a closed list of kinds, and no pickle.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from ledger.audit.contract import CASES
from ledger.house import Office
from ledger.kernel.value_bytes import ValueUnreadable
from ledger.replay import Replay
from ledger.rounds import InEveryOrder
from ledger.rounds.state_bytes import read_state, write_state


@lru_cache(maxsize=1)
def rules_hash() -> bytes:
    """Return SHA-256 over the code and rows of this package that decide the result of a replay."""
    root = Path(__file__).parent.parent
    hasher = sha256()
    for folder in (
        "kernel",
        "law",
        "events",
        "codec",
        "replay",
        "games",
        "house",
        "coupons",
        "rounds",
        "audit",
    ):
        for path in sorted((root / folder).rglob("*.py")):
            hasher.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return hasher.digest()


@dataclass(frozen=True, slots=True)
class CarriedStates:
    """The carried states of one ledger, in a folder of its cache.

    Args:
        folder: where they lie.
        replay: the ledger's replay.
        office: what the states refer to and do not hold.
    """

    folder: Path
    replay: Replay
    office: Office

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
        try:
            stored = self._path(orders.play.table, streams, day, begins).read_bytes()
        except OSError:
            return False
        if sha256(stored[32:]).digest() != stored[:32]:
            return False
        return self.resume(orders, stored[32:])

    def resume(self, orders: InEveryOrder, stored: bytes) -> bool:
        """Give a fresh play a state that ``packed`` returned; False if it cannot be read."""
        try:
            state = read_state(stored, self.office, orders.play.state.desk.lookup)
        except ValueUnreadable:
            return False
        orders.take_up(state)
        return True

    @staticmethod
    def packed(orders: InEveryOrder) -> bytes:
        """Return the state of a play as bytes; not to be called while coupons lie with wagers."""
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
        stored = self.packed(orders)
        path = self._path(orders.play.table, streams, day, begins)
        scratch = path.with_name(f"{path.name}.{os.getpid()}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            scratch.write_bytes(sha256(stored).digest() + stored)
            scratch.replace(path)
        except OSError:
            scratch.unlink(missing_ok=True)

    def _path(self, table: str, streams: Iterable[str], day: date, begins: int) -> Path:
        """Return the file, named by hashes of the table's prefixes, the office, and the code."""
        hasher = sha256(rules_hash() + table.encode() + b"\0" + day.isoformat().encode())
        for stream in sorted(set(streams) & set(self.replay.streams())):
            last = self.replay.last_seq_before(stream, begins)
            hasher.update(stream.encode() + b"\0" + self.replay.prefix_hash(stream, last))
        for office, names in self.replay.offices().items():
            if office == CASES:
                continue  # what persons do with findings bears on no ruling
            for stream in names:
                last = self.replay.extent(stream).last_seq
                hasher.update(stream.encode() + b"\0" + self.replay.prefix_hash(stream, last))
        return self.folder / f"{day.isoformat()}-{hasher.hexdigest()}"
