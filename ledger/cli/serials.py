"""Serial numbers of an imported sheet, held against the series and deliveries of the ledger.

A row that contradicts itself or the series is a slip of the pen and is refused before anything
is written. A single coupon that no series has is not: it may be counterfeit, which is a fact.
Law: 58 Pa. Code § 525.21(c), (f), (h).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from ledger.kernel import UsageError

if TYPE_CHECKING:
    from ledger.coupons import SerialForms, SerialRange
    from ledger.intake import Check
    from ledger.replay import Replay

ISSUES: Final = "coupon-issue"
"""The profile whose ranges must have been delivered."""


def serial_check(profile: str, replay: Replay) -> Check | None:
    """What must hold of a row's serial numbers; None where no series is described."""
    from ledger.coupons import SerialForms, joined
    from ledger.events import CouponsDelivered, CouponSeriesDescribed
    from ledger.replay import FactStep

    streams = replay.offices().get("coupons", ())
    wanted = {CouponSeriesDescribed.__name__, CouponsDelivered.__name__}
    forms, said = SerialForms(), []
    for step in replay.walk(streams, only=wanted):
        match step:
            case FactStep(fact=CouponSeriesDescribed() as series):
                forms.add(series)
            case FactStep(fact=CouponsDelivered() as delivered):
                said += [one for one in delivered.invoiced if one.first and one.last]
    if not forms.described():
        return None
    held: list[SerialRange] = []
    for one in said:
        try:
            held.append(forms.read_range(one.first or "", one.last or ""))
        except UsageError:
            continue  # the delivery itself is told of by the audit
    known = joined(held) if profile == ISSUES else ()

    def check(values: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
        return _faults(values, forms, known)

    return check


def _faults(
    values: Mapping[str, Any], forms: SerialForms, delivered: tuple[SerialRange, ...]
) -> Iterator[tuple[str, str, str]]:
    """Column, code and reason of each thing that cannot be."""
    from ledger.coupons import DenominationDiffers, SerialUnreadable

    column = "first" if "first" in values else "serial"
    first = values.get(column)
    last = values.get("last") or first
    if first is None or last is None:
        return
    single = first == last
    try:
        found = forms.read_range(str(first), str(last), values.get("denomination"))
    except SerialUnreadable as refusal:
        if not single:
            yield column, refusal.code, str(refusal)
        return
    except DenominationDiffers as refusal:
        yield "denomination", refusal.code, str(refusal)
        return
    except UsageError as refusal:
        yield column if single else "last", refusal.code, str(refusal)
        return
    quantity = values.get("quantity")
    if quantity is not None and quantity != found.quantity:
        yield "quantity", "quantity_differs", f"{found} are {found.quantity} coupons"
    rest = [found]
    for one in delivered:
        rest = [left for piece in rest for left in piece.without(one)]
    if delivered and rest:
        yield "last", "not_delivered", f"{', '.join(map(str, rest))}: no delivery has it"
