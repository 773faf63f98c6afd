"""The coupons' book when a gaming day starts, kept so that no audit follows the whole record again.

As with ``carried``, it is only a cache: kept under the hashes of the prefixes of every stream that
is followed, of the property's clock, and of the code that made it. What was followed up to a day
does not depend on anything that comes after, unless a doubt spans the day's start; then none is
kept or used. One state is kept, for the last gaming day of the record: a late day starts there, and
an earlier one reads its past from it.

The bytes are parts, each a restricted pickle of its own, so that writing a quarter's custody needs
little more memory than holding it.
"""

from __future__ import annotations

import io
import os
import pickle
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields
from datetime import date
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Final

from ledger.audit.carried import UNREADABLE, CarriedUnreadable, StateReader, reduced, rules_hash
from ledger.coupons import CustodyRegister, Move
from ledger.kernel import FactRef, PropertyClock
from ledger.replay import Replay

CHUNK: Final = 20_000
"""How many moves one part of the file holds."""
KEPT: Final = 3
"""How many states stay in the folder; older ones are removed."""
OWN: Final = ("custody", "days")
"""Fields of the book that are written in parts of their own; its clock is the property's."""


class _Writer(pickle.Pickler):
    def reducer_override(self, part: Any) -> Any:
        return reduced(part)


class CarriedBook:
    """The kept states of the book of one ledger, in a folder of its cache.

    Args:
        folder: where they lie.
        replay: the ledger's replay.
        clock: the property's clock.
        streams: every stream through which the book is followed.
        stated: their last sequence numbers by control total.
    """

    def __init__(
        self,
        folder: Path,
        replay: Replay,
        clock: PropertyClock,
        streams: Iterable[str],
        stated: Mapping[str, int],
    ) -> None:
        delivered = set(replay.streams())
        self._folder, self._replay, self._clock = folder, replay, clock
        self._streams = sorted({*streams} & delivered)
        self._sound = all(one in delivered for one in stated)
        self._stated = stated
        ends = (replay.extent(one).last_time for one in self._streams)
        self.day = clock.day_of(max(ends, default=0))
        """The last gaming day of the record: the state at its start is kept."""

    @property
    def begins(self) -> int:
        """The first microsecond UTC of the last gaming day of the record."""
        return self._clock.bounds(self.day)[0]

    def load(self) -> tuple[CustodyRegister, int] | None:
        """Return the book at the start of the latest day that is kept, and that start.

        The start is in microseconds UTC. None if no usable state is kept.
        """
        for path in self._found():
            day = date.fromisoformat(path.name[len("coupons-") :][:10])
            begins = self._clock.bounds(day)[0]
            if day <= self.day and path == self._path(day, begins):
                book = _read(path, self._clock)
                if book is not None:
                    return book, begins
        return None

    def keep(self, book: CustodyRegister) -> None:
        """Keep the book as it is when the last day starts; failing to write it is no error."""
        path = self._path(self.day, self.begins)
        if path is None or any(ends >= self.begins for _, _, ends in book.doubts):
            return
        scratch = path.with_name(f"{path.name}.{os.getpid()}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with scratch.open("wb") as file:
                hasher = sha256()
                for part in _parts(book):
                    stored = _packed(part)
                    for piece in (len(stored).to_bytes(8, "big"), stored):
                        hasher.update(piece)
                        file.write(piece)
                file.write(hasher.digest())
            scratch.replace(path)
            for old in islice(self._found(), KEPT, None):
                old.unlink(missing_ok=True)
        except OSError:
            with suppress(OSError):
                scratch.unlink(missing_ok=True)

    def _found(self) -> Iterator[Path]:
        """Yield the kept states, the latest day first."""
        with suppress(OSError):
            names = (one.name for one in self._folder.glob("coupons-*-*-*-*") if not one.suffix)
            yield from (self._folder / name for name in sorted(names, reverse=True))

    def _path(self, day: date, begins: int) -> Path | None:
        """Return the file that belongs to a day; None where a doubt spans the day's start."""
        replay = self._replay
        hasher = sha256(rules_hash() + repr(self._clock).encode() + day.isoformat().encode())
        for stream in self._streams:
            last = replay.last_seq_before(stream, begins)
            if not self._sound or self._is_torn(stream, last):
                return None
            if last:
                hasher.update(stream.encode() + b"\0" + replay.prefix_hash(stream, last))
        return self._folder / f"coupons-{day.isoformat()}-{hasher.hexdigest()}"

    def _is_torn(self, stream: str, last: int) -> bool:
        """Whether facts may be missing right after a sequence number."""
        end = self._replay.extent(stream).last_seq
        if last == end:
            return self._stated.get(stream, 0) > end
        return self._replay.fact(stream, last + 1) is None


def _parts(book: CustodyRegister) -> Iterator[Any]:
    """Yield the book in parts: its small fields, the series, the moves, the ways, the days."""
    names = [one.name for one in fields(CustodyRegister) if one.name not in (*OWN, "clock")]
    custody = book.custody
    yield {name: getattr(book, name) for name in names}
    yield vars(custody.forms), len(custody.moves), len(custody.lines), len(book.days)
    moves = iter(custody.moves)
    while chunk := list(islice(moves, CHUNK)):
        yield [(*move[:4], *move.ref, move.detail) for move in chunk]
    yield from custody.lines.items()
    yield from book.days.items()


def _packed(part: Any) -> bytes:
    buffer = io.BytesIO()
    _Writer(buffer, protocol=5).dump(part)
    return buffer.getvalue()


def _read(path: Path, clock: PropertyClock) -> CustodyRegister | None:
    """Return a book from its parts; None for a file that this version did not write in full."""
    try:
        stored = path.read_bytes()
    except OSError:
        return None
    if len(stored) < 32 or sha256(memoryview(stored)[:-32]).digest() != stored[-32:]:
        return None
    try:
        return _book(_unpacked(stored), clock)
    except (*UNREADABLE, StopIteration):
        return None


def _unpacked(stored: bytes) -> Iterator[Any]:
    at = 0
    while at < len(stored) - 32:
        length = int.from_bytes(stored[at : at + 8], "big")
        yield StateReader(stored[at + 8 : at + 8 + length]).load()
        at += 8 + length


def _book(parts: Iterator[Any], clock: PropertyClock) -> CustodyRegister:
    book = CustodyRegister(clock, **next(parts))
    forms, moves, lines, days = next(parts)
    custody = book.custody
    vars(custody.forms).update(forms)
    while len(custody.moves) < moves:
        custody.moves.extend(
            Move(at, event, to, who, FactRef(stream, seq), detail)
            for at, event, to, who, stream, seq, detail in next(parts)
        )
    custody.lines.update(next(parts) for _ in range(lines))
    book.days.update(next(parts) for _ in range(days))
    if next(parts, None) is not None:
        raise CarriedUnreadable("A kept book has more parts than it says")
    return book
