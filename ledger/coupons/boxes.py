"""Drop boxes: what was put into each, and what was counted from it, serial number by serial number.

A box is one box from being hung to being removed. One that was removed and not yet counted awaits
its count: nothing in it is missing. Each box is compared with its own count, so that an error in
one cannot hide an error in another. Law: 58 Pa. Code § 525.21(m)(1), (m)(3), (q)(6); § 525.22(e).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Final

from ledger import events
from ledger.coupons.custody import Place
from ledger.coupons.custody_register import CustodyRegister, Handler, fold
from ledger.coupons.people import acted, must_be
from ledger.coupons.records import Box
from ledger.coupons.serial import Serial, SerialRange, joined, less, overlaps
from ledger.kernel import MICROSECONDS, Finding, UsageError, duration_words, ref_of, table_of

LISTED: Final = 20
"""How many facts one finding names in addition to its last."""
COUNTED_TWICE: Final = "{observed} {was} counted twice."
"""The sentence for two coupons of one number in the boxes; the duty's own names redemptions."""
MOST: Final = 100_000
"""How many serial numbers of one counted range are checked one by one; a box holds fewer."""


def hung(book: CustodyRegister, fact: events.DropBoxHung) -> None:
    """Follow a box to a table."""
    table = table_of(fact.stream)
    box = Box(table, fact.box, book.at, book.today, hung=book.ref)
    book.hanging[table] = box
    book.boxes.append(box)


def removed(book: CustodyRegister, fact: events.DropBoxRemoved) -> None:
    """Follow a box away from its table."""
    table = table_of(fact.stream)
    box = book.hanging.pop(table, None)
    if box is None or box.box not in (None, fact.box):
        box = Box(table, fact.box, -1, book.today)
        book.boxes.append(box)
    box.box, box.removed_at, box.removed = fact.box, book.at, book.ref


def drop(book: CustodyRegister, serial: Serial, table: str, named: str | None) -> None:
    """Put a coupon into the box that hangs at a table, or into the one that is named.

    Args:
        book: the register.
        serial: the coupon.
        table: the table.
        named: the box; None where the fact names none.
    """
    box = book.hanging.get(table)
    if box is None or (named is not None and box.box not in (None, named)):
        box = _latest(book, table, named)
    if box is None:
        box = Box(table, named, -1, book.today)
        book.hanging.setdefault(table, box)
        book.boxes.append(box)
    if box.dropped.setdefault(serial, book.ref) != book.ref:
        box.again.append((serial, book.ref))


def _latest(book: CustodyRegister, table: str | None, named: str | None) -> Box | None:
    """Return the last box of a table or a name, counted or not."""
    for box in reversed(book.boxes):
        if (table is None or box.table == table) and (named is None or box.box in (None, named)):
            return box
    return None


def counted(book: CustodyRegister, fact: events.CouponsCounted) -> None:
    """Follow the count of a box's coupons; a later count of the same part replaces the earlier."""
    box = _latest(book, fact.box_table, fact.box)
    if box is None or (box.box is None and box.removed_at is None and fact.box_table is None):
        box = Box(fact.box_table or "", fact.box, -1, book.today)
        book.boxes.append(box)
    if box.box is None:
        box.box = fact.box
    day = book.named_day(fact.for_gaming_day)
    box.day = day
    ranges = book.ranges(fact.ranges)
    box.parts = max(1, fact.parts)
    box.counts[fact.part] = (book.ref, tuple(ranges), max(0, fact.unreadable), book.at)
    where = f"box {box.box}" + (f" of {box.table}" if box.table else "")
    _move(book, ranges, fact.counted_by[0] if fact.counted_by else None, where)
    for person in fact.counted_by:  # the accounting of coupons is finance's (§ 525.21(d))
        must_be(book, person, events.CouponDepartment.FINANCE, "coupon_wrong_department", "(d)#4")
        acted(book, person, events.CouponDepartment.FINANCE)
    if twice := overlaps(ranges):
        book.say(
            "coupon_duplicate_serial",
            "(m)(3)#10",
            observed=fold(twice),
            day=day,
            says=COUNTED_TWICE,
        )
    _deadline(book, box, day)


def _move(
    book: CustodyRegister, ranges: Iterable[SerialRange], who: str | None, where: str
) -> None:
    book.go(joined(ranges), Place.COUNTED, frozenset({Place.REDEEMED}), who, where)


def _deadline(book: CustodyRegister, box: Box, day: date) -> None:
    setting = book.program.deadlines.get(events.CouponDuty.BOX_COUNT)
    if setting is None or box.removed_at is None:
        return
    late = book.at - box.removed_at - setting.within_seconds * MICROSECONDS
    if late > 0:
        book.say(
            "coupon_deadline_missed",
            "(m)#1",
            observed=f"Box {box.box} was counted {duration_words(late)} late",
            expected=setting.source_line,
            day=day,
        )


def counted_with_cash(book: CustodyRegister, fact: events.DropBoxCounted) -> None:
    """Follow the count of a box with the cash: its coupons are compared with their own count."""
    if not fact.coupons and not book.boxes:
        return
    table = None if _is_office(fact.stream) else table_of(fact.stream)
    box = _latest(book, table, fact.box)
    if box is None and not fact.coupons:
        return
    if box is None:  # it was hung and removed by no fact: what lay in it is counted all the same
        box = Box(table or "", fact.box, -1, book.today)
        book.boxes.append(box)
    serials = []
    for text in fact.coupons:
        try:
            serial = book.custody.forms.read(text)
        except UsageError as refusal:
            book.say("coupon_serial_not_of_a_series", "(c)(3)#1", observed=refusal.problem)
        else:
            serials.append(SerialRange.between(serial, serial))
    box.cash, box.cash_ranges, box.day = fact, tuple(serials), book.named_day(fact.for_gaming_day)
    _move(book, serials, fact.counted_by[0] if fact.counted_by else None, f"box {fact.box}")


def _is_office(stream: str) -> bool:
    return table_of(stream) in ("house", "coupons")


# --- what each box comes to -----------------------------------------------------------------------


def boxes_of(book: CustodyRegister, day: date) -> list[Box]:
    """Return the boxes of a gaming day: counted for it, else removed or hung on it."""
    return [box for box in book.boxes if box.day == day]


def conclude_boxes(book: CustodyRegister, day: date, into: list[Finding]) -> None:
    """Judge the boxes of a gaming day, and add the findings to ``into``."""
    for box in boxes_of(book, day):
        if box.counts and box.cash is not None and box.is_counted:
            _two_counts(book, box, day, into)
        if box.is_counted and (box.counts or box.cash_ranges or box.dropped):
            _against_count(book, box, day, into)
        elif box.dropped and not box.is_counted:
            _not_counted(book, box, day, into)


def _not_counted(book: CustodyRegister, box: Box, day: date, into: list[Finding]) -> None:
    """Report a box with coupons and no count: overdue by the deadline, or hung again since."""
    again = any(
        other is not box and other.box == box.box and other.hung is not None
        and box.removed_at is not None and other.hung_at >= box.removed_at
        for other in book.boxes
    ) and box.box is not None  # fmt: skip
    unrecorded = box.hung is None and box.removed_at is None and book.is_over(day)
    setting = book.program.deadlines.get(events.CouponDuty.BOX_COUNT)
    overdue = (
        setting is not None
        and box.removed_at is not None
        and book.at > box.removed_at + setting.within_seconds * MICROSECONDS
    )
    if again or unrecorded or overdue:
        named = f"Drop box {box.box} at {box.table}" if box.box else f"The drop box at {box.table}"
        sure = book.sure(box.hung_at, book.at, box.table)
        book.say(
            "coupon_not_counted", "(m)(1)#1", observed=named, facts=(box.last(),), day=day,
            sure=sure, into=into,
        )  # fmt: skip


def _two_counts(book: CustodyRegister, box: Box, day: date, into: list[Finding]) -> None:
    assert box.cash is not None
    counted_ranges, other = set(box.counted()), set(box.cash_ranges)
    differs = less(counted_ranges, other) + less(other, counted_ranges)
    if differs:
        own = ref_of(box.cash)
        book.say(
            "coupon_count_differs", "(m)(1)#1", observed=fold(differs), expected=f"box {box.box}",
            facts=(own, box.last()), day=day, into=into,
        )  # fmt: skip


def _against_count(book: CustodyRegister, box: Box, day: date, into: list[Finding]) -> None:
    """Compare what was redeemed and dropped with what was counted, by serial number."""
    present = set(_serials(box.counted()))
    sure = book.sure(box.hung_at, book.at, box.table)
    missing = [serial for serial in box.dropped if serial not in present]
    for serial, _ in box.again:  # two coupons of one number went in: two must come out
        if sum(one.holds(serial) for one in box.counted()) <= sum(
            other == serial for other, _ in box.again
        ):
            missing.append(serial)
    unreadable = sum(count[2] for count in box.counts.values())
    lost = [one for one in missing if not _counted_elsewhere(book, box, one)]
    if lost:
        refs = tuple(box.dropped[one] for one in lost[:LISTED])
        book.say(
            "redeemed_not_dropped", ".22(e)#9", observed=_fold(lost), expected=box.table,
            facts=(*refs, box.last()), day=day, sure=sure and not unreadable, into=into,
        )  # fmt: skip
    strange: dict[tuple[str, str, str | None], list[Serial]] = {}
    for serial in sorted(present - box.dropped.keys()):
        why = _why_in(book, box, serial)
        if why is not None:
            strange.setdefault(why, []).append(serial)
    for (code, pin, other), those in strange.items():
        tables = (box.table, other) if other else (box.table,)
        book.say(
            code, pin, observed=_fold(those), expected=box.table or f"box {box.box}",
            says=COUNTED_TWICE if code == "coupon_duplicate_serial" else None,
            facts=(box.last(),), day=day, sure=book.sure(box.hung_at, book.at, *tables), into=into,
        )  # fmt: skip


def _serials(ranges: Iterable[SerialRange]) -> Iterator[Serial]:
    """Yield each serial number of some ranges, of a range of too many the first ``MOST``."""
    for prefix, digits, first, last in ranges:
        if first == last:
            yield tuple.__new__(Serial, (prefix, digits, first))
        else:
            ends = min(last, first + MOST)
            yield from (Serial(prefix, digits, number) for number in range(first, ends + 1))


def _counted_before(book: CustodyRegister, box: Box, serial: Serial) -> bool:
    """Whether another box had it already: one number came to finance twice."""
    return any(
        other is not box and other.is_counted and any(one.holds(serial) for one in other.counted())
        for other in book.boxes
    )


def _fold(serials: Iterable[Serial]) -> str:
    return fold(SerialRange.between(one, one) for one in serials)


def _counted_elsewhere(book: CustodyRegister, box: Box, serial: Serial) -> bool:
    """Whether it was found in another table's box, where it is reported."""
    return any(
        other is not box
        and other.table != box.table
        and any(one.holds(serial) for one in other.counted())
        for other in book.boxes
        if other.is_counted and abs((other.day - box.day).days) <= 1
    )


def _why_in(book: CustodyRegister, box: Box, serial: Serial) -> tuple[str, str, str | None] | None:
    """Return the finding on a coupon that was not expected in a box.

    None if it was redeemed at the table and only its drop is not recorded.
    """
    way = book.custody.way(serial)
    move = book.custody.went(way, Place.REDEEMED)
    if move is None:
        return ("dropped_not_redeemed", ".22(e)#8", None)
    if _counted_before(book, box, serial):
        return ("coupon_duplicate_serial", "(m)(3)#10", None)
    if not box.table:
        return None
    elsewhere = next(
        (other.table for other in book.boxes if other is not box and serial in other.dropped), None
    )
    if elsewhere is None and move.detail == box.table and move.at >= box.hung_at:
        return None
    if (elsewhere or move.detail) != box.table:
        return ("coupon_wrong_drop_box", ".22(e)#2", elsewhere or move.detail)
    return ("dropped_not_redeemed", ".22(e)#8", None)


def dropped_by_day(book: CustodyRegister, day: date) -> dict[int, int]:
    """Return the quantity found in the boxes of a gaming day, by denomination in cents."""
    quantities: dict[int, int] = {}
    for box in boxes_of(book, day):
        ranges = box.counted() if box.is_counted else []
        for series, quantity in book.custody.forms.quantities(ranges):
            if series is not None:
                cents = series.denomination_cents
                quantities[cents] = quantities.get(cents, 0) + quantity
    return quantities


HANDLERS: Final[dict[type, Handler]] = {
    events.DropBoxHung: hung,
    events.DropBoxRemoved: removed,
    events.CouponsCounted: counted,
    events.DropBoxCounted: counted_with_cash,
}
