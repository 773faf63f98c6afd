"""How each fact changes the state of a round. The functions look rows up and cite nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from ledger import events
from ledger.games.asia_poker.lasting_state import LASTING, decks_with, turned
from ledger.games.asia_poker.procedure import STEPS
from ledger.games.asia_poker.state import (
    DEALT,
    IDLE,
    SET,
    Defective,
    Lying,
    State,
    all_judged,
    next_round,
)
from ledger.games.asia_poker.terms import BONUS, DEALER, DECK, MAIN, PLAYERS, Phase
from ledger.games.asia_poker.validity import Accident, roll_accident
from ledger.games.breach_reporting import phase_after, stake_after
from ledger.games.named_tuple_change import replace
from ledger.games.room import ByPosition, Returned
from ledger.kernel import ref_of


def _minimums(state: State) -> Mapping[str, int]:
    """Return the minimums that hold for the round: a later change does not apply (§ 521.7(c))."""
    return state.table.minimums if state.betting_open else state.minimums


def _new_round(state: State, _event: events.BettingOpened) -> State:
    if all_judged(state):
        return next_round(state, state.decks)
    return next_round(
        state, tuple(replace(deck, judged=True, count_judged=True) for deck in state.decks)
    )


# --- the round -----------------------------------------------------------------------------------


def _shaken(state: State, event: events.DiceShaken) -> State:
    if state.knowable:
        return replace(state, closing_shake=state.closing_shake or state.covered)
    if state.thrown is not None and (state.announced is None or state.no_roll_due):
        # shaken again: what lay there is gone
        state = replace(state, thrown=None, dice=(), no_roll_due=False, shakes=0, announced=None)
    elif state.thrown is not None:  # the start stands, and the closing shake is still owed
        state = replace(state, shakes=0)
    known = state.shakes is not None and event.shakes is not None
    shakes = (state.shakes or 0) + (event.shakes or 0) if known else None
    return replace(state, shakes=shakes)


def _thrown(state: State, event: events.DiceThrown) -> State:
    if state.knowable:
        return state
    due = roll_accident(event.dice) is not None
    return replace(
        state, dice=event.dice, thrown=ref_of(event), no_roll_due=due,
        started_by=None if due else events.StartMethod.SHAKER,
    )  # fmt: skip


def _announced(state: State, event: events.DiceTotalAnnounced) -> State:
    return replace(
        state,
        announced=event.total,
        announcement=ref_of(event),
        started_by=events.StartMethod.SHAKER,
    )


def _determined(state: State, event: events.StartDetermined) -> State:
    by_generator = event.method is events.StartMethod.GENERATOR and state.generated is None
    return replace(
        state, start=event.position, started_by=event.method or state.started_by,
        generated=event.number if by_generator else state.generated,
    )  # fmt: skip


def _button(state: State, _event: events.ButtonPlaced) -> State:
    return replace(state, started_by=events.StartMethod.FLAT_BUTTON)


def _began(state: State, event: events.DealBegan | events.CardsDealt) -> State:
    first = event.position if isinstance(event, events.DealBegan) else event.first_position
    deck, button = event.deck or state.deck, state.button
    if state.started_by is events.StartMethod.FLAT_BUTTON:
        button = first or button
    if state.phase is IDLE or state.began:
        used = {}
    else:
        decks = decks_with(state, event.deck, used=True, kept=False, shuffled=False)
        used = {"decks": decks, "last_deck": deck, "shuffle": None, "began": True}
    return replace(
        state, **used, method=event.method or state.method, deck=deck, first=state.first or first,
        button=button, phase=phase_after(STEPS, state.phase, event), minimums=_minimums(state),
    )  # fmt: skip


def _dealt(state: State, event: events.CardsDealt) -> State:
    moved = _began(state, event)
    if event.complete is False:
        return replace(moved, phase=Phase.DEALING, stacks=event.stacks)
    used = len(_used(state.face_up, event.stacks))  # dealt all the same: it lies not aside
    return replace(moved, stacks=event.stacks, dealt=ref_of(event), aside=state.aside - used)


def _used(face_up: Sequence[str], stacks: Sequence[events.Stack]) -> list[str]:
    """Return which of the cards found face up were dealt in the same round (§ 575.13(f))."""
    if not face_up:
        return []
    dealt = {word for stack in stacks for word in stack.cards or ()}
    return [word for word in face_up if word in dealt]


def _misdealt(state: State, _event: events.MisdealDetermined) -> State:
    return replace(state, misdeal_ruled=True)


def _set(state: State, event: events.HandSet) -> State:
    position = event.position
    if position != DEALER and position in state.hands:
        return replace(state, changed={**state.changed, position: event})
    hands = {**state.hands, position: event}
    if position == DEALER and state.phase is DEALT:
        return replace(state, phase=SET, hands=hands)
    return replace(state, hands=hands)


def _exposed(state: State, event: events.HandExposed) -> State:
    if not state.in_round or event.position not in PLAYERS:
        return state
    if state.phase is SET:
        return replace(state, revealed=(*state.revealed, event.position))
    if event.role in (events.Role.DEALER, None):  # § 575.13(d)
        return replace(state, exposed=state.exposed | {event.position})
    return state


def found_face_up(event: events.IrregularityFound) -> tuple[str, ...]:
    """Return the cards found face up; those that were counted and not read are "?".

    However many are counted, a deck has no more than its own.
    """
    read = event.cards or ()
    more = (event.count or (0 if read else 1)) - len(read)
    return (*read, *("?",) * min(max(more, 0), DECK))


def _irregular(state: State, event: events.IrregularityFound) -> State:
    if event.irregularity is events.Irregularity.PLAYER_CARD_EXPOSED and event.position is not None:
        return replace(state, exposed=state.exposed | {event.position})
    if event.irregularity is events.Irregularity.SHUFFLER_FAILED:
        return replace(state, interrupted=True)
    if event.irregularity in MISDEALS:
        return replace(state, misdeal_ruled=True)
    if event.irregularity is events.Irregularity.CARD_FACE_UP:
        cards = found_face_up(event)
        aside = state.aside + len(cards) - len(_used(cards, state.stacks))
        return replace(state, face_up=(*state.face_up, *cards), aside=aside)
    if event.irregularity is events.Irregularity.CARD_DRAWN_IN_ERROR:
        return replace(state, aside=state.aside + (event.used_as_next_card is False))
    return state


def _placed(state: State, event: events.WagerPlaced) -> State:
    lying = Lying(event.wager_id, event.position, event.wager, event.stake_cents, event.patron)
    return replace(state, wagers=(*state.wagers, lying))


def _increased(state: State, event: events.WagerIncreased) -> State:
    wagers = tuple(
        replace(wager, stake_cents=stake_after(wager.stake_cents, event))
        if wager.wager_id == event.wager_id
        else wager
        for wager in state.wagers
    )
    return replace(state, wagers=wagers)


def _lifted(state: State, event: events.WagerTakenDown | events.WagerReturned) -> State:
    if not state.betting_open:
        if isinstance(event, events.WagerReturned):
            return replace(
                state, settled={event.wager_id: events.SettledAs.RETURNED, **state.settled}
            )
        return state
    left = []
    for wager in state.wagers:
        if wager.wager_id != event.wager_id:
            left.append(wager)
        elif (left_cents := stake_after(wager.stake_cents, event)) > 0:
            left.append(replace(wager, stake_cents=left_cents))
    return replace(state, wagers=tuple(left))


def _wager_moved(state: State, event: events.WagerMoved) -> State:
    if not state.betting_open:
        return state
    return replace(
        state,
        wagers=tuple(
            replace(wager, wager=event.wager) if wager.wager_id == event.wager_id else wager
            for wager in state.wagers
        ),
    )


def _settled(state: State, event: events.WagerSettled) -> State:
    name, outcome = event.wager_id, event.outcome
    taken = state.settled.get(name) is events.SettledAs.LOST  # what was once collected stays so
    settled = {**state.settled, name: events.SettledAs.LOST if taken else outcome}
    if state.phase is not SET and outcome in (events.SettledAs.WON, events.SettledAs.LOST):
        state = replace(state, early={name: ref_of(event), **state.early})
    if outcome is events.SettledAs.RETURNED or not _before_main(state, name):
        return replace(state, settled=settled)
    first = {**state.bonus_first, name: ref_of(event)}
    return replace(state, settled=settled, bonus_first=first)


def _before_main(state: State, name: str) -> bool:
    """Whether this is a Bonus Wager whose Asia Poker Wager is not settled yet."""
    for own in state.wagers:
        if own.wager_id == name:
            if own.wager != BONUS:
                return False
            beside = [one.wager_id for one in state.at(own.position, MAIN)]
            return not state.settled.keys() >= {*beside}
    return False


def _seated(state: State, event: events.PositionTaken | events.PositionLeft) -> State:
    if isinstance(event, events.PositionTaken):
        if not state.seats_sure:  # who else sits there is not known
            return state
        return replace(state, seated=(state.seated or frozenset()) | {event.position})
    seated = state.seated - {event.position} if state.seated is not None else None
    lying = {one.wager_id for one in state.at(event.position)} - state.settled.keys()
    if not lying:  # for this player the round of play is over
        return replace(state, seated=seated)
    return replace(
        state, seated=seated, left=state.left | {event.position}, abandoned=state.abandoned | lying
    )


def _voided(state: State, event: events.ExposureChoiceMade | events.HandVoided) -> State:
    if (
        isinstance(event, events.ExposureChoiceMade)
        and event.choice is not events.ExposureChoice.VOID
    ):
        return state
    if event.position not in state.exposed:  # § 575.13(d) gives no other ground
        return state
    return replace(state, voided={**state.voided, event.position: ref_of(event)})


def _surrendered(state: State, event: events.HandSurrendered) -> State:
    if event.position in state.revealed or state.at(event.position, BONUS):
        return state
    return replace(state, surrendered={**state.surrendered, event.position: ref_of(event)})


def _returned(state: State, event: Returned) -> State:
    """Note that all hands are void; the cards are shuffled again, or the deck goes."""
    bad = state.defective
    if event.why == Accident.BAD_DECK.value:
        bad = Defective(event.fact, state.remaining or 0, state.deck, state.method)
    elif event.why == Accident.MISDEALT.value:
        bad = None
    state = turned(state, state.deck, shuffled=False)
    return replace(state, void=event, defective=bad, shuffle=None)


def _discarded(state: State, event: events.CardsDiscarded) -> State:
    """Keep what is in the rack: from it a hand can be rebuilt that nobody recorded before."""
    kind = event.kind
    if kind not in OF_SOMEBODY or not state.in_round:
        return state
    where = DEALER if kind is events.Discard.DEALER_HANDS else event.position
    if where is None:
        return state
    return replace(state, discards={**state.discards, where: event.cards or ()})


MISDEALS: Final = (
    events.Irregularity.WRONG_NUMBER_OF_CARDS,
    events.Irregularity.WRONG_NUMBER_REMAINING,
)
HANDS: Final = frozenset(
    {
        events.Discard.PLAYER_HANDS,
        events.Discard.DEALER_HANDS,
        events.Discard.SURRENDERED,
        events.Discard.EMPTY_POSITION,
    }
)
OF_SOMEBODY: Final = HANDS - {events.Discard.EMPTY_POSITION}
TURNS: Final[dict[type[object], Callable[[State, Any], State]]] = {
    **LASTING,
    events.BettingOpened: _new_round,
    events.NoMoreBetsAnnounced: lambda s, e: replace(
        s, phase=phase_after(STEPS, s.phase, e), minimums=_minimums(s)
    ),
    events.DiceShaken: _shaken,
    events.DiceThrown: _thrown,
    events.ShakerCovered: lambda s, _: replace(s, covered=True) if s.knowable else s,
    events.ShakerUncovered: lambda s, _: replace(s, covered=False) if s.covered else s,
    events.DiceTotalAnnounced: _announced,
    events.NoRollCalled: lambda s, _: replace(s, no_roll_due=False, dice=(), announced=None),
    events.GeneratorShown: lambda s, e: replace(
        s, generated=e.number, started_by=events.StartMethod.GENERATOR
    ),
    events.ButtonPlaced: _button,
    events.StartDetermined: _determined,
    events.DealBegan: _began,
    events.CardsDealt: _dealt,
    events.RemainingCardsCounted: lambda s, e: replace(s, remaining=e.cards),
    events.HandSet: _set,
    events.HandExposed: _exposed,
    events.IrregularityFound: _irregular,
    events.ExposureChoiceMade: _voided,
    events.HandVoided: _voided,
    events.HandSurrendered: _surrendered,
    events.SurrenderedCardsCounted: lambda s, e: replace(s, counted=s.counted | {e.position}),
    events.CardsDiscarded: _discarded,
    events.MisdealDetermined: _misdealt,
    events.WagerPlaced: _placed,
    events.WagerIncreased: _increased,
    events.WagerTakenDown: _lifted,
    events.WagerReturned: _lifted,
    events.WagerMoved: _wager_moved,
    events.WagerSettled: _settled,
    events.PositionTaken: _seated,
    events.PositionLeft: _seated,
    ByPosition: lambda s, e: replace(s, resolved=(s.grounds(e.filed), e)),
    Returned: _returned,
}
