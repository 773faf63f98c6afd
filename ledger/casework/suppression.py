"""Putting off a cause: the fact by which a person decides not to be shown it for a while.

It ends by itself with the gaming day that was named. What is put off is still derived, counted and
on the page, only not among the lines that are to be acted on.
"""

from __future__ import annotations

from datetime import date
from typing import Final

from ledger.audit import HouseRecord
from ledger.casework.action_facts import ActionRefused, allow, head, registered, words
from ledger.casework.actions_and_alerts import Action, Alert
from ledger.events import CauseSuppressed, Fact
from ledger.replay import Replay

LONGEST_DAYS: Final = 92
"""For how many gaming days after its own a cause can be put off at most."""


def suppress(
    replay: Replay,
    house: HouseRecord,
    seen: Action | Alert,
    until: date,
    reason: str,
    by: str,
    at: int,
) -> tuple[Fact, ...]:
    """The facts by which a person puts off the cause of an action, or an alert of its kind.

    Args:
        replay: the ledger's.
        house: its office.
        seen: the action or alert from which it was decided.
        until: the last gaming day for which it is put off.
        reason: why.
        by: credential of the person.
        at: now, microseconds UTC.

    Raises:
        ActionRefused: no reason, a day before its own, one too far away, or an alert that was not
            raised.
        CredentialNotHeld: the record has credentials, and not this one.
        NotEntitled: it concerns this person, or rank or department do not fit.
    """
    if isinstance(seen, Alert) and not seen.raised:
        raise ActionRefused(f"{seen.id} was not raised: there is nothing to snooze.")
    days = (until - seen.gaming_day).days
    if not 0 <= days <= LONGEST_DAYS:
        raise ActionRefused(
            f"{seen.id} is of {seen.gaming_day}: it can be snoozed from that day on, for"
            f" {LONGEST_DAYS} days at most.",
            next_step="--until DAY",
        )
    allow(replay, house, "suppress", seen, by, at)
    fact = CauseSuppressed(
        **head(replay, by, at),
        about=seen.id,
        for_gaming_day=seen.gaming_day.isoformat(),
        code=seen.code if isinstance(seen, Action) else seen.detection,
        table=seen.table,
        subject=seen.subject,
        until=until.isoformat(),
        reason=words(reason, "A reason"),
        suppressed_by=by,
        proof=None,
    )
    return (*registered(replay, house, by, at), fact)
