"""A look at a patron's reference: recorded before it is shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ledger.casework.cases import CaseFile, CaseFiles


def record_looks(
    folder: Path,
    cases: CaseFiles,
    case: CaseFile,
    person: str,
    sitting: str | None,
    key: Path | None,
) -> None:
    """Record that a person looks at the patrons' references of a case.

    Args:
        folder: the ledger.
        cases: its cases.
        case: the case whose references are shown next.
        person: the credential of who looks, proved already by a pass phrase.
        sitting: a name for the time of looking; None: the present hour.
        key: the ledger's private key, where it is not in the usual places.

    Raises:
        CaseRefused: the person may not look.
    """
    from ledger.casework.cases.patron_references import looks
    from ledger.cli.case_acts import clock_of
    from ledger.cli.unsigned_tail import open_ledger
    from ledger.cli.wall_clock import read_clock
    from ledger.codec import frame
    from ledger.log import Arrival
    from ledger.replay import Replay

    at = read_clock()
    hour = f"{clock_of(cases.replay).local(at):%Y-%m-%d %H:00}"
    if not looks(cases.replay, cases, case, person, sitting or hour, at):
        return
    with open_ledger(folder, key=key) as log:
        facts = looks(Replay.open(folder), cases, case, person, sitting or hour, at)
        if facts:
            log.append_whole([Arrival(frame(fact)) for fact in facts], at)
