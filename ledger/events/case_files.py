"""Facts of cases: what people do in the file of a dispute or an incident.

One frozen dataclass per schema under ``schemas/cases``: same name, same fields, same order; the
schema's docs give units and meanings.
"""

from __future__ import annotations

from ledger.events.case_words import (
    ActProof,
    CaseMatter,
    CaseSubject,
    ErrorType,
    FootageState,
    LetterKind,
    LetterSigner,
    MediaAct,
    ProofKind,
)
from ledger.events.fact_declaration import Header, declared


@declared
class CaseOpened(Header):
    """A person opened a case."""

    case_number: str
    complaint: str | None
    summary: str
    about: tuple[CaseMatter, ...]
    subjects: tuple[CaseSubject, ...]
    occurred_from: int | None
    occurred_until: int | None
    reported_time: int | None
    opened_by: str
    proof: ActProof


@declared
class CaseSubjectAdded(Header):
    """A person named a further subject of a case."""

    case_number: str
    subject: CaseSubject
    reason: str
    added_by: str
    proof: ActProof


@declared
class CaseAssigned(Header):
    """A person gave a case into somebody's hands."""

    case_number: str
    assignee: str
    assigned_by: str
    proof: ActProof


@declared
class CaseNoted(Header):
    """A person wrote something down in a case."""

    case_number: str
    note: str
    noted_by: str
    proof: ActProof


@declared
class CaseTaskSet(Header):
    """A person set a task of a case, or marked it done."""

    case_number: str
    task: int
    text: str
    due: str | None
    done: bool
    set_by: str
    proof: ActProof


@declared
class CaseEvidencePinned(Header):
    """A person pinned evidence to a case."""

    case_number: str
    evidence: CaseMatter
    reason: str
    pinned_by: str
    proof: ActProof


@declared
class CaseMediaHandled(Header):
    """A person put a piece of media to a case, or handled it."""

    case_number: str
    media_sha256: bytes
    media_size: int
    name: str
    act: MediaAct
    camera: str | None
    kept_at: str | None
    handed_to: str | None
    handled_by: str
    proof: ActProof


@declared
class CaseFootageHandled(Header):
    """A person asked for footage, or recorded how it stands."""

    case_number: str
    footage: int
    camera: str
    footage_from: int
    footage_until: int
    state: FootageState
    expires: str | None
    reason: str | None
    handled_by: str
    proof: ActProof


@declared
class CaseLinked(Header):
    """A person linked two cases."""

    case_number: str
    other_number: str
    reason: str
    linked_by: str
    proof: ActProof


@declared
class CaseAssessed(Header):
    """A person stated what went wrong in a case, and the money."""

    case_number: str
    error: ErrorType
    lost_cents: int
    recovered_cents: int
    saved_cents: int
    goodwill_cents: int
    assessed_by: str
    proof: ActProof


@declared
class CaseDecided(Header):
    """A person decided a case."""

    case_number: str
    decision: str
    decided_by: str
    proof: ActProof


@declared
class CaseClosed(Header):
    """A second person closed a case."""

    case_number: str
    reason: str
    closed_by: str
    proof: ActProof


@declared
class CaseReopened(Header):
    """A person opened a closed case again."""

    case_number: str
    reason: str
    reopened_by: str
    proof: ActProof


@declared
class CaseLetterSigned(Header):
    """A person signed a letter of a case."""

    case_number: str
    letter: LetterKind
    letter_sha256: bytes
    signed_as: LetterSigner
    printed_name: str
    signed_by: str
    written: str
    wager: str | None
    round: str | None
    tree_size: int
    root: bytes
    proof: ActProof


@declared
class PersonEnrolled(Header):
    """A person can prove from here on who acts."""

    person: str
    how: ProofKind
    public_key: bytes | None
    enrolled_by: str
    proof: ActProof | None


@declared
class PatronReferenceSeen(Header):
    """A person looked at the reference of a patron."""

    patron: str
    sitting: str
    case_number: str | None
    seen_by: str
    proof: ActProof
