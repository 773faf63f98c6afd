"""People and cameras that come or go just after a round was closed: it may yet hang on them.

A walk is read a little ahead, as far as the clocks of the table's terminals can be off, so that a
round is closed in the knowledge of who came or went by another clock within that time.
Law: the Ledger contract, L.5. Readings: clock-drift.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from ledger.events import Fact
from ledger.replay import FactStep
from ledger.rounds.order import Hanging, Lately, turned
from ledger.rounds.posted import POSTS
from ledger.rounds.reorder import restate

if TYPE_CHECKING:
    from ledger.rounds.play import TablePlay

Step = TypeVar("Step")


def looking_ahead(play: TablePlay, steps: Iterable[Step]) -> Iterator[Step]:
    """The steps of a walk as they are, while the play is told who comes or goes soon."""
    reach, coming = play.reach, play.coming
    if not reach:
        yield from steps
        return
    waiting: deque[tuple[int, Step]] = deque()
    at = 0
    for step in steps:
        if isinstance(step, FactStep):
            at = step.at
            if type(step.fact) in POSTS:
                coming.append(step.fact)
        waiting.append((at, step))
        while waiting[0][0] <= at - reach:
            yield _next(waiting, coming)
    while waiting:
        yield _next(waiting, coming)


def _next(waiting: deque[tuple[int, Step]], coming: list[Fact]) -> Step:
    step = waiting.popleft()[1]
    if isinstance(step, FactStep) and coming and step.fact is coming[0]:
        del coming[0]
    return step


def hanging_on_what_comes(play: TablePlay) -> list[Hanging]:
    """What may have to be told of the facts before a firm one, by who comes or goes after it.

    What is told of them already and may not hold is restated.
    """
    room, house, now = play.room, play.house, play.round
    if room is None or house is None or not play.lately:
        return []
    last = play.lately[-1][0].event_time
    rules = now.rules if now is not None else house.rules(play.days.day or play.days.of(last), last)
    out: dict[tuple[object, ...], Hanging] = {}
    before: list[Lately] = []
    for fact in play.coming:
        post, since = Lately(fact, None, ()), fact.event_time - play.reach
        near = [Lately(*one) for one in play.lately if one[0].event_time > since]
        own = [one for one in before if one.fact.source == fact.source]
        before.append(post)
        found = turned(room, rules, play.office, [*near, *own], post) if near else None
        if found is None:
            continue
        held = {(one.fact.stream, one.fact.seq) for one in near}
        for one in found.falls:
            restate(play, one, now)
        for one in found.comes:
            ref, duty = (one.fact.stream, one.fact.seq), one.breach.duty
            if ref in held:  # what it means for itself is told where it stands
                out.setdefault((duty.code, duty.cite.section, ref), one)
    return list(out.values())
