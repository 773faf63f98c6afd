"""The deal, and what may go wrong with it: each accident with its own effect.

Law: §§ 575.3(c), 575.5, 575.7(f), 575.8-575.10, 575.11(c)-(e), 575.13.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ledger.events import (
    CardDevice,
    CardsDealt,
    DealBegan,
    DealDirection,
    DealMethod,
    Fact,
    HandExposed,
    HandSet,
    RemainingCardsCounted,
    Role,
    StartMethod,
    WagerPlaced,
)
from ledger.games.asia_poker.equipment import HOURS, options_of
from ledger.games.asia_poker.settling import misset
from ledger.games.asia_poker.state import State, count_of, ref_of
from ledger.games.asia_poker.terms import (
    DEALER,
    EACH,
    LAW,
    MAIN,
    POSITIONS,
    REMAINING,
    Phase,
    clockwise_from,
    start_of,
)
from ledger.games.asia_poker.validity import METHOD_ROWS, Accident, row_of
from ledger.games.room import Breach, Returned, Rules, Ruling
from ledger.kernel import MICROSECONDS, Certainty, FactRef

ByMethod = tuple[str, str, str]

# the same duty stands in §§ 575.8, 575.9 and 575.10: from a manual shoe, the hand, an automated shoe
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
EMPTY_SHOWN: Final = (
    "empty_stack_exposed@.8(f)",
    "empty_stack_exposed@.9(e)",
    "empty_stack_exposed@.10(e)",
)
WAYS: Final = {DealMethod.MANUAL_SHOE: 0, DealMethod.HAND: 1, DealMethod.AUTOMATED_SHOE: 2}


def by_method(state: State, rows: ByMethod, method: DealMethod | None = None) -> str:
    """The row of the section by which the cards are dealt; the manual shoe's where that is open."""
    return rows[WAYS.get(method or state.method or DealMethod.MANUAL_SHOE, 0)]


def breach(
    rules: Rules, name: str, fact: Fact | FactRef, *earlier: FactRef | None,
    certainty: Certainty = Certainty.BROKEN, **details: Any,
) -> Breach:  # fmt: skip
    """A duty of this room that was not kept."""
    at = fact if isinstance(fact, FactRef) else ref_of(fact)
    facts = (*(ref for ref in earlier if ref is not None), at)
    return Breach(duty=rules.duty(name), facts=facts, certainty=certainty, **details)


def once(
    rules: Rules, state: State, fact: Fact, name: str, *earlier: FactRef | None, **details: Any
) -> tuple[Ruling, ...]:
    """The breach, unless this round already showed one of its kind."""
    if name.partition("@")[0] in state.reported:
        return ()
    return (breach(rules, name, fact, *earlier, **details),)


def returned(accident: Accident, at: FactRef, method: DealMethod | None = None) -> Returned:
    """All hands are void and all wagers go back."""
    row = row_of(accident)
    pin = METHOD_ROWS.get(accident, {}).get(method.value if method else "")
    return Returned(why=row.what, cite=LAW[pin] if pin else row.cite, fact=at)


def no_roll_due(rules: Rules, state: State, fact: Fact) -> tuple[Ruling, ...]:
    """A roll that does not count and that nobody called a no roll."""
    lies = ", ".join(die.rest.lower().replace("_", " ") for die in state.dice)
    out = any(word in lies for word in ("outside", "off table"))
    name = "no_roll_not_called@.13(b)" if out else "no_roll_not_called@.13(a)"
    return once(rules, state, fact, name, state.thrown, observed=lies)


# --- before the first card -----------------------------------------------------------------------


def begins(
    rules: Rules, state: State, fact: DealBegan | CardsDealt, first: str | None,
    method: DealMethod | None,
) -> Iterator[Ruling]:  # fmt: skip
    """What must have been done before the first card."""
    if state.phase is Phase.BETTING:
        yield breach(rules, by_method(state, ANNOUNCED, method), fact)
    if state.no_roll_due:
        yield from no_roll_due(rules, state, fact)
    yield from _shuffled(rules, state, fact, method)
    yield from _aged(rules, state, fact, method)
    yield from _started(rules, state, fact, first, method)
    broken = state.broken - state.marked
    if CardDevice.AUTOMATED_SHOE in broken and method is not DealMethod.AUTOMATED_SHOE:
        yield breach(rules, "out_of_order_sign_missing", fact, observed="automated shoe")


def _shuffled(
    rules: Rules, state: State, fact: DealBegan | CardsDealt, method: DealMethod | None
) -> Iterator[Ruling]:
    deck = state.deck_named(fact.deck)
    if deck is not None and len(state.decks) > 1 and state.last_deck == deck.name:
        said = f"deck {deck.name} was dealt twice running"
        yield breach(rules, "decks_not_alternated@.3(b)(3)", fact, observed=said)
    if state.shuffle is None:
        fresh = deck is not None and deck.prepared and state.last_deck != deck.name
        if not fresh and not (deck is not None and deck.shuffled):
            certainty = Certainty.BROKEN if state.sure else Certainty.UNKNOWN
            yield breach(rules, "deck_not_shuffled@.5(a)", fact, certainty=certainty)
        return
    by_hand = state.shuffle.by_device is False
    if by_hand and state.shuffle.cut is None:
        yield breach(rules, "cards_not_cut", fact, state.shuffle.fact)
    if by_hand and method is DealMethod.HAND:
        yield breach(rules, "hand_deal_without_shuffler", fact, state.shuffle.fact)
    if by_hand and len(state.decks) > 1:
        yield breach(rules, "two_decks_without_shuffler", fact, state.shuffle.fact)


def _aged(
    rules: Rules, state: State, fact: DealBegan | CardsDealt, method: DealMethod | None
) -> Iterator[Ruling]:
    deck = state.deck_named(fact.deck)
    if deck is None or method is None:
        return
    by_hand = method is DealMethod.HAND
    used, allowed = fact.event_time - deck.at, HOURS[by_hand] * 3600 * MICROSECONDS
    if used > allowed:
        name = "deck_over_4_hours" if by_hand else "deck_over_8_hours"
        minutes, hours = used // (60 * MICROSECONDS) % 60, used // (3600 * MICROSECONDS)
        yield breach(rules, name, fact, deck.placed, observed=f"{hours} h {minutes} min")


def _expected(state: State) -> str | None:
    """The start that the shaker, the generator or the button gives."""
    match state.started_by:
        case StartMethod.GENERATOR if state.generated is not None:
            return start_of(state.generated)
        case StartMethod.FLAT_BUTTON:
            if state.button is None:  # § 575.5(g)(3): first before the dealer
                return DEALER if state.sure else None
            return clockwise_from(state.button)[1]
        case StartMethod.SHAKER if state.total is not None:
            return start_of(state.total)
        case StartMethod.SHAKER if state.announced is not None:
            return start_of(state.announced)
    return state.start


def _started(
    rules: Rules, state: State, fact: DealBegan | CardsDealt, first: str | None,
    method: DealMethod | None,
) -> Iterator[Ruling]:  # fmt: skip
    if state.started_by is None and state.start is None:
        yield breach(rules, by_method(state, START, method), fact)
        return
    by_button = state.started_by is StartMethod.FLAT_BUTTON
    if by_button:
        hand_shuffled = state.shuffle is not None and state.shuffle.by_device is False
        if method not in (DealMethod.AUTOMATED_SHOE, None) or hand_shuffled:
            yield breach(
                rules, "start_method_not_allowed@.5(g)(3)", fact, observed="the flat button",
                expected="it needs an automated shuffling device and an automated shoe",
            )  # fmt: skip
    expected = _expected(state)
    mistotalled = (
        state.announced is not None and state.total is not None and state.announced != state.total
    )
    wrong = first is not None and expected is not None and first != expected
    if mistotalled and wrong:
        yield returned(Accident.MISTOTALLED, ref_of(fact))
    elif mistotalled:
        yield breach(
            rules, "dice_total_wrong", fact, state.announcement,
            observed=str(state.announced), expected=str(state.total),
        )  # fmt: skip
    elif wrong:
        name = {
            StartMethod.SHAKER: "wrong_start_position@.5(g)(1)(iii)",
            StartMethod.GENERATOR: "wrong_start_position@.5(g)(2)",
            StartMethod.FLAT_BUTTON: "wrong_start_position@.5(g)(3)#3"
            if state.button
            else "wrong_start_position@.5(g)(3)#2",
        }.get(state.started_by) if state.started_by else None  # fmt: skip
        yield breach(
            rules, name or by_method(state, FIRST, method), fact, observed=first, expected=expected
        )


# --- the cards -----------------------------------------------------------------------------------


def dealt(rules: Rules, state: State, fact: CardsDealt) -> Iterator[Ruling]:
    """The deal ended: in which order, how many to each, and which cards."""
    if fact.direction is DealDirection.COUNTERCLOCKWISE:
        yield breach(rules, by_method(state, ORDER, fact.method), fact, observed="counterclockwise")
    words = [word for stack in fact.stacks for word in stack.cards or ()]
    for word in sorted({word for word in words if words.count(word) > 1}):
        if word == "JOKER":
            yield from once(rules, state, fact, "wrong_number_of_jokers", observed="two jokers")
        else:
            yield breach(rules, "wrong_deck_count", fact, observed=f"{word} was dealt twice")
    for word in sorted(set(state.face_up) & set(words)):
        yield breach(rules, "face_up_card_used", fact, observed=word)
    if fact.complete is False or state.void is not None:
        return
    if any(count_of(stack) not in (EACH, None) for stack in fact.stacks):
        yield returned(Accident.WRONG_NUMBER, ref_of(fact))


def counts_known(state: State) -> bool:
    """Whether the record says how many cards each of the seven places got."""
    known = {stack.position for stack in state.stacks if count_of(stack) is not None}
    return known >= set(POSITIONS)


def remaining(rules: Rules, state: State, fact: RemainingCardsCounted) -> Iterator[Ruling]:
    """Four cards must be left; one found face up and set aside counts (face-up-card-aside)."""
    if fact.cards + state.aside == REMAINING:
        return
    misdealt = any(count_of(stack) not in (EACH, None) for stack in state.stacks)
    accident = Accident.MISDEALT if misdealt else Accident.BAD_DECK
    yield returned(accident, ref_of(fact), state.method)


# --- hands seen, adjacent areas ------------------------------------------------------------------


def exposed(rules: Rules, state: State, fact: HandExposed) -> Iterator[Ruling]:
    """Cards of a position became visible: in turn, out of turn, or by accident."""
    position, at = fact.position, ref_of(fact)
    during = fact.during_deal or state.phase not in (Phase.DEALT, Phase.SET)
    if position == DEALER:
        if state.void is not None:
            return
        waiting = [p for p in state.playing if p not in state.hands]
        if during or (state.phase is Phase.DEALT and waiting):
            if not during:
                yield breach(rules, "dealer_hand_exposed_early", fact)
            yield returned(Accident.DEALER_CARD, at)
        return
    by_dealer = fact.role in (Role.DEALER, None)
    if during and by_dealer and state.void is None:
        dealing = options_of(rules).dealing
        method = state.method or (dealing[0] if dealing and len(dealing) == 1 else None)
        if method is DealMethod.HAND:
            yield returned(Accident.HAND_DEAL, at)
        return
    if position in state.surrendered:
        yield from once(rules, state, fact, "surrendered_cards_exposed", observed=position)
    elif not state.at(position):
        yield breach(rules, by_method(state, EMPTY_SHOWN), fact, observed=position)
    elif state.phase is Phase.DEALT and by_dealer and fact.count in (EACH, None):
        yield breach(rules, "hand_revealed_early", fact, observed=position)
    elif state.phase is Phase.SET and by_dealer:
        if not state.revealed:  # by the first player's hands the dealer has set them for good
            yield from dealer_misset(rules, state, at)
        later = [p for p in state.revealed if POSITIONS.index(p) > POSITIONS.index(position)]
        if later and position in POSITIONS:
            yield from once(
                rules, state, fact, "reveal_out_of_order", observed=position, expected=later[0]
            )


def dealer_misset(rules: Rules, state: State, at: FactRef) -> Iterator[Ruling]:
    """The dealer left his hands as the filed way does not set them (§ 575.11(c), .13(i))."""
    if "dealer_hand_set_wrong" in state.reported:
        return
    for observed, expected in misset(rules, state):
        yield breach(
            rules, "dealer_hand_set_wrong@.11(c)", at, observed=observed, expected=expected
        )


def adjacent(rules: Rules, state: State, fact: WagerPlaced) -> Iterator[Ruling]:
    """One player may wager on two adjacent areas where that is filed, never on more."""
    if fact.patron is None or fact.wager != MAIN or fact.position not in POSITIONS:
        return
    own = {one.position for one in state.wagers if one.patron == fact.patron and one.wager == MAIN}
    others = sorted(p for p in own - {fact.position} if p in POSITIONS)
    if not others:
        return
    allowed = options_of(rules).adjacent
    near = len(others) == 1 and abs(int(others[0]) - int(fact.position)) == 1
    if allowed is not True or not near:
        certainty = Certainty.UNKNOWN if allowed is None and near else Certainty.BROKEN
        why = "that is not filed" if allowed is not True else "two adjacent areas are the most"
        areas = ", ".join([*others, fact.position])
        yield breach(
            rules, "adjacent_wager_not_permitted", fact, certainty=certainty,
            observed=f"positions {areas}", expected=why, wager=fact.wager_id,
        )  # fmt: skip


def adjacent_order(rules: Rules, state: State, fact: HandSet) -> Iterator[Ruling]:
    """The larger wager's hand is set first; of equal ones the first counterclockwise."""
    mine = state.at(fact.position, MAIN)
    patron = mine[0].patron if mine else None
    if patron is None:
        return
    for other in state.wagers:
        if other.patron != patron or other.wager != MAIN or other.position == fact.position:
            continue
        if other.position in state.hands or other.position is None:
            continue
        more = other.stake_cents - mine[0].stake_cents
        if more > 0 or (more == 0 and other.position < fact.position):
            name = "adjacent_hands_out_of_order#3" if more else "adjacent_hands_out_of_order#4"
            yield breach(rules, name, fact, observed=fact.position, expected=other.position)
