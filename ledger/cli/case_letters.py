"""`pitledger case letter` and `case sign`: the letter to the patron, the report to the Board."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

from cyclopts import Parameter

from ledger.cli.case_acts import case_of, clock_of, record
from ledger.cli.errors import CommandWrong, FileUnreadable
from ledger.cli.ledger_commands import KeyOption
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ledger.casework.action_facts import Head
    from ledger.casework.cases import CaseEvent, CaseFile, CaseFiles
    from ledger.cli.case_acts import Make
    from ledger.kernel import PropertyClock
    from ledger.replay import Replay
    from ledger.reports import RoundView
    from ledger.reports.letters import Letter, Signature

Number = Annotated[str, Parameter(name="NUMBER")]
Recipient = Annotated[Literal["patron", "board"], Parameter(name="--to")]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class LetterOptions:
    """What a letter is about, and when it is written."""

    wager: Annotated[str | None, Parameter(show_default=False)] = None
    """The id of the patron's wager, for the letter to the patron."""
    round: Annotated[str | None, Parameter(show_default=False)] = None
    """The round of that wager; default the first round that the case is about."""
    written: Annotated[date | None, Parameter(show_default=False)] = None
    """The day of the letter; default the day of its first signature, else today."""


LETTER_OPTIONS: Final = LetterOptions()


def case_letter(
    number: Number,
    /,
    *,
    recipient: Recipient,
    person: Annotated[str, Parameter(name="--as")],
    letter: LetterOptions = LETTER_OPTIONS,
    form: Annotated[Literal["text", "html", "pdf"], Parameter(name="--print")] = "text",
    out: Annotated[Path | None, Parameter(show_default=False)] = None,
    options: Options = OPTIONS,
) -> int:
    """Write the letter to the patron, or the incident report to the Board, with its signatures.

    The exit code is 1 while one of its two signatures is missing.

    Args:
        number: of the case.
        recipient: to whom.
        person: your credential, which you prove.
        letter: what it is about.
        form: text, a page that prints (html), or a PDF.
        out: file to write; a PDF needs one.
    """
    from ledger.cli.settings import load
    from ledger.reports.letters import letter_html, letter_pdf, letter_text

    if form == "pdf" and out is None:
        raise CommandWrong("A PDF is written to a file: --out FILE.", "case letter")
    replay, _, case = case_of(options.folder, number, person)
    clock = clock_of(replay)
    written = _written(options.folder, replay, case, recipient, letter, clock)
    signatures = signatures_on(case, written, clock)
    paper = load().printed_on
    printed = {
        "text": lambda: letter_text(written, signatures).encode(),
        "html": lambda: letter_html(written, signatures, paper).encode(),
        "pdf": lambda: letter_pdf(written, signatures, paper),
    }[form]()
    if out is None:
        emit(printed.decode())
    else:
        try:
            out.write_bytes(printed)
        except OSError as error:
            raise FileUnreadable(str(out), error) from error
    return int(len(signatures) < len(written.capacities))


def case_sign(
    number: Number,
    /,
    *,
    recipient: Recipient,
    signed_as: Annotated[Literal["preparer", "approver"], Parameter(name="--as")],
    name: str,
    by: Annotated[str, Parameter(name="--by")],
    letter: LetterOptions = LETTER_OPTIONS,
    key: KeyOption = None,
    options: Options = OPTIONS,
) -> int:
    """Sign a letter of a case: its preparer first, then another person who approves it.

    Args:
        number: of the case.
        recipient: to whom the letter is.
        signed_as: in what function you sign.
        name: your printed name.
        by: your credential.
        letter: what it is about.
        key: the ledger's private key.
    """
    signed = signing(
        options.folder, number, by, recipient=recipient, signed_as=signed_as, name=name,
        letter=letter,
    )  # fmt: skip
    return record(options, by, key, number, signed)


def signing(
    folder: Path,
    number: str,
    by: str,
    *,
    recipient: str,
    signed_as: str,
    name: str,
    letter: LetterOptions = LETTER_OPTIONS,
) -> Make:
    """Sign a letter as it stands, as the event that records it."""
    from ledger import events

    def make(cases: CaseFiles, head: Head, clock: PropertyClock) -> CaseEvent:
        case = cases.require(number, by)
        written = _written(folder, cases.replay, case, recipient, letter, clock)
        kind = events.LetterKind(recipient.upper())
        wager, chosen = (None, None) if recipient == "board" else _wager(case, letter)
        if signed_as == "approver" and not signatures_on(case, written, clock):
            raise CommandWrong(
                "Nobody has prepared this letter as it stands now; its preparer signs first.",
                "case sign",
            )
        return events.CaseLetterSigned(
            **head,
            case_number=case.number,
            letter=kind,
            letter_sha256=written.digest(),
            signed_as=events.LetterSigner(signed_as.upper()),
            printed_name=name,
            signed_by=by,
            written=_day(case, recipient, letter, clock, head["event_time"]).isoformat(),
            wager=wager,
            round=chosen,
            tree_size=cases.replay.size,
            root=cases.replay.root,
            proof=events.ActProof(how=events.ProofKind.UNRECOGNISED, signature=None),
        )

    return make


def _day(
    case: CaseFile, recipient: str, letter: LetterOptions, clock: PropertyClock, at: int
) -> date:
    """The day of a letter: as asked, that of its last signature, or today."""
    if letter.written is not None:
        return letter.written
    days = [one.written for one in case.letters if one.letter.value == recipient.upper()]
    return date.fromisoformat(days[-1]) if days else clock.local(at).date()


def _written(
    folder: Path,
    replay: Replay,
    case: CaseFile,
    recipient: str,
    letter: LetterOptions,
    clock: PropertyClock,
) -> Letter:
    """The letter as the case stands; each round is read from the ledger."""
    from ledger.cli.days import seen_round

    return written_letter(
        replay, case, recipient, letter, clock, lambda name: seen_round(folder, name)[0]
    )


def written_letter(
    replay: Replay,
    case: CaseFile,
    recipient: str,
    letter: LetterOptions,
    clock: PropertyClock,
    read: Callable[[str], RoundView],
) -> Letter:
    """Return a letter of a case as it stands.

    Args:
        replay: the ledger's replay.
        case: the case.
        recipient: patron or board.
        letter: what it is about, and its day.
        clock: the property's.
        read: gives a round by its id.

    Raises:
        CommandWrong: nothing says which wager it is about, or the case has no such round.
    """
    from ledger.cli.wall_clock import read_clock

    day = _day(case, recipient, letter, clock, read_clock())
    views = {name: read(name) for name in _rounds(case)}
    about = None if recipient == "board" else _wager(case, letter)
    return letter_of(replay, case, views, about, day, clock)


def letter_of(
    replay: Replay,
    case: CaseFile,
    views: Mapping[str, RoundView],
    about: tuple[str, str] | None,
    day: date,
    clock: PropertyClock,
) -> Letter:
    """Return a letter as a case stands.

    Args:
        replay: the ledger's replay.
        case: the case.
        views: the rounds that it is about, by the names that the case has for them.
        about: the wager and the round of a letter to the patron; None: the report to the Board.
        day: of the letter.
        clock: the property's.

    Raises:
        CommandWrong: the case is about no such round.
    """
    from ledger.audit import read_office
    from ledger.cli.settings import load
    from ledger.reports import PatronStatement
    from ledger.reports.letters import incident_report, patron_letter

    sender = (read_office(replay).office.property_name or "The property",)
    if about is None:
        rounds = [views[name] for name in _rounds(case)]
        return incident_report(case, rounds, clock, sender=sender, written=day)
    wager, chosen = about
    view = views.get(chosen)
    if view is None:
        raise CommandWrong("The case is about no such round.", "case pin")
    return patron_letter(
        PatronStatement.of(view, wager, clock, load().complaints),
        sender=sender,
        reference=case.number,
        written=day,
        decision=None if case.decision is None else case.decision.decision,
        goodwill_cents=0 if case.assessment is None else case.assessment.goodwill_cents,
    )


def _wager(case: CaseFile, letter: LetterOptions) -> tuple[str, str]:
    """The wager and the round of a letter to a patron: as asked, or as it was signed last."""
    signed = [one for one in case.letters if one.letter.value == "PATRON"]
    wager = letter.wager or (signed[-1].wager if signed else None)
    if wager is None:
        raise CommandWrong("A letter to a patron is about a wager: --wager ID.", "round show")
    earlier = signed[-1].round if signed else None
    rounds = _rounds(case)
    return wager, letter.round or earlier or (rounds[0] if rounds else "")


def _rounds(case: CaseFile) -> list[str]:
    return [matter.reference for matter in case.matters if matter.kind.value == "ROUND"]


def signatures_on(case: CaseFile, letter: Letter, clock: PropertyClock) -> list[Signature]:
    """Return the signatures of a case that are on exactly this letter."""
    from ledger import events
    from ledger.reports.letters import Signature

    capacities = dict(zip(events.LetterSigner, letter.capacities, strict=False))
    return [
        Signature(
            capacity=capacities[one.signed_as],
            name=one.printed_name,
            credential=one.signed_by,
            signed=f"{clock.local(one.event_time):%B %-d, %Y, %-I:%M %p}",
            proof="by key" if one.proof.how is events.ProofKind.KEY else "by pass phrase",
        )
        for one in case.letters
        if one.letter_sha256 == letter.digest() and one.signed_as in capacities
    ]
