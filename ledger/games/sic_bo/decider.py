"""What the chapter makes of each fact of a round of Sic Bo.

Law: 58 Pa. Code §§ 539.1(d), 539.2(a), 539.5, 539.7; the rows say which sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, Final

from ledger import events
from ledger.games.breach_reporting import breach, judge_step, once
from ledger.games.dice import Faces, rolls
from ledger.games.outcomes import DiceOutcome
from ledger.games.room import (
    Decided,
    Requires,
    Returned,
    Rules,
    Ruling,
    Shown,
    Undecidable,
    Unsure,
)
from ledger.games.sic_bo.procedure import PHASES, STEPS
from ledger.games.sic_bo.state import ENDED, SEEN, TURNS, State
from ledger.games.sic_bo.terms import DICE, LAW, SHAKES, Phase
from ledger.games.sic_bo.validity import faces_of, lies, no_roll_row, unclear, words
from ledger.games.sic_bo.wagers import winning_areas
from ledger.kernel import Certainty, FactRef, plural, ref_of, times

STEPPED: Final = frozenset(step.fact for step in PHASES) - {events.BettingOpened}


def decide(rules: Rules, state: State, fact: events.Fact) -> tuple[Ruling, ...]:
    """Give the rulings of the chapter on one fact, by the state before it."""
    kind = type(fact)
    handler = HANDLERS.get(kind)
    rulings = tuple(handler(rules, state, fact)) if handler else ()
    if kind in STEPPED and state.in_round:
        rulings += judge_step(rules, state, fact, STEPS)
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
    owed, at = "", last
    if state.phase in SEEN and state.no_roll_due:
        owed = "no_roll_not_called"
    elif state.settled and not state.device_failed:
        if state.phase is Phase.AT_REST and not (state.no_roll or state.broken):
            owed = "entry_missing"
        elif state.phase is Phase.ENTERED:
            owed, at = "settled_before_result", state.settled
    rulings: tuple[Ruling, ...] = ()
    uncalled = not (state.called or state.no_roll or state.no_roll_due)
    if state.settled and state.phase in SEEN and uncalled:
        rulings = (breach(rules, "call_missing", last),)  # § 539.5(d)
    if not owed or owed in state.reported:
        return rulings
    observed = lies(state.dice) if state.no_roll_due else None
    return (*rulings, breach(rules, owed, at, observed=observed))


def is_over(state: State) -> bool:
    """Whether no round is under way; a round ends only when the next one opens."""
    return not state.in_round


def outcomes() -> Iterator[tuple[Shown, Fraction, Fraction]]:
    """Yield every roll of three fair dice, its exact probability, and the odds' factor (1)."""
    for faces, chance in rolls(DICE):
        yield faces, chance, Fraction(1)


# --- one fact each -------------------------------------------------------------------------------


def _on_betting_opened(rules: Rules, state: State, fact: events.BettingOpened) -> Iterator[Ruling]:
    if state.broken is not None:  # § 539.7(b): all gaming ceases until fixed
        yield breach(
            rules, "play_resumed_before_repair", fact, state.broken, observed=state.broken_device
        )
    if state.lit is not None and not state.device_failed:  # § 539.5(f)
        yield breach(rules, "lights_not_cleared", fact, state.lit)


def _on_shaken(rules: Rules, state: State, fact: events.DiceShaken) -> Iterator[Ruling]:
    if not state.by_hand(fact):
        return
    if state.covered is not True:  # § 539.5(c)(1)
        certainty = Certainty.UNKNOWN if state.covered is None else Certainty.BROKEN
        yield from once(rules, state, fact, "shaken_uncovered", certainty=certainty)
    gone_unseen = state.shakers is None and state.automated_before
    if gone_unseen or state.automated_at_table:  # § 539.7(d)
        certainty = Certainty.UNKNOWN if gone_unseen else Certainty.BROKEN
        yield from once(rules, state, fact, "two_shakers_at_table", certainty=certainty)


def _on_thrown(rules: Rules, state: State, fact: events.DiceThrown) -> Iterator[Ruling]:
    if state.phase is Phase.IDLE or state.phase in SEEN or state.phase in ENDED:
        return
    at = ref_of(fact)
    yield from _shakes(rules, state, fact)
    if len(fact.dice) != DICE:  # § 539.2(a)
        yield breach(
            rules, "wrong_number_of_dice", fact, observed=plural(len(fact.dice), "die", "dice")
        )
        yield Undecidable(
            why=f"{plural(len(fact.dice), 'die', 'dice')} seen, not three",
            cite=LAW[".2(a)"],
            fact=at,
        )
        return
    row = no_roll_row(fact.dice)
    if row is not None:
        yield Returned(why=f"no roll: {row.cause}", cite=row.cite, fact=at)
        return
    faces = faces_of(fact)
    if faces is None or unclear(fact.dice):
        why = (
            "the face of a die was not recorded"
            if faces is None
            else "how a die lies was not recorded"
        )
        yield Undecidable(why=why, cite=LAW[".4(c)"], fact=at)
        return
    if state.no_roll is not None:  # § 539.7(a): called before the dice were recorded
        yield from once(
            rules, state, fact, "no_roll_without_cause", state.no_roll, observed=words(faces)
        )
    if state.settled is not None:
        yield from once(rules, state, fact, "settled_before_result", state.settled)
    yield Decided(shown=faces, detail=DiceOutcome(faces=faces), cite=LAW[".4(c)"], fact=at)


def _on_called(rules: Rules, state: State, fact: events.RollCalled) -> Iterator[Ruling]:
    if state.covered is True and state.shaken_by_hand and state.in_round:  # § 539.5(d)
        yield from once(rules, state, fact, "shaker_not_uncovered")
    called = tuple(sorted(fact.faces))
    if state.phase in SEEN and state.no_roll_due:
        yield from _no_roll_due(rules, state, fact)
    elif state.phase in SEEN and state.faces is not None and called != state.faces:  # § 539.5(d)
        yield breach(
            rules,
            "wrong_call",
            fact,
            state.thrown,
            observed=words(called),
            expected=words(state.faces),
        )
    elif state.unread:
        yield from _stated(state, fact, called)


def _on_entered(rules: Rules, state: State, fact: events.ValuesEntered) -> Iterator[Ruling]:
    entered = tuple(sorted(fact.faces))
    if state.phase in SEEN and state.no_roll_due:
        yield from _no_roll_due(rules, state, fact)
    elif state.phase in SEEN and state.faces is not None and entered != state.faces:
        yield breach(
            rules,
            "entry_differs_from_dice",
            fact,
            state.thrown,
            observed=words(entered),
            expected=words(state.faces),
        )
    elif state.unread:
        yield from _stated(state, fact, entered)


def _stated(state: State, fact: events.Fact, faces: Faces) -> Iterator[Ruling]:
    """Decide by announcement and entry as long as they agree, since the dice were not all read."""
    at = ref_of(fact)
    against = Counter(die.face for die in state.dice if die.face is not None) - Counter(faces)
    if against or len(faces) != DICE or (state.stated is not None and state.stated != faces):
        yield Undecidable(
            why="announcement and entry differ and the dice were not all recorded",
            cite=LAW[".4(c)"],
            fact=at,
        )
    else:
        stated = DiceOutcome(faces=faces, as_stated=True)
        yield Decided(shown=faces, detail=stated, cite=LAW[".4(c)"], fact=at)


def _on_lit(rules: Rules, state: State, fact: events.AreasLit) -> Iterator[Ruling]:
    if fact.areas is None or state.entered is None or len(state.entered) != DICE:
        return
    due, lit = winning_areas(state.entered), frozenset(fact.areas)
    if lit != due:  # § 539.5(d)
        listed = ", ".join(sorted(lit)) or "nothing"
        yield breach(rules, "lights_wrong", fact, observed=listed, expected=", ".join(sorted(due)))


def _on_cleared(rules: Rules, state: State, fact: events.LightsCleared) -> Iterator[Ruling]:
    if state.in_round and state.phase not in ENDED:  # § 539.5(f)
        yield Requires(duty=rules.duty("lights_cleared_early"), done="all", fact=ref_of(fact))


def _on_covered(rules: Rules, state: State, fact: events.ShakerCovered) -> Iterator[Ruling]:
    if state.is_automated(fact.shaker):  # § 539.5(e)
        yield breach(rules, "automated_shaker_covered", fact)
    elif state.phase in SEEN and not state.no_roll_due:
        yield Requires(duty=rules.duty("shaker_covered_early"), done="winners", fact=ref_of(fact))


def _on_no_roll(
    rules: Rules, state: State, fact: events.NoRollCalled | events.RoundVoided
) -> Iterator[Ruling]:
    if state.phase in SEEN and not state.no_roll_due:
        observed = words(state.faces) if state.faces else "faces not recorded"
        yield from once(rules, state, fact, "no_roll_without_cause", observed=observed)
        if rules.reading("groundless-no-roll") == "call-counts":
            yield Returned(why="no roll, as called", cite=LAW[".7(a)"], fact=ref_of(fact))
    elif state.phase in (Phase.BETTING, Phase.NO_MORE_BETS, Phase.SHAKEN):
        yield Undecidable(
            why="a no roll was called and the dice were not recorded",
            cite=LAW[".7(a)"],
            fact=ref_of(fact),
        )


def _on_failed(_rules: Rules, state: State, fact: events.DeviceFailed) -> Iterator[Ruling]:
    activated = state.phase in SEEN or state.phase in (Phase.SHAKEN, Phase.NO_MORE_BETS)
    if fact.device is events.Device.AUTOMATED_SHAKER and activated and state.settled is None:
        yield Returned(
            why="round void: the automated shaker failed", cite=LAW[".7(c)#1"], fact=ref_of(fact)
        )


def _on_settled(rules: Rules, state: State, fact: events.WagerSettled) -> Iterator[Ruling]:
    if fact.outcome is events.SettledAs.RETURNED or not state.in_round:
        return
    if state.phase is Phase.VOID:  # § 539.7(c)
        yield from once(rules, state, fact, "round_not_voided")
    elif state.no_roll_due:
        yield from _no_roll_due(rules, state, fact)
    elif state.device_failed is not None:
        if not state.supervised:  # § 539.7(b)
            yield from once(
                rules,
                state,
                fact,
                "device_fault_unsupervised",
                state.device_failed,
                observed=state.broken_device,
            )
    elif state.phase is Phase.ENTERED:  # § 539.4(c), .5(e)
        yield from once(rules, state, fact, "settled_before_result")
    elif state.phase is Phase.AT_REST and state.no_roll is None:
        if state.broken is None:
            yield from once(rules, state, fact, "entry_missing")
        else:  # § 539.1(b): it failed before the result
            device = state.broken_device
            yield from once(rules, state, fact, "device_missing", state.broken, observed=device)
    elif state.phase is Phase.SHAKEN and state.called and state.entered is None:
        yield from once(rules, state, fact, "entry_missing")  # § 539.5(d): the dice were not seen


def _shakes(
    rules: Rules, state: State, fact: events.ShakerUncovered | events.DiceThrown
) -> Iterator[Ruling]:
    if not state.shaken_by_hand or state.phase is not Phase.SHAKEN:
        return
    if state.shakes is None:
        yield from once(
            rules,
            state,
            fact,
            "too_few_shakes",
            state.shaken,
            observed="an unknown number of times",
            certainty=Certainty.UNKNOWN,
        )
    elif state.shakes < SHAKES:  # § 539.5(c)(1)
        yield from once(
            rules, state, fact, "too_few_shakes", state.shaken, observed=times(state.shakes)
        )


HANDLERS: Final[dict[type[events.Fact], Callable[[Rules, State, Any], Iterator[Ruling]]]] = {
    events.BettingOpened: _on_betting_opened,
    events.DiceShaken: _on_shaken,
    events.DiceThrown: _on_thrown,
    events.RollCalled: _on_called,
    events.ValuesEntered: _on_entered,
    events.AreasLit: _on_lit,
    events.LightsCleared: _on_cleared,
    events.ShakerCovered: _on_covered,
    events.ShakerUncovered: _shakes,
    events.NoRollCalled: _on_no_roll,
    events.RoundVoided: _on_no_roll,
    events.DeviceFailed: _on_failed,
    events.WagerSettled: _on_settled,
}


def _no_roll_due(rules: Rules, state: State, fact: events.Fact) -> Iterator[Ruling]:
    if state.no_roll is None:  # § 539.7(a)
        yield from once(
            rules, state, fact, "no_roll_not_called", state.thrown, observed=lies(state.dice)
        )
