"""The file of a case as its events leave it; no right is judged here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from ledger import events
from ledger.casework.cases.terms import CaseEvent, CaseStatus
from ledger.kernel.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class IdleAct:
    """An act on the record that does not count, and why."""

    fact: CaseEvent
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFile:
    """The file of a case.

    Attributes:
        opened: the event that opened it.
        status: how it stands.
        subjects: who it is about.
        assignee: credential of whose it is; None: nobody's.
        notes, evidence, links: in the order in which they were recorded.
        tasks, footage: by number, each as it was set last.
        media: by SHA-256, everything that was done with the file, in order.
        assessment: what was stated last of error and money.
        decision: the decision that stands; None: none since it was opened or opened again.
        closed, reopened: the last closing, and all openings again.
        letters: signatures on letters.
        idle: acts on the record that do not count.
    """

    opened: events.CaseOpened
    status: CaseStatus = CaseStatus.OPEN
    subjects: tuple[events.CaseSubject, ...] = ()
    assignee: str | None = None
    notes: tuple[events.CaseNoted, ...] = ()
    tasks: Mapping[int, events.CaseTaskSet] = field(default_factory=dict)
    evidence: tuple[events.CaseEvidencePinned, ...] = ()
    media: Mapping[bytes, tuple[events.CaseMediaHandled, ...]] = field(default_factory=dict)
    footage: Mapping[int, events.CaseFootageHandled] = field(default_factory=dict)
    links: tuple[events.CaseLinked, ...] = ()
    assessment: events.CaseAssessed | None = None
    decision: events.CaseDecided | None = None
    closed: events.CaseClosed | None = None
    reopened: tuple[events.CaseReopened, ...] = ()
    letters: tuple[events.CaseLetterSigned, ...] = ()
    idle: tuple[IdleAct, ...] = ()

    @property
    def number(self) -> str:
        """Its number, ``2021-0001``."""
        return self.opened.case_number

    @property
    def matters(self) -> tuple[events.CaseMatter, ...]:
        """What it is about and what was pinned to it, each once."""
        pinned = (pin.evidence for pin in self.evidence)
        return tuple(dict.fromkeys((*self.opened.about, *pinned)))

    @property
    def authors(self) -> tuple[str, ...]:
        """Credentials of who opened it and who decided it."""
        decided = () if self.decision is None else (self.decision.decided_by,)
        return (self.opened.opened_by, *decided)

    def held(self) -> tuple[events.CaseFootageHandled, ...]:
        """Return the footage that is held beyond its expiry."""
        return tuple(one for one in self.footage.values() if one.state is events.FootageState.HELD)


def opened_file(fact: events.CaseOpened) -> CaseFile:
    """Return the file as the opening leaves it."""
    return CaseFile(opened=fact, subjects=fact.subjects)


def evolve(case: CaseFile, fact: CaseEvent) -> CaseFile:
    """Return the file after an event that counts; another opening of the same number is passed."""
    match fact:
        case events.CaseOpened():
            return case
        case events.CaseSubjectAdded():
            return replace(case, subjects=(*case.subjects, fact.subject))
        case events.CaseAssigned():
            return replace(case, assignee=fact.assignee)
        case events.CaseNoted():
            return replace(case, notes=(*case.notes, fact))
        case events.CaseTaskSet():
            return replace(case, tasks={**case.tasks, fact.task: fact})
        case events.CaseEvidencePinned():
            return replace(case, evidence=(*case.evidence, fact))
        case events.CaseMediaHandled():
            custody = (*case.media.get(fact.media_sha256, ()), fact)
            return replace(case, media={**case.media, fact.media_sha256: custody})
        case events.CaseFootageHandled():
            return replace(case, footage={**case.footage, fact.footage: fact})
        case events.CaseLinked():
            return replace(case, links=(*case.links, fact))
        case events.CaseAssessed():
            return replace(case, assessment=fact)
        case events.CaseDecided():
            return replace(case, decision=fact, status=CaseStatus.DECIDED)
        case events.CaseClosed():
            return replace(case, closed=fact, status=CaseStatus.CLOSED)
        case events.CaseReopened():
            reopened = (*case.reopened, fact)
            return replace(case, status=CaseStatus.OPEN, decision=None, reopened=reopened)
        case events.CaseLetterSigned():
            return replace(case, letters=(*case.letters, fact))


def set_aside(case: CaseFile, fact: CaseEvent, why: str) -> CaseFile:
    """Return the file with an act that does not count."""
    return replace(case, idle=(*case.idle, IdleAct(fact=fact, why=why)))
