"""Whether an act with a case is allowed: asked before it is recorded, and again of the record.

Law: the Ledger contract, L.10: nobody decides about himself; whoever decides holds a valid
credential of the right department and rank on that date.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field, fields
from enum import StrEnum
from typing import Final

from ledger import events
from ledger.casework.cases.case_file import CaseFile
from ledger.casework.cases.terms import (
    APART,
    RIGHTS,
    CaseAct,
    CaseEvent,
    CaseRole,
    CaseStatus,
    act_of,
    person_of,
    roles_of,
)
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import Enrolled, Holding, Roster, unproved

LONGEST_TEXT: Final = 4_000
"""Characters of a complaint, a note, a reason or a decision."""
MOST_IN_A_CASE: Final = 2_000
"""How many notes, tasks, pieces of evidence or media a case may have."""
_OPEN_ONLY: Final = frozenset(CaseAct) - {
    *(CaseAct.SEE, CaseAct.REVEAL, CaseAct.OPEN, CaseAct.REOPEN, CaseAct.LINK, CaseAct.NOTE),
    *(CaseAct.PREPARE_LETTER, CaseAct.APPROVE_LETTER, CaseAct.HANDLE_MEDIA),
}
"""What cannot be done with a closed case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What a decision about an act rests on.

    Attributes:
        roster: who holds which credential.
        concerned: by credential, how the matter of the case concerns a person, in words that
            follow a name.
        numbers: the numbers of all cases there are.
        enrolled: by ``person_key``, how each person could prove then who acts.
    """

    roster: Roster
    concerned: Mapping[str, str] = field(default_factory=dict)
    numbers: Collection[str] = ()
    enrolled: Enrolled = field(default_factory=dict)


def barred_from(
    case: CaseFile | None, act: CaseAct, person: str, at: int, ground: Ground
) -> str | None:
    """Return why a person may not do an act with a case; None where nothing stands against it.

    Args:
        case: the case; None for one that is being opened.
        act: the act.
        person: credential of who acts.
        at: the moment, microseconds UTC.
        ground: what the answer rests on.
    """
    roster = ground.roster
    if case is not None and is_subject(case, roster, person):
        return f"{person} is a subject of the case: nobody decides about themselves"
    if act in APART:
        for other, how in ground.concerned.items():
            if roster.are_one(person, other):
                return f"{person} {how}: nobody decides about themselves"
    holding = roster.holding(person, at)
    if holding is Holding.UNKNOWN:
        return "The record has no credential yet, so nobody's right can be checked"
    if holding is not Holding.HELD:
        return f"No valid credential for {person} on this date"
    roles = roles_of(roster, person, at)
    if not any(act in RIGHTS[role] for role in roles):
        own = " and ".join(sorted(roles)) or "none that works with cases"
        may = ", ".join(role for role in CaseRole if act in RIGHTS[role])
        return f"{person} is of {own}; to {act} is for: {may}"
    return None


def is_subject(case: CaseFile, roster: Roster, person: str) -> bool:
    """Whether a person is a subject of a case, by whatever credential."""
    return any(
        subject.kind is events.CaseSubjectKind.STAFF and roster.are_one(subject.reference, person)
        for subject in case.subjects
    )


def refusal(case: CaseFile | None, fact: CaseEvent, ground: Ground) -> str | None:
    """Return why an act does not count; None where it does.

    Args:
        case: the case as it stands; None where there is none of that number.
        fact: the event of the act.
        ground: what the answer rests on.
    """
    person, act = person_of(fact), act_of(fact)
    if fact.recorded_by is None or not ground.roster.are_one(fact.recorded_by, person):
        return f"{fact.recorded_by or 'a machine'} recorded it in the name of {person}"
    why = unproved(fact, person, fact.proof, ground.enrolled) or _too_much(case, fact)
    if why is not None:
        return why
    if isinstance(fact, events.CaseOpened):
        if case is not None:
            return f"case {fact.case_number} is open already"
        subjects = [s.reference for s in fact.subjects if s.kind is events.CaseSubjectKind.STAFF]
        if any(ground.roster.are_one(person, subject) for subject in subjects):
            return f"{person} is a subject of the case"
        return barred_from(None, act, person, fact.event_time, ground) or _wrong_times(fact)
    if case is None:
        return f"there is no case {fact.case_number}"
    return (
        barred_from(case, act, person, fact.event_time, ground)
        or _out_of_state(case, act)
        or _second_person(case, fact, ground.roster)
        or _makes_no_sense(case, fact, ground)
    )


def _too_much(case: CaseFile | None, fact: CaseEvent) -> str | None:
    """Why an event says too much, or what this version does not know."""
    for column in fields(fact):
        content = getattr(fact, column.name)
        if isinstance(content, str) and len(content) > LONGEST_TEXT:
            return f"a text has at most {LONGEST_TEXT:,} characters"
        parts = content if isinstance(content, tuple) else (content,)
        words = (getattr(part, "kind", part) for part in parts)
        if any(isinstance(word, StrEnum) and word.name == "UNRECOGNISED" for word in words):
            return "it has a word of a newer version"
        if len(parts) > MOST_IN_A_CASE:
            return f"a case has at most {MOST_IN_A_CASE:,} of a kind"
    lists = () if case is None else (case.notes, case.tasks, case.evidence, case.media, case.links)
    if any(len(recorded) >= MOST_IN_A_CASE for recorded in lists):
        return f"a case has at most {MOST_IN_A_CASE:,} of a kind"
    return None


def _wrong_times(fact: events.CaseOpened) -> str | None:
    begins, ends = fact.occurred_from, fact.occurred_until
    if begins is not None and ends is not None and ends < begins:
        return "it ends before it begins"
    for moment in (begins, ends, fact.reported_time):
        if moment is not None and moment > fact.event_time:
            return "it is dated after it was recorded"
    if begins is not None and fact.reported_time is not None and fact.reported_time < begins:
        return "it was reported before it happened"
    return None


def _out_of_state(case: CaseFile, act: CaseAct) -> str | None:
    """Why an act does not fit how the case stands."""
    if case.status is CaseStatus.CLOSED and act in _OPEN_ONLY:
        return f"case {case.number} is closed"
    if case.status is not CaseStatus.CLOSED and act is CaseAct.REOPEN:
        return f"case {case.number} is not closed"
    if case.status is CaseStatus.OPEN and act is CaseAct.CLOSE:
        return f"case {case.number} is not decided yet"
    if case.status is CaseStatus.DECIDED and act is CaseAct.DECIDE:
        return f"case {case.number} is decided already; close it, or open it again"
    return None


def _second_person(case: CaseFile, fact: CaseEvent, roster: Roster) -> str | None:
    """Why a closing or an approval is not by a second person."""
    person = person_of(fact)
    is_author = any(roster.are_one(person, author) for author in case.authors)
    if isinstance(fact, events.CaseClosed) and is_author:
        return f"{person} opened or decided it; a second person closes it"
    if isinstance(fact, events.CaseLetterSigned):
        for other in case.letters:
            is_same = other.letter_sha256 == fact.letter_sha256
            if is_same and other.signed_as is fact.signed_as:
                return "it is signed in that function already"
            if is_same and roster.are_one(other.signed_by, person):
                return f"{person} has signed it; a second person signs it, too"
        stated = roster.name_differs(person, fact.printed_name, fact.event_time)
        if stated is not None:
            return f"{person} is {stated} on the record, not {fact.printed_name}"
    return None


def _makes_no_sense(case: CaseFile, fact: CaseEvent, ground: Ground) -> str | None:
    """Why an act says nothing that can be."""
    match fact:
        case events.CaseLinked(other_number=other):
            if other == case.number:
                return "a case is not linked with itself"
            if other not in ground.numbers:
                return f"there is no case {other}"
            if any(link.other_number == other for link in case.links):
                return f"it is linked with {other} already"
        case events.CaseEvidencePinned(evidence=evidence):
            if any(pin.evidence == evidence for pin in case.evidence):
                return f"{evidence.reference} is pinned already"
        case events.CaseTaskSet(task=task):
            if task > len(case.tasks) + 1:
                return f"it has no task {task}"
        case events.CaseFootageHandled():
            return _wrong_footage(case, fact)
        case events.CaseMediaHandled():
            return _wrong_media(case, fact)
        case events.CaseAssessed():
            if fact.recovered_cents > fact.lost_cents:
                return "more was recovered than was lost"
        case events.CaseAssigned(assignee=assignee):
            if is_subject(case, ground.roster, assignee):
                return f"{assignee} is a subject of the case"
            return barred_from(case, CaseAct.PIN, assignee, fact.event_time, ground)
        case _:
            pass
    return None


def _wrong_footage(case: CaseFile, fact: events.CaseFootageHandled) -> str | None:
    known = case.footage.get(fact.footage)
    if fact.footage_until < fact.footage_from:
        return "the footage ends before it begins"
    if known is None:
        if fact.footage != len(case.footage) + 1:
            return f"it has no footage {fact.footage}"
        if fact.state is events.FootageState.RELEASED:
            return "only what is held is released"
        return None
    same = (known.camera, known.footage_from, known.footage_until)
    if same != (fact.camera, fact.footage_from, fact.footage_until):
        return f"footage {fact.footage} is of {known.camera}, and of another time"
    if known.state is fact.state:
        return f"footage {fact.footage} stands so already"
    if fact.state is events.FootageState.RELEASED and known.state is not events.FootageState.HELD:
        return "only what is held is released"
    return None


def _wrong_media(case: CaseFile, fact: events.CaseMediaHandled) -> str | None:
    custody = case.media.get(fact.media_sha256)
    if len(fact.media_sha256) != 32:
        return "a SHA-256 has 32 bytes"
    if (custody is None) is not (fact.act is events.MediaAct.ADDED):
        return "the file is of the case already" if custody else "the case has no such file"
    if custody and custody[0].media_size != fact.media_size:
        return "the file had another length when it was put to the case"
    if fact.act is events.MediaAct.HANDED_OVER and not fact.handed_to:
        return "to whom it was given is missing"
    return None
