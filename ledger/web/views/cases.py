"""Cases: the list, the form that opens one, and the file of one with all that is done in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Final

from ledger import events
from ledger.casework.cases import CaseAct, CaseFile, CaseStatus, barred_from
from ledger.casework.cases.patron_references import patrons_of
from ledger.kernel import LedgerError, dollars, parse_round_id, table_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports import RoundView
from ledger.reports.case_page import ERRORS, assessment_words, case_data, matter_words
from ledger.reports.fact_sentences import wager_name
from ledger.reports.phrases import calendar_date
from ledger.reports.verdict import verdict
from ledger.web.patrons import HIDDEN, Patrons, patrons_in
from ledger.web.rendering import Answer
from ledger.web.visit import Visit

ABOUT: Final = ("round", "fact", "coupon", "action", "alert", "other")
"""What a case can be opened from: the names in the address of the form."""
LONGEST: Final = 200
FORMS: Final[Mapping[str, CaseAct]] = {
    "subject": CaseAct.NAME_SUBJECT,
    "assign": CaseAct.ASSIGN,
    "note": CaseAct.NOTE,
    "task": CaseAct.SET_TASK,
    "pin": CaseAct.PIN,
    "media": CaseAct.HANDLE_MEDIA,
    "footage": CaseAct.HANDLE_FOOTAGE,
    "link": CaseAct.LINK,
    "assess": CaseAct.ASSESS,
    "decide": CaseAct.DECIDE,
    "close": CaseAct.CLOSE,
    "reopen": CaseAct.REOPEN,
    "prepare": CaseAct.PREPARE_LETTER,
    "approve": CaseAct.APPROVE_LETTER,
    "reveal": CaseAct.REVEAL,
}
"""The forms of a case's page, by the acts that they record."""
_MINUTE: Final = 60_000_000


def case_list(visit: Visit) -> Answer:
    """The cases that the person may see; with ``?all=1`` the closed ones, too."""
    record = visit.record
    clock = record.property_clock
    seen = list(record.cases.seen_by(visit.session.person, record.clock()))
    listed = [
        case for case in seen if visit.query.get("all") or case.status is not CaseStatus.CLOSED
    ]
    listed.sort(key=lambda case: case.opened.event_time, reverse=True)
    masked = [_masked(case) for case in listed]
    rows = [
        {
            "case": case.number,
            "status": case.status.value,
            "opened": f"{clock.local(case.opened.event_time):%b %-d, %Y %H:%M}",
            "summary": case.opened.summary,
            "in the hands of": case.assignee or "nobody",
            "about": [matter_words(matter) for matter in case.matters if _is_named(matter)],
            "tasks to be done": sum(not task.done for task in case.tasks.values()),
            "next due": min(
                (task.due for task in case.tasks.values() if task.due and not task.done),
                default=None,
            ),
            "footage until": _footage_until(case),
        }
        for case in masked
    ]
    context = {
        "title": "Cases",
        "rows": rows,
        "closed": sum(case.status is CaseStatus.CLOSED for case in seen),
        "every": bool(visit.query.get("all")),
        "may_open": _may(visit, None, CaseAct.OPEN),
        "today": record.today().isoformat(),
    }
    document = [_document(visit, case, shown) for case, shown in zip(listed, masked, strict=True)]
    return Answer(template="cases.html", context=context, document=document, rows=rows)


def new_case(visit: Visit) -> Answer:
    """The form that opens a case, from what the address names: a round, a coupon, an action."""
    record, named = visit.record, {}
    for name in ABOUT:
        text = visit.query.get(name, "").strip()[:LONGEST]
        if text:
            named[name] = text
    seen = record.round(named["round"]) if "round" in named else None
    context = {
        "title": "Open a case",
        "named": named,
        "seen": seen,
        "verdict": None if seen is None else verdict(record.masked_round(named["round"]).result),
        "wagers": [] if seen is None else list(wagers_of(seen)),
        "people": [] if seen is None else _people(visit, seen),
        "times": None if seen is None else _times(visit, seen),
        "may_open": _may(visit, None, CaseAct.OPEN),
    }
    return Answer(template="new_case.html", context=context, document=named, rows=[named])


def case_page(visit: Visit) -> Answer:
    """One case with everything that is in it.

    Raises:
        CaseUnknown: there is none of that number, or the person is its subject.
        CaseRefused: the person's role sees no case.
    """
    record, person, at = visit.record, visit.session.person, visit.record.clock()
    case = record.cases.one(visit.path["number"], person, at)
    shows = visit.shows(f"case {case.number}")
    shown = case if shows else _masked(case)
    clock = record.property_clock
    rounds = _rounds(visit, case)
    context = {
        "title": f"Case {case.number}",
        "case": shown,
        "when": lambda moment: f"{clock.local(moment):%b %-d, %Y %H:%M}",
        "local": lambda moment: f"{clock.local(moment):%Y-%m-%d %H:%M}",
        "day": lambda text: calendar_date(date.fromisoformat(text)),
        "today": record.today().isoformat(),
        "matters": list(_matters(visit, shown, rounds)),
        "linked": list(_links(visit, shown)),
        "may": {name: _may(visit, case, act) for name, act in FORMS.items()},
        "why_not": _why_not(visit, case),
        "patrons": len(patrons_of(case)),
        "shows": shows,
        "hidden": HIDDEN,
        "money": None if case.assessment is None else assessment_words(case.assessment),
        "error": None if case.assessment is None else ERRORS[case.assessment.error],
        "errors": [(kind.name.lower(), words) for kind, words in ERRORS.items()][:-1],
        "cameras": list(_cameras(visit, rounds)),
        "wagers": [pair for view in rounds.values() for pair in wagers_of(view)],
        "kept": record.media.kept(case),
        "letters": list(_letters(shown)),
        "history": list(_history(shown)),
        "own": person,
    }
    document = _document(visit, case, shown)
    rows = [
        {
            "time": f"{clock.local(line.at):%Y-%m-%d %H:%M:%S}",
            "act": line.act,
            "by": line.by,
            "text": line.text,
        }
        for line in _history(shown)
    ]
    return Answer(template="case.html", context=context, document=document, rows=rows)


def cases_about(visit: Visit, round_id: str) -> Iterator[CaseFile]:
    """Return the cases about a round that the person may see."""
    for case in visit.record.cases.seen_by(visit.session.person, visit.record.clock()):
        if any(matter.reference == round_id for matter in case.matters):
            yield _masked(case)


# ------------------------------------------------------------------ parts


def _masked(case: CaseFile) -> CaseFile:
    """The case with labels for the patrons it is about, in its texts as well."""
    return _patrons(case).masked(case)


def _patrons(case: CaseFile) -> Patrons:
    return patrons_in((), patrons_of(case))  # staff stand in the same field of the event


def _document(visit: Visit, case: CaseFile, shown: CaseFile) -> dict[str, object]:
    """The case as plain data; other cases are named only to whom they are shown."""
    document = case_data(shown, reveal=shown is case)
    links = {str(link.other_number) for link in _links(visit, shown)}
    return {
        **document,
        "links": [link for link in document["links"] if link["other_number"] in links],  # type: ignore[attr-defined]
    }


def _links(visit: Visit, case: CaseFile) -> Iterator[events.CaseLinked]:
    """The links with cases that the person may see."""
    cases, at = visit.record.cases, visit.record.clock()
    for link in case.links:
        other = cases.files.get(link.other_number)
        if other is not None and _may_see(visit, other, at):
            yield link


def _may_see(visit: Visit, case: CaseFile, at: int) -> bool:
    cases = visit.record.cases
    ground = cases.ground(case, CaseAct.SEE)
    return barred_from(case, CaseAct.SEE, visit.session.person, at, ground) is None


def _may(visit: Visit, case: CaseFile | None, act: CaseAct) -> bool:
    return _bar(visit, case, act) is None


def _bar(visit: Visit, case: CaseFile | None, act: CaseAct) -> str | None:
    cases = visit.record.cases
    ground = cases.ground(case, act)
    return barred_from(case, act, visit.session.person, visit.record.clock(), ground)


def _why_not(visit: Visit, case: CaseFile) -> str | None:
    """Why the person may not bring the case to its end, where only that keeps it open."""
    act = {CaseStatus.OPEN: CaseAct.DECIDE, CaseStatus.DECIDED: CaseAct.CLOSE}.get(case.status)
    if act is None:
        return None
    bar = _bar(visit, case, act)
    if bar is None and act is CaseAct.CLOSE:
        roster, person = visit.record.roster, visit.session.person
        if any(roster.are_one(person, author) for author in case.authors):
            bar = f"{person} opened or decided it; a second person closes it"
    return bar


def _is_named(matter: events.CaseMatter) -> bool:
    """Whether a matter stands in a list: facts beside an action or a coupon do not."""
    return matter.kind is not events.CaseMatterKind.FACT


def _rounds(visit: Visit, case: CaseFile) -> dict[str, RoundView]:
    """The rounds that a case is about, those that can be read."""
    rounds = {}
    for matter in case.matters:
        if matter.kind is events.CaseMatterKind.ROUND:
            try:
                rounds[matter.reference] = visit.record.masked_round(matter.reference)
            except LedgerError:
                continue  # named, but no round of the record any more
    return rounds


def _round_of(visit: Visit, reference: str) -> str | None:
    """Where a fact is seen: in its round, if a table recorded it."""
    try:
        table = table_of(parse_round_id(reference).stream)
    except ValueError:
        return None
    return f"/round/{reference}" if table in visit.record.replay.tables() else None


def _matters(
    visit: Visit, case: CaseFile, rounds: Mapping[str, RoundView]
) -> Iterator[tuple[events.CaseMatter, str, str | None, str]]:
    """What the case is about: in words, where it leads, what is to be said of it."""
    pins = {pin.evidence: pin for pin in case.evidence}
    for matter in case.matters:
        where = {
            events.CaseMatterKind.ROUND: f"/round/{matter.reference}",
            events.CaseMatterKind.FACT: _round_of(visit, matter.reference),
            events.CaseMatterKind.COUPON: f"/coupons/serial/{matter.reference}",
        }.get(matter.kind)
        view = rounds.get(matter.reference)
        why = pins[matter].reason if matter in pins else None
        words = [verdict(view.result)] if view is not None else []
        yield matter, matter_words(matter), where, " ".join([*words, *([why] if why else [])])


def wagers_of(seen: RoundView) -> Iterator[tuple[str, str]]:
    """Return the wagers of a round to choose from: id, and words without a patron's reference."""
    for wager in seen.result.wagers:
        seat = f"seat {wager.position}, " if wager.position else ""
        name = wager_name(wager.wager, wager.picks)
        yield wager.wager_id, f"{wager.wager_id}: {seat}{dollars(wager.stake_cents)} on {name}"


def _people(visit: Visit, seen: RoundView) -> list[str]:
    """Who stood at the table of a round then, in words."""
    moments = [seen.result.opened_at, seen.ends_at]
    people = dict(visit.record.replay.attending(seen.result.table, moments))
    return [f"{person} {how}" for person, how in people.items()]


def _times(visit: Visit, seen: RoundView) -> tuple[str, str]:
    clock = visit.record.property_clock
    spell = (seen.result.opened_at, seen.ends_at)
    begins, ends = (f"{clock.local(moment):%Y-%m-%dT%H:%M}" for moment in spell)
    return begins, ends


def _cameras(visit: Visit, rounds: Mapping[str, RoundView]) -> Iterator[tuple[str, str, str]]:
    """The cameras of the rounds of a case, each with the minutes around its round."""
    clock = visit.record.property_clock
    for view in rounds.values():
        spell = (view.result.opened_at - _MINUTE, view.ends_at + _MINUTE)
        begins, ends = (f"{clock.local(moment):%Y-%m-%dT%H:%M}" for moment in spell)
        for camera in view.cameras:
            yield camera.camera, begins, ends


def _footage_until(case: CaseFile) -> str | None:
    waiting = (events.FootageState.REQUESTED, events.FootageState.HELD)
    return min(
        (each.expires for each in case.footage.values() if each.expires and each.state in waiting),
        default=None,
    )


def _letters(case: CaseFile) -> Iterator[tuple[str, str, list[events.CaseLetterSigned]]]:
    """Each letter with its signatures, newest text or not."""
    for recipient, title in (("patron", "Letter to the patron"), ("board", "Report to the Board")):
        signed = [one for one in case.letters if one.letter.value == recipient.upper()]
        yield recipient, title, signed


@dataclass(frozen=True, slots=True)
class CaseLine:
    """A line of a case's history: when (microseconds UTC), what was done, by whom, the words."""

    at: int
    act: str
    by: str
    text: str


_FILE_ACTS: Final = {
    events.MediaAct.ADDED: "put a file to the case",
    events.MediaAct.VIEWED: "looked at a file",
    events.MediaAct.COPIED: "copied a file",
    events.MediaAct.HANDED_OVER: "gave a file",
    events.MediaAct.RETURNED: "took a file back",
    events.MediaAct.UNRECOGNISED: "did what this version does not know with a file",
}
_FOOTAGE_ACTS: Final = {
    events.FootageState.REQUESTED: "asked for footage",
    events.FootageState.HELD: "has footage held",
    events.FootageState.RECEIVED: "received footage",
    events.FootageState.REFUSED: "was refused footage",
    events.FootageState.RELEASED: "released footage",
    events.FootageState.UNRECOGNISED: "did what this version does not know with footage",
}
_LETTERS: Final = {
    events.LetterKind.PATRON: "the letter to the patron",
    events.LetterKind.BOARD: "the report to the Board",
    events.LetterKind.UNRECOGNISED: "a letter that this version does not know",
}


def _history(case: CaseFile) -> list[CaseLine]:
    """Everything that was done in the case that counts, in order."""
    acts = [(case.opened.event_time, "opened the case", case.opened.opened_by, case.opened.summary)]
    acts += [(note.event_time, "wrote a note", note.noted_by, note.note) for note in case.notes]
    for task in case.tasks.values():
        state = f"set task {task.task}{', which is done' if task.done else ''}"
        acts.append((task.event_time, state, task.set_by, task.text))
    for pin in case.evidence:
        words = f"{matter_words(pin.evidence)}: {pin.reason}"
        acts.append((pin.event_time, "pinned evidence", pin.pinned_by, words))
    for custody in case.media.values():
        for act in custody:
            whom = f" to {act.handed_to}" if act.handed_to else ""
            done = f"{_FILE_ACTS[act.act]}{whom}"
            acts.append((act.event_time, done, act.handled_by, act.name))
    for footage in case.footage.values():
        state = _FOOTAGE_ACTS[footage.state]
        acts.append((footage.event_time, state, footage.handled_by, footage.camera))
    if case.assessment is not None:
        money = case.assessment
        acts.append(
            (money.event_time, "stated error and money", money.assessed_by, ERRORS[money.error])
        )
    for letter in case.letters:
        words = f"signed {_LETTERS[letter.letter]} as its {letter.signed_as.value.lower()}"
        acts.append((letter.event_time, words, letter.signed_by, letter.printed_name))
    if case.decision is not None:
        decision = case.decision
        acts.append(
            (decision.event_time, "decided the case", decision.decided_by, decision.decision)
        )
    if case.closed is not None:
        acts.append(
            (case.closed.event_time, "closed the case", case.closed.closed_by, case.closed.reason)
        )
    for again in case.reopened:
        acts.append((again.event_time, "opened the case again", again.reopened_by, again.reason))
    return [CaseLine(*line) for line in sorted(acts, key=lambda line: line[0])]
