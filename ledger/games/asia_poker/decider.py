"""What the chapter makes of each fact of a round of Asia Poker.

Law: 58 Pa. Code §§ 575.5, 575.7-575.11, 575.13; the rows say which sentence.
Readings: asia-void-returns, copy-loses, start-miscounted, face-up-card-aside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from ledger import events
from ledger.games.asia_poker import deal, discard_rack, equipment, hands_in_turn
from ledger.games.asia_poker.outcome_words import outcome_words
from ledger.games.asia_poker.procedure import PHASES, STEPS
from ledger.games.asia_poker.settling import outcome_at, resolution, wins
from ledger.games.asia_poker.state import IDLE, SET, State
from ledger.games.asia_poker.state_changes import TURNS
from ledger.games.asia_poker.terms import BONUS, DEALER, EACH, MAIN, PLAYERS, REMAINING, Phase
from ledger.games.asia_poker.validity import Accident, roll_accident, row_of, unclear
from ledger.games.asia_poker.wagers import BONUS_CHANCES, HandShown
from ledger.games.breach_reporting import breach, judge_step, once
from ledger.games.room import Annulled, Decided, Returned, Rules, Ruling, Shown, Unsure
from ledger.kernel import Certainty, FactRef, plural, ref_of, times

ANNOUNCED: Final = {
    events.SettledAs.WON: "wins",
    events.SettledAs.LOST: "loses",
    events.SettledAs.RETURNED: "goes back",
}
STEPPED: Final = frozenset(step.fact for step in PHASES) - {events.BettingOpened}


def decide(rules: Rules, state: State, fact: events.Fact) -> tuple[Ruling, ...]:
    """Give the rulings of the chapter on one fact, by the state before it."""
    kind, phase = type(fact), state.phase
    handler = HANDLERS.get(kind)
    rulings = () if handler is None else tuple(handler(rules, state, fact))
    if phase is IDLE or kind not in MOVING:
        return rulings
    if kind in STEPPED:
        rulings += judge_step(rules, state, fact, STEPS)
    if kind in DECIDES and state.void is None:
        own = getattr(fact, "position", DEALER) == DEALER or kind in VOIDS
        if DEALER not in state.hands and not own:
            return rulings  # nothing is decided before the dealer's hands are set
        after = evolve(state, fact)
        for ruling in rulings:
            after = evolve(after, ruling)
        nobody = kind in VOIDS and bool(after.voided) and not any(map(after.plays, PLAYERS))
        if after.void is None and (DEALER in after.hands or nobody):
            rulings += resolution(rules, after, ref_of(fact))
    return rulings


def evolve(state: State, event: events.Fact | Ruling | Unsure) -> State:
    """Return the state after a fact or a ruling: no rule is applied and no section is cited."""
    turn = TURNS.get(type(event))
    return state if turn is None else turn(state, event)


def close(rules: Rules, state: State, last: FactRef) -> tuple[Ruling, ...]:
    """Give the rulings that only the end of a round shows: what was owed and never came.

    Args:
        rules: those of the round.
        state: the state after its last fact.
        last: the key of that fact.
    """
    if state.void is not None:
        left = REMAINING if state.remaining is None else state.remaining + state.aside
        if left != REMAINING and not state.misdeal_ruled:
            name = deal.by_method(deal.UNRULED, state.method)
            return (breach(rules, name, last),)
        return ()
    if state.dealt is None:
        shoe = deal.dealt_by(rules, state.method) is events.DealMethod.AUTOMATED_SHOE
        part = shoe and state.began and bool(state.stacks)
        return (deal.returned(Accident.SHOE, last),) if part else ()
    owed: list[Ruling] = []
    if state.remaining is None:
        owed.append(breach(rules, deal.by_method(deal.UNCOUNTED, state.method), last))
    if state.thrown is not None and not state.closing_shake:
        owed.append(breach(rules, "closing_shake_missing", last))
    for position, fact in state.surrendered.items():
        if position not in state.counted:
            owed.append(
                breach(
                    rules, "surrendered_cards_not_counted", fact, observed=position,
                    certainty=state.of_surrender,
                )
            )  # fmt: skip
    owed.extend(hands_in_turn.dealer_misset(rules, state, last))
    owed.extend(discard_rack.unracked(rules, state, last))
    if state.known_outcomes(rules.filed) is None:
        owed.extend(resolution(rules, state, last, last=True))
    return tuple(owed)


def is_over(state: State) -> bool:
    """Whether no round is under way; a round ends only when the next one opens."""
    return not state.in_round


def outcomes() -> Iterator[tuple[Shown, Fraction, Fraction]]:
    """Yield what seven cards of 53 make as a bonus hand, with exact chances.

    Who wins the Asia Poker Wager depends on how hands are set: its outcomes have no chance here.
    """
    for hand, chance in BONUS_CHANCES:
        yield HandShown(0, True, hand), chance, Fraction(1)
    yield HandShown(2, True, None), Fraction(0), Fraction(1)


# --- one fact each -------------------------------------------------------------------------------


def _on_betting_opened(rules: Rules, state: State, fact: events.BettingOpened) -> Iterator[Ruling]:
    if state.table.layout is not None:
        yield from equipment.notices(rules, state, fact)
    yield from equipment.decks_in_play(rules, state, fact)


def _on_opened(rules: Rules, state: State, fact: events.TableOpened) -> Iterator[Ruling]:
    yield from equipment.notices(rules, evolve(state, fact), fact)


def _on_shuffled(rules: Rules, state: State, fact: events.CardsShuffled) -> Iterator[Ruling]:
    bad = state.defective
    if bad is not None and (None in (bad.deck, fact.deck) or bad.deck == fact.deck):
        name = deal.by_method(deal.KEPT, bad.method)
        yield breach(rules, name, fact, bad.fact, observed=plural(bad.cards, "card"))
    by_hand = fact.method is events.ShuffleMethod.MANUAL
    if by_hand and events.CardDevice.SHUFFLER in state.broken - state.marked:
        yield breach(rules, "out_of_order_sign_missing", fact, observed="shuffler")


def _on_cut(rules: Rules, state: State, fact: events.CardsCut) -> Iterator[Ruling]:
    depth = fact.cover_card_depth
    if depth is None:
        unsure = Certainty.UNKNOWN
        yield breach(
            rules, "cut_too_shallow", fact, observed="an unknown number of cards", certainty=unsure
        )
    elif depth < equipment.CUT_DEPTH:
        yield breach(rules, "cut_too_shallow", fact, observed=plural(depth, "card"))
    if fact.recut and state.began:
        yield breach(rules, "recut_after_deal_began", fact)


def _on_wager(rules: Rules, state: State, fact: events.WagerPlaced) -> tuple[Ruling, ...]:
    position, adjacent = fact.position, hands_in_turn.adjacent(rules, state, fact)
    names = []
    if state.seated is not None and position and position not in state.seated:
        names.append("wager_by_unseated_patron")
    if position is not None and position not in PLAYERS:
        names.append("wager_off_the_layout")
    if not names:
        return adjacent
    wager, at = fact.wager_id, position
    breaches = [breach(rules, name, fact, wager=wager, observed=at) for name in names]
    return (*breaches, *adjacent)


def _on_shaken(rules: Rules, state: State, fact: events.DiceShaken) -> tuple[Ruling, ...]:
    due = state.in_round and state.no_roll_due
    return deal.no_roll_due(rules, state, fact) if due else ()


def _on_thrown(rules: Rules, state: State, fact: events.DiceThrown) -> Iterator[Ruling]:
    if not state.in_round or state.knowable:
        return
    if state.shakes is None:
        unsure = Certainty.UNKNOWN
        yield from once(
            rules,
            state,
            fact,
            "too_few_shakes",
            observed="an unknown number of times",
            certainty=unsure,
        )
    elif state.shakes < equipment.SHAKES:
        yield from once(rules, state, fact, "too_few_shakes", observed=times(state.shakes))
    if len(fact.dice) != equipment.DICE:
        yield breach(
            rules, "wrong_number_of_dice", fact, observed=plural(len(fact.dice), "die", "dice")
        )
    accident = roll_accident(fact.dice)
    if accident is not None:
        yield Annulled(row=row_of(accident), fact=ref_of(fact))


def _on_no_roll(rules: Rules, state: State, fact: events.NoRollCalled) -> Iterator[Ruling]:
    if state.thrown is not None and not state.no_roll_due and not state.knowable:
        sure = Certainty.UNKNOWN if unclear(state.dice) else Certainty.BROKEN
        yield from once(rules, state, fact, "no_roll_without_cause", state.thrown, certainty=sure)


def _on_generator(rules: Rules, state: State, fact: events.GeneratorShown) -> Iterator[Ruling]:
    if not 1 <= fact.number <= EACH:
        yield breach(rules, "wrong_start_number", fact, observed=str(fact.number))


def _on_determined(rules: Rules, state: State, fact: events.StartDetermined) -> Iterator[Ruling]:
    by_dice = (state.total, state.announced)  # the deal reports a total announced wrongly
    shown = (state.generated,) if fact.method is events.StartMethod.GENERATOR else by_dice
    known = [str(one) for one in shown if one is not None]
    if fact.number is not None and known and str(fact.number) not in known:
        observed = f"the count went to {fact.number}"
        yield breach(rules, "start_contradictory", fact, observed=observed, expected=known[0])


def _on_began(rules: Rules, state: State, fact: events.DealBegan) -> Iterator[Ruling]:
    if state.in_round and not state.began:
        yield from deal.begins(rules, state, fact, fact.position, fact.method)


def _on_dealt(rules: Rules, state: State, fact: events.CardsDealt) -> Iterator[Ruling]:
    if not state.in_round:
        return
    void = state.void is not None
    if not state.began:
        for ruling in deal.begins(rules, state, fact, fact.first_position, fact.method):
            void = void or isinstance(ruling, Returned)
            yield ruling
    elif state.first is None and state.dealt is None:
        method = deal.dealt_by(rules, fact.method or state.method)
        for ruling in deal.positioned(rules, state, fact, fact.first_position, method):
            void = void or isinstance(ruling, Returned)
            yield ruling
    elif state.dealt is None and fact.first_position not in (None, state.first):
        observed = f"position {fact.first_position} is recorded as the first at the end of the deal"
        first = state.first
        yield breach(rules, "start_contradictory", fact, observed=observed, expected=first)
    for ruling in deal.dealt(rules, state, fact):
        if not (void and isinstance(ruling, Returned)):
            yield ruling


def _on_remaining(
    rules: Rules, state: State, fact: events.RemainingCardsCounted
) -> Iterable[Ruling]:
    if not state.in_round:
        return
    players = [hand for position, hand in state.hands.items() if position != DEALER]
    if players and state.remaining is None:  # § 575.11(a): the count is a part of the deal
        first = min(players, key=lambda hand: hand.seq)
        yield from once(
            rules, state, fact, "hand_set_before_deal_complete", ref_of(first),
            observed=first.position,
        )  # fmt: skip
    yield from deal.remaining(rules, state, fact)


def _on_hand_set(rules: Rules, state: State, fact: events.HandSet) -> Sequence[Ruling]:
    position, phase = fact.position, state.phase
    if phase is IDLE:
        return ()
    rulings: list[Ruling] = []
    if phase in BEFORE_DEALT:
        rulings += once(rules, state, fact, "hand_set_before_deal_complete", observed=position)
    rulings += hands_in_turn.set_elsewhere(rules, state, fact)
    rulings += hands_in_turn.set_by(rules, fact)
    if position == DEALER:
        if state.phase is Phase.DEALT and state.void is None:
            rulings += _settled_early(rules, state, fact)
        return rulings
    if not state.has_wager(position) and state.table.wagers_seen:  # a Bonus Wager alone: § 575.7(e)
        rulings.append(breach(rules, "hand_played_without_wager", fact, observed=position))
    if position in state.hands:
        two = hands_in_turn.two_areas(state, position)
        name = "hand_changed_after_set@.7(f)" if two else "hand_changed_after_set@.11(a)(3)"
        rulings.append(breach(rules, name, fact, observed=position))
        return rulings
    if phase is SET and state.plays(position) and state.void is None:
        dealers = state.hands.get(DEALER)  # § 575.13(e): he set his hands with the dealer's seen
        dealer = ref_of(dealers) if dealers is not None else None
        rulings += once(rules, state, fact, "dealer_hand_exposed_early", dealer)
        rulings.append(deal.returned(Accident.DEALER_CARD, ref_of(fact)))
    rulings += hands_in_turn.adjacent_order(rules, state, fact)
    return rulings


def _settled_early(rules: Rules, state: State, fact: events.HandSet) -> Iterator[Ruling]:
    """Report wagers paid or collected before the dealer's hands were set (§ 575.11(e), (f)).

    A wager that its player gave up, left or voided does not need the dealer's hands.
    """
    out = {*state.surrendered, *state.left, *state.voided}
    for own in state.wagers:
        if own.wager_id in state.early and own.position not in out:
            name = "settled_before_result@.11(h)" if own.wager == BONUS else "settled_before_result"
            at = state.early[own.wager_id]
            yield breach(rules, name, fact, at, wager=own.wager_id)


def _on_exposed(rules: Rules, state: State, fact: events.HandExposed) -> Iterable[Ruling]:
    return hands_in_turn.exposed(rules, state, fact) if state.in_round else ()


def _on_choice(rules: Rules, state: State, fact: events.ExposureChoiceMade) -> Iterator[Ruling]:
    if fact.looked and fact.choice is not events.ExposureChoice.UNRECOGNISED:
        yield breach(rules, "void_choice_after_look", fact, observed=fact.position)


def _on_surrendered(rules: Rules, state: State, fact: events.HandSurrendered) -> Iterator[Ruling]:
    if not state.in_round:
        return
    if state.is_empty(fact.position):
        yield breach(rules, "hand_played_without_wager", fact, observed=fact.position)
    elif state.at(fact.position, BONUS):
        yield breach(rules, "surrender_with_bonus", fact, observed=fact.position)
    elif fact.position in state.revealed:
        yield breach(rules, "surrender_too_late", fact, observed=fact.position)
    elif state.phase is not Phase.SET:
        yield breach(rules, "surrender_too_early", fact, observed=fact.position)


def _on_settled(rules: Rules, state: State, fact: events.WagerSettled) -> tuple[Ruling, ...]:
    """Report a Bonus Wager settled before the Asia Poker Wager, once the latter is settled."""
    early = state.bonus_first
    if state.void or not early or fact.wager_id in state.settled:
        return ()
    own = [one for one in state.wagers if one.wager_id == fact.wager_id and one.wager == MAIN]
    bonus_wagers = [o for w in own for o in state.at(w.position, BONUS) if o.wager_id in early]
    return tuple(
        breach(
            rules, "bonus_settled_first", early[one.wager_id],
            wager=one.wager_id, observed=one.position,
        )
        for one in bonus_wagers
    )  # fmt: skip


def _on_limits(rules: Rules, state: State, fact: events.LimitsSet) -> Iterable[Ruling]:
    return equipment.maximum_too_low(rules, state, fact)


def _on_announced(rules: Rules, state: State, fact: events.ResultAnnounced) -> tuple[Ruling, ...]:
    """Compare the dealer's announcement about an Asia Poker Wager with the hands (§ 575.11(e))."""
    if state.void is not None or state.is_empty(fact.position):
        return ()
    announced = ANNOUNCED.get(fact.outcome) if fact.outcome else None
    due = outcome_at(rules, state, fact.position, ref_of(fact))
    if announced is None or not isinstance(due, Decided):
        return ()
    right = "wins" if wins(due) else "loses"
    if announced == right:
        return ()
    return (
        breach(
            rules, "wrong_outcome@.11(e)", fact, wager=fact.wager_id,
            observed=f"announced that the wager {announced}",
            expected=f"{right}: {outcome_words(due.detail)}",
        ),
    )  # fmt: skip


HANDLERS: Final[dict[type[events.Fact], Callable[[Rules, State, Any], Iterable[Ruling]]]] = {
    events.BettingOpened: _on_betting_opened,
    events.TableOpened: _on_opened,
    events.LimitsSet: _on_limits,
    events.ResultAnnounced: _on_announced,
    events.DeckPlaced: equipment.placed,
    events.DeckRemoved: deal.removed,
    events.CardsShuffled: _on_shuffled,
    events.CardsCut: _on_cut,
    events.CardsSpread: equipment.spread,
    events.WagerPlaced: _on_wager,
    events.NoMoreBetsAnnounced: deal.bonus_alone,
    events.DiceShaken: _on_shaken,
    events.DiceThrown: _on_thrown,
    events.NoRollCalled: _on_no_roll,
    events.GeneratorShown: _on_generator,
    events.StartDetermined: _on_determined,
    events.DealBegan: _on_began,
    events.CardsDealt: _on_dealt,
    events.RemainingCardsCounted: _on_remaining,
    events.MisdealDetermined: deal.misdeal_found,
    events.HandSet: _on_hand_set,
    events.HandExposed: _on_exposed,
    events.ExposureChoiceMade: _on_choice,
    events.HandSurrendered: _on_surrendered,
    events.SurrenderedCardsCounted: discard_rack.surrendered_counted,
    events.CardsDiscarded: discard_rack.discarded,
    events.RemainingCardsExposed: discard_rack.stub_shown,
    events.IrregularityFound: discard_rack.irregular,
    events.CardDeviceFailed: discard_rack.device_failed,
    events.WagerSettled: _on_settled,
}

BEFORE_DEALT: Final = (Phase.BETTING, Phase.NO_MORE_BETS, Phase.DEALING)
DECIDES: Final = frozenset(
    {
        events.HandSet,
        events.HandSurrendered,
        events.ExposureChoiceMade,
        events.HandVoided,
        events.RoundVoided,
    }
)
"""The facts after which wagers may have another outcome."""
MOVING: Final = STEPPED | DECIDES
"""The facts that move the round on."""
VOIDS: Final = frozenset({events.ExposureChoiceMade, events.HandVoided})
"""The facts that void a player's hand at once (§ 575.13(d)), even before the dealer's is set."""
