"""The outcome of the wagers of each position, as far as the cards are known.

Law: §§ 575.11(d), (f), (h), 575.12(c), 575.13(d), (i). Readings: copy-loses, asia-payout-limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import Final, NamedTuple

from ledger.events import HandSet, Stack
from ledger.games.asia_poker.equipment import Options, least_maximum, options_of
from ledger.games.asia_poker.lookup import Places, bonus_hand_of, places_named
from ledger.games.asia_poker.outcome_words import HandOutcome, HandResult, PositionsOutcome
from ledger.games.asia_poker.state import State
from ledger.games.asia_poker.terms import BONUS, DEALER, EACH, LAW, MAIN, PLAYERS, Hands
from ledger.games.asia_poker.validity import (
    Accident,
    Setting,
    out_of_order,
    row_of,
    set_the_house_way,
)
from ledger.games.asia_poker.wagers import (
    PAYTABLES,
    TWO_HIGHER,
    BonusHand,
    HandShown,
)
from ledger.games.cards import BY_WORD, cards_of
from ledger.games.outcomes import OutcomeDetail
from ledger.games.room import ByPosition, Decided, Returned, Rules, Ruling, Then, Undecidable
from ledger.kernel import Citation, FactRef

One = Decided | Returned | Undecidable
NOT_SET, COMPARED = LAW[".11(a)(3)"], LAW[".11(e)#3"]
SURRENDERED, HOUSE_WAY = LAW[".11(d)#3"], LAW[".11(c)#3"]
TWO_LOWER, COPIED = LAW[".11(f)(1)(i)"], LAW[".11(f)(1)(ii)"]
BONUS_HAND, BONUS_LOST, BONUS_PAID = LAW[".11(h)#1"], LAW[".11(h)(1)"], LAW[".11(h)(2)"]
MAIN_PAID = LAW[".11(f)(2)#2"]
PAYTABLE, LIMITED = LAW[".12(b)#0"], LAW[".12(c)#1"]
LOST: Final = HandShown(0, False, None)
BONUS_SHOWN: Final[Mapping[BonusHand | None, tuple[HandShown, HandOutcome]]] = {
    hand: (HandShown(0, False, hand), HandOutcome(result=HandResult.BONUS, bonus=hand))
    for hand in (None, *BonusHand)
}
ABANDONED: Final = HandOutcome(result=HandResult.ABANDONED)
SURRENDER: Final = HandOutcome(result=HandResult.SURRENDERED)
NOT_RECORDED: Final = "how the player's hands were set is not recorded"
WORDS: Final = frozenset(BY_WORD)
PAID: Final = (MAIN, BONUS)


def resolution(
    rules: Rules, state: State, at: FactRef, *, last: bool = False
) -> tuple[Ruling, ...]:
    """Return the outcome of every wager of every position.

    Nothing while no wager can have one; at the round's end (``last``), then, why that is so.
    """
    each: dict[tuple[str | None, str], One] = {}
    main: dict[str, OutcomeDetail] = {}
    dealer, open_ones = dealers_places(rules, state), []
    lying = [(wager.position, wager.wager) for wager in state.wagers]
    if not state.table.wagers_seen:  # the hands that were set show who played
        lying = [(position, MAIN) for position in state.hands if position in PLAYERS]
    for key in lying:
        position, wager = key
        if wager not in PAID or key in each:
            continue
        outcome = each[key] = _of(rules, state, position or "", wager, dealer, at)
        if type(outcome) is Undecidable:
            open_ones.append(outcome)
        elif wager == MAIN and type(outcome) is Decided:
            main[position or ""] = outcome.detail
    if lying and len(open_ones) == len(each):
        return tuple(open_ones[:1]) if last else ()
    detail = PositionsOutcome(
        hands=tuple(sorted(main.items(), key=itemgetter(0))),
        in_play=bool(lying),
        wagers_recorded=state.table.wagers_seen,
    )
    return (
        ByPosition(
            each=each, detail=detail, cite=COMPARED, fact=at,
            limit_cents=_limit(rules, state), limit_known=_limit_known(rules, state),
            first=(MAIN,), limited_by=LIMITED, filed=rules.filed,
        ),
    )  # fmt: skip


def outcome_at(rules: Rules, state: State, position: str, at: FactRef) -> One:
    """Return the outcome of the Asia Poker Wager of one position, as far as the cards are known."""
    known = state.known_outcomes(rules.filed)
    due = known.each.get((position, MAIN)) if known is not None else None
    return due or _of(rules, state, position, MAIN, dealers_places(rules, state), at)


def _limit(rules: Rules, state: State) -> int | None:
    """Return the most payable on a hand, in cents; None without a limit.

    One filed too low is replaced by the least that may be filed (§ 575.12(c)).
    """
    chosen = options_of(rules)
    if chosen.maximum is None or rules.reading("below-floor-filing") == "filing":
        return chosen.maximum
    offered = chosen.bonus_offered is not False
    return max(chosen.maximum, least_maximum(state.minimums, offered=offered))


def _limit_known(rules: Rules, state: State) -> bool:
    """Whether the minimums are known, on which the least maximum depends (§ 575.12(c))."""
    by_filing = rules.reading("below-floor-filing") == "filing"
    return by_filing or "" in state.minimums or state.minimums.keys() >= {*PAID}


def _of(
    rules: Rules, state: State, position: str, wager: str, dealer: Places | None, at: FactRef
) -> One:
    if position in state.voided:
        row = row_of(Accident.PLAYER_CARD)
        why = "the player voided the hand"
        return Returned(why=why, cite=row.cite, fact=state.voided[position])
    if state.left and position in state.left and _treated_as_lost(state, position, wager):
        cite = row_of(Accident.LEFT).cite  # § 575.7(b): it may be treated so
        return Decided(shown=LOST, detail=ABANDONED, cite=cite, fact=at, lost_by=cite)
    if wager == BONUS:
        return _bonus(rules, state, position, at)
    if position in state.surrendered:
        surrendered = state.surrendered[position]
        return Decided(
            shown=LOST, detail=SURRENDER, cite=SURRENDERED, fact=surrendered,
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
    taken = state.taken
    return any(one.wager_id in taken for one in state.at(position, wager))


def wins(decided: Decided) -> bool:
    """Whether an Asia Poker Wager wins on this."""
    return bool(TWO_HIGHER(decided.shown, ()))


def _bonus(rules: Rules, state: State, position: str, at: FactRef) -> One:
    words = known_cards(state, position)
    if words is None:
        why = "the seven cards of the position are not recorded"
        return Undecidable(why=why, cite=BONUS_HAND, fact=at)
    hand = bonus_hand_of(words)
    if hand is not None and rules.filed is not None and not agree(options_of(rules).tables, hand):
        why = "which of the paytables is filed is not known, and they differ on this hand"
        return Undecidable(why=why, cite=PAYTABLE, fact=at)
    shown, detail = BONUS_SHOWN[hand]
    return Decided(
        shown=shown, detail=detail, cite=BONUS_HAND, fact=state.dealt or at, lost_by=BONUS_LOST,
        settled_by=None if hand is None else BONUS_PAID,
    )  # fmt: skip


def agree(tables: Sequence[str], hand: BonusHand) -> bool:
    """Whether the paytables pay one hand alike."""
    return len(tables) == 1 or len({PAYTABLES[name].get(hand) for name in tables}) == 1


def _main(
    rules: Rules, state: State, position: str, set_: HandSet | None, dealer: Places | None, at: FactRef
) -> One:  # fmt: skip
    if set_ is None or set_.high is None or set_.medium is None or set_.low is None:
        return Undecidable(why=NOT_RECORDED, cite=COMPARED, fact=at)
    switches = options_of(rules).switches
    places = places_named(set_.high, set_.medium, set_.low, switches)
    if places is None and hands_of(set_) is None:
        return Undecidable(why=NOT_RECORDED, cite=COMPARED, fact=at)
    fault = _foul(state, position, set_, places)
    if fault is not None:
        row = row_of(fault)
        fouled = HandOutcome(result=HandResult.FOULED, fault=fault)
        return Decided(shown=LOST, detail=fouled, cite=row.cite, fact=at, lost_by=row.cite)
    if dealer is None or places is None:
        why = "how the dealer's hands are set is not known"
        return Undecidable(why=why, cite=HOUSE_WAY, fact=at)
    (high, medium, low), (his_high, his_medium, his_low) = places, dealer
    shown, detail, lost_by = _of_compared(
        (high > his_high) - (high < his_high),
        (medium > his_medium) - (medium < his_medium),
        (low > his_low) - (low < his_low),
    )
    paid = MAIN_PAID if TWO_HIGHER(shown, ()) else None
    return Decided(
        shown=shown, detail=detail, cite=COMPARED, fact=at, lost_by=lost_by, settled_by=paid
    )


def _foul(state: State, position: str, set_: HandSet, places: Places | None) -> Accident | None:
    """Return why a player's hands are not set correctly, None if they are (§ 575.11(f)(1))."""
    if places is None:  # not four, two and one
        return Accident.NOT_SET
    stack = state.stack(position)
    if stack is not None and stack.cards is not None:
        others = {*stack.cards}.difference(set_.high or (), set_.medium or (), set_.low or ())
        if others and dealt_to(state, position) is not None:
            return Accident.NOT_SET
    return out_of_order(places)


@cache
def _of_compared(*places: int) -> tuple[HandShown, HandOutcome, Citation]:
    """Return what a comparison shows, the same as data, and the section by which it loses.

    ``places`` are 1 where the player's hand is higher, 0 where it is a copy, -1 where it is lower.
    """
    compared = tuple([("copy", "higher", "lower")[place] for place in places])
    copied = "copy" in compared and "lower" in compared
    return (
        HandShown(compared.count("higher"), True, None, compared),
        HandOutcome(result=HandResult.COMPARED, compared=compared),
        COPIED if copied else TWO_LOWER,
    )


def hands_of(fact: HandSet | None) -> Hands | None:
    """Return the three hands of a fact; None where a card is unknown, missing or repeated."""
    if fact is None or fact.high is None or fact.medium is None or fact.low is None:
        return None
    high, medium, low = fact.high, fact.medium, fact.low
    cards = cards_of((*high, *medium, *low))
    if cards is None:
        return None
    first, second = len(high), len(high) + len(medium)
    return Hands(cards[:first], cards[first:second], cards[second:])


def dealt_to(state: State, position: str) -> tuple[str, ...] | None:
    """Return the seven cards dealt to a position; None where they are not all known."""
    stack = state.stack(position)
    return seven_of(stack.cards) if stack is not None and stack.cards is not None else None


def seven_of(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the words if they name seven cards of one deck, else None."""
    return words if len(words) == EACH == len(WORDS.intersection(words)) else None


def known_cards(state: State, position: str) -> tuple[str, ...] | None:
    """Return a position's seven cards: as dealt, as racked, or as set (§ 575.11(i)); else None."""
    dealt = dealt_to(state, position)
    if dealt is not None:
        return dealt
    racked = seven_of(state.discards.get(position, ()))
    if racked is not None:
        return racked
    own = hands_of(state.hands.get(position))
    return tuple([card.word for card in own.cards]) if own is not None and own.sized else None


class Dealers(NamedTuple):
    """The dealer's hands.

    Args:
        own: the hands as he left them; None if not known.
        places: what they are worth; None if that is not known.
        best: the settings of the filed house way.
        same: he set the cards that he was dealt.
    """

    own: tuple[Sequence[str], ...] | None
    places: Places | None
    best: tuple[Setting, ...]
    same: bool


def _dealers(rules: Rules, state: State) -> Dealers | None:
    fact, stack, chosen = state.hands.get(DEALER), state.stack(DEALER), options_of(rules)
    if fact is None:
        return None
    asked, places = _LAST[0]
    if asked[0] is not fact or asked[1] is not stack or asked[2] is not chosen:
        places = _left(fact, stack, chosen)
        _LAST[0] = ((fact, stack, chosen), places)
    return places


def _left(fact: HandSet, stack: Stack | None, chosen: Options) -> Dealers:
    high, medium, low = own = (fact.high or (), fact.medium or (), fact.low or ())
    laid = {*high, *medium, *low}
    places = places_named(high, medium, low, chosen.switches)
    known = places is not None or hands_of(fact) is not None
    dealt = seven_of(stack.cards) if stack is not None and stack.cards is not None else None
    words = dealt or (laid if known else ())
    best: tuple[Setting, ...] = ()
    if chosen.way is not None and len(words) == EACH:
        seven = frozenset([BY_WORD[word] for word in words])
        best = set_the_house_way(chosen.way, seven, chosen.switches)
    same = places is not None and laid.issuperset(words)
    return Dealers(own if known else None, places, best, same)


_LAST: Final[list[tuple[tuple[object, ...], Dealers | None]]] = [((None, None, None), None)]
"""The last question to ``_dealers`` and its answer: it is asked several times in a round."""


def dealers_places(rules: Rules, state: State) -> Places | None:
    """Return what the dealer's hands are worth: as the house way sets them, else as he did.

    Law: § 575.13(i). None if they are not set, or not known.
    """
    places = _dealers(rules, state)
    if places is None:
        return None
    wrong = places.best and places.places not in [one.places for one in places.best]
    if wrong and row_of(Accident.DEALER_MISSET).then is Then.GO_ON:
        return places.best[0].places
    return places.places


def misset(rules: Rules, state: State) -> tuple[str, str] | None:
    """Return the dealer's hands as left and as the house way sets them; None if they agree."""
    places = _dealers(rules, state)
    if places is None or places.own is None or not places.best:
        return None
    mine = places.places if places.same else None
    if mine in [one.places for one in places.best]:
        return None
    best = places.best[0].hands
    return hands_in_words(places.own), hands_in_words(
        [[card.word for card in hand] for hand in best]
    )


def hands_in_words(hands: Iterable[Iterable[str]]) -> str:
    """Three hands for people."""
    return " / ".join([" ".join(hand) for hand in hands])
