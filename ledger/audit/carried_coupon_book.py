"""The coupons' book at a moment, kept so that no question follows the whole record again.

As with ``carried``, it is a sealed cache and nothing more: kept under the keys of the prefixes of
every stream that is followed, of the property's clock, and of the code that made it. What was
followed up to a moment hangs on nothing that comes after, but where a doubt lies across it; then
none is kept or used. Kept are the start of the record's last gaming day, where a fact that comes
late begins, and a moment shortly before the record's end, where the next question begins.

The bytes are parts, each written by itself (``audit/coupon_book_parts``), so that a quarter's
custody needs little more memory to be written than to be held.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Final

from ledger.audit.carried import KIND, rules_hash
from ledger.audit.coupon_book_parts import book_of, bundles_as_part, bundles_of, parts_of
from ledger.coupons import CustodyRegister
from ledger.coupons.followed_events import WANTED
from ledger.kernel import MICROSECONDS, PropertyClock
from ledger.kernel.value_bytes import ValueUnreadable
from ledger.log.bundle_states import Stretches, numbers_in, stretches
from ledger.replay import Replay

KEPT: Final = 3
"""States that stay in the folder beside that of the last day's start; older ones are removed."""
LAG: Final = 10 * 60 * MICROSECONDS
"""How long before the record's end a state is kept: facts of other streams may still come late."""
WORTH: Final = 250
"""Facts that a question follows by itself rather than have another state kept."""
_NAME: Final = re.compile(r"coupons-(?P<at>\d+)-[0-9a-f]{64}")


class CarriedBook:
    """The kept states of the book of one ledger, in a folder of its cache.

    Args:
        folder: where they lie.
        replay: the ledger's replay.
        clock: the property's.
        streams: every stream that the book is followed through.
        stated: their last numbers by control total.
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
        self._sealed = replay.sealed(folder, KIND)
        self._replay, self._clock = replay, clock
        self._streams = sorted({*streams} & delivered)
        self._sound = all(one in delivered for one in stated)
        self._stated = stated
        ends = max((replay.extent(one).last_time for one in self._streams), default=0)
        self._day_begins = clock.bounds(clock.day_of(ends))[0]
        self._moments = sorted({self._day_begins, max(ends - LAG, self._day_begins)})
        self._followed = 0
        self._bundles: set[int] = set()
        self._since: int | None = None

    def load(self) -> tuple[CustodyRegister, int] | None:
        """The book at the latest moment that is kept, and that moment; None without.

        Raises:
            IntegrityBroken: the bytes of a fact that it was made from are not what was signed.
        """
        if self._sealed is None:
            return None
        for at, name in self._kept():
            if name == self._name(at):
                stored = self._sealed.read(name)
                kept = None if stored is None else _read(stored, self._clock)
                if kept is not None:
                    book, bundles = kept
                    self._since, self._bundles = at, numbers_in(bundles)
                    self._replay.prove_bundles(self._bundles)
                    self._moments = [moment for moment in self._moments if moment > at]
                    return book, at
        return None

    def follows(self, book: CustodyRegister, at: int) -> None:
        """Keep the book if a moment is reached for which it is worth it.

        Args:
            book: as it is before the next fact.
            at: of that fact, microseconds UTC.
        """
        while self._moments and at >= self._moments[0]:
            moment = self._moments.pop(0)
            if self._followed >= WORTH or moment == self._day_begins:
                self._keep(book, moment)
                self._followed = 0
        self._followed += 1

    def _keep(self, book: CustodyRegister, moment: int) -> None:
        """Keep the book as it is at a moment; no failure if it cannot be written."""
        name = self._name(moment)
        if self._sealed is None or name is None:
            return
        if any(ends >= moment for _, _, ends in book.doubts):
            return
        self._bundles |= self._replay.bundles_of(
            self._streams, since=self._since, until=moment, only=WANTED
        )
        self._since = moment
        if self._sealed.write(name, _framed(book, stretches(self._bundles))):
            others = [one for one in self._kept() if one[1] != name]
            stay = [one for one in others if one[0] != moment][: KEPT - 1]
            stay += [one for one in others if one[0] == self._day_begins != moment][:1]
            for other in others:
                if other not in stay:
                    self._sealed.remove(other[1])

    def _kept(self) -> Iterator[tuple[int, str]]:
        """The kept states by moment (microseconds UTC) and name, the latest first."""
        kept = []
        for name in () if self._sealed is None else self._sealed.names():
            if (match := _NAME.fullmatch(name)) is not None:
                kept.append((int(match["at"]), name))
        return iter(sorted(kept, reverse=True))

    def _name(self, moment: int) -> str | None:
        """The key; None where a doubt lies across the moment."""
        replay = self._replay
        hasher = sha256(rules_hash() + repr(self._clock).encode())
        for stream in self._streams:
            last = replay.last_seq_before(stream, moment)
            if not self._sound or self._is_torn(stream, last):
                return None
            if last:
                hasher.update(stream.encode() + b"\0" + replay.prefix_key(stream, last))
        return f"coupons-{moment}-{hasher.hexdigest()}"

    def _is_torn(self, stream: str, last: int) -> bool:
        """Whether facts may be missing right after a number."""
        end = self._replay.extent(stream).last_seq
        if last == end:
            return self._stated.get(stream, 0) > end
        return self._replay.fact(stream, last + 1) is None


def _framed(book: CustodyRegister, bundles: Stretches) -> Iterator[bytes]:
    """The bundles of its facts and its parts as bytes, each after its length."""
    for part in chain([bundles_as_part(bundles)], parts_of(book)):
        yield len(part).to_bytes(8, "big")
        yield part


def _read(stored: bytes, clock: PropertyClock) -> tuple[CustodyRegister, Stretches] | None:
    """A book with the bundles that its facts lie in; None where this version did not write it."""
    try:
        parts = _unframed(stored)
        bundles = bundles_of(next(parts))
        return book_of(parts, clock), bundles
    except (ValueUnreadable, TypeError, ValueError, AttributeError, LookupError, StopIteration):
        return None


def _unframed(stored: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(stored):
        length = int.from_bytes(stored[at : at + 8], "big")
        yield stored[at + 8 : at + 8 + length]
        at += 8 + length
