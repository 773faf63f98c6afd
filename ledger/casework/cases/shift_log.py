"""The log of the shifts: what was written down, in whose hands it is, and who may write it.

As with a case, one function says why an act does not count: it is asked before an act is recorded,
and again of the record.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import Final

from ledger import events
from ledger.audit.ledger_contract import CASES
from ledger.casework.action_facts import registered_streams, registrations
from ledger.casework.cases.followed_acts import FollowedActs
from ledger.casework.cases.terms import CaseRole, roles_of
from ledger.kernel import UsageError
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import (
    ENROLLED,
    Enrolled,
    Holding,
    Roster,
    unproved,
)

STREAM: Final = f"{CASES}/shifts"
LONGEST_ENTRY: Final = 4_000
"""Characters of an entry, or of what the next shift has to know."""
KINDS: Final = frozenset({"ShiftLogged", "ShiftHandedOver"})
WRITERS: Final = frozenset({CaseRole.SURVEILLANCE, CaseRole.SUPERVISOR})
READERS: Final = WRITERS | {CaseRole.AUDITOR, CaseRole.BOARD_AGENT}
ShiftEvent = events.ShiftLogged | events.ShiftHandedOver


class ShiftRefused(UsageError):
    """This cannot be written in the log of the shift, or not by this person."""

    code = "shift_refused"

    def __init__(self, why: str) -> None:
        super().__init__(f"{why[:1].upper()}{why[1:]}.", next_step="nothing was recorded")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftLog:
    """The log of all shifts.

    Attributes:
        entries: what counts, in the order in which it was recorded.
        in_hand: credential of who took the shift over last; None: nobody did.
        idle: what is on record and does not count, each with why.
    """

    entries: tuple[ShiftEvent, ...] = ()
    in_hand: str | None = None
    idle: tuple[tuple[ShiftEvent, str], ...] = ()


@dataclass(slots=True)
class ShiftRecord(FollowedActs):
    """The log of one ledger's shifts, and what a decision about it rests on."""

    KINDS_READ = KINDS | {ENROLLED}

    log: ShiftLog = field(default_factory=ShiftLog)

    def take(self, fact: ShiftEvent) -> None:
        """Follow one event of the log."""
        why = refusal(self.log, fact, self.replay.roster(), self.enrollments.persons)
        self.log = evolve(self.log, fact, why)

    def decide(self, fact: ShiftEvent) -> tuple[events.Fact, ...]:
        """Return the events by which an act is recorded: itself, and who may write its stream.

        Raises:
            ShiftRefused: it is not allowed, or says nothing that can be.
        """
        why = refusal(self.log, fact, self.replay.roster(), self.enrollments.persons)
        if why is not None:
            raise ShiftRefused(why)
        known = registered_streams(self.replay)
        by, at = who(fact), fact.event_time
        return (*registrations(self.replay, known, by, at, STREAM), fact)


def who(fact: ShiftEvent) -> str:
    """Return the credential of the person who acted."""
    return fact.logged_by if isinstance(fact, events.ShiftLogged) else fact.handed_by


def evolve(log: ShiftLog, fact: ShiftEvent, why: str | None) -> ShiftLog:
    """Return the log after an event; ``why`` it does not count, None where it does."""
    if why is not None:
        return replace(log, idle=(*log.idle, (fact, why)))
    in_hand = fact.handed_to if isinstance(fact, events.ShiftHandedOver) else log.in_hand
    return replace(log, entries=(*log.entries, fact), in_hand=in_hand)


def refusal(
    log: ShiftLog,
    fact: ShiftEvent,
    roster: Roster,
    enrolled: Enrolled,
) -> str | None:
    """Return why an act does not count; None where it does.

    Args:
        log: the log as it stands.
        fact: the event of the act.
        roster: who holds which credential.
        enrolled: by ``person_key``, how each person could prove it then.
    """
    person, at = who(fact), fact.event_time
    if fact.recorded_by is None or not roster.are_one(fact.recorded_by, person):
        return f"{fact.recorded_by or 'a machine'} recorded it in the name of {person}"
    why = unproved(fact, person, fact.proof, enrolled) or barred(roster, person, at, WRITERS)
    if why is not None:
        return why
    text = fact.entry if isinstance(fact, events.ShiftLogged) else fact.note
    if not 0 < len(text.strip()) <= LONGEST_ENTRY:
        return f"an entry has 1 to {LONGEST_ENTRY:,} characters"
    return _wrong_handover(log, fact, roster) if isinstance(fact, events.ShiftHandedOver) else None


def barred(roster: Roster, person: str, at: int, roles: frozenset[CaseRole]) -> str | None:
    """Return why a person may not do what is for some roles; None where nothing stands against it.

    Args:
        roster: who holds which credential.
        person: credential of the person.
        at: the moment, microseconds UTC.
        roles: those whose people may.
    """
    if roster.holding(person, at) is not Holding.HELD:
        return f"no valid credential for {person} on this date"
    if roles.isdisjoint(roles_of(roster, person, at)):
        return f"the log of the shift is for {', '.join(sorted(roles))}; {person} is none of them"
    return None


def _wrong_handover(log: ShiftLog, fact: events.ShiftHandedOver, roster: Roster) -> str | None:
    """Why a shift is not handed over so: a supervisor hands over for who is gone."""
    by, to, at = fact.handed_by, fact.handed_to, fact.event_time
    if roster.are_one(by, to):
        return f"{by} and {to} are one person; a shift is handed to another"
    if log.in_hand is not None and not roster.are_one(log.in_hand, by):
        if roster.are_one(log.in_hand, to):
            return f"the shift is in the hands of {to} already"
        if CaseRole.SUPERVISOR not in roles_of(roster, by, at):
            return f"the shift is in the hands of {log.in_hand}, who hands it over, or a supervisor"
    return barred(roster, to, at, WRITERS)
