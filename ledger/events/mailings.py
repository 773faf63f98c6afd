"""Facts of coupons that a gaming service provider mails to patrons.

One frozen dataclass per schema, under ``schemas/coupons``: same name, same fields, same order;
the schema's docs give units and meanings.
"""

from __future__ import annotations

from ledger.events.coupon_words import CouponRange, ExclusionList, MailLine
from ledger.events.fact_declaration import Header, declared


@declared
class MailListSupplied(Header):
    """A list of coupons to be mailed was supplied to a gaming service provider."""

    list_id: str
    part: int
    parts: int
    provider: str | None
    electronic: bool | None
    lines: tuple[MailLine, ...]


@declared
class MailListGivenToFinance(Header):
    """Finance was given the list of coupons to be mailed."""

    list_id: str
    received_by: str | None


@declared
class ExclusionScreened(Header):
    """A list of coupons to be mailed was screened against an exclusion list."""

    list_id: str
    exclusion_list: ExclusionList
    version_hash: bytes
    screened_by: str | None
    entries: int
    hits: int
    hit_serials: tuple[str, ...]


@declared
class CouponsMailed(Header):
    """A gaming service provider mailed coupons to patrons."""

    list_id: str | None
    ranges: tuple[CouponRange, ...]
    provider: str | None
    machine_readable: bool | None
