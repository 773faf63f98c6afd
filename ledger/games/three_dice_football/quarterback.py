"""Who throws: to whom the dice are offered, who takes them, who has a wager down.

Law: §§ 577.2(a), 577.4(b), (c), 577.6(b), 577.7.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger import events
from ledger.games.breach_reporting import breach
from ledger.games.room import Rules, Ruling
from ledger.games.three_dice_football.equipment import once
from ledger.games.three_dice_football.state import State
from ledger.games.three_dice_football.terms import POSITIONS, Phase, number


def judge_place(
    rules: Rules,
    _state: State,
    fact: events.WagerPlaced | events.PositionTaken | events.DiceOffered | events.DiceAccepted,
) -> Iterator[Ruling]:
    """Report a position that is not one of the 16 at the table (§ 577.2(a))."""
    place = number(fact.position)
    if place is not None and not 1 <= place <= POSITIONS:
        yield breach(rules, "position_not_on_table", fact, observed=fact.position)


def on_offered(rules: Rules, state: State, fact: events.DiceOffered) -> Iterator[Ruling]:
    """Judge an offer of the dice (§§ 577.4(b), 577.7(a)).

    They go to the left; after a score the Quarterback keeps them, so that no other is offered them.
    """
    yield from judge_place(rules, state, fact)
    if state.quarterback is not None:
        known = not state.blind and (state.ended is not None or state.spot is not None)
        if not known or fact.position == state.quarterback:
            return
        if state.scored_last:  # § 577.7(a)
            observed, right = f"Position {fact.position} was offered the dice", "keeps them"
            yield from _not_his(rules, state, fact, ".7(a)#1", observed, right)
        else:  # § 577.4(c)
            observed = f"Position {fact.position} was offered the dice in a game"
            yield from _not_his(rules, state, fact, ".4(c)#1", observed, "throws")
        return
    place, after = number(fact.position), state.offer_after
    due = None if after is None else state.next_left(after)
    if place is not None and due is not None and place != due:
        first, later = ("#1", "#2") if state.starting else ("#2", "#3")
        row = f"{'.4(b)' if state.starting else '.7(a)'}{later if state.refused else first}"
        yield breach(
            rules, f"dice_offer_out_of_order@{row}", fact,
            observed=fact.position, expected=str(due),
        )  # fmt: skip


def on_accepted(rules: Rules, state: State, fact: events.DiceAccepted) -> Iterator[Ruling]:
    """Report that another than the one offered the dice took them (§§ 577.4(c), 577.7(b))."""
    yield from judge_place(rules, state, fact)
    if state.offered is not None and fact.position != state.offered:
        row = ".4(c)#1" if state.starting else ".7(b)#1"
        observed = f"Position {fact.position} took the dice"
        right = f"they were offered to position {state.offered}"
        yield breach(rules, f"wrong_quarterback@{row}", fact, observed=observed, expected=right)


def judge_thrower(rules: Rules, state: State, fact: events.DiceThrownByHand) -> Iterator[Ruling]:
    """Report a throw by another than the Quarterback (§§ 577.4(c), 577.7(b)).

    The Quarterback is the one who accepted the dice.
    """
    if state.quarterback is not None:
        if fact.position not in (None, state.quarterback):
            observed = f"Position {fact.position} threw the dice"
            yield from _not_his(rules, state, fact, ".4(c)#1", observed, "throws")
    elif state.offer_after is not None and state.phase is Phase.BEFORE:
        row = ".4(c)#1" if state.starting else ".7(b)#1"
        who = "Somebody" if fact.position is None else f"Position {fact.position}"
        yield from once(
            rules, state, fact, f"wrong_quarterback@{row}",
            observed=f"{who} threw the dice", expected="nobody had accepted them",
        )  # fmt: skip


def _not_his(
    rules: Rules,
    state: State,
    fact: events.DiceOffered | events.DiceThrownByHand,
    row: str,
    observed: str,
    does: str,
) -> Iterator[Ruling]:
    right = f"the Quarterback at position {state.quarterback} {does}"
    yield from once(
        rules, state, fact, f"wrong_quarterback@{row}", observed=observed, expected=right
    )


def judge_wager(rules: Rules, state: State, fact: events.DiceThrownByHand) -> Iterator[Ruling]:
    """Report a Quarterback without a wager before the first throw (§ 577.6(b)).

    Nothing is said where wagers are not recorded at the table.
    """
    if not state.wagers_seen:
        return
    thrower = state.quarterback or fact.position
    if state.phase is not Phase.BEFORE or thrower is None:
        return
    if not (state.stakes.is_bound(thrower) or state.stakes.is_bound(None)):
        yield from once(rules, state, fact, "player_without_wager", observed=thrower)
