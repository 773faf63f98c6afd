"""The signed copy of a final report, beside its issue: what people print and file.

``DAY/final-N-signed/`` holds the page with its signatures and the pages of its rounds. It can be
made again from the issue and the ledger at any time; the issue itself is never touched.
"""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path
from typing import Final

from ledger.audit import read_office
from ledger.events import ReportSigned
from ledger.log.signed_file_index import Seals
from ledger.night.errors import NightUnwritable, ReportNotSigned
from ledger.night.issue_folders import Issue, last_issue
from ledger.night.report_signatures import KINDS, signature_on_page
from ledger.night.report_steps import PAGE
from ledger.night.store import TEMPORARY
from ledger.replay import FactStep, Replay
from ledger.reports.night import Phase, Signed, signed_page

ROUNDS: Final = "rounds"
SUFFIX: Final = "-signed"


def write_signed_copy(folder: Path, out: Path, day: date) -> Path:
    """Write the signed copy of the final report that holds; return the path of its page.

    Args:
        folder: the ledger.
        out: the folder of nights.
        day: the gaming day.

    Raises:
        NothingIssued: the day has no final issue.
        IssueDamaged: a file of it is not what was issued.
        ReportNotSigned: nobody has signed it.
        NightUnwritable: the copy cannot be written.
    """
    issue = last_issue(out, day, Phase.FINAL, Seals.of(folder))
    issue.check_files()  # the signatures in the ledger, below, vouch for it
    replay = Replay.open(folder, from_entries=True)
    signatures = _signatures(replay, issue)
    if not signatures:
        raise ReportNotSigned(
            f"Nobody has signed issue {issue.number} of {day}.",
            next_step=f"pitledger night sign --day {day} --as preparer",
        )
    page = signed_page(
        (issue.path / PAGE).read_text(encoding="utf-8"),
        signatures,
        read_office(replay).clock,
        issue.digest.hex(),
    )
    return _written(issue, page) / PAGE


def _signatures(replay: Replay, issue: Issue) -> tuple[Signed, ...]:
    """Those on this issue, in order, each with its place in the ledger."""
    return tuple(
        signature_on_page(step.fact, step.position)
        for step in replay.walk(replay.streams_with(KINDS), only=KINDS)
        if isinstance(step, FactStep)
        and isinstance(step.fact, ReportSigned)
        and step.fact.manifest_sha256 == issue.digest
    )


def _written(issue: Issue, page: str) -> Path:
    """Write the copy under a temporary name, and put it in the place of an earlier one."""
    final = issue.path.with_name(f"{issue.path.name}{SUFFIX}")
    scratch = final.with_name(f"{TEMPORARY}{final.name}")
    try:
        for old in (scratch, final):
            if old.exists():
                shutil.rmtree(old)
        scratch.mkdir()
        (scratch / PAGE).write_text(page, encoding="utf-8")
        if (issue.path / ROUNDS).is_dir():
            shutil.copytree(issue.path / ROUNDS, scratch / ROUNDS)
        scratch.rename(final)
    except OSError as error:
        raise NightUnwritable(final, error) from error
    return final
