"""A gaming day of coupons reconciled: the verdict, the balances, what breaks them; and what is out.

Law: 58 Pa. Code § 525.21(m)(3), (m)(4).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from ledger.coupons import Figures, Reconciliation
from ledger.coupons.forms import Kind, OpenRange, moment, span
from ledger.coupons.serial import Serial
from ledger.kernel import Finding, PropertyClock, dollars
from ledger.reports.coupon_where import face
from ledger.reports.forms.shown import cell
from ledger.reports.forms.text import grid

FIGURES: Final = (
    *("carried_in", "received", "distributed", "voided", "returned", "returned_expired", "kept"),
    *("variation", "mailed", "redeemed", "dropped", "cancelled_redeemed"),
    *("finance_stock_close", "with_patrons_close"),
)
HEAD: Final = (
    *("", "carried in", "received", "distributed", "voided", "returned", "expired back", "kept"),
    *("variation", "mailed", "redeemed", "counted", "cancelled", "finance stock", "with patrons"),
)


def balance_line(found: Reconciliation, findings: Sequence[Finding]) -> str:
    """The verdict on a gaming day in one line."""
    day = found.gaming_day
    if not found.is_over:
        return f"{day}: the gaming day is not over on the record; nothing can be concluded yet."
    if findings or not found.is_balanced:
        off = [one.figures.denomination_cents for one in found.blocks if one.figures.variation]
        varies = f"; marketing varies in {', '.join(map(face, off))}" if off else ""
        return f"{day}: does NOT balance: {len(findings)} findings{varies}."
    waiting = sum(one.counted is None for one in found.boxes)
    if not found.is_sure:
        return f"{day}: cannot be shown to balance: facts are missing or contested in the record."
    said = f"{day}: balances to the serial number."
    return f"{said} {waiting} drop boxes await their count." if waiting else said


def reconcile_text(found: Reconciliation, findings: Sequence[Finding]) -> str:
    """The verdict, the figures by denomination, the boxes, and what each finding names."""
    return "\n".join(_lines(found, findings)) + "\n"


def _lines(found: Reconciliation, findings: Sequence[Finding]) -> Iterator[str]:
    yield balance_line(found, findings)
    yield ""
    rows = [
        (
            face(one.figures.denomination_cents),
            *(f"{getattr(one.figures, name):,}" for name in FIGURES),
        )
        for one in found.blocks
    ]
    yield from grid(HEAD, rows, [False] + [True] * len(FIGURES))
    if found.boxes:
        yield ""
        boxes = [
            (
                box.table or "not recorded",
                box.box or "not recorded",
                f"{box.dropped:,}",
                "awaiting count" if box.counted is None else f"{box.counted:,}",
            )
            for box in found.boxes
        ]
        yield from grid(
            ("table", "drop box", "redeemed into it", "counted"), boxes, [False, False, True, True]
        )
    for block in found.blocks:
        if block.unaccounted:
            yield ""
            named = ", ".join(map(span, block.unaccounted))
            yield f"{face(block.figures.denomination_cents)}: varies by {named}"
    if findings:
        yield ""
        listed = [
            (one.code, " ".join(one.sentence.split()), one.citations[0].pin) for one in findings
        ]
        yield from grid(("finding", "", "section"), listed, [False] * 3)


def reconcile_data(found: Reconciliation, findings: Sequence[Finding]) -> dict[str, Any]:
    """The same as plain data; what awaits its count is not called balanced."""
    waiting = sum(one.counted is None for one in found.boxes)
    return {
        "gaming_day": found.gaming_day.isoformat(),
        "balanced": found.is_balanced
        and not findings
        and found.is_sure
        and found.is_over
        and not waiting,
        "awaiting_count": waiting,
        "is_over": found.is_over,
        "is_sure": found.is_sure,
        "denominations": [
            {
                "denomination_cents": one.figures.denomination_cents,
                **_figures(one.figures),
                "unaccounted": [span(part) for part in one.unaccounted],
            }
            for one in found.blocks
        ],
        "boxes": [
            {"table": b.table, "box": b.box, "dropped": b.dropped, "counted": b.counted}
            for b in found.boxes
        ],
        "findings": [
            {
                "code": one.code,
                "severity": one.severity.name.lower(),
                "certainty": one.certainty.value,
                "sentence": one.sentence,
                "section": one.citations[0].section,
                "facts": [f"{ref.stream}:{ref.seq}" for ref in one.facts],
            }
            for one in findings
        ],
    }


def _figures(one: Figures) -> dict[str, int]:
    return {name: getattr(one, name) for name in FIGURES}


def outstanding_row(one: OpenRange, clock: PropertyClock) -> dict[str, Any]:
    """One range that is out, as plain data."""
    first, last = (
        str(Serial(one.range.prefix, one.range.digits, end))
        for end in (one.range.first, one.range.last)
    )
    return {
        "denomination_cents": one.denomination_cents,
        "from": first,
        "to": last,
        "quantity": one.range.quantity,
        "face_cents": one.range.quantity * one.denomination_cents,
        "place": one.place.value,
        "holder": one.holder,
        "since": moment(clock, one.since),
        "days": one.days,
        "age": one.age,
        "expires": one.expires.isoformat() if one.expires else None,
        "status": one.status,
        "fact": f"{one.fact.stream}:{one.fact.seq}",
    }


def outstanding_text(found: Iterable[OpenRange], clock: PropertyClock) -> str:
    """All that is out, what cannot be found first, with the totals by age."""
    ranges = sorted(found, key=lambda one: (not one.is_lost, one.range))
    if not ranges:
        return "No coupon is out.\n"
    rows = []
    for one in ranges:
        row = outstanding_row(one, clock)
        rows.append(
            (
                *(face(one.denomination_cents), row["from"], row["to"], f"{one.range.quantity:,}"),
                *(dollars(row["face_cents"]), one.place.value, cell(Kind.TEXT, one.holder)),
                *(row["since"], f"{one.days} ({one.age})"),
                *(cell(Kind.TEXT, row["expires"]), one.status),
            )
        )
    head = (
        *("", "from", "to", "qty", "face", "last known place", "last holder", "since"),
        *("age, days", "expires", "status"),
    )
    total = sum(one.range.quantity for one in ranges)
    worth = sum(one.range.quantity * one.denomination_cents for one in ranges)
    lost = sum(one.range.quantity for one in ranges if one.is_lost)
    numbers = [title in ("", "qty", "face") for title in head]
    said = f"{total:,} coupons of {dollars(worth)} are out; {lost:,} of them cannot be found."
    return "\n".join([said, "", *grid(head, rows, numbers)]) + "\n"
