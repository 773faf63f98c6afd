"""Whether it matters which of two facts came first: a cheap test before a play is forked.

A "yes" may be wrong, a "no" never. The room itself is asked; of the house, the wager book and the
coupon desk it is known which kinds of facts they compare with each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ledger import events
from ledger.games.room import Breach, Room, Rules, Ruling, State
from ledger.house.table import MINDS
from ledger.replay import FactStep
from ledger.rounds.orders.agreement import agree, alike
from ledger.rounds.orders.differences import ruled_alike, substance
from ledger.rounds.placed import COUPON_FACTS, WAGER_FACTS
from ledger.rounds.play import TablePlay

FIRM: Final = frozenset({events.BettingOpened, events.TableOpened, events.TableClosed})
"""The facts that begin or end a round."""
HOURS: Final = frozenset({events.TableOpened, events.TableClosed})
LAYING: Final = WAGER_FACTS | COUPON_FACTS
"""The facts that the wager book and the coupon desk follow."""
STAKED: Final = frozenset(
    {
        *(
            events.LimitsChangeAnnounced,
            events.LimitsSet,
            events.LimitsSignPosted,
            events.LimitsSignRemoved,
        ),
        *(events.PatronsCounted, events.PositionLeft, events.PositionTaken),
    }
)
"""The facts of the house that a stake is compared with."""


class Trial:
    """Whether it makes a difference that later facts precede one; asked for more and more facts.

    Facts that were tried before are taken first: their effect was judged then. At a table whose
    game is not known yet, each game that is filed for it is tried.

    Args:
        play: the play before the fact. It is not changed.
        step: the fact.
        reach: how far the table's clocks can be off, in microseconds.
    """

    def __init__(self, play: TablePlay, step: FactStep, reach: int) -> None:
        self.now, self.play, self.reach = step, play, reach
        self.taken: list[FactStep] = []
        self.plays = self._fresh()

    def _fresh(self) -> list[TablePlay]:
        play = self.play
        if play.state.room is not None:
            return [play]
        rooms = map(play.rooms.get, play.office.games_filed_for(play.table))
        return [_begun(play, room) for room in rooms if room is not None]

    def matters(self, movers: Sequence[FactStep]) -> bool:
        """Whether the play can come to anything else if these facts come first."""
        if self.taken and not all(one in movers for one in self.taken):
            self.taken, self.plays = [], self._fresh()
        new = [one for one in movers if one not in self.taken]
        last = self.now.fact.event_time
        (fact,) = put_off([self.now.fact], max(last, new[0].fact.event_time - 1))
        step = FactStep(fact, 0, new[0].at)
        matters = not self.plays or any(
            (
                play.state.house is None
                or _may_matter(play, fact, [one.fact for one in new], self.reach)
            )
            and _tried(play.fork(), play.fork(), step, new, self.reach)
            for play in self.plays
        )
        self._take(new)
        return matters

    def _take(self, steps: Sequence[FactStep]) -> None:
        self.plays = [one.fork() if one is self.play else one for one in self.plays]
        for play in self.plays:
            for step in steps:
                list(play.take(step.fact, step.at))
        self.taken += steps


def _begun(play: TablePlay, room: Room) -> TablePlay:
    """Return a fork of a play that waits for its game, as if this room's game had opened."""
    fork = play.fork()
    for _ in fork.begin(room):
        pass  # what was played there is reported when the game is known
    return fork


def _tried(
    play: TablePlay, other: TablePlay, step: FactStep, movers: Sequence[FactStep], reach: int
) -> bool:
    """Whether two copies of a play differ after taking the facts in either order."""
    ended = [result for each in (step, *movers) for result in play.take(each.fact, each.at)]
    (late,) = put_off([step.fact], movers[-1].fact.event_time + 1)
    order = [*movers, FactStep(late, 0, movers[-1].at)]
    others = [result for each in order for result in other.take(each.fact, each.at)]
    same = len(ended) == len(others) and all(map(ruled_alike, ended, others))
    return not same or _told(play) != _told(other) or not agree(play, other, reach)


def _told(play: TablePlay) -> set[tuple[object, ...]]:
    return {substance(one) for one in (*play.findings_so_far(), *play.findings)}


def _may_matter(
    play: TablePlay, fact: events.Fact, movers: Sequence[events.Fact], reach: int
) -> bool:
    """Whether the order may matter, judged cheaply by kinds of facts and by the room alone."""
    cut_by_gap = play.state.round is not None and play.state.round.cut_by_gap
    if cut_by_gap or any(_beside(play, fact, one) for one in movers):
        return True
    house, at = play.state.house, fact.event_time
    assert house is not None
    day = (
        play.state.round.day if play.state.round else play.state.days.day or play.state.days.of(at)
    )
    return _in_room(play, house.rules(day, at), fact, movers, reach)


def _in_room(
    play: TablePlay, rules: Rules, fact: events.Fact, movers: Sequence[events.Fact], reach: int
) -> bool:
    """Whether a room rules anything else if the facts come in the other order."""
    state = play.state.room_state
    assert state is not None
    as_recorded, then = _Asked(rules, state), _Asked(rules, state)
    as_recorded.take(fact)
    idle = as_recorded.idle and not _followed(play, fact)
    for mover in movers:
        as_recorded.take(mover)
    for mover in movers:
        then.take(mover)
    then.idle = True
    then.take(*put_off([fact], movers[-1].event_time + 1))
    if idle and then.idle:
        return False
    closing = any(type(one) in HOURS for one in (fact, *movers))
    return (
        (closing and not (as_recorded.quiet and then.quiet))
        or as_recorded.ruled != then.ruled
        or not alike(as_recorded.state, then.state, reach)
        or (any(type(one) in LAYING for one in (fact, *movers)) and as_recorded.turns)
    )


def moved(facts: Sequence[events.Fact], until: int) -> list[events.Fact]:
    """Return the facts all moved earlier by one span, so that the last is at ``until``."""
    off = max(0, facts[-1].event_time - until)
    return [replace(one, event_time=one.event_time - off) for one in facts] if off else [*facts]


def put_off(facts: Sequence[events.Fact], since: int) -> list[events.Fact]:
    """Return the facts all moved later by one span, so that the first is at ``since``."""
    off = max(0, since - facts[0].event_time)
    return [replace(one, event_time=one.event_time + off) for one in facts] if off else [*facts]


def _followed(play: TablePlay, fact: events.Fact) -> bool:
    """Whether house, book or desk follow a fact, or it begins or ends a round."""
    kind = type(fact)
    return kind in LAYING or kind in FIRM or _minded(play, kind)


def _minded(play: TablePlay, kind: type[events.Fact]) -> bool:
    return kind in MINDS if play.state.house is None else play.state.house.minds(kind)


def _beside(play: TablePlay, fact: events.Fact, other: events.Fact) -> bool:
    """Whether house, book or desk may compare two facts with each other."""
    first, second = type(fact), type(other)
    if first in LAYING and second in LAYING:
        same = getattr(fact, "wager_id", None) == getattr(other, "wager_id", None)
        return (
            same or first in COUPON_FACTS or second in COUPON_FACTS or _coupons(play, fact, other)
        )
    mind_one, mind_other = _minded(play, first), _minded(play, second)
    if first in LAYING or second in LAYING:
        return bool({first, second} & (STAKED | FIRM))
    if first in FIRM or second in FIRM:
        return (first in FIRM and second in FIRM) or (mind_one and mind_other)
    return mind_one and mind_other


def _coupons(play: TablePlay, *facts: events.Fact) -> bool:
    return play.with_coupons() or any(getattr(one, "coupons", ()) for one in facts)


class _Asked:
    """What a room alone rules of facts in one order."""

    def __init__(self, rules: Rules, state: State) -> None:
        self.room, self.rules = rules.room, rules
        self.state = state
        self.ruled: dict[tuple[str, int], tuple[Ruling, ...]] = {}
        self.turns, self.idle, self.quiet = False, True, True

    def take(self, fact: events.Fact) -> None:
        """Take one more fact; ``turns`` becomes True if one of the room's own bears on wagers."""
        room, before = self.room, self.state
        rulings = room.decide(self.rules, before, fact)
        state = room.evolve(before, fact)
        for ruling in rulings:
            state = room.evolve(state, ruling)
        self.state = state
        self.ruled[fact.stream, fact.seq] = rulings
        if type(fact) not in HOURS and (rulings or state != before):
            self.quiet = False
        self.idle = self.idle and not rulings and bool(state == before)
        if type(fact) not in LAYING and (rulings or state is not before):
            self.turns = (
                self.turns
                or before.betting_open != state.betting_open
                or before.knowable != state.knowable
                or room.closed_to is not None
                or any(not isinstance(ruling, Breach) for ruling in rulings)
            )
