"""Signing the final report: who may, and the fact that is appended.

A signature is for the manifest of an issue, which names every output. It is no input of any day.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path
from typing import Final

from ledger.codec import frame
from ledger.events import ReportSigned, ReportSigner
from ledger.law import acts
from ledger.log import Arrival, OvertakenByAnother, open_log
from ledger.log.signed_file_index import Seals
from ledger.night.errors import NightOfAnotherLedger, ReportNotSigned
from ledger.night.issue_folders import Issue, last_issue
from ledger.night.report_signatures import signatures_of
from ledger.replay import Bar, Replay
from ledger.reports.night import Phase

STREAM: Final = "cases/reports"
"""The stream of signatures on reports; nobody but this module numbers it."""
SOURCE: Final = "pitledger"
ACTIONS: Final = "actions.json"
"""The file of an issue that holds its actions; ``issue.check`` has compared its hash."""
LONGEST: Final = 120
"""Characters of a printed name."""


def sign_report(
    folder: Path,
    out: Path,
    day: date,
    *,
    person: str,
    name: str,
    signed_as: str,
    at: int,
    key: Path | None = None,
    replay: Replay | None = None,
    beside: Iterable[ReportSigned] = (),
    prove: Callable[[ReportSigned], ReportSigned] | None = None,
) -> tuple[ReportSigned, int]:
    """Append a signature on the final report that holds; return the fact and its position.

    Args:
        folder: the ledger.
        out: the folder of nights.
        day: the gaming day.
        person: credential of who signs.
        name: printed name of who signs.
        signed_as: preparer or approver.
        at: now, microseconds UTC.
        key: where the private key lies, if not in the ledger.
        replay: the ledger's, where it has been opened already.
        beside: the signatures that were appended since then.
        prove: adds the proof of who signs; None: nobody is enrolled to prove it.

    Raises:
        NothingIssued: the day has no final issue; a preliminary one is never signed.
        IssueDamaged: a file of it is not what was issued.
        NightOfAnotherLedger: the issue was made from a ledger that this one does not continue.
        OvertakenByAnother: somebody else wrote the stream in the meantime.
        ReportNotSigned: who signs may not, or not so; or it is signed already.
    """
    replay = Replay.open(folder, from_entries=True) if replay is None else replay
    fact = signature_on_report(
        folder, out, day, person=person, name=name, signed_as=signed_as, at=at, replay=replay,
        beside=beside,
    )  # fmt: skip
    fact = fact if prove is None else prove(fact)
    return fact, _appended(folder, key, fact, at)


def signature_on_report(
    folder: Path,
    out: Path,
    day: date,
    *,
    person: str,
    name: str,
    signed_as: str,
    at: int,
    replay: Replay,
    beside: Iterable[ReportSigned] = (),
) -> ReportSigned:
    """Return the signature that a person may give on a final report, without its proof.

    Args:
        folder, out, day, person, name, signed_as, at, replay, beside: as for ``sign_report``.

    Raises:
        NothingIssued, IssueDamaged, NightOfAnotherLedger, ReportNotSigned: as for ``sign_report``.
    """
    issue = last_issue(out, day, Phase.FINAL, Seals.of(folder))
    signatures = [*signatures_of(replay), *beside]
    if any(one.manifest_sha256 == issue.digest for one in signatures):
        issue.check_files()  # a signature in the ledger vouches for it as well
    else:
        issue.check()
    size, root = issue.manifest["tree_size"], issue.manifest["root"]
    if (replay.root_at(size) or b"").hex() != root:
        raise NightOfAnotherLedger(issue.path, size)
    function = ReportSigner(signed_as.upper())
    _allow(replay, issue, person, name, function, at, signatures)
    return ReportSigned(
        stream=STREAM,
        seq=_next_seq(replay, beside),
        event_time=at,
        source=SOURCE,
        recorded_by=person,
        for_gaming_day=day.isoformat(),
        issue=issue.number,
        signed_as=function,
        person=person,
        printed_name=name.strip(),
        signed_time=at,
        manifest_sha256=issue.digest,
        input_sha256=bytes.fromhex(issue.manifest["input"]["hash"]),
        tree_size=size,
        root=bytes.fromhex(root),
        proof=None,
    )


def _appended(folder: Path, key: Path | None, fact: ReportSigned, at: int) -> int:
    """Append a signature; return its position."""
    with open_log(folder, key=key, witness=None) as log:
        if log.append([Arrival(frame(fact))], at).accepted != 1:
            raise OvertakenByAnother(str(folder))
        return log.size - 1


def _next_seq(replay: Replay, beside: Iterable[ReportSigned]) -> int:
    """The number of the next signature, after those that the replay does not have yet."""
    seq = replay.extent(STREAM).last_seq + 1 if STREAM in replay.streams() else 1
    return max(seq, *(one.seq + 1 for one in beside), 1)


def _allow(
    replay: Replay,
    issue: Issue,
    person: str,
    name: str,
    function: ReportSigner,
    at: int,
    signatures: Iterable[ReportSigned],
) -> None:
    """Refuse who may not sign, or not so.

    Raises:
        ReportNotSigned: with the reason.
    """
    if not 0 < len(name.strip()) <= LONGEST:
        raise ReportNotSigned(f"A printed name has 1 to {LONGEST} characters.")
    roster = replay.roster()
    act = acts()["approve report" if function is ReportSigner.APPROVER else "prepare report"]
    bar = roster.bar(act, person, at, concerned=_subjects(issue))
    if not roster.is_known:
        bar = Bar("The record has nobody's credential, so nothing shows who signs", False)
    if bar is not None:
        raise ReportNotSigned(f"{bar.why}.", cause=", ".join(act.cites))
    named = roster.name_differs(person, name, at)
    if named is not None:
        raise ReportNotSigned(f"{person} is {named} on the record, not {name.strip()}.")
    report = f"issue {issue.number} of {issue.manifest['gaming_day']}"
    signed = [one for one in signatures if one.manifest_sha256 == issue.digest]
    if any(one.signed_as is function for one in signed):
        raise ReportNotSigned(f"The {function.value.lower()} has signed {report} already.")
    if any(roster.are_one(one.person, person) for one in signed):
        raise ReportNotSigned(
            f"{person} has signed {report} already: preparer and approver differ."
        )
    if function is ReportSigner.APPROVER and not signed:
        raise ReportNotSigned(
            f"Nobody has signed {report} as preparer yet.",
            next_step="pitledger night sign --as preparer",
        )


def _subjects(issue: Issue) -> dict[str, str]:
    """The persons whom actions of an issue are about."""
    actions = json.loads((issue.path / ACTIONS).read_bytes())
    subjects = (one["subject"].partition(" ") for one in actions)
    how = "is who an action of this report is about"
    return {name: how for kind, _, name in subjects if kind in ("dealer", "person") and name}
