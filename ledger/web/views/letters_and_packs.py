"""The letters of a case as they are read, signed and printed, and what a pack of it would hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from urllib.parse import urlencode

from ledger import events
from ledger.casework.cases import CaseAct, CaseFile, barred_from
from ledger.kernel import LedgerError, UsageError
from ledger.reports import RoundView
from ledger.reports.letters import letter_html, letter_pdf, letter_text
from ledger.web.rendering import Answer, Download, printed_page
from ledger.web.services import LetterAsked, WrittenLetter
from ledger.web.views.cases import wagers_of
from ledger.web.visit import Visit

RECIPIENTS: Final = {"patron": "Letter to the patron", "board": "Report to the Board"}
REDACTIONS: Final = (
    ("all", "Nobody is named: for whoever may see no personal data"),
    ("patrons", "Without patrons"),
    ("patrons,staff,names", "Without patrons and staff"),
    ("", "Everything; recorded as a look at the patrons' references"),
)
"""What of a pack is withheld, as the form offers it."""


class NoSuchLetter(UsageError):
    """A case has no letter of that name."""

    code = "letter_unknown"


class NoWagerAsked(UsageError):
    """A letter to a patron is about one wager, and none is named."""

    code = "letter_wager_missing"

    def __init__(self) -> None:
        super().__init__(
            "Choose the wager that the letter is about.", next_step="go back to the letter"
        )


def letter_page(visit: Visit) -> Answer:
    """A letter of a case as it stands, its signatures, and the forms that sign it.

    Raises:
        CaseUnknown, CaseRefused: the case is not for this person.
        NoSuchLetter: there is no such letter.
    """
    case, recipient = _case(visit), _recipient(visit)
    problem, written = None, None
    try:
        written = _written(visit, case, recipient)
    except NoSuchLetter:
        raise
    except LedgerError as error:
        problem = error.problem
    signed = [one for one in case.letters if one.letter.value == recipient.upper()]
    own = visit.session.person
    name = visit.record.roster.printed_name(own, visit.record.clock())
    context = {
        "title": RECIPIENTS[recipient],
        "case": case,
        "recipient": recipient,
        "problem": problem,
        "text": None if written is None else letter_text(written.letter, written.signatures),
        "is_signed": written is not None and written.is_signed,
        "signatures": [] if written is None else written.signatures,
        "changed": bool(signed) and written is not None and not written.signatures,
        "wagers": [pair for view in _views(visit, case) for pair in wagers_of(view)],
        "rounds": [m.reference for m in case.matters if m.kind.value == "ROUND"],
        "asked": {key: visit.query.get(key, "") for key in ("wager", "round")},
        "may_prepare": _may(visit, case, CaseAct.PREPARE_LETTER),
        "may_approve": _may(visit, case, CaseAct.APPROVE_LETTER),
        "printed_name": name or "",
        "query": _query(visit),
    }
    document = {"case": case.number, "to": recipient, "text": context["text"], "problem": problem}
    return Answer(template="letter.html", context=context, document=document, rows=[document])


def letter_print(visit: Visit) -> Download:
    """The letter as a page that prints.

    Raises:
        CaseUnknown, CaseRefused, NoSuchLetter, NoWagerAsked, CommandWrong: there is none to print.
    """
    case, recipient = _case(visit), _recipient(visit)
    written = _written(visit, case, recipient)
    return printed_page(letter_html(written.letter, written.signatures, visit.paper))


def letter_file(visit: Visit) -> Download:
    """The letter as a PDF.

    Raises:
        CaseUnknown, CaseRefused, NoSuchLetter, NoWagerAsked, CommandWrong: there is none to print.
    """
    case, recipient = _case(visit), _recipient(visit)
    written = _written(visit, case, recipient)
    content = letter_pdf(written.letter, written.signatures, visit.paper)
    name = f"{case.number}-{recipient}.pdf"
    return Download(content=content, kind="application/pdf", name=name)


def pack_page(visit: Visit) -> Answer:
    """What a pack of a case would hold, and the form that exports it.

    Raises:
        CaseUnknown, CaseRefused: the case is not for this person.
    """
    case = _case(visit)
    named: dict[str, list[str]] = {}
    for matter in case.matters:
        named.setdefault(matter.kind.value.lower(), []).append(matter.reference)
    context = {
        "title": f"Pack of case {case.number}",
        "case": case,
        "named": named,
        "redactions": REDACTIONS,
        "acts": sum(map(len, (case.notes, case.evidence, case.letters, case.reopened, case.links))),
        "media": [custody[0] for custody in case.media.values()],
    }
    document = {"case": case.number, "holds": named, "redactions": dict(REDACTIONS)}
    return Answer(template="pack.html", context=context, document=document, rows=[named])


def _case(visit: Visit) -> CaseFile:
    record = visit.record
    return record.cases.one(visit.path["number"], visit.session.person, record.clock())


def _recipient(visit: Visit) -> str:
    recipient = visit.path["recipient"]
    if recipient not in RECIPIENTS:
        raise NoSuchLetter("There is no such letter.", next_step="Go back to the case.")
    return recipient


def _written(visit: Visit, case: CaseFile, recipient: str) -> WrittenLetter:
    record = visit.record
    if _asks_for_wager(visit, case):
        raise NoWagerAsked
    asked = LetterAsked(
        recipient=recipient,
        wager=visit.query.get("wager") or None,
        round=visit.query.get("round") or None,
    )
    return record.services.write_letter(
        record.replay, case, asked, record.property_clock, record.round
    )


def _asks_for_wager(visit: Visit, case: CaseFile) -> bool:
    """Whether a letter to the patron waits for its wager: none is asked for, none was signed."""
    is_signed = any(one.letter is events.LetterKind.PATRON for one in case.letters)
    return visit.path["recipient"] == "patron" and not (visit.query.get("wager") or is_signed)


def _views(visit: Visit, case: CaseFile) -> Iterator[RoundView]:
    for matter in case.matters:
        if matter.kind.value == "ROUND":
            try:
                yield visit.record.round(matter.reference)
            except LedgerError:
                continue


def _may(visit: Visit, case: CaseFile, act: CaseAct) -> bool:
    cases, person = visit.record.cases, visit.session.person
    return barred_from(case, act, person, visit.record.clock(), cases.ground(case, act)) is None


def _query(visit: Visit) -> str:
    kept = {key: visit.query[key] for key in ("wager", "round") if visit.query.get(key)}
    return f"?{urlencode(kept)}" if kept else ""
