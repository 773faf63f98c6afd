"""The audit of one gaming day: plain data for scripts, and a page for people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from typing import Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ledger.audit import DIGEST_VERSION, DayAudit, TableCapture, bearing_on
from ledger.codec import format_time
from ledger.kernel import Certainty, FactRef, PropertyClock, dollars, plural
from ledger.law import CHAPTERS
from ledger.reports.amendments import amended_data, amended_lines
from ledger.reports.findings import (
    DOUBTFUL,
    SEVERITIES,
    STYLES,
    Fold,
    finding_data,
    folded,
    money,
    place_of,
)
from ledger.reports.late_facts import mark_data, marked_lines
from ledger.reports.phrases import calendar_date, listed
from ledger.reports.restatement import Restated, restated_data, restated_lines
from ledger.reports.round_footage import footage_lines, observed_data
from ledger.reports.table_style import plain_table

SHOWN: Final = 3
FEEDS_NAMED: Final = 4
"""How many feeds a line names before it says that there are more."""
"""How many findings that are alike are shown one by one."""

TimeOf = Callable[[FactRef], int | None]
"""The event time of a fact, None where it is not known."""


def audit_data(
    audit: DayAudit, property_name: str | None, difference: Restated | None = None
) -> dict[str, object]:
    """The audit of a gaming day as plain data: amounts in cents, days in ISO form.

    Args:
        audit: of the day.
        property_name: None where no fact names the property.
        difference: to the audit of the facts as first recorded; None where nothing was amended.
    """
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
        "writers_not_proven": list(audit.not_proven),
        "marked": [mark_data(one) for one in audit.marks.values()],
        "footage": [observed_data(one) for one in audit.footage],
        "amended": [amended_data(one) for one in audit.amended],
        "restated": None if difference is None else restated_data(difference),
        "digest_version": DIGEST_VERSION,
    }


def _footage(audit: DayAudit) -> Iterator[RenderableType]:
    """The rounds of which somebody looked at a recording, a line each."""
    if audit.footage:
        yield Text("Rounds seen on recordings", style="bold")
        yield from (Text(f"  {line}", style="dim") for line in footage_lines(audit.footage))
        yield Text()


def _capture_data(line: TableCapture) -> dict[str, object]:
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
        *_not_proven(audit),
        *marked_lines(tuple(audit.marks.values()), clock),
        *_footage(audit),
        *amended_lines(audit.amended),
        *(restated_lines(difference, len(audit.findings)) if difference is not None else ()),
    ]
    if audit.findings:
        parts.extend(_findings(audit, clock, time_of, every=every))
    else:
        parts.append(Text("No findings.", style="green"))
        parts.append(Text())
    parts.append(_totals(audit))
    return Group(*parts)


def _title(
    audit: DayAudit, clock: PropertyClock, property_name: str | None
) -> Iterator[RenderableType]:
    day = audit.gaming_day
    title = Text()
    title.append(property_name or "Property not named", style="bold")
    title.append(f", gaming day {calendar_date(day)}", style="bold")
    yield title
    begins, ends = (clock.local(at) for at in clock.bounds(day))
    yield Text(f"  {begins:%Y-%m-%d %H:%M} to {ends:%Y-%m-%d %H:%M %Z} ({clock.time_zone})")


def _unchecked(audit: DayAudit) -> Iterator[Text]:
    """A line about recorders that could not be checked, since no credential was on record."""
    if audit.unchecked:
        facts = plural(audit.unchecked, "fact")
        line = f"NOT CHECKED: whoever recorded {facts}; no credential was on record at that time"
        yield Text(f"  {line}", style="yellow")
        yield Text()


def _not_proven(audit: DayAudit) -> Iterator[Text]:
    """A line about feeds of which nothing proves which terminal wrote them."""
    names = audit.not_proven
    if names:
        few = ", ".join(names[:FEEDS_NAMED]) + (", ..." if len(names) > FEEDS_NAMED else "")
        feeds = plural(len(names), "feed")
        line = f"Not covered: who wrote {feeds} that came by no topic of its own ({few})"
        yield Text(f"  {line}", style="yellow")
        yield Text()


def _standing(audit: DayAudit) -> Iterator[RenderableType]:
    """The ledger behind the audit, and the regulation texts that it was judged by."""
    yield Text(f"  ledger   {audit.tree_size:,} entries")
    yield Text(f"  root     {audit.root}", overflow="fold")
    yield from standing_lines(audit.standing)
    for table, remark in audit.continued.items():
        yield Text(f"  {table:<8} judged by chapter {remark}", style="yellow")


def standing_lines(standing: Mapping[str, str]) -> Iterator[Text]:
    """The status of each regulation text on the day."""
    names = {chapter.edition.chapter: chapter for chapter in CHAPTERS}
    for number, remark in standing.items():
        chapter = names.get(number)
        name = f" {chapter.name} ({chapter.edition.source})" if chapter else ""
        line = Text(f"  § {number:<6}{name}: ")
        line.append(remark, style="green" if remark == "in force" else "yellow")
        yield line


def capture_table(capture: Iterable[TableCapture], day: date, clock: PropertyClock) -> Table:
    """What each table claims to record, and what of it could be judged."""
    table = plain_table()
    for name in ("table", "game", "capture level", "open"):
        table.add_column(name, no_wrap=True)
    for name in ("rounds", "judged", "per cent", "wagers"):
        table.add_column(name, justify="right", no_wrap=True)
    for line in capture:
        table.add_row(
            line.table,
            line.game or "unknown",
            line.level or "not stated",
            _hours(line, day, clock),
            f"{line.rounds:,}",
            f"{line.judged:,}",
            per_cent(line.judged, line.rounds),
            f"{line.wagers:,}" if "wagers" not in line.not_covered else "-",
        )
    return table


def per_cent(part: int, whole: int) -> str:
    """A share in percent to one decimal, cut and never rounded up; "-" of nothing.

    >>> per_cent(9_999, 10_000), per_cent(1, 1), per_cent(0, 0)
    ('99.9', '100.0', '-')
    """
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
            yield Text(f"{line.table} does not record {listed([*line.not_covered])}.", style="dim")


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
        heading.append(plural(count, "finding"), style="not bold")
        yield heading
        for fold in mine:
            yield Padding(_fold(fold, clock, time_of, every=every), (0, 0, 0, 2))
        yield Text()


def _fold(fold: Fold, clock: PropertyClock, time_of: TimeOf, *, every: bool) -> RenderableType:
    first = fold.first
    heading = Text(first.code.replace("_", " ").capitalize(), style="bold")
    cites = "; ".join(cite.on(first.gaming_day) for cite in first.citations[:1])
    heading.append(f"  {cites}", style="not bold")
    heading.append(f"  {first.code}", style="not bold dim")
    if first.certainty is Certainty.UNKNOWN:
        heading.append(f"  {DOUBTFUL}", style="not bold magenta")
    table = Table(box=None, show_header=False, padding=(0, 1), pad_edge=False)
    table.add_column(no_wrap=True, style="dim")
    table.add_column(no_wrap=True)
    table.add_column(ratio=1)
    shown = fold.findings if every or len(fold.findings) <= SHOWN + 1 else fold.findings[:SHOWN]
    for finding in shown:
        at = time_of(finding.facts[-1]) if finding.facts else None
        local = clock.time_on(finding.gaming_day, at) if at is not None else ""
        about = f"{finding.wager}: " if finding.wager else ""
        sentence = Text(f"{about}{finding.sentence}")
        lost = money(finding.effect_cents)
        sentence.append(f" ({lost})" if lost else "", style="dim")
        table.add_row(local, place_of(finding), sentence)
    parts: list[RenderableType] = [heading]
    if len(fold.findings) > 1:
        parts.append(Text(f"  {_together(fold)}", style="dim"))
    parts.append(Padding(table, (0, 0, 0, 2)))
    if len(shown) < len(fold.findings):
        parts.append(Text(f"  {_rest(fold, clock, time_of, len(shown))}", style="dim"))
    return Group(*parts)


def _together(fold: Fold) -> str:
    """How many findings, and how much money in all."""
    words = plural(len(fold.findings), "finding")
    words += f", house lost {dollars(fold.house_lost)}" if fold.house_lost else ""
    return words + (f", patrons lost {dollars(fold.patrons_lost)}" if fold.patrons_lost else "")


def _rest(fold: Fold, clock: PropertyClock, time_of: TimeOf, shown: int) -> str:
    times = [time_of(finding.facts[-1]) for finding in fold.findings if finding.facts]
    known = sorted(at for at in times if at is not None)
    span = ""
    if known:
        first, last = (clock.time_on(fold.first.gaming_day, at) for at in (known[0], known[-1]))
        span = f", from {first} to {last}"
    return f"and {len(fold.findings) - shown:,} more{span} (add --every to list them)"


def _totals(audit: DayAudit) -> RenderableType:
    house = sum(f.effect_cents for f in audit.findings if f.effect_cents and f.effect_cents > 0)
    patrons = -sum(f.effect_cents for f in audit.findings if f.effect_cents and f.effect_cents < 0)
    unknown = sum(f.certainty is Certainty.UNKNOWN for f in audit.findings)
    judged = audit.rounds - audit.unknown_rounds
    line = Text()
    line.append(f"{plural(audit.events, 'event')}, {plural(audit.rounds, 'round')} ")
    line.append(f"({judged:,} judged, {audit.unknown_rounds:,} unknown), ")
    line.append(f"{plural(audit.wagers, 'wager')}\n")
    line.append(plural(len(audit.findings), "finding"), style="bold")
    if audit.findings:
        line.append(f" ({len(audit.findings) - unknown:,} shown by the record, ")
        line.append(f"{unknown:,} that it cannot show either way)")
        line.append(f"; house lost {dollars(house)}, patrons lost {dollars(patrons)}")
    line.append(f"\ndigest {audit.digest}", style="dim")
    line.append("\nExit code 1: there are findings." if audit.findings else "\nExit code 0: clean.")
    return line
