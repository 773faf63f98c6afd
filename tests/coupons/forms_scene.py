"""Two gaming days of coupons by hand: what was planted in them, and the ledger that holds them.

14 June 2013: 100 coupons of $25 and 200 of $5 are issued, most are given out, one of $5 that
marketing never had as well; one of $25 is torn; two of $25 are used at SB-02, and only one of them
is in drop box 118; three of $5 are mailed. $10 coupons are described and never come.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from ledger import events
from ledger.audit import FormDesk
from ledger.codec import frame
from ledger.coupons.forms import Issue
from ledger.events.coupon_words import CouponQuantity, CouponSignature, CouponValue, CouponVoid
from ledger.intake import ErasableStore
from ledger.kernel import PropertyClock, to_micros
from ledger.log import Arrival, init, open_log
from tests.conformance import coupon_program as program
from tests.conformance.coupon_program import COUNT, FINANCE, MAIL, MARKETING, SETUP
from tests.conformance.timeline import Timeline
from tests.log.memory_log import MemoryLog

CLOCK: Final = PropertyClock("America/New_York", 360)
DAY: Final = date(2013, 6, 14)
NEXT: Final = date(2013, 6, 15)
PATRONS: Final = (
    ("Philippa Quillfeather", "12 Larkspur Lane, Ephrata"),
    ("Barnaby Thistlewood", "9 Gooseberry Court, Lititz"),
    ("=HYPERLINK(Zelda)", "77 Marzipan Row, Nazareth"),
)
"""Names and addresses that nothing but the erasable store may hold."""
ALL_PARTS: Final = (*program.USUAL, events.ControlsPart.MAILING)


def at(text: str) -> int:
    """A moment of June 2013 by the property's clocks: ``14 21:43:10``."""
    local = datetime.fromisoformat(f"2013-06-{text}").replace(tzinfo=ZoneInfo(CLOCK.time_zone))
    return to_micros(local)


def run(prefix: str, first: int, last: int, cents: int) -> events.CouponRange:
    """A range of seven-digit serial numbers."""
    return events.CouponRange(
        denomination_cents=cents,
        first=f"{prefix}{first:07d}",
        last=f"{prefix}{last:07d}",
        quantity=last - first + 1,
    )


def m25(first: int, last: int | None = None) -> events.CouponRange:
    return run("M25-", first, first if last is None else last, 2_500)


def m5(first: int, last: int | None = None) -> events.CouponRange:
    return run("M05-", first, first if last is None else last, 500)


@dataclass(frozen=True)
class Scene:
    """The facts in order, the late one apart, and the store of names if there is one."""

    facts: tuple[events.Fact, ...]
    late: events.Fact


def scene(store: ErasableStore | None = None) -> Scene:
    """The facts of both days; names are committed to in the store if there is one."""
    timeline = Timeline(CLOCK)
    _program(timeline)
    _mail(timeline, store)
    _fourteenth(timeline)
    _fifteenth(timeline)
    late = events.CouponsDistributed(
        stream="coupons/desk-2", seq=1, event_time=at("14 20:15:00"), source="T-desk-2",
        recorded_by=None, ranges=(m5(160, 162),), distributed_by="C-MM1", patron="P-7781",
        promotion=None,
    )  # fmt: skip
    return Scene(tuple(timeline.finished().facts), late)


def _program(timeline: Timeline) -> None:
    start = at("10 12:00:00")
    program.approve(timeline, start, ALL_PARTS)
    program.hire(timeline, start)
    for prefix, cents in (("M25-", 2_500), ("M05-", 500), ("M10-", 1_000)):
        program.describe(timeline, start, prefix, 7, cents, expires="2013-06-30", first=f"{prefix}0000001",
                         last=f"{prefix}0900000", series=f"SPRING-{prefix}")  # fmt: skip
    program.describe(timeline, start, "ML5-", 5, 500, expires="2013-06-30", series="MAIL-5")


def _mail(timeline: Timeline, store: ErasableStore | None) -> None:
    serials = [f"ML5-{number:05d}" for number in (1, 2, 3)]
    lines = []
    for serial, (name, address) in zip(serials, PATRONS, strict=True):
        known = store.commit(name, address) if store else None
        plain = program.mail_line(serial, 500, "2013-06-30", name, address)
        made: events.MailLine = plain if known is None else replace(
            plain, name_commitment=known.name_commitment,
            address_commitment=known.address_commitment, opening=known.opening,
        )  # fmt: skip
        lines.append(made)
    program.mail_list(timeline, at("14 09:00:00"), "ML-1", tuple(lines), ())
    ranges = program.run_of(serials, 500)
    timeline.add(at("14 09:30:00"), MAIL, events.CouponsMailed, SETUP, list_id="ML-1", ranges=ranges,
                 provider="P-1", machine_readable=True)  # fmt: skip


def _fourteenth(timeline: Timeline) -> None:
    add: Any = timeline.add
    program.stock(timeline, at("14 10:00:00"), "D25", (m25(41_801, 42_000),))
    program.stock(timeline, at("14 10:10:00"), "D5", (m5(1, 500),))
    program.issue(timeline, at("14 11:00:00"), "RQ25", (m25(41_801, 41_900),))
    program.issue(timeline, at("14 11:10:00"), "RQ5", (m5(1, 200),))
    for when, given in (("14 12:00:00", m25(41_801, 41_880)), ("14 12:05:00", m5(1, 150)),
                        ("14 12:30:00", m5(301))):  # fmt: skip
        add(at(when), MARKETING, events.CouponsDistributed, SETUP, ranges=(given,), patron="P-7781",
            distributed_by="C-MM1", promotion=None)  # fmt: skip
    add(at("14 13:00:00"), MARKETING, events.CouponsVoided, SETUP, holder=events.CouponHolder.MARKETING,
        ranges=(m25(41_890),), reason="torn at the desk", voided_by="C-MS1")  # fmt: skip
    add(at("14 08:00:00"), "SB-02", events.DropBoxHung, SETUP, box="118")
    for when, serial in (("14 15:00:00", "M25-0041801"), ("14 21:43:10", "M25-0041877")):
        add(at(when), "SB-02", events.CouponRedeemed, SETUP, serial=serial, wager_id=None, box=None,
            denomination_cents=2_500, decided=events.SettledAs.WON, paid_cents=2_500, box_table="SB-02",
            redeemed_by="D-4", role=events.Role.DEALER)  # fmt: skip
    add(at("15 04:30:00"), MARKETING, events.CouponsReturned, SETUP, return_id="RT1",
        kind=events.CouponReturnKind.UNUSED, ranges=(m25(41_881, 41_889),), returned_by="C-MS1",
        received_by="C-FS1")  # fmt: skip
    add(at("15 04:35:00"), FINANCE, events.CouponReturnEntered, SETUP, entry="RTE-1", return_id="RT1",
        returned_on="2013-06-14", ranges=(m25(41_881, 41_889),),
        voided=(CouponVoid(denomination_cents=2_500, first="M25-0041890", last=None,
                           reason="torn at the desk"),),
        returned_by=program.signed("MS1"), received_by=program.signed("FS1"),
        entered_by="C-FS1")  # fmt: skip
    for kept in (m25(41_891, 41_900), m5(151, 200)):
        add(at("15 04:40:00"), MARKETING, events.CouponsKept, SETUP, for_gaming_day="2013-06-14",
            ranges=(kept,), area=program.SAFE, locked=True, kept_by="C-MS1")  # fmt: skip
    _form(add)
    add(at("15 05:00:00"), "SB-02", events.DropBoxRemoved, SETUP, box="118")


def _form(add: Any) -> None:
    add(at("15 04:50:00"), MARKETING, events.ReconciliationFormCompleted, SETUP, form_id="F-77",
        for_gaming_day="2013-06-14", dated="2013-06-14", carried_in=(),
        received=(m25(41_801, 41_900), m5(1, 200)),
        to_distribute=(CouponQuantity(denomination_cents=2_500, quantity=100),
                       CouponQuantity(denomination_cents=500, quantity=200)),
        distributed=(CouponQuantity(denomination_cents=2_500, quantity=80),
                     CouponQuantity(denomination_cents=500, quantity=151)),
        remaining=(m25(41_881, 41_889), m25(41_891, 41_900), m5(151, 200)),
        voided=(CouponVoid(denomination_cents=2_500, first="M25-0041890", last=None,
                           reason="torn at the desk"),),
        variations=(events.FormVariation(denomination_cents=500, first="M05-0000301", last=None,
                                  quantity=1, explanation="-found in the drawer: +1 coupon"),),
        completed_by=program.signed("MS1"))  # fmt: skip


def _fifteenth(timeline: Timeline) -> None:
    add: Any = timeline.add
    add(at("15 09:00:00"), COUNT, events.CouponsCounted, SETUP, box="118", box_table="SB-02",
        for_gaming_day="2013-06-14", part=1, parts=1, ranges=(m25(41_801),), unreadable=0,
        counted_by=("C-FM1", "C-FM2"))  # fmt: skip
    add(at("15 09:20:00"), FINANCE, events.CouponsForwarded, SETUP, for_gaming_day="2013-06-14",
        items=(events.ForwardedItem.DOCUMENTATION, events.ForwardedItem.VOIDED, events.ForwardedItem.REDEEMED,
               events.ForwardedItem.UNDISTRIBUTED), forwarded_by="C-MS1", received_by="C-FS1")  # fmt: skip
    for one, because in (
        (m25(41_801), events.CancelReason.REDEEMED),
        (m25(41_890), events.CancelReason.VOIDED),
    ):
        add(at("15 09:30:00"), FINANCE, events.CouponsCancelled, SETUP, for_gaming_day="2013-06-14",
            ranges=(one,), because=because, how=events.CancelMethod.PHYSICAL,
            cancelled_by="C-FS1")  # fmt: skip
    add(at("15 09:40:00"), FINANCE, events.CouponsReviewed, SETUP, for_gaming_day="2013-06-14",
        calculation_checked=True, signatures_checked=True, faults=(),
        reviewed_by="C-FS1")  # fmt: skip
    add(at("15 10:00:00"), FINANCE, events.CouponsInventoried, SETUP, inventory="IV-6", month="2013-06",
        covers=(events.CouponHolder.FINANCE, events.CouponHolder.MARKETING), in_ledger=True,
        lines=(m25(41_881, 41_889), m25(41_891, 42_000), m5(151, 300), m5(302, 500)),
        inventoried_by=("C-FM1", "C-FM2"))  # fmt: skip
    add(at("15 12:00:00"), FINANCE, events.QuarterlyReportFiled, SETUP, quarter="2013-Q2",
        filed_on="2013-06-15", bureau=events.Bureau.CASINO_COMPLIANCE, filed_by="C-FS1",
        lines=(CouponValue(denomination_cents=2_500, value_cents=5_000),))  # fmt: skip
    program.stock(timeline, at("16 10:00:00"), "D10", (run("M10-", 1, 3, 1_000),))


def memory(facts: Iterable[events.Fact]) -> MemoryLog:
    """A log in memory of some facts."""
    log = MemoryLog(origin="coupons.example", property="Coupon Casino", record_time=1)
    done = log.append((Arrival(frame(one)) for one in facts), record_time=2)
    assert not done.troubles
    return log


def folder(path: Path, facts: Iterable[events.Fact]) -> Path:
    """A ledger folder of some facts."""
    if not (path / "checkpoint").exists():
        init(path, origin="coupons.example", property="Coupon Casino", record_time=1, key=None)
    with open_log(path, key=None, witness=None) as log:
        assert not log.append((Arrival(frame(one)) for one in facts), 2).troubles
    return path


def signed(own: FormDesk, issue: Issue, seq: int = 1) -> events.CouponFormSigned:
    """The signature of a form of the first day, on the ledger as it stands."""
    return events.CouponFormSigned(
        stream="coupons/signatures", seq=seq, event_time=at("15 11:00:00") + seq, source="S", recorded_by="C-MS1",
        form=issue.form.form, form_id=issue.form.form_id, issue=issue.number,
        supersedes=issue.supersedes, for_gaming_day=DAY.isoformat(), period=None,
        signed_as=events.SignedAs.COMPLETED, tree_size=own.replay.size, root=own.replay.root,
        signature=CouponSignature(person="C-MS1", printed_name="Ms One", signed=True, signed_time=at("15 11:00:00")),
        digest=issue.form.digest(),
        proof=None,
    )  # fmt: skip
