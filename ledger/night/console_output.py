"""What a run says on the terminal, and as data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from ledger.audit import DayUnknown, last_gaming_day
from ledger.kernel import dollars, table_of
from ledger.night.night_run import Outcome
from ledger.replay import Replay


def outcome_data(found: Outcome) -> dict[str, Any]:
    """An outcome as plain data."""
    return {
        "issue": str(found.issue.path),
        "is_new": found.is_new,
        "first_line": found.first_line,
        "manifest": dict(found.issue.manifest),
        "manifest_sha256": found.issue.digest.hex(),
        "unknown": [line.plain() for line in found.readiness.unknown],
    }


def outcome_text(found: Outcome) -> str:
    """An outcome as a person reads it: readiness first, then what was found, then where it is."""
    return "\n".join(_lines(found)) + "\n"


def _lines(found: Outcome) -> Iterator[str]:
    manifest = found.issue.manifest
    yield found.first_line
    yield (
        f"{manifest['property'] or 'Property not named'}, gaming day {manifest['gaming_day']}"
        f" ({manifest['from']} to {manifest['to']}), {manifest['phase'].upper()},"
        f" issue {manifest['issue']}"
    )
    for line in found.readiness.unknown:
        if line not in found.readiness.incomplete:
            yield f"  not known: {line.said}"
    if manifest["phase"] == "preliminary":
        yield "  the drop awaits its count"
    counts = manifest["findings"]
    yield (
        f"  {manifest['events']:,} events, {manifest['rounds']:,} rounds;"
        f" findings: {counts['broken']} broken, {counts['unknown']} unknown"
    )
    if found.coupons.line:
        yield f"  coupons: {found.coupons.line}"
    yield from _restated(manifest["restates"])
    stands = "issued" if found.is_new else "stands as issued; nothing that bears on the day moved"
    yield f"  {stands}: {found.issue.path}"
    yield f"  tree size {manifest['tree_size']:,}, root {manifest['root'][:16]}"
    yield f"  input {manifest['input']['hash']}"
    yield f"  digest {manifest['digest']}, {len(manifest['outputs'])} outputs"


def _restated(restates: dict[str, Any] | None) -> Iterator[str]:
    if restates is None:
        return
    yield f"  restates issue {restates['issue']}: {', '.join(restates['reasons'])}"
    named = [f"{one['fact']} {one['event']}" for one in restates["late"][:5]]
    more = restates["late_facts"] - len(named)
    if named:
        yield f"    {', '.join(named)}{f' and {more:,} more' if more else ''}"
    if restates["signed_forms"]:
        yield f"    signed forms affected: {', '.join(restates['signed_forms'])}"
    if restates["signed_reports"]:
        yield f"    the report that was signed: {', '.join(restates['signed_reports'])}"


def verdict_of(found: Outcome) -> tuple[str, str] | None:
    """What a schedule shows of a night beside that it ran; None where there is nothing to look at.

    A name for the state, and a sentence: the record is incomplete, or critical actions are open, as
    of the issue.
    """
    actions = json.loads((found.issue.path / "actions.json").read_bytes())
    critical = [
        one for one in actions if one["severity"] == "critical" and one["status"] != "closed"
    ]
    names, sentences = [], []
    if found.readiness.incomplete:
        names.append("Incomplete")
        sentences.append(found.first_line)
    if critical:
        names.append("Critical open")
        first = critical[0]["title"]
        if len(critical) == 1:
            sentences.append(f"1 critical action is open: {first}.")
        else:
            sentences.append(f"{len(critical):,} critical actions are open; the first: {first}.")
    return (", ".join(names), " ".join(sentences)) if names else None


def report_of(found: Outcome) -> tuple[str, str]:
    """The report of a night as a link, and what the link is called."""
    told = found.issue.manifest
    name = f"Report of {told['gaming_day']}, {told['phase']}, issue {told['issue']}"
    return (found.issue.path / "report.html").resolve().as_uri(), name


def table_rows(found: Outcome) -> list[dict[str, Any]]:
    """A row per table: what it captured, what was judged, its win; None where nothing is known."""
    accounts = {one.table: one for one in found.audit.accounts}
    rows: list[dict[str, Any]] = []
    for line in found.audit.capture:
        account = accounts.get(line.table)
        rows.append(
            {
                "table": line.table,
                "game": line.game or "",
                "level": line.level or "not known",
                "rounds": line.rounds,
                "judged": line.judged,
                "win by rounds": _money(account.by_rounds_cents if account else None),
                "win by count": _money(account.by_count_cents if account else None),
            }
        )
    return rows


def anomaly_rows(found: Outcome) -> list[dict[str, Any]]:
    """What is open: what is not known of the record first, then the findings by code and table."""
    rows: list[dict[str, Any]] = [
        {"what": line.what, "where": line.about, "count": 1, "said": line.said}
        for line in found.readiness.unknown
    ]
    folded: dict[tuple[str, str], list[str]] = {}
    for finding in found.audit.findings:
        key = (finding.code, table_of(finding.stream))
        folded.setdefault(key, []).append(finding.sentence)
    rows += [
        {"what": code, "where": table, "count": len(said), "said": said[0]}
        for (code, table), said in sorted(folded.items())
    ]
    return rows


def _money(cents: int | None) -> str:
    return "not known" if cents is None else dollars(cents)


def last_day(folder: Path) -> date:
    """The last of a ledger's gaming days on which a table has a fact; never one dated years off.

    Raises:
        DayUnknown: there is none.
    """
    day = last_gaming_day(Replay.open(folder))
    if day is None:
        raise DayUnknown("The ledger has no gaming day: it holds no fact of a table.")
    return day
