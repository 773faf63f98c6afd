"""A finding: a fact and a rule that do not agree, as a value."""

from __future__ import annotations

from datetime import date
from enum import StrEnum

from ledger.kernel.citation import Citation
from ledger.kernel.ids import FactRef
from ledger.kernel.quick_dataclass import dataclass


class Severity(StrEnum):
    """How much a breach matters, from the row that is cited."""

    INFO = "info"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


class Certainty(StrEnum):
    """Broken: the facts show the breach. Unknown: they cannot show that the rule was kept."""

    BROKEN = "broken"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What an auditor reads: code, one sentence, citations, and the facts it rests on.

    Args:
        code: the stable name of the kind of finding, a key of ``findings.toml``.
        severity: that of the cited row.
        certainty: whether the breach is shown, or only cannot be ruled out.
        sentence: what happened, for people.
        citations: the rule that was broken first, then what else bears on it.
        gaming_day: the day under which it is reported.
        stream: the stream of the last of ``facts``.
        facts: the facts it rests on; the one to which it belongs stands last.
        round: the round's id, ``SB-01:1234``; None outside a round.
        wager: the wager's id at the table; None where it is not about one wager.
        readings: the open questions on whose answer it rests.
        expected: what should have been, for people.
        observed: what was, for people.
        effect_cents: what the house lost by the breach, negative when a patron lost; None where no
            money is involved or the amount is not known.
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
