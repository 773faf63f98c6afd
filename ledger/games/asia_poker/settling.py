"""What becomes of the wagers of each position, as far as the cards are known.

Law: §§ 575.11(d), (f), (h), 575.12(c), 575.13(d), (i). Readings: copy-loses, asia-payout-limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from operator import itemgetter
from typing import Final, NamedTuple

from ledger.events import HandSet
from ledger.games.asia_poker.equipment import LEAST_MAXIMUM_CENTS, options_of
from ledger.games.asia_poker.lookup import Places, places_of
from ledger.games.asia_poker.state import State
from ledger.games.asia_poker.terms import BONUS, DEALER, EACH, LAW, MAIN, PLAYERS, Hands, Switches
from ledger.games.asia_poker.validity import (
    Accident,
    HouseWay,
    Setting,
    foul,
    higher,
    row_of,
    set_the_house_way,
)
from ledger.games.asia_poker.wagers import (
    PAYTABLES,
    TWO_HIGHER,
    BonusHand,
    HandShown,
    bonus_hand,
)
from ledger.games.cards import Card, cards_of
from ledger.games.room import ByPosition, Decided, Returned, Rules, Ruling, Then, Undecidable
from ledger.kernel import Citation, FactRef

One = Decided | Returned | Undecidable
Words = tuple[str, ...] | None
"""Cards as a fact names them, None where it does not."""
NOT_SET, COMPARED = LAW[".11(a)(3)"], LAW[".11(e)#3"]
SURRENDERED, HOUSE_WAY = LAW[".11(d)#3"], LAW[".11(c)#3"]
TWO_LOWER, COPIED = LAW[".11(f)(1)(i)"], LAW[".11(f)(1)(ii)"]
BONUS_HAND, BONUS_LOST = LAW[".11(h)#1"], LAW[".11(h)(1)"]
PAYTABLE, LIMITED = LAW[".12(b)#0"], LAW[".12(c)#1"]
LOST: Final = HandShown(0, False, None)
NO_WAGER: Final = "no wager lay on the layout"


def resolution(
    rules: Rules, state: State, at: FactRef, *, last: bool = False
) -> tuple[Ruling, ...]:
    """The outcome of every wager of every position.

    Nothing while none can have one; at the round's end (``last``) then why that is so.
    """
    each: dict[tuple[str | None, str], One] = {}
    dealer = dealers_places(rules, state)
    lying = [(one.position, one.wager) for one in state.wagers]
    if not state.table.wagers_seen:  # the hands that were set show who played
        lying = [(position, MAIN) for position in state.hands if position in PLAYERS]
    for key in lying:
        position, wager = key
        if wager in (MAIN, BONUS) and key not in each:
            each[key] = _of(rules, state, position or "", wager, dealer, at)
    unknown = [one for one in each.values() if isinstance(one, Undecidable)]
    if lying and len(unknown) == len(each):
        return tuple(unknown[:1]) if last else ()
    told = [
        (position or "", one.said)
        for (position, wager), one in each.items()
        if wager == MAIN and isinstance(one, Decided)
    ]
    said = "; ".join(
        [f"{position}: {words}" for position, words in sorted(told, key=itemgetter(0))]
    )
    return (
        ByPosition(
            each=each, said=said or ("by position" if lying else _nobody(state)), cite=COMPARED,
            fact=at, limit_cents=_limit(rules), first=(MAIN,), limited_by=LIMITED, filed=rules.filed,
        ),
    )  # fmt: skip


def _nobody(state: State) -> str:
    return NO_WAGER if state.table.wagers_seen else "no hand was set"


def outcome_at(rules: Rules, state: State, position: str, at: FactRef) -> One:
    """The outcome of the Asia Poker Wager of one position, as far as the cards are known."""
    known = state.found(rules.filed)
    due = known.each.get((position, MAIN)) if known is not None else None
    return due or _of(rules, state, position, MAIN, dealers_places(rules, state), at)


def _limit(rules: Rules) -> int | None:
    """The most that is payable on a hand; one filed too low is judged by the least (§ 575.12(c))."""
    filed = options_of(rules).maximum
    if filed is None or rules.reading("below-floor-filing") == "filing":
        return filed
    return max(filed, LEAST_MAXIMUM_CENTS)


def _of(
    rules: Rules, state: State, position: str, wager: str, dealer: Places | None, at: FactRef
) -> One:
    if position in state.voided:
        row = row_of(Accident.PLAYER_CARD)
        why = "the player voided the hand"
        return Returned(why=why, cite=row.cite, fact=state.voided[position])
    if state.left and position in state.left and _treated_as_lost(state, position, wager):
        cite = row_of(Accident.LEFT).cite  # § 575.7(b): it may be treated so
        return Decided(shown=LOST, said="abandoned", cite=cite, fact=at, lost_by=cite)
    if wager == BONUS:
        return _bonus(rules, state, position, at)
    if position in state.surrendered:
        surrendered = state.surrendered[position]
        return Decided(
            shown=LOST, said="surrendered", cite=SURRENDERED, fact=surrendered,
            lost_by=SURRENDERED,
        )  # fmt: skip
    first = _main(rules, state, position, state.hands.get(position), dealer, at)
    if position not in state.changed or not isinstance(first, Decided):
        return first
    then = _main(rules, state, position, state.changed[position], dealer, at)
    if isinstance(then, Decided) and wins(then) is wins(first):
        return first
    why = "the hands were changed after they were set, and which of them count decides the wager"
    return Undecidable(why=why, cite=NOT_SET, fact=at)


def _treated_as_lost(state: State, position: str, wager: str) -> bool:
    taken = state.collected & state.abandoned
    return any(one.wager_id in taken for one in state.at(position, wager))


def wins(decided: Decided) -> bool:
    """Whether an Asia Poker Wager wins on this."""
    return bool(TWO_HIGHER(decided.shown, ()))


def _bonus(rules: Rules, state: State, position: str, at: FactRef) -> One:
    cards = known_cards(state, position)
    if cards is None:
        why = "the seven cards of the position are not recorded"
        return Undecidable(why=why, cite=BONUS_HAND, fact=at)
    hand = bonus_hand(cards)
    tables = options_of(rules).tables
    if rules.filed is not None and hand is not None and not agree(tables, hand):
        why = "which of the paytables is filed is not known, and they differ on this hand"
        return Undecidable(why=why, cite=PAYTABLE, fact=at)
    return Decided(
        shown=HandShown(0, False, hand), said=hand.value if hand else "no bonus hand",
        cite=BONUS_HAND, fact=state.dealt or at, lost_by=BONUS_LOST,
    )  # fmt: skip


def agree(tables: Sequence[str], hand: BonusHand) -> bool:
    """Whether the paytables pay one hand alike."""
    return len(tables) == 1 or len({PAYTABLES[name].get(hand) for name in tables}) == 1


def _main(
    rules: Rules, state: State, position: str, set_: HandSet | None, dealer: Places | None, at: FactRef
) -> One:  # fmt: skip
    hands = hands_of(set_) if set_ is not None else None
    if set_ is None or hands is None:
        why = "how the player's hands were set is not recorded"
        return Undecidable(why=why, cite=COMPARED, fact=at)
    switches = options_of(rules).switches
    fault = foul(hands, dealt_to(state, position), switches)
    if fault is not None:
        row = row_of(fault)
        said = f"fouled, {row.what}"
        return Decided(shown=LOST, said=said, cite=row.cite, fact=at, lost_by=row.cite)
    if dealer is None:
        why = "how the dealer's hands are set is not known"
        return Undecidable(why=why, cite=HOUSE_WAY, fact=at)
    shown, said, lost_by = _of_compared(*higher(hands, dealer, switches))
    return Decided(shown=shown, said=said, cite=COMPARED, fact=at, lost_by=lost_by)


@cache
def _of_compared(high: str, medium: str, low: str) -> tuple[HandShown, str, Citation]:
    """What a comparison shows, how it is said, and by what a wager that loses by it is lost."""
    compared = (high, medium, low)
    copied = "copy" in compared and "lower" in compared
    return (
        HandShown(compared.count("higher"), True, None),
        f"high {high}, medium {medium}, low {low}",
        COPIED if copied else TWO_LOWER,
    )


_cards = lru_cache(maxsize=64)(cards_of)
"""The cards of a stack, which is asked for several times in a round."""


def hands_of(fact: HandSet | None) -> Hands | None:
    """The three hands of a fact; None where a card is unknown, missing or there twice."""
    return None if fact is None else _hands(fact.high, fact.medium, fact.low)


@lru_cache(maxsize=64)
def _hands(high: Words, medium: Words, low: Words) -> Hands | None:  # asked for several times
    if high is None or medium is None or low is None:
        return None
    cards = cards_of((*high, *medium, *low))
    if cards is None:
        return None
    first, second = len(high), len(high) + len(medium)
    return Hands(cards[:first], cards[first:second], cards[second:])


def dealt_to(state: State, position: str) -> tuple[Card, ...] | None:
    """The seven cards of a position; None where they are not all known."""
    stack = state.stack(position)
    if stack is None or stack.cards is None or len(stack.cards) != EACH:
        return None
    return _cards(stack.cards)


def known_cards(state: State, position: str) -> tuple[Card, ...] | None:
    """The seven cards of a position: as dealt, as put into the rack, or as set (§ 575.11(i))."""
    dealt = dealt_to(state, position)
    if dealt is not None:
        return dealt
    words = state.discards.get(position, ())
    racked = cards_of(words) if len(words) == EACH else None
    if racked is not None:
        return racked
    own = hands_of(state.hands.get(position))
    return own.cards if own is not None and own.sized else None


class Dealers(NamedTuple):
    """The dealer's hands as he left them and what they are worth; the settings of the filed way.

    ``same`` says that he set the cards that he was dealt.
    """

    own: Hands | None
    places: Places | None
    best: tuple[Setting, ...]
    same: bool


def _dealers(rules: Rules, state: State) -> Dealers | None:
    fact, stack, chosen = state.hands.get(DEALER), state.stack(DEALER), options_of(rules)
    if fact is None:
        return None
    dealt = stack.cards if stack is not None else None
    return _left(chosen.way, chosen.switches, dealt, fact.high, fact.medium, fact.low)


@lru_cache(maxsize=16)
def _left(
    way: HouseWay | None, switches: Switches, dealt: Words, high: Words, medium: Words, low: Words
) -> Dealers:  # asked for several times in a round
    own = _hands(high, medium, low)
    cards = _cards(dealt) if dealt is not None and len(dealt) == EACH else None
    seven = frozenset(cards or (own.cards if own is not None else ()))
    best = set_the_house_way(way, seven, switches) if way and len(seven) == EACH else ()
    sized = own is not None and own.sized
    places = places_of(own, switches) if own is not None and sized else None
    return Dealers(own, places, best, own is not None and sized and seven == {*own.cards})


def dealers_places(rules: Rules, state: State) -> Places | None:
    """The dealer's hands: as the filed way sets them, else as he set them (§ 575.13(i))."""
    found = _dealers(rules, state)
    if found is None:
        return None
    wrong = found.best and found.places not in [one.places for one in found.best]
    if wrong and row_of(Accident.DEALER_MISSET).then is Then.GO_ON:
        return found.best[0].places
    return found.places


def misset(rules: Rules, state: State) -> tuple[str, str] | None:
    """The dealer's hands as he left them and as the filed way sets them, where these differ."""
    found = _dealers(rules, state)
    if found is None or found.own is None or not found.best:
        return None
    mine = found.places if found.same else None
    if mine in [one.places for one in found.best]:
        return None
    return said_of(found.own), said_of(found.best[0].hands)


def said_of(hands: Hands) -> str:
    """Three hands for people."""
    return " / ".join(" ".join(card.word for card in hand) for hand in hands)
