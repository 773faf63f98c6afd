"""The audit of one gaming day: plain data for scripts, and a page for people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ledger.audit import DIGEST_VERSION, DayAudit, TableCapture, bearing_on
from ledger.codec import format_time
from ledger.kernel import Certainty, FactRef, PropertyClock, dollars
from ledger.law import CHAPTERS
from ledger.reports.amended import amended_data, amended_lines
from ledger.reports.findings import (
    SEVERITIES,
    STYLES,
    Fold,
    finding_data,
    folded,
    money,
    place_of,
)
from ledger.reports.marks import mark_data, marked_lines
from ledger.reports.restated import Restated, restated_data, restated_lines
from ledger.reports.tables import plain_table

SHOWN: Final = 3
"""How many findings that are alike are shown one by one."""

TimeOf = Callable[[FactRef], int | None]
"""The event time of a fact, None where it is not known."""


def audit_data(
    audit: DayAudit, property_name: str | None, difference: Restated | None = None
) -> dict[str, Any]:
    """The audit as plain data."""
    return {
        "gaming_day": audit.gaming_day.isoformat(),
        "property": property_name,
        "tree_size": audit.tree_size,
        "root": audit.root,
        "digest": audit.digest,
        "standing": dict(audit.standing),
        "continued": dict(audit.continued),
        "capture": [_capture_data(line) for line in audit.capture],
        "events": audit.events,
        "rounds": audit.rounds,
        "unknown_rounds": audit.unknown_rounds,
        "wagers": audit.wagers,
        "findings": [
            {
                **finding_data(finding),
                "marked": [mark_data(one) for one in bearing_on(audit.marks, finding.facts)],
            }
            for finding in audit.findings
        ],
        "recorders_not_checked": audit.unchecked,
        "marked": [mark_data(one) for one in audit.marks.values()],
        "amended": [amended_data(one) for one in audit.amended],
        "restated": None if difference is None else restated_data(difference),
        "digest_version": DIGEST_VERSION,
    }


def _capture_data(line: TableCapture) -> dict[str, Any]:
    return {
        "table": line.table,
        "game": line.game,
        "level": line.level,
        "opened_at": _time(line.opened_at),
        "closed_at": _time(line.closed_at),
        "rounds": line.rounds,
        "judged": line.judged,
        "wagers": line.wagers,
        "not_covered": list(line.not_covered),
    }


def _time(moment: int | None) -> str | None:
    return None if moment is None else format_time(moment)


def audit_page(
    audit: DayAudit,
    clock: PropertyClock,
    property_name: str | None,
    time_of: TimeOf,
    *,
    every: bool = False,
    difference: Restated | None = None,
) -> RenderableType:
    """The audit as a page.

    Args:
        audit: the day.
        clock: the property's, for local times.
        property_name: as the property states it.
        time_of: when a fact happened.
        every: show each finding, not only the first of those that are alike.
        difference: what the day's amendments changed.
    """
    parts: list[RenderableType] = [
        *_title(audit, clock, property_name),
        Text(),
        capture_table(audit.capture, audit.gaming_day, clock),
        *not_covered(audit.capture),
        Text(),
        *_standing(audit),
        Text(),
        *_unchecked(audit),
        *marked_lines(tuple(audit.marks.values()), clock),
        *amended_lines(audit.amended),
        *(restated_lines(difference, len(audit.findings)) if difference is not None else ()),
    ]
    if audit.findings:
        parts.extend(_findings(audit, clock, time_of, every=every))
    else:
        parts.append(Text("No finding.", style="green"))
        parts.append(Text())
    parts.append(_totals(audit))
    return Group(*parts)


def _title(
    audit: DayAudit, clock: PropertyClock, property_name: str | None
) -> Iterator[RenderableType]:
    day = audit.gaming_day
    title = Text()
    title.append(property_name or "Property not named", style="bold")
    title.append(f", gaming day {day:%A} {day.isoformat()}", style="bold")
    yield title
    begins, ends = (clock.local(at) for at in clock.bounds(day))
    yield Text(f"  {begins:%Y-%m-%d %H:%M} to {ends:%Y-%m-%d %H:%M %Z} ({clock.time_zone})")


def _unchecked(audit: DayAudit) -> Iterator[Text]:
    """That nobody who recorded facts could be checked, where the record has no credentials."""
    if audit.unchecked:
        facts = "1 fact" if audit.unchecked == 1 else f"{audit.unchecked:,} facts"
        said = f"NOT CHECKED: who recorded {facts}; the record has nobody's credential then"
        yield Text(f"  {said}", style="yellow")
        yield Text()


def _standing(audit: DayAudit) -> Iterator[RenderableType]:
    """The ledger it was made from, and the texts it was judged by."""
    yield Text(f"  ledger   {audit.tree_size:,} entries")
    yield Text(f"  root     {audit.root}", overflow="fold")
    yield from standing_lines(audit.standing)
    for table, remark in audit.continued.items():
        yield Text(f"  {table:<8} judged by {remark}", style="yellow")


def standing_lines(standing: Mapping[str, str]) -> Iterator[Text]:
    """How each text stands on the day."""
    names = {chapter.edition.chapter: chapter for chapter in CHAPTERS}
    for number, remark in standing.items():
        chapter = names.get(number)
        said = f" {chapter.name} ({chapter.edition.source})" if chapter else ""
        line = Text(f"  § {number:<6}{said}: ")
        line.append(remark, style="green" if remark == "in force" else "yellow")
        yield line


def capture_table(capture: Iterable[TableCapture], day: date, clock: PropertyClock) -> Table:
    """What each table claims to record, and what of it could be judged."""
    table = plain_table()
    for name in ("table", "game", "captures", "open"):
        table.add_column(name, no_wrap=True)
    for name in ("rounds", "judged", "per cent", "wagers"):
        table.add_column(name, justify="right", no_wrap=True)
    for line in capture:
        table.add_row(
            line.table,
            line.game or "not known",
            line.level or "not stated",
            _hours(line, day, clock),
            f"{line.rounds:,}",
            f"{line.judged:,}",
            per_cent(line.judged, line.rounds),
            f"{line.wagers:,}" if "wagers" not in line.not_covered else "-",
        )
    return table


def per_cent(part: int, whole: int) -> str:
    """A share in per cent, cut and never rounded up: 100 means all of it."""
    if not whole:
        return "-"
    tenths = part * 1000 // whole
    return f"{tenths // 10}.{tenths % 10}"


def _hours(line: TableCapture, day: date, clock: PropertyClock) -> str:
    opened, closed = (
        "?" if at is None else clock.time_on(day, at, "%H:%M")
        for at in (line.opened_at, line.closed_at)
    )
    return "-" if opened == closed == "?" else f"{opened}-{closed}"


def not_covered(capture: Iterable[TableCapture]) -> Iterator[Text]:
    """One line for each table that does not claim to record everything."""
    for line in capture:
        if line.not_covered:
            yield Text(f"Not covered at {line.table}: {', '.join(line.not_covered)}.", style="dim")


def _findings(
    audit: DayAudit, clock: PropertyClock, time_of: TimeOf, *, every: bool
) -> Iterator[RenderableType]:
    groups = folded(audit.findings)
    for severity in SEVERITIES:
        mine = [fold for fold in groups if fold.first.severity is severity]
        if not mine:
            continue
        count = sum(len(fold.findings) for fold in mine)
        heading = Text(f"{severity.value.upper()}  ", style=STYLES[severity])
        heading.append(f"{count:,} {'finding' if count == 1 else 'findings'}", style="not bold")
        yield heading
        for fold in mine:
            yield Padding(_fold(fold, clock, time_of, every=every), (0, 0, 0, 2))
        yield Text()


def _fold(fold: Fold, clock: PropertyClock, time_of: TimeOf, *, every: bool) -> RenderableType:
    first = fold.first
    heading = Text(first.code, style="bold")
    cites = "; ".join(cite.on(first.gaming_day) for cite in first.citations[:1])
    heading.append(f"  {cites}", style="not bold")
    if first.certainty is Certainty.UNKNOWN:
        heading.append("  unknown", style="not bold magenta")
    table = Table(box=None, show_header=False, padding=(0, 1), pad_edge=False)
    table.add_column(no_wrap=True, style="dim")
    table.add_column(no_wrap=True)
    table.add_column(ratio=1)
    shown = fold.findings if every or len(fold.findings) <= SHOWN + 1 else fold.findings[:SHOWN]
    for finding in shown:
        at = time_of(finding.facts[-1]) if finding.facts else None
        local = clock.time_on(finding.gaming_day, at) if at is not None else ""
        about = f"{finding.wager}: " if finding.wager else ""
        said = Text(f"{about}{finding.sentence}")
        lost = money(finding.effect_cents)
        said.append(f" ({lost})" if lost else "", style="dim")
        table.add_row(local, place_of(finding), said)
    parts: list[RenderableType] = [heading]
    if len(fold.findings) > 1:
        parts.append(Text(f"  {_together(fold)}", style="dim"))
    parts.append(Padding(table, (0, 0, 0, 2)))
    if len(shown) < len(fold.findings):
        parts.append(Text(f"  {_rest(fold, clock, time_of, len(shown))}", style="dim"))
    return Group(*parts)


def _together(fold: Fold) -> str:
    """How often, and how much money in all."""
    said = f"{len(fold.findings):,} times"
    said += f", house lost {dollars(fold.house_lost)}" if fold.house_lost else ""
    return said + (f", patrons lost {dollars(fold.patrons_lost)}" if fold.patrons_lost else "")


def _rest(fold: Fold, clock: PropertyClock, time_of: TimeOf, shown: int) -> str:
    times = [time_of(finding.facts[-1]) for finding in fold.findings if finding.facts]
    known = sorted(at for at in times if at is not None)
    span = ""
    if known:
        first, last = (clock.time_on(fold.first.gaming_day, at) for at in (known[0], known[-1]))
        span = f", from {first} to {last}"
    return f"and {len(fold.findings) - shown:,} more{span} (--every shows them)"


def _totals(audit: DayAudit) -> RenderableType:
    house = sum(f.effect_cents for f in audit.findings if f.effect_cents and f.effect_cents > 0)
    patrons = -sum(f.effect_cents for f in audit.findings if f.effect_cents and f.effect_cents < 0)
    unknown = sum(f.certainty is Certainty.UNKNOWN for f in audit.findings)
    judged = audit.rounds - audit.unknown_rounds
    line = Text()
    line.append(f"{audit.events:,} events, {audit.rounds:,} rounds ({judged:,} judged, ")
    line.append(f"{audit.unknown_rounds:,} unknown), {audit.wagers:,} wagers\n")
    line.append(f"{len(audit.findings):,} findings", style="bold")
    if audit.findings:
        line.append(f" ({len(audit.findings) - unknown:,} broken, {unknown:,} unknown)")
        line.append(f"; house lost {dollars(house)}, patrons lost {dollars(patrons)}")
    line.append(f"\ndigest {audit.digest}")
    line.append("\nexit code 1: there are findings" if audit.findings else "\nexit code 0: clean")
    return line
