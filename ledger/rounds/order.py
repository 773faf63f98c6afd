"""What hangs on an order that the clocks of two sources leave open.

Two facts of different sources that lie closer than their joint uncertainty may have happened the
other way round. The room is asked again with each such order: what it rules in one and not in
another is unknown. The room's functions are pure, so nothing has to be undone.
Law: the Ledger contract, L.5; the rooms' own rows. Readings: clock-drift.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ledger.events import Fact, WheelSpun
from ledger.games.room import (
    Annulled,
    Breach,
    ByPosition,
    Decided,
    DecidedSome,
    Multiplied,
    Returned,
    Room,
    Rules,
    Ruling,
    Undecidable,
)
from ledger.house import Office
from ledger.house.clocks import Apart, interval
from ledger.kernel import Certainty, FactRef

DECIDING = (Annulled, ByPosition, Decided, DecidedSome, Multiplied, Returned, Undecidable)
"""The rulings that settle a round or take its settlement away."""


class Lately(NamedTuple):
    """A fact that a later one may yet have preceded: the room's state before it, its rulings."""

    fact: Fact
    before: Any
    rulings: tuple[Ruling, ...]


@dataclass(frozen=True, slots=True)
class Hanging:
    """A breach that holds in one order only, the fact that it is told of, and the interval."""

    fact: Fact
    breach: Breach
    apart: Apart

    def told(self) -> Breach:
        """The breach as it is told: unknown, with the interval."""
        return unsure(self.breach, self.fact, self.apart)


@dataclass(slots=True)
class Turned:
    """What other orders change: breaches that would fall, that would come, and the outcome."""

    falls: list[Hanging]
    comes: list[Hanging]
    outcome: Apart | None = None


def unsure(breach: Breach, fact: Fact, apart: Apart) -> Breach:
    """A breach that hangs on an order that is not known."""
    return replace(
        breach,
        facts=breach.facts or (FactRef(fact.stream, fact.seq),),
        certainty=Certainty.UNKNOWN,
        effect_cents=None,
        interval=interval(apart),
    )


def apart_of(office: Office, first: Fact | None, fact: Fact) -> Apart | None:
    """How far a fact lies from another one, where the clocks leave their order open."""
    return None if first is None else office.clocks.apart(first, fact)


def turned(
    room: Room, rules: Rules, office: Office, lately: Sequence[Lately], now: Lately
) -> Turned | None:
    """Ask the room for every order that the clocks allow; None where they leave no doubt."""
    tail = [*lately, now]
    found: Turned | None = None
    for place, other in enumerate(lately):
        apart = apart_of(office, other.fact, now.fact)
        order = _other_order(office, tail[place:], now.fact.source) if apart else None
        if apart is None or order is None:
            continue
        found = found or Turned([], [])
        held = _keyed((one.fact, one.rulings) for one in tail[place:])
        then = _keyed(_asked(room, rules, other.before, order))
        known = {_key(one.fact, one.breach) for one in (*found.falls, *found.comes)}
        for ours, theirs, into in ((held, then, found.falls), (then, held, found.comes)):
            into.extend(
                Hanging(fact, breach, apart)
                for key, (fact, breach) in ours.breaches.items()
                if key not in theirs.breaches and key not in known
            )
        if held.decided != then.decided:
            found.outcome = found.outcome or apart
    return found


def started(
    room: Room, rules: Rules, office: Office, closed: Fact | None, now: Lately
) -> Turned | None:
    """A spin is told when it ends; the clocks may leave open if it began before betting closed."""
    fact = now.fact
    if not isinstance(fact, WheelSpun) or fact.started_time is None or closed is None:
        return None
    begun = replace(fact, event_time=fact.started_time)
    apart = apart_of(office, closed, begun)
    if apart is None:
        return None
    other = closed.event_time + (1 if fact.started_time < closed.event_time else -1)
    held = _keyed([(fact, now.rulings)])
    then = _keyed([(fact, room.decide(rules, now.before, replace(fact, started_time=other)))])
    found = Turned([], [])
    for ours, theirs, into in ((held, then, found.falls), (then, held, found.comes)):
        into.extend(
            Hanging(fact, breach, apart)
            for key, (_, breach) in ours.breaches.items()
            if key not in theirs.breaches
        )
    return found


def _other_order(office: Office, tail: Sequence[Lately], source: str) -> list[Fact] | None:
    """The facts of one source before those of the others, if the clocks allow it."""
    others: list[Fact] = []
    movers: list[Fact] = []
    for one in tail:
        if one.fact.source != source:
            others.append(one.fact)
            continue
        if any(apart_of(office, other, one.fact) is None for other in others):
            return None
        movers.append(one.fact)
    before = others[0].event_time - 1  # rooms may compare times too
    moved = [one if one.event_time <= before else replace(one, event_time=before) for one in movers]
    return [*moved, *others]


def _asked(
    room: Room, rules: Rules, state: Any, facts: Iterable[Fact]
) -> list[tuple[Fact, tuple[Ruling, ...]]]:
    """What the room rules of facts in this order."""
    out = []
    for fact in facts:
        rulings = room.decide(rules, state, fact)
        state = room.evolve(state, fact)
        for ruling in rulings:
            state = room.evolve(state, ruling)
        out.append((fact, rulings))
    return out


_Key = tuple[str, str, frozenset[FactRef], str | None]


@dataclass(slots=True)
class _Ruled:
    breaches: dict[_Key, tuple[Fact, Breach]]
    decided: list[str]


def _keyed(ruled: Iterable[tuple[Fact, tuple[Ruling, ...]]]) -> _Ruled:
    out = _Ruled({}, [])
    for fact, rulings in ruled:
        for ruling in rulings:
            if isinstance(ruling, Breach):
                out.breaches[_key(fact, ruling)] = (fact, ruling)
            elif isinstance(ruling, DECIDING):
                out.decided.append(repr(ruling))
    return out


def _key(fact: Fact, breach: Breach) -> _Key:
    facts = frozenset(breach.facts or (FactRef(fact.stream, fact.seq),))
    return (breach.duty.code, breach.duty.cite.section, facts, breach.wager)
