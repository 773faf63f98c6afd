"""The discard rack, and what the table recorded as an irregularity or a failed device.

Law: §§ 575.3(b)(4), 575.8(d), (f), 575.11(d), (i), 575.13(f), (g), (m).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ledger import events
from ledger.games.asia_poker import deal
from ledger.games.asia_poker.settling import dealt_to
from ledger.games.asia_poker.state import State
from ledger.games.asia_poker.state_changes import HANDS, found_face_up
from ledger.games.asia_poker.terms import DEALER, EACH, PLAYERS, Phase
from ledger.games.asia_poker.validity import Accident, row_of
from ledger.games.breach_reporting import breach, once
from ledger.games.room import Rules, Ruling, Then
from ledger.kernel import Certainty, FactRef, ref_of


def _dealt_in(state: State, position: str) -> bool:
    wagered = state.at(position) or not state.table.wagers_seen
    return bool(wagered) and position not in state.voided


def unracked(rules: Rules, state: State, last: FactRef) -> Iterator[Ruling]:
    """Report hands of the round that never went to the rack, if the rack is recorded (§ 575.11(i))."""
    if not state.discards or state.discards.keys() >= state.hands.keys():
        return
    dealt_in = (DEALER, *(p for p in PLAYERS if _dealt_in(state, p)))
    hands = [p for p in dealt_in if p in state.hands]
    missing = [p for p in hands if p not in state.discards]
    reported = "discard_not_reconstructable" in state.reported
    if state.discards.keys() & set(hands) and missing and not reported:
        observed = ", ".join(missing)
        unsure = Certainty.UNKNOWN
        yield breach(
            rules, "discard_not_reconstructable", last, observed=observed, certainty=unsure
        )


def surrendered_counted(
    rules: Rules, state: State, fact: events.SurrenderedCardsCounted
) -> Iterator[Ruling]:
    """Judge the count of surrendered cards: seven, face down (§ 575.11(d))."""
    if fact.exposed or fact.face_down is False:
        yield from once(rules, state, fact, "surrendered_cards_exposed", observed=fact.position)
    if fact.cards != EACH:
        yield breach(rules, "surrendered_cards_not_counted", fact, observed=fact.position)


def discarded(rules: Rules, state: State, fact: events.CardsDiscarded) -> Iterable[Ruling]:
    """Judge what went into the rack, and whether each hand can be rebuilt from it."""
    if not state.in_round:
        return ()
    where = fact.position or ("1" if fact.kind is events.Discard.DEALER_HANDS else "unknown")
    apart = fact.kept_together is False or _not_the_hand(state, fact, where)
    mixed = fact.deck is not None and state.deck is not None and fact.deck != state.deck
    if not apart and not mixed and fact.face_down is not False:
        return ()
    return _discarded(rules, state, fact, where, apart=apart, mixed=mixed)


def _discarded(
    rules: Rules, state: State, fact: events.CardsDiscarded, where: str, *, apart: bool, mixed: bool
) -> Iterator[Ruling]:
    if apart:
        yield breach(rules, "discard_not_reconstructable", fact, observed=where)
    shown = fact.face_down is False
    if shown and fact.kind is events.Discard.REMAINING_CARDS:
        yield from once(rules, state, fact, deal.by_method(deal.STUB_SHOWN, state.method))
    if shown and fact.kind is events.Discard.EMPTY_POSITION:
        yield breach(rules, deal.by_method(deal.EMPTY_SHOWN, state.method), fact, observed=where)
    if shown and fact.kind is events.Discard.SURRENDERED:
        yield from once(rules, state, fact, "surrendered_cards_exposed", observed=where)
    if mixed:
        yield from once(
            rules, state, fact, "decks_mixed_in_discard_rack",
            observed=f"deck {fact.deck}", expected=f"deck {state.deck}",
        )  # fmt: skip


def _not_the_hand(state: State, fact: events.CardsDiscarded, where: str) -> bool:
    """Whether a hand went into the rack with other cards than it was dealt, or not with seven."""
    if fact.kind not in HANDS or state.void is not None:
        return False
    if fact.cards is not None:
        if len(fact.cards) != EACH:
            return True
        stack = state.stack(where)
        other = stack is not None and set(fact.cards) != set(stack.cards or ())
        return other and dealt_to(state, where) is not None
    return fact.count is not None and fact.count != EACH


def stub_shown(rules: Rules, state: State, fact: events.RemainingCardsExposed) -> Iterator[Ruling]:
    """Report that the four cards that remain were shown."""
    yield from once(rules, state, fact, deal.by_method(deal.STUB_SHOWN, state.method))


ACCIDENTS: Final = {
    events.Irregularity.DEALER_CARD_EXPOSED: Accident.DEALER_CARD,
    events.Irregularity.EXPOSED_IN_HAND_DEAL: Accident.HAND_DEAL,
    events.Irregularity.SHOE_FAILED: Accident.SHOE,
    events.Irregularity.WRONG_NUMBER_OF_CARDS: Accident.WRONG_NUMBER,
    events.Irregularity.WRONG_TOTAL_AND_POSITION: Accident.MISTOTALLED,
}
"""The irregularities that count as an accident where nothing recorded shows it better."""


def irregular(rules: Rules, state: State, fact: events.IrregularityFound) -> Iterator[Ruling]:
    """Judge an irregularity as the table recorded it: each has the effect of its own row."""
    if not state.in_round or state.void is not None:
        return
    at = ref_of(fact)
    match fact.irregularity:
        case events.Irregularity.CARD_FACE_UP:
            seen = (*state.face_up, *found_face_up(fact))
            row = row_of(Accident.ONE_FACE_UP if len(seen) == 1 else Accident.FACE_UP)
            if row.then is Then.RETURN:
                yield deal.returned(Accident.FACE_UP, at)
            dealt = {word for stack in state.stacks for word in stack.cards or ()}
            for word in sorted(dealt & set(fact.cards or ())):
                yield breach(rules, "face_up_card_used", fact, observed=word)
        case events.Irregularity.CARD_DRAWN_IN_ERROR:
            goes_on = row_of(Accident.DRAWN).then is Then.GO_ON and not fact.exposed
            if goes_on and fact.used_as_next_card is False:
                yield breach(rules, "drawn_card_not_used", fact)
        case events.Irregularity.SHOE_FAILED if state.dealt is not None:
            pass
        case events.Irregularity.WRONG_NUMBER_OF_CARDS if state.counts_known:
            pass
        case events.Irregularity.WRONG_TOTAL_AND_POSITION if state.total is not None:
            pass
        case irregularity if irregularity in ACCIDENTS:
            yield deal.returned(ACCIDENTS[irregularity], at)
        case _:
            pass


def device_failed(rules: Rules, state: State, fact: events.CardDeviceFailed) -> Iterator[Ruling]:
    """Void the round if a shoe fails while cards are dealt (§ 575.13(m))."""
    shoe = fact.device in (events.CardDevice.AUTOMATED_SHOE, events.CardDevice.RESHUFFLER)
    dealing = state.phase in (Phase.NO_MORE_BETS, Phase.DEALING)
    if shoe and dealing and state.void is None:
        yield deal.returned(Accident.SHOE, ref_of(fact))
