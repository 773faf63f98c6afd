"""One gaming day: all findings, the digest, what was captured."""

from ledger.audit.day import DayUnknown, audit_day, gaming_days, rounds_of
from ledger.audit.office import HouseRecord, PropertyUnknown, read_office
from ledger.audit.result import DayAudit, Staked, TableAccount, TableCapture

__all__ = [
    "DayAudit",
    "DayUnknown",
    "HouseRecord",
    "PropertyUnknown",
    "Staked",
    "TableAccount",
    "TableCapture",
    "audit_day",
    "gaming_days",
    "read_office",
    "rounds_of",
]
