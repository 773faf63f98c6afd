"""Serial numbers of an imported sheet, held against the series and deliveries of the ledger.

A run of serial numbers that contradicts itself or the series is a slip of the pen and is refused
before anything is written. What was seen at a table or in a box is a fact whatever it is: a coupon
that no series has may be counterfeit, one may show another value. That is warned about, and the
audit finds it.
Law: 58 Pa. Code § 525.21(c), (f), (h).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from ledger.kernel import UsageError, dollars

if TYPE_CHECKING:
    from ledger.coupons import Serial, SerialForms, SerialRange
    from ledger.intake import Check, Profile, Remark
    from ledger.replay import Replay

SEEN: Final = {"CouponRedeemed", "CouponsCounted", "CouponsVoided"}
"""What is written down of coupons in hand, not of runs out of the books."""
DELIVERS: Final = {"CouponSeriesDescribed", "CouponsDelivered"}
"""Facts that make serial numbers known: those of a sheet of them need no series before."""
_ALIKE: Final = str.maketrans({"O": "0", "Q": "0", "I": "1", "L": "1", "|": "1"})
_SHORTENED: Final = re.compile(r"\d(?:\.\d+)?E\+?\d+", re.ASCII | re.IGNORECASE)
_DECIMAL: Final = re.compile(r"(\d+)\.0+", re.ASCII)
_DATED: Final = re.compile(
    r"\d{4}-\d\d-\d\d.*|\d{1,2}-?[A-Z]{3}|[A-Z]{3}-?\d{2,4}", re.ASCII | re.IGNORECASE
)
AS_TEXT: Final = "make the column a text column in the spreadsheet and fill it in again"


def serial_check(profile: Profile, replay: Replay) -> Check | None:
    """What should hold of a row's serial numbers; None where no series is described."""
    from ledger.coupons import SerialForms, joined
    from ledger.events import CouponsDelivered, CouponSeriesDescribed
    from ledger.replay import FactStep

    events = {row.event.__name__ for row in profile.facts}
    serials = [name for name, column in profile.columns.items() if column.kind == "serial"]
    if not serials or "CouponSeriesDescribed" in events:
        return None
    forms, stated = SerialForms(), []
    for step in replay.walk(replay.offices().get("coupons", ()), only=DELIVERS):
        match step:
            case FactStep(fact=CouponSeriesDescribed() as series):
                forms.add(series)
            case FactStep(fact=CouponsDelivered() as delivered):
                stated += [run for run in delivered.invoiced if run.first and run.last]
    if not forms.described():
        return None
    runs: list[SerialRange] = []
    for run in stated:
        try:
            runs.append(forms.read_range(run.first or "", run.last or ""))
        except UsageError:
            continue  # the delivery itself is told of by the audit
    known = joined(runs) if "CouponsIssued" in events else ()
    is_seen = bool(events & SEEN)

    def check(values: Mapping[str, Any]) -> Iterator[Remark]:
        return _remarks(values, serials, forms, known, is_seen=is_seen)

    return check


def _remarks(
    values: Mapping[str, Any], serials: list[str], forms: SerialForms,
    delivered: tuple[SerialRange, ...], *, is_seen: bool,
) -> Iterator[Remark]:  # fmt: skip
    """What cannot be, or is odd, about the serial numbers of a row."""
    from ledger.coupons import DenominationDiffers, SerialUnreadable
    from ledger.intake import Remark

    column = serials[0]
    first = values.get(column)
    last = (values.get(serials[1]) if len(serials) > 1 else None) or first
    if first is None or last is None:
        return
    single = first == last
    try:
        serial_range = forms.read_range(str(first), str(last), values.get("denomination"))
    except SerialUnreadable as refusal:
        reason = _unmatched(forms, str(first), str(last)) if single else str(refusal)
        yield Remark(column, refusal.code, reason, is_refused=not single)
        return
    except DenominationDiffers as refusal:
        stands = {
            series.denomination_cents for series in forms.series_in(forms.read_range(first, last))
        }
        reason = f"{_run(first, last)} stands for {' or '.join(map(dollars, sorted(stands)))}"
        yield Remark("denomination", refusal.code, reason, is_refused=not is_seen)
        return
    except UsageError as refusal:
        yield Remark(column if single else serials[1], refusal.code, str(refusal))
        return
    if not forms.series_in(serial_range):
        sentence = f"{serial_range} lies outside every series received"
        yield Remark(column, "serial_unreadable", sentence, is_refused=False)
    quantity = values.get("quantity")
    if quantity is not None and quantity != serial_range.quantity:
        yield Remark(
            "quantity", "quantity_differs", f"{serial_range} are {serial_range.quantity} coupons"
        )
    rest = [serial_range]
    for run in delivered:
        rest = [left for piece in rest for left in piece.without(run)]
    if delivered and rest:
        sentence = f"{', '.join(map(str, rest))}: no delivery has it"
        yield Remark(serials[-1], "not_delivered", sentence)


def _run(first: str, last: str) -> str:
    return first if first == last else f"{first} to {last}"


def _unmatched(forms: SerialForms, first: str, last: str) -> str:
    """Why a serial number may match no series: what a spreadsheet or a hand does to one."""
    sentence = f"{_run(first, last)} matches no series received"
    if _SHORTENED.fullmatch(first):
        return f"{sentence}: the spreadsheet shortened a long number; {AS_TEXT}"
    if _DATED.fullmatch(first):
        return f"{sentence}: the spreadsheet made a date of it; {AS_TEXT}"
    decimal = _DECIMAL.fullmatch(first)
    bare = decimal[1] if decimal else first
    meant = {
        str(serial)
        for prefix, digits in {(series.prefix, series.digits) for series in forms.described()}
        if (serial := _meant(forms, bare, prefix, digits)) is not None
    }
    if len(meant) == 1:
        return f"{sentence}; {meant.pop()} would be one"
    return sentence


def _meant(forms: SerialForms, bare: str, prefix: str, digits: int) -> Serial | None:
    """A serial number of a series that a text may have been: letters like digits, a lost prefix."""
    from ledger.coupons import Serial

    stem = re.sub(r"[^0-9A-Z]", "", prefix.upper())
    text = re.sub(r"[^0-9A-Z|]", "", bare.upper())
    alike = text.translate(_ALIKE)
    rest = alike[len(stem) :] if alike.startswith(stem.translate(_ALIKE)) else alike
    if not rest.isdecimal() or len(rest) > digits:
        return None
    serial = Serial(prefix, digits, int(rest))
    return serial if forms.series_of(serial) is not None else None
