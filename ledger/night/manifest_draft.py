"""What a day comes to before it is issued: the manifest so far, and what it restates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ledger.audit import DIGEST_VERSION, Day, DayAudit
from ledger.casework import Policy
from ledger.kernel import FactRef
from ledger.kernel.quick_dataclass import dataclass
from ledger.night import manifest_diff
from ledger.night.day_input import DayInput, named_fact, read_day_input
from ledger.night.earlier_reports import NONE, EarlierReports
from ledger.night.issue_folders import Issue
from ledger.night.manifest import FORMAT, Manifest, counted, input_of, outputs_of
from ledger.night.readiness import Readiness, local_day
from ledger.night.report_signatures import signatures_of
from ledger.night.step_input import Ground
from ledger.night.store import StepOutput
from ledger.replay import Replay
from ledger.reports.night import Phase
from ledger.reports.paper import Paper

NOTHING: Final[Mapping[str, object]] = {"report": None}
"""The changes since the last report where there is no earlier report."""
NAMED: Final = 200
"""How many late facts a manifest names one by one; all of them stand in its runs of numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """The manifest so far, and the files that restate a day where they differ.

    Attributes:
        manifest: without the outputs of the steps in ``LATE``, which read this draft.
        files: the outputs that come from the day alone, by their path within the issue.
    """

    manifest: Manifest
    files: Mapping[str, bytes]


def draft_of(
    ground: Ground,
    day: Day,
    phase: Phase,
    outputs: Mapping[str, StepOutput],
    before: Issue | None,
    *,
    awaiting: bool,
    footage_days: int | None = None,
    action_days: int | None = None,
    paper: Paper = Paper.LETTER,
    policy: Policy,
    earlier: EarlierReports = NONE,
    since: Mapping[str, object] = NOTHING,
) -> Draft:
    """Make the manifest of the next issue.

    Args:
        ground: the ledger.
        day: the gaming day with its bounds.
        phase: before the count or after it.
        outputs: the output of every job of ``STEPS``, by the name of the job.
        before: the issue of this day and phase that stands; None: this one is the first.
        awaiting: whether a drop box awaits its count.
        footage_days: for how many days the property keeps recordings; None: nothing says so.
        action_days: within how many days an action is to be closed; None: nothing says so.
        paper: what the report is printed on.
        policy: how many alerts a shift is shown, and thresholds from elsewhere beside them.
        earlier: the reports of the days before, as far as causes of this day stand in them.
        since: what changed since the last report, as ``compare_with_last_report`` returns it.
    """
    replay, record = ground.replay, ground.record
    parts = [one.result for name, one in outputs.items() if name.startswith("table/")]
    after = [ref for part in parts for ref in part.after]
    day_input = read_day_input(replay, day, after, awaiting)
    files = {name: data for one in outputs.values() for name, data in one.files.items()}
    audit: DayAudit = outputs["audit"].result
    ready: Readiness = outputs["readiness"].result
    begins, ends = local_day(record.clock, day)
    manifest: Manifest = {
        "format": FORMAT,
        "property": record.office.property_name,
        "gaming_day": day.date.isoformat(),
        "from": begins,
        "to": ends,
        "phase": phase.value,
        "issue": 1 if before is None else before.number + 1,
        "input": input_of(day_input),
        "tree_size": replay.size,
        "root": replay.root.hex(),
        "complete": not ready.incomplete,
        "first_line": ready.first_line(record.clock),
        "digest": audit.digest,
        "digest_version": DIGEST_VERSION,
        "events": audit.events,
        "rounds": audit.rounds,
        "findings": counted(audit.findings),
        "outputs": outputs_of(files),
        "restates": None,
        "footage_days": footage_days,
        "action_days": action_days,
        "paper": paper.value,
        "alert_budget": {"per_shift": policy.per_shift, "shift_hours": policy.shift_hours},
        "hold_thresholds": [[one.source, f"{one.points:g}"] for one in policy.thresholds],
        "earlier": earlier.plain(),
        "since": since,
    }
    if before is not None:
        manifest = {**manifest, "restates": _restated(replay, before, manifest, day_input, audit)}
    return Draft(manifest=manifest, files=files)


def stands(issue: Issue, draft: Draft) -> bool:
    """Whether an issue says what would be issued now: the same input and the same outputs.

    The size of the tree does not count, nor do the outputs that show it as it was at the issue.
    """
    kept = [one for one in issue.manifest["outputs"] if not one.get("as_of_issue")]
    same_input: bool = issue.manifest["input"]["hash"] == draft.manifest["input"]["hash"]
    return same_input and kept == draft.manifest["outputs"]


def _restated(
    replay: Replay, before: Issue, manifest: Manifest, day_input: DayInput, audit: DayAudit
) -> dict[str, object]:
    """Which issue is restated, by what, and what was signed on it."""
    moved = manifest_diff.changes(before.manifest, manifest)
    late = list(_late(replay, day_input, before.manifest["tree_size"]))
    reasons = [name for name in ("rules", "code") if moved[name]]
    if late or (not moved["same_input"] and not reasons):
        reasons.insert(0, "late facts")
    if moved["same_input"]:
        reasons = ["the record after the day"]
    if not before.is_sealed:
        reasons.append("not sealed by the ledger's key")
    forms = sorted({one.observed or "" for one in audit.findings if one.code == "form_superseded"})
    return {
        "issue": before.number,
        "reasons": reasons,
        "late": [named_fact(replay, ref) for ref in late[:NAMED]],
        "late_facts": len(late),
        "changes": {
            name: moved[name]
            for name in ("came", "left", "amended", "carried", "rules", "code", "outputs")
        },
        "signed_forms": forms,
        "signed_reports": sorted(_signed(replay, before)),
    }


def _late(replay: Replay, day_input: DayInput, size: int) -> Iterator[FactRef]:
    """The facts of the day, or before it, that the ledger did not have at a size."""
    for stretch in day_input.streams:
        for first, last in stretch.seqs:
            seqs, positions = replay.places(stretch.stream, first - 1, last)
            for seq in seqs[positions >= size].tolist():
                yield FactRef(stretch.stream, seq)
    for stream, last, _ in day_input.carried:
        seqs, positions = replay.places(stream, 0, last)
        for seq in seqs[positions >= size].tolist():
            yield FactRef(stream, seq)


def _signed(replay: Replay, issue: Issue) -> Iterator[str]:
    """The signatures on an issue of the report."""
    for fact in signatures_of(replay):
        if fact.manifest_sha256 == issue.digest:
            yield f"{fact.signed_as.value.lower()} {fact.person}"
