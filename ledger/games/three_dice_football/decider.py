"""What the chapter makes of each fact of a game of Three Dice Football.

Law: 58 Pa. Code §§ 577.3 to 577.9; the rows say which sentence. Who throws is judged in
``quarterback.py``, calls and markers in ``calls.py`` and ``markers.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, Final

from ledger import events
from ledger.games.football_field import Ended, FieldShown, Result, games
from ledger.games.named_tuple_change import replace as changed
from ledger.games.room import (
    Annulled,
    Breach,
    Decided,
    DecidedSome,
    Reopened,
    Requires,
    Rules,
    Ruling,
    Shown,
    Undecidable,
    Unsure,
    judged_apart,
)
from ledger.games.three_dice_football import calls, markers, quarterback
from ledger.games.three_dice_football.equipment import (
    judge_odds_shown,
    judge_sign,
    once,
)
from ledger.games.three_dice_football.outcome_words import GameOutcome, PlayOutcome
from ledger.games.three_dice_football.procedure import OVER_BY, STEPS
from ledger.games.three_dice_football.state import (
    CONFIRMS,
    ENDS,
    REOPENS,
    State,
    commit,
    is_decided,
    reopened,
)
from ledger.games.three_dice_football.terms import LAW, Phase
from ledger.games.three_dice_football.turns import TURNS
from ledger.games.three_dice_football.validity import invalid_row
from ledger.games.three_dice_football.wagers import (
    AFTER_EXTRA_POINT,
    EXTRA_POINT,
    FULL_GAME,
    SINGLE_PLAY,
    step_of,
)
from ledger.kernel import Certainty, FactRef, ref_of


def decide(rules: Rules, state: State, fact: events.Fact) -> tuple[Ruling, ...]:
    """Give the rulings of the chapter on one fact, by the state before it.

    A throw is judged with the next fact that shows that it counted.
    """
    kind = type(fact)
    rulings: tuple[Ruling, ...] = ()
    if state.throw is not None:
        if kind in CONFIRMS:
            before, state = state, commit(state, fact)
            if kind not in ENDS:  # ``close`` reports what the end of a game shows
                rulings = tuple(_counted(rules, before, state))
    elif state.undo is not None:
        if kind in REOPENS and state.counted is not None:
            rulings = (Reopened(fact=state.counted),)
            state = reopened(state)
        elif kind in CONFIRMS and kind not in ENDS:
            rulings = calls.judge_call(rules, state)
            state = changed(state, call_heard=None)  # it is not judged again
    handler = HANDLERS.get(kind)
    return rulings if handler is None else (*rulings, *handler(rules, state, fact))


def evolve(state: State, event: events.Fact | Ruling | Unsure) -> State:
    """Return the state after a fact or a ruling: no rule is applied and no section is cited."""
    kind = type(event)
    if state.throw is not None:
        if kind in CONFIRMS:
            state = commit(state, event)  # type: ignore[arg-type]
    elif state.undo is not None:
        if kind in REOPENS:
            state = reopened(state)
        elif kind in CONFIRMS:
            state = changed(state, undo=None, call_heard=None, call_agrees=False)
    turn = TURNS.get(kind)
    return state if turn is None else turn(state, event)


def close(rules: Rules, state: State, last: FactRef) -> tuple[Ruling, ...]:
    """Give the rulings that only the end of a game shows: what was owed and never came.

    Args:
        rules: those of the round.
        state: the state after its last fact.
        last: the key of that fact.
    """
    rulings: tuple[Ruling, ...] = ()
    if state.throw is not None:
        before, state = state, commit(state, None)
        rulings = tuple(_counted(rules, before, state))
    elif state.undo is not None:
        rulings = calls.judge_call(rules, state)
    return (*rulings, *_owed(rules, state, last))


def is_over(state: State) -> bool:
    """Whether the dice have ended the game; its round of play goes on until the next one opens."""
    return state.phase in (Phase.IDLE, Phase.OVER)


def closed_to(state: State, wager: str, decided: bool = False) -> str | None:
    """Return the duty by which a wager may not be made or lifted now (reading first-throw-closes).

    Args:
        state: the state of the table.
        wager: the name of the wager.
        decided: whether a throw has already decided the wager on the layout.

    Returns:
        The name of the duty, None if the wager may be made or lifted.
    """
    if not decided and state.throw is None and state.phase in (Phase.IDLE, Phase.BEFORE):
        return None
    if wager in FULL_GAME:
        return "late_wager@.3(c)#1"  # § 577.3(c)
    return None if state.betting_open and not decided else "late_wager@.3(e)#1"


def outcomes() -> Iterator[tuple[Shown, Fraction, Fraction]]:
    """Yield every game by first play, end and extra point roll, with its exact probability.

    The third value is the factor on the odds (1).
    """
    for shown, chance in games():
        yield shown, chance, Fraction(1)


# --- a throw that counted -------------------------------------------------------------------------


def _improper(rules: Rules, state: State, at: FactRef) -> Iterator[Ruling]:
    """Report a throw that was not as it should be; unknown where nobody recorded how it was."""
    together, struck = state.thrown_well
    for seen, name, broken, silent in (
        (together, "improper_throw@.5(a)#2", "did not leave", "are not recorded to have left"),
        (struck, "improper_throw@.5(a)#3", "did not strike", "is not recorded to have struck"),
    ):
        if seen is not True:
            certainty = Certainty.UNKNOWN if seen is None else Certainty.BROKEN
            observed = silent if seen is None else broken
            yield from once(rules, state, at, name, observed=observed, certainty=certainty)


def _counted(rules: Rules, before: State, after: State) -> Iterator[Ruling]:
    """Give what a throw decides once it is known to count."""
    at = after.counted
    assert at is not None
    yield from _improper(rules, after, at)
    if after.undo is None:  # it had been called, was disputed, and counts after all
        yield from calls.judge_call(rules, after)
    if before.phase is Phase.OVER:
        return
    if before.phase is Phase.EXTRA:
        yield from _extra_point(after, at)
        return
    faces = after.faces
    if after.play is None or faces is None:
        why = "what the dice showed on a play is not recorded"
        missing = Undecidable(why=why, cite=LAW[".5(e)"], fact=at)
        yield DecidedSome(wagers=SINGLE_PLAY | FULL_GAME, by=missing)
        return
    shown = FieldShown(play=after.play)
    by = LAW[".6(d)#1"]
    detail = PlayOutcome(play=after.play, faces=faces)
    play = Decided(shown=shown, detail=detail, cite=LAW[".6(d)"], fact=at, settled_by=by)
    yield DecidedSome(wagers=SINGLE_PLAY, by=play)
    if after.ended is not None:
        yield from _game_over(after, after.ended, at)


def _game_over(state: State, end: Ended, at: FactRef) -> Iterator[Ruling]:
    detail = GameOutcome(end=end)
    game = Decided(shown=FieldShown(game=end), detail=detail, cite=LAW[".6(e)"], fact=at)
    if state.blind:  # what full game wagers come to was lost on the way
        return
    if state.phase is Phase.EXTRA:  # § 577.6(f)(1)
        yield DecidedSome(wagers=FULL_GAME - AFTER_EXTRA_POINT, by=game)
    else:
        yield game


def _extra_point(state: State, at: FactRef) -> Iterator[Ruling]:
    end, extra = state.ended, state.extra
    if end is None or state.blind:
        return
    if extra is None:
        missing = Undecidable(
            why="the extra point roll is not recorded", cite=LAW[".5(e)"], fact=at
        )
        yield DecidedSome(wagers=EXTRA_POINT, by=missing)
    shown = FieldShown(game=end, extra=extra)
    detail = GameOutcome(end=end, extra_rolled=True, extra=extra)
    yield Decided(shown=shown, detail=detail, cite=LAW[".6(f)(1)"], fact=at)


def _owed(rules: Rules, state: State, last: FactRef) -> Iterator[Ruling]:
    """Report what the last throw of a game still required."""
    if not state.in_round or state.counted is None:
        return
    if not state.called:  # § 577.5(e)
        yield from once(rules, state, state.counted, "roll_not_called")
    ended = state.ended
    if ended is not None and ended.result is Result.TURNOVER and not state.announced:
        yield from once(rules, state, last, "announcement_missing@.6(c)(4)", state.counted)
    if state.phase is Phase.EXTRA and ended is not None:  # § 577.6(f)(1)
        sure = Certainty.UNKNOWN if state.roll_in_doubt else Certainty.BROKEN
        yield from once(rules, state, last, "extra_point_not_thrown", certainty=sure)
        if not state.blind:
            why = "the extra point roll was not thrown"
            missing = Undecidable(why=why, cite=LAW[".6(f)(1)"], fact=last)
            yield DecidedSome(wagers=EXTRA_POINT, by=missing)
            shown = FieldShown(game=ended)
            detail = GameOutcome(end=ended)
            yield Decided(shown=shown, detail=detail, cite=LAW[".6(e)"], fact=last)


# --- one fact each --------------------------------------------------------------------------------


def _on_thrown(rules: Rules, state: State, fact: events.DiceThrownByHand) -> Iterator[Ruling]:
    if (state.phase, events.DiceThrownByHand) not in STEPS and not (
        state.blind and not state.in_round
    ):
        yield from once(
            rules, state, fact, "fact_out_of_order", observed="a throw of the dice",
            expected=f"the game's phase was '{state.phase.value}'",
        )  # fmt: skip
    if not state.in_round:
        return
    void = invalid_row(fact)
    if void is not None:
        yield Annulled(row=void, fact=ref_of(fact))
    yield from quarterback.judge_thrower(rules, state, fact)
    yield from judged_apart(rules, state, fact)  # dice, cameras, dealers
    yield from _settled_early(rules, state, fact)
    if state.phase is Phase.BEFORE:
        yield from quarterback.judge_wager(rules, state, fact)
        return
    last = state.counted
    if last is not None and not state.called:  # § 577.5(e)
        yield from once(rules, state, last, "roll_not_called")
    yield Requires(duty=rules.duty("unsettled_before_next_throw"), done="all", fact=ref_of(fact))
    if state.phase is Phase.OVER and state.ended is not None:
        extra = (
            fact.purpose is not events.ThrowPurpose.DOWN and not state.rolled and state.ended.scored
        )
        if not state.blind and not extra:
            row = OVER_BY[state.ended.result]
            yield from once(rules, state, fact, row, observed=str(state.ended))
    elif state.phase is Phase.BETWEEN and not state.announced and not state.blind:  # § 577.6(d)
        earlier = () if last is None else (last,)
        yield from once(rules, state, fact, "announcement_missing@.6(d)", *earlier)


def _settled_early(rules: Rules, state: State, fact: events.DiceThrownByHand) -> Iterator[Ruling]:
    """Report wagers that were paid or collected before the throw that decides them."""
    for wager_id, settled in state.early:
        wager = state.stakes.of(wager_id)
        single = wager is not None and wager.wager in SINGLE_PLAY
        duty = rules.duty(
            "settled_before_result@.3(e)" if single else "settled_before_result@.6(f)"
        )
        yield Breach(duty=duty, facts=(settled, ref_of(fact)), wager=wager_id)


def _on_settled(rules: Rules, state: State, fact: events.WagerSettled) -> Iterator[Ruling]:
    end = state.ended
    if fact.outcome is events.SettledAs.RETURNED or (end is None and state.invalid is None):
        return
    wager = state.stakes.of(fact.wager_id)
    if wager is None or not is_decided(state, wager):
        yield from calls.judge_invalid(rules, state, fact)
    if wager is None or end is None or state.blind:
        return
    in_doubt = (
        wager.noted[0] > 0 and wager.wager in FULL_GAME
    )  # laid late: it has no place in the order
    step = None if in_doubt else step_of(wager.wager, end.scored)
    if state.phase is Phase.EXTRA and wager.wager in AFTER_EXTRA_POINT:
        row = "settlement_out_of_order@.6(f)(1)#4"
        sure = Certainty.UNKNOWN if state.roll_in_doubt else Certainty.BROKEN
        yield from once(rules, state, fact, row, observed=wager.wager, certainty=sure)
    elif step is not None and step < state.step:
        row = "settlement_out_of_order@.6(f)(2)#1"
        if end.scored:
            part = "#1" if wager.wager == "Defense" else "#2"
            row = f"settlement_out_of_order@.6(f)(1){part}"
        yield from once(rules, state, fact, row, observed=wager.wager)


HANDLERS: Final[dict[type[events.Fact], Callable[[Rules, State, Any], Iterator[Ruling]]]] = {
    events.TableOpened: judge_odds_shown,
    events.RulesSignPosted: judge_sign,
    events.DiceThrownByHand: _on_thrown,
    events.NoRollCalled: calls.on_no_roll,
    events.ThrowVoided: calls.on_no_roll,
    events.DisputeRuled: calls.on_dispute_ruled,
    events.RollCalled: calls.on_called,
    events.MarkersPlaced: markers.on_placed,
    events.DownAnnounced: markers.on_announced,
    events.TurnoverAnnounced: markers.on_turnover_announced,
    events.WagerSettled: _on_settled,
    events.WagerPlaced: quarterback.judge_place,
    events.PositionTaken: quarterback.judge_place,
    events.DiceOffered: quarterback.on_offered,
    events.DiceAccepted: quarterback.on_accepted,
}
