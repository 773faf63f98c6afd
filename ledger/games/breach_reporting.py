"""What every room does in the same way: report a broken duty once a round, and a step out of order.

What an accident leads to is never here: each chapter has its own effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Protocol, TypeVar

from ledger.events import Fact, WagerIncreased, WagerReturned, WagerTakenDown
from ledger.games.room import Breach, Rules, Ruling, Step
from ledger.kernel import FactRef, event_words, ref_of

Steps = Mapping[tuple[str, type[Fact]], Step]
"""The rows of a room's ``PHASES`` by phase and kind of fact."""
PhaseOf = TypeVar("PhaseOf", bound=StrEnum)


class Judged(Protocol):
    """A room's state that knows which breaches of the round are reported, by code."""

    @property
    def reported(self) -> frozenset[str]:
        """The codes of the duties that this round has broken already."""


class Stepping(Judged, Protocol):
    """A room's state that knows the phase of its round."""

    @property
    def phase(self) -> StrEnum:
        """The phase, a member of the room's own ``Phase``."""


def steps_of(phases: Iterable[Step]) -> Steps:
    """Return a room's rows of ``PHASES`` by what is looked up: the phase and the kind of fact."""
    return {(step.phase, step.fact): step for step in phases}


def breach(
    rules: Rules, name: str, fact: Fact | FactRef, *earlier: FactRef | None, **details: Any
) -> Breach:
    """Return the ruling that a duty of the room was not kept.

    Args:
        rules: in which the duty stands.
        name: the duty as ``Rules.duty`` names it: by code, or by code, section and part.
        fact: the fact that broke it.
        earlier: facts before that one on which the breach rests; None is left out.
        details: what else a ``Breach`` holds: observed, expected, wager, certainty, effect_cents.

    Raises:
        KeyError: the room has no such duty.
    """
    at = fact if isinstance(fact, FactRef) else ref_of(fact)
    facts = tuple(dict.fromkeys((*(ref for ref in earlier if ref is not None), at)))
    return Breach(duty=rules.duty(name), facts=facts, **details)


def once(
    rules: Rules, state: Judged, fact: Fact, name: str, *earlier: FactRef | None, **details: Any
) -> tuple[Breach, ...]:
    """Return the ruling of ``breach``, or nothing if the round broke a duty of that code before.

    Args:
        rules: in which the duty stands.
        state: which codes the round has reported.
        fact: the fact that broke it.
        name: the duty as ``Rules.duty`` names it.
        earlier: facts before that one on which the breach rests; None is left out.
        details: what else a ``Breach`` holds.

    Raises:
        KeyError: the room has no such duty.
    """
    if rules.duty(name).code in state.reported:
        return ()
    return (breach(rules, name, fact, *earlier, **details),)


def judge_step(
    rules: Rules, state: Stepping, fact: Fact, steps: Steps, **details: Any
) -> tuple[Ruling, ...]:
    """Judge whether a fact may come in the phase that the round has reached.

    A fact that the phase does not list is out of order. A row that names a duty breaks that duty.

    Args:
        rules: in which the duties stand.
        state: the phase of the round, and what it has reported.
        fact: what came.
        steps: the room's rows by phase and kind of fact.
        details: what a breach of the row's own duty states as observed and expected.
    """
    step = steps.get((state.phase, type(fact)))
    if step is None:
        observed, expected = event_words(type(fact)), f"the round's phase was '{state.phase.value}'"
        return once(rules, state, fact, "fact_out_of_order", observed=observed, expected=expected)
    if step.breach is None:
        return ()
    return once(rules, state, fact, step.breach, **details)


def phase_after(steps: Steps, phase: PhaseOf, fact: Fact) -> PhaseOf:
    """Return the phase to which a fact moves the round; a fact out of order does not move it."""
    step = steps.get((phase, type(fact)))
    return phase if step is None else type(phase)(step.then)


def stake_after(cents: int, event: WagerIncreased | WagerTakenDown | WagerReturned) -> int:
    """Return what is left of a stake, in cents, after it was raised, lowered or handed back.

    A fact that records no amount takes all of it. Zero or less: nothing is left.
    """
    if isinstance(event, WagerIncreased):
        return cents + event.added_cents
    gone_cents = event.taken_cents if isinstance(event, WagerTakenDown) else event.returned_cents
    return 0 if gone_cents is None else cents - gone_cents
