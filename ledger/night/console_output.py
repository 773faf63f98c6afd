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


def outcome_data(outcome: Outcome) -> dict[str, object]:
    """Return an outcome as plain data, for a command that prints JSON."""
    return {
        "issue": str(outcome.issue.path),
        "is_new": outcome.is_new,
        "first_line": outcome.first_line,
        "manifest": dict(outcome.issue.manifest),
        "manifest_sha256": outcome.issue.digest.hex(),
        "unknown": [line.plain() for line in outcome.readiness.unknown],
    }


def outcome_text(outcome: Outcome) -> str:
    """Return an outcome as a person reads it: readiness, then the findings, then where it is."""
    return "\n".join(_lines(outcome)) + "\n"


def _lines(outcome: Outcome) -> Iterator[str]:
    manifest = outcome.issue.manifest
    yield outcome.first_line
    yield (
        f"{manifest['property'] or 'Property not named'}, gaming day {manifest['gaming_day']}"
        f" ({manifest['from']} to {manifest['to']}), {manifest['phase'].upper()},"
        f" issue {manifest['issue']}"
    )
    for line in outcome.readiness.unknown:
        if line not in outcome.readiness.incomplete:
            yield f"  not known: {line.sentence}"
    if manifest["phase"] == "preliminary":
        yield "  the drop awaits its count"
    counts = manifest["findings"]
    yield (
        f"  {manifest['events']:,} events, {manifest['rounds']:,} rounds;"
        f" findings: {counts['broken']} broken, {counts['unknown']} unknown"
    )
    if outcome.coupons.line:
        yield f"  coupons: {outcome.coupons.line}"
    yield from _restated(manifest["restates"])
    stands = "issued" if outcome.is_new else "stands as issued; nothing that bears on the day moved"
    yield f"  {stands}: {outcome.issue.path}"
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


def verdict_of(outcome: Outcome) -> tuple[str, str] | None:
    """Return what a scheduler shows of a night besides that it ran.

    Returns:
        A name for the state, and a sentence: the record is incomplete, or critical actions are
        open, as of the issue. None where there is nothing to look at.
    """
    actions = json.loads((outcome.issue.path / "actions.json").read_bytes())
    critical = [
        one for one in actions if one["severity"] == "critical" and one["status"] != "closed"
    ]
    names, sentences = [], []
    if outcome.readiness.incomplete:
        names.append("Incomplete")
        sentences.append(outcome.first_line)
    if critical:
        names.append("Critical open")
        first = critical[0]["title"]
        if len(critical) == 1:
            sentences.append(f"1 critical action is open: {first}.")
        else:
            sentences.append(f"{len(critical):,} critical actions are open; the first: {first}.")
    return (", ".join(names), " ".join(sentences)) if names else None


def report_of(outcome: Outcome) -> tuple[str, str]:
    """Return the report of a night as a ``file:`` address, and the text of the link."""
    manifest = outcome.issue.manifest
    name = f"Report of {manifest['gaming_day']}, {manifest['phase']}, issue {manifest['issue']}"
    return (outcome.issue.path / "report.html").resolve().as_uri(), name


def table_rows(outcome: Outcome) -> list[dict[str, str | int]]:
    """Return a row per table: its capture, its rounds, its win in dollars or ``not known``."""
    accounts = {one.table: one for one in outcome.audit.accounts}
    rows: list[dict[str, str | int]] = []
    for line in outcome.audit.capture:
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


def anomaly_rows(outcome: Outcome) -> list[dict[str, str | int]]:
    """Return what is open: what is not known of the record, then the findings by code and table.

    Returns:
        Rows with ``what`` (the check or the code), ``where``, ``count`` and ``said``, the sentence
        of the first.
    """
    rows: list[dict[str, str | int]] = [
        {"what": line.check, "where": line.about, "count": 1, "said": line.sentence}
        for line in outcome.readiness.unknown
    ]
    folded: dict[tuple[str, str], list[str]] = {}
    for finding in outcome.audit.findings:
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
    """Return the last of a ledger's gaming days on which a table has a fact; none dated years off.

    Raises:
        DayUnknown: there is none.
    """
    day = last_gaming_day(Replay.open(folder))
    if day is None:
        raise DayUnknown("The ledger has no gaming day: it holds no fact of a table.")
    return day
