"""Each act with a case as the event that records it: for the command line and for the desk alike.

A maker takes what a person entered and returns a function of the cases as they stand; what that
returns is proved, judged and appended by whoever asked. Nothing is judged here.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.cli.case_acts import moment, words
from ledger.cli.errors import CommandWrong

if TYPE_CHECKING:
    from ledger import events
    from ledger.casework.action_facts import Head
    from ledger.casework.cases import CaseEvent, CaseFiles
    from ledger.cli.case_acts import Make
    from ledger.cli.case_matters import Matters
    from ledger.kernel import PropertyClock


def opening(
    by: str,
    *,
    summary: str,
    complaint: str | None = None,
    subjects: Sequence[str] = (),
    begins: str | None = None,
    ends: str | None = None,
    reported: str | None = None,
    matters: Matters,
    folder: Path,
) -> Make:
    """Open a case; times are local, as a person types them."""
    from ledger import events

    def make(cases: CaseFiles, head: Head, clock: PropertyClock) -> CaseEvent:
        return events.CaseOpened(
            **head,
            case_number=cases.next_number(clock.local(head["event_time"]).date()),
            complaint=None if complaint is None else words(complaint, "A complaint"),
            summary=words(summary, "A summary"),
            about=matters.found(cases, folder),
            subjects=tuple(map(_subject, dict.fromkeys(subjects))),
            occurred_from=moment(begins, clock),
            occurred_until=moment(ends, clock),
            reported_time=moment(reported, clock),
            opened_by=by,
            proof=_proof(),
        )

    return make


def naming(number: str, by: str, *, subject: str, why: str) -> Make:
    """Name a further subject, ``staff:CREDENTIAL`` or ``patron:REF``."""
    from ledger import events

    return lambda _, head, __: events.CaseSubjectAdded(
        **head,
        case_number=number,
        subject=_subject(subject),
        reason=words(why, "A reason"),
        added_by=by,
        proof=_proof(),
    )


def assigning(number: str, by: str, *, assignee: str) -> Make:
    """Give a case into somebody's hands."""
    from ledger import events

    return lambda _, head, __: events.CaseAssigned(
        **head, case_number=number, assignee=assignee, assigned_by=by, proof=_proof()
    )


def noting(number: str, by: str, *, text: str) -> Make:
    """Write something down."""
    from ledger import events

    return lambda _, head, __: events.CaseNoted(
        **head, case_number=number, note=words(text, "A note"), noted_by=by, proof=_proof()
    )


def tasking(
    number: str, by: str, *, text: str | None, due: date | None = None, done: int | None = None
) -> Make:
    """Set a task, or mark the one of a number as done."""
    from ledger import events

    if (text is None) is (done is None):
        raise CommandWrong("Give what is to be done, or --done NUMBER.", "case task")

    def make(cases: CaseFiles, head: Head, _: PropertyClock) -> CaseEvent:
        case = cases.named(number)
        known = {} if case is None else case.tasks
        before = known.get(done or 0)
        if done is not None and case is not None and before is None:
            raise CommandWrong(f"Case {number[:20]} has no task {done}.", "case show")
        due_day = due.isoformat() if due is not None else None if before is None else before.due
        return events.CaseTaskSet(
            **head,
            case_number=number,
            task=done or len(known) + 1,
            text=words(text or "", "A task") if before is None else before.text,
            due=due_day,
            done=done is not None,
            set_by=by,
            proof=_proof(),
        )

    return make


def pinning(number: str, by: str, *, why: str, matters: Matters, folder: Path) -> Make:
    """Pin one piece of evidence."""
    from ledger import events

    def make(cases: CaseFiles, head: Head, _: PropertyClock) -> CaseEvent:
        if len(matters.given()) != 1:
            raise CommandWrong("Name one piece of evidence, such as --round.", "case pin")
        evidence = matters.found(cases, folder)
        return events.CaseEvidencePinned(
            **head,
            case_number=number,
            evidence=evidence[0],
            reason=words(why, "A reason"),
            pinned_by=by,
            proof=_proof(),
        )

    return make


def handling_media(
    number: str,
    by: str,
    *,
    digest: bytes,
    size: int,
    name: str,
    act: str = "added",
    camera: str | None = None,
    kept_at: str | None = None,
    handed_to: str | None = None,
) -> Make:
    """Put a file to a case by its SHA-256 and length, or record what is done with it."""
    from ledger import events

    return lambda _, head, __: events.CaseMediaHandled(
        **head,
        case_number=number,
        media_sha256=digest,
        media_size=size,
        name=words(name, "A file's name"),
        act=events.MediaAct(act.upper()),
        camera=camera,
        kept_at=kept_at,
        handed_to=handed_to,
        handled_by=by,
        proof=_proof(),
    )


def handling_footage(
    number: str,
    by: str,
    *,
    footage: int | None = None,
    camera: str | None = None,
    begins: str | None = None,
    ends: str | None = None,
    state: str = "requested",
    expires: date | None = None,
    why: str | None = None,
) -> Make:
    """Ask for footage, or record how the one of a number stands."""
    from ledger import events

    def make(cases: CaseFiles, head: Head, clock: PropertyClock) -> CaseEvent:
        case = cases.named(number)
        known = None if case is None or footage is None else case.footage.get(footage)
        if footage is not None and case is not None and known is None:
            raise CommandWrong(f"Case {number[:20]} has no footage {footage}.", "case show")
        since, until = moment(begins, clock), moment(ends, clock)
        if known is None and (camera is None or since is None or until is None):
            raise CommandWrong("New footage needs --camera, --from and --until.", "case footage")
        return events.CaseFootageHandled(
            **head,
            case_number=number,
            footage=footage or (1 if case is None else len(case.footage) + 1),
            camera=(camera or "") if known is None else known.camera,
            footage_from=(since or 0) if known is None else known.footage_from,
            footage_until=(until or 0) if known is None else known.footage_until,
            state=events.FootageState(state.upper()),
            expires=expires.isoformat() if expires else None if known is None else known.expires,
            reason=None if why is None else words(why, "A reason"),
            handled_by=by,
            proof=_proof(),
        )

    return make


def linking(number: str, by: str, *, other: str, why: str) -> Make:
    """Link a case with another one."""
    from ledger import events

    return lambda cases, head, __: events.CaseLinked(
        **head,
        case_number=number,
        other_number=cases.require(other, by).number,
        reason=words(why, "A reason"),
        linked_by=by,
        proof=_proof(),
    )


def assessing(
    number: str, by: str, *, error: str, lost: str, recovered: str, saved: str, goodwill: str
) -> Make:
    """State what went wrong, and the money, in dollars as a person types them."""
    from ledger import events

    return lambda _, head, __: events.CaseAssessed(
        **head,
        case_number=number,
        error=events.ErrorType(error.upper()),
        lost_cents=_cents(lost),
        recovered_cents=_cents(recovered),
        saved_cents=_cents(saved),
        goodwill_cents=_cents(goodwill),
        assessed_by=by,
        proof=_proof(),
    )


def deciding(number: str, by: str, *, decision: str) -> Make:
    """Decide a case."""
    from ledger import events

    return lambda _, head, __: events.CaseDecided(
        **head,
        case_number=number,
        decision=words(decision, "A decision"),
        decided_by=by,
        proof=_proof(),
    )


def closing(number: str, by: str, *, reason: str) -> Make:
    """Close a decided case."""
    from ledger import events

    return lambda _, head, __: events.CaseClosed(
        **head, case_number=number, reason=words(reason, "A reason"), closed_by=by, proof=_proof()
    )


def reopening(number: str, by: str, *, reason: str) -> Make:
    """Open a closed case again."""
    from ledger import events

    return lambda _, head, __: events.CaseReopened(
        **head,
        case_number=number,
        reason=words(reason, "A reason"),
        reopened_by=by,
        proof=_proof(),
    )


def _subject(text: str) -> events.CaseSubject:
    """A subject as it is typed: ``staff:D-SB-01-1`` or ``patron:p-17``."""
    from ledger import events

    kind, mark, name = text.partition(":")
    if not mark or kind.lower() not in ("staff", "patron") or not name.strip():
        raise CommandWrong(f"{text[:40]!r} is neither staff:CREDENTIAL nor patron:REF.", "case")
    return events.CaseSubject(kind=events.CaseSubjectKind(kind.upper()), reference=name.strip())


def _proof() -> events.ActProof:
    """What stands in an act until it is proved."""
    from ledger import events

    return events.ActProof(how=events.ProofKind.UNRECOGNISED, signature=None)


def _cents(text: str) -> int:
    from ledger.kernel import parse_dollars

    try:
        cents = int(parse_dollars(text))
    except ValueError as error:
        raise CommandWrong(f"{text[:40]!r} is no amount in dollars.", "case assess") from error
    if not 0 <= cents <= 10**14:
        raise CommandWrong(f"{text[:40]!r} is no amount that a case can have.", "case assess")
    return cents
