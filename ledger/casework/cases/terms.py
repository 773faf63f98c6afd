"""What the file of a case is made of, and who may do what with it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from ledger import events
from ledger.replay import ADMINISTRATION, BOARD, Roster

CaseEvent = (
    events.CaseOpened
    | events.CaseSubjectAdded
    | events.CaseAssigned
    | events.CaseNoted
    | events.CaseTaskSet
    | events.CaseEvidencePinned
    | events.CaseMediaHandled
    | events.CaseFootageHandled
    | events.CaseLinked
    | events.CaseAssessed
    | events.CaseDecided
    | events.CaseClosed
    | events.CaseReopened
    | events.CaseLetterSigned
)
KINDS: Final = frozenset(
    {
        *("CaseOpened", "CaseSubjectAdded", "CaseAssigned", "CaseNoted", "CaseTaskSet"),
        *("CaseEvidencePinned", "CaseMediaHandled", "CaseFootageHandled", "CaseLinked"),
        *("CaseAssessed", "CaseDecided", "CaseClosed", "CaseReopened", "CaseLetterSigned"),
    }
)
"""The names of the events of a case."""


class CaseStatus(StrEnum):
    """How a case stands."""

    OPEN = "open"
    DECIDED = "decided"
    CLOSED = "closed"


class CaseRole(StrEnum):
    """In what role a person works with cases, by department and rank on the roster."""

    SURVEILLANCE = "surveillance"
    FINANCE = "finance"
    AUDITOR = "auditor"
    SUPERVISOR = "supervisor"
    ADMINISTRATOR = "administrator"
    BOARD_AGENT = "Board agent"


class CaseAct(StrEnum):
    """What can be done with a case, as a verb."""

    SEE = "see a case"
    OPEN = "open a case"
    NAME_SUBJECT = "name a subject of a case"
    ASSIGN = "assign a case"
    NOTE = "write a note in a case"
    SET_TASK = "set a task of a case"
    PIN = "pin evidence to a case"
    HANDLE_MEDIA = "record what is done with media of a case"
    HANDLE_FOOTAGE = "record how footage of a case stands"
    LINK = "link two cases"
    ASSESS = "state what went wrong in a case, and the money"
    DECIDE = "decide a case"
    CLOSE = "close a case"
    REOPEN = "open a closed case again"
    PREPARE_LETTER = "prepare a letter of a case"
    APPROVE_LETTER = "approve a letter of a case"
    REVEAL = "look at a patron's reference"


DEPARTMENTS: Final[Mapping[str, CaseRole]] = MappingProxyType(
    {
        "surveillance": CaseRole.SURVEILLANCE,
        "finance": CaseRole.FINANCE,
        "internal audit": CaseRole.AUDITOR,
        "compliance": CaseRole.AUDITOR,
        **dict.fromkeys(ADMINISTRATION, CaseRole.ADMINISTRATOR),
        **dict.fromkeys(BOARD, CaseRole.BOARD_AGENT),
    }
)
"""The role that follows from a department, in small letters as the roster compares it."""
SUPERVISED: Final = frozenset({"surveillance", "table games"})
"""Departments whose supervisors and managers are supervisors of cases."""

_WORK: Final = frozenset(
    {
        *(CaseAct.SEE, CaseAct.OPEN, CaseAct.NAME_SUBJECT, CaseAct.NOTE, CaseAct.SET_TASK),
        *(CaseAct.PIN, CaseAct.HANDLE_MEDIA, CaseAct.HANDLE_FOOTAGE, CaseAct.LINK),
        *(CaseAct.ASSESS, CaseAct.PREPARE_LETTER, CaseAct.REVEAL),
    }
)
RIGHTS: Final[Mapping[CaseRole, frozenset[CaseAct]]] = MappingProxyType(
    {
        CaseRole.SURVEILLANCE: _WORK,
        CaseRole.FINANCE: frozenset(
            {
                *(CaseAct.SEE, CaseAct.OPEN, CaseAct.NOTE, CaseAct.PIN, CaseAct.LINK),
                *(CaseAct.ASSESS, CaseAct.REVEAL),
            }
        ),
        CaseRole.AUDITOR: frozenset({CaseAct.SEE, CaseAct.NOTE, CaseAct.REVEAL}),
        CaseRole.SUPERVISOR: _WORK
        | {
            *(CaseAct.ASSIGN, CaseAct.DECIDE, CaseAct.CLOSE, CaseAct.REOPEN),
            CaseAct.APPROVE_LETTER,
        },
        CaseRole.ADMINISTRATOR: frozenset(),
        CaseRole.BOARD_AGENT: frozenset({CaseAct.SEE, CaseAct.REVEAL}),
    }
)
"""Who may do what: whoever has several roles may do what any of them may."""
APART: Final = frozenset(
    {CaseAct.ASSESS, CaseAct.DECIDE, CaseAct.CLOSE, CaseAct.REOPEN, CaseAct.APPROVE_LETTER}
)
"""What is forbidden to whoever dealt, supervised or recorded what a case is about.

A subject of a case may do nothing with it, and does not see it.
"""


def roles_of(roster: Roster, person: str, at: int) -> frozenset[CaseRole]:
    """Return the roles of a person at a moment, microseconds UTC."""
    departments = roster.departments(person, at)
    roles = {DEPARTMENTS[name] for name in departments if name in DEPARTMENTS}
    is_supervisor = roster.rank(person, at) in ("supervisor", "manager")
    if is_supervisor and not SUPERVISED.isdisjoint(departments):
        roles.add(CaseRole.SUPERVISOR)
    return frozenset(roles)


def act_of(fact: CaseEvent) -> CaseAct:
    """Return the act that an event records."""
    match fact:
        case events.CaseOpened():
            return CaseAct.OPEN
        case events.CaseSubjectAdded():
            return CaseAct.NAME_SUBJECT
        case events.CaseAssigned():
            return CaseAct.ASSIGN
        case events.CaseNoted():
            return CaseAct.NOTE
        case events.CaseTaskSet():
            return CaseAct.SET_TASK
        case events.CaseEvidencePinned():
            return CaseAct.PIN
        case events.CaseMediaHandled():
            return CaseAct.HANDLE_MEDIA
        case events.CaseFootageHandled():
            return CaseAct.HANDLE_FOOTAGE
        case events.CaseLinked():
            return CaseAct.LINK
        case events.CaseAssessed():
            return CaseAct.ASSESS
        case events.CaseDecided():
            return CaseAct.DECIDE
        case events.CaseClosed():
            return CaseAct.CLOSE
        case events.CaseReopened():
            return CaseAct.REOPEN
        case events.CaseLetterSigned():
            is_approver = fact.signed_as is events.LetterSigner.APPROVER
            return CaseAct.APPROVE_LETTER if is_approver else CaseAct.PREPARE_LETTER


_WHO: Final = (
    *("opened_by", "added_by", "assigned_by", "noted_by", "set_by", "pinned_by", "handled_by"),
    *("linked_by", "assessed_by", "decided_by", "closed_by", "reopened_by", "signed_by"),
)


def person_of(fact: CaseEvent) -> str:
    """Return the credential of the person who acted."""
    return str(next(getattr(fact, name) for name in _WHO if hasattr(fact, name)))
