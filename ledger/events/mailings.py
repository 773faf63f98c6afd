"""Facts of coupons that a gaming service provider mails to patrons.

One frozen dataclass per schema, under ``schemas/coupons``: same name, same fields, same order;
units and meanings stand in the schema's docs.
"""

from __future__ import annotations

from ledger.events.coupon_words import CouponRange, ExclusionList, MailLine
from ledger.events.declared import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class MailListSupplied:
    """A list of coupons to be mailed was supplied to a gaming service provider."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    list_id: str
    part: int
    parts: int
    provider: str | None
    electronic: bool | None
    lines: tuple[MailLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MailListGivenToFinance:
    """Finance was given the list of coupons to be mailed."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    list_id: str
    received_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExclusionScreened:
    """A list of coupons to be mailed was screened against an exclusion list."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    list_id: str
    exclusion_list: ExclusionList
    version_hash: bytes
    screened_by: str | None
    entries: int
    hits: int
    hit_serials: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponsMailed:
    """A gaming service provider mailed coupons to patrons."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    list_id: str | None
    ranges: tuple[CouponRange, ...]
    provider: str | None
    machine_readable: bool | None
