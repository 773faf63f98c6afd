"""How forms write serial numbers, people, signatures and moments.

Law: 58 Pa. Code § 525.21(f) to (o).
"""

from __future__ import annotations

from collections.abc import Iterable

from ledger.coupons.serial import Serial, SerialRange, joined
from ledger.events import CouponSignature, CouponVoid
from ledger.kernel import PropertyClock


def span(serials: SerialRange) -> str:
    """Print a range with a dash: ``M25-0000001 - M25-0000100``."""
    first, last = (
        str(Serial(serials.prefix, serials.digits, end)) for end in (serials.first, serials.last)
    )
    return first if serials.quantity == 1 else f"{first} - {last}"


def spans(ranges: Iterable[SerialRange], none: str = "") -> str:
    """Print ranges, one below the other, all of them however many; ``none`` if there is none."""
    return "\n".join(span(one) for one in joined(ranges)) or none


def yes_no(answer: bool | None) -> str | None:
    """Return "yes", "no", or None where the record does not say."""
    return None if answer is None else "yes" if answer else "no"


def listed(people: Iterable[str]) -> str | None:
    """Print names or credential numbers, one below the other; None if there is none."""
    return "\n".join(people) or None


def signature(signed: CouponSignature | None) -> tuple[str | None, str | None, str | None]:
    """Return printed name, signature and credential number on a paper.

    Each is None if not recorded. The signature is "yes" or "no".
    """
    if signed is None:
        return None, None, None
    return signed.printed_name or None, yes_no(signed.signed), signed.person or None


def signatures(
    signed: Iterable[CouponSignature],
) -> tuple[str | None, str | None, str | None]:
    """Return the same as ``signature`` for several people, one below the other."""
    parts = [signature(one) for one in signed]
    if not parts:
        return None, None, None
    names, marks, credentials = (
        "\n".join(part if part is not None else "not recorded" for part in column)
        for column in zip(*parts, strict=True)
    )
    return names, marks, credentials


def voids(voided: Iterable[CouponVoid]) -> tuple[str, str | None]:
    """Return voided serial numbers and their reasons as a paper states them, one void a line."""
    lines = list(voided)
    serials = "\n".join(
        f"{one.first or 'not recorded'}"
        + (f" - {one.last}" if one.last not in (None, one.first) else "")
        for one in lines
    )
    reasons = "\n".join(one.reason or "no reason recorded" for one in lines)
    return serials, reasons


def moment(clock: PropertyClock, at: int) -> str:
    """Print a time in microseconds UTC by the property's clocks: ``2014-06-14 21:43:10``."""
    return f"{clock.local(at):%Y-%m-%d %H:%M:%S}"
