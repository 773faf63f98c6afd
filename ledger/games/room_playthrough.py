"""Give a room facts as a replay does, to follow a game of several throws to its end.

No rule is applied here: the chain is that of the room's own ``decide`` and ``evolve``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from ledger.events import BettingOpened, Fact, WagerPlaced
from ledger.games.room import Decided, DecidedSome, Room, Rules
from ledger.kernel.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Reached:
    """A state that the room reached, and what it decided on the way."""

    state: Any
    decided: tuple[Decided, ...]


def tell(room: Room, rules: Rules, state: Any, facts: Iterable[Fact]) -> Reached:
    """Give a room some facts in order, as a replay does.

    Args:
        room: whose ``decide`` and ``evolve`` are asked.
        rules: by which it decides.
        state: the room's state before the first fact.
        facts: the facts in order.

    Returns:
        The state after the last fact, and each ``Decided`` on the way, in order.
    """
    decided: list[Decided] = []
    for fact in facts:
        rulings = room.decide(rules, state, fact)
        state = room.evolve(state, fact)
        for ruling in rulings:
            state = room.evolve(state, ruling)
            by = ruling.by if isinstance(ruling, DecidedSome) else ruling
            if isinstance(by, Decided):
                decided.append(by)
    return Reached(state, tuple(decided))


def bare_fact(kind: type[Fact], **known: Any) -> Any:
    """Return a fact of this kind that records only these fields; all others are None."""
    head = {"stream": "chain", "seq": 1, "event_time": 0, "source": "chain"}
    return kind(**({field.name: None for field in fields(kind)} | head | known))


def opened(*wagers: str) -> list[Fact]:
    """Return the facts that begin a round: betting opens, and a dollar is laid on each wager."""
    return [
        bare_fact(BettingOpened),
        *(
            bare_fact(WagerPlaced, wager_id=name, wager=name, picks=(), stake_cents=100, coupons=())
            for name in wagers
        ),
    ]


def bare_die(kind: type[Any], **known: Any) -> Any:
    """Return a die of this kind that records only these fields; all others are None."""
    return kind(**({field.name: None for field in fields(kind)} | known))
