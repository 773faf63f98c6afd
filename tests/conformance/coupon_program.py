"""What a case of coupons does not mention: approvals, people, series, and how each coupon got there.

Used by the stock cases and by the redemption cases: everything lawful, days before the case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, Final

from ledger import events
from ledger.events.coupon_words import CouponOrigin
from ledger.kernel import MICROSECONDS
from tests.conformance.keys import NotTranslatable
from tests.conformance.timeline import HOUSE, SETUP, Origin, Timeline

FINANCE: Final = "coupons/finance"
MARKETING: Final = "coupons/marketing"
MAIL: Final = "coupons/mail"
COUNT: Final = "coupons/count"
DESIGN: Final = "DESIGN-1"
VAULT: Final = "VAULT-1"
SAFE: Final = "SAFE-1"
SHOWN: Final = tuple(
    one for one in events.CouponElement if one is not events.CouponElement.UNRECOGNISED
)
USUAL: Final = (
    *(
        events.ControlsPart.INVENTORY,
        events.ControlsPart.DISTRIBUTION,
        events.ControlsPart.REDEMPTION,
    ),
    *(events.ControlsPart.STORAGE, events.ControlsPart.INVENTORY_PROCEDURE),
)
FAR: Final = "2099-12-31"
PEOPLE: Final = {
    "FS1": "finance supervisor",
    "FS2": "finance supervisor",
    "FM1": "finance member",
    "MS1": "marketing supervisor",
    "MS2": "marketing supervisor",
    "MM1": "marketing member",
}


def credential(person: str | None) -> str | None:
    """The credential number of a person that a case names."""
    return None if person is None else person if person.startswith("C-") else f"C-{person}"


def signed(person: str) -> events.CouponSignature:
    """A signature in order."""
    return events.CouponSignature(
        person=credential(person), printed_name=f"{person} name", signed=True, signed_time=None
    )


def approve(
    timeline: Timeline,
    at: int,
    parts: Iterable[events.ControlsPart] = USUAL,
    *,
    design: bool = True,
    bureau: events.Bureau | None = None,
    name: str = "CONTROLS-1",
) -> None:
    """Design, internal controls and storage are filed and approved."""
    add = timeline.add
    if design:
        add(at, FINANCE, events.CouponDesignFiled, SETUP, design=DESIGN, elements=SHOWN)
        add(at, FINANCE, events.CouponDesignApproved, SETUP, design=DESIGN,
            bureau=events.Bureau.GAMING_OPERATIONS, withdrawn=False)  # fmt: skip
        for area, holder in (
            (VAULT, events.CouponHolder.FINANCE),
            (SAFE, events.CouponHolder.MARKETING),
        ):
            add(at, FINANCE, events.CouponStorageApproved, SETUP, area=area, holder=holder,
                bureau=events.Bureau.CASINO_COMPLIANCE, withdrawn=False)  # fmt: skip
    add(at, FINANCE, events.CouponControlsFiled, SETUP, controls=name, governs=tuple(parts),
        finance_department="finance", marketing_department="marketing")  # fmt: skip
    add(at, FINANCE, events.CouponControlsApproved, SETUP, controls=name,
        bureau=bureau or events.Bureau.GAMING_OPERATIONS, withdrawn=False)  # fmt: skip


def hire(timeline: Timeline, at: int, people: Mapping[str, str] = PEOPLE) -> None:
    """People with credentials, and their functions in the coupon program."""
    for person, words in people.items():
        timeline.add(at, HOUSE, events.PersonCredentialled, SETUP, person=credential(person),
                     department=words, role=None, revoked=False)  # fmt: skip
        for word, department in (
            ("finance", events.CouponDepartment.FINANCE),
            ("marketing", events.CouponDepartment.MARKETING),
        ):
            if word in words:
                above = re.search(r"supervisor|manager|director|head|chief", words)
                rank = events.CouponRank.SUPERVISOR if above else events.CouponRank.MEMBER
                timeline.add(at, FINANCE, events.CouponFunctionGiven, SETUP, person=credential(person),
                             department=department, rank=rank, ended=False)  # fmt: skip


def split(serial: str) -> tuple[str, int, int]:
    """Prefix, number of digits and number of a serial number as the examples write it."""
    digits = len(serial) - len(serial.rstrip("0123456789"))
    if not digits:
        raise NotTranslatable(f"not a serial number: {serial!r}")
    return serial[:-digits], digits, int(serial[-digits:])


def describe(
    timeline: Timeline,
    at: int,
    prefix: str,
    digits: int,
    cents: int,
    *,
    series: str | None = None,
    first: str | None = None,
    last: str | None = None,
    expires: str | None = FAR,
    games: tuple[str, ...] | None = None,
    wagers: tuple[str, ...] | None = None,
    pays: events.CouponPays | None = events.CouponPays.WAGER_ODDS,
) -> None:
    """A series and what is printed on it."""
    timeline.add(
        at, FINANCE, events.CouponSeriesDescribed, SETUP, series=series or f"SERIES-{prefix}",
        design=DESIGN, denomination_cents=cents, prefix=prefix, digits=digits, first=first,
        last=last, expires=expires, games=games, wagers=wagers, pays=pays, elements=SHOWN,
    )  # fmt: skip


def run_of(serials: Iterable[str], cents: int | None) -> tuple[events.CouponRange, ...]:
    """Serial numbers as ranges: those that follow each other are one."""
    found: list[list[str]] = []
    for one in serials:
        prefix, digits, number = split(one)
        if found:
            before = split(found[-1][-1])
            if before[:2] == (prefix, digits) and number == before[2] + 1:
                found[-1].append(one)
                continue
        found.append([one])
    return tuple(
        events.CouponRange(denomination_cents=cents, first=run[0], last=run[-1], quantity=len(run))
        for run in found
    )


STEPS: Final = (
    "in_finance_stock", "held_by_marketing", "distributed",
)  # fmt: skip


def bring(timeline: Timeline, at: int, serials: list[str], cents: int, status: str) -> None:
    """How coupons of one denomination came to where a case finds them; ``at`` is days before."""
    name = f"{status}-{cents}-{serials[0]}"
    ranges = run_of(serials, cents)
    if status in ("unknown_serial", "never_received"):
        return
    if status == "mailed":
        lines = tuple(mail_line(one, cents, FAR, f"n-{one}", f"a-{one}") for one in serials)
        mail_list(timeline, at, name, lines, hits=())
        timeline.add(at + 3, MAIL, events.CouponsMailed, SETUP, list_id=name, ranges=ranges,
                     provider="P-1", machine_readable=True)  # fmt: skip
        return
    stock(timeline, at, name, ranges)
    if status == "voided":
        timeline.add(at + 9 * MICROSECONDS, FINANCE, events.CouponsVoided, SETUP,
                     holder=events.CouponHolder.FINANCE, ranges=ranges, reason="misprint",
                     voided_by=credential("FS1"))  # fmt: skip
    reached = STEPS.index(status) if status in STEPS else 0
    if reached >= 1:
        issue(timeline, at + 10 * MICROSECONDS, name, ranges)
    if reached >= 2:
        timeline.add(at + 20 * MICROSECONDS, MARKETING, events.CouponsDistributed, SETUP, ranges=ranges,
                     distributed_by=credential("MM1"), patron=None, promotion=None)  # fmt: skip


def stock(timeline: Timeline, at: int, name: str, ranges: tuple[events.CouponRange, ...]) -> None:
    """Delivered, examined by both departments, entered."""
    add = timeline.add
    add(at, FINANCE, events.CouponsDelivered, SETUP, delivery=name, provider="P-1", invoice=f"INV-{name}",
        origin=CouponOrigin.GAMING_SERVICE_PROVIDER, invoiced=ranges,
        received_by=credential("FS1"))  # fmt: skip
    add(at + 1, FINANCE, events.CouponsExamined, SETUP, delivery=name, counted=ranges, elements=None,
        examined_by=(credential("FM1"), credential("MM1")))  # fmt: skip
    add(at + 2, FINANCE, events.CouponReceiptEntered, SETUP, entry=f"R-{name}", delivery=name,
        received_on="2012-07-20", lots=ranges, checked_by=(signed("FM1"), signed("MM1")),
        entered_by=credential("FS1"))  # fmt: skip


def issue(timeline: Timeline, at: int, name: str, ranges: tuple[events.CouponRange, ...]) -> None:
    """Requisitioned, authorized, entered, handed over."""
    cents = ranges[0].denomination_cents
    lines = (
        events.CouponQuantity(
            denomination_cents=cents, quantity=sum(o.quantity or 0 for o in ranges)
        ),
    )
    add = timeline.add
    add(at, MARKETING, events.CouponsRequisitioned, SETUP, requisition=name, prepared_on="2012-07-20",
        needed_for="2012-07-20", promotion=None, lines=lines, prepared_by=signed("MS1"))  # fmt: skip
    add(at + 1, FINANCE, events.RequisitionAuthorized, SETUP, requisition=name,
        authorized_by=signed("FS1"))  # fmt: skip
    add(at + 2, FINANCE, events.CouponIssueEntered, SETUP, entry=f"I-{name}", requisition=name,
        lines=ranges, voided=(), issued_by=signed("FS1"))  # fmt: skip
    add(at + 3, FINANCE, events.CouponsIssued, SETUP, requisition=name, ranges=ranges,
        issued_by=credential("FS1"), received_by=credential("MS1"))  # fmt: skip


def commitment(word: str | None) -> bytes | None:
    """What stands for a name or an address."""
    return None if word is None else sha256(word.encode()).digest()


def mail_line(
    serial: str | None,
    cents: int | None,
    expires: str | None,
    name: str | None,
    address: str | None,
) -> events.MailLine:
    """One line of a list."""
    return events.MailLine(
        serial=serial, denomination_cents=cents, expires=expires, barcode=serial, opening=None,
        name_commitment=commitment(name), address_commitment=commitment(address),
    )  # fmt: skip


def mail_list(
    timeline: Timeline,
    at: int,
    name: str,
    lines: tuple[events.MailLine, ...],
    hits: tuple[str, ...],
    *,
    origin: Origin = SETUP,
    electronic: bool | None = True,
    to_finance: bool = True,
    screened: bool = True,
) -> None:
    """The list, its copy to finance, and its screening against both lists."""
    timeline.add(at, MAIL, events.MailListSupplied, origin, list_id=name, part=1, parts=1,
                 provider="P-1", electronic=electronic, lines=lines)  # fmt: skip
    if to_finance:
        timeline.add(at + 1, MAIL, events.MailListGivenToFinance, origin, list_id=name,
                     received_by=credential("FS1"))  # fmt: skip
    for which in (
        (events.ExclusionList.SELF_EXCLUSION, events.ExclusionList.EXCLUSION) if screened else ()
    ):
        timeline.add(at + 2, MAIL, events.ExclusionScreened, origin, list_id=name, exclusion_list=which,
                     version_hash=sha256(which.value.encode()).digest(), screened_by=None,
                     entries=len(lines), hits=len(hits), hit_serials=hits)  # fmt: skip


Values = Mapping[str, Any]
