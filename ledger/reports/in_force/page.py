"""What is in force at each table on a day, and by what authority: a page, and plain data."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ledger.audit import Day
from ledger.audit.in_force import InForce
from ledger.codec import format_time
from ledger.kernel import EditionStatus, PropertyClock
from ledger.reports.in_force.line import NOT_RECORDED, Line
from ledger.reports.in_force.table_lines import TablePage, pages

CHANGING: Final = (
    *("game", "submission", "limits", "notice", "sign"),
    *("equipment", "service", "camera"),
)
"""The groups whose beginnings and ends on the day are told again as its changes."""

GOOD: Final = frozenset({None, "in force"})


def in_force_data(in_force: InForce) -> dict[str, object]:
    """What is in force as plain data; times in UTC."""
    return {
        "gaming_day": in_force.day.date.isoformat(),
        "property": in_force.house.office.property_name,
        "tree_size": in_force.tree_size,
        "root": in_force.root,
        "tables": [
            {
                "table": page.table,
                "games": list(page.games),
                "opened_at": _time(page.opened_at),
                "closed_at": _time(page.closed_at),
                "lines": [_line_data(line, in_force) for line in page.lines],
            }
            for page in pages(in_force)
        ],
    }


def _line_data(line: Line, in_force: InForce) -> dict[str, object]:
    day = in_force.day.date
    return {
        "group": line.group,
        "says": line.says,
        "since": _time(line.since),
        "until": _time(line.until),
        "authority": [cite.on(day) for cite in line.cites],
        "facts": [{"stream": ref.stream, "seq": ref.seq} for ref in line.facts],
        "standing": line.standing or "recorded",
    }


def _time(moment: int | None) -> str | None:
    return None if moment is None else format_time(moment)


def in_force_page(in_force: InForce, *, staff: bool = False) -> RenderableType:
    """What is in force as a page, table by table.

    Args:
        found: what was read.
        staff: also each person and each of their turns.
    """
    clock, day = in_force.house.clock, in_force.day.date
    name = in_force.house.office.property_name or "Property not named"
    parts: list[RenderableType] = [
        Text(f"{name}, in force on gaming day {day:%A} {day.isoformat()}", style="bold"),
        Text(f"  read from {in_force.tree_size:,} entries, root {in_force.root}", overflow="fold"),
        Text("  § numbers are sections, stream:number the facts; times are local", style="dim"),
    ]
    for page in pages(in_force):
        parts.extend(_table(page, in_force, clock, staff=staff))
    return Group(*parts)


def _table(
    page: TablePage, in_force: InForce, clock: PropertyClock, *, staff: bool
) -> Iterator[RenderableType]:
    yield Text()
    heading = Text(page.table, style="bold")
    early = page.opened_at is not None and page.opened_at < in_force.day.begins
    hours = (
        f"{_hour(page.opened_at, in_force.day, clock)}-{_hour(page.closed_at, in_force.day, clock)}"
    )
    hours += " (opened on an earlier day)" if early else ""
    heading.append(f"  {' then '.join(page.games) or 'game not recorded'}, open {hours}")
    yield heading
    grid = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    grid.add_column(no_wrap=True, style="dim")
    grid.add_column(ratio=5)
    grid.add_column(no_wrap=True)
    grid.add_column(ratio=3, style="dim")
    shown = [line for line in page.lines if staff or line.group != "staff"]
    for group, lines in groupby(shown, key=lambda line: line.group):
        for number, line in enumerate(lines):
            grid.add_row(
                f"  {group}" if not number else "",
                _sentence(line),
                _when(line, in_force, clock),
                _authority(line),
            )
    if not staff:
        grid.add_row("  staff", _people(page), "", "")
    yield grid
    yield from _changes(page, in_force, clock)


def _sentence(line: Line) -> Text:
    sentence = Text(line.says)
    if line.standing == NOT_RECORDED:
        sentence = Text(f"not recorded: {line.says}", style="magenta")
    elif line.standing not in GOOD:
        sentence.stylize("yellow")
        if line.standing == "not certain":
            sentence.append(" (not certain)")
    return sentence


def _authority(line: Line) -> Text:
    pins = ", ".join(dict.fromkeys(cite.pin for cite in line.cites))
    facts = ", ".join(str(ref) for ref in line.facts)
    return Text("  ".join(part for part in (pins, facts) if part))


def _when(line: Line, in_force: InForce, clock: PropertyClock) -> str:
    """Since when: the date where it began before the day, else the time; and until when."""
    if line.since is None:
        return ""
    day = in_force.day
    if line.until == line.since:
        return f"at {_hour(line.since, day, clock)}"
    today = day.has(line.since)
    began = _hour(line.since, day, clock) if today else f"{clock.local(line.since):%Y-%m-%d}"
    if line.until is None:
        return f"since {began}"
    return f"{began}{'-' if today else ' to '}{_hour(line.until, day, clock)}"


def _hour(moment: int | None, day: Day, clock: PropertyClock) -> str:
    return "?" if moment is None else clock.time_on(day.date, moment, "%H:%M")


def _people(page: TablePage) -> Text:
    """Who worked there, without their turns."""
    names = [line.says for line in page.lines if line.group == "staff" and line.facts]
    if not names:
        return Text("not recorded: nobody assigned", style="magenta")
    return Text(f"{', '.join(sorted(dict.fromkeys(names)))} (--staff shows their turns)")


def _changes(page: TablePage, in_force: InForce, clock: PropertyClock) -> Iterator[RenderableType]:
    """What began or ended while the table was open, in order of time."""
    opened = page.opened_at
    if opened is None:
        return
    events: list[tuple[int, int, str]] = []
    for line in page.lines:
        if line.group not in CHANGING or line.standing == NOT_RECORDED:
            continue
        if line.since is not None and line.since > opened and in_force.day.has(line.since):
            events.append((line.since, 1, f"{line.group}: {line.says}"))
        ended = line.until if line.group != "limits" and line.until != line.since else None
        if ended is not None and opened < ended < (page.closed_at or in_force.day.ends):
            events.append((ended, 0, f"{line.group} no longer: {line.says}"))
    yield Text("  changes while open", style="dim")
    if not events:
        yield Text("    none recorded")
    for at, _, sentence in sorted(dict.fromkeys(events)):
        yield Text(f"    {clock.time_on(in_force.day.date, at)}  {sentence}")


def all_stand(in_force: InForce) -> bool:
    """Whether every line of every table is recorded, certain and as it should be.

    A chapter whose later text is not held is said beside each citation; it is no finding.
    """
    good = GOOD | {EditionStatus.CONTINUED.value}
    return all(line.standing in good for page in pages(in_force) for line in page.lines)
