"""The balances of finance's reconciliation, each by itself, by denomination, to a gaming day's end.

Each compares what came in, by the movements, with what went out and what is there. A difference is
not netted against that of another balance or denomination.
Law: 58 Pa. Code § 525.21(m)(3); reading redeemed-in-equation.
"""

from __future__ import annotations

from datetime import date

from ledger.coupons.custody_register import CustodyRegister
from ledger.coupons.figures import denominations, figures
from ledger.coupons.records import Flow
from ledger.kernel.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """One balance of one denomination, in coupons.

    Args:
        name: "finance", "marketing", "patrons" or "redeemed".
        denomination_cents: the denomination.
        into: what came in, each term with its name.
        out: what went out or is there, each term with its name.
    """

    name: str
    denomination_cents: int
    into: tuple[tuple[str, int], ...]
    out: tuple[tuple[str, int], ...]

    @property
    def difference(self) -> int:
        """What came in less what went out and is there: zero when it balances."""
        return sum(count for _, count in self.into) - sum(count for _, count in self.out)


def balances(book: CustodyRegister, day: date) -> tuple[Balance, ...]:
    """Return the balances of each denomination; the record must have been followed to its end."""
    lines: list[Balance] = []
    for own in figures(book, day):
        cents = own.denomination_cents
        stocked, returned, issued, gone = (
            _until(book, day, cents, flow)
            for flow in (Flow.STOCKED, Flow.RETURNED, Flow.RECEIVED, Flow.OUT_OF_STOCK)
        )
        lines.append(
            Balance(
                name="finance",
                denomination_cents=cents,
                into=(("received", stocked), ("returned for reissue", returned)),
                out=(
                    ("on hand", own.finance_stock_close),
                    ("issued", issued),
                    ("voided or expired", gone),
                ),
            )
        )
        lines.append(
            Balance(
                name="marketing",
                denomination_cents=cents,
                into=(("carried in", own.carried_in), ("received", own.received)),
                out=(
                    ("distributed", own.distributed),
                    ("voided", own.voided),
                    ("returned", own.returned),
                    ("returned, expired", own.returned_expired),
                    ("kept", own.kept),
                ),
            )
        )
        lines.append(_patrons(book, day, cents, own.with_patrons_close))
        lines.extend(
            Balance(
                name="redeemed",
                denomination_cents=cents,
                into=(("redeemed", own.redeemed),),
                out=((name, count),),
            )
            for name, count in (
                ("counted from the boxes", own.dropped),
                ("cancelled", own.cancelled_redeemed),
            )
        )
    return tuple(lines)


def _patrons(book: CustodyRegister, day: date, cents: int, outstanding: int) -> Balance:
    """Return the balance of coupons with patrons: distributed and mailed against all ways out."""
    rightly = sum(
        one.quantity
        for known, record in book.days.items()
        if known <= day
        for one in record.ranges(Flow.DISTRIBUTED, cents)
    )
    out = (
        ("redeemed", Flow.REDEEMED_HELD),
        ("voided", Flow.VOIDED_PATRONS),
        ("expired unredeemed, cancelled", Flow.EXPIRED_PATRONS),
        ("not deliverable", Flow.UNDELIVERED),
    )
    return Balance(
        name="patrons",
        denomination_cents=cents,
        into=(("distributed", rightly), ("mailed", _until(book, day, cents, Flow.MAILED))),
        out=(
            *((name, _until(book, day, cents, flow)) for name, flow in out),
            ("outstanding", outstanding),
        ),
    )


def _until(book: CustodyRegister, day: date, cents: int, flow: Flow) -> int:
    """Return the quantity of a flow from the beginning to a gaming day's end."""
    return sum(record.quantity(flow, cents) for known, record in book.days.items() if known <= day)


def denominations_out(book: CustodyRegister, day: date) -> tuple[int, ...]:
    """Return the denominations of which any balance differs, in cents, rising."""
    differ = {one.denomination_cents for one in balances(book, day) if one.difference}
    return tuple(cents for cents in denominations(book) if cents in differ)
