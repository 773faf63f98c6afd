"""The orders of a table's facts that clocks allow; a walk read ahead, so that they are known."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from ledger.events import Fact
from ledger.house.clocks import Clocks
from ledger.replay import FactStep
from ledger.rounds.commute import moved

if TYPE_CHECKING:
    from ledger.rounds.play import TablePlay

Step = TypeVar("Step")


def looking_ahead(play: TablePlay, steps: Iterable[Step]) -> Iterator[Step]:
    """The steps of a walk as they are, while the play is told what comes soon."""
    reach, lanes = play.reach, play.lanes
    if lanes is None:
        yield from steps
        return
    coming = lanes.coming
    waiting: deque[tuple[int, Step]] = deque()
    at = 0
    for step in steps:
        if isinstance(step, FactStep):
            at = step.at
            coming.append(step)
        waiting.append((at, step))
        while waiting[0][0] <= at - reach:
            yield _next(waiting, coming)
    while waiting:
        yield _next(waiting, coming)


def _next(waiting: deque[tuple[int, Step]], coming: deque[FactStep]) -> Step:
    step = waiting.popleft()[1]
    if isinstance(step, FactStep):
        coming.popleft()
    return step


def _known(clocks: Clocks, first: FactStep, later: FactStep) -> bool:
    """Whether one fact surely came before another that follows it in the record."""
    return clocks.apart(first.fact, later.fact) is None


def movers_of(clocks: Clocks, steps: Sequence[FactStep]) -> list[FactStep] | None:
    """The last of these steps, and all that came before it, if they may have preceded the first."""
    movers = [steps[-1]]
    for step in reversed(steps[1:-1]):
        if any(_known(clocks, step, one) for one in movers):
            movers.append(step)
    movers.reverse()
    return None if any(_known(clocks, steps[0], one) for one in movers) else movers


def other_orders(
    clocks: Clocks, steps: Sequence[FactStep], movers: Sequence[FactStep]
) -> Iterator[list[FactStep]]:
    """These steps, the last before the first: it came earlier, the first came later, or both."""
    first, last = steps[0], steps[-1]
    early = [one for one in steps if one not in movers]
    stay = [first]
    for step in steps[1:]:
        if any(_known(clocks, one, step) for one in stay):
            stay.append(step)
    late = [one for one in steps if one not in stay]
    begins, ends = first.fact.event_time - 1, last.fact.event_time + 1
    sooner = [FactStep(moved(one.fact, begins), one.position, first.at) for one in movers]
    later = [FactStep(_put_off(one.fact, ends), one.position, last.at) for one in stay]
    yield [*sooner, *early]
    yield [*late, *later]
    if len(steps) > len(movers) + len(stay):
        yield [*sooner, *(one for one in late if one not in movers), *later]


def _put_off(fact: Fact, at: int) -> Fact:
    return fact if fact.event_time >= at else replace(fact, event_time=at)
