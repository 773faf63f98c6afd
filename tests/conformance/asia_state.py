"""What can be told of an Asia Poker case beside its wagers and findings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from ledger import events
from ledger.games.asia_poker.settling import hands_of
from ledger.games.asia_poker.terms import (
    HIGH_CARDS,
    Rank,
    Switches,
    clockwise_from,
    rank_high,
    rank_low_cards,
    start_of,
)
from ledger.games.asia_poker.validity import Accident, foul, roll_accident, row_of
from ledger.games.asia_poker.wagers import BonusHand, bonus_hand
from ledger.games.cards import Card, cards_of
from ledger.rounds import RoundResult

Said = dict[str, Any]
THEIR_WORD: Final = {BonusHand.TRIPS_AND_EIGHTS: "trips and four 8s"}
"""A hand that the examples call otherwise."""


def state(facts: Iterable[events.Fact], rounds: list[RoundResult], notice: Said) -> Said:
    """Starts and order of the deal, hands compared or set, bonus hands, what becomes of the deck."""
    told = list(facts)
    said: Said = {**_starts(told), **_hands(told)}
    switches = next(
        (
            Switches(one.a234_straight_lowest is True, one.a234_straight_flush_lowest is True)
            for one in told
            if isinstance(one, events.AsiaPokerOptionsFiled)
        ),
        Switches(),
    )
    if "compared" in notice:
        one, other = (_rank(cards_of(cards) or (), switches) for cards in notice["compared"])
        higher = "a_higher" if one > other else "b_higher" if one < other else "copy"
        named = {"a_is": one, "b_is": other}
        said |= {"comparison": higher}
        said |= {key: rank.name for key, rank in named.items() if rank.strength}  # § 575.6(b)
    if rounds and rounds[0].status.value == "void":
        said["round"] = "void"
        said["deck_removed"] = rounds[0].shown == Accident.BAD_DECK.value
    for result in rounds:
        won: dict[str, int] = {}
        for wager in result.wagers:
            cents = wager.expected.winnings_cents
            if wager.position is not None and cents is not None:
                won[wager.position] = won.get(wager.position, 0) + cents
        said |= {f"position_{where}_total_winnings_cents": cents for where, cents in won.items()}
    return said


def _rank(cards: Sequence[Card], switches: Switches) -> Rank:
    """The rank of a high, a medium or a low hand, by its size."""
    if len(cards) == HIGH_CARDS:
        return rank_high(frozenset(cards), switches)
    return rank_low_cards(cards)


def _starts(facts: list[events.Fact]) -> Said:
    """Where the deal of each round started, by the dice, the number or the button."""
    start: str | None = None
    starts: list[int] = []
    began = False
    for one in facts:
        match one:
            case events.DiceThrown(dice=dice) if dice and roll_accident(dice) is None:
                faces = [die.face for die in dice if die.face is not None]
                start, began = start_of(sum(faces)), False
            case events.GeneratorShown(number=number):
                start, began = start_of(number), False
            case events.ButtonPlaced(position=position):
                start, began = position, False
            case events.DealBegan() | events.CardsDealt() if start is not None and not began:
                starts.append(int(start))
                began = True
    said: Said = {"start_positions": starts} if starts else {}
    if len(starts) == 1:
        order = [int(one) for one in clockwise_from(str(starts[0]))]
        said |= {"start_position": starts[0], "deal_order": order}
    return said


def _hands(facts: list[events.Fact]) -> Said:
    """Of the only player: how his hands were set, and the bonus hand of his cards."""
    dealt = next((one for one in facts if isinstance(one, events.CardsDealt)), None)
    own = [one for one in facts if isinstance(one, events.HandSet) and one.position != "1"]
    if dealt is None or len(own) != 1:
        return {}
    stack = next((one for one in dealt.stacks if one.position == own[0].position), None)
    cards = cards_of(stack.cards) if stack is not None and stack.cards else None
    hands = hands_of(own[0])
    if cards is None or hands is None or len(cards) != 7:
        return {}
    fault, made = foul(hands, cards, Switches()), bonus_hand(cards)
    return {
        "position": int(own[0].position),
        "set_correctly": fault is None,
        "loses_under": None if fault is None else row_of(fault).cite.section,
        "bonus_hand": None if made is None else THEIR_WORD.get(made, made.value.lower()),
    }
