"""Coupons in a table's boxes and their face value, by the cash count or by a count of their own.

A box whose cash count names coupons is taken from that count alone, so that none counts twice.
Reading: table-day-coupons.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta

from ledger.audit.ledger_contract import Day
from ledger.coupons.serial import SerialForms
from ledger.events import CouponsCounted, DropBoxCounted
from ledger.kernel import PropertyClock, UsageError, table_of
from ledger.replay import Replay

Counts = dict[str, dict[int, CouponsCounted]]
"""The coupons' own counts of a table's day: the last of each part, by box."""
Face = tuple[int, int | None]
"""How many coupons, and their face value in cents; None where that is not known."""


def counts_of(
    replay: Replay, table: str, day: Day, clock: PropertyClock, within_days: int
) -> Counts:
    """Return the counts of coupons from a table's boxes for a day.

    Args:
        replay: the ledger's replay.
        table: the table.
        day: the gaming day for which they were counted.
        clock: the property's clock.
        within_days: how many gaming days after it the count may have been made.
    """
    until = clock.bounds(day.date + timedelta(days=within_days))[1]
    counts: Counts = {}
    for stream in replay.streams_with({CouponsCounted.__name__}):
        for step in replay.of_kind(stream, CouponsCounted, since=day.begins, until=until):
            fact = step.fact
            assert isinstance(fact, CouponsCounted)
            here = (fact.box_table or table_of(stream)) == table
            if here and fact.for_gaming_day == day.date.isoformat():
                counts.setdefault(fact.box, {})[fact.part] = fact
    return counts


def face_of(
    cash: Mapping[str, DropBoxCounted | None], own: Counts, forms: SerialForms
) -> Face | None:
    """Return the coupons of all boxes; None where nothing was counted.

    Args:
        cash: what each box held by its cash count, None where two counts differ.
        own: the coupons' own counts.
        forms: how serial numbers are written.
    """
    if not cash and not own:
        return None
    faces = [face_value(box.coupons, forms) for box in cash.values() if box and box.coupons]
    named = {name for name, box in cash.items() if box is not None and box.coupons}
    faces += [_of_parts(parts, forms) for box, parts in own.items() if box not in named]
    values = [cents for _, cents in faces if cents is not None]
    whole = len(values) == len(faces)
    return sum(count for count, _ in faces), sum(values) if whole else None


def face_value(serials: Iterable[str], forms: SerialForms) -> Face:
    """Return what is printed on coupons; not known where the series of one is not described."""
    total, count, known = 0, 0, True
    for text in serials:
        count += 1
        try:
            series = forms.series_of(forms.read(text))
        except UsageError:
            series = None
        if series is None:
            known = False
        else:
            total += series.denomination_cents
    return count, total if known else None


def _of_parts(parts: Mapping[int, CouponsCounted], forms: SerialForms) -> Face:
    """Return a box's coupons as finance counted them; an unreadable one has no face value."""
    count, total = 0, 0
    stated = max(fact.parts for fact in parts.values())
    known = set(parts) >= set(range(1, stated + 1))
    for fact in parts.values():
        count += fact.unreadable
        known = known and not fact.unreadable
        for listed in fact.ranges:
            try:
                first = listed.first or listed.last or ""
                serials = forms.read_range(first, listed.last or first, listed.denomination_cents)
            except UsageError:
                count, known = count + (listed.quantity or 1), False
                continue
            count += serials.quantity
            for series, part in forms.parts_of(serials):
                if series is None:
                    known = False
                else:
                    total += series.denomination_cents * part.quantity
    return count, total if known else None
