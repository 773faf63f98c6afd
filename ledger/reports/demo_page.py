"""The demonstration for people and scripts: the day, and its findings against the truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from ledger.audit import DayAudit
from ledger.floor import TruthRow
from ledger.kernel import Finding, PropertyClock
from ledger.reports.audit_page import TimeOf, audit_data, capture_table, standing_lines
from ledger.reports.findings import STYLES, finding_data, money, place_of
from ledger.reports.tables import plain_table
from ledger.reports.truth import Comparison, Match, match_data

WIDE: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """What a simulation wrote."""

    folder: str
    seed: int
    first_day: date
    days: int
    facts: int
    added: int
    tree_size: int
    root: str
    truth: tuple[TruthRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """A simulated floor and its audit; ``folder`` is None where it was a temporary one."""

    folder: str | None
    audits: tuple[DayAudit, ...]
    comparison: Comparison
    clock: PropertyClock
    property_name: str | None
    time_of: TimeOf
    simulated_seconds: float
    audited_seconds: float


def simulated_data(done: Simulated) -> dict[str, Any]:
    """What a simulation wrote, as plain data."""
    return {
        "ledger": done.folder,
        "seed": done.seed,
        "from": done.first_day.isoformat(),
        "days": done.days,
        "facts": done.facts,
        "added": done.added,
        "tree_size": done.tree_size,
        "root": done.root,
        "planted": len(done.truth),
    }


def simulated_text(done: Simulated) -> str:
    """What a simulation wrote, for people."""
    last = date.fromordinal(done.first_day.toordinal() + done.days - 1)
    days = f"{done.first_day}" if done.days == 1 else f"{done.first_day} to {last}"
    planted = f"{len(done.truth):,} findings to be made of the plants, in truth.json"
    return (
        f"Simulated {days} with seed {done.seed}: {done.facts:,} facts into {done.folder}\n"
        f"  ledger   {done.tree_size:,} entries, root {done.root}\n"
        f"  planted  {planted if done.truth else 'nothing: honest play'}\n"
        f"  next     pitledger audit --ledger {done.folder} --day {done.first_day}\n"
    )


def demo_data(done: Demo) -> dict[str, Any]:
    """The demonstration as plain data."""
    return {
        "agrees": done.comparison.agrees,
        "ledger": done.folder,
        "audits": [audit_data(audit, done.property_name) for audit in done.audits],
        "planted": [match_data(match) for match in done.comparison.matches],
        "invented": [finding_data(finding) for finding in done.comparison.invented],
        "rounds_not_unknown": list(done.comparison.rounds_not_unknown),
    }


def demo_page(done: Demo, width: int) -> RenderableType:
    """The demonstration as a page."""
    parts: list[RenderableType] = [
        Text(f"{done.property_name or 'A simulated floor'}: a gaming day, audited", style="bold"),
        Text("Facts were simulated, irregularities planted; the audit knows nothing of them."),
        Text(),
    ]
    for audit in done.audits:
        parts.extend(_day(done, audit))
    parts.extend(_found(done, width))
    parts.extend(_hidden(done))
    parts.extend(_disagreements(done))
    parts.append(_verdict(done))
    return Group(*parts)


def _day(done: Demo, audit: DayAudit) -> Iterator[RenderableType]:
    yield Text(f"Gaming day {audit.gaming_day.isoformat()}", style="bold")
    yield from standing_lines(audit.standing)
    for table, remark in audit.continued.items():
        yield Text(f"  {table:<8} judged by {remark}", style="yellow")
    if audit.rounds:
        yield Text()
        yield capture_table(audit, done.clock)
        for line in audit.capture:
            if line.not_covered:
                covered = ", ".join(line.not_covered)
                yield Text(f"Not covered at {line.table}: {covered}.", style="dim")
        yield Text()
    yield Text(
        f"{audit.events:,} events, {audit.rounds:,} rounds ({audit.unknown_rounds:,} unknown), "
        f"{audit.wagers:,} wagers settled again, {len(audit.findings):,} findings"
    )
    yield Text(f"digest {audit.digest}\n", overflow="fold")


def _found(done: Demo, width: int) -> Iterator[RenderableType]:
    """Each planted irregularity with the findings it led to."""
    table = plain_table()
    table.add_column("planted", max_width=18)
    table.add_column("found at", no_wrap=True)
    if width >= WIDE:
        table.add_column("section", no_wrap=True)
    table.add_column("finding", ratio=1)
    kinds: dict[str, list[Match]] = {}
    for match in done.comparison.matches:
        if match.detectable and match.finding is not None:
            kinds.setdefault(match.row["kind"], []).append(match)
    for kind, matches in kinds.items():
        for place, match in enumerate(_one_of_each(matches)):
            if match.finding is not None:
                alike = [one.finding for one in matches if one.row["code"] == match.row["code"]]
                where, pin = place_of(match.finding), f"§ {match.row['cite']}"
                table.add_row(
                    "" if place else kind.replace("_", " "),
                    *((where, pin) if width >= WIDE else (f"{where}\n{pin}",)),
                    _said(match.finding, [one for one in alike if one is not None]),
                )
    if kinds:
        yield Text("Planted, and found:", style="bold")
        yield table
        yield Text()


def _said(finding: Finding, alike: list[Finding]) -> Text:
    """The sentence of a finding, with the money, and how many are alike."""
    said = Text(finding.sentence, style=STYLES[finding.severity])
    about = money(sum(one.effect_cents or 0 for one in alike))
    if len(alike) > 1:
        about = f"and {len(alike) - 1} alike" + (f"; in all the {about}" if about else "")
    said.append(f" ({about})" if about else "", style="not bold dim default")
    return said


def _one_of_each(matches: list[Match]) -> list[Match]:
    """The first match of each code."""
    return list({match.row["code"]: match for match in reversed(matches)}.values())[::-1]


def _hidden(done: Demo) -> Iterator[RenderableType]:
    hidden = [match for match in done.comparison.matches if not match.detectable]
    if hidden:
        yield Text("Planted, and not to be seen by anybody:", style="bold")
    for match in hidden:
        mark = "" if match.agrees else "  BUT FOUND"
        why = match.row.get("why") or "no reason given"
        yield Padding(Text(f"{match.row['kind'].replace('_', ' ')}: {why}{mark}"), (0, 0, 0, 2))
    if hidden:
        yield Text()


def _disagreements(done: Demo) -> Iterator[RenderableType]:
    missed, invented = done.comparison.missed, done.comparison.invented
    if missed:
        yield Text("Planted, and NOT found:", style="bold red")
    for match in missed:
        row = match.row
        facts = ", ".join(f"{row['stream']}:{seq}" for seq in row["seq"])
        about = f" in round {row['round']}" if row["round"] else ""
        said = f"{row['kind']}: {row['code']}{about}, facts {facts}, § {row['cite']}"
        yield Padding(Text(said), (0, 0, 0, 2))
    if invented:
        yield Text("Found, and NOT planted:", style="bold red")
    for finding in invented:
        facts = ", ".join(map(str, finding.facts))
        said = f"{finding.code} at {place_of(finding)}, facts {facts}: {finding.sentence}"
        yield Padding(Text(said), (0, 0, 0, 2))
    for name in done.comparison.rounds_not_unknown:
        yield Text(f"  {name} was judged although facts of it are lost", style="red")
    if missed or invented or done.comparison.rounds_not_unknown:
        yield Text()


def _verdict(done: Demo) -> RenderableType:
    matches = done.comparison.matches
    seen = [match for match in matches if match.detectable]
    found = sum(match.finding is not None for match in seen)
    kinds = len({match.row["kind"] for match in seen})
    events = sum(audit.events for audit in done.audits)
    line = Text()
    if done.comparison.agrees:
        line.append("The audit agrees with the truth: ", style="bold green")
        line.append(f"all {found:,} findings of {kinds} planted kinds made, none invented.")
    else:
        line.append("The audit does NOT agree with the truth: ", style="bold red")
        line.append(f"{found:,} of {len(seen):,} made, {len(done.comparison.invented):,} invented.")
    line.append(
        f"\n{events:,} events simulated and recorded in {done.simulated_seconds} s, "
        f"audited in {done.audited_seconds} s.",
        style="dim",
    )
    if done.folder is not None:
        days = [audit.gaming_day.isoformat() for audit in done.audits if audit.rounds]
        next_day = days[-1] if days else "DAY"
        line.append(f"\nNext: pitledger audit --ledger {done.folder} --day {next_day}")
    return line
