"""The command that tells what is on record of one patron, dealer or piece of equipment."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit_json, progress, show

if TYPE_CHECKING:
    from ledger.casework.cases import CaseFile

DayOption = Annotated[date | None, Parameter(show_default=False)]


def history(
    kind: Annotated[Literal["patron", "dealer", "equipment"], Parameter(name="KIND")],
    reference: Annotated[str, Parameter(name="REF", allow_leading_hyphen=False)],
    /,
    *,
    first: Annotated[DayOption, Parameter(name="--from")] = None,
    last: Annotated[DayOption, Parameter(name="--to")] = None,
    most: int = 50,
    person: Annotated[str | None, Parameter(name="--as", show_default=False)] = None,
    options: Options = OPTIONS,
) -> int:
    """Tell what is on record of one patron, dealer or piece of equipment, day by day.

    Nobody is ranked, and nobody compared with anybody. The exit code is 1 if there is a finding, or
    if something is unknown or was not recorded on these gaming days.

    Args:
        kind: whose history; a dealer is anybody who had a role at a table.
        reference: of a patron as recorded, the credential of a person, the name of a piece of
            equipment or the serial number of a die.
        first: only from this gaming day on.
        last: only up to this gaming day.
        most: how many findings are listed at most.
        person: your credential, which you prove: the cases that you may see are told, too.
    """
    from ledger.reports.history_page import history_data, history_page
    from ledger.search import SubjectKind
    from ledger.search import history as history_of

    with progress("searching", ""):
        answer = history_of(
            options.folder,
            SubjectKind(kind),
            reference,
            first=first,
            last=last,
            most=max(1, most),
        )
    cases = None if person is None else _cases(options, person, answer.names)
    if options.is_json:
        emit_json(history_data(answer, cases))
    else:
        show(history_page(answer, cases))
    doubtful = any(day.doubtful or day.not_compared for day in answer.days)
    unsure = answer.unknown or answer.uncovered or answer.nameless_wagers or doubtful
    return int(bool(answer.total_findings or unsure))


def _cases(options: Options, person: str, names: tuple[str, ...]) -> list[CaseFile]:
    """The cases about a subject that a person may see, who proves who asks."""
    from ledger.casework.cases import CaseFiles
    from ledger.cli.person import check
    from ledger.cli.wall_clock import read_clock
    from ledger.replay import Replay

    at, replay = read_clock(), Replay.open(options.folder)
    check(options.folder, replay, person, at)
    cases = CaseFiles.read(replay)
    seen = {case.number for case in cases.seen_by(person, at)}
    return [case for case in cases.about(names) if case.number in seen]
