"""Every outcome of a game that is decided over several throws, found by playing it.

The chain is that of the room itself: each throw of the equipment is told to its ``decide`` and
``evolve`` in each state that they reach, and what they decide is weighed with the chance of the
throw. No rule is applied here. Law: the rooms' own, §§ 577.3 to 577.6, 668a.2(f)(8), 668a.3(i).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any, Final, TypeAlias

from ledger.events import (
    BettingOpened,
    DiceThrown,
    DiceThrownByHand,
    Die,
    NoMoreBetsAnnounced,
    PlayerShook,
    Rest,
    RollCalled,
    ThrownDie,
    ThrowRest,
    WagerPlaced,
)
from ledger.games import BY_KEY, Room
from ledger.games.room import Decided, DecidedSome, Rules, Shown, rules_on

Outcomes: TypeAlias = tuple[tuple[Shown, Fraction, Fraction], ...]
"""What is shown, its exact chance, and the expected factor on the odds."""

OutcomesOf: TypeAlias = Callable[[Room, Rules], Outcomes]

GREEN_GREEN_RED: Final = ("green", "green", "red")


def outcomes_of(room: Room, rules: Rules) -> Outcomes:
    """Every outcome on which a wager of the room can be settled, by these rules."""
    if room is not BY_KEY.get(room.key):
        return _played(room, rules)
    if rules.filed is None:
        return _by_law(room.key)
    key = hung_on(room, rules)
    if key not in _KNOWN:
        if len(_KNOWN) >= KEPT:
            _KNOWN.clear()
        _KNOWN[key] = _played(room, rules)
    return _KNOWN[key]


def hung_on(room: Room, rules: Rules) -> tuple[Any, ...]:
    """What the outcomes hang on: the text, the readings and options filed; never the odds."""
    if rules.filed is None:
        return (room.key,)
    read = tuple(sorted(rules.filed.readings.items()))
    return (room.key, rules.law.edition, read, repr(rules.chosen))


PLAYED: Final = frozenset({"three_dice_football", "props_and_hops"})
"""Rooms whose outcomes are found by playing, which takes a second or two."""
KEPT: Final = 64
_KNOWN: Final[dict[tuple[Any, ...], Outcomes]] = {}
"""Outcomes by what they hang on."""


@lru_cache(maxsize=len(BY_KEY))
def _by_law(key: str) -> Outcomes:
    """The outcomes of a room as it stands, without a filing; they are the same on every day."""
    return _played(BY_KEY[key], rules_on(BY_KEY[key], BY_KEY[key].law.edition.since, None))


def _played(room: Room, rules: Rules) -> Outcomes:
    if room.key == "three_dice_football":
        return tuple(_football(room, rules))
    if room.key == "props_and_hops":
        return tuple(_shakes(room, rules))
    return tuple(room.outcomes())


@dataclass(frozen=True, slots=True)
class Told:
    """A state that the room reached, and what it decided on the way."""

    state: Any
    decided: tuple[Decided, ...]


def tell(room: Room, rules: Rules, state: Any, facts: Iterable[Any]) -> Told:
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
    return Told(state, tuple(decided))


def _fact(kind: type[Any], **stated: Any) -> Any:
    """A fact of which no more is known than is stated."""
    head = {"stream": "chain", "seq": 1, "event_time": 0, "source": "chain"}
    return kind(**({field.name: None for field in fields(kind)} | head | stated))


def _opened(*wagers: str) -> list[Any]:
    """Betting opens, and these wagers are laid."""
    return [
        _fact(BettingOpened),
        *(
            _fact(WagerPlaced, wager_id=name, wager=name, picks=(), stake_cents=100, coupons=())
            for name in wagers
        ),
    ]


# --- Three Dice Football --------------------------------------------------------------------------


def football_throws() -> Mapping[tuple[int, int, int], int]:
    """Of the 216 throws, how many show these faces: green, green, red."""
    return Counter((min(a, b), max(a, b), red) for a, b, red in product(range(1, 7), repeat=3))


def _thrown(faces: tuple[int, int, int]) -> list[Any]:
    dice = tuple(
        _die(ThrownDie, face=face, colour=colour, rest=ThrowRest.FLAT)
        for face, colour in zip(faces, GREEN_GREEN_RED, strict=True)
    )
    return [_fact(DiceThrownByHand, dice=dice), _fact(RollCalled, faces=faces)]


def _die(kind: type[Any], **stated: Any) -> Any:
    return kind(**({field.name: None for field in fields(kind)} | stated))


class Football:
    """The games of a room from each state, each state once."""

    def __init__(self, room: Room, rules: Rules) -> None:
        self.room, self.rules = room, rules
        self.throws = {faces: (_thrown(faces), n) for faces, n in football_throws().items()}
        self.known: dict[Any, dict[Shown, Fraction]] = {}
        self.start = tell(room, rules, room.initial, _opened("Extra Point")).state

    def throw(self, state: Any) -> Iterator[tuple[Told, int]]:
        """Every throw in this state, with how many of the 216 it is."""
        for facts, count in self.throws.values():
            yield tell(self.room, self.rules, state, facts), count

    def ends(self, state: Any) -> Mapping[Shown, Fraction]:
        """What full game wagers are settled by, from this state on."""
        key = _place(state)
        if key not in self.known:
            over: Counter[Shown] = Counter()
            states: dict[Any, Any] = {}
            on: Counter[Any] = Counter()
            for reached, count in self.throw(state):
                if self.room.is_over(reached.state):
                    over[reached.decided[-1].shown] += count
                else:
                    place = _place(reached.state)
                    states[place] = reached.state
                    on[place] += count
            chances = {shown: Fraction(count, 216) for shown, count in over.items()}
            for place, count in on.items():
                for shown, chance in self.ends(states[place]).items():
                    chances[shown] = chances.get(shown, Fraction(0)) + chance * count / 216
            self.known[key] = chances
        return self.known[key]

    def after(self, reached: Told) -> Mapping[Shown, Fraction]:
        """The same once a throw was decided: over, or thrown again."""
        if self.room.is_over(reached.state):
            return {reached.decided[-1].shown: Fraction(1)}
        return self.ends(reached.state)


def _place(state: Any) -> tuple[Any, ...]:
    """What the rest of a game hangs on: where it stands, where the markers lie, how it ended."""
    return (state.phase, state.spot, state.ended)


def _football(room: Room, rules: Rules) -> Iterator[tuple[Shown, Fraction, Fraction]]:
    """Every game by its first play, its end and its extra point roll."""
    chain = Football(room, rules)
    chances: dict[Shown, Fraction] = {}
    for reached, count in chain.throw(chain.start):
        play = reached.decided[0].shown.play
        for last, then in chain.after(reached).items():
            shown = replace(last, play=play)
            chances[shown] = chances.get(shown, Fraction(0)) + then * count / 216
    for shown, chance in chances.items():
        yield shown, chance, Fraction(1)


# --- Props & Hops ---------------------------------------------------------------------------------


def _rolled(faces: tuple[int, int]) -> list[Any]:
    dice = tuple(_die(Die, face=face, rest=Rest.FLAT) for face in faces)
    return [_fact(NoMoreBetsAnnounced), _fact(PlayerShook), _fact(DiceThrown, dice=dice)]


LASTS: Final = "Six Eight Shake"


class Shakes:
    """The sequences of a Six Eight Shake from each set of lammers, each once."""

    def __init__(self, room: Room, rules: Rules) -> None:
        self.room, self.rules = room, rules
        self.rolls = [_rolled((a, b)) for a, b in product(range(1, 7), repeat=2)]
        self.known: dict[Any, dict[Shown, Fraction]] = {}
        self.start = tell(room, rules, room.initial, _opened(LASTS)).state

    def roll(self, state: Any) -> Iterator[tuple[Any, Shown, bool]]:
        """Every roll in this state: the state after it, what it shows, whether the wager stands."""
        for facts in self.rolls:
            reached = tell(self.room, self.rules, state, facts)
            (decided,) = reached.decided
            after = tell(self.room, self.rules, reached.state, _opened()).state
            yield after, decided.shown, LASTS in decided.leaves

    def ends(self, state: Any) -> Mapping[Any, Fraction]:
        """How the sequence ends, from these lammers on; a roll that changes nothing is left out."""
        if state.lammers not in self.known:
            chances: dict[Any, Fraction] = {}
            stays = Fraction(0)
            for after, shown, stands in self.roll(state):
                if stands and after.lammers == state.lammers:
                    stays += Fraction(1, 36)
                    continue
                ends = self.ends(after) if stands else {shown.sequence: Fraction(1)}
                for end, then in ends.items():
                    chances[end] = chances.get(end, Fraction(0)) + then / 36
            self.known[state.lammers] = {end: p / (1 - stays) for end, p in chances.items()}
        return self.known[state.lammers]


def _shakes(room: Room, rules: Rules) -> Iterator[tuple[Shown, Fraction, Fraction]]:
    """Every next roll, and how a Six Eight Shake begun with it ends."""
    chain = Shakes(room, rules)
    chances: dict[Shown, Fraction] = {}
    for after, shown, stands in chain.roll(chain.start):
        ends = chain.ends(after) if stands else {shown.sequence: Fraction(1)}
        for end, then in ends.items():
            whole = type(shown)(shown.faces, end)
            chances[whole] = chances.get(whole, Fraction(0)) + then / 36
    for shown, chance in chances.items():
        yield shown, chance, Fraction(1)
