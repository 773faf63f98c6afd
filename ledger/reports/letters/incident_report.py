"""The incident report to the Board: what happened, what the record shows, what was decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from ledger.casework.cases import CaseFile
from ledger.kernel import PropertyClock, dollars
from ledger.reports.case_page import ERRORS, assessment_words, matter_words
from ledger.reports.letters.letter import Facts, Letter, Paragraph
from ledger.reports.letters.patron_letter import CAPACITIES
from ledger.reports.phrases import calendar_date
from ledger.reports.round_view import RoundView

BOARD = ("Pennsylvania Gaming Control Board",)


def incident_report(
    case: CaseFile,
    rounds: Iterable[RoundView],
    clock: PropertyClock,
    *,
    sender: tuple[str, ...],
    written: date,
) -> Letter:
    """Return the report of a case; patrons stand in it by their number in the case alone.

    Args:
        case: the case.
        rounds: the rounds that it is about, each as the record shows it.
        clock: the property's.
        sender: the property, and who holds its certificate.
        written: the day of the report.
    """
    opened = case.opened
    body: list[Paragraph | Facts] = [
        Facts(heading="The incident", rows=tuple(_incident(case, clock)))
    ]
    if opened.complaint is not None:
        body.append(Paragraph(heading="The patron's words", text=opened.complaint))
    for view in rounds:
        result = view.result
        title = f"{result.game} at {result.table}, round {result.round}"
        body.append(Facts(heading=f"What the record shows: {title}", rows=tuple(_round(view))))
    if case.media or case.footage:
        body.append(Facts(heading="Footage and files", rows=tuple(_media(case))))
    if (money := case.assessment) is not None:
        rows = (("What went wrong", ERRORS[money.error]), ("Money", assessment_words(money)))
        body.append(Facts(heading="What went wrong", rows=rows))
    decision = "Nothing has been decided yet."
    if case.decision is not None:
        decision = f"{case.decision.decision} Decided by {case.decision.decided_by}."
    body.append(Paragraph(heading="Decision", text=decision))
    return Letter(
        sender=sender,
        recipient=BOARD,
        written=calendar_date(written),
        reference=case.number,
        subject=f"Incident report {case.number}: {opened.summary}",
        body=tuple(body),
        capacities=CAPACITIES,
    )


def _incident(case: CaseFile, clock: PropertyClock) -> Iterator[tuple[str, str]]:
    opened = case.opened
    for name, at in (
        ("Began", opened.occurred_from),
        ("Ended", opened.occurred_until),
        ("Reported", opened.reported_time),
    ):
        if at is not None:
            yield name, f"{clock.local(at):%A, %B %-d, %Y, %-I:%M %p}"
    yield "Opened", f"{clock.local(opened.event_time):%B %-d, %Y} by {opened.opened_by}"
    for number, subject in enumerate(case.subjects, start=1):
        is_staff = subject.kind.value == "STAFF"
        yield "Subject", subject.reference if is_staff else f"patron {number} of this case"
    for matter in case.matters:
        yield "About", matter_words(matter)


def _round(view: RoundView) -> Iterator[tuple[str, str]]:
    result = view.result
    yield "Shown", result.shown or result.unknown_because or "cannot be told from the record"
    for finding in result.findings:
        cites = "; ".join(cite.on(result.gaming_day) for cite in finding.citations[:1])
        effect = finding.effect_cents
        money = "" if not effect else f" ({dollars(abs(effect))} {_side(effect)})"
        yield finding.wager or "Round", f"{finding.sentence} {cites}{money}"
    if not result.findings:
        yield "Findings", "none: the record shows that all was settled as the rules say"


def _side(effect: int) -> str:
    return "lost by the house" if effect > 0 else "lost by the patron"


def _media(case: CaseFile) -> Iterator[tuple[str, str]]:
    for footage in case.footage.values():
        yield footage.camera, f"footage {footage.state.value.lower()}"
    for digest, custody in case.media.items():
        yield custody[0].name, f"{custody[0].media_size:,} bytes, SHA-256 {digest.hex()}"
