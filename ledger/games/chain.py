"""Telling a room facts as a replay does, to follow a game of several throws to its end.

No rule is applied here: the chain is that of the room's own ``decide`` and ``evolve``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

from ledger.events import BettingOpened, WagerPlaced
from ledger.games.room import Decided, DecidedSome, Room, Rules


@dataclass(frozen=True, slots=True)
class Reached:
    """A state that the room reached, and what it decided on the way."""

    state: Any
    decided: tuple[Decided, ...]


def tell(room: Room, rules: Rules, state: Any, facts: Iterable[Any]) -> Reached:
    """Tell a room some facts, as a replay does."""
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


def bare_fact(kind: type[Any], **known: Any) -> Any:
    """A fact of which no more is known than is said."""
    head = {"stream": "chain", "seq": 1, "event_time": 0, "source": "chain"}
    return kind(**({field.name: None for field in fields(kind)} | head | known))


def opened(*wagers: str) -> list[Any]:
    """Betting opens, and these wagers are laid."""
    return [
        bare_fact(BettingOpened),
        *(
            bare_fact(WagerPlaced, wager_id=name, wager=name, picks=(), stake_cents=100, coupons=())
            for name in wagers
        ),
    ]


def bare_die(kind: type[Any], **known: Any) -> Any:
    """A die of which no more is known than is said."""
    return kind(**({field.name: None for field in fields(kind)} | known))
