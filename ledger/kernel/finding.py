"""A finding: a fact and a rule that do not agree, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from ledger.kernel.citation import Citation
from ledger.kernel.ids import FactRef


class Severity(StrEnum):
    """How much a breach matters; stands on the cited row."""

    INFO = "info"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


class Certainty(StrEnum):
    """Broken: the facts show it. Unknown: they cannot show that it was kept."""

    BROKEN = "broken"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What an auditor reads: code, one sentence, citations, and the facts it rests on.

    ``facts`` name the facts, the one it belongs to last. ``wager`` is the wager's id at the table
    where the finding is about one. ``effect_cents`` is what the house lost by the breach, negative
    when a patron lost; None where no money is involved or the amount is not known.
    """

    code: str
    severity: Severity
    certainty: Certainty
    sentence: str
    citations: tuple[Citation, ...]
    gaming_day: date
    stream: str
    facts: tuple[FactRef, ...]
    round: str | None = None
    wager: str | None = None
    readings: tuple[str, ...] = ()
    expected: str | None = None
    observed: str | None = None
    effect_cents: int | None = None
