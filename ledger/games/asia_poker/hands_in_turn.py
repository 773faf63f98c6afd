"""Hands that are seen, surrendered or set in turn: what each position may do, and when.

Law: §§ 575.7(f), 575.11(c)-(e), 575.13(d), (e), (j).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ledger import events
from ledger.games.asia_poker.deal import (
    EMPTY_SHOWN,
    WORDS,
    by_method,
    dealt_by,
    returned,
)
from ledger.games.asia_poker.equipment import options_of
from ledger.games.asia_poker.settling import misset
from ledger.games.asia_poker.state import DEALT, SET, State
from ledger.games.asia_poker.terms import DEALER, EACH, MAIN, PLAYERS, POSITIONS
from ledger.games.asia_poker.validity import Accident
from ledger.games.breach_reporting import breach, once
from ledger.games.room import Rules, Ruling
from ledger.kernel import Certainty, FactRef, ref_of

BY_DEALER: Final = (events.Role.DEALER, None)
"""The roles that count as the dealer when cards are shown: a fact that names nobody is his."""


def exposed(rules: Rules, state: State, fact: events.HandExposed) -> Iterable[Ruling]:
    """Judge cards of a position that became visible: in turn, out of turn, or by accident."""
    if state.revealed and state.phase is SET and fact.role in BY_DEALER and not fact.during_deal:
        in_turn = (
            max(state.revealed) < fact.position <= PLAYERS[-1]
        )  # positions are one figure each
        if in_turn and fact.position not in state.surrendered and state.has_wager(fact.position):
            return ()
    return _exposed(rules, state, fact)


def _exposed(rules: Rules, state: State, fact: events.HandExposed) -> Iterator[Ruling]:
    position, phase, at = fact.position, state.phase, ref_of(fact)
    during = fact.during_deal or not (phase is DEALT or phase is SET)
    whole = fact.count in (EACH, None)
    if during and dealt_by(rules, state.method) is events.DealMethod.HAND:  # § 575.13(j): any card
        if state.void is None:
            yield returned(Accident.HAND_DEAL, at)
        return
    if position == DEALER:
        if state.void is None and (during or (phase is DEALT and state.waiting)):
            if not during and whole:
                yield from once(rules, state, fact, "dealer_hand_exposed_early")
            yield returned(Accident.DEALER_CARD, at)
        return
    by_dealer = fact.role in BY_DEALER
    if position in state.surrendered:
        yield from once(
            rules, state, fact, "surrendered_cards_exposed", observed=position,
            certainty=state.of_surrender,
        )  # fmt: skip
    elif state.table.wagers_seen and not state.has_wager(position):
        if not during:
            yield breach(rules, by_method(EMPTY_SHOWN, state.method), fact, observed=position)
    elif phase is DEALT and by_dealer and whole and not during:
        known = (
            state.has_wager(position) or position in state.hands
        )  # else the stack of an empty place
        sure = Certainty.BROKEN if known else Certainty.UNKNOWN
        yield breach(rules, "hand_revealed_early", fact, observed=position, certainty=sure)
    elif phase is SET and by_dealer and position in POSITIONS:
        if not state.revealed:  # by the first player's hands the dealer has set them for good
            yield from dealer_misset(rules, state, at)
        if state.revealed and position < max(state.revealed):  # positions are one figure each
            later = [p for p in state.revealed if p > position]
            yield from once(
                rules, state, fact, "reveal_out_of_order", observed=position, expected=later[0]
            )
    elif state.phase is SET and not (by_dealer or during) and position in POSITIONS:
        yield breach(
            rules, "hand_not_revealed_by_dealer", fact, observed=position,
            expected=_who(fact.role), certainty=_known(fact.role),
        )  # fmt: skip


def dealer_misset(rules: Rules, state: State, at: FactRef) -> Iterator[Ruling]:
    """Report hands that the dealer left otherwise than by the filed way (§ 575.11(c), .13(i))."""
    if "dealer_hand_set_wrong" in state.reported:
        return
    wrong = misset(rules, state)
    if wrong is None:
        return
    again = state.hands[DEALER].reset if DEALER in state.hands else None
    name = "dealer_hand_set_wrong@.13(i)" if again else "dealer_hand_set_wrong@.11(c)"
    yield breach(rules, name, at, observed=wrong[0], expected=wrong[1])


def set_elsewhere(rules: Rules, state: State, fact: events.HandSet) -> Iterable[Ruling]:
    """Report a card that another position holds already: the deck cannot be whole (§ 575.3(a))."""
    own = set(_words(fact))
    cards = [word for other in state.hands.values() for word in _words(other)]
    return () if own <= WORDS and own.isdisjoint(cards) else _set_elsewhere(rules, state, fact, own)


def _set_elsewhere(
    rules: Rules, state: State, fact: events.HandSet, own: set[str]
) -> Iterator[Ruling]:
    for word in sorted(own - WORDS):
        yield breach(rules, "wrong_deck_count", fact, observed=f"{word} is no card of the deck")
    for position, other in state.hands.items():
        words = _words(other)
        if position != fact.position and not own.isdisjoint(words):
            for word in sorted(own.intersection(words)):
                observed = f"{word} is in the hands of two positions"
                yield from once(
                    rules, state, fact, "wrong_deck_count", ref_of(other), observed=observed
                )


def _words(fact: events.HandSet) -> tuple[str, ...]:
    return (*(fact.high or ()), *(fact.medium or ()), *(fact.low or ()))


def set_by(rules: Rules, fact: events.HandSet) -> tuple[Ruling, ...]:
    """Report hands set by another: a player sets his own, the dealer his (§ 575.11(a)(1), (c))."""
    of_dealer = fact.position == DEALER
    if fact.role in (None, events.Role.DEALER if of_dealer else events.Role.PATRON):
        return ()
    name = "hand_set_by_other@.11(c)" if of_dealer else "hand_set_by_other@.11(a)(1)"
    return (
        breach(
            rules, name, fact, observed=fact.position, expected=_who(fact.role),
            certainty=_known(fact.role),
        ),
    )  # fmt: skip


def _who(role: events.Role | None) -> str:
    if role in (None, events.Role.UNRECOGNISED):
        return "somebody of a role that this version does not know"
    return "a " + role.lower().replace("_", " ")


def _known(role: events.Role | None) -> Certainty:
    return Certainty.UNKNOWN if role is events.Role.UNRECOGNISED else Certainty.BROKEN


def adjacent(rules: Rules, state: State, fact: events.WagerPlaced) -> tuple[Ruling, ...]:
    """Judge a player's further wager: two adjacent areas if that is filed, never more."""
    patron = fact.patron
    if patron is None or fact.wager != MAIN or fact.position not in POSITIONS:
        return ()
    own = {one.position for one in state.wagers if one.patron == patron and one.wager == MAIN}
    others = sorted([p for p in own if p in POSITIONS and p != fact.position]) if own else ()
    if not others:
        return ()
    allowed = options_of(rules).adjacent
    near = len(others) == 1 and abs(int(others[0]) - int(fact.position)) == 1
    if allowed is not True or not near:
        certainty = Certainty.UNKNOWN if allowed is None and near else Certainty.BROKEN
        why = "that is not filed" if allowed is not True else "two adjacent areas are the most"
        areas = ", ".join([*others, fact.position])
        return (
            breach(
                rules, "adjacent_wager_not_permitted", fact, certainty=certainty,
                observed=f"positions {areas}", expected=why, wager=fact.wager_id,
            ),
        )  # fmt: skip
    return ()


def two_areas(state: State, position: str) -> bool:
    """Whether the player of a position wagers on another area too."""
    for mine in state.wagers:
        if mine.position == position and mine.wager == MAIN:
            patron = mine.patron
            others = [one.position for one in state.wagers if one.patron == patron]
            return patron is not None and others.count(position) != len(others)
    return False


def adjacent_order(rules: Rules, state: State, fact: events.HandSet) -> Iterable[Ruling]:
    """Judge the order of a player's two hands: larger wager first, else counterclockwise."""
    return _adjacent_order(rules, state, fact) if two_areas(state, fact.position) else ()


def _adjacent_order(rules: Rules, state: State, fact: events.HandSet) -> Iterator[Ruling]:
    position = fact.position
    mine = state.at(position, MAIN)
    patron = mine[0].patron
    for other in state.wagers:
        if other.patron != patron or other.wager != MAIN or other.position == position:
            continue
        if other.position in state.hands or other.position is None:
            continue
        more = other.stake_cents - mine[0].stake_cents
        if more > 0 or (more == 0 and other.position < fact.position):
            name = "adjacent_hands_out_of_order#3" if more else "adjacent_hands_out_of_order#4"
            yield breach(rules, name, fact, observed=fact.position, expected=other.position)
