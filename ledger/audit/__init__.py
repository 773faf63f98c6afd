"""One gaming day: all findings, the digest, what was captured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.kernel.lazy_imports import load_on_first_use

if TYPE_CHECKING:
    from ledger.audit.accounts import COUNT_CODES, TAKEN
    from ledger.audit.amended_coupon_facts import amended_of_coupon, amended_of_coupons
    from ledger.audit.capture import captured
    from ledger.audit.captured import Captured, not_covered_at
    from ledger.audit.clocks import ClockLine, clock_findings, clock_lines
    from ledger.audit.coupon_findings import findings_of_coupon
    from ledger.audit.coupon_forms import FormDesk, NoCoupons, form_findings, read_signatures
    from ledger.audit.coupons import (
        book_of,
        coupon_findings,
        coupon_standing,
        follow_on,
        last_of_coupons,
        read_coupons,
        streams_of_coupons,
        with_coupons,
    )
    from ledger.audit.dates import (
        FAR_DAYS,
        FloorDays,
        gaming_days,
        is_played,
        last_gaming_day,
        own_days,
    )
    from ledger.audit.day import audit_day, audit_one, rounds_of
    from ledger.audit.digest import DIGEST_VERSION
    from ledger.audit.errors import DayUnknown, TableUnknown
    from ledger.audit.footage import (
        footage_of,
        gaps_within,
        judge_with,
        mark_of,
        wheel_at,
    )
    from ledger.audit.joined_day import joined, tables_on
    from ledger.audit.late_and_added_facts import Arrivals, bearing_on, within
    from ledger.audit.ledger_contract import Day, day_of, numbered_here
    from ledger.audit.observations import Observation, observations, observed_by_round
    from ledger.audit.observed_round import ObservedRound
    from ledger.audit.office import HouseRecord, PropertyUnknown, read_office, take_over_office
    from ledger.audit.result import (
        AuditedDay,
        DayAudit,
        ListedDay,
        Staked,
        TableAccount,
        TableCapture,
    )
    from ledger.audit.table_day import TableDay
    from ledger.audit.tape_account import (
        RecordedRound,
        RoundAccounts,
        TapeAccount,
        TapeWager,
        accounts_of,
        by_whom,
    )
    from ledger.audit.theory import Shown, Theory, shown_of
    from ledger.coupons.followed_events import WANTED as COUPON_FACTS
    from ledger.replay import Mark

__all__ = [
    "COUNT_CODES",
    "COUPON_FACTS",
    "DIGEST_VERSION",
    "FAR_DAYS",
    "TAKEN",
    "Arrivals",
    "AuditedDay",
    "Captured",
    "ClockLine",
    "Day",
    "DayAudit",
    "DayUnknown",
    "FloorDays",
    "FormDesk",
    "HouseRecord",
    "ListedDay",
    "Mark",
    "NoCoupons",
    "Observation",
    "ObservedRound",
    "PropertyUnknown",
    "RecordedRound",
    "RoundAccounts",
    "Shown",
    "Staked",
    "TableAccount",
    "TableCapture",
    "TableDay",
    "TableUnknown",
    "TapeAccount",
    "TapeWager",
    "Theory",
    "accounts_of",
    "amended_of_coupon",
    "amended_of_coupons",
    "audit_day",
    "audit_one",
    "bearing_on",
    "book_of",
    "by_whom",
    "captured",
    "clock_findings",
    "clock_lines",
    "coupon_findings",
    "coupon_standing",
    "day_of",
    "findings_of_coupon",
    "follow_on",
    "footage_of",
    "form_findings",
    "gaming_days",
    "gaps_within",
    "is_played",
    "joined",
    "judge_with",
    "last_gaming_day",
    "last_of_coupons",
    "mark_of",
    "not_covered_at",
    "numbered_here",
    "observations",
    "observed_by_round",
    "own_days",
    "read_coupons",
    "read_office",
    "read_signatures",
    "rounds_of",
    "shown_of",
    "streams_of_coupons",
    "tables_on",
    "take_over_office",
    "wheel_at",
    "with_coupons",
    "within",
]

load_on_first_use(__name__)
