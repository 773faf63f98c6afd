"""Hands of cards by round and position: as dealt and set, what they rank, what became of them."""

from __future__ import annotations

from dataclasses import field
from functools import lru_cache
from typing import Final

from ledger import events
from ledger.analytics.facts.gaming_day_bounds import Add, TableMoment
from ledger.games import BY_GAME
from ledger.games.room import Hands
from ledger.kernel import FactRef, ref_of
from ledger.kernel.quick_dataclass import dataclass

KINDS: Final = frozenset(
    {
        *(
            events.CardsDealt,
            events.DealBegan,
            events.HandSet,
            events.HandExposed,
            events.HandFouled,
            events.HandSurrendered,
            events.HandVoided,
        ),
        *(events.BonusHandFormed, events.IrregularityFound, events.MisdealDetermined),
    }
)
Words = tuple[str, ...]


@lru_cache(maxsize=65_536)
def rank_names(game: str, high: Words, medium: Words, low: Words) -> Words | None:
    """What three hands are called by the table of the game's room; None where none is known."""
    hands = hands_of(game)
    return None if hands is None else hands.ranks(high, medium, low)


def hands_of(game: str | None) -> Hands | None:
    """What the room of a game says of hands; None where no room judges it, or it has no cards."""
    room = BY_GAME.get(game or "")
    return None if room is None else room.hands


@dataclass(slots=True)
class Hand:
    """What is on record of one position in one round."""

    first: FactRef
    at: int
    cards: list[str] | None = None
    count: int | None = None
    setting: events.HandSet | None = None
    settings: int = 0
    exposed: int = 0
    fouled: str | None = None
    surrendered: bool = False
    voided: str | None = None
    bonus: str | None = None
    irregularities: list[str] = field(default_factory=list)


@dataclass(slots=True)
class RoundOfHands:
    """Gathers the hands of a round and hands them out when it ends."""

    add: Add
    deck: str | None = None
    misdealt: bool | None = None
    hands: dict[str, Hand] = field(default_factory=dict)

    def take(self, fact: events.Fact, moment: TableMoment) -> None:
        """Follow one fact."""
        match fact:
            case events.DealBegan():
                self.deck = fact.deck or self.deck
            case events.CardsDealt():
                self.deck = fact.deck or self.deck
                for stack in fact.stacks:
                    hand = self._of(stack.position, fact, moment)
                    hand.cards = None if stack.cards is None else list(stack.cards)
                    hand.count = stack.count if stack.cards is None else len(stack.cards)
            case events.HandSet():
                hand = self._of(fact.position, fact, moment)
                hand.setting, hand.settings = fact, hand.settings + 1
            case events.HandExposed():
                self._of(fact.position, fact, moment).exposed += 1
            case events.HandFouled():
                self._of(fact.position, fact, moment).fouled = fact.reason or ""
            case events.HandSurrendered():
                self._of(fact.position, fact, moment).surrendered = True
            case events.HandVoided():
                self._of(fact.position, fact, moment).voided = fact.reason or ""
            case events.BonusHandFormed():
                self._of(fact.position, fact, moment).bonus = fact.hand
            case events.MisdealDetermined():
                self.misdealt = fact.misdealt
            case events.IrregularityFound(position=str(position)):
                self._of(position, fact, moment).irregularities.append(fact.irregularity.value)

    def release(self, moment: TableMoment) -> None:
        """The round is over; hands outside of any round belong to none and are left out."""
        if moment.round is not None:
            for position in sorted(self.hands):
                self._hand_out(position, self.hands[position], moment)
        self.hands.clear()
        self.deck, self.misdealt = None, None

    def _of(self, position: str, fact: events.Fact, moment: TableMoment) -> Hand:
        hand = self.hands.get(position)
        if hand is None:
            hand = self.hands[position] = Hand(ref_of(fact), moment.at)
        return hand

    def _hand_out(self, position: str, hand: Hand, moment: TableMoment) -> None:
        own, table = hand.setting, hands_of(moment.game)
        high, medium, low = (own.high, own.medium, own.low) if own is not None else (None,) * 3
        names = None
        if high is not None and medium is not None and low is not None:
            names = rank_names(moment.game or "", high, medium, low)
        self.add(
            "hands",
            (
                moment.round,
                position,
                table is not None and position == table.dealer,
                moment.day,
                moment.table,
                moment.game,
                hand.at,
                moment.local(hand.at),
                self.deck,
                hand.cards,
                hand.count,
                *(None if cards is None else list(cards) for cards in (high, medium, low)),
                *(names or (None, None, None)),
                own.set_by if own is not None else None,
                own.role.value if own is not None and own.role is not None else None,
                hand.settings,
                hand.exposed,
                hand.fouled,
                hand.surrendered,
                hand.voided,
                hand.bonus,
                self.misdealt,
                hand.irregularities,
                str(hand.first),
            ),
        )
