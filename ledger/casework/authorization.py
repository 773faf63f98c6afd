"""Who may act on an action or an alert: rank, department, and that it does not concern them.

The table of acts says what each act asks for (``ledger/law/decision_rights.toml``); here it is
asked of one action, before a person acts and again of every act that the record holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ledger.casework.actions_and_alerts import Action, Alert
from ledger.casework.persons_concerned import Concerned
from ledger.events import ActionClosed, ActionNoted, ActionTaken, PersonCredentialled
from ledger.kernel import Severity
from ledger.law import acts
from ledger.replay import Bar, FactStep, Replay, Roster

ActionFact = ActionTaken | ActionNoted | ActionClosed
WATCHERS: Final = "surveillance"
"""The department to which every alert is addressed."""


def department_of(seen: Action | Alert) -> str:
    """The department to which an action or an alert is addressed."""
    return seen.department if isinstance(seen, Action) else WATCHERS


def needs_second(seen: Action | Alert) -> bool:
    """Whether what is decided about it takes effect only when a second person has done the same."""
    return isinstance(seen, Action) and seen.severity is Severity.CRITICAL


def who(done: ActionFact) -> str:
    """Credential of the person who acted."""
    match done:
        case ActionTaken():
            return done.taken_by
        case ActionNoted():
            return done.noted_by
        case ActionClosed():
            return done.closed_by


def barred(
    roster: Roster,
    act: str,
    seen: Action | Alert,
    person: str,
    at: int,
    concerned: Concerned,
    others: Iterable[str] = (),
) -> Bar | None:
    """Why a person may not do an act with an action or alert; None: nothing stands against it.

    Args:
        roster: who holds which credential.
        act: the act's name in ``law/decision_rights.toml``.
        seen: the action or alert.
        person: the credential of who wants to act.
        at: now, microseconds UTC.
        concerned: tells whom an action or alert is about, and how.
        others: credentials of those who acted before and must be other persons.
    """
    return roster.bar(
        acts()[act],
        person,
        at,
        department=department_of(seen),
        concerned=concerned,
        others=others,
    )


def bar_of(roster: Roster, action: Action, done: ActionFact, concerned: Concerned) -> Bar | None:
    """Why an act on the record does not count; None: it counts.

    Args:
        roster: who holds which credential.
        action: what the act was about.
        done: the fact of the act.
        concerned: tells whom an action or alert is about, and how.
    """
    person = who(done)
    if done.recorded_by is not None and not roster.are_one(done.recorded_by, person):
        return Bar(f"{done.recorded_by} recorded it in the name of {person}")
    if done.event_time < action.until:
        return Bar("it is dated before what it is about")
    name = {ActionTaken: "take", ActionNoted: "note", ActionClosed: "close"}[type(done)]
    bar = barred(roster, name, action, person, done.event_time, concerned)
    return bar or roster.unproved(done, person, done.proof)


def credentials(replay: Replay) -> dict[str, PersonCredentialled]:
    """What was recorded last of each credential, by its number."""
    kinds = ("PersonCredentialled",)
    last: dict[str, PersonCredentialled] = {}
    for step in replay.walk(replay.streams_with(kinds), only=kinds):
        if isinstance(step, FactStep) and isinstance(step.fact, PersonCredentialled):
            last[step.fact.person] = step.fact
    return dict(sorted(last.items()))
