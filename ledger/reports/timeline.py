"""The facts of a round on a clock: alike ones folded, those of a finding never."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich.table import Table
from rich.text import Text

from ledger.events import Fact, WagerPlaced, WagerSettled
from ledger.kernel import FactRef, PropertyClock, ref_of
from ledger.replay import FactStep
from ledger.reports.told import short_dollars, tell

FOLDED_FROM: Final = 3
"""So many alike facts in a row become one line."""


def timeline(
    steps: Sequence[FactStep], marked: Iterable[FactRef], clock: PropertyClock, table: str
) -> Table:
    """The facts in merged order, in the property's local time.

    Args:
        steps: the facts.
        marked: those that findings rest on.
        clock: the property's.
        table: the streams of a table are named by what follows its name.
    """
    out = Table(box=None, show_header=False, padding=(0, 1), pad_edge=False)
    out.add_column(no_wrap=True)
    out.add_column(no_wrap=True, style="dim", justify="right")
    out.add_column(no_wrap=True, style="bold red")
    out.add_column(ratio=1)
    for one in told_lines(steps, marked, clock, table):
        said = Text(one.said, style="bold" if one.marked and one.single else "")
        out.add_row(one.local, one.facts, "►" if one.marked else "", said)
    return out


@dataclass(frozen=True, slots=True)
class Told:
    """A line of the timeline: local time, facts, whether a finding rests on them, what they say."""

    local: str
    facts: str
    marked: bool
    single: bool
    said: str


def told_lines(
    steps: Sequence[FactStep], marked: Iterable[FactRef], clock: PropertyClock, table: str
) -> Iterator[Told]:
    """The lines of a timeline, as ``timeline`` shows them."""
    held = frozenset(marked)
    for run in _runs(steps, held):
        fact = run[0].fact
        numbers = str(fact.seq) if len(run) == 1 else f"{fact.seq}-{run[-1].fact.seq}"
        side = fact.stream.removeprefix(table)
        local = f"{clock.local(fact.event_time):%H:%M:%S.%f}"[:-5]
        is_held = ref_of(fact) in held
        yield Told(local, f"{side}:{numbers}", is_held, len(run) == 1, _said(run))


def _said(run: Sequence[FactStep]) -> str:
    if len(run) == 1:
        return tell(run[0].fact)
    first = run[0].fact
    if isinstance(first, WagerPlaced):
        stakes = sum(s.fact.stake_cents for s in run if isinstance(s.fact, WagerPlaced))
        return f"{len(run)} wagers placed, {short_dollars(stakes)} in all"
    settled = [s.fact for s in run if isinstance(s.fact, WagerSettled)]
    paid = sum(fact.winnings_cents for fact in settled)
    taken = sum(fact.stake_taken_cents for fact in settled)
    said = f"{len(run)} wagers settled as {_outcome(first)}"
    said += f", paid {short_dollars(paid)}" if paid else ""
    said += f", took {short_dollars(taken)}" if taken else ""
    return said


def _runs(steps: Sequence[FactStep], held: frozenset[FactRef]) -> list[list[FactStep]]:
    """Neighbours that are told in one line."""
    runs: list[list[FactStep]] = []
    for step in steps:
        if runs and _alike(runs[-1][-1].fact, step.fact, held):
            runs[-1].append(step)
        else:
            runs.append([step])
    return [part for run in runs for part in (_parts(run))]


def _parts(run: list[FactStep]) -> list[list[FactStep]]:
    return [run] if len(run) >= FOLDED_FROM else [[step] for step in run]


def _alike(one: Fact, other: Fact, held: frozenset[FactRef]) -> bool:
    if type(one) is not type(other) or one.stream != other.stream:
        return False
    if not isinstance(one, WagerPlaced | WagerSettled) or other.seq != one.seq + 1:
        return False
    if {ref_of(one), ref_of(other)} & held:
        return False
    return _outcome(one) == _outcome(other)


def _outcome(fact: Fact) -> str:
    return fact.outcome.lower() if isinstance(fact, WagerSettled) else ""
