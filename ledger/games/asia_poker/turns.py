"""How each fact moves the state. The turns look rows up and cite nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace as replace_deck
from typing import Any, Final

from ledger.events import (
    BettingOpened,
    ButtonPlaced,
    CardDeviceFailed,
    CardDeviceFixed,
    CardsCut,
    CardsDealt,
    CardsShuffled,
    CardsSpread,
    DealBegan,
    DeckCounted,
    DeckInspected,
    DeckInspectionVerified,
    DeckPlaced,
    DeckRemoved,
    DiceShaken,
    DiceThrown,
    DiceTotalAnnounced,
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
    OutOfOrderShown,
    PositionLeft,
    PositionTaken,
    RemainingCardsCounted,
    SecondJokerRemoved,
    ShakerCovered,
    ShakerUncovered,
    ShuffleMethod,
    StartDetermined,
    StartMethod,
    SurrenderedCardsCounted,
    WagerIncreased,
    WagerPlaced,
    WagerReturned,
    WagerSettled,
    WagerTakenDown,
)
from ledger.games.asia_poker.procedure import STEPS
from ledger.games.asia_poker.state import Deck, Lying, Shuffle, State, ref_of
from ledger.games.asia_poker.terms import BONUS, DEALER, EACH, Phase
from ledger.games.asia_poker.validity import Accident, roll_accident
from ledger.games.room import Breach, ByPosition, Returned, Unsure


def replace(state: State, /, **changes: Any) -> State:
    """The state with some of its values changed."""
    return state._replace(**changes)


def _moved(state: State, event: Fact) -> Phase:
    step = STEPS.get((state.phase, type(event)))
    return state.phase if step is None else Phase(step.then)


def _new_round(state: State, _event: BettingOpened) -> State:
    return State(
        phase=Phase.BETTING,
        decks=tuple(replace_deck(deck, judged=True) for deck in state.decks),
        shuffle=state.shuffle,
        last_deck=state.last_deck,
        button=state.button,
        broken=state.broken,
        marked=state.marked,
        defective=state.defective,
        seated=state.seated,
        sure=state.sure,
    )


def _deck_placed(state: State, event: DeckPlaced) -> State:
    deck = Deck(
        name=event.deck,
        at=event.event_time,
        placed=ref_of(event),
        cards=event.cards,
        jokers=event.jokers,
        jokers_made=event.jokers_made,
        back=event.back,
        prepared=event.preinspected_and_preshuffled is True,
    )
    others = tuple(one for one in state.decks if one.name != event.deck)
    return replace(state, decks=(*others, deck), sure=True)


def _deck(state: State, name: str | None, **changes: Any) -> State:
    known = state.deck_named(name)
    if known is None:
        return state
    decks = tuple(replace_deck(one, **changes) if one is known else one for one in state.decks)
    return replace(state, decks=decks)


def _deck_counted(state: State, event: DeckCounted) -> State:
    return _deck(state, event.deck, cards=event.cards, jokers=event.jokers)


def _deck_removed(state: State, event: DeckRemoved) -> State:
    decks = tuple(one for one in state.decks if one.name != event.deck)
    return replace(state, decks=decks, defective=None, shuffle=None)


def _shuffled(state: State, event: CardsShuffled) -> State:
    if event.kept_in_device:
        return _deck(state, event.deck, shuffled=True)
    if event.completed is False:
        return replace(state, shuffle=None)
    by_device = {
        ShuffleMethod.AUTOMATED: True,
        ShuffleMethod.RESHUFFLER: True,
        ShuffleMethod.MANUAL: False,
    }.get(event.method) if event.method else None  # fmt: skip
    return replace(state, shuffle=Shuffle(ref_of(event), by_device), defective=None)


def _cut(state: State, event: CardsCut) -> State:
    if state.shuffle is None:
        return state
    depth = -1 if event.cover_card_depth is None else event.cover_card_depth
    return replace(state, shuffle=state.shuffle._replace(cut=depth))


def _failed(state: State, event: CardDeviceFailed) -> State:
    return replace(
        state, broken=state.broken | {event.device}, marked=state.marked - {event.device}
    )


def _fixed(state: State, event: CardDeviceFixed) -> State:
    return replace(state, broken=state.broken - {event.device})


def _marked(state: State, event: OutOfOrderShown) -> State:
    shown = event.covered is not False or event.sign is not False
    return replace(state, marked=state.marked | {event.device}) if shown else state


def _shaken(state: State, event: DiceShaken) -> State:
    if state.knowable:
        return replace(state, closing_shake=True)
    if state.thrown is not None:  # shaken again: what lay there is gone
        state = replace(state, thrown=None, dice=(), no_roll_due=False, shakes=0, announced=None)
    known = state.shakes is not None and event.shakes is not None
    shakes = (state.shakes or 0) + (event.shakes or 0) if known else None
    return replace(state, shakes=shakes)


def _thrown(state: State, event: DiceThrown) -> State:
    if state.knowable:
        return state
    due = roll_accident(event.dice) is not None
    return replace(
        state, dice=event.dice, thrown=ref_of(event), no_roll_due=due,
        started_by=None if due else StartMethod.SHAKER,
    )  # fmt: skip


def _announced(state: State, event: DiceTotalAnnounced) -> State:
    return replace(
        state, announced=event.total, announcement=ref_of(event), started_by=StartMethod.SHAKER
    )


def _determined(state: State, event: StartDetermined) -> State:
    return replace(
        state, start=event.position, started_by=event.method or state.started_by,
        generated=event.number if event.method is StartMethod.GENERATOR else state.generated,
    )  # fmt: skip


def _button(state: State, event: ButtonPlaced) -> State:
    return replace(state, button_now=event.position, started_by=StartMethod.FLAT_BUTTON)


def _began(state: State, event: DealBegan | CardsDealt) -> State:
    first = event.position if isinstance(event, DealBegan) else event.first_position
    used = state if state.began else replace(state, last_deck=event.deck or state.deck)
    by_button = state.started_by is StartMethod.FLAT_BUTTON
    return replace(
        used, began=True, method=event.method or state.method, deck=event.deck or state.deck,
        shuffle=None if not state.began else state.shuffle,
        button=(first or state.button) if by_button else state.button, phase=_moved(state, event),
    )  # fmt: skip


def _dealt(state: State, event: CardsDealt) -> State:
    moved = _began(state, event)
    if event.complete is False:
        return replace(moved, phase=Phase.DEALING, stacks=event.stacks)
    return replace(moved, stacks=event.stacks, dealt=ref_of(event), resolved=False)


def _set(state: State, event: HandSet) -> State:
    phase = Phase.SET if event.position == DEALER and state.phase is Phase.DEALT else state.phase
    return replace(state, phase=phase, hands={**state.hands, event.position: event})


def _exposed(state: State, event: HandExposed) -> State:
    seen = replace(state, exposed=state.exposed | {event.position})
    if state.phase is Phase.SET and event.position != DEALER:
        seen = replace(seen, revealed=(*state.revealed, event.position))
    elif event.position != DEALER and state.in_round:
        seen = replace(seen, choices=state.choices | {event.position})
    return seen


def _irregular(state: State, event: IrregularityFound) -> State:
    if event.irregularity is Irregularity.CARD_FACE_UP:
        cards = event.cards or ("?",) * (event.count or 1)
        return replace(state, face_up=(*state.face_up, *cards), aside=state.aside + len(cards))
    if event.irregularity is Irregularity.CARD_DRAWN_IN_ERROR:
        return replace(state, aside=state.aside + (event.used_as_next_card is False))
    return state


def _placed(state: State, event: WagerPlaced) -> State:
    lying = Lying(event.wager_id, event.position, event.wager, event.stake_cents, event.patron)
    return replace(state, wagers=(*state.wagers, lying), resolved=False)


def _increased(state: State, event: WagerIncreased) -> State:
    wagers = tuple(
        one._replace(stake_cents=one.stake_cents + event.added_cents)
        if one.wager_id == event.wager_id
        else one
        for one in state.wagers
    )
    return replace(state, wagers=wagers)


def _lifted(state: State, event: WagerTakenDown | WagerReturned) -> State:
    if not state.betting_open:
        return state
    return replace(state, wagers=tuple(w for w in state.wagers if w.wager_id != event.wager_id))


def _seated(state: State, event: PositionTaken | PositionLeft) -> State:
    if isinstance(event, PositionTaken):
        return replace(state, seated=(state.seated or frozenset()) | {event.position})
    return replace(state, seated=state.seated - {event.position}) if state.seated else state


def _unsure(state: State, _event: Unsure) -> State:
    return replace(
        state, decks=(), shuffle=None, last_deck=None, button=None, broken=frozenset(),
        marked=frozenset(), defective=None, seated=None, sure=False,
    )  # fmt: skip


def _voided(state: State, event: ExposureChoiceMade | HandVoided) -> State:
    if isinstance(event, ExposureChoiceMade) and event.choice is not ExposureChoice.VOID:
        return state
    return replace(state, voided={**state.voided, event.position: ref_of(event)})


def _surrendered(state: State, event: HandSurrendered) -> State:
    if event.position in state.revealed or state.at(event.position, BONUS):
        return state
    return replace(state, surrendered={**state.surrendered, event.position: ref_of(event)})


def _returned(state: State, event: Returned) -> State:
    bad = event.why == Accident.BAD_DECK.value
    defective = (event.fact, state.remaining or 0) if bad else state.defective
    return replace(state, void=event, defective=defective)


def _counted(state: State, event: SurrenderedCardsCounted) -> State:
    whole = event.cards == EACH
    return replace(state, counted=state.counted | {event.position}) if whole else state


TURNS: Final[dict[type[Any], Callable[[State, Any], State]]] = {
    BettingOpened: _new_round,
    NoMoreBetsAnnounced: lambda s, e: replace(s, phase=_moved(s, e)),
    DeckPlaced: _deck_placed,
    DeckCounted: _deck_counted,
    DeckRemoved: _deck_removed,
    DeckInspected: lambda s, e: _deck(s, e.deck, inspected=ref_of(e)),
    DeckInspectionVerified: lambda s, e: _deck(s, e.deck, verified=True),
    SecondJokerRemoved: lambda s, e: _deck(s, e.deck, second_joker_gone=True),
    CardsShuffled: _shuffled,
    CardsSpread: lambda s, _: replace(s, shuffle=None),
    CardsCut: _cut,
    CardDeviceFailed: _failed,
    CardDeviceFixed: _fixed,
    OutOfOrderShown: _marked,
    DiceShaken: _shaken,
    DiceThrown: _thrown,
    ShakerCovered: lambda s, _: replace(s, covered_after=s.knowable),
    ShakerUncovered: lambda s, _: s,
    DiceTotalAnnounced: _announced,
    NoRollCalled: lambda s, _: replace(s, no_roll_due=False, dice=(), announced=None),
    GeneratorShown: lambda s, e: replace(s, generated=e.number, started_by=StartMethod.GENERATOR),
    ButtonPlaced: _button,
    StartDetermined: _determined,
    DealBegan: _began,
    CardsDealt: _dealt,
    RemainingCardsCounted: lambda s, e: replace(s, remaining=e.cards),
    HandSet: _set,
    HandExposed: _exposed,
    IrregularityFound: _irregular,
    ExposureChoiceMade: _voided,
    HandVoided: _voided,
    HandSurrendered: _surrendered,
    SurrenderedCardsCounted: _counted,
    WagerPlaced: _placed,
    WagerIncreased: _increased,
    WagerTakenDown: _lifted,
    WagerReturned: _lifted,
    WagerSettled: lambda s, e: replace(s, settled=s.settled | {e.wager_id}),
    PositionTaken: _seated,
    PositionLeft: _seated,
    ByPosition: lambda s, _: replace(s, resolved=True),
    Returned: _returned,
    Breach: lambda s, e: replace(s, reported=s.reported | {e.duty.code}),
    Unsure: _unsure,
}
