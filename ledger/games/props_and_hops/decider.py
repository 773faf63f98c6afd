"""What the chapter makes of each fact of a round of Props & Hops.

Law: §§ 668a.1(b)(6), 668a.2, 668a.3; the rows say which sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from ledger import events
from ledger.games.breach_reporting import breach, judge_step, once
from ledger.games.outcomes import DiceOutcome
from ledger.games.props_and_hops import equipment
from ledger.games.props_and_hops.procedure import PHASES, STEPS
from ledger.games.props_and_hops.state import (
    SEEN,
    TURNS,
    State,
    settles_as_it_lay,
)
from ledger.games.props_and_hops.terms import (
    DICE,
    LAMMERS,
    LAW,
    POSITIONS,
    SHAKES,
    Phase,
    Roll,
)
from ledger.games.props_and_hops.validity import (
    CAUSES,
    LID,
    dice_of,
    faces_shown,
    lies,
    no_roll_row,
    stated,
    unclear,
)
from ledger.games.props_and_hops.wagers import (
    SIX_EIGHT_SHAKE,
    FiledGroup,
    box,
    faces_of,
    left_by,
)
from ledger.games.room import (
    Annulled,
    Call,
    Contested,
    Decided,
    Requires,
    Rules,
    Ruling,
    Undecidable,
    Unsure,
)
from ledger.kernel import Certainty, Citation, FactRef, plural, ref_of, times

UNDECIDED: Final = frozenset(Phase) - SEEN - {Phase.IDLE, Phase.LOST}
STEPPED: Final = frozenset(step.fact for step in PHASES) - {events.BettingOpened}


def decide(rules: Rules, state: State, fact: events.Fact) -> tuple[Ruling, ...]:
    """Give the rulings of the chapter on one fact, by the state before it."""
    kind = type(fact)
    handler = HANDLERS.get(kind)
    rulings = tuple(handler(rules, state, fact)) if handler else ()
    if kind in STEPPED and state.in_round and state.phase is not Phase.LOST:
        rulings += judge_step(rules, state, fact, STEPS)
    return rulings


def evolve(state: State, event: events.Fact | Ruling | Unsure) -> State:
    """Return the state after a fact or a ruling: no rule is applied and no section is cited."""
    turn = TURNS.get(type(event))
    return state if turn is None else turn(state, event)


def close(rules: Rules, state: State, last: FactRef) -> tuple[Ruling, ...]:
    """Give the rulings that only the end of a round shows: a call or a shake that never came.

    Args:
        rules: those of the round.
        state: the state after its last fact.
        last: the key of that fact.
    """
    if state.phase is Phase.NO_ROLL and state.no_roll is None:
        at = state.thrown or last
        return (*_not_reshaken(rules, state, at), *_no_roll_due(rules, state, at))
    return ()


def is_over(state: State) -> bool:
    """Whether no round is under way; a round ends only when the next one opens."""
    return not state.in_round


def _pin(cite: Citation) -> str:
    return cite.section.removeprefix(LAW.edition.chapter)


def _on_left(rules: Rules, state: State, fact: events.PositionLeft) -> Iterator[Ruling]:
    if state.phase is Phase.AT_REST and state.decided.is_bound(fact.position):  # § 668a.2(c)
        yield Requires(duty=rules.duty("left_seat_during_round"), done="all", fact=ref_of(fact))
    if state.phase in UNDECIDED and state.stakes.is_bound(fact.position):
        yield breach(rules, "left_seat_during_round", fact, observed=fact.position)


def _on_betting_opened(rules: Rules, state: State, fact: events.BettingOpened) -> Iterator[Ruling]:
    if state.dealer_shook is False:  # § 668a.3(d), (j)
        row = "dealer_shake_missing@.3(j)" if state.played else "dealer_shake_missing@.3(d)"
        yield breach(rules, row, fact)
    if state.lammers is None and state.stakes.lies(SIX_EIGHT_SHAKE):
        if "sequence_unknown" not in state.reported:
            yield breach(rules, "sequence_unknown", fact, certainty=Certainty.UNKNOWN)
        for wager_id in state.stakes.named(SIX_EIGHT_SHAKE):
            yield Contested(wager=wager_id, as_recorded=False)


def _on_placed(rules: Rules, state: State, fact: events.WagerPlaced) -> Iterator[Ruling]:
    position = fact.position
    if position is not None and position not in POSITIONS:  # § 668a.1(a)
        yield breach(rules, "position_not_on_table", fact, observed=position, wager=fact.wager_id)
    elif position is not None and not state.may_sit(position):  # § 668a.2(c)
        yield breach(
            rules, "wager_by_unseated_patron", fact, observed=position, wager=fact.wager_id
        )
    row = rules.wagers.get(fact.wager)
    if row is not None and isinstance(row.wins_on, FiledGroup) and not row.wins_on.is_known:
        yield breach(  # reading hop-groups-are-filed
            rules, f"hop_groups_not_filed@{_pin(row.cite)}", fact, observed=fact.wager, wager=fact.wager_id,
            certainty=Certainty.BROKEN if rules.filing_known else Certainty.UNKNOWN,
        )  # fmt: skip
    if row is not None and rules.chosen is not None and fact.wager not in rules.chosen:
        yield breach(  # § 668a.1(b)(6)
            rules, "wager_not_offered@.1(b)(6)", fact, observed=fact.wager, wager=fact.wager_id
        )
    if fact.wager == SIX_EIGHT_SHAKE:
        yield from _joined(rules, state, fact)


def _on_changed(
    rules: Rules, state: State, fact: events.WagerIncreased | events.WagerMoved
) -> Iterator[Ruling]:
    if isinstance(fact, events.WagerMoved):
        is_shake = fact.wager == SIX_EIGHT_SHAKE
    else:
        is_shake = state.stakes.is_of(fact.wager_id, SIX_EIGHT_SHAKE)
    if is_shake:
        yield from _joined(rules, state, fact)


def _joined(
    rules: Rules, state: State, fact: events.WagerPlaced | events.WagerIncreased | events.WagerMoved
) -> Iterator[Ruling]:
    """Judge a Six Eight Shake that joins a sequence under way (reading shake-joins-fresh).

    A new one may join only while no lammer is collected.
    """
    if rules.reading("shake-joins-fresh") == "joins":
        return
    added_by = ref_of(fact) if isinstance(fact, events.WagerIncreased) else None
    if state.lammers is None:
        yield Contested(wager=fact.wager_id, as_recorded=False, added_by=added_by)
    elif state.lammers and state.stakes.lies(SIX_EIGHT_SHAKE):
        yield breach(
            rules,
            "shake_joined_late",
            fact,
            observed=plural(len(state.lammers), "lammer"),
            wager=fact.wager_id,
        )
        yield Contested(wager=fact.wager_id, as_recorded=True, added_by=added_by)


def _on_refused(rules: Rules, state: State, fact: events.TakeDownRefused) -> Iterator[Ruling]:
    if state.stakes.is_of(fact.wager_id, SIX_EIGHT_SHAKE):  # § 668a.2(f)(8)
        yield breach(rules, "take_down_refused", fact, wager=fact.wager_id)


def _on_settled(
    rules: Rules, state: State, fact: events.WagerSettled | events.WagerReturned
) -> Iterator[Ruling]:
    back = isinstance(fact, events.WagerReturned) or fact.outcome is events.SettledAs.RETURNED
    invalid = state.invalid if state.phase is Phase.NO_ROLL else None
    if settles_as_it_lay(state, fact):
        invalid = LID
        yield from _as_it_lay(rules, state, fact)
    if invalid is not None:
        if back and state.stakes.is_of(fact.wager_id, SIX_EIGHT_SHAKE):
            return  # § 668a.2(f)(8): it may be removed before a 7
        name = f"settled_on_no_roll@{_pin(invalid.cite).partition('#')[0]}"
        done, effect = "returned", 0
        if isinstance(fact, events.WagerSettled):
            done = fact.outcome.value.lower()
            effect = fact.winnings_cents - fact.stake_taken_cents
        yield breach(
            rules, name, fact, state.thrown, observed=done, wager=fact.wager_id,
            effect_cents=effect,
        )  # fmt: skip
        yield from _not_reshaken(rules, state, ref_of(fact))
        yield from _no_roll_owed(rules, state, fact)
    elif state.phase in (Phase.BETTING, Phase.NO_MORE_BETS) and not back:
        yield from once(rules, state, fact, "settled_before_result")


def _as_it_lay(rules: Rules, state: State, fact: events.Fact) -> Iterator[Ruling]:
    """Annul dice used as they lay when the player took off the lid (§ 668a.3(f))."""
    yield from once(rules, state, fact, "player_uncovered_and_not_reshaken")
    yield Annulled(row=LID, fact=ref_of(fact))


def _on_player_shook(rules: Rules, state: State, fact: events.PlayerShook) -> Iterator[Ruling]:
    if state.phase in SEEN or not state.in_round or state.phase is Phase.LOST:
        return
    yield from _no_roll_owed(rules, state, fact)
    due = state.due_to_shake()
    if due is None or fact.position is None or fact.position == due:
        return
    if state.shooter is None:
        name = "wrong_shaker@.3(f)"
    else:
        name = "wrong_shaker@.3(k)#2" if state.passing else "wrong_shaker@.3(k)#1"
    yield from once(rules, state, fact, name, observed=fact.position, expected=due)


def _on_thrown(
    rules: Rules, state: State, fact: events.DiceThrown | events.DiceThrownByHand
) -> Iterator[Ruling]:
    if not state.in_round or (state.phase, type(fact)) not in STEPS:
        return
    at, dice = ref_of(fact), dice_of(fact)
    yield from _shakes(rules, state, fact)
    if len(dice) != DICE:  # § 668a.3(a)
        yield breach(rules, "wrong_number_of_dice", fact, observed=plural(len(dice), "die", "dice"))
        yield Undecidable(
            why=f"{plural(len(dice), 'die', 'dice')} seen, not two", cite=LAW[".3(a)#1"], fact=at
        )
        return
    row = no_roll_row(dice, lifted=state.phase is Phase.LIFTED)
    if row is not None:
        yield Annulled(row=row, fact=at)
        return
    faces = faces_shown(dice)
    if faces is None or unclear(dice):
        lacking = "the face of a die" if faces is None else "how a die lies"
        yield Undecidable(why=f"{lacking} was not recorded", cite=LAW[".3(h)#1"], fact=at)
        return
    if state.settled is not None:
        yield from once(rules, state, fact, "settled_before_result", state.settled)
    yield _decided(state, DiceOutcome(faces=faces), at)


def _decided(state: State, dice: DiceOutcome, at: FactRef) -> Decided:
    sequence = state.sequence(dice.faces)
    return Decided(
        shown=Roll(dice.faces, sequence),
        detail=dice,
        cite=LAW[".3(h)#1"],
        fact=at,
        leaves=left_by(sequence),
    )


def _on_called(rules: Rules, state: State, fact: events.RollCalled) -> Iterator[Ruling]:
    faces = stated(fact)
    if state.phase is Phase.NO_ROLL:
        yield from _not_reshaken(rules, state, ref_of(fact))
        yield from _no_roll_owed(rules, state, fact)
    elif state.phase is Phase.AT_REST and state.roll is not None and faces != state.roll.faces:
        called = "-".join(map(str, sorted(fact.faces)))
        yield breach(
            rules, "wrong_call", fact, state.thrown, observed=called, expected=box(state.roll.faces)
        )
    elif state.phase is Phase.LIFTED:
        yield from _as_it_lay(rules, state, fact)
    elif state.phase is Phase.SHAKEN and faces is not None:
        yield _decided(state, DiceOutcome(faces=faces, as_stated=True), ref_of(fact))


def _on_no_roll(
    rules: Rules, state: State, fact: events.NoRollCalled | events.RoundVoided
) -> Iterator[Ruling]:
    if state.phase is Phase.AT_REST and state.roll is not None:
        observed = box(state.roll.faces)
        yield from once(rules, state, fact, "no_roll_without_cause", observed=observed)
    elif state.phase is Phase.SHAKEN and fact.reason not in CAUSES:
        observed = f"{fact.reason or 'no reason given'}; the dice were not recorded"
        unsure = Certainty.UNKNOWN
        yield from once(
            rules, state, fact, "no_roll_without_cause", observed=observed, certainty=unsure
        )
    elif state.phase is Phase.SHAKEN and fact.reason is not None:
        yield Annulled(row=CAUSES[fact.reason], fact=ref_of(fact))


def _shakes(
    rules: Rules,
    state: State,
    fact: events.ShakerUncovered | events.DiceThrown | events.DiceThrownByHand,
) -> Iterator[Ruling]:
    if state.phase is not Phase.SHAKEN:
        return
    if state.shakes is None:
        yield from once(
            rules, state, fact, "too_few_shakes", state.shaken, observed="an unknown number of times",
            certainty=Certainty.UNKNOWN,
        )  # fmt: skip
    elif state.shakes < SHAKES:  # § 668a.3(f)
        yield from once(
            rules, state, fact, "too_few_shakes", state.shaken, observed=times(state.shakes)
        )


def _on_covered(
    rules: Rules, state: State, fact: events.ShakerCovered | events.DiceShaken
) -> Iterator[Ruling]:
    if state.phase is Phase.AT_REST and state.dealer_shook is False:  # § 668a.3(g), (j)
        yield Requires(duty=rules.duty("shaker_covered_early"), done="all", fact=ref_of(fact))
    if isinstance(fact, events.DiceShaken):  # the dealer's shake after a round
        yield from _not_reshaken(rules, state, ref_of(fact))


def _on_collected(rules: Rules, state: State, fact: events.LammerCollected) -> Iterator[Ruling]:
    faces = faces_of(fact.combination)
    if state.phase is not Phase.AT_REST or state.roll is None or faces in state.collected:
        return
    if faces == state.roll.faces and faces in LAMMERS:  # § 668a.3(i)
        if state.lammers is None or not state.wagers_seen:
            return
        why = "it had been collected before" if state.lammers else "no Six Eight Shake stands"
        name = "lammer_wrong@.3(i)#6"
    else:
        why, name = f"the roll was {box(state.roll.faces)}", "lammer_wrong@.3(i)#4"
    yield breach(rules, name, fact, state.thrown, observed=fact.combination, expected=why)


HANDLERS: Final[dict[type[events.Fact], Callable[[Rules, State, Any], Iterator[Ruling]]]] = {
    events.TableOpened: equipment.judge_odds_shown,
    events.BettingOpened: _on_betting_opened,
    events.DicePlacedInShaker: equipment.judge_placing,
    events.DiceSeenOutsideShaker: equipment.judge_outside,
    events.PositionLeft: _on_left,
    events.WagerPlaced: _on_placed,
    events.WagerIncreased: _on_changed,
    events.WagerMoved: _on_changed,
    events.TakeDownRefused: _on_refused,
    events.WagerSettled: _on_settled,
    events.WagerReturned: _on_settled,
    events.PlayerShook: _on_player_shook,
    events.ShakerUncovered: _shakes,
    events.DiceThrown: _on_thrown,
    events.DiceThrownByHand: _on_thrown,
    events.RollCalled: _on_called,
    events.NoRollCalled: _on_no_roll,
    events.RoundVoided: _on_no_roll,
    events.ShakerCovered: _on_covered,
    events.DiceShaken: _on_covered,
    events.LammerCollected: _on_collected,
}


def _not_reshaken(rules: Rules, state: State, at: FactRef) -> tuple[Ruling, ...]:
    """Report dice seen under a lid that the player took off and used without a new shake.

    That they were seen is no breach: the shaker may still be covered and shaken again (§ 668a.3(f)).
    """
    name = "player_uncovered_and_not_reshaken"
    seen = state.phase is Phase.NO_ROLL and state.invalid is LID
    return (breach(rules, name, at, state.thrown),) if seen and name not in state.reported else ()


def _no_roll_owed(rules: Rules, state: State, fact: events.Fact) -> Iterator[Ruling]:
    """Report a roll that does not count and was passed over without the call."""
    if state.phase is Phase.NO_ROLL and state.no_roll is None:
        yield from _no_roll_due(rules, state, ref_of(fact))


def _no_roll_due(rules: Rules, state: State, at: FactRef) -> tuple[Ruling, ...]:
    due = state.invalid is not None and state.invalid.call is Call.MUST
    if "no_roll_not_called" in state.reported or not due:
        return ()
    assert state.invalid is not None
    name, observed = f"no_roll_not_called@{_pin(state.invalid.cite)}", lies(state.dice)
    return (breach(rules, name, at, state.thrown, observed=observed),)
