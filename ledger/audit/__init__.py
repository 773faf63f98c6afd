"""One gaming day: all findings, the digest, what was captured."""

from ledger.audit.coupon_forms import FormDesk, NoCoupons
from ledger.audit.coupons import read_coupons, with_coupons
from ledger.audit.day import DayUnknown, audit_day, gaming_days, rounds_of
from ledger.audit.office import HouseRecord, PropertyUnknown, read_office
from ledger.audit.result import DayAudit, TableCapture

__all__ = [
    "DayAudit",
    "DayUnknown",
    "FormDesk",
    "HouseRecord",
    "NoCoupons",
    "PropertyUnknown",
    "TableCapture",
    "audit_day",
    "gaming_days",
    "read_coupons",
    "read_office",
    "rounds_of",
    "with_coupons",
]
