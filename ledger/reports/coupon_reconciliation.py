"""The coupons of a gaming day reconciled, and the coupons outstanding.

Law: 58 Pa. Code § 525.21(m)(3), (m)(4).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from typing import Final, TypedDict

from ledger.coupons import Figures, Reconciliation
from ledger.coupons.forms import Kind, OpenRange, moment, span
from ledger.coupons.serial import Serial, SerialRange
from ledger.kernel import Finding, PropertyClock, dollars, plural
from ledger.reports.forms.contents import cell
from ledger.reports.forms.text import grid
from ledger.reports.phrases import short_dollars

FIGURES: Final = (
    *("carried_in", "received", "distributed", "voided", "returned", "returned_expired", "kept"),
    *("variation", "mailed", "redeemed", "dropped", "cancelled_redeemed"),
    *("finance_stock_close", "with_patrons_close"),
)
HEAD: Final = (
    *(
        "",
        "carried in",
        "received",
        "distributed",
        "voided",
        "returned",
        "returned expired",
        "kept",
    ),
    *("variation", "mailed", "redeemed", "counted", "cancelled", "finance stock", "with patrons"),
)


def balance_line(reconciliation: Reconciliation, findings: Sequence[Finding]) -> str:
    """The verdict on a gaming day in one line."""
    day = reconciliation.gaming_day
    if not reconciliation.is_over:
        return f"{day}: the record does not yet reach the end of the gaming day; no result yet."
    if findings or not reconciliation.is_balanced:
        off = [
            block.figures.denomination_cents
            for block in reconciliation.blocks
            if block.figures.variation
        ]
        varies = (
            f"; marketing has a variation in {', '.join(map(short_dollars, off))}" if off else ""
        )
        return f"{day}: does NOT balance: {plural(len(findings), 'finding')}{varies}."
    waiting = sum(box.counted is None for box in reconciliation.boxes)
    if not reconciliation.is_sure:
        return f"{day}: cannot be shown to balance: facts are missing or in conflict."
    balances = f"{day}: balances to the serial number."
    waits = plural(waiting, "drop box awaits its count", "drop boxes await their count")
    return f"{balances} {waits}." if waiting else balances


def reconcile_text(reconciliation: Reconciliation, findings: Sequence[Finding]) -> str:
    """The verdict, the figures by denomination, the boxes, and what each finding names."""
    return "\n".join(_lines(reconciliation, findings)) + "\n"


def _lines(reconciliation: Reconciliation, findings: Sequence[Finding]) -> Iterator[str]:
    yield balance_line(reconciliation, findings)
    yield ""
    rows = [
        (
            short_dollars(one.figures.denomination_cents),
            *(f"{getattr(one.figures, name):,}" for name in FIGURES),
        )
        for one in reconciliation.blocks
    ]
    yield from grid(HEAD, rows, [False] + [True] * len(FIGURES))
    if reconciliation.boxes:
        yield ""
        boxes = [
            (
                box.table or "not recorded",
                box.box or "not recorded",
                f"{box.dropped:,}",
                "awaiting count" if box.counted is None else f"{box.counted:,}",
            )
            for box in reconciliation.boxes
        ]
        yield from grid(
            ("table", "drop box", "redeemed into it", "counted"), boxes, [False, False, True, True]
        )
    for block in reconciliation.blocks:
        if block.unaccounted:
            yield ""
            named = ", ".join(map(span, block.unaccounted))
            yield f"{short_dollars(block.figures.denomination_cents)} unaccounted for: {named}"
    if findings:
        yield ""
        listed = [
            (" ".join(one.sentence.split()), one.citations[0].pin, one.code) for one in findings
        ]
        yield from grid(("finding", "section", "code"), listed, [False] * 3)


def reconcile_data(
    reconciliation: Reconciliation, findings: Sequence[Finding]
) -> dict[str, object]:
    """The verdict, the figures and the boxes as plain data, amounts in cents.

    A day on which a box still awaits its count is not called balanced.
    """
    waiting = sum(one.counted is None for one in reconciliation.boxes)
    return {
        "gaming_day": reconciliation.gaming_day.isoformat(),
        "balanced": reconciliation.is_balanced
        and not findings
        and reconciliation.is_sure
        and reconciliation.is_over
        and not waiting,
        "awaiting_count": waiting,
        "is_over": reconciliation.is_over,
        "is_sure": reconciliation.is_sure,
        "denominations": [
            {
                "denomination_cents": one.figures.denomination_cents,
                **_figures(one.figures),
                "unaccounted": [span(part) for part in one.unaccounted],
            }
            for one in reconciliation.blocks
        ],
        "boxes": [
            {"table": b.table, "box": b.box, "dropped": b.dropped, "counted": b.counted}
            for b in reconciliation.boxes
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


def _figures(figures: Figures) -> dict[str, int]:
    return {name: getattr(figures, name) for name in FIGURES}


OutstandingRow = TypedDict(
    "OutstandingRow",
    {
        "denomination_cents": int,
        "from": str,
        "to": str,
        "quantity": int,
        "face_cents": int,
        "place": str,
        "holder": str | None,
        "since": str,
        "days": int,
        "age": str,
        "expires": str | None,
        "status": str,
        "fact": str,
    },
)
"""An outstanding range as plain data.

``from`` and ``to`` are serial numbers, ``since`` is local time, ``expires`` an ISO date or None.
"""


def outstanding_row(outstanding: OpenRange, clock: PropertyClock) -> OutstandingRow:
    """One outstanding range of serial numbers as plain data."""
    first, last = _ends(outstanding.range)
    return {
        "denomination_cents": outstanding.denomination_cents,
        "from": first,
        "to": last,
        "quantity": outstanding.range.quantity,
        "face_cents": outstanding.range.quantity * outstanding.denomination_cents,
        "place": outstanding.place.value,
        "holder": outstanding.holder,
        "since": moment(clock, outstanding.since),
        "days": outstanding.days,
        "age": outstanding.age,
        "expires": outstanding.expires.isoformat() if outstanding.expires else None,
        "status": outstanding.status,
        "fact": f"{outstanding.fact.stream}:{outstanding.fact.seq}",
    }


def _ends(lot: SerialRange) -> tuple[str, str]:
    """The first and the last serial number of a range."""
    first = str(Serial(lot.prefix, lot.digits, lot.first))
    return first, first if lot.last == lot.first else str(Serial(lot.prefix, lot.digits, lot.last))


def outstanding_text(outstanding: Iterable[OpenRange], clock: PropertyClock) -> str:
    """The outstanding coupons, those that cannot be found first, with their age."""
    ranges = sorted(outstanding, key=lambda one: (not one.is_lost, one.range))
    if not ranges:
        return "No coupon is outstanding.\n"
    face, worth_of, moment_of = cache(short_dollars), cache(dollars), cache(partial(moment, clock))
    rows = [
        (
            *(face(lot.denomination_cents), *_ends(lot.range), f"{lot.range.quantity:,}"),
            *(worth_of(lot.cents), lot.place.value, cell(Kind.TEXT, lot.holder)),
            *(moment_of(lot.since), f"{lot.days} ({lot.age})"),
            *(cell(Kind.TEXT, lot.expires.isoformat() if lot.expires else None), lot.status),
        )
        for lot in ranges
    ]
    head = (
        *("", "from", "to", "quantity", "face value", "last place", "last holder", "since"),
        *("age, days", "expires", "status"),
    )
    total = sum(one.range.quantity for one in ranges)
    worth = sum(one.cents for one in ranges)
    lost = sum(one.range.quantity for one in ranges if one.is_lost)
    numbers = [title in ("", "quantity", "face value") for title in head]
    verb = "is" if total == 1 else "are"
    first = f"{plural(total, 'coupon')}, face value {dollars(worth)}, {verb} outstanding;"
    first += f" {lost:,} cannot be found."
    return "\n".join([first, "", *grid(head, rows, numbers)]) + "\n"
