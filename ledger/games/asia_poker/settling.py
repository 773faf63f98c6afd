"""What becomes of the wagers of each position, as far as the cards are known.

Law: §§ 575.11(d), (f), (h), 575.12(c), 575.13(d), (i). Readings: copy-loses, asia-payout-limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from ledger.events import HandSet
from ledger.games.asia_poker.equipment import options_of
from ledger.games.asia_poker.lookup import Places, places_of
from ledger.games.asia_poker.state import Lying, State
from ledger.games.asia_poker.terms import BONUS, DEALER, EACH, LAW, MAIN, Hands
from ledger.games.asia_poker.validity import foul, higher, row_of, set_the_house_way
from ledger.games.asia_poker.wagers import HandShown, bonus_hand
from ledger.games.cards import Card, cards_of
from ledger.games.room import ByPosition, Decided, Returned, Rules, Ruling, Undecidable
from ledger.kernel import FactRef

One = Decided | Returned | Undecidable
VOIDED: Final = LAW[".13(d)#1"]
SURRENDERED: Final = LAW[".11(d)#3"]
BONUS_HAND, BONUS_LOST = LAW[".11(h)#1"], LAW[".11(h)(1)"]
COMPARED, LOST_BY = LAW[".11(e)#3"], LAW[".11(f)(1)(i)"]
HOUSE_WAY: Final = LAW[".11(c)#3"]
LIMITED: Final = LAW[".12(c)#1"]
LOST: Final = HandShown(0, False, None)


def resolution(rules: Rules, state: State, at: FactRef) -> tuple[Ruling, ...]:
    """The outcome of every wager of every position; nothing while none can have one."""
    each: dict[tuple[str | None, str], One] = {}
    dealer = dealers_places(rules, state)
    for one in state.wagers:
        key = (one.position, one.wager)
        if one.wager in (MAIN, BONUS) and key not in each:
            each[key] = _of(rules, state, one, dealer, at)
    if each and all(isinstance(one, Undecidable) for one in each.values()):
        return ()
    said = "; ".join(
        f"{position}: {one.said}"
        for (position, wager), one in sorted(each.items(), key=_place)
        if isinstance(one, Decided) and wager == MAIN
    )
    chosen = options_of(rules)
    return (
        ByPosition(
            each=each, said=said or ("by position" if each else "no wager lay on the layout"), cite=COMPARED, fact=at,
            limit_cents=chosen.maximum, first=(MAIN,), limited_by=LIMITED,
        ),
    )  # fmt: skip


def _place(item: tuple[tuple[str | None, str], One]) -> tuple[str, str]:
    (position, wager), _ = item
    return position or "", wager


def _of(rules: Rules, state: State, wager: Lying, dealer: Places | None, at: FactRef) -> One:
    position = wager.position or ""
    if position in state.voided:
        why = "the player voided the hand"
        return Returned(why=why, cite=VOIDED, fact=state.voided[position])
    if wager.wager == BONUS:
        return _bonus(state, position, at)
    if position in state.surrendered:
        surrendered = state.surrendered[position]
        return Decided(
            shown=LOST, said="surrendered", cite=SURRENDERED, fact=surrendered,
            lost_by=SURRENDERED,
        )  # fmt: skip
    return _main(rules, state, position, dealer, at)


def _bonus(state: State, position: str, at: FactRef) -> One:
    cards = dealt_to(state, position)
    if cards is None:
        why = "the seven cards of the position are not recorded"
        return Undecidable(why=why, cite=BONUS_HAND, fact=at)
    hand = bonus_hand(cards)
    return Decided(
        shown=HandShown(0, False, hand), said=hand.value if hand else "no bonus hand",
        cite=BONUS_HAND, fact=state.dealt or at, lost_by=BONUS_LOST,
    )  # fmt: skip


def _main(rules: Rules, state: State, position: str, dealer: Places | None, at: FactRef) -> One:
    set_ = state.hands.get(position)
    hands = hands_of(set_) if set_ is not None else None
    if set_ is None or hands is None:
        why = "how the player's hands were set is not recorded"
        return Undecidable(why=why, cite=COMPARED, fact=at)
    switches = options_of(rules).switches
    fault = foul(hands, dealt_to(state, position), switches)
    if fault is not None:
        row = row_of(fault)
        shown = HandShown(0, False, None)
        return Decided(
            shown=shown, said=f"fouled, {row.what}", cite=row.cite, fact=at, lost_by=row.cite
        )
    if dealer is None:
        why = "how the dealer's hands are set is not known"
        return Undecidable(why=why, cite=HOUSE_WAY, fact=at)
    compared = higher(hands, dealer, switches)
    count = compared.count("higher")
    names = ("high", "medium", "low")
    said = ", ".join(f"{name} {how}" for name, how in zip(names, compared, strict=True))
    return Decided(
        shown=HandShown(count, True, None), said=said, cite=COMPARED, fact=at,
        lost_by=LOST_BY,
    )  # fmt: skip


@lru_cache(maxsize=64)
def _cards(words: tuple[str, ...]) -> tuple[Card, ...] | None:
    """The cards of a hand, which is asked for several times in a round."""
    return cards_of(words)


def hands_of(fact: HandSet | None) -> Hands | None:
    """The three hands of a fact; None where a card is unknown, missing or there twice."""
    if fact is None or fact.high is None or fact.medium is None or fact.low is None:
        return None
    cards = _cards((*fact.high, *fact.medium, *fact.low))
    if cards is None:
        return None
    first, second = len(fact.high), len(fact.high) + len(fact.medium)
    return Hands(cards[:first], cards[first:second], cards[second:])


def dealt_to(state: State, position: str) -> tuple[Card, ...] | None:
    """The seven cards of a position; None where they are not all known."""
    stack = state.stack(position)
    if stack is None or stack.cards is None or len(stack.cards) != EACH:
        return None
    return _cards(stack.cards)


def dealers_places(rules: Rules, state: State) -> Places | None:
    """The dealer's hands: as the filed way sets them, else as he set them (§ 575.13(i))."""
    chosen = options_of(rules)
    fact = state.hands.get(DEALER)
    if fact is None:
        return None
    own = hands_of(fact)
    cards = dealt_to(state, DEALER) or (own.cards if own is not None else None)
    if cards is not None and len(cards) == EACH and chosen.way is not None:
        best = set_the_house_way(chosen.way, frozenset(cards), chosen.switches)
        if best:
            mine = places_of(own, chosen.switches) if own is not None and own.sized else None
            return next((one.places for one in best if one.places == mine), best[0].places)
    return places_of(own, chosen.switches) if own is not None and own.sized else None


def misset(rules: Rules, state: State) -> Iterator[tuple[str, str]]:
    """The dealer's hands as he left them and as the filed way sets them, where these differ."""
    chosen = options_of(rules)
    own = hands_of(state.hands.get(DEALER))
    if own is None or chosen.way is None:
        return
    cards = dealt_to(state, DEALER) or own.cards
    if len(cards) != EACH:
        return
    best = set_the_house_way(chosen.way, frozenset(cards), chosen.switches)
    same_cards = set(own.cards) == set(cards) and own.sized
    mine = places_of(own, chosen.switches) if same_cards else None
    if best and all(one.places != mine for one in best):
        yield said_of(own), said_of(best[0].hands)


def said_of(hands: Hands) -> str:
    """Three hands for people."""
    return " / ".join(" ".join(card.word for card in hand) for hand in hands)
