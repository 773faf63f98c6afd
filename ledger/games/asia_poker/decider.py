"""What the chapter makes of each fact of a round of Asia Poker.

Law: 58 Pa. Code §§ 575.5, 575.7-575.11, 575.13; the rows say which sentence.
Readings: asia-void-returns, copy-loses, start-miscounted, face-up-card-aside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, Final

from ledger.events import (
    BettingOpened,
    CardDevice,
    CardDeviceFailed,
    CardsCut,
    CardsDealt,
    CardsDiscarded,
    CardsShuffled,
    DealBegan,
    DeckPlaced,
    DiceShaken,
    DiceThrown,
    Discard,
    ExposureChoice,
    ExposureChoiceMade,
    Fact,
    GeneratorShown,
    HandExposed,
    HandSet,
    HandSurrendered,
    HandVoided,
    Irregularity,
    IrregularityFound,
    NoMoreBetsAnnounced,
    NoRollCalled,
    RemainingCardsCounted,
    RemainingCardsExposed,
    RoundVoided,
    SettledAs,
    ShuffleMethod,
    SurrenderedCardsCounted,
    WagerPlaced,
    WagerSettled,
)
from ledger.games.asia_poker import deal, equipment
from ledger.games.asia_poker.procedure import PHASES, STEPS
from ledger.games.asia_poker.settling import resolution
from ledger.games.asia_poker.state import State, ref_of
from ledger.games.asia_poker.terms import BONUS, DEALER, EACH, MAIN, Phase
from ledger.games.asia_poker.turns import TURNS
from ledger.games.asia_poker.validity import Accident, roll_accident, row_of
from ledger.games.asia_poker.wagers import BONUS_CHANCES, HandShown
from ledger.games.room import Annulled, Rules, Ruling, Shown, Unsure
from ledger.kernel import FactRef

STEPPED: Final = frozenset(step.fact for step in PHASES) - {BettingOpened}


def decide(rules: Rules, state: State, fact: Fact) -> tuple[Ruling, ...]:
    """Say what the regulation makes of one fact."""
    kind = type(fact)
    handler = HANDLERS.get(kind)
    rulings = tuple(handler(rules, state, fact)) if handler else ()
    if kind in STEPPED and state.in_round and (state.phase, kind) not in STEPS:
        where = f"a round in which {state.phase.value}"
        rulings += deal.once(
            rules, state, fact, "fact_out_of_order", observed=kind.__name__, expected=where
        )
    if kind in DECIDES and state.in_round and state.void is None:
        after = evolve(state, fact)
        for ruling in rulings:
            after = evolve(after, ruling)
        if after.void is None and DEALER in after.hands:  # nothing is decided before
            rulings += resolution(rules, after, ref_of(fact))
    return rulings


def evolve(state: State, event: Fact | Ruling | Unsure) -> State:
    """Turn the page: no rule is applied here and no section is cited."""
    turn = TURNS.get(type(event))
    return state if turn is None else turn(state, event)


def close(rules: Rules, state: State, last: FactRef) -> tuple[Ruling, ...]:
    """Say what only the end of a round shows: what was owed and never came."""
    if state.void is not None or state.dealt is None:
        return ()
    owed: list[Ruling] = []
    if state.remaining is None:
        owed.append(deal.breach(rules, deal.by_method(state, deal.UNCOUNTED), last))
    if state.thrown is not None and not state.closing_shake:
        owed.append(deal.breach(rules, "closing_shake_missing", last))
    for position, fact in state.surrendered.items():
        if position not in state.counted and "surrendered_cards_not_counted" not in state.reported:
            owed.append(
                deal.breach(rules, "surrendered_cards_not_counted", fact, observed=position)
            )
    owed.extend(deal.dealer_misset(rules, state, last))
    if not state.resolved:
        owed.extend(resolution(rules, state, last))
    return tuple(owed)


def is_over(state: State) -> bool:
    """A round is over when the next one opens; nothing in it ends a round of itself."""
    return not state.in_round


def outcomes() -> Iterator[tuple[Shown, Fraction, Fraction]]:
    """What seven cards of 53 make as a bonus hand, with exact chances.

    Who wins the Asia Poker Wager hangs on how hands are set: its two outcomes have no chance here.
    """
    for hand, chance in BONUS_CHANCES:
        yield HandShown(0, True, hand), chance, Fraction(1)
    yield HandShown(2, True, None), Fraction(0), Fraction(1)


# --- one fact each -------------------------------------------------------------------------------


def _on_betting_opened(rules: Rules, state: State, fact: BettingOpened) -> Iterator[Ruling]:
    yield from equipment.decks_in_play(rules, state, fact)


def _on_deck_placed(rules: Rules, state: State, fact: DeckPlaced) -> Iterator[Ruling]:
    for other in state.decks:
        if other.name != fact.deck and fact.back is not None and other.back == fact.back:
            yield deal.breach(
                rules, "deck_backs_not_distinct", fact, other.placed, observed=fact.back
            )


def _on_shuffled(rules: Rules, state: State, fact: CardsShuffled) -> Iterator[Ruling]:
    if state.defective is not None:  # § 575.8(e)
        ref, count = state.defective
        name = deal.by_method(state, deal.KEPT)
        yield deal.breach(rules, name, fact, ref, observed=str(count))
    by_hand = fact.method is ShuffleMethod.MANUAL
    if by_hand and CardDevice.SHUFFLER in state.broken - state.marked:
        yield deal.breach(rules, "out_of_order_sign_missing", fact, observed="shuffler")


def _on_cut(rules: Rules, state: State, fact: CardsCut) -> Iterator[Ruling]:
    depth = fact.cover_card_depth
    if depth is not None and depth < equipment.CUT_DEPTH:
        yield deal.breach(rules, "cut_too_shallow", fact, observed=str(depth))
    if fact.recut and state.began:
        yield deal.breach(rules, "recut_after_deal_began", fact)


def _on_wager(rules: Rules, state: State, fact: WagerPlaced) -> Iterator[Ruling]:
    if state.seated is not None and fact.position and fact.position not in state.seated:
        yield deal.breach(
            rules, "wager_by_unseated_patron", fact, wager=fact.wager_id, observed=fact.position
        )
    yield from deal.adjacent(rules, state, fact)


def _on_no_more_bets(rules: Rules, state: State, fact: NoMoreBetsAnnounced) -> Iterator[Ruling]:
    for one in state.wagers:
        if one.wager == BONUS and not state.at(one.position, MAIN):
            yield from deal.once(
                rules, state, fact, "bonus_without_main_wager",
                observed=one.position, wager=one.wager_id,
            )  # fmt: skip


def _on_shaken(rules: Rules, state: State, fact: DiceShaken) -> Iterator[Ruling]:
    if state.in_round and state.no_roll_due:
        yield from deal.no_roll_due(rules, state, fact)


def _on_thrown(rules: Rules, state: State, fact: DiceThrown) -> Iterator[Ruling]:
    if not state.in_round or state.knowable:
        return
    if state.shakes is not None and state.shakes < equipment.SHAKES:
        yield from deal.once(rules, state, fact, "too_few_shakes", observed=str(state.shakes))
    if len(fact.dice) != equipment.DICE:
        yield deal.breach(rules, "wrong_number_of_dice", fact, observed=str(len(fact.dice)))
    accident = roll_accident(fact.dice)
    if accident is not None:
        yield Annulled(row=row_of(accident), fact=ref_of(fact))


def _on_no_roll(rules: Rules, state: State, fact: NoRollCalled) -> Iterator[Ruling]:
    if state.thrown is not None and not state.no_roll_due and not state.knowable:
        yield from deal.once(rules, state, fact, "no_roll_without_cause", state.thrown)


def _on_generator(rules: Rules, state: State, fact: GeneratorShown) -> Iterator[Ruling]:
    if not 1 <= fact.number <= EACH:
        yield deal.breach(rules, "wrong_start_number", fact, observed=str(fact.number))


def _on_began(rules: Rules, state: State, fact: DealBegan) -> Iterator[Ruling]:
    if state.in_round and not state.began:
        yield from deal.begins(rules, state, fact, fact.position, fact.method)


def _on_dealt(rules: Rules, state: State, fact: CardsDealt) -> Iterator[Ruling]:
    if not state.in_round:
        return
    if not state.began:
        voids = list(deal.begins(rules, state, fact, fact.first_position, fact.method))
        yield from voids
    yield from deal.dealt(rules, state, fact)


def _on_remaining(rules: Rules, state: State, fact: RemainingCardsCounted) -> Iterator[Ruling]:
    if state.in_round and state.void is None:
        yield from deal.remaining(rules, state, fact)


def _on_hand_set(rules: Rules, state: State, fact: HandSet) -> Iterator[Ruling]:
    if not state.in_round:
        return
    position = fact.position
    if state.phase in (Phase.BETTING, Phase.NO_MORE_BETS, Phase.DEALING):
        yield from deal.once(rules, state, fact, "hand_set_before_deal_complete", observed=position)
    if position == DEALER:
        return
    if not state.at(position, MAIN):
        yield deal.breach(rules, "hand_played_without_wager", fact, observed=position)
    if position in state.hands:
        yield deal.breach(rules, "hand_changed_after_set@.11(a)(3)", fact, observed=position)
    else:
        yield from deal.adjacent_order(rules, state, fact)


def _on_exposed(rules: Rules, state: State, fact: HandExposed) -> Iterator[Ruling]:
    if state.in_round:
        yield from deal.exposed(rules, state, fact)


def _on_choice(rules: Rules, state: State, fact: ExposureChoiceMade) -> Iterator[Ruling]:
    if fact.looked and fact.choice is ExposureChoice.VOID:
        yield deal.breach(rules, "void_choice_after_look", fact, observed=fact.position)


def _on_surrendered(rules: Rules, state: State, fact: HandSurrendered) -> Iterator[Ruling]:
    if not state.in_round:
        return
    if state.at(fact.position, BONUS):
        yield deal.breach(rules, "surrender_with_bonus", fact, observed=fact.position)
    elif fact.position in state.revealed:
        yield deal.breach(rules, "surrender_too_late", fact, observed=fact.position)
    elif state.phase is not Phase.SET:
        yield deal.breach(rules, "surrender_too_early", fact, observed=fact.position)


def _on_counted(rules: Rules, state: State, fact: SurrenderedCardsCounted) -> Iterator[Ruling]:
    if fact.exposed:
        yield deal.breach(rules, "surrendered_cards_exposed", fact, observed=fact.position)
    if fact.cards != EACH:
        yield deal.breach(rules, "surrendered_cards_not_counted", fact, observed=fact.position)


def _on_discarded(rules: Rules, state: State, fact: CardsDiscarded) -> Iterator[Ruling]:
    if not state.in_round:
        return
    where = fact.position or "unknown"
    if fact.kept_together is False:
        yield deal.breach(rules, "discard_not_reconstructable", fact, observed=where)
    if fact.face_down is False and fact.kind is Discard.REMAINING_CARDS:
        yield from deal.once(rules, state, fact, deal.by_method(state, deal.STUB_SHOWN))
    if fact.face_down is False and fact.kind is Discard.EMPTY_POSITION:
        yield deal.breach(rules, deal.by_method(state, deal.EMPTY_SHOWN), fact, observed=where)
    if fact.deck is not None and state.deck is not None and fact.deck != state.deck:
        yield from deal.once(
            rules, state, fact, "decks_mixed_in_discard_rack",
            observed=f"deck {fact.deck}", expected=f"deck {state.deck}",
        )  # fmt: skip


def _on_stub_shown(rules: Rules, state: State, fact: RemainingCardsExposed) -> Iterator[Ruling]:
    yield from deal.once(rules, state, fact, deal.by_method(state, deal.STUB_SHOWN))


def _on_irregular(rules: Rules, state: State, fact: IrregularityFound) -> Iterator[Ruling]:
    if not state.in_round or state.void is not None:
        return
    at = ref_of(fact)
    match fact.irregularity:
        case Irregularity.CARD_FACE_UP:
            seen = len(state.face_up) + len(fact.cards or ("?",) * (fact.count or 1))
            if seen > 1:
                yield deal.returned(Accident.FACE_UP, at)
        case Irregularity.CARD_DRAWN_IN_ERROR:
            if fact.used_as_next_card is False and not fact.exposed:
                yield deal.breach(rules, "drawn_card_not_used", fact)
        case Irregularity.DEALER_CARD_EXPOSED:
            yield deal.returned(Accident.DEALER_CARD, at)
        case Irregularity.EXPOSED_IN_HAND_DEAL:
            yield deal.returned(Accident.HAND_DEAL, at)
        case Irregularity.SHOE_FAILED if state.dealt is None:
            yield deal.returned(Accident.SHOE, at)
        case Irregularity.WRONG_NUMBER_OF_CARDS if not deal.counts_known(state):
            yield deal.returned(Accident.WRONG_NUMBER, at)
        case Irregularity.WRONG_TOTAL_AND_POSITION if state.total is None:
            yield deal.returned(Accident.MISTOTALLED, at)
        case _:
            pass


def _on_device(rules: Rules, state: State, fact: CardDeviceFailed) -> Iterator[Ruling]:
    shoe = fact.device in (CardDevice.AUTOMATED_SHOE, CardDevice.RESHUFFLER)
    dealing = state.phase in (Phase.NO_MORE_BETS, Phase.DEALING)
    if shoe and dealing and state.void is None:
        yield deal.returned(Accident.SHOE, ref_of(fact))


def _on_settled(rules: Rules, state: State, fact: WagerSettled) -> Iterator[Ruling]:
    own = next((one for one in state.wagers if one.wager_id == fact.wager_id), None)
    if own is None or own.wager != BONUS or fact.outcome is SettledAs.RETURNED or state.void:
        return
    if any(one.wager_id not in state.settled for one in state.at(own.position, MAIN)):
        yield deal.breach(
            rules, "bonus_settled_first", fact, wager=fact.wager_id, observed=own.position
        )


HANDLERS: Final[dict[type[Any], Callable[[Rules, State, Any], Iterator[Ruling]]]] = {
    BettingOpened: _on_betting_opened,
    DeckPlaced: _on_deck_placed,
    CardsShuffled: _on_shuffled,
    CardsCut: _on_cut,
    WagerPlaced: _on_wager,
    NoMoreBetsAnnounced: _on_no_more_bets,
    DiceShaken: _on_shaken,
    DiceThrown: _on_thrown,
    NoRollCalled: _on_no_roll,
    GeneratorShown: _on_generator,
    DealBegan: _on_began,
    CardsDealt: _on_dealt,
    RemainingCardsCounted: _on_remaining,
    HandSet: _on_hand_set,
    HandExposed: _on_exposed,
    ExposureChoiceMade: _on_choice,
    HandSurrendered: _on_surrendered,
    SurrenderedCardsCounted: _on_counted,
    CardsDiscarded: _on_discarded,
    RemainingCardsExposed: _on_stub_shown,
    IrregularityFound: _on_irregular,
    CardDeviceFailed: _on_device,
    WagerSettled: _on_settled,
}

DECIDES: Final = frozenset({HandSet, HandSurrendered, ExposureChoiceMade, HandVoided, RoundVoided})
"""The facts after which wagers may have another outcome."""
