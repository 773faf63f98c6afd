"""Every game with its exact probability, played through the room throw by throw.

Law: §§ 577.3 to 577.6.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Final, TypeAlias

from ledger.events import DiceThrownByHand, Fact, RollCalled, ThrownDie, ThrowRest
from ledger.games.room import Room, Rules
from ledger.games.room_playthrough import Reached, bare_die, bare_fact, opened, tell
from ledger.games.rows import Shown
from ledger.games.three_dice_football.state import State

Place: TypeAlias = tuple[object, ...]
"""What the rest of a game depends on; see ``_place``."""
GREEN_GREEN_RED: Final = ("green", "green", "red")


def football_throws() -> Mapping[tuple[int, int, int], int]:
    """Return how many of the 216 throws show these faces: green, green (in rising order), red."""
    return Counter((min(a, b), max(a, b), red) for a, b, red in product(range(1, 7), repeat=3))


def _thrown(faces: tuple[int, int, int]) -> list[Fact]:
    dice = tuple(
        bare_die(ThrownDie, face=face, colour=colour, rest=ThrowRest.FLAT)
        for face, colour in zip(faces, GREEN_GREEN_RED, strict=True)
    )
    return [bare_fact(DiceThrownByHand, dice=dice), bare_fact(RollCalled, faces=faces)]


class Football:
    """The games of a room from each state; each state is computed once."""

    def __init__(self, room: Room, rules: Rules) -> None:
        self.room, self.rules = room, rules
        self.throws = {faces: (_thrown(faces), n) for faces, n in football_throws().items()}
        self.known: dict[Place, dict[Shown, Fraction]] = {}
        self.start = tell(room, rules, room.initial, opened("Extra Point")).state

    def throw(self, state: State) -> Iterator[tuple[Reached, int]]:
        """Yield every throw in this state, with how many of the 216 it is."""
        for facts, count in self.throws.values():
            yield tell(self.room, self.rules, state, facts), count

    def ends(self, state: State) -> Mapping[Shown, Fraction]:
        """Return what full game wagers can be settled by from here on, with exact probabilities."""
        key = _place(state)
        if key not in self.known:
            over: Counter[Shown] = Counter()
            states: dict[Place, State] = {}
            on: Counter[Place] = Counter()
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

    def after(self, reached: Reached) -> Mapping[Shown, Fraction]:
        """Return the same as ``ends`` after a decided throw: over, or thrown again."""
        if self.room.is_over(reached.state):
            return {reached.decided[-1].shown: Fraction(1)}
        return self.ends(reached.state)


def _place(state: State) -> Place:
    """Return what the rest of a game depends on: its phase, where the markers lie, how it ended."""
    return (state.phase, state.spot, state.ended)


def games_played(room: Room, rules: Rules) -> Iterator[tuple[Shown, Fraction, Fraction]]:
    """Yield every game by its first play, its end and its extra point roll.

    Returns:
        What it shows, its exact probability, and the factor on the odds (1).
    """
    chain = Football(room, rules)
    chances: dict[Shown, Fraction] = {}
    for reached, count in chain.throw(chain.start):
        play = reached.decided[0].shown.play
        for last, then in chain.after(reached).items():
            shown = replace(last, play=play)
            chances[shown] = chances.get(shown, Fraction(0)) + then * count / 216
    for shown, chance in chances.items():
        yield shown, chance, Fraction(1)
