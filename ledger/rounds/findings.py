"""From a breach to a finding: the sentence, the citations, the day, the round."""

from __future__ import annotations

from datetime import date

from ledger.games.room import Breach
from ledger.kernel import Certainty, FactRef, Finding


def as_finding(
    breach: Breach,
    *,
    day: date,
    stream: str,
    round_id: str | None,
    facts: tuple[FactRef, ...] | None = None,
) -> Finding:
    """Make a finding of a breach.

    Args:
        breach: what a room or the house ruled.
        day: the gaming day under which it is reported.
        stream: the stream of the finding if it names no fact; otherwise that of its last fact.
        round_id: the round, ``SB-01:1234``; None outside a round.
        facts: the facts on which it rests, where not those of the breach.
    """
    duty = breach.duty
    named = facts if facts is not None else breach.facts
    sentence = duty.says.format(
        observed=breach.observed or "nothing recorded",
        expected=breach.expected or "nothing recorded",
    )
    if breach.certainty is Certainty.UNKNOWN:
        shown = breach.interval
        if shown is None and "{observed}" not in duty.says:
            shown = breach.observed
        interval = f" ({shown})" if shown else ""
        sentence = f"Cannot be verified: {sentence}{interval}"
    return Finding(
        code=duty.code,
        severity=duty.severity,
        certainty=breach.certainty,
        sentence=sentence,
        citations=(duty.cite, *breach.also),
        gaming_day=day,
        stream=named[-1].stream if named else stream,
        facts=named,
        round=round_id,
        wager=breach.wager,
        readings=(duty.reading,) if duty.reading else (),
        expected=breach.expected,
        observed=breach.observed if breach.observed is not None else breach.interval,
        effect_cents=breach.effect_cents,
    )
