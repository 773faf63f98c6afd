"""What the stickperson says about a throw: no roll, void, a ruling on a dispute, the numbers.

Law: §§ 577.4(a), 577.5(b) to (g). Readings: invalid-is-rethrown, groundless-no-roll, dice-decide.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger import events
from ledger.games.breach_reporting import breach
from ledger.games.room import (
    Act,
    Annulled,
    DecidedSome,
    Invalid,
    Rules,
    Ruling,
    Undecidable,
    judged_apart,
)
from ledger.games.three_dice_football.equipment import once
from ledger.games.three_dice_football.state import State
from ledger.games.three_dice_football.terms import LAW, Phase
from ledger.games.three_dice_football.validity import (
    CHEATING,
    DISPUTE,
    GROUNDS,
    called_faces,
    cocked,
    no_cause,
    unclear,
    words,
)
from ledger.kernel import Certainty, ref_of


def on_no_roll(
    rules: Rules, state: State, fact: events.NoRollCalled | events.ThrowVoided
) -> Iterator[Ruling]:
    """Judge who annulled a throw, and on what ground (§ 577.5(c), (d), (f), (g)).

    A call without authority or ground annuls nothing; it leaves wagers in doubt, see
    ``called_off``.
    """
    if not state.in_round or (state.phase is Phase.OVER and state.throw is None):
        return
    right = state.stickperson(fact.called_by)
    if right is False:
        yield breach(rules, "not_by_stickperson@.5(c)", fact, observed=fact.called_by)
    if state.throw is None:
        if state.invalid is None and not state.annulled and state.counted is not None:
            yield from _groundless(rules, state, fact, report_call=right is not False)
        return
    ground = _ground(state, fact)
    if right is False or ground is None:
        yield from _groundless(rules, state, fact, report_call=right is not False)
        return
    if ground.cause == CHEATING:  # § 577.5(c)(5)
        yield from once(rules, state, fact, "cheating_suspected")
    yield Annulled(row=ground, fact=ref_of(fact))


def _ground(state: State, fact: events.NoRollCalled | events.ThrowVoided) -> Invalid | None:
    """Return the ground on which the pending throw was annulled, None if there is none."""
    assert state.throw is not None and state.thrown is not None
    if state.disputed:  # § 577.5(g)
        return GROUNDS.get(DISPUTE)
    named = GROUNDS.get(fact.reason or "")
    if isinstance(fact, events.ThrowVoided) or named is None or named.cause == DISPUTE:
        return None
    return named if named.when(state.thrown) or unclear(state.thrown) else None


def _groundless(
    rules: Rules,
    state: State,
    fact: events.NoRollCalled | events.ThrowVoided | events.DisputeRuled,
    *,
    report_call: bool,
) -> Iterator[Ruling]:
    """Report an annulment without authority; the wagers of its row of TAINTS become undecidable."""
    throw = state.thrown  # pending, or the last that counted: none was annulled since
    if report_call and not isinstance(fact, events.DisputeRuled):
        chips = throw is not None and no_cause(throw) is not None
        row = ".5(d)" if chips or "chips" in (fact.reason or "") else ".5(c)"
        perhaps = throw is not None and unclear(throw)
        yield breach(
            rules, f"no_roll_without_cause@{row}", fact,
            observed=fact.reason or "no recorded reason",
            certainty=Certainty.UNKNOWN if perhaps else Certainty.BROKEN,
        )  # fmt: skip
    why = "a throw was annulled without a ground that the chapter gives"
    unknown = Undecidable(why=why, cite=LAW[".5(c)"], fact=ref_of(fact))
    taint = rules.room.taint_by_act[called_off(state)]
    if taint.wagers:
        yield DecidedSome(wagers=taint.wagers, by=unknown)


def called_off(state: State) -> Act:
    """Return which throw was called off: its row of TAINTS names the wagers left in doubt."""
    if state.phase is Phase.OVER or (state.phase is Phase.EXTRA and state.throw is None):
        return Act.CALL_OFF_OVER
    if state.phase is Phase.EXTRA:
        return Act.CALL_OFF_EXTRA
    return Act.CALL_OFF_LATER if state.throw is None else Act.CALL_OFF_PLAY


def on_dispute_ruled(rules: Rules, state: State, fact: events.DisputeRuled) -> Iterator[Ruling]:
    """Judge a ruling: the stickperson determines the face or orders a rethrow (§ 577.5(g)).

    Either is lawful.
    """
    right = state.stickperson(fact.ruled_by)
    if right is False:
        yield from once(rules, state, fact, "not_by_stickperson@.5(g)", observed=fact.ruled_by)
    if not fact.rethrow or state.throw is None:
        return
    ground = GROUNDS.get(DISPUTE)
    if right is False or ground is None:
        yield from _groundless(rules, state, fact, report_call=False)
    else:
        yield Annulled(row=ground, fact=ref_of(fact))


def on_called(rules: Rules, state: State, fact: events.RollCalled) -> Iterator[Ruling]:
    """Judge the call: made by the stickperson, of a valid throw (§§ 577.4(a), 577.5(b))."""
    yield from judge_invalid(rules, state, fact)
    yield from judged_apart(rules, state, fact)
    if state.undo is None:  # it is another call that was not compared yet
        yield from judge_call(rules, state)


def judge_caller(rules: Rules, state: State, fact: events.RollCalled) -> Iterator[Ruling]:
    """Judge who called the roll (§ 577.4(a))."""
    if state.stickperson(fact.called_by) is False:
        yield from once(rules, state, fact, "not_by_stickperson@.4(a)", observed=fact.called_by)


def judge_call(rules: Rules, state: State) -> tuple[Ruling, ...]:
    """Compare the numbers called with the dice once no dispute is open any more (§ 577.5(e), (f)).

    Returns:
        A breach if they differ; nothing if they agree, or if call, throw or faces are not known.
    """
    if state.call_agrees:
        return ()
    call, throw, at = state.call_heard, state.thrown, state.counted
    if call is None or throw is None or at is None or state.faces is None:
        return ()
    called = called_faces(call.faces)
    if called == state.faces:
        return ()
    row = "wrong_call@.5(f)#1" if cocked(throw) else "wrong_call@.5(e)#2"
    observed = words(called) if called else ", ".join(map(str, call.faces)) or "nothing"
    right = words(state.faces)
    return (breach(rules, row, ref_of(call), at, observed=observed, expected=right),)


def judge_invalid(
    rules: Rules, state: State, fact: events.RollCalled | events.WagerSettled
) -> Iterator[Ruling]:
    """Report that the last throw is void and yet called or settled (§ 577.5(b), (f)).

    A settlement's effect in cents is the winnings paid less the stake taken.
    """
    if state.invalid is not None and state.invalid_at is not None:
        cite = state.invalid.cite
        pin = f"{cite.section.removeprefix(LAW.edition.chapter)}#{cite.part}"
        name = f"invalid_roll_counted@{pin}"
        if isinstance(fact, events.RollCalled):
            yield from once(rules, state, fact, name, state.invalid_at)
        else:  # the money of each wager that was settled on it
            effect = fact.winnings_cents - fact.stake_taken_cents
            yield breach(
                rules, name, fact, state.invalid_at, wager=fact.wager_id, effect_cents=effect
            )
