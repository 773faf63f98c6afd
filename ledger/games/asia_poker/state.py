"""What an Asia Poker table has seen: one frozen state for the round and for what outlives it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from ledger import events
from ledger.games.asia_poker.terms import EACH, MAIN, POSITIONS, Phase
from ledger.games.asia_poker.validity import unclear
from ledger.games.record import renewed
from ledger.games.room import ByPosition, Returned
from ledger.kernel import Certainty, FactRef, Instant

IDLE, BETTING, DEALT, SET = Phase.IDLE, Phase.BETTING, Phase.DEALT, Phase.SET  # asked of each fact

NONE: Final[Mapping[Any, Any]] = {}
"""Nothing yet; turns put another mapping in its place and never change one."""


class Deck(NamedTuple):
    """One deck at the table.

    ``counted`` is the fact that said how many cards it has, ``amiss`` the cards that a count found
    missing or too many. ``kept`` says that it lies shuffled in the device, ``from_device`` that its
    last shuffle did not leave it there, ``shuffled`` that it was not dealt since, ``by_hand``
    the last shuffle, if no device made it. ``judged`` and ``count_judged``: told when it came into play;
    ``over_age``: told that it was not changed in time.
    """

    name: str
    at: Instant
    placed: FactRef
    counted: FactRef
    cards: int | None
    jokers: int | None
    jokers_made: int | None
    back: str | None
    prepared: bool
    amiss: tuple[str, ...] = ()
    second_joker_gone: bool = False
    inspected: FactRef | None = None
    inspected_by: str | None = None
    unfit: bool = False
    verified_by: str | None = None
    judged: bool = False
    count_judged: bool = False
    used: bool = False
    kept: bool = False
    shuffled: bool = False
    from_device: bool = False
    by_hand: FactRef | None = None
    cover_cards: int | None = None
    over_age: bool = False


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
    deck: str | None = None


class Defective(NamedTuple):
    """A deck that left a wrong number of cards although nothing was misdealt (§ 575.8(e))."""

    fact: FactRef
    cards: int
    deck: str | None
    method: events.DealMethod | None


class Look(NamedTuple):
    """What an inspection of the layout found; ``seen`` are its names and values."""

    as_required: bool | None
    seen: tuple[str, ...]


class Table(NamedTuple):
    """What changes seldom: the layout in use and looks at it, signs, least wagers, who works there.

    ``reported`` are the codes of notices whose lack was reported already; ``wagers_seen`` says
    that wagers are recorded, so that a place without one is empty.
    """

    layout: str | None = None
    looks: Mapping[tuple[str, str | None], Look] = NONE
    odds_signs: frozenset[str] = frozenset()
    limit_signs: Mapping[str, int] = NONE
    reported: frozenset[str] = frozenset()
    minimums: Mapping[str, int] = NONE
    floor: frozenset[str] = frozenset()
    dealers: frozenset[str] = frozenset()
    wagers_seen: bool = True

    def look(self, feature: str) -> Look | None:
        """The last look at an item of the layout in use."""
        return self.looks.get((feature, self.layout)) or self.looks.get((feature, None))


class State(NamedTuple):
    """A tuple, since most facts of a round change one of its many values.

    ``sure`` and ``seats_sure`` are False after a gap: what outlives the round is not known until stated again.
    ``abandoned`` are the wagers that were not settled when their player left, ``bonus_first`` the
    Bonus Wagers won or lost before the Asia Poker Wager was settled. ``early`` are
    wagers paid or collected before the dealer's hands were set. ``minimums`` are the least
    wagers in force when betting closed. ``resolved`` are the
    wagers' outcomes as last found, and on what, None before.
    """

    # outlives the round
    table: Table = Table()
    decks: tuple[Deck, ...] = ()
    shuffle: Shuffle | None = None
    interrupted: bool = False
    spread: bool = False
    last_deck: str | None = None
    button: str | None = None
    broken: frozenset[events.CardDevice] = frozenset()
    marked: frozenset[events.CardDevice] = frozenset()
    defective: Defective | None = None
    seated: frozenset[str] | None = None
    seats_sure: bool = True
    sure: bool = True
    # of the round
    phase: Phase = Phase.IDLE
    minimums: Mapping[str, int] = NONE
    wagers: tuple[Lying, ...] = ()
    shakes: int | None = 0
    covered: bool = False
    closing_shake: bool = False
    dice: tuple[events.Die, ...] = ()
    no_roll_due: bool = False
    thrown: FactRef | None = None
    announced: int | None = None
    announcement: FactRef | None = None
    generated: int | None = None
    start: str | None = None
    started_by: events.StartMethod | None = None
    first: str | None = None
    deck: str | None = None
    began: bool = False
    method: events.DealMethod | None = None
    stacks: tuple[events.Stack, ...] = ()
    dealt: FactRef | None = None
    remaining: int | None = None
    misdeal_ruled: bool = False
    hands: Mapping[str, events.HandSet] = NONE
    changed: Mapping[str, events.HandSet] = NONE
    revealed: tuple[str, ...] = ()
    exposed: frozenset[str] = frozenset()
    voided: Mapping[str, FactRef] = NONE
    surrendered: Mapping[str, FactRef] = NONE
    counted: frozenset[str] = frozenset()
    left: frozenset[str] = frozenset()
    abandoned: frozenset[str] = frozenset()
    face_up: tuple[str, ...] = ()
    aside: int = 0
    discards: Mapping[str, tuple[str, ...]] = NONE
    settled: Mapping[str, events.SettledAs | None] = NONE
    bonus_first: Mapping[str, FactRef] = NONE
    early: Mapping[str, FactRef] = NONE
    resolved: tuple[tuple[object, ...], ByPosition] | None = None
    void: Returned | None = None
    reported: frozenset[str] = frozenset()

    @property
    def in_round(self) -> bool:
        """A round of play is under way."""
        return self.phase is not IDLE

    @property
    def betting_open(self) -> bool:
        """Wagers may still be placed."""
        return self.phase is BETTING

    @property
    def knowable(self) -> bool:
        """The cards are with the players."""
        return self.phase is DEALT or self.phase is SET

    @property
    def total(self) -> int | None:
        """What the dice show together, None where that is not recorded or does not count."""
        if not self.dice or self.no_roll_due or unclear(self.dice):
            return None
        faces = [die.face for die in self.dice if die.face is not None]
        return sum(faces) if len(faces) == len(self.dice) else None

    def at(self, position: str | None, wager: str | None = None) -> tuple[Lying, ...]:
        """The wagers at a position."""
        wagers = [
            one
            for one in self.wagers
            if one.position == position and (wager is None or one.wager == wager)
        ]
        return tuple(wagers)

    def has_wager(self, position: str | None) -> bool:
        """Whether a wager of any kind lies at a position."""
        return position in [one.position for one in self.wagers]

    def is_empty(self, position: str) -> bool:
        """Whether it is known that no Asia Poker Wager lies at a position."""
        for wager in self.wagers:
            if wager.position == position and wager.wager == MAIN:
                return False
        return self.table.wagers_seen

    @property
    def of_surrender(self) -> Certainty:
        """How surely a hand was surrendered: not beside a Bonus Wager, which may not be seen."""
        return Certainty.BROKEN if self.table.wagers_seen else Certainty.UNKNOWN

    def plays(self, position: str) -> bool:
        """Whether a position's hands are in play, or the record does not say who wagered."""
        if self.table.wagers_seen:
            return position in self.playing
        return position in POSITIONS[1:] and position not in {*self.voided, *self.surrendered}

    @property
    def playing(self) -> tuple[str, ...]:
        """Positions whose hands are in play."""
        at = {one.position for one in self.wagers if one.wager == MAIN}
        out = {*self.voided, *self.surrendered}
        return tuple(p for p in POSITIONS[1:] if p in at and p not in out)

    @property
    def waiting(self) -> tuple[str, ...]:
        """Players at the table who have not set their hands; one whose wager is settled is done."""
        return tuple(
            p
            for p in self.playing
            if p not in self.hands
            and p not in self.left
            and not self.settled.keys() >= {one.wager_id for one in self.at(p, MAIN)}
        )

    def stack(self, position: str) -> events.Stack | None:
        """What a position was dealt."""
        for stack in self.stacks:
            if stack.position == position:
                return stack
        return None

    @property
    def miscounted(self) -> tuple[str, ...]:
        """Places that are known to have got more or less than seven cards."""
        return miscounted(self.stacks)

    @property
    def counts_known(self) -> bool:
        """Whether the record says how many cards each of the seven places got."""
        known = {stack.position for stack in self.stacks if count_of(stack) is not None}
        return known >= set(POSITIONS)

    @property
    def taken(self) -> frozenset[str]:
        """The wagers that a player left and the house collected."""
        return frozenset(
            one for one in self.abandoned if self.settled.get(one) is events.SettledAs.LOST
        )

    def grounds(self, filed: object) -> tuple[object, ...]:
        """On what the wagers' outcomes hang: while it is the same, so are they."""
        discards = None
        for stack in self.stacks:
            if stack.cards is None:  # the rack may tell what a place was dealt
                discards = self.discards
        taken = self.taken if self.abandoned else self.abandoned
        return (
            filed, self.wagers, self.stacks, self.hands, self.changed, self.voided, self.surrendered,
            self.left, taken, discards,
        )  # fmt: skip

    def known_outcomes(self, filed: object) -> ByPosition | None:
        """The wagers' outcomes, where they were found and nothing changed since."""
        if self.resolved is None or self.resolved[0] != self.grounds(filed):
            return None
        return self.resolved[1]

    def deck_named(self, name: str | None) -> Deck | None:
        """A deck at the table; the only one where none is named."""
        if name is None:
            return self.decks[0] if len(self.decks) == 1 else None
        return next((deck for deck in self.decks if deck.name == name), None)


INITIAL: Final = State()
OUTLIVES: Final = (
    "table", "decks", "shuffle", "interrupted", "spread", "last_deck", "button", "broken",
    "marked", "defective", "seated", "seats_sure", "sure",
)  # fmt: skip
"""What of the state outlives a round."""


def next_round(state: State, decks: tuple[Deck, ...]) -> State:
    """The state when betting opens, with these decks at the table."""
    return renewed(state, OUTLIVES, phase=BETTING, decks=decks)


def all_judged(state: State) -> bool:
    """Whether no deck has come into play that was not judged yet."""
    return all(deck.judged and deck.count_judged for deck in state.decks)


def miscounted(stacks: Sequence[events.Stack]) -> tuple[str, ...]:
    """Places that are known to have got more or less than seven cards by these stacks."""
    counts: dict[str, int] = {}
    unknown = set()
    for stack in stacks:
        count = stack.count if stack.cards is None else len(stack.cards)
        counts[stack.position] = counts.get(stack.position, 0) + (count or 0)
        if count is None:
            unknown.add(stack.position)
    return tuple([p for p, n in counts.items() if n != EACH and p not in unknown])


def count_of(stack: events.Stack) -> int | None:
    """How many cards a position was dealt."""
    return len(stack.cards) if stack.cards is not None else stack.count
