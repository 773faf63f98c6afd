"""Carried state: what a table's replay knows when a gaming day starts, so that none replays a year.

It is only a cache: kept for each table under the hashes of its own streams' prefixes, of the office
streams as a whole (a late filing changes what held before), and of the code and rows that made it.
A missing or unreadable one is rebuilt by replay; an audit is the same with it and without.

The bytes are a restricted pickle: only plain values and the frozen value types of this package are
read back, and the office, the rooms and the rules in force are never stored but looked up again.
"""

from __future__ import annotations

import io
import os
import pickle
from collections.abc import Iterable
from dataclasses import dataclass, is_dataclass
from datetime import date
from enum import Enum
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from ledger.audit.contract import CASES
from ledger.coupons import CouponLookup, IntervalMap
from ledger.games import BY_KEY
from ledger.games.room import Room, Rules, rules_on
from ledger.house import Office
from ledger.house.office import as_filed
from ledger.kernel import FactRef, IntegrityBroken
from ledger.replay import Replay
from ledger.rounds import InEveryOrder

PLAIN: Final = frozenset(
    {
        ("datetime", "date"),
        ("fractions", "Fraction"),
        ("builtins", "set"),
        ("builtins", "frozenset"),
    }
)


class CarriedUnreadable(IntegrityBroken):
    """Carried state holds something that is never stored in it."""

    code = "carried_unreadable"


UNREADABLE: Final = (
    *(CarriedUnreadable, pickle.UnpicklingError, EOFError, AttributeError),
    *(ImportError, KeyError, TypeError, ValueError),
)
"""What reading a state that this version did not write may raise; the table is then replayed."""


def reduced(part: Any) -> Any:
    """Reduce members of enums to their value: early 3.11 would write them as a call of getattr."""
    return (type(part), (part.value,)) if isinstance(part, Enum) else NotImplemented


class _Writer(pickle.Pickler):
    def __init__(self, buffer: io.BytesIO, lookup: CouponLookup | None) -> None:
        super().__init__(buffer, protocol=5)
        self._lookup = lookup

    def reducer_override(self, part: Any) -> Any:
        return reduced(part)

    def persistent_id(self, part: Any) -> Any:
        if part is not None and part is self._lookup:
            return ("lookup",)
        match part:
            case Office():
                return ("office",)
            case Room():
                return ("room", part.key)
            case Rules():
                submission = tuple(part.filed.fact) if part.filed else None
                return ("rules", part.room.key, part.day.isoformat(), submission, part.filing_known)
            case _:
                return None


class StateReader(pickle.Unpickler):
    """Reads a state back: plain values and the frozen value types of this package only."""

    def __init__(self, stored: bytes) -> None:
        super().__init__(io.BytesIO(stored))

    def find_class(self, module: str, name: str) -> Any:
        """Return a class that may occur in a state.

        Raises:
            CarriedUnreadable: the class may not.
        """
        known_class = super().find_class(module, name) if module.startswith("ledger.") else None
        if isinstance(known_class, type) and (
            is_dataclass(known_class) or issubclass(known_class, Enum | tuple | IntervalMap)
        ):
            return known_class
        if (module, name) in PLAIN:
            return super().find_class(module, name)
        raise CarriedUnreadable(f"Carried state holds a {module}.{name}")


class _Reader(StateReader):
    def __init__(self, stored: bytes, office: Office, lookup: CouponLookup | None) -> None:
        super().__init__(stored)
        self._office, self._lookup = office, lookup

    def persistent_load(self, pid: Any) -> Any:
        match pid:
            case ("office",):
                return self._office
            case ("lookup",):
                return self._lookup
            case ("room", str(key)):
                return BY_KEY[key]
            case ("rules", str(key), str(day), submission, bool(known)):
                known_as = FactRef(*submission) if submission else None
                filed = as_filed(self._office.submissions[known_as]) if known_as else None
                return rules_on(BY_KEY[key], date.fromisoformat(day), filed, filing_known=known)
            case _:
                raise CarriedUnreadable(f"Carried state names {pid!r}")


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
            state, alternatives = _Reader(stored, self.office, orders.play.state.desk.lookup).load()
        except UNREADABLE:
            return False
        orders.play.state = state
        orders.restore(alternatives)
        return True

    @staticmethod
    def packed(orders: InEveryOrder) -> bytes:
        """Return the state of a play as bytes; not to be called while coupons lie with wagers."""
        buffer = io.BytesIO()
        state = orders.play.state
        _Writer(buffer, state.desk.lookup).dump((state, orders.stored()))
        return buffer.getvalue()

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
                continue  # what persons do with findings affects no ruling
            for stream in names:
                last = self.replay.extent(stream).last_seq
                hasher.update(stream.encode() + b"\0" + self.replay.prefix_hash(stream, last))
        return self.folder / f"{day.isoformat()}-{hasher.hexdigest()}"
