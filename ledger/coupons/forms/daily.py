"""The daily Match Play Coupon Reconciliation Form: a block per denomination, a line per range.

A line is a range with which marketing began the day or which it received. What was distributed,
voided, returned or kept is deducted from the lines in order, each coupon once; what was given out
and is on no line gets a line of its own, with its variation.
Law: 58 Pa. Code § 525.21(j), (k); readings redeemed-in-equation, kept-by-marketing.
"""

from __future__ import annotations

from datetime import date

from ledger.coupons.custody_register import CustodyRegister
from ledger.coupons.figures import Figures, figures
from ledger.coupons.forms.fields import DAILY, TITLES, fields_of, signers_of
from ledger.coupons.forms.model import Computed, Entry, Form, Table, Value
from ledger.coupons.forms.words import signature, span
from ledger.coupons.records import DayRecord, Flow
from ledger.coupons.serial import SerialRange, joined, less
from ledger.events import CouponRange
from ledger.kernel import dollars

LINES = (
    *("carried_in", "received", "to_distribute", "distributed", "remaining"),
    *("remaining_serials", "voided_quantity", "voided", "variation", "explanation"),
)
"""The columns, in the order of § 525.21(j)."""
REMAINS = "{to_distribute}-{distributed}-{voided_quantity}"
"""The formula of a line: what remains of what there was to distribute."""
Row = tuple[Value, ...]


class _Pool:
    """Serial numbers of a flow that no line has taken yet."""

    def __init__(self, ranges: list[SerialRange]) -> None:
        self.left = sorted(ranges)

    def take(self, wanted: list[SerialRange]) -> list[SerialRange]:
        """Return those of the wanted serial numbers that are left; each is taken once."""
        taken: list[SerialRange] = []
        rest: list[SerialRange] = []
        for own in self.left:
            shared = [both for one in wanted if (both := own.shared_with(one)) is not None]
            if not shared:
                rest.append(own)
                continue
            taken += shared
            wanted = less(wanted, shared)
            rest += less([own], shared)
        self.left = rest
        return list(joined(taken))


def quantity(ranges: list[SerialRange]) -> int:
    """Return how many serial numbers the ranges hold."""
    return sum(one.quantity for one in ranges)


def daily_form(book: CustodyRegister, day: date) -> Form:
    """Return the daily form of a gaming day; the record must have been read to its end."""
    record = book.days.get(day) or DayRecord(day)
    blocks = tuple(_block(book, record, one) for one in figures(book, day))
    written = record.forms[-1] if record.forms else None
    name, mark, credential = signature(written.completed_by if written else None)
    values: tuple[Value, ...] = (
        day.isoformat(),
        written.form_id if written else "not on record",
        *((name, mark, credential) if written else ("", "", "")),
    )
    keys = ("date", "written", "completed_name", "completed_signature", "completed_credential")
    return Form(
        form=DAILY,
        form_id=f"MPC-DAY-{day}",
        title=TITLES[DAILY],
        day=day,
        period=None,
        heads=tuple(
            Entry(field=field, content=value)
            for field, value in zip(fields_of(DAILY, *keys), values, strict=True)
        ),
        tables=(*blocks, _totals(blocks)),
        signers=signers_of(DAILY),
        remarks=remarks(book, day),
    )


def remarks(book: CustodyRegister, day: date) -> tuple[str, ...]:
    """Return what a reader of any form of a day must know: a day not over, facts missing."""
    remarks = []
    if not book.is_over(day):
        remarks.append("PROVISIONAL: the gaming day is not over on the record.")
    begins, ends = book.clock.bounds(day)
    if not (book.sure(begins - 1, ends - 1, *book.tables_in_doubt()) and book.sure(-1, ends)):
        remarks.append(
            "Facts are missing or contested in the record that this form is made from:"
            " a figure may be wrong, and nothing here is shown to be complete."
        )
    return tuple(remarks)


def _block(book: CustodyRegister, record: DayRecord, own: Figures) -> Table:
    """The lines of one denomination."""
    cents = own.denomination_cents
    pools = {
        flow: _Pool(record.ranges(flow, cents))
        for flow in (
            *(Flow.DISTRIBUTED, Flow.VOIDED, Flow.RETURNED, Flow.RETURNED_EXPIRED, Flow.KEPT),
        )
    }
    rows = [
        *(_line(book, record, one, pools, carried=True) for one in _of(record, Flow.CARRIED_IN, cents)),
        *(_line(book, record, one, pools, carried=False) for one in _of(record, Flow.RECEIVED, cents)),
        *(_stray(book, record, one) for one, of in record.odd.get(Flow.DISTRIBUTED, ()) if of == cents),
    ]  # fmt: skip
    if not rows:
        rows.append(("none", "none", 0, 0, Computed(0, REMAINS), "none", 0, "none", 0, ""))
    return Table(
        title=f"{dollars(cents)} coupons",
        fields=fields_of(DAILY, *LINES),
        rows=tuple(rows),
        keys=2,
        each_cents=cents,
    )


def _of(record: DayRecord, flow: Flow, cents: int) -> tuple[SerialRange, ...]:
    """Return the ranges of a flow; one that came twice on a day is listed twice."""
    ranges = record.ranges(flow, cents)
    once = joined(ranges)
    return once if quantity(list(once)) == quantity(ranges) else tuple(sorted(ranges))


def _line(
    book: CustodyRegister,
    record: DayRecord,
    own: SerialRange,
    pools: dict[Flow, _Pool],
    *,
    carried: bool,
) -> Row:
    handed_out = pools[Flow.DISTRIBUTED].take([own])
    void = pools[Flow.VOIDED].take(less([own], handed_out))
    left = less([own], [*handed_out, *void])
    reasons = [
        (pools[flow].take(left), words)
        for flow, words in (
            (Flow.RETURNED, "returned"),
            (Flow.RETURNED_EXPIRED, "returned, expired"),
            (Flow.KEPT, "kept for the next day"),
        )
    ]
    gone = [one for ranges, _ in reasons for one in ranges]
    loose = less(left, gone)
    shown = [f"{span(one)} · {words}" for ranges, words in reasons for one in joined(ranges)]
    shown += [f"{span(one)} · not accounted for" for one in joined(loose)]
    disposed = "".join(f"-{quantity(ranges)}" for ranges, _ in reasons if ranges)
    return (
        span(own) if carried else "",
        "" if carried else span(own),
        own.quantity,
        quantity(handed_out),
        Computed(quantity(left), REMAINS),
        "\n".join(shown) or "none",
        quantity(void),
        "\n".join(_reasons(record, void)),
        Computed(quantity(loose), "{remaining}" + disposed),
        _explained(book, record, loose),
    )


def _stray(book: CustodyRegister, record: DayRecord, stray: SerialRange) -> Row:
    """Coupons given out that marketing did not have."""
    return (
        "",
        "",
        0,
        stray.quantity,
        0,
        "none",
        0,
        "",
        Computed(-stray.quantity, "{to_distribute}-{distributed}"),
        f"distributed and not held: {span(stray)}\n{_explained(book, record, [stray])}",
    )


def _reasons(record: DayRecord, void: list[SerialRange]) -> list[str]:
    """Voided serial numbers, each range with its reason."""
    return [
        f"{span(both)}: {reason or 'NO REASON RECORDED'}"
        for one in void
        for other, reason in record.void_reasons
        if (both := one.shared_with(other)) is not None
    ]


def _explained(book: CustodyRegister, record: DayRecord, loose: list[SerialRange]) -> str:
    """What marketing's own form says of serial numbers that vary."""
    if not loose:
        return ""
    if not book.is_over(record.day):
        return "the day is not over"
    if book.program.runs_on(record.day):
        return "held over: the promotional period goes on"
    form = record.forms[-1] if record.forms else None
    explanations = []
    for variation in form.variations if form else ():
        stated = CouponRange(
            denomination_cents=None,
            first=variation.first,
            last=variation.last or variation.first,
            quantity=None,
        )
        own = book.stated(stated) if variation.first else None
        if own is None or any(own.shared_with(other) for other in loose):
            explanations.append(variation.explanation or "NOT EXPLAINED")
    return "\n".join(explanations) or "NOT EXPLAINED"


def _totals(blocks: tuple[Table, ...]) -> Table:
    """Return the totals of each denomination in coupons and dollars, also of an unused one."""
    keys = (
        *("denomination", "to_distribute", "distributed", "voided_quantity", "remaining"),
        *("variation", "to_distribute_value", "distributed_value", "voided_value"),
        *("remaining_value", "variation_value"),
    )
    rows: list[Row] = []
    for block in blocks:
        cents = block.each_cents or 0
        sums = {one: block.total(LINES.index(one)) for one in keys[1:6]}
        worth = (
            Computed(sum_ * cents, f"{{{key}}}*{{denomination}}") for key, sum_ in sums.items()
        )
        rows.append((cents, *sums.values(), *worth))
    return Table(title="All denominations", fields=fields_of(DAILY, *keys), rows=tuple(rows))
