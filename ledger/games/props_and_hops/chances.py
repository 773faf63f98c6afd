"""Every next roll and how a Six Eight Shake that begins with it ends, played through the room.

Law: §§ 668a.2(f)(8), 668a.3(i).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product

from ledger import events
from ledger.games.dice import Faces
from ledger.games.props_and_hops.state import State
from ledger.games.props_and_hops.terms import Sequence
from ledger.games.props_and_hops.wagers import SIX_EIGHT_SHAKE
from ledger.games.room import Room, Rules
from ledger.games.room_playthrough import bare_die, bare_fact, opened, tell
from ledger.games.rows import Shown


def _rolled(faces: tuple[int, int]) -> list[events.Fact]:
    dice = tuple(bare_die(events.Die, face=face, rest=events.Rest.FLAT) for face in faces)
    return [
        bare_fact(events.NoMoreBetsAnnounced),
        bare_fact(events.PlayerShook),
        bare_fact(events.DiceThrown, dice=dice),
    ]


class Shakes:
    """The sequences of a Six Eight Shake from each set of lammers; each set is computed once."""

    def __init__(self, room: Room, rules: Rules) -> None:
        self.room, self.rules = room, rules
        self.rolls = [_rolled((a, b)) for a, b in product(range(1, 7), repeat=2)]
        self.known: dict[frozenset[Faces] | None, dict[Sequence, Fraction]] = {}
        self.start = tell(room, rules, room.initial, opened(SIX_EIGHT_SHAKE)).state

    def roll(self, state: State) -> Iterator[tuple[State, Shown, bool]]:
        """Yield every roll in this state.

        Returns:
            The state after it, what it shows, and whether a Six Eight Shake goes on.
        """
        for facts in self.rolls:
            reached = tell(self.room, self.rules, state, facts)
            (decided,) = reached.decided
            after = tell(self.room, self.rules, reached.state, opened()).state
            yield after, decided.shown, SIX_EIGHT_SHAKE in decided.leaves

    def ends(self, state: State) -> Mapping[Sequence, Fraction]:
        """Return how the sequence ends from these lammers on, each end with its exact probability.

        A roll that changes nothing is left out.
        """
        if state.lammers not in self.known:
            chances: dict[Sequence, Fraction] = {}
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


def shakes_played(room: Room, rules: Rules) -> Iterator[tuple[Shown, Fraction, Fraction]]:
    """Yield every next roll, and how a Six Eight Shake that begins with it ends.

    Returns:
        What it shows, its exact probability, and the factor on the odds (1).
    """
    chain = Shakes(room, rules)
    chances: dict[Shown, Fraction] = {}
    for after, shown, stands in chain.roll(chain.start):
        ends = chain.ends(after) if stands else {shown.sequence: Fraction(1)}
        for end, then in ends.items():
            whole = type(shown)(shown.faces, end)
            chances[whole] = chances.get(whole, Fraction(0)) + then / 36
    for shown, chance in chances.items():
        yield shown, chance, Fraction(1)
