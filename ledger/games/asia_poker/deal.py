"""The deal, and what may go wrong with it; each accident has its own effect.

Law: §§ 575.3(c), 575.5, 575.7(f), 575.8-575.10, 575.11(c)-(e), 575.13.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from ledger import events
from ledger.games.asia_poker.equipment import HOURS, options_of
from ledger.games.asia_poker.state import Deck, State, miscounted
from ledger.games.asia_poker.terms import (
    BONUS,
    DEALER,
    LAW,
    MAIN,
    POSITIONS,
    REMAINING,
    Phase,
    clockwise_from,
    start_of,
)
from ledger.games.asia_poker.validity import METHOD_ROWS, Accident, row_of, unclear
from ledger.games.breach_reporting import breach, once
from ledger.games.cards import BY_WORD
from ledger.games.room import Returned, Rules, Ruling
from ledger.kernel import MICROSECONDS, Certainty, FactRef, ref_of

ByMethod = tuple[str, str, str]

# §§ 575.8, 575.9 and 575.10 have the same duty: from a manual shoe, the hand, an automated shoe
ANNOUNCED: Final = (
    "no_more_bets_missing@.8(b)",
    "no_more_bets_missing@.9(a)(3)",
    "no_more_bets_missing@.10(a)(2)",
)
START: Final = (
    "start_not_determined@.8(b)",
    "start_not_determined@.9(a)(3)",
    "start_not_determined@.10(a)(2)",
)
FIRST: Final = (
    "wrong_start_position@.8(c)",
    "wrong_start_position@.9(b)",
    "wrong_start_position@.10(b)",
)
ORDER: Final = ("wrong_deal_order@.8(c)", "wrong_deal_order@.9(b)", "wrong_deal_order@.10(b)")
UNCOUNTED: Final = (
    "remaining_cards_not_counted@.8(d)",
    "remaining_cards_not_counted@.9(c)",
    "remaining_cards_not_counted@.10(c)",
)
STUB_SHOWN: Final = (
    "remaining_cards_exposed@.8(d)",
    "remaining_cards_exposed@.9(c)",
    "remaining_cards_exposed@.10(c)",
)
KEPT: Final = (
    "defective_deck_kept@.8(e)",
    "defective_deck_kept@.9(d)",
    "defective_deck_kept@.10(d)",
)
UNRULED: Final = (
    "remaining_cards_not_counted@.8(e)",
    "remaining_cards_not_counted@.9(d)",
    "remaining_cards_not_counted@.10(d)",
)
EMPTY_SHOWN: Final = (
    "empty_stack_exposed@.8(f)",
    "empty_stack_exposed@.9(e)",
    "empty_stack_exposed@.10(e)",
)
PLACES: Final = frozenset(POSITIONS)
WORDS: Final = frozenset(BY_WORD)
SHAKER: Final = events.StartMethod.SHAKER
HOUR: Final = 3600 * MICROSECONDS
WAYS: Final = {
    events.DealMethod.MANUAL_SHOE: 0,
    events.DealMethod.HAND: 1,
    events.DealMethod.AUTOMATED_SHOE: 2,
}


def by_method(rows: ByMethod, method: events.DealMethod | None) -> str:
    """Return the row of the section by which the cards are dealt; the manual shoe's if unknown.

    Args:
        rows: the rows for manual shoe, hand and automated shoe.
        method: how the cards are dealt.
    """
    return rows[WAYS.get(method or events.DealMethod.MANUAL_SHOE, 0)]


def returned(accident: Accident, at: FactRef, method: events.DealMethod | None = None) -> Returned:
    """Return the ruling that all hands are void and all wagers go back."""
    row = row_of(accident)
    pin = METHOD_ROWS.get(accident, {}).get(method.value if method else "")
    return Returned(why=row.cause, cite=LAW[pin] if pin else row.cite, fact=at)


def no_roll_due(rules: Rules, state: State, fact: events.Fact) -> tuple[Ruling, ...]:
    """Report a roll that does not count and that nobody called a no roll."""
    lies = ", ".join(die.rest.lower().replace("_", " ") for die in state.dice)
    out = any(word in lies for word in ("outside", "off table"))
    name = "no_roll_not_called@.13(b)" if out else "no_roll_not_called@.13(a)"
    return once(rules, state, fact, name, state.thrown, observed=lies)


# --- before the first card -----------------------------------------------------------------------


def begins(
    rules: Rules, state: State, fact: events.DealBegan | events.CardsDealt, first: str | None,
    recorded: events.DealMethod | None,
) -> Iterator[Ruling]:  # fmt: skip
    """Judge what must be done before the first card.

    Args:
        rules: those of the round.
        state: the state before the fact.
        fact: the fact that begins the deal.
        first: the position of the first card; None if not recorded.
        recorded: how the cards are dealt, as recorded.
    """
    method = dealt_by(rules, recorded)
    yield from bonus_alone(rules, state, fact)
    if state.phase is Phase.BETTING:
        yield breach(rules, by_method(ANNOUNCED, method), fact)
    if state.no_roll_due:
        yield from no_roll_due(rules, state, fact)
    elif unclear(state.dice):
        yield from once(
            rules, state, fact, "no_roll_not_called@.13(a)", state.thrown,
            observed="how a die lay was not recorded", certainty=Certainty.UNKNOWN,
        )  # fmt: skip
    if state.void is None:  # a void round leaves cards that must be shuffled for the next one
        yield from _shuffled(rules, state, fact, method)
    yield from _aged(rules, state, fact, method)
    yield from _started(rules, state, fact, method)
    if first is not None or isinstance(fact, events.CardsDealt):
        yield from positioned(rules, state, fact, first, method)
    other = method not in (events.DealMethod.AUTOMATED_SHOE, None)
    if other and events.CardDevice.AUTOMATED_SHOE in state.broken - state.marked:
        yield breach(rules, "out_of_order_sign_missing", fact, observed="automated shoe")


def dealt_by(rules: Rules, recorded: events.DealMethod | None) -> events.DealMethod | None:
    """Return how the cards are dealt: as recorded, else as filed if only one way is; else None."""
    filed = options_of(rules).dealing or ()
    if recorded in (None, events.DealMethod.UNRECOGNISED):
        return filed[0] if len(filed) == 1 else None
    return recorded


def bonus_alone(rules: Rules, state: State, fact: events.Fact) -> Iterator[Ruling]:
    """Report a Bonus Wager where no Asia Poker Wager lies (§ 575.7(e))."""
    beside = {one.position for one in state.wagers if one.wager == MAIN}
    for wager in state.wagers:
        if wager.wager == BONUS and wager.position not in beside:
            yield from once(
                rules, state, fact, "bonus_without_main_wager",
                observed=wager.position, wager=wager.wager_id,
            )  # fmt: skip


def _shuffled(
    rules: Rules,
    state: State,
    fact: events.DealBegan | events.CardsDealt,
    method: events.DealMethod | None,
) -> Iterator[Ruling]:
    deck, two = state.deck_named(fact.deck), len(state.decks) > 1
    if deck is not None and two and state.last_deck == deck.name:
        observed = f"deck {deck.name} was dealt twice running"
        yield breach(rules, "decks_not_alternated@.3(b)(3)", fact, observed=observed)
    elif deck is not None and two and state.last_deck is not None and deck.from_device:
        observed = (
            f"deck {deck.name} was not kept in the shuffling device while the other was played"
        )
        yield breach(rules, "decks_not_alternated@.3(b)(2)", fact, observed=observed)
    if deck is not None and two and deck.by_hand:
        yield breach(rules, "two_decks_without_shuffler", fact, deck.by_hand)
    shuffle = state.shuffle
    if shuffle is not None and None not in (shuffle.deck, fact.deck) and shuffle.deck != fact.deck:
        shuffle = None  # the other deck was shuffled last
    if shuffle is None:
        fresh = deck is not None and ((two and deck.shuffled) or (deck.prepared and not deck.used))
        ready = deck is not None and (deck.kept or fresh)
        if not ready or (state.interrupted and not (deck and deck.kept)):
            known = state.sure and deck is not None  # a deck that was never placed: not known
            certainty = Certainty.BROKEN if known else Certainty.UNKNOWN
            yield breach(rules, _unshuffled(state, deck), fact, certainty=certainty)
        return
    sure = Certainty.BROKEN if shuffle.by_device is False else Certainty.UNKNOWN
    if shuffle.by_device is not True and shuffle.cut is None:
        yield breach(rules, "cards_not_cut", fact, shuffle.fact, certainty=sure)
    if shuffle.by_device is not True and method is events.DealMethod.HAND:
        yield breach(rules, "hand_deal_without_shuffler", fact, shuffle.fact, certainty=sure)
    if shuffle.by_device is False and two and deck is None:
        yield breach(rules, "two_decks_without_shuffler", fact, shuffle.fact)


def _unshuffled(state: State, deck: Deck | None) -> str:
    """Return the duty by which the cards had to be shuffled before this deal."""
    if state.interrupted:
        row = row_of(Accident.SHUFFLER)
        return f"deck_not_shuffled@{row.cite.section.removeprefix(LAW.edition.chapter)}"
    if deck is not None and not deck.used and not deck.prepared:
        two = len(state.decks) > 1 and events.CardDevice.SHUFFLER not in state.broken
        return "deck_not_shuffled@.4(d)" if two else "deck_not_shuffled@.4(c)"
    return "deck_not_shuffled@.5(e)" if state.spread else "deck_not_shuffled@.5(a)"


def _aged(
    rules: Rules,
    state: State,
    fact: events.DealBegan | events.CardsDealt,
    method: events.DealMethod | None,
) -> Iterator[Ruling]:
    deck = state.deck_named(fact.deck)
    if deck is None and state.decks:  # one of two: the one placed last is the youngest
        deck = max(state.decks, key=lambda one: one.at)
    if deck is None:
        return
    yield from _too_long(rules, deck, fact, method)


def removed(rules: Rules, state: State, fact: events.DeckRemoved) -> Iterator[Ruling]:
    """Report a deck that was changed too late, though it was not dealt since (§ 575.3(c))."""
    deck = state.deck_named(fact.deck)
    if deck is not None and not deck.over_age:
        yield from _too_long(rules, deck, fact, dealt_by(rules, state.method))


def _too_long(
    rules: Rules, deck: Deck, fact: events.Fact, method: events.DealMethod | None
) -> Iterator[Ruling]:
    used = fact.event_time - deck.at
    by_hand = method is events.DealMethod.HAND or (method is None and used <= HOURS[False] * HOUR)
    if used > HOURS[by_hand] * HOUR:
        name = "deck_over_4_hours" if by_hand else "deck_over_8_hours"
        minutes, hours = used // (HOUR // 60) % 60, used // HOUR
        sure = Certainty.BROKEN if method is not None or not by_hand else Certainty.UNKNOWN
        observed = f"{hours} h {minutes} min"
        yield breach(rules, name, fact, deck.placed, certainty=sure, observed=observed)


def expected_start(state: State) -> str | None:
    """Return the start that the shaker, the generator or the button gives; None if not known."""
    by = state.started_by
    if by is SHAKER:
        total = state.total if state.total is not None else state.announced
        return state.start if total is None else start_of(total)
    if by is events.StartMethod.GENERATOR and state.generated is not None:
        return start_of(state.generated)
    if by is events.StartMethod.FLAT_BUTTON:
        if state.button is None:  # § 575.5(g)(3): first before the dealer
            return DEALER if state.sure else None
        return clockwise_from(state.button)[1]
    return state.start


def _started(
    rules: Rules,
    state: State,
    fact: events.DealBegan | events.CardsDealt,
    method: events.DealMethod | None,
) -> Iterator[Ruling]:
    """Judge whether the start was determined, by one of three devices."""
    if state.started_by is SHAKER:
        return
    if state.started_by is None and state.start is None:
        yield breach(rules, by_method(START, method), fact)
        return
    if state.started_by is events.StartMethod.UNRECOGNISED:
        yield breach(
            rules, "start_method_not_allowed@.2(c)", fact, certainty=Certainty.UNKNOWN,
            observed="what this version does not know",
            expected="it is the shaker, a random number generator or a flat button",
        )  # fmt: skip
    if state.started_by is events.StartMethod.FLAT_BUTTON:
        hand_shuffled = state.shuffle is not None and state.shuffle.by_device is False
        if method not in (events.DealMethod.AUTOMATED_SHOE, None) or hand_shuffled:
            yield breach(
                rules, "start_method_not_allowed@.5(g)(3)", fact, observed="the flat button",
                expected="it needs an automated shuffling device and an automated shoe",
            )  # fmt: skip


def positioned(
    rules: Rules, state: State, fact: events.DealBegan | events.CardsDealt, first: str | None,
    method: events.DealMethod | None,
) -> Iterator[Ruling]:  # fmt: skip
    """Compare the position of the first card with the start.

    If both it and the announced total are wrong, all hands are void. The arguments are as in
    ``begins``, with ``method`` as ``dealt_by`` returns it.
    """
    expected = expected_start(state)
    mistotalled = (
        state.announced is not None and state.total is not None and state.announced != state.total
    )
    wrong = None not in (expected, first) and first != expected
    if mistotalled and wrong:
        yield returned(Accident.MISTOTALLED, ref_of(fact))
    elif mistotalled:
        yield breach(
            rules, "dice_total_wrong", fact, state.announcement,
            observed=str(state.announced), expected=str(state.total),
        )  # fmt: skip
    elif wrong:
        named = {
            events.StartMethod.SHAKER: "wrong_start_position@.5(g)(1)(iii)",
            events.StartMethod.GENERATOR: "wrong_start_position@.5(g)(2)",
            events.StartMethod.FLAT_BUTTON: "wrong_start_position@.5(g)(3)#3"
            if state.button
            else "wrong_start_position@.5(g)(3)#2",
        }
        name = named.get(state.started_by) if state.started_by else None
        yield breach(
            rules, name or by_method(FIRST, method), fact, observed=first, expected=expected
        )
    elif None not in (state.start, expected) and state.start != expected:
        observed = f"position {state.start} is recorded as the start"
        yield breach(rules, "start_contradictory", fact, observed=observed, expected=expected)


# --- the cards -----------------------------------------------------------------------------------


def dealt(rules: Rules, state: State, fact: events.CardsDealt) -> Iterator[Ruling]:
    """Judge the end of the deal: its order, how many cards each position got, and which."""
    method = dealt_by(rules, fact.method or state.method)
    if fact.direction is events.DealDirection.COUNTERCLOCKWISE:
        yield breach(rules, by_method(ORDER, method), fact, observed="counterclockwise")
    strange = {one.position for one in fact.stacks} - PLACES
    if strange:
        observed = f"to position {', '.join(sorted(strange))}, which the table does not have"
        yield breach(rules, by_method(ORDER, method), fact, observed=observed)
    yield from _cards(rules, state, fact)
    if fact.complete is False or state.void is not None:
        return
    wrong = miscounted(fact.stacks)
    if wrong:
        involved = any(p == DEALER or state.at(p) for p in wrong)
        yield returned(Accident.WRONG_NUMBER if involved else Accident.WRONG_STACK, ref_of(fact))


def _cards(rules: Rules, state: State, fact: events.CardsDealt) -> Iterator[Ruling]:
    words = [word for stack in fact.stacks for word in stack.cards or ()]
    once_each = set(words)
    if len(once_each) == len(words) and once_each <= WORDS and not state.face_up:
        return
    counted = Counter(words)
    for word in sorted(word for word, count in counted.items() if count > 1):
        if word == "JOKER":
            yield breach(rules, "wrong_number_of_jokers@.3(a)#3", fact, observed="two jokers")
        else:
            yield breach(rules, "wrong_deck_count", fact, observed=f"{word} was dealt twice")
    for word in sorted(counted.keys() - WORDS):
        yield breach(rules, "wrong_deck_count", fact, observed=f"{word} is no card of the deck")
    for word in sorted(set(state.face_up) & counted.keys()):
        yield breach(rules, "face_up_card_used", fact, observed=word)


def remaining(rules: Rules, state: State, fact: events.RemainingCardsCounted) -> Iterator[Ruling]:
    """Judge the cards that are left: four, or fewer if one lies aside (face-up-card-aside)."""
    if fact.face_down is False:
        yield from once(rules, state, fact, by_method(STUB_SHOWN, state.method))
    if state.void is not None or fact.cards + state.aside == REMAINING:
        return
    accident = Accident.MISDEALT if state.miscounted else Accident.BAD_DECK
    yield returned(accident, ref_of(fact), state.method)


def misdeal_found(rules: Rules, state: State, fact: events.MisdealDetermined) -> Iterator[Ruling]:
    """Let what the dealer determined decide where the record does not count each position's cards."""
    if fact.misdealt is not True or state.counts_known or not state.in_round:
        return
    left = REMAINING if state.remaining is None else state.remaining + state.aside
    accident = Accident.WRONG_STACK if left == REMAINING else Accident.MISDEALT
    yield returned(accident, ref_of(fact), state.method)
