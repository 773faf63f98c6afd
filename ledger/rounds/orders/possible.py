"""The orders of a table's facts that clocks allow."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from ledger.events import Fact
from ledger.house.clocks import Clocks
from ledger.kernel import FactRef, ref_of
from ledger.replay import FactStep
from ledger.rounds.orders.known_order import known
from ledger.rounds.orders.order_matters import moved, put_off


def movers_of(
    clocks: Clocks, steps: Sequence[FactStep], bound: Container[FactRef] = ()
) -> list[FactStep] | None:
    """Return the last of these steps and what must precede it, if all may precede the first.

    Args:
        clocks: how far the clocks may be off.
        steps: facts in merged order, at least two.
        bound: facts that surely did not precede the first.

    Returns:
        The steps that move, in merged order; None if one of them surely followed the first.
    """
    movers = [steps[-1]]
    for step in reversed(steps[1:-1]):
        if ref_of(step.fact) not in bound and any(
            known(clocks, step.fact, one.fact) for one in movers
        ):
            movers.append(step)
    movers.reverse()
    return None if any(known(clocks, steps[0].fact, one.fact) for one in movers) else movers


def other_orders(
    clocks: Clocks, steps: Sequence[FactStep], movers: Sequence[FactStep]
) -> Iterator[list[FactStep]]:
    """Yield orders in which the last step precedes the first.

    Either it came earlier, or the first came later, or both. The moved facts have other times.

    Args:
        clocks: how far the clocks may be off.
        steps: facts in merged order.
        movers: what ``movers_of`` returned for them.
    """
    first, last = steps[0], steps[-1]
    early = [one for one in steps if one not in movers]
    stay = [first]
    for step in steps[1:]:
        if any(known(clocks, one.fact, step.fact) for one in stay):
            stay.append(step)
    late = [one for one in steps if one not in stay]
    sooner = _put(movers, moved([one.fact for one in movers], first.fact.event_time - 1), first.at)
    later = _put(stay, put_off([one.fact for one in stay], last.fact.event_time + 1), last.at)
    yield [*sooner, *early]
    yield [*late, *later]
    if len(steps) > len(movers) + len(stay):
        yield [*sooner, *(one for one in late if one not in movers), *later]


def _put(steps: Sequence[FactStep], facts: Sequence[Fact], at: int) -> list[FactStep]:
    """Return these steps with other facts, all merged at one moment."""
    return [FactStep(fact, step.position, at) for step, fact in zip(steps, facts, strict=True)]
