"""The file of a case, for people and as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.text import Text

from ledger import events
from ledger.casework.cases import CaseAct, CaseEvent, CaseFile, person_of
from ledger.casework.media_files import CheckedMedia
from ledger.kernel import PropertyClock, dollars, legible
from ledger.reports.table_style import folding_table

MASKED: Final = "patron (not shown; --reveal shows it, and records that you looked)"
KINDS: Final = {
    events.CaseMatterKind.ROUND: "round",
    events.CaseMatterKind.FACT: "fact",
    events.CaseMatterKind.COUPON: "coupon",
    events.CaseMatterKind.ACTION: "action",
    events.CaseMatterKind.ALERT: "alert",
    events.CaseMatterKind.OTHER: "",
    events.CaseMatterKind.UNRECOGNISED: "something that a newer version names",
}
ERRORS: Final = {
    events.ErrorType.NONE: "nothing went wrong",
    events.ErrorType.DEALER: "an error of the dealer",
    events.ErrorType.SUPERVISION: "an error of supervision",
    events.ErrorType.PROCEDURE: "the procedure was not kept",
    events.ErrorType.EQUIPMENT: "equipment failed",
    events.ErrorType.RECORD: "the record was wrong",
    events.ErrorType.PATRON: "an error or act of the patron",
    events.ErrorType.UNDETERMINED: "cannot be told",
    events.ErrorType.UNRECOGNISED: "something that a newer version names",
}


def act_sentence(fact: CaseEvent, act: CaseAct) -> str:
    """What was recorded, for who recorded it."""
    how = "by key" if fact.proof.how is events.ProofKind.KEY else "by pass phrase"
    return f"Case {fact.case_number}: {_DONE[act]}, by {person_of(fact)} (proved {how})"


_DONE: Final = {
    CaseAct.OPEN: "opened",
    CaseAct.NAME_SUBJECT: "subject named",
    CaseAct.ASSIGN: "assigned",
    CaseAct.NOTE: "noted",
    CaseAct.SET_TASK: "task recorded",
    CaseAct.PIN: "evidence pinned",
    CaseAct.HANDLE_MEDIA: "media recorded",
    CaseAct.HANDLE_FOOTAGE: "footage recorded",
    CaseAct.LINK: "linked",
    CaseAct.ASSESS: "error and money stated",
    CaseAct.DECIDE: "decided; a second person closes it",
    CaseAct.CLOSE: "closed",
    CaseAct.REOPEN: "opened again",
    CaseAct.PREPARE_LETTER: "letter signed by its preparer",
    CaseAct.APPROVE_LETTER: "letter signed by its approver",
}


def case_data(case: CaseFile, *, reveal: bool) -> dict[str, object]:
    """The file of a case as plain data; references of patrons only where they are revealed."""
    opened = _plain(case.opened)
    for name in ("proof", "subjects"):
        del opened[name]
    return {
        "case": case.number,
        "status": case.status.value,
        "opened": opened,
        "subjects": [
            {"kind": one.kind.value.lower(), "reference": _shown(one, reveal=reveal)}
            for one in case.subjects
        ],
        "assignee": case.assignee,
        "about": [_plain(matter) for matter in case.matters],
        "notes": [_plain(note) for note in case.notes],
        "tasks": [_plain(task) for task in case.tasks.values()],
        "evidence": [_plain(pin) for pin in case.evidence],
        "media": [[_plain(act) for act in custody] for custody in case.media.values()],
        "footage": [_plain(footage) for footage in case.footage.values()],
        "links": [_plain(link) for link in case.links],
        "assessment": None if case.assessment is None else _plain(case.assessment),
        "decision": None if case.decision is None else _plain(case.decision),
        "closed": None if case.closed is None else _plain(case.closed),
        "reopened": [_plain(again) for again in case.reopened],
        "letters": [_plain(letter) for letter in case.letters],
        "idle": [{"act": type(idle.fact).__name__, "why": idle.why} for idle in case.idle],
    }


def _plain(part: Any) -> dict[str, Any]:
    """The fields of an event or a part of one, with bytes in hexadecimal."""
    return {each.name: _value(getattr(part, each.name)) for each in fields(part)}


def _value(content: Any) -> Any:
    match content:
        case bytes():
            return legible(content)
        case tuple():
            return [_value(part) for part in content]
        case str() | int() | None:
            return str(content) if isinstance(content, str) else content
    return _plain(content)


def _shown(subject: events.CaseSubject, *, reveal: bool) -> str | None:
    hidden = subject.kind is not events.CaseSubjectKind.STAFF and not reveal
    return None if hidden else subject.reference


def cases_page(cases: Iterable[CaseFile], clock: PropertyClock) -> RenderableType:
    """Cases in a list."""
    table = folding_table("case", "opened", "status", "in the hands of", "about", "summary")
    count = 0
    for case in cases:
        count += 1
        table.add_row(
            case.number,
            f"{clock.local(case.opened.event_time):%b %-d, %Y %H:%M}",
            case.status.value,
            case.assignee or "nobody",
            ", ".join(map(matter_words, case.matters)) or "nothing on the record",
            case.opened.summary,
        )
    return table if count else Text("No case that you may see.")


def matter_words(matter: events.CaseMatter) -> str:
    """What a case is about, in words."""
    return f"{KINDS[matter.kind]} {matter.reference}".strip()


def case_page(case: CaseFile, clock: PropertyClock, *, reveal: bool) -> RenderableType:
    """The file of a case for people, in the order in which it is read."""
    head = Text(f"Case {case.number}: {case.opened.summary}\n", style="bold")
    head.append(f"{case.status.value}, in the hands of {case.assignee or 'nobody'}\n")
    grid = folding_table("", "")
    grid.show_header = False
    for name, words in case_rows(case, clock, reveal=reveal):
        grid.add_row(Text(name, style="dim"), Text(words))
    return Group(head, grid)


def case_rows(case: CaseFile, clock: PropertyClock, *, reveal: bool) -> Iterator[tuple[str, str]]:
    """Yield the lines of a case's file, each with its name."""
    opened = case.opened
    yield "Opened", f"{_when(opened, clock)} by {opened.opened_by}"
    if opened.complaint is not None:
        yield "Complaint", f"“{opened.complaint}”"
    yield from _times(opened, clock)
    for subject in case.subjects:
        yield "About", subject.reference if _shown(subject, reveal=reveal) else MASKED
    for matter in case.matters:
        why = [pin.reason for pin in case.evidence if pin.evidence == matter]
        yield "Evidence", ": ".join([matter_words(matter), *why])
    yield from _tasks_and_notes(case, clock)
    yield from _media_and_footage(case, clock)
    for link in case.links:
        yield "Linked", f"{link.other_number}: {link.reason}"
    if (money := case.assessment) is not None:
        yield "Error", ERRORS[money.error]
        yield "Money", assessment_words(money)
    yield from _ending(case, clock)


def _times(opened: events.CaseOpened, clock: PropertyClock) -> Iterator[tuple[str, str]]:
    begins, ends = opened.occurred_from, opened.occurred_until
    if begins is not None or ends is not None:
        spell = [_local(at, clock) if at is not None else "not known" for at in (begins, ends)]
        yield "Happened", spell[0] if ends is None else " to ".join(spell)
    if opened.reported_time is not None:
        yield "Reported", _local(opened.reported_time, clock)


def _tasks_and_notes(case: CaseFile, clock: PropertyClock) -> Iterator[tuple[str, str]]:
    for task in case.tasks.values():
        due = "" if task.due is None else f", due {task.due}"
        yield f"Task {task.task}", f"{task.text}{due}: {'done' if task.done else 'to be done'}"
    for note in case.notes:
        yield "Note", f"{note.note} ({note.noted_by}, {_when(note, clock)})"


def _media_and_footage(case: CaseFile, clock: PropertyClock) -> Iterator[tuple[str, str]]:
    for digest, custody in case.media.items():
        first = custody[0]
        lines = [f"{first.name}, {first.media_size:,} bytes, SHA-256 {digest.hex()}"]
        for act in custody:
            whom = "" if act.handed_to is None else f" to {act.handed_to}"
            place = "" if act.kept_at is None else f", kept at {act.kept_at}"
            done = act.act.value.lower().replace("_", " ")
            lines.append(f"{_when(act, clock)}: {done}{whom} by {act.handled_by}{place}")
        yield "Media", "\n".join(lines)
    for number, footage in case.footage.items():
        since, until = _local(footage.footage_from, clock), _local(footage.footage_until, clock)
        words = f"{footage.camera}, {since} to {until}: {footage.state.value.lower()}"
        words += (
            "" if footage.expires is None else f"; the recorder keeps it until {footage.expires}"
        )
        words += "" if footage.reason is None else f"; {footage.reason}"
        yield f"Footage {number}", words


def _ending(case: CaseFile, clock: PropertyClock) -> Iterator[tuple[str, str]]:
    if (decision := case.decision) is not None:
        when = _when(decision, clock)
        yield "Decision", f"{decision.decision} ({decision.decided_by}, {when})"
    if (closed := case.closed) is not None:
        yield "Closed", f"{closed.reason} ({closed.closed_by}, {_when(closed, clock)})"
    for again in case.reopened:
        yield "Opened again", f"{again.reason} ({again.reopened_by}, {_when(again, clock)})"
    for letter in case.letters:
        to = "to the patron" if letter.letter is events.LetterKind.PATRON else "to the Board"
        as_what = letter.signed_as.value.lower()
        yield "Letter", f"{to}, signed by its {as_what} {letter.signed_by}, {_when(letter, clock)}"
    for idle in case.idle:
        yield "Does not count", f"{idle.why} ({_when(idle.fact, clock)})"


def assessment_words(money: events.CaseAssessed) -> str:
    """The amounts of a case, those that are none left out."""
    amounts = (
        (money.lost_cents, "lost"),
        (money.recovered_cents, "recovered"),
        (money.saved_cents, "kept from being lost"),
        (money.goodwill_cents, "paid as goodwill"),
    )
    return ", ".join(f"{dollars(cents)} {name}" for cents, name in amounts if cents) or "none"


def _when(fact: CaseEvent, clock: PropertyClock) -> str:
    return _local(fact.event_time, clock)


def _local(at: int, clock: PropertyClock) -> str:
    return f"{clock.local(at):%b %-d, %Y %H:%M}"


def media_page(checked: Iterable[CheckedMedia]) -> RenderableType:
    """The files of a case, and whether they lie there as they were put to it."""
    table = folding_table("file", "bytes", "SHA-256", "now")
    for media in checked:
        table.add_row(media.name, f"{media.size:,}", media.sha256, media.state.value)
    return table
