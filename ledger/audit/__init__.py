"""One gaming day: all findings, the digest, what was captured."""

from ledger.audit.accounts import COUNT_CODES, TAKEN
from ledger.audit.clocks import ClockLine, clock_findings, clock_lines
from ledger.audit.contract import day_of
from ledger.audit.coupon_amendments import amended_of_coupon, amended_of_coupons
from ledger.audit.coupon_forms import FormDesk, NoCoupons
from ledger.audit.coupons import read_coupons, with_coupons
from ledger.audit.day import DayUnknown, audit_day, gaming_days, rounds_of
from ledger.audit.office import HouseRecord, PropertyUnknown, read_office
from ledger.audit.result import DayAudit, Staked, TableAccount, TableCapture
from ledger.audit.theory import Shown, Theory, shown_of

__all__ = [
    "COUNT_CODES",
    "TAKEN",
    "ClockLine",
    "DayAudit",
    "DayUnknown",
    "FormDesk",
    "HouseRecord",
    "NoCoupons",
    "PropertyUnknown",
    "Shown",
    "Staked",
    "TableAccount",
    "TableCapture",
    "Theory",
    "amended_of_coupon",
    "amended_of_coupons",
    "audit_day",
    "clock_findings",
    "clock_lines",
    "day_of",
    "gaming_days",
    "read_coupons",
    "read_office",
    "rounds_of",
    "shown_of",
    "with_coupons",
]
