"""Every finding that names one coupon: of its custody, on whatever day, and of its rounds.

A finding of a round may name the coupon by its facts alone (how it lay, who accepted it).
Law: 58 Pa. Code § 525.21(m)(3), § 525.22.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Final, Protocol

from ledger.audit.coupon_forms import form_findings
from ledger.audit.coupon_mentions import CouponMentions
from ledger.audit.coupons import coupon_findings, with_coupons
from ledger.audit.digest import order_of
from ledger.audit.ledger_contract import Day, day_of
from ledger.audit.office import HouseRecord
from ledger.coupons import CustodyRegister
from ledger.coupons.forms.naming import days_of, names
from ledger.coupons.serial import Serial
from ledger.kernel import FactRef, Finding, UsageError, table_of
from ledger.replay import Replay

CHAPTERS: Final = ("525", "603a")


class FindingsByDay(Protocol):
    """Findings as they were judged before."""

    def table_findings(self, table: str, span: Day) -> Sequence[Finding]:
        """Return the findings of a table's gaming day."""
        ...

    def custody_findings(self, span: Day) -> Sequence[Finding] | None:
        """Return the findings that the coupons add to a gaming day; None where none are kept."""
        ...


def findings_of_coupon(
    replay: Replay,
    house: HouseRecord,
    book: CustodyRegister,
    serial: Serial,
    carried: Path | None = None,
    judged: FindingsByDay | None = None,
) -> list[Finding]:
    """Return every finding that names a coupon, in the order of a day's audit, day after day.

    Args:
        replay: the ledger's replay.
        house: the house's facts.
        book: the custody of coupons, followed to the end of the record.
        serial: the coupon's number.
        carried: folder for carried states (a cache); None replays each table from the beginning.
        judged: what was judged before; None judges the days on which the coupon was used.
    """
    of_coupons = _own_findings(replay, book, judged)
    findings = [one for one in of_coupons if names(book, one, serial)]
    refs: set[FactRef] = set()
    sessions: set[tuple[date, str]] = set()
    for ref, at in _uses(replay, book, serial, carried):
        refs.add(ref)
        sessions.add((book.clock.day_of(at), table_of(ref.stream)))
    at_table = _judging(replay, house, book, carried) if judged is None else judged.table_findings
    for day, table in sorted(sessions):
        for finding in at_table(table, day_of(book.clock, day)):
            own = any(cite.section.startswith(CHAPTERS) for cite in finding.citations)
            if names(book, finding, serial) or (own and not refs.isdisjoint(finding.facts)):
                findings.append(finding)
    return sorted(findings, key=lambda finding: (finding.gaming_day, order_of(finding)))


def _own_findings(
    replay: Replay, book: CustodyRegister, judged: FindingsByDay | None
) -> Iterator[Finding]:
    """Yield what the coupons add to each day: findings of their custody and of their forms."""
    for day in days_of(book):
        kept = None if judged is None else judged.custody_findings(day_of(book.clock, day))
        if kept is None:
            kept = [*coupon_findings(book, day), *form_findings(replay, book, day)]
        yield from kept


def _judging(
    replay: Replay, house: HouseRecord, book: CustodyRegister, carried: Path | None
) -> Callable[[str, Day], Sequence[Finding]]:
    """What judges a table's gaming day."""
    from ledger.audit.day import audit_one  # whoever finds it judged needs no rules of a game

    with_book = with_coupons(replay, house, book, carried)
    return lambda table, span: audit_one(replay, with_book, table, span, carried).findings


def _uses(
    replay: Replay, book: CustodyRegister, serial: Serial, carried: Path | None
) -> Iterator[tuple[FactRef, int]]:
    """Yield the facts of tables that name the coupon, and when they were merged."""
    way = [*book.custody.history(book.custody.way(serial))]
    since = way[0].move.at if way else 0
    for ref, mention in CouponMentions.of(replay, carried).of_number(serial.number):
        if mention.at >= since:
            try:
                named = book.custody.forms.read(mention.serial)
            except UsageError:  # the coupon of no series
                continue
            if named == serial:
                yield ref, mention.at
