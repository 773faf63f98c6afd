"""Every finding that names one coupon: of its custody, on whatever day, and of its rounds.

A finding of a round may name the coupon by its facts alone (how it lay, who accepted it).
Law: 58 Pa. Code § 525.21(m)(3), § 525.22.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Final

from ledger import events
from ledger.audit.coupons import with_coupons
from ledger.audit.day import audit_one
from ledger.audit.digest import order_of
from ledger.audit.ledger_contract import day_of
from ledger.audit.office import HouseRecord
from ledger.coupons import CustodyRegister
from ledger.coupons.forms import findings_naming
from ledger.coupons.forms.naming import names
from ledger.coupons.serial import Serial
from ledger.kernel import FactRef, Finding, UsageError, ref_of, table_of
from ledger.replay import FactStep, Replay

NAMING: Final = frozenset(
    kind.__name__
    for kind in (
        *(
            events.CouponAccepted,
            events.CouponDropped,
            events.CouponGivenBack,
            events.CouponRedeemed,
            events.CouponRefused,
        ),
        events.WagerPlaced,
    )
)
"""The facts of a round that name a coupon."""
CHAPTERS: Final = ("525", "603a")


def findings_of_coupon(
    replay: Replay,
    house: HouseRecord,
    book: CustodyRegister,
    serial: Serial,
    carried: Path | None = None,
) -> list[Finding]:
    """Return every finding that names a coupon, in the order of a day's audit, day after day.

    Args:
        replay: the ledger's replay.
        house: the house's facts.
        book: the custody of coupons, followed to the end of the record.
        serial: the coupon's number.
        carried: folder for carried states (a cache); None replays each table from the beginning.
    """
    findings = [*findings_naming(book, serial)]
    house = with_coupons(replay, house, book, carried)
    refs: set[FactRef] = set()
    sessions: set[tuple[date, str]] = set()
    for fact, at in _uses(replay, book, serial):
        refs.add(ref_of(fact))
        sessions.add((book.clock.day_of(at), table_of(fact.stream)))
    for day, table in sorted(sessions):
        for finding in audit_one(replay, house, table, day_of(book.clock, day), carried).findings:
            own = any(cite.section.startswith(CHAPTERS) for cite in finding.citations)
            if names(book, finding, serial) or (own and not refs.isdisjoint(finding.facts)):
                findings.append(finding)
    return sorted(findings, key=lambda finding: (finding.gaming_day, order_of(finding)))


def _uses(
    replay: Replay, book: CustodyRegister, serial: Serial
) -> Iterator[tuple[events.Fact, int]]:
    """Yield the facts of tables that name the coupon, and when they were merged."""
    way = [*book.custody.history(book.custody.way(serial))]
    since = way[0].move.at if way else None
    at_tables = {stream for streams in replay.tables().values() for stream in streams}
    streams = sorted(at_tables.intersection(replay.streams_with(NAMING)))
    for step in replay.walk(streams, since=since, only=NAMING):
        if isinstance(step, FactStep) and _names(book, step.fact, serial):
            yield step.fact, step.at


def _names(book: CustodyRegister, fact: events.Fact, serial: Serial) -> bool:
    match fact:
        case events.WagerPlaced(coupons=coupons):
            texts = [coupon.serial for coupon in coupons]
        case _:
            texts = [getattr(fact, "serial", None) or ""]
    for text in texts:
        try:
            if text and book.custody.forms.read(text) == serial:
                return True
        except UsageError:  # the coupon of no series
            continue
    return False
