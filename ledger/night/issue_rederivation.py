"""An issue derived again from the ledger's entries, and compared byte by byte.

What the issue rests on is all in its manifest: the size of the tree, the property's settings, and
the earlier reports that it leant on. Nothing that a run has kept is read, but those reports, and
these only where the ledger's key sealed them.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from ledger.casework import Policy, Threshold
from ledger.kernel.quick_dataclass import dataclass
from ledger.log.signed_file_index import Seals
from ledger.night.errors import IssueDamaged, NightOfAnotherLedger
from ledger.night.issue_folders import Issue, issues
from ledger.night.launch import begun
from ledger.night.manifest import NAME, Manifest, canonical
from ledger.night.night_run import NightRun
from ledger.night.parallel_nights import run_all
from ledger.night.store import unmoved
from ledger.replay import Replay
from ledger.reports.night import Phase
from ledger.reports.paper import Paper


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueVerification:
    """The result of deriving an issue again.

    Attributes:
        issue: the issue that was verified.
        differing: its outputs that differ, in the order of its manifest; the manifest comes last.
            A name is there once, whether the file, the derived one or both have changed.
        changed_code: the folders of the program that have changed since it was issued.
    """

    issue: Issue
    differing: tuple[str, ...]
    changed_code: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether every byte is what the entries give."""
        return not self.differing

    def lines(self) -> list[str]:
        """Return the result in words, a line each."""
        path, outputs = self.issue.path, self.issue.manifest["outputs"]
        lines = []
        if self.holds:
            lines.append(f"{path}: all {len(outputs)} outputs and the manifest are the same again.")
        else:
            first, more = self.differing[0], len(self.differing) - 1
            others = f", and {more} more {'differs' if more == 1 else 'differ'}" if more else ""
            lines.append(f"{path}: {first} is not what the ledger's entries give{others}.")
        if not self.issue.is_sealed:
            lines.append("The ledger's key did not seal this issue.")
        if self.changed_code:
            lines.append(f"The program has changed since, in {', '.join(self.changed_code)}.")
        return lines


def verify_issue(folder: Path, out: Path, issue: Issue, processes: int = 1) -> IssueVerification:
    """Derive an issue again, from nothing, and compare it with what stands.

    Args:
        folder: the ledger.
        out: the folder of nights.
        issue: the issue.
        processes: how many share the work.

    Raises:
        NightOfAnotherLedger: the ledger never had the root that the issue names.
        LedgerDoesNotVerify: the ledger is not what was signed.
        IssueDamaged: a report that it leant on is not sealed, or not what was issued.
    """
    manifest = issue.manifest
    size, day = manifest["tree_size"], date.fromisoformat(manifest["gaming_day"])
    whole = Replay.open(folder, from_entries=True)
    if (whole.root_at(size) or b"").hex() != manifest["root"]:
        raise NightOfAnotherLedger(issue.path, size)
    with TemporaryDirectory() as scratch:
        nights, derived = Path(scratch, "nights"), Path(scratch, "derived")
        for earlier in _leant_on(issue, out, Seals.of(folder)):
            place = nights / earlier.path.parent.name
            place.mkdir(parents=True, exist_ok=True)
            (place / earlier.path.name).symlink_to(earlier.path.resolve())
        replay = Replay.open(folder, size=size, from_entries=True)
        with begun(folder, nights, processes, unmoved, replay, derived) as (ground, pool):
            run = NightRun(
                ground,
                day,
                Phase(manifest["phase"]),
                nights,
                pool,
                footage_days=manifest["footage_days"],
                policy=_policy(manifest),
                action_days=manifest["action_days"],
                paper=Paper(manifest["paper"]),
                work=derived / "work",
            )
            again = run_all([run], processes)[0].issue
            differing = tuple(_differing(issue, again))
    return IssueVerification(
        issue=issue,
        differing=differing,
        changed_code=tuple(_changed_code(manifest, again.manifest)),
    )


def _policy(manifest: Manifest) -> Policy:
    budget = manifest["alert_budget"]
    return Policy(
        per_shift=budget["per_shift"],
        shift_hours=budget["shift_hours"],
        thresholds=tuple(
            Threshold(source=name, points=float(points))
            for name, points in manifest["hold_thresholds"]
        ),
    )


def _leant_on(issue: Issue, out: Path, seals: Seals) -> Iterator[Issue]:
    """The issues that stood when this one was made and that it names, and those it restates.

    Raises:
        IssueDamaged: one of them is not sealed, or is not the one that it names.
    """
    manifest, since = issue.manifest, issue.manifest["since"]
    named = [*manifest["earlier"]["reports"], *since.get("restated", [])]
    named += [] if since["report"] is None else [since["report"]]
    wanted = {(one["gaming_day"], one["issue"]): one["manifest"] for one in named}
    day, phase = date.fromisoformat(manifest["gaming_day"]), Phase(manifest["phase"])
    own = issues(out, day, phase, seals)
    yield from (one for one in own if one.number < issue.number)
    mine = {(day.isoformat(), one.path.name) for one in own}
    for (gaming_day, name), digest in sorted(wanted.items()):
        if (gaming_day, name) in mine:
            continue
        of_day = issues(out, date.fromisoformat(gaming_day), Phase(name.rpartition("-")[0]), seals)
        match = next((one for one in of_day if one.path.name == name), None)
        if match is None or not match.is_sealed or match.digest.hex() != digest:
            raise IssueDamaged(out / gaming_day / name, "it is not the report that was leant on")
        yield match


def _differing(issue: Issue, again: Issue) -> Iterator[str]:
    """Names of what differs: as it stands on the disk, or as it was derived again."""
    derived = {one["name"]: one["sha256"] for one in again.manifest["outputs"]}
    for output in issue.manifest["outputs"]:
        try:
            stands = sha256((issue.path / output["name"]).read_bytes()).hexdigest()
        except OSError:
            stands = None
        if {output["sha256"], derived.pop(output["name"], None)} != {stands}:
            yield output["name"]
    yield from derived
    if canonical(issue.manifest) != canonical(again.manifest):
        yield NAME


def _changed_code(manifest: Manifest, derived: Manifest) -> Iterator[str]:
    before = {**manifest["input"]["rules"], **manifest["input"]["code"]}
    present = {**derived["input"]["rules"], **derived["input"]["code"]}
    yield from sorted(
        name for name in before.keys() | present.keys() if before.get(name) != present.get(name)
    )
