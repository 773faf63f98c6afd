"""Every finding that names one coupon: of its custody, on whatever day, and of its rounds.

A finding of a round may name the coupon by its facts alone (how it lay, who accepted it).
Law: 58 Pa. Code § 525.21(m)(3), § 525.22.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Final

from ledger.audit.coupon_mentions import CouponMentions
from ledger.audit.coupons import with_coupons
from ledger.audit.day import audit_one
from ledger.audit.digest import order_of
from ledger.audit.ledger_contract import day_of
from ledger.audit.office import HouseRecord
from ledger.coupons import CustodyRegister
from ledger.coupons.forms import findings_naming
from ledger.coupons.forms.naming import names
from ledger.coupons.serial import Serial
from ledger.kernel import FactRef, Finding, UsageError, table_of
from ledger.replay import Replay

CHAPTERS: Final = ("525", "603a")
_NO_DIGIT: Final = re.compile("[^0-9]")


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
    for ref, at in _uses(replay, book, serial, carried):
        refs.add(ref)
        sessions.add((book.clock.day_of(at), table_of(ref.stream)))
    for day, table in sorted(sessions):
        for finding in audit_one(replay, house, table, day_of(book.clock, day), carried).findings:
            own = any(cite.section.startswith(CHAPTERS) for cite in finding.citations)
            if names(book, finding, serial) or (own and not refs.isdisjoint(finding.facts)):
                findings.append(finding)
    return sorted(findings, key=lambda finding: (finding.gaming_day, order_of(finding)))


def _uses(
    replay: Replay, book: CustodyRegister, serial: Serial, carried: Path | None
) -> Iterator[tuple[FactRef, int]]:
    """Yield the facts of tables that name the coupon, and when they were merged."""
    way = [*book.custody.history(book.custody.way(serial))]
    since = way[0].move.at if way else 0
    number = str(serial.number)
    for ref, mention in CouponMentions.of(replay, carried):
        if mention.at >= since and number in _NO_DIGIT.sub("", mention.serial):
            try:
                named = book.custody.forms.read(mention.serial)
            except UsageError:  # the coupon of no series
                continue
            if named == serial:
                yield ref, mention.at
