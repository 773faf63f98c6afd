"""The coupons' share of an audit: their custody followed through the whole record.

Only streams with facts of coupons or drop boxes are walked, and only those facts are decoded; a
ledger without a coupon stream is not walked for them at all. A table's own stream may have facts of
the coupons' office too: a count that was imported for its box.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ledger.audit.office import HouseRecord
from ledger.coupons import CouponStatus
from ledger.coupons.followed_events import AT_TABLES, OWN, WANTED
from ledger.events import Fact
from ledger.kernel import FactRef, Finding, table_of
from ledger.kernel.cyclic_garbage import uncollected
from ledger.law import MATCH_PLAY
from ledger.replay import DoubtBegins, FactStep, Replay, Step

if TYPE_CHECKING:
    from ledger.coupons import CustodyRegister

OFFICE: Final = "coupons"
"""The office to which the coupons' streams belong."""


def read_coupons(
    replay: Replay,
    house: HouseRecord,
    carried: Path | None = None,
    *,
    left_out: Callable[[Fact], bool] | None = None,
    supposing: Callable[[Iterable[Step]], Iterator[Step]] | None = None,
) -> CustodyRegister | None:
    """Follow the custody of all coupons to the end of the record.

    Args:
        replay: the ledger's replay.
        house: the house's facts.
        carried: folder for carried states (a cache); None follows from the beginning.
        left_out: which facts are passed over, as if they were not there; not with ``carried``.
        supposing: what is read in place of what was recorded; not with ``carried``.

    Returns:
        None if the record has no coupons.
    """
    from ledger.audit.carried_coupon_book import CarriedBook  # most rounds have no coupon
    from ledger.coupons import CustodyRegister, follow

    streams = streams_of_coupons(replay)
    if not streams:
        return None
    stated: dict[str, int] = {}
    for closings in house.office.closings.values():
        for closing in closings:
            for end in closing.streams:
                if end.stream in streams or table_of(end.stream) == OFFICE:
                    stated[end.stream] = max(stated.get(end.stream, 0), end.last_seq)
    states = CarriedBook(carried, replay, house.clock, streams, stated) if carried else None
    with uncollected():
        book, since = (states.load() if states else None) or (CustodyRegister(house.clock), None)
        steps = replay.walk(streams, since=since, stated=stated, only=WANTED)
        for step in steps if supposing is None else supposing(steps):
            if isinstance(step, FactStep):
                if states is not None:
                    states.follows(book, step.at)
                if left_out is None or not left_out(step.fact):
                    follow(book, step.fact, step.at)
            elif isinstance(step, DoubtBegins):
                book.doubt(table_of(step.stream), step.at, step.ends_at)
        book.finish()
    return book


def streams_of_coupons(replay: Replay) -> list[str]:
    """Return the streams through which the custody is followed; none in a record without coupons.

    A table belongs to them from its first coupon or drop box on.
    """
    own = replay.offices().get(OFFICE, ())
    if not own:
        return []
    return sorted({*own, *_offices(replay), *replay.streams_with(AT_TABLES | OWN)})


def follow_on(book: CustodyRegister, replay: Replay, since: int) -> None:
    """Follow a book through what came after all that it was followed through.

    Nothing may have come that begins or ends a doubt.

    Args:
        book: as ``read_coupons`` returned it before the ledger grew; it is brought forward.
        replay: the grown replay.
        since: the merge time of the first fact that came, microseconds UTC; all are later than
            what the book knows.
    """
    from ledger.coupons import follow

    with uncollected():
        for step in replay.walk(streams_of_coupons(replay), since=since, only=WANTED):
            if isinstance(step, FactStep):
                follow(book, step.fact, step.at)
        book.finish()


def last_of_coupons(replay: Replay, since: int) -> int:
    """Return the merge time of the last fact that the custody is followed through.

    Args:
        replay: the ledger's replay.
        since: looks no further back than this, microseconds UTC.

    Returns:
        Microseconds UTC; ``since`` where none is later.
    """
    steps = replay.walk(streams_of_coupons(replay), since=since, only=WANTED)
    return max((step.at for step in steps if isinstance(step, FactStep)), default=since)


def _offices(replay: Replay) -> Iterator[str]:
    """Yield the streams of all offices: the roster and the closings of days matter too."""
    for streams in replay.offices().values():
        yield from streams


class CustodyLookup:
    """The custody as settlements ask for it; it is followed when the first one asks.

    Sent to another process, it leaves the book behind; that process makes its own once.

    Args:
        replay: the ledger's replay.
        house: the house's facts.
        book: the custody, if it was followed already.
        carried: folder for carried states (a cache).
        follow: gives the custody when it is asked for; None follows it here.
    """

    def __init__(
        self,
        replay: Replay,
        house: HouseRecord,
        book: CustodyRegister | None,
        carried: Path | None,
        follow: Callable[[], CustodyRegister | None] | None = None,
    ) -> None:
        self._replay, self._house, self._book, self._carried = replay, house, book, carried
        self._follow = follow

    def __getstate__(self) -> tuple[Replay, HouseRecord, Path | None]:
        return self._replay, self._house, self._carried

    def __setstate__(self, state: tuple[Replay, HouseRecord, Path | None]) -> None:
        self._replay, self._house, self._carried = state
        self._book = self._follow = None

    def status(self, text: str, at: int, day: date, ref: FactRef | None = None) -> CouponStatus:
        """Return what a coupon was right before a fact at a table; see ``CouponLookup``."""
        from ledger.coupons import CustodyRegister, RegisterLookup

        if self._book is None:
            followed = (
                book_of(self._replay, self._house, self._carried)
                if self._follow is None
                else self._follow()
            )
            self._book = followed or CustodyRegister(self._house.clock)
        return RegisterLookup(self._book).status(text, at, day, ref)


_BOOKS: Final[dict[bytes, CustodyRegister]] = {}
"""The book that this process followed last, by the root of its ledger."""


def book_of(
    replay: Replay, house: HouseRecord, carried: Path | None = None
) -> CustodyRegister | None:
    """Return what ``read_coupons`` returns, followed once for all callers in this process."""
    known = _BOOKS.get(replay.root)
    if known is None:
        known = read_coupons(replay, house, carried)
        _BOOKS.clear()
        if known is not None:
            _BOOKS[replay.root] = known
    return known


def with_coupons(
    replay: Replay,
    house: HouseRecord,
    book: CustodyRegister | None = None,
    carried: Path | None = None,
    follow: Callable[[], CustodyRegister | None] | None = None,
) -> HouseRecord:
    """Return the house's facts with the custody of coupons, if the ledger has any.

    Args:
        replay: the ledger's replay.
        house: the house's facts.
        book: the custody, if it was followed already.
        carried: folder for carried states (a cache).
        follow: as for ``CustodyLookup``.
    """
    if OFFICE not in replay.offices():
        return house
    return replace(house, coupons=CustodyLookup(replay, house, book, carried, follow))


def coupon_findings(book: CustodyRegister | None, day: date) -> list[Finding]:
    """Return what the coupons add to the findings of a gaming day; ``book`` None adds nothing."""
    from ledger.coupons import conclude

    return conclude(book, day) if book is not None else []


def coupon_standing(book: CustodyRegister | None, day: date) -> dict[str, str]:
    """Return the coupons' chapter with its status on a day with coupons, else nothing."""
    if book is None or day not in book.days:
        return {}
    edition = MATCH_PLAY.edition
    return {edition.chapter: edition.remark(day) or edition.standing(day).value}
