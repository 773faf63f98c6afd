"""Who dealt and what was in use at one table, moment by moment, as its own facts say.

Nothing here is a rule: it only helps to name what findings have in common. After a doubt nobody is
known to deal until staff is assigned again.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import field
from typing import Final, Generic, TypeVar

from ledger import events
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import DoubtBegins, FactStep, Replay

LOOKED_BACK: Final = 3 * 24 * 3600 * 1_000_000
"""How long before the day is looked for who and what came to a table, in microseconds."""
SEEN: Final = (
    events.DeckPlaced,
    events.DeckRemoved,
    events.DiceSetPlaced,
    events.DiceSetRemoved,
    events.ShakerPlaced,
    events.ShakerRemoved,
    events.StaffAssigned,
    events.StaffRelieved,
    events.TableClosed,
    events.TableOpened,
    events.WheelPlaced,
    events.WheelRemoved,
)


Value = TypeVar("Value")


@dataclass(slots=True)
class Line(Generic[Value]):
    """One thing over time: what it was from each moment on, None where that is not known."""

    times: list[int] = field(default_factory=list)
    values: list[Value | None] = field(default_factory=list)

    def say(self, at: int, state: Value | None) -> None:
        """From now on it is this."""
        self.times.append(at)
        self.values.append(state)

    def at(self, moment: int) -> Value | None:
        """What it was at a moment."""
        place = bisect_right(self.times, moment)
        return self.values[place - 1] if place else None


@dataclass(slots=True)
class TableTimeline:
    """One table; ``dealers`` are the credentials of those who held the role."""

    game: Line[str] = field(default_factory=Line)
    dealers: Line[frozenset[str]] = field(default_factory=Line)
    dice: Line[str] = field(default_factory=Line)
    shaker: Line[str] = field(default_factory=Line)
    wheel: Line[str] = field(default_factory=Line)
    deck: Line[str] = field(default_factory=Line)

    def take(self, fact: events.Fact, at: int) -> None:
        """Follow one fact."""
        standing: frozenset[str] = (self.dealers.values[-1] if self.dealers.values else None) or (
            frozenset()
        )
        match fact:
            case events.TableOpened():
                self.game.say(at, fact.game)
            case events.StaffAssigned(role=events.Role.DEALER):
                self.dealers.say(at, standing | {fact.person})
            case events.StaffRelieved(role=events.Role.DEALER):
                self.dealers.say(at, standing - {fact.person})
            case events.DiceSetPlaced():
                named = [die.serial or die.colour or "?" for die in fact.dice]
                self.dice.say(at, shortened(named))
            case events.DiceSetRemoved():
                self.dice.say(at, None)
            case events.ShakerPlaced():
                self.shaker.say(at, fact.shaker)
            case events.ShakerRemoved():
                self.shaker.say(at, None)
            case events.WheelPlaced():
                self.wheel.say(at, fact.wheel)
            case events.WheelRemoved():
                self.wheel.say(at, None)
            case events.DeckPlaced():
                self.deck.say(at, fact.deck)
            case events.DeckRemoved():
                self.deck.say(at, None)
            case _:
                pass


def timeline_of(replay: Replay, table: str, begins: int, ends: int) -> TableTimeline:
    """What the facts of a table say up to a day's end.

    Args:
        replay: the ledger's.
        table: which table.
        begins: first microsecond of the gaming day.
        ends: the first one after it.
    """
    timeline = TableTimeline()
    streams = replay.tables().get(table, ())
    names = [kind.__name__ for kind in SEEN]
    for step in replay.walk(streams, since=begins - LOOKED_BACK, until=ends, only=names):
        if isinstance(step, FactStep):
            timeline.take(step.fact, step.at)
        elif isinstance(step, DoubtBegins) and step.at is not None:
            timeline.dealers.say(step.at, None)
    return timeline


def shortened(named: list[str]) -> str:
    """Several names in few characters: what they begin with stands once."""
    if len(named) < 2:
        return named[0] if named else "?"
    shared = 0
    while all(len(one) > shared and one[shared] == named[0][shared] for one in named):
        shared += 1
    shared = max(named[0].rfind(mark, 0, shared) for mark in "-_/. ") + 1
    return named[0][:shared] + "/".join(one[shared:] for one in named)
