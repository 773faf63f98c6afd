"""What the chapter makes of each fact of a game of Three Dice Football.

Law: 58 Pa. Code §§ 577.3 to 577.9; the rows say which sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, Final

from ledger.events import (
    DiceAccepted,
    DiceOffered,
    DiceThrownByHand,
    DisputeRuled,
    DownAnnounced,
    Fact,
    MarkersPlaced,
    NoRollCalled,
    RollCalled,
    SettledAs,
    ThrowVoided,
    WagerPlaced,
    WagerSettled,
)
from ledger.games.field import START, Ended, FieldShown, Kind, Result, Spot, games
from ledger.games.room import (
    Annulled,
    Decided,
    DecidedSome,
    Invalid,
    Requires,
    Rules,
    Ruling,
    Shown,
    Undecidable,
    Unsure,
)
from ledger.games.three_dice_football.equipment import breach, judge_dice, judge_watch, once
from ledger.games.three_dice_football.procedure import OVER_BY
from ledger.games.three_dice_football.state import CONFIRMS, TURNS, State, commit
from ledger.games.three_dice_football.terms import (
    DOWN_WORDS,
    LAW,
    POSITIONS,
    Phase,
    number,
    ref_of,
)
from ledger.games.three_dice_football.validity import (
    CHEATING,
    DISPUTE,
    GROUNDS,
    NO_CAUSE,
    cocked,
    words,
)
from ledger.games.three_dice_football.wagers import (
    AFTER_EXTRA_POINT,
    FULL_GAME,
    SINGLE_PLAY,
    step_of,
)
from ledger.kernel import FactRef


def decide(rules: Rules, state: State, fact: Fact) -> tuple[Ruling, ...]:
    """Say what the regulation makes of one fact."""
    rulings: tuple[Ruling, ...] = ()
    if state.throw is not None and type(fact) in CONFIRMS:
        before, state = state, commit(state, fact)
        rulings = tuple(_counted(rules, before, state))
    handler = HANDLERS.get(type(fact))
    return rulings if handler is None else (*rulings, *handler(rules, state, fact))


def evolve(state: State, event: Fact | Ruling | Unsure) -> State:
    """Turn the page: no rule is applied here and no section is cited."""
    if state.throw is not None and type(event) in CONFIRMS:
        state = commit(state, event)  # type: ignore[arg-type]
    turn = TURNS.get(type(event))
    return state if turn is None else turn(state, event)


def close(rules: Rules, state: State, last: FactRef) -> tuple[Ruling, ...]:
    """Say what only the end of a game shows: what was owed and never came."""
    rulings: tuple[Ruling, ...] = ()
    if state.throw is not None:
        before, state = state, commit(state, None)
        rulings = tuple(_counted(rules, before, state))
    return (*rulings, *_owed(rules, state, last))


def is_over(state: State) -> bool:
    """A game is over by its dice; its round of play goes on until the next one opens."""
    return state.phase in (Phase.IDLE, Phase.OVER)


def closed_to(state: State, wager: str) -> str | None:
    """By which duty a wager may not be made or lifted now; None: it may (reading first-throw-closes)."""
    if state.throw is None and state.phase in (Phase.IDLE, Phase.BEFORE):
        return None
    if wager in FULL_GAME:
        return "late_wager@.3(c)#1"  # § 577.3(c)
    return None if state.betting_open else "late_wager@.3(e)#1"


def outcomes() -> Iterator[tuple[Shown, Fraction, Fraction]]:
    """Every game by first play, end and extra point roll, its exact chance, and a factor of 1."""
    for shown, chance in games():
        yield shown, chance, Fraction(1)


# --- a throw that counted -------------------------------------------------------------------------


def _counted(rules: Rules, before: State, after: State) -> Iterator[Ruling]:
    """What a throw decides once it is known to count."""
    throw = after.counted
    assert throw is not None
    at = ref_of(throw)
    if throw.released_together is False:
        yield from once(rules, after, at, "improper_throw@.5(a)#2")
    if throw.struck_far_end is False:
        yield from once(rules, after, at, "improper_throw@.5(a)#3")
    if before.phase is Phase.OVER:
        return
    if before.phase is Phase.EXTRA:
        yield from _extra_point(after, at)
        return
    if after.play is None or after.faces is None:
        why = "what the dice showed on a play is not recorded"
        missing = Undecidable(why=why, cite=LAW[".5(e)"], fact=at)
        yield DecidedSome(wagers=SINGLE_PLAY | FULL_GAME, by=missing)
        return
    said = f"{after.play} ({words(after.faces)})".replace("(", "by ").replace(")", "")
    shown = FieldShown(play=after.play)
    play = Decided(shown=shown, said=said, cite=LAW[".6(d)"], fact=at)
    yield DecidedSome(wagers=SINGLE_PLAY, by=play)
    if after.ended is not None:
        yield from _game_over(after, after.ended, at)


def _game_over(state: State, end: Ended, at: FactRef) -> Iterator[Ruling]:
    game = Decided(shown=FieldShown(game=end), said=str(end), cite=LAW[".6(e)"], fact=at)
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
        yield DecidedSome(wagers=frozenset({"Extra Point"}), by=missing)
    said = f"{end}, {extra.value if extra else 'extra point roll not known'}"
    shown = FieldShown(game=end, extra=extra)
    yield Decided(shown=shown, said=said, cite=LAW[".6(f)(1)"], fact=at)


def _owed(rules: Rules, state: State, last: FactRef) -> Iterator[Ruling]:
    """What the last throw of a game still asked for."""
    if not state.in_round or state.counted is None:
        return
    if not state.called:  # § 577.5(e)
        yield from once(rules, state, ref_of(state.counted), "roll_not_called")
    ended = state.ended
    if ended is not None and ended.result is Result.TURNOVER and not state.announced:
        yield from once(rules, state, last, "announcement_missing@.6(c)(4)")
    if state.phase is Phase.EXTRA and ended is not None:  # § 577.6(f)(1)
        yield from once(rules, state, last, "extra_point_not_thrown")
        if not state.blind:
            why = "the extra point roll was not thrown"
            missing = Undecidable(why=why, cite=LAW[".6(f)(1)"], fact=last)
            yield DecidedSome(wagers=frozenset({"Extra Point"}), by=missing)
            shown = FieldShown(game=ended)
            yield Decided(shown=shown, said=str(ended), cite=LAW[".6(e)"], fact=last)


# --- one fact each --------------------------------------------------------------------------------


def _on_thrown(rules: Rules, state: State, fact: DiceThrownByHand) -> Iterator[Ruling]:
    if not state.in_round:
        return
    yield from _thrower(rules, state, fact)
    yield from judge_dice(rules, state, fact)
    yield from judge_watch(rules, state, fact)
    if state.phase is Phase.BEFORE:
        yield from _first_throw(rules, state, fact)
        return
    if state.counted is not None and not state.called:  # § 577.5(e)
        yield from once(rules, state, ref_of(state.counted), "roll_not_called")
    yield Requires(duty=rules.duty("unsettled_before_next_throw"), done="all", fact=ref_of(fact))
    if state.phase is Phase.OVER and state.ended is not None:
        if not state.blind and not (state.ended.scored and state.extra is None):
            row = OVER_BY[state.ended.result]
            yield from once(rules, state, fact, row, observed=str(state.ended))
    elif state.phase is Phase.BETWEEN and not state.announced and not state.blind:  # § 577.6(d)
        yield from once(rules, state, fact, "announcement_missing@.6(d)")


def _first_throw(rules: Rules, state: State, fact: DiceThrownByHand) -> Iterator[Ruling]:
    """§ 577.6(b): the Quarterback at least must have a wager down."""
    thrower = state.quarterback or fact.position
    places = {wager.position for wager in state.wagers}
    if thrower is not None and None not in places and thrower not in places:
        yield from once(rules, state, fact, "player_without_wager", observed=thrower)


def _thrower(rules: Rules, state: State, fact: DiceThrownByHand) -> Iterator[Ruling]:
    if state.quarterback is not None and fact.position not in (None, state.quarterback):
        yield from once(  # § 577.4(c)
            rules, state, fact, "wrong_quarterback@.4(c)#1",
            observed=fact.position, expected=state.quarterback,
        )  # fmt: skip


def _on_no_roll(rules: Rules, state: State, fact: NoRollCalled | ThrowVoided) -> Iterator[Ruling]:
    if not state.in_round or state.phase is Phase.OVER:
        return
    right = state.stickperson(fact.called_by)
    if right is False:
        yield breach(rules, "not_by_stickperson@.5(c)", fact, observed=fact.called_by)
    if state.throw is None:
        if state.invalid is None and state.counted is not None and state.called:
            yield from _groundless(rules, state, fact, told=right is not False)
        return
    ground = _ground(state, fact)
    if right is False or ground is None:
        yield from _groundless(rules, state, fact, told=right is not False)
        return
    if ground is CHEATING:  # § 577.5(c)(5)
        yield from once(rules, state, fact, "cheating_suspected")
    yield Annulled(row=ground, fact=ref_of(fact))


def _ground(state: State, fact: NoRollCalled | ThrowVoided) -> Invalid | None:
    """On what ground the throw was annulled, if there is one."""
    assert state.throw is not None
    if state.disputed:  # § 577.5(g)
        return DISPUTE
    named = GROUNDS.get(fact.reason or "")
    if isinstance(fact, ThrowVoided) or named is None or named is DISPUTE:
        return None
    return named if named.when(state.throw) else None


def _groundless(
    rules: Rules, state: State, fact: NoRollCalled | ThrowVoided, *, told: bool
) -> Iterator[Ruling]:
    """The roll was annulled without authority: what it decided is unknown (groundless-no-roll)."""
    if told:
        chips = state.throw is not None and NO_CAUSE.when(state.throw)
        row = ".5(d)" if chips or "chips" in (fact.reason or "") else ".5(c)"
        reason = fact.reason or "no recorded reason"
        yield breach(rules, f"no_roll_without_cause@{row}", fact, observed=reason)
    why = "a throw was annulled without a ground that the chapter gives"
    unknown = Undecidable(why=why, cite=LAW[".5(c)"], fact=ref_of(fact))
    yield DecidedSome(wagers=FULL_GAME | SINGLE_PLAY, by=unknown)


def _on_dispute_ruled(rules: Rules, state: State, fact: DisputeRuled) -> Iterator[Ruling]:
    if state.stickperson(fact.ruled_by) is False:  # § 577.5(g)
        yield from once(rules, state, fact, "not_by_stickperson@.5(g)", observed=fact.ruled_by)
    elif fact.rethrow and state.throw is not None:
        yield Annulled(row=DISPUTE, fact=ref_of(fact))


def _on_called(rules: Rules, state: State, fact: RollCalled) -> Iterator[Ruling]:
    yield from _invalid(rules, state, fact)
    if state.stickperson(fact.called_by) is False:  # § 577.4(a)
        yield from once(rules, state, fact, "not_by_stickperson@.4(a)", observed=fact.called_by)
    if state.faces is None or state.counted is None or state.invalid is not None or state.called:
        return
    green, red = sorted(fact.faces[:2]), fact.faces[2:]
    if (*green, *red) != state.faces:
        row = "wrong_call@.5(f)#1" if cocked(state.counted) else "wrong_call@.5(e)#2"
        said = words((green[0], green[1], red[0])) if len(fact.faces) == 3 else str(fact.faces)
        yield breach(
            rules, row, fact, ref_of(state.counted), observed=said, expected=words(state.faces)
        )


def _invalid(rules: Rules, state: State, fact: RollCalled | WagerSettled) -> Iterator[Ruling]:
    """§ 577.5(b), (f): the last throw is void and yet it is called or settled."""
    if state.invalid is not None:
        cite = state.invalid.cite
        pin = f"{cite.section.removeprefix(LAW.edition.chapter)}#{cite.part}"
        yield from once(rules, state, fact, f"invalid_roll_counted@{pin}")


def _on_markers(rules: Rules, state: State, fact: MarkersPlaced) -> Iterator[Ruling]:
    if not state.in_round or state.blind:
        return
    if state.ended is not None and state.ended.scored and fact.yard not in (None, 0):
        yield from _marker(rules, state, fact, ".6(c)(1)#1", f"yard {fact.yard}", "the end zone")
        return
    spot = state.spot
    if spot is None or state.phase not in (Phase.BEFORE, Phase.BETWEEN):
        return
    yard_row, puck_row, play_row = _marker_rows(state)
    if fact.yard not in (None, spot.yard):
        said, right = f"yard {fact.yard}", f"yard {spot.yard}"
        yield from _marker(rules, state, fact, yard_row, said, right)
    elif fact.down not in (None, spot.down):
        said, right = DOWN_WORDS.get(fact.down, "another down"), DOWN_WORDS[spot.down]
        yield from _marker(rules, state, fact, puck_row, said, right)
    elif fact.play not in (None, spot.play):
        said, right = f"play {fact.play}", f"play {spot.play}"
        yield from _marker(rules, state, fact, play_row, said, right)


def _marker_rows(state: State) -> tuple[str, str, str]:
    """The sentences on yard, down and play, after the last play."""
    if state.play is None or state.spot == START:
        return ".6(a)#2", ".6(a)#1", ".6(a)#3"
    if state.play.kind is Kind.PENALTY:
        return ".6(c)(2)#1", ".6(c)(2)#2", ".6(c)(2)#2"
    if state.play.yards:
        return ".6(c)(1)#1", ".6(c)(1)#2", ".6(c)(1)#2"
    return (".6(c)(3)",) * 3


def _marker(
    rules: Rules, state: State, fact: Fact, row: str, said: str, right: str
) -> Iterator[Ruling]:
    yield from once(rules, state, fact, f"marker_misplaced@{row}", observed=said, expected=right)


def _on_announced(rules: Rules, state: State, fact: DownAnnounced) -> Iterator[Ruling]:
    spot: Spot | None = state.spot
    if spot is None or state.blind or state.phase is not Phase.BETWEEN:
        return
    if fact.down in (None, spot.down) and fact.distance_yards in (None, spot.yard):
        return
    said = f"{DOWN_WORDS.get(fact.down, 'no down') if fact.down else 'no down'}, {fact.distance_yards} yards"
    right = f"{DOWN_WORDS[spot.down]}, {spot.yard} yards"
    yield from _marker(rules, state, fact, ".6(d)#3", said, right)


def _on_settled(rules: Rules, state: State, fact: WagerSettled) -> Iterator[Ruling]:
    if fact.outcome is not SettledAs.RETURNED:
        yield from _invalid(rules, state, fact)
    name, end = state.name_of(fact.wager_id), state.ended
    if name is None or end is None or state.blind:
        return
    step = step_of(name, end.scored)
    if state.phase is Phase.EXTRA and name in AFTER_EXTRA_POINT:
        yield from once(rules, state, fact, "settlement_out_of_order@.6(f)(1)#4", observed=name)
    elif step is not None and step < state.step:
        row = ".6(f)(1)#2" if end.scored else ".6(f)(2)#1"
        yield from once(rules, state, fact, f"settlement_out_of_order@{row}", observed=name)


def _place(rules: Rules, fact: WagerPlaced | DiceOffered | DiceAccepted) -> Iterator[Ruling]:
    place = number(fact.position)
    if place is not None and not 1 <= place <= POSITIONS:  # § 577.2(a)
        yield breach(rules, "position_not_on_table", fact, observed=fact.position)


def _on_offered(rules: Rules, state: State, fact: DiceOffered) -> Iterator[Ruling]:
    yield from _place(rules, fact)
    if state.quarterback is not None and state.scored_last:  # § 577.7(a)
        yield breach(rules, "wrong_quarterback@.7(a)#1", fact, observed=fact.position)
        return
    place, after = number(fact.position), state.offer_after
    due = None if after is None else state.next_left(after)
    if place is not None and due is not None and place != due:
        row = ".4(b)#1" if state.starting else ".7(a)#2"
        said = str(due)
        yield breach(
            rules, f"dice_offer_out_of_order@{row}", fact, observed=fact.position, expected=said
        )


HANDLERS: Final[dict[type[Any], Callable[[Rules, State, Any], Iterator[Ruling]]]] = {
    DiceThrownByHand: _on_thrown,
    NoRollCalled: _on_no_roll,
    ThrowVoided: _on_no_roll,
    DisputeRuled: _on_dispute_ruled,
    RollCalled: _on_called,
    MarkersPlaced: _on_markers,
    DownAnnounced: _on_announced,
    WagerSettled: _on_settled,
    WagerPlaced: lambda rules, _, fact: _place(rules, fact),
    DiceOffered: _on_offered,
    DiceAccepted: lambda rules, _, fact: _place(rules, fact),
}
