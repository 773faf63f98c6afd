"""Whether it matters which of two facts came first; asked cheaply, before a play is taken twice.

A "yes" may be wrong, a "no" never: the room is asked itself, house, book and desk by the kinds of
facts that they hold against each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from ledger.events import (
    BettingOpened,
    Fact,
    LimitsChangeAnnounced,
    LimitsSet,
    LimitsSignPosted,
    LimitsSignRemoved,
    PatronsCounted,
    PositionLeft,
    PositionTaken,
    TableClosed,
    TableOpened,
)
from ledger.games.room import Breach, Ruling
from ledger.rounds.book import WAGER_FACTS
from ledger.rounds.coupons import COUPON_FACTS
from ledger.rounds.fork import alike

if TYPE_CHECKING:
    from ledger.games.room import Rules
    from ledger.rounds.play import TablePlay

FIRM: Final = frozenset({BettingOpened, TableOpened, TableClosed})
"""The facts that begin or end a round."""
LAYING: Final = WAGER_FACTS | COUPON_FACTS
"""The facts that book and desk follow."""
STAKED: Final = frozenset(
    {
        *(LimitsChangeAnnounced, LimitsSet, LimitsSignPosted, LimitsSignRemoved),
        *(PatronsCounted, PositionLeft, PositionTaken),
    }
)
"""The facts of the house that a stake is held against, or that are held against one."""


def matters(play: TablePlay, fact: Fact, movers: Sequence[Fact]) -> bool:
    """Whether a play can come to anything else if these facts come before the one they followed."""
    room, house = play.room, play.house
    if room is None or house is None:
        return type(fact) in FIRM or any(type(one) in FIRM for one in movers)
    if any(_beside(play, fact, one) for one in movers):
        return True
    at = fact.event_time
    rules = house.rules(play.round.day if play.round else play.days.day or play.days.of(at), at)
    held, then = _Asked(play, rules), _Asked(play, rules)
    held.take(fact)
    if held.state == play.state and not held.rulings and not _followed(play, fact):
        return False
    for one in movers:
        held.take(one)
    for one in (*moved(movers, at - 1), fact):
        then.take(one)
    return (
        held.ruled != then.ruled
        or not alike(held.state, then.state, play.reach)
        or (any(type(one) in LAYING for one in (fact, *movers)) and held.turns)
    )


def moved(facts: Sequence[Fact], until: int) -> list[Fact]:
    """Facts put earlier, as by a clock that is off, so that the last comes at a moment."""
    off = max(0, facts[-1].event_time - until)
    return [replace(one, event_time=one.event_time - off) for one in facts] if off else [*facts]


def put_off(facts: Sequence[Fact], since: int) -> list[Fact]:
    """Facts put later, as by a clock that is off, so that the first comes at a moment."""
    off = max(0, since - facts[0].event_time)
    return [replace(one, event_time=one.event_time + off) for one in facts] if off else [*facts]


def _followed(play: TablePlay, fact: Fact) -> bool:
    """Whether house, book, desk or the cutting of rounds follow a fact."""
    kind = type(fact)
    return kind in LAYING or kind in FIRM or (play.house is not None and play.house.minds(kind))


def _beside(play: TablePlay, one: Fact, other: Fact) -> bool:
    """Whether house, book or desk may hold two facts against each other."""
    first, second = type(one), type(other)
    house = play.house
    assert house is not None
    if first in LAYING and second in LAYING:
        same = getattr(one, "wager_id", None) == getattr(other, "wager_id", None)
        return same or first in COUPON_FACTS or second in COUPON_FACTS or _coupons(play, one, other)
    mind_one, mind_other = house.minds(first), house.minds(second)
    if first in LAYING or second in LAYING:
        return bool({first, second} & (STAKED | FIRM))
    if first in FIRM or second in FIRM:
        return (first in FIRM and second in FIRM) or (mind_one and mind_other)
    return mind_one and mind_other


def _coupons(play: TablePlay, *facts: Fact) -> bool:
    return play.with_coupons() or any(getattr(one, "coupons", ()) for one in facts)


class _Asked:
    """What a room rules of facts in an order, by itself."""

    def __init__(self, play: TablePlay, rules: Rules) -> None:
        assert play.room is not None
        self.room, self.rules = play.room, rules
        self.state: Any = play.state
        self.ruled: dict[tuple[str, int], tuple[Ruling, ...]] = {}
        self.turns = self.rulings = False

    def take(self, fact: Fact) -> None:
        """One more fact; ``turns`` says that one of the room bears on wagers."""
        room, before = self.room, self.state
        rulings = room.decide(self.rules, before, fact)
        state = room.evolve(before, fact)
        for ruling in rulings:
            state = room.evolve(state, ruling)
        self.state = state
        self.ruled[fact.stream, fact.seq] = rulings
        self.rulings |= bool(rulings)
        if type(fact) not in LAYING and not self.turns and state is not before:
            self.turns = (
                before.betting_open != state.betting_open
                or before.knowable != state.knowable
                or room.closed_to is not None
                or any(not isinstance(ruling, Breach) for ruling in rulings)
            )
