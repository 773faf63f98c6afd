"""What casework hands on: actions, findings folded by cause; alerts, evidence of detections."""

from __future__ import annotations

import re
from datetime import date
from enum import StrEnum
from typing import Final

from ledger.kernel import Citation, FactRef, Finding, Severity, parse_dollars
from ledger.kernel.quick_dataclass import dataclass

_DOLLARS: Final = re.compile(r"-?\$[\d,]+\.\d\d")


class ActionStatus(StrEnum):
    """Where an action stands; what persons did is facts, this is read from them."""

    OPEN = "open"
    TAKEN = "taken"
    PROPOSED = "closing proposed"
    CLOSED = "closed"
    REOPENED = "reopened"


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """All findings of one cause on a gaming day: what a person has to look into.

    ``id`` is a hash of what it is about (code, section, table, subject, first fact), never of when
    it was derived. ``subject`` is the paytable, person or equipment set that the findings share, as
    words ("paytable P-7"), empty where they share none. ``overpaid_cents`` and
    ``underpaid_cents`` are sums over the findings, never negative; None where no amount is known.
    ``since`` and ``until`` are event times (UTC microseconds) of the first and last fact.
    ``evidence`` is the SHA-256 of the findings in canonical form. ``footage_until`` is the last
    moment for which recordings must still be kept, None where no reading says for how long.
    """

    id: str
    gaming_day: date
    code: str
    severity: Severity
    certain: bool
    table: str
    subject: str
    citation: Citation
    title: str
    count: int
    overpaid_cents: int | None
    underpaid_cents: int | None
    since: int
    until: int
    findings: tuple[Finding, ...]
    evidence: str
    department: str
    footage_until: int | None
    status: ActionStatus = ActionStatus.OPEN
    age_days: int = 0
    changed: str = ""
    """What changed in the evidence since it was closed, where it was opened again."""
    in_hand: str = ""
    """Credential of who took it, or closed it, last; empty where nobody did."""
    suppressed_until: date | None = None
    """The gaming day until which its cause was put off, where it is; it still counts."""
    put_off: str = ""
    """By whom and why its cause was put off."""
    waits: str = ""
    """For whom it waits, in words; empty where it is closed."""

    @property
    def at_stake_cents(self) -> int | None:
        """The money an action is about, never negative; None where no amount is known.

        What was paid wrongly, either way; where nothing was, how far the amounts that were expected
        and observed lie apart, such as a counted win and a calculated one.
        """
        if self.overpaid_cents is not None or self.underpaid_cents is not None:
            return (self.overpaid_cents or 0) + (self.underpaid_cents or 0)
        apart = [cents for one in self.findings if (cents := _apart(one)) is not None]
        return sum(apart) if apart else None


def _apart(finding: Finding) -> int | None:
    """By how much an observed amount of dollars differs from the expected one."""
    expected, observed = finding.expected or "", finding.observed or ""
    if not (_DOLLARS.fullmatch(expected) and _DOLLARS.fullmatch(observed)):
        return None
    return abs(parse_dollars(observed) - parse_dollars(expected))


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """Evidence of a detection about a process on a table; a verdict about nobody.

    ``id`` is a hash of what it is about (gaming day, detection, table, subject). ``e_value`` is the
    evidence against the honest process, ``level`` the one that it had to reach after correction
    over many tests and nights; an alert below it is not ``raised``. ``volume`` is how many
    independent units (throws, spins, rounds) it rests on, ``left_out`` how many were left out by
    rule, ``at`` the time of the last one (UTC microseconds). ``power`` says in words what would
    have been seen. ``detail`` is a table for the page: rows of a heading and a value.
    """

    id: str
    gaming_day: date
    detection: str
    table: str
    subject: str
    sentence: str
    e_value: float
    level: float
    raised: bool
    volume: int
    left_out: int
    power: str
    at: int
    facts: tuple[FactRef, ...] = ()
    suppressed_until: date | None = None
    detail: tuple[tuple[str, str], ...] = ()
    not_shown: str = ""
    """Why a raised alert is not shown by itself: put off, or over the budget of its shift."""
