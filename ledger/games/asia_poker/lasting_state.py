"""How facts change what outlives a round: layout and signs, decks, devices for cards.

Each function returns the state after one kind of fact; none cites a section.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ledger import events
from ledger.games.asia_poker.state import Deck, Look, Shuffle, State, Table
from ledger.games.named_tuple_change import replace
from ledger.games.room import Breach, Unsure, wagers_are_seen
from ledger.kernel import ref_of

NOTICES: Final = frozenset(
    {"layout_incomplete", "payout_notice_missing", "payout_limit_not_posted"}
)
"""Codes of what layout and signs lack: reported once, until one of them changes."""
OVER_AGE: Final = frozenset({"deck_over_4_hours", "deck_over_8_hours"})


def _table(state: State, **changes: object) -> State:
    return replace(state, table=replace(state.table, **changes))


def _opened(state: State, event: events.TableOpened) -> State:
    seen = wagers_are_seen(event)
    return _table(state, layout=event.layout, reported=frozenset(), wagers_seen=seen)


def _closed(state: State, _event: events.TableClosed) -> State:
    """Note the closing: the next opening is another commencement of play (§ 575.5(a), (g)(3))."""
    decks = tuple(replace(deck, shuffled=False) for deck in state.decks)
    seated = state.seated if state.seats_sure else None  # nobody keeps his place when it closes
    return replace(
        state, decks=decks, shuffle=None, last_deck=None, button=None, seated=seated,
        seats_sure=True,
    )  # fmt: skip


def _looked(state: State, event: events.ItemInspected) -> State:
    if event.subject is not events.Subject.LAYOUT:
        return state
    seen = tuple(word for one in event.seen for word in (one.name, one.value) if word is not None)
    looks = {**state.table.looks, (event.item, event.subject_id): Look(event.found, seen)}
    return _table(state, looks=looks, reported=frozenset())


def _sign(state: State, event: events.RulesSignPosted) -> State:
    table = state.table
    odds = table.odds_signs | {event.sign} if event.odds else table.odds_signs - {event.sign}
    limits = {name: cents for name, cents in table.limit_signs.items() if name != event.sign}
    if event.payout_limit_cents is not None:
        limits[event.sign] = event.payout_limit_cents
    return _table(state, odds_signs=odds, limit_signs=limits, reported=frozenset())


def _sign_gone(state: State, event: events.RulesSignRemoved) -> State:
    table = state.table
    limits = {name: cents for name, cents in table.limit_signs.items() if name != event.sign}
    odds = table.odds_signs - {event.sign}
    return _table(state, odds_signs=odds, limit_signs=limits, reported=frozenset())


def _limits(state: State, event: events.LimitsSet) -> State:
    minimums = {**state.table.minimums}
    if event.minimum_cents is None:
        minimums.pop(event.wager or "", None)
    else:
        minimums[event.wager or ""] = event.minimum_cents
    return _table(state, minimums=minimums)


def _assigned(state: State, event: events.StaffAssigned) -> State:
    table = state.table
    if event.role is events.Role.FLOORPERSON and event.person not in table.floor:
        return _table(state, floor=table.floor | {event.person})
    if event.role is events.Role.DEALER and event.person not in table.dealers:
        return _table(state, dealers=table.dealers | {event.person})
    return state


def _deck_placed(state: State, event: events.DeckPlaced) -> State:
    deck = Deck(
        name=event.deck, at=event.event_time, placed=ref_of(event), counted=ref_of(event),
        cards=event.cards, jokers=event.jokers, jokers_made=event.jokers_made, back=event.back,
        prepared=event.preinspected_and_preshuffled is True, cover_cards=event.cover_cards,
    )  # fmt: skip
    others = tuple(one for one in state.decks if one.name != event.deck)
    return replace(state, decks=(*others, deck), sure=True)


def turned(state: State, name: str | None, **changes: object) -> State:
    """Return the state with one deck at the table changed; without a name, the only one."""
    return replace(state, decks=decks_with(state, name, **changes))


def decks_with(state: State, name: str | None, **changes: object) -> tuple[Deck, ...]:
    """Return the decks at the table with one of them changed; without a name, the only one."""
    decks = state.decks
    if len(decks) == 1 and name in (None, decks[0].name):
        return (replace(decks[0], **changes),)
    return tuple([replace(one, **changes) if one.name == name else one for one in decks])


def _deck_counted(state: State, event: events.DeckCounted) -> State:
    known = state.deck_named(event.deck)
    if known is None:
        return state
    jokers = known.jokers if event.jokers is None else event.jokers
    return turned(
        state, event.deck, cards=event.cards, jokers=jokers, counted=ref_of(event),
        amiss=(*(event.missing or ()), *(event.extra or ())), count_judged=False,
    )  # fmt: skip


def _second_joker(state: State, event: events.SecondJokerRemoved) -> State:
    gone = event.torn is not False and event.returned_to_container is not False
    return turned(state, event.deck, second_joker_gone=gone)


def _deck_removed(state: State, event: events.DeckRemoved) -> State:
    decks = tuple(one for one in state.decks if one.name != event.deck)
    bad = state.defective
    if bad is not None and event.whole_deck is not False and bad.deck in (None, event.deck):
        bad = None
    return replace(state, decks=decks, defective=bad, shuffle=None)


BY_DEVICE: Final[dict[events.ShuffleMethod | None, bool]] = {
    events.ShuffleMethod.AUTOMATED: True,
    events.ShuffleMethod.RESHUFFLER: True,
    events.ShuffleMethod.MANUAL: False,
}


def _shuffled(state: State, event: events.CardsShuffled) -> State:
    if event.completed is False:
        state = turned(state, event.deck, kept=False, shuffled=False)
        return replace(state, interrupted=True, spread=False, shuffle=None)
    by_hand = ref_of(event) if event.method is events.ShuffleMethod.MANUAL else None
    if event.kept_in_device and not (by_hand and len(state.decks) == 1):
        decks = decks_with(state, event.deck, kept=True, from_device=False, by_hand=by_hand)
        return replace(state, decks=decks, interrupted=False, spread=False)
    by_device = BY_DEVICE.get(event.method)
    stored = by_device is True and event.kept_in_device is False
    decks = decks_with(
        state, event.deck, kept=False, shuffled=True, from_device=stored, by_hand=by_hand
    )
    shuffle = Shuffle(ref_of(event), by_device, deck=event.deck)
    return replace(
        state, decks=decks, interrupted=False, spread=False, shuffle=shuffle, defective=None
    )


def _inspected(state: State, event: events.DeckInspected) -> State:
    return turned(
        state, event.deck, inspected=ref_of(event), inspected_by=event.inspected_by,
        unfit=event.fit is False,
    )  # fmt: skip


def _spread(state: State, _event: events.CardsSpread) -> State:
    return replace(state, shuffle=None, spread=True)


def _cut(state: State, event: events.CardsCut) -> State:
    if state.shuffle is None:
        return state
    depth = -1 if event.cover_card_depth is None else event.cover_card_depth
    return replace(state, shuffle=state.shuffle._replace(cut=depth))


def _failed(state: State, event: events.CardDeviceFailed) -> State:
    interrupted = state.interrupted or event.device is events.CardDevice.SHUFFLER
    return replace(
        state, broken=state.broken | {event.device}, marked=state.marked - {event.device},
        interrupted=interrupted,
    )  # fmt: skip


def _fixed(state: State, event: events.CardDeviceFixed) -> State:
    device = event.device
    return replace(state, broken=state.broken - {device}, marked=state.marked - {device})


def _marked(state: State, event: events.OutOfOrderShown) -> State:
    shown = event.covered is True or event.sign is True or event.covered is event.sign is None
    return replace(state, marked=state.marked | {event.device}) if shown else state


def _unsure(state: State, _event: Unsure) -> State:
    return replace(
        state, decks=(), shuffle=None, interrupted=False, spread=False, last_deck=None,
        button=None, broken=frozenset(), marked=frozenset(), defective=None, seated=None,
        seats_sure=False,
        table=Table(layout=state.table.layout, reported=NOTICES), sure=False,
    )  # fmt: skip


def _reported(state: State, event: Breach) -> State:
    code = event.duty.code
    if code in OVER_AGE:
        facts = set(event.facts)
        decks = [replace(one, over_age=one.over_age or one.placed in facts) for one in state.decks]
        state = replace(state, decks=tuple(decks))
    if code in NOTICES:
        return _table(state, reported=state.table.reported | {code})
    return replace(state, reported=state.reported | {code})


LASTING: Final[dict[type[object], Callable[[State, Any], State]]] = {
    events.TableOpened: _opened,
    events.TableClosed: _closed,
    events.ItemInspected: _looked,
    events.RulesSignPosted: _sign,
    events.RulesSignRemoved: _sign_gone,
    events.LimitsSet: _limits,
    events.StaffAssigned: _assigned,
    events.DeckPlaced: _deck_placed,
    events.DeckCounted: _deck_counted,
    events.DeckRemoved: _deck_removed,
    events.DeckInspected: _inspected,
    events.DeckInspectionVerified: lambda s, e: turned(s, e.deck, verified_by=e.verified_by),
    events.SecondJokerRemoved: _second_joker,
    events.CardsShuffled: _shuffled,
    events.CardsSpread: _spread,
    events.CardsCut: _cut,
    events.CardDeviceFailed: _failed,
    events.CardDeviceFixed: _fixed,
    events.OutOfOrderShown: _marked,
    Breach: _reported,
    Unsure: _unsure,
}
