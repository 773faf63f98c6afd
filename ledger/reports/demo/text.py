"""The demonstration for people and scripts: the days, and their findings against the truth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from ledger.audit import DayAudit, TableCapture
from ledger.coupons import Reconciliation
from ledger.floor import TruthRow
from ledger.kernel import Finding, dollars, plural
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import CHAPTERS
from ledger.reports.audit_page import audit_data, standing_lines
from ledger.reports.demo.nights import (
    DemoNight,
    DemoRestated,
    night_data,
    restated_data,
    restated_words,
)
from ledger.reports.demo.planted import Comparison, Match, match_data
from ledger.reports.findings import STYLES, finding_data, money, place_of
from ledger.reports.table_style import plain_table

WIDE: Final = 100
SHOWN: Final = 3
"""Kinds of a chapter that are shown where not every one is."""
COUPON_FIGURES: Final = {
    "received": "received",
    "distributed": "distributed",
    "mailed": "mailed",
    "redeemed": "redeemed",
    "dropped": "counted",
    "cancelled_redeemed": "cancelled",
    "with_patrons_close": "with patrons",
}
"""Figures of a day's coupons, and their names at the head of a column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """What a simulation wrote."""

    folder: str
    seed: int
    first_day: date
    days: int
    wanted: int | None
    facts: int
    added: int
    tree_size: int
    root: str
    truth: tuple[TruthRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """A simulated floor, its nights as they were run, and what they found of the plants."""

    folder: str
    nights: tuple[DemoNight, ...]
    restated: DemoRestated | None
    comparison: Comparison
    not_on_report: tuple[Match, ...]
    """What was planted and found, and does not stand on the report of its night."""
    coupons: tuple[Reconciliation, ...]
    property_name: str | None
    report: str
    simulated_seconds: float
    night_seconds: float

    @property
    def agrees(self) -> bool:
        """Everything planted is found and stands on a report, and nothing is invented."""
        return self.comparison.agrees and not self.not_on_report

    @property
    def audits(self) -> tuple[DayAudit, ...]:
        """What each day came to in the issue that stands."""
        audits = [night.audit for night in self.nights if night.stands]
        return tuple(sorted(audits, key=lambda one: one.gaming_day))


def simulated_data(done: Simulated) -> dict[str, object]:
    """What a simulation wrote, as plain data."""
    return {
        "ledger": done.folder,
        "seed": done.seed,
        "from": done.first_day.isoformat(),
        "days": done.days,
        "wanted": done.wanted,
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
    planted = f"{plural(len(done.truth), 'expected finding')}, listed in truth.json"
    reached = ""
    if done.wanted is not None:
        apart = done.facts / (done.wanted * done.days) - 1
        reached = (
            f"  wanted   about {done.wanted:,} events a day; the result is"
            f" {done.facts / done.days:,.0f} a day ({apart:+.1%})\n"
        )
    return (
        f"Simulated {days} with seed {done.seed}: {done.facts:,} facts into {done.folder}\n"
        f"{reached}"
        f"  ledger   {done.tree_size:,} entries, root {done.root}\n"
        f"  planted  {planted if done.truth else 'nothing: honest play'}\n"
        f"  next     pitledger audit --ledger {done.folder} --day {done.first_day}\n"
    )


def demo_data(done: Demo) -> dict[str, object]:
    """The demonstration as plain data."""
    return {
        "agrees": done.agrees,
        "ledger": done.folder,
        "report": done.report,
        "audits": [audit_data(audit, done.property_name) for audit in done.audits],
        "nights": [night_data(one) for one in done.nights],
        "restated": None if done.restated is None else restated_data(done.restated),
        "planted": [match_data(match) for match in done.comparison.matches],
        "not_on_report": [match_data(match) for match in done.not_on_report],
        "invented": [finding_data(finding) for finding in done.comparison.invented],
        "rounds_not_unknown": list(done.comparison.rounds_not_unknown),
    }


def demo_page(done: Demo, width: int, *, every: bool = False) -> RenderableType:
    """The demonstration as a page.

    Args:
        done: the demonstration.
        width: of the terminal, in characters.
        every: list every kind that was planted; otherwise some of each chapter.
    """
    audits = [audit for audit in done.audits if audit.rounds]
    nights = plural(len(audits), "night")
    parts: list[RenderableType] = [
        Text(f"{done.property_name or 'A simulated floor'}: {nights}", style="bold"),
        Text("Play was simulated, irregularities were planted. The audit does not know where."),
        Text(),
    ]
    parts.extend(_tables(audits))
    parts.extend(_law(audits))
    parts.extend(_nights(done.nights))
    parts.extend(_restated(done.restated))
    if done.coupons:
        parts.extend(_coupons(done.coupons))
    parts.extend(_planted(done, width, every=every))
    parts.extend(_hidden(done))
    parts.extend(_disagreements(done))
    parts.append(_verdict(done))
    return Group(*parts)


def _law(audits: Sequence[DayAudit]) -> Iterator[RenderableType]:
    """The status of the regulation texts, once where all days agree."""
    for number, audit in enumerate(audits):
        if number and audit.standing == audits[number - 1].standing:
            continue
        yield from standing_lines(audit.standing)
    if audits:
        yield Text()


def _nights(nights: Sequence[DemoNight]) -> Iterator[RenderableType]:
    """Every night in the order in which it was run."""
    table = plain_table()
    names = ("night of", "issue", "events", "rounds", "unknown", "findings", "actions")
    for place, name in enumerate(names):
        table.add_column(name, justify="right" if place > 1 else "left", no_wrap=True)
    table.add_column("digest", no_wrap=True)
    for night in nights:
        audit = night.audit
        if audit.rounds or audit.findings:
            figures = (audit.events, audit.rounds, audit.unknown_rounds, len(audit.findings))
            table.add_row(
                audit.gaming_day.isoformat(),
                night.issue,
                *(f"{figure:,}" for figure in (*figures, len(night.actions))),
                f"{audit.digest[:16]}...",
            )
    yield table
    yield Text()


def _restated(restated: DemoRestated | None) -> Iterator[RenderableType]:
    """The day that a late fact restated."""
    if restated is None:
        return
    yield Text(f"A late fact restates {restated.gaming_day}:", style="bold")
    for line in restated_words(restated):
        yield Padding(Text(line), (0, 0, 0, 2))
    yield Text()


def _tables(audits: Sequence[DayAudit]) -> Iterator[RenderableType]:
    """What each table claims to record, and what of it could be judged, over all days."""
    lines: dict[str, list[TableCapture]] = {}
    for audit in audits:
        for line in audit.capture:
            lines.setdefault(line.table, []).append(line)
    table = plain_table()
    for name in ("table", "game", "capture level"):
        table.add_column(name, no_wrap=True)
    for name in ("days", "rounds", "judged", "per cent", "wagers"):
        table.add_column(name, justify="right", no_wrap=True)
    for name, mine in lines.items():
        rounds, judged = (sum(getattr(one, what) for one in mine) for what in ("rounds", "judged"))
        last = mine[-1]
        table.add_row(
            name,
            last.game or "unknown",
            last.level or "not stated",
            str(len(mine)),
            f"{rounds:,}",
            f"{judged:,}",
            f"{judged / rounds:.1%}".removesuffix("%") if rounds else "-",
            "-" if "wagers" in last.not_covered else f"{sum(one.wagers for one in mine):,}",
        )
    yield table
    for name, mine in lines.items():
        if mine[-1].not_covered:
            yield Text(f"Not covered at {name}: {', '.join(mine[-1].not_covered)}.", style="dim")
    yield Text()


def _coupons(days: Sequence[Reconciliation]) -> Iterator[RenderableType]:
    """What the Match Play Coupons of each day came to."""
    table = plain_table()
    table.add_column("coupons of", no_wrap=True)
    for name in COUPON_FIGURES.values():
        table.add_column(name, justify="right", no_wrap=True)
    for day in days:
        figures = [block.figures for block in day.blocks]
        table.add_row(
            day.gaming_day.isoformat(),
            *(f"{sum(getattr(one, name) for one in figures):,}" for name in COUPON_FIGURES),
        )
    yield table
    yield Text()


def _planted(done: Demo, width: int, *, every: bool) -> Iterator[RenderableType]:
    """What was planted and found: by chapter, and kind by kind."""
    chapters: dict[str, dict[str, list[Match]]] = {}
    for match in done.comparison.matches:
        if match.detectable and match.finding is not None:
            chapter = match.row["cite"].partition(".")[0]
            kinds = chapters.setdefault(chapter, {})
            kinds.setdefault(match.row["kind"], []).append(match)
    if not chapters:
        return
    yield Text("Planted and found:", style="bold")
    yield _by_chapter(chapters)
    yield Text()
    shown: dict[str, list[Match]] = {}
    for chapter in sorted(chapters, key=_rank):
        for number, (kind, matches) in enumerate(chapters[chapter].items()):
            if every or (number < SHOWN and kind not in shown):
                shown.setdefault(kind, []).extend(matches)
    left = len({kind for of in chapters.values() for kind in of} - shown.keys())
    yield _kinds(shown, width)
    if left:
        yield Text(f"... and {plural(left, 'more kind')}: pitledger demo --every", style="dim")
    yield Text()


def _by_chapter(chapters: Mapping[str, Mapping[str, Sequence[Match]]]) -> RenderableType:
    """Kinds, findings and money of each chapter."""
    table = plain_table()
    table.add_column("chapter", no_wrap=True)
    for name in ("kinds", "findings", "house lost", "patrons lost"):
        table.add_column(name, justify="right", no_wrap=True)
    names = {chapter.edition.chapter: chapter.name for chapter in CHAPTERS}
    for chapter in sorted(chapters, key=_rank):
        matches = [match for of in chapters[chapter].values() for match in of]
        effects = [match.finding.effect_cents or 0 for match in matches if match.finding]
        lost = (sum(c for c in effects if c > 0), -sum(c for c in effects if c < 0))
        table.add_row(
            f"§ {chapter:<5}{names.get(chapter, '')}",
            str(len(chapters[chapter])),
            str(len(matches)),
            *(dollars(cents) if cents else "" for cents in lost),
        )
    return table


def _rank(chapter: str) -> tuple[int, str]:
    """Chapters by number; the product's own one last."""
    digits = "".join(one for one in chapter if one.isdigit())
    return (int(digits) if digits else 1 << 30, chapter)


def _kinds(kinds: Mapping[str, Sequence[Match]], width: int) -> RenderableType:
    """Each kind with one finding of every code."""
    table = plain_table()
    table.add_column("planted", max_width=18)
    table.add_column("found at", no_wrap=True)
    if width >= WIDE:
        table.add_column("section", no_wrap=True)
    table.add_column("finding", ratio=1)
    for kind, matches in kinds.items():
        for place, match in enumerate(_one_of_each(matches)):
            if match.finding is not None:
                alike = [one.finding for one in matches if one.row["code"] == match.row["code"]]
                where, pin = place_of(match.finding), f"§ {match.row['cite']}"
                table.add_row(
                    "" if place else kind.replace("_", " "),
                    *((where, pin) if width >= WIDE else (f"{where}\n{pin}",)),
                    _sentence(match.finding, [one for one in alike if one is not None]),
                )
    return table


def _sentence(finding: Finding, alike: list[Finding]) -> Text:
    """The sentence of a finding, with the money, and how many more are like it."""
    sentence = Text(finding.sentence, style=STYLES[finding.severity])
    about = money(sum(one.effect_cents or 0 for one in alike))
    if len(alike) > 1:
        about = f"and {len(alike) - 1} like it" + (f"; in all, {about}" if about else "")
    sentence.append(f" ({about})" if about else "", style="not bold dim default")
    return sentence


def _one_of_each(matches: Sequence[Match]) -> list[Match]:
    """The first match of each code."""
    return list({match.row["code"]: match for match in reversed(matches)}.values())[::-1]


def _hidden(done: Demo) -> Iterator[RenderableType]:
    hidden = [match for match in done.comparison.matches if not match.detectable]
    if hidden:
        yield Text("Planted, and invisible to any record:", style="bold")
    for match in hidden:
        mark = "" if match.agrees else "  BUT FOUND"
        why = match.row.get("why") or "no reason given"
        yield Padding(Text(f"{match.row['kind'].replace('_', ' ')}: {why}{mark}"), (0, 0, 0, 2))
    if hidden:
        yield Text()


def _disagreements(done: Demo) -> Iterator[RenderableType]:
    missed, invented = done.comparison.missed, done.comparison.invented
    if missed:
        yield Text("Planted and NOT found:", style="bold red")
    for match in missed:
        row = match.row
        facts = ", ".join(f"{row['stream']}:{seq}" for seq in row["seq"])
        about = f" in round {row['round']}" if row["round"] else ""
        line = f"{row['kind']}: {row['code']}{about}, facts {facts}, § {row['cite']}"
        yield Padding(Text(line), (0, 0, 0, 2))
    if invented:
        yield Text("Found and NOT planted:", style="bold red")
    for finding in invented:
        facts = ", ".join(map(str, finding.facts))
        line = f"{finding.code} at {place_of(finding)}, facts {facts}: {finding.sentence}"
        yield Padding(Text(line), (0, 0, 0, 2))
    for name in done.comparison.rounds_not_unknown:
        yield Text(f"  {name} was judged although some of its facts are missing", style="red")
    for match in done.not_on_report:
        line = f"{match.row['kind']}: {match.row['code']} was found and is on no report"
        yield Text(f"  {line}", style="red")
    if not done.agrees:
        yield Text()


def _verdict(done: Demo) -> RenderableType:
    matches = done.comparison.matches
    seen = [match for match in matches if match.detectable]
    matched = sum(match.finding is not None for match in seen)
    kinds = len({match.row["kind"] for match in seen})
    events = sum(audit.events for audit in done.audits)
    line = Text()
    if done.agrees:
        actions = sum(len(one.actions) for one in done.nights if one.stands)
        line.append("The reports match what was planted: ", style="bold green")
        line.append(
            f"all {matched:,} planted findings of {kinds} kinds found and reported,"
            f" grouped into {plural(actions, 'action')}; no false finding."
        )
    else:
        line.append("The reports do NOT match what was planted: ", style="bold red")
        line.append(
            f"{matched:,} of {len(seen):,} found, {len(done.not_on_report):,} not reported,"
            f" {len(done.comparison.invented):,} false."
        )
    line.append(
        f"\n{events:,} events simulated and recorded in {done.simulated_seconds} s,"
        f" {plural(len(done.nights), 'night')} run in {done.night_seconds} s.",
        style="dim",
    )
    line.append(f"\nLedger: {done.folder}\nReport: {done.report}")
    return line
