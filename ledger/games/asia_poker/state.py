"""What an Asia Poker table has seen: one frozen state for the round and for what outlives it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ledger.events import (
    CardDevice,
    DealMethod,
    Die,
    Fact,
    HandSet,
    Stack,
    StartMethod,
)
from ledger.games.asia_poker.terms import MAIN, POSITIONS, Phase
from ledger.games.room import Returned
from ledger.kernel import FactRef


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """One deck at the table."""

    name: str
    at: int
    placed: FactRef
    cards: int | None
    jokers: int | None
    jokers_made: int | None
    back: str | None
    prepared: bool
    second_joker_gone: bool = False
    inspected: FactRef | None = None
    verified: bool = False
    judged: bool = False
    shuffled: bool = False


class Lying(NamedTuple):
    """A wager on the layout."""

    wager_id: str
    position: str | None
    wager: str
    stake_cents: int
    patron: str | None


class Shuffle(NamedTuple):
    """The last shuffle since the last deal; ``cut`` is how deep, -1 where no depth is recorded."""

    fact: FactRef
    by_device: bool | None
    cut: int | None = None


NONE: Final[Mapping[str, Any]] = {}
"""Nothing yet; turns put another mapping in its place and never change one."""


class State(NamedTuple):
    """A tuple, since most facts of a round change one of its many values.

    ``sure`` is False after a gap: what outlives the round is not known until stated again."""

    # outlives the round
    decks: tuple[Deck, ...] = ()
    shuffle: Shuffle | None = None
    last_deck: str | None = None
    button: str | None = None
    broken: frozenset[CardDevice] = frozenset()
    marked: frozenset[CardDevice] = frozenset()
    defective: tuple[FactRef, int] | None = None
    seated: frozenset[str] | None = None
    sure: bool = True
    # of the round
    phase: Phase = Phase.IDLE
    wagers: tuple[Lying, ...] = ()
    shakes: int | None = 0
    covered_after: bool = False
    closing_shake: bool = False
    dice: tuple[Die, ...] = ()
    no_roll_due: bool = False
    thrown: FactRef | None = None
    announced: int | None = None
    announcement: FactRef | None = None
    generated: int | None = None
    button_now: str | None = None
    start: str | None = None
    started_by: StartMethod | None = None
    deck: str | None = None
    began: bool = False
    method: DealMethod | None = None
    stacks: tuple[Stack, ...] = ()
    dealt: FactRef | None = None
    remaining: int | None = None
    hands: Mapping[str, HandSet] = NONE
    exposed: frozenset[str] = frozenset()
    revealed: tuple[str, ...] = ()
    choices: frozenset[str] = frozenset()
    voided: Mapping[str, FactRef] = NONE
    surrendered: Mapping[str, FactRef] = NONE
    counted: frozenset[str] = frozenset()
    face_up: tuple[str, ...] = ()
    aside: int = 0
    settled: frozenset[str] = frozenset()
    resolved: bool = False
    void: Returned | None = None
    reported: frozenset[str] = frozenset()

    @property
    def in_round(self) -> bool:
        """A round of play is under way."""
        return self.phase is not Phase.IDLE

    @property
    def betting_open(self) -> bool:
        """Wagers may still be placed."""
        return self.phase is Phase.BETTING

    @property
    def knowable(self) -> bool:
        """The cards are with the players."""
        return self.phase in (Phase.DEALT, Phase.SET)

    @property
    def total(self) -> int | None:
        """What the dice show together, None where that is not recorded or does not count."""
        faces = [die.face for die in self.dice if die.face is not None]
        if not faces or len(faces) != len(self.dice) or self.no_roll_due:
            return None
        return sum(faces)

    def at(self, position: str | None, wager: str | None = None) -> tuple[Lying, ...]:
        """The wagers at a position."""
        return tuple(
            one for one in self.wagers if one.position == position and wager in (None, one.wager)
        )

    @property
    def playing(self) -> tuple[str, ...]:
        """Positions whose hands are in play."""
        at = {one.position for one in self.wagers if one.wager == MAIN}
        out = {*self.voided, *self.surrendered}
        return tuple(p for p in POSITIONS[1:] if p in at and p not in out)

    def stack(self, position: str) -> Stack | None:
        """What a position was dealt."""
        return next((one for one in self.stacks if one.position == position), None)

    def deck_named(self, name: str | None) -> Deck | None:
        """A deck at the table; the only one where none is named."""
        if name is None:
            return self.decks[0] if len(self.decks) == 1 else None
        return next((deck for deck in self.decks if deck.name == name), None)


INITIAL: Final = State()


def ref_of(fact: Fact) -> FactRef:
    """How other facts and findings name it."""
    return FactRef(fact.stream, fact.seq)


def count_of(stack: Stack) -> int | None:
    """How many cards a position was dealt."""
    return len(stack.cards) if stack.cards is not None else stack.count
