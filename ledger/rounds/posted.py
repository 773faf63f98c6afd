"""People and cameras at a table: what hangs on whether they came or went before a fact.

Such a fact holds for every round after it, so its order is asked also beyond the opening of a
round: as if it had come only after the fact that is judged. The room's functions are pure.
Law: the Ledger contract, L.5. Readings: clock-drift.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from ledger.events import (
    CameraAssigned,
    CameraLost,
    CameraRestored,
    Fact,
    StaffAssigned,
    StaffRelieved,
)
from ledger.games.room import Breach, Room, Rules
from ledger.house import Office
from ledger.rounds.order import Lately, apart_of, unsure

POSTS: Final = frozenset({StaffAssigned, StaffRelieved, CameraAssigned, CameraLost, CameraRestored})
"""The facts of people and cameras that come or go."""


@dataclass(slots=True)
class Posted:
    """A person or a camera that came or went, and the duties told to hang on when."""

    fact: Fact
    told: set[str] = field(default_factory=set)


def undone(fact: Fact) -> Fact | None:
    """The fact that takes another one back; None for a fact of no person and no camera."""
    head: dict[str, Any] = {
        "stream": fact.stream, "seq": fact.seq, "event_time": fact.event_time,
        "source": fact.source, "recorded_by": fact.recorded_by,
    }  # fmt: skip
    match fact:
        case StaffAssigned():
            return StaffRelieved(**head, role=fact.role, person=fact.person, relieved_by=None)
        case StaffRelieved():
            return StaffAssigned(**head, role=fact.role, person=fact.person)
        case CameraAssigned() | CameraRestored():
            return CameraLost(**head, camera=fact.camera)
        case CameraLost():
            return CameraRestored(**head, camera=fact.camera)
        case _:
            return None


def hanging_on_posts(
    room: Room, rules: Rules, office: Office, posted: list[Posted], now: Lately,
    breaches: list[Breach],
) -> list[Breach]:  # fmt: skip
    """The breaches of a fact, those unknown that hang on a post of another clock.

    Args:
        room: of the table.
        rules: in force.
        office: what is known of the clocks.
        posted: who came or went before, near enough, and beyond the reach of ``turned``.
        now: the fact, the room's state before it, its rulings.
        breaches: of the fact so far.
    """
    fact = now.fact
    for post in posted:
        apart = apart_of(office, post.fact, fact)
        back = undone(post.fact) if apart else None
        if apart is None or back is None:
            continue
        with_it = _breaches(room, rules, room.evolve(now.before, post.fact), fact)
        without = _breaches(room, rules, room.evolve(now.before, back), fact)
        falls = with_it.keys() - without.keys()
        breaches = [
            unsure(one, fact, apart) if _key(one) in falls and one.interval is None else one
            for one in breaches
        ]
        for key in sorted(without.keys() - with_it.keys()):
            if key[0] not in post.told:
                post.told.add(key[0])
                breaches.append(unsure(without[key], fact, apart))
    return breaches


_Key = tuple[str, str]


def _key(breach: Breach) -> _Key:
    return breach.duty.code, breach.duty.cite.section


def _breaches(room: Room, rules: Rules, state: Any, fact: Fact) -> dict[_Key, Breach]:
    rulings = room.decide(rules, state, fact)
    return {_key(one): one for one in rulings if isinstance(one, Breach)}
