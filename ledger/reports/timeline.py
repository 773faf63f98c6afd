"""The facts of a round on a clock, one line each, with the gaps where facts are missing."""

from __future__ import annotations

from collections.abc import Iterator

from rich.table import Table
from rich.text import Text

from ledger.events import WagerSettled
from ledger.kernel import PropertyClock, duration_words, plural, ref_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import Doubt, DoubtBegins
from ledger.reports.fact_sentences import tell
from ledger.reports.phrases import calendar_date, tenths
from ledger.reports.round_view import RoundView


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineRow:
    """A line of a timeline.

    ``local`` is the property's time, ``facts`` the numbers of what stands in the line;
    ``is_marked`` says that a finding rests on it, ``is_gap`` that facts are missing here.
    """

    local: str
    facts: str
    words: str
    is_marked: bool = False
    is_gap: bool = False


def timeline(seen: RoundView, clock: PropertyClock) -> Table:
    """The round's facts in merged order, in the property's local time, as a table for people."""
    table = Table(box=None, show_header=False, padding=(0, 1), pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, style="dim", justify="right")
    table.add_column(no_wrap=True, style="bold red")
    table.add_column(ratio=1, overflow="fold")
    for row in timeline_rows(seen, clock):
        style = "bold magenta" if row.is_gap else "bold" if row.is_marked else ""
        sign = "?" if row.is_gap else "►" if row.is_marked else ""
        table.add_row(row.local, row.facts, sign, Text(row.words, style=style))
    return table


def timeline_rows(seen: RoundView, clock: PropertyClock) -> Iterator[TimelineRow]:
    """The lines of a timeline; a new calendar date has a line of its own."""
    marked = {ref for finding in seen.result.findings for ref in finding.facts}
    gaps = sorted(seen.gaps, key=lambda gap: gap.ends_at or seen.ends_at)
    table, day = seen.result.table, seen.result.gaming_day
    for step in seen.steps:
        while gaps and gaps[0].ends_at is not None and gaps[0].ends_at <= step.at:
            yield _gap_row(gaps.pop(0), seen, clock)
        local = clock.local(step.fact.event_time)
        if local.date() != day:
            day = local.date()
            yield TimelineRow(local="", facts="", words=calendar_date(day))
        yield TimelineRow(
            local=tenths(local),
            facts=f"{step.fact.stream.removeprefix(table)}:{step.fact.seq}",
            words=tell(step.fact, clock),
            is_marked=ref_of(step.fact) in marked,
        )
    for gap in gaps:
        yield _gap_row(gap, seen, clock)


# ------------------------------------------------------------------ gaps


def _gap_row(gap: DoubtBegins, seen: RoundView, clock: PropertyClock) -> TimelineRow:
    side = gap.stream.removeprefix(seen.result.table)
    return TimelineRow(
        local="" if gap.at is None else tenths(clock.local(gap.at)),
        facts=f"{side}:{_numbers(gap)}",
        words=gap_words(gap, seen, clock),
        is_gap=True,
    )


def _numbers(gap: DoubtBegins) -> str:
    is_single = gap.first_seq == gap.last_seq
    return str(gap.first_seq) if is_single else f"{gap.first_seq}-{gap.last_seq}"


def gap_words(gap: DoubtBegins, seen: RoundView, clock: PropertyClock) -> str:
    """What is missing, for how long, and what later facts say of it.

    Args:
        gap: the missing or conflicting numbers of a stream.
        seen: the round, for wagers that were settled and never placed.
        clock: the property's, for local times.
    """
    name = f"{gap.stream}:{_numbers(gap)}"
    if gap.kind is Doubt.CONFLICT:
        return f"Two different records carry the number {name}. Which one is true is unknown."
    count = gap.last_seq - gap.first_seq + 1
    facts = f"{plural(count, 'fact')} {'is' if count == 1 else 'are'} missing"
    after = "" if gap.at is None else f"after {tenths(clock.local(gap.at))}"
    until = "" if gap.ends_at is None else f"before {tenths(clock.local(gap.ends_at))}"
    span = " and ".join(part for part in (after, until) if part)
    long = ""
    if gap.at is not None and gap.ends_at is not None:
        long = f", {duration_words(gap.ends_at - gap.at)} without a record"
    words = f"{facts}{f' {span}' if span else ''}{long} ({name})."
    unplaced = sorted(_settled_unplaced(seen))
    if unplaced:
        verb = "was settled" if len(unplaced) == 1 else "were settled"
        words += f" {', '.join(unplaced)} {verb}, but no record shows the wager being placed."
    return words


def _settled_unplaced(seen: RoundView) -> set[str]:
    settled = {step.fact.wager_id for step in seen.steps if isinstance(step.fact, WagerSettled)}
    return settled - {wager.wager_id for wager in seen.result.wagers}
