"""What an Asia Poker table has seen: one frozen state for the round and for what outlives it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from ledger import events
from ledger.games.asia_poker.terms import EACH, MAIN, POSITIONS, Phase
from ledger.games.asia_poker.validity import unclear
from ledger.games.named_tuple_change import renewed
from ledger.games.room import ByPosition, Returned
from ledger.kernel import Certainty, FactRef, Instant

IDLE, BETTING, DEALT, SET = Phase.IDLE, Phase.BETTING, Phase.DEALT, Phase.SET  # asked of each fact

NONE: Final[Mapping[Any, Any]] = {}
"""The empty mapping of a new round; it is replaced by another and never changed."""


class Deck(NamedTuple):
    """One deck at the table.

    Args:
        name: its name.
        at: when it was placed, microseconds UTC.
        placed: the fact that placed it.
        counted: the fact that said how many cards it has.
        cards: how many; None if not recorded.
        jokers: how many jokers it has; None if not recorded.
        jokers_made: how many the manufacturer supplied; None if not recorded.
        back: its back; None if not recorded.
        prepared: it came inspected and shuffled.
        amiss: the cards that a count found missing or too many.
        second_joker_gone: its second joker was removed as prescribed.
        inspected: the fact of its inspection.
        inspected_by: who inspected it.
        unfit: the inspection found defects.
        verified_by: who verified the inspection.
        judged: it was judged when it came into play.
        count_judged: its count was.
        used: it was dealt.
        kept: it lies shuffled in the device.
        shuffled: it was not dealt since its last shuffle.
        from_device: its last shuffle did not leave it in the device.
        by_hand: the last shuffle, if no device made it.
        cover_cards: how many came with it; None if not recorded.
        over_age: it was reported as not changed in time.
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
    """The last shuffle since the last deal; ``cut`` is how deep, -1 if no depth is recorded.

    ``by_device`` None: how it was shuffled is not known.
    """

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
    """The result of an inspection of the layout; ``seen`` are its names and values."""

    as_required: bool | None
    seen: tuple[str, ...]


class Table(NamedTuple):
    """What changes seldom.

    Args:
        layout: the layout in use.
        looks: the last look at each item, by item and layout.
        odds_signs: the signs that show the odds.
        limit_signs: the payout limits on signs, in cents, by sign.
        reported: the codes of missing notices that were reported.
        minimums: the table minimums in cents, by kind of wager ("" for all others).
        floor: the floorpersons assigned so far.
        dealers: the dealers assigned so far.
        wagers_seen: wagers are recorded, so a place without one is empty.
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
        """Return the last look at an item of the layout in use; None if there was none."""
        return self.looks.get((feature, self.layout)) or self.looks.get((feature, None))


class State(NamedTuple):
    """The state of a table. It is a tuple, since most facts change one of its many values.

    Some of its fields:
        sure, seats_sure: False after a gap: what outlives the round is not known until stated
            again.
        minimums: the table minimums in force when betting closed, as in ``Table``.
        abandoned: the wagers that were not settled when their player left.
        bonus_first: the Bonus Wagers won or lost before the Asia Poker Wager was settled.
        early: the wagers paid or collected before the dealer's hands were set.
        resolved: the wagers' outcomes as last determined, and on what grounds; None before.
        void: the ruling that made all hands void.
        reported: the codes of breaches that the round has reported.
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
        """Whether a round of play is under way."""
        return self.phase is not IDLE

    @property
    def betting_open(self) -> bool:
        """Whether wagers may still be placed."""
        return self.phase is BETTING

    @property
    def knowable(self) -> bool:
        """Whether the cards are with the players."""
        return self.phase is DEALT or self.phase is SET

    @property
    def total(self) -> int | None:
        """The total of the dice; None where it is not recorded or does not count."""
        if not self.dice or self.no_roll_due or unclear(self.dice):
            return None
        faces = [die.face for die in self.dice if die.face is not None]
        return sum(faces) if len(faces) == len(self.dice) else None

    def at(self, position: str | None, wager: str | None = None) -> tuple[Lying, ...]:
        """Return the wagers at a position, of one name if given."""
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
        """How certain a surrender is: a Bonus Wager that forbids it may be unseen."""
        return Certainty.BROKEN if self.table.wagers_seen else Certainty.UNKNOWN

    def plays(self, position: str) -> bool:
        """Whether a position's hands are in play, or the record does not say who wagered."""
        if self.table.wagers_seen:
            return position in self.playing
        return position in POSITIONS[1:] and position not in {*self.voided, *self.surrendered}

    @property
    def playing(self) -> tuple[str, ...]:
        """The positions with an Asia Poker Wager whose hands are in play."""
        at = {one.position for one in self.wagers if one.wager == MAIN}
        out = {*self.voided, *self.surrendered}
        return tuple(p for p in POSITIONS[1:] if p in at and p not in out)

    @property
    def waiting(self) -> tuple[str, ...]:
        """The players who have not set their hands; one who left or was settled is done."""
        return tuple(
            p
            for p in self.playing
            if p not in self.hands
            and p not in self.left
            and not self.settled.keys() >= {one.wager_id for one in self.at(p, MAIN)}
        )

    def stack(self, position: str) -> events.Stack | None:
        """Return what a position was dealt; None if that is not recorded."""
        for stack in self.stacks:
            if stack.position == position:
                return stack
        return None

    @property
    def miscounted(self) -> tuple[str, ...]:
        """The places known to have received more or fewer than seven cards."""
        return miscounted(self.stacks)

    @property
    def counts_known(self) -> bool:
        """Whether the record says how many cards each of the seven places received."""
        known = {stack.position for stack in self.stacks if count_of(stack) is not None}
        return known >= set(POSITIONS)

    @property
    def taken(self) -> frozenset[str]:
        """The wagers that a player left and the house collected."""
        return frozenset(
            one for one in self.abandoned if self.settled.get(one) is events.SettledAs.LOST
        )

    def grounds(self, filed: object) -> tuple[object, ...]:
        """Return everything on which the outcomes depend: while it is the same, so are they."""
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
        """Return a deck at the table; without a name, the only one; else None."""
        if name is None:
            return self.decks[0] if len(self.decks) == 1 else None
        return next((deck for deck in self.decks if deck.name == name), None)


INITIAL: Final = State()
OUTLIVES: Final = (
    "table", "decks", "shuffle", "interrupted", "spread", "last_deck", "button", "broken",
    "marked", "defective", "seated", "seats_sure", "sure",
)  # fmt: skip
"""The fields of the state that outlive a round."""


def next_round(state: State, decks: tuple[Deck, ...]) -> State:
    """Return the state when betting opens, with these decks at the table."""
    return renewed(state, OUTLIVES, phase=BETTING, decks=decks)


def all_judged(state: State) -> bool:
    """Whether every deck in play was judged."""
    return all(deck.judged and deck.count_judged for deck in state.decks)


def miscounted(stacks: Sequence[events.Stack]) -> tuple[str, ...]:
    """Return the places that received more or fewer than seven cards by these stacks.

    A place of which a count is not recorded is left out.
    """
    counts: dict[str, int] = {}
    unknown = set()
    for stack in stacks:
        count = stack.count if stack.cards is None else len(stack.cards)
        counts[stack.position] = counts.get(stack.position, 0) + (count or 0)
        if count is None:
            unknown.add(stack.position)
    return tuple([p for p, n in counts.items() if n != EACH and p not in unknown])


def count_of(stack: events.Stack) -> int | None:
    """Return how many cards a position was dealt; None if not recorded."""
    return len(stack.cards) if stack.cards is not None else stack.count
