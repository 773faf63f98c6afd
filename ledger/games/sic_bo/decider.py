"""What the chapter makes of each fact of a round of Sic Bo.

Law: 58 Pa. Code §§ 539.1(d), 539.2(a), 539.5, 539.7; the rows say which sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from ledger.events import (
    AreasLit,
    BettingOpened,
    Device,
    DeviceFailed,
    DeviceFixed,
    DiceShaken,
    DiceThrown,
    Fact,
    LightsCleared,
    NoMoreBetsAnnounced,
    NoRollCalled,
    Role,
    RollCalled,
    RoundVoided,
    SettledAs,
    ShakerCovered,
    ShakerKind,
    ShakerPlaced,
    ShakerRemoved,
    ShakerUncovered,
    SupervisorPresent,
    ValuesEntered,
    WagerSettled,
)
from ledger.games.dice import Faces, rolls
from ledger.games.room import (
    Breach,
    Decided,
    Requires,
    Returned,
    Rules,
    Ruling,
    Shown,
    Undecidable,
    Unsure,
)
from ledger.games.sic_bo.procedure import PHASES
from ledger.games.sic_bo.state import INITIAL, State
from ledger.games.sic_bo.terms import DICE, LAW, SHAKES, Phase
from ledger.games.sic_bo.validity import INVALID_ROLLS
from ledger.games.sic_bo.wagers import WAGERS
from ledger.kernel import Certainty, FactRef

STEPS: Final = {(step.phase, step.fact): step for step in PHASES}
STEPPED: Final = frozenset(step.fact for step in PHASES) - {BettingOpened}
SUPERVISORS: Final = frozenset(
    {Role.FLOORPERSON, Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.CASINO_MANAGER}
)
LIGHTING: Final = frozenset({Device.ELECTRICAL_DEVICE, Device.DISPLAY_AREA})
SEEN: Final = frozenset({Phase.AT_REST, Phase.ENTERED, Phase.LIT})
ENDED: Final = frozenset({Phase.NO_ROLL, Phase.VOID})


def decide(rules: Rules, state: State, fact: Fact) -> tuple[Ruling, ...]:
    """Say what the regulation makes of one fact."""
    kind = type(fact)
    handler = HANDLERS.get(kind)
    rulings = tuple(handler(rules, state, fact)) if handler else ()
    if kind in STEPPED and state.in_round:
        step = STEPS.get((state.phase, kind))
        if step is None:
            words = f"a round in which {state.phase.value}"
            rulings += _once(rules, state, fact, "fact_out_of_order", observed=kind.__name__, expected=words)
        elif step.breach is not None:
            rulings += _once(rules, state, fact, step.breach)
    return rulings


def close(rules: Rules, state: State, last: FactRef) -> tuple[Ruling, ...]:
    """Say what only the end of a round shows: what was owed and never came."""
    if state.phase in SEEN and state.no_roll_due and "no_roll_not_called" not in state.reported:
        return (_breach(rules, "no_roll_not_called", last, observed=lies(state)),)
    if state.phase is Phase.AT_REST and state.settled and not (state.no_roll or state.device_failed):
        return (_breach(rules, "entry_missing", last),) if "entry_missing" not in state.reported else ()
    if state.phase is Phase.ENTERED and state.settled and not state.device_failed:
        reported = "settled_before_result" in state.reported
        return () if reported else (_breach(rules, "settled_before_result", state.settled),)
    return ()


def is_over(state: State) -> bool:
    """A round is over when the next one opens; nothing in it ends a round of itself."""
    return not state.in_round


def outcomes() -> Iterator[tuple[Shown, Fraction, Fraction]]:
    """Every roll of three fair dice, its exact probability, and the factor on the odds (1)."""
    for faces, chance in rolls(DICE):
        yield faces, chance, Fraction(1)


# --- one fact each -------------------------------------------------------------------------------


def _on_betting_opened(rules: Rules, state: State, fact: BettingOpened) -> Iterator[Ruling]:
    if state.broken is not None:  # § 539.7(b): all gaming ceases until fixed
        device = state.broken_device
        yield _breach(rules, "play_resumed_before_repair", fact, state.broken, observed=device)
    if state.lit is not None and not state.device_failed:  # § 539.5(f)
        yield _breach(rules, "lights_not_cleared", fact, state.lit)


def _on_shaken(rules: Rules, state: State, fact: DiceShaken) -> Iterator[Ruling]:
    if not by_hand(state, fact):
        return
    if state.covered is not True:  # § 539.5(c)(1)
        certainty = Certainty.UNKNOWN if state.covered is None else Certainty.BROKEN
        yield from _once(rules, state, fact, "shaken_uncovered", certainty=certainty)
    automated = [s for s, kind in state.shakers or () if kind == ShakerKind.AUTOMATED]
    if automated:  # § 539.7(d)
        yield from _once(rules, state, fact, "two_shakers_at_table")
    elif state.shakers is None:
        yield from _once(rules, state, fact, "two_shakers_at_table", certainty=Certainty.UNKNOWN)


def _on_thrown(rules: Rules, state: State, fact: DiceThrown) -> Iterator[Ruling]:
    if state.phase is Phase.IDLE or state.phase in SEEN:
        return
    at = _ref(fact)
    if state.phase in ENDED:
        return
    yield from _shakes(rules, state, fact)
    if len(fact.dice) != DICE:  # § 539.2(a)
        yield _breach(rules, "wrong_number_of_dice", fact, observed=str(len(fact.dice)))
        yield Undecidable(why=f"{len(fact.dice)} dice were seen in place of three", cite=LAW[".2(a)"], fact=at)
        return
    row = next((row for row in INVALID_ROLLS if row.when(fact.dice)), None)
    if row is not None:
        yield Returned(why=f"no roll: {row.what}", cite=row.cite, fact=at)
        return
    faces = faces_of(fact)
    if faces is None:
        yield Undecidable(why="the face of a die was not recorded", cite=LAW[".4(c)"], fact=at)
        return
    if state.settled is not None:
        yield from _once(rules, state, fact, "settled_before_result")
    yield Decided(shown=faces, said=words(faces), cite=LAW[".4(c)"], fact=at)


def _on_called(rules: Rules, state: State, fact: RollCalled) -> Iterator[Ruling]:
    if state.covered is True and state.shaken_by_hand and state.in_round:  # § 539.5(d)
        yield from _once(rules, state, fact, "shaker_not_uncovered")
    called = tuple(sorted(fact.faces))
    if state.phase in SEEN and state.no_roll_due:
        yield from _no_roll_due(rules, state, fact)
    elif state.phase in SEEN and state.faces is not None and called != state.faces:  # § 539.5(d)
        yield _breach(rules, "wrong_call", fact, observed=words(called), expected=words(state.faces))
    elif state.phase is Phase.SHAKEN:
        yield from _stated(rules, state, fact, called)


def _on_entered(rules: Rules, state: State, fact: ValuesEntered) -> Iterator[Ruling]:
    entered = tuple(sorted(fact.faces))
    if state.phase in SEEN and state.no_roll_due:
        yield from _no_roll_due(rules, state, fact)
    elif state.phase in SEEN and state.faces is not None and entered != state.faces:
        said = words(entered)
        yield _breach(rules, "entry_differs_from_dice", fact, observed=said, expected=words(state.faces))
    elif state.phase is Phase.SHAKEN:
        yield from _stated(rules, state, fact, entered)


def _stated(rules: Rules, state: State, fact: Fact, faces: Faces) -> Iterator[Ruling]:
    """The dice were not seen: the announcement and the entry stand for them while they agree."""
    at = _ref(fact)
    if len(faces) != DICE or (state.stated is not None and state.stated != faces):
        yield Undecidable(why="announcement and entry differ and no dice were recorded", cite=LAW[".4(c)"], fact=at)
    else:
        yield Decided(shown=faces, said=f"{words(faces)} (as stated)", cite=LAW[".4(c)"], fact=at)


def _on_lit(rules: Rules, state: State, fact: AreasLit) -> Iterator[Ruling]:
    if fact.areas is None or state.entered is None or len(state.entered) != DICE:
        return
    due = winning_areas(state.entered)
    lit = frozenset(fact.areas)
    if lit != due:  # § 539.5(d)
        listed = ", ".join(sorted(lit)) or "nothing"
        yield _breach(rules, "lights_wrong", fact, observed=listed, expected=", ".join(sorted(due)))


def _on_cleared(rules: Rules, state: State, fact: LightsCleared) -> Iterator[Ruling]:
    if state.in_round and state.phase not in ENDED:  # § 539.5(f)
        yield Requires(duty=rules.duty("lights_cleared_early"), done="all", fact=_ref(fact))


def _on_covered(rules: Rules, state: State, fact: ShakerCovered) -> Iterator[Ruling]:
    kinds = {kind for shaker, kind in state.shakers or () if fact.shaker in (None, shaker)}
    if kinds == {ShakerKind.AUTOMATED}:  # § 539.5(e)
        yield _breach(rules, "automated_shaker_covered", fact)
    elif state.phase in SEEN and not state.no_roll_due:
        yield Requires(duty=rules.duty("shaker_covered_early"), done="winners", fact=_ref(fact))


def _on_uncovered(rules: Rules, state: State, fact: ShakerUncovered) -> Iterator[Ruling]:
    if state.phase is Phase.SHAKEN:
        yield from _shakes(rules, state, fact)


def _on_no_roll(rules: Rules, state: State, fact: NoRollCalled | RoundVoided) -> Iterator[Ruling]:
    if state.phase in SEEN and not state.no_roll_due:
        said = words(state.faces) if state.faces else "not recorded"
        yield from _once(rules, state, fact, "no_roll_without_cause", observed=said)
    elif state.phase in (Phase.BETTING, Phase.NO_MORE_BETS, Phase.SHAKEN):
        yield Undecidable(why="a no roll was called and the dice were not recorded", cite=LAW[".7(a)"], fact=_ref(fact))


def _on_failed(rules: Rules, state: State, fact: DeviceFailed) -> Iterator[Ruling]:
    activated = state.phase in SEEN or state.phase in (Phase.SHAKEN, Phase.NO_MORE_BETS)
    if fact.device is Device.AUTOMATED_SHAKER and activated and state.settled is None:
        why = "the automated shaker failed"
        yield Returned(why=f"round void: {why}", cite=LAW[".7(c)#1"], fact=_ref(fact))


def _on_settled(rules: Rules, state: State, fact: WagerSettled) -> Iterator[Ruling]:
    if fact.outcome is SettledAs.RETURNED or not state.in_round:
        return
    if state.phase is Phase.VOID:  # § 539.7(c)
        yield from _once(rules, state, fact, "round_not_voided")
    elif state.no_roll_due:
        yield from _no_roll_due(rules, state, fact)
    elif state.device_failed is not None:
        if not state.supervised:  # § 539.7(b)
            device = state.broken_device
            yield from _once(rules, state, fact, "device_fault_unsupervised", observed=device)
    elif state.phase is Phase.ENTERED:  # § 539.4(c), .5(e)
        yield from _once(rules, state, fact, "settled_before_result")
    elif state.phase is Phase.AT_REST and state.no_roll is None:
        yield from _once(rules, state, fact, "entry_missing")


HANDLERS: Final[dict[type[Any], Callable[[Rules, State, Any], Iterator[Ruling]]]] = {
    BettingOpened: _on_betting_opened,
    DiceShaken: _on_shaken,
    DiceThrown: _on_thrown,
    RollCalled: _on_called,
    ValuesEntered: _on_entered,
    AreasLit: _on_lit,
    LightsCleared: _on_cleared,
    ShakerCovered: _on_covered,
    ShakerUncovered: _on_uncovered,
    NoRollCalled: _on_no_roll,
    RoundVoided: _on_no_roll,
    DeviceFailed: _on_failed,
    WagerSettled: _on_settled,
}


def _shakes(rules: Rules, state: State, fact: Fact) -> Iterator[Ruling]:
    if not state.shaken_by_hand or state.phase is not Phase.SHAKEN:
        return
    if state.shakes is None:
        yield from _once(rules, state, fact, "too_few_shakes", observed="unknown", certainty=Certainty.UNKNOWN)
    elif state.shakes < SHAKES:  # § 539.5(c)(1)
        yield from _once(rules, state, fact, "too_few_shakes", observed=str(state.shakes))


def _no_roll_due(rules: Rules, state: State, fact: Fact) -> Iterator[Ruling]:
    if state.no_roll is None:  # § 539.7(a)
        yield from _once(rules, state, fact, "no_roll_not_called", observed=lies(state))


def _breach(
    rules: Rules,
    name: str,
    fact: Fact | FactRef,
    *earlier: FactRef,
    observed: str | None = None,
    expected: str | None = None,
    certainty: Certainty = Certainty.BROKEN,
) -> Breach:
    at = fact if isinstance(fact, FactRef) else _ref(fact)
    return Breach(
        duty=rules.duty(name), facts=(*earlier, at), observed=observed, expected=expected, certainty=certainty
    )


def _once(rules: Rules, state: State, fact: Fact, name: str, **details: Any) -> tuple[Ruling, ...]:
    """The breach, unless this round already showed one of its kind."""
    return () if name in state.reported else (_breach(rules, name, fact, **details),)


def _ref(fact: Fact) -> FactRef:
    return FactRef(fact.stream, fact.seq)


# --- reading the dice ------------------------------------------------------------------------


def faces_of(fact: DiceThrown) -> Faces | None:
    """The faces in rising order, None if one was not recorded."""
    faces = [die.face for die in fact.dice if die.face is not None]
    return tuple(sorted(faces)) if len(faces) == len(fact.dice) else None


def by_hand(state: State, fact: DiceShaken) -> bool:
    """Whether a manual shaker was shaken: as the fact says, else by what stands at the table."""
    if fact.kind is not None:
        return fact.kind is ShakerKind.MANUAL
    kinds = {kind for shaker, kind in state.shakers or () if fact.shaker in (None, shaker)}
    return kinds == {ShakerKind.MANUAL}


def words(faces: Faces) -> str:
    """Faces for people."""
    return " ".join(map(str, faces))


def lies(state: State) -> str:
    """How the dice lie, for people."""
    return ", ".join(f"{die.face or '?'} {die.rest.lower().replace('_', ' ')}" for die in state.dice)


@lru_cache(maxsize=256)
def winning_areas(faces: Faces) -> frozenset[str]:
    """The areas that the device must light for these values (§ 539.5(d))."""
    return frozenset(
        " ".join([row.name, *map(str, picks)])
        for row in WAGERS
        for picks in row.picks
        if row.wins_on(faces, picks)
    )


# --- turning the page --------------------------------------------------------------------------


def evolve(state: State, event: Fact | Ruling | Unsure) -> State:
    """Turn the page: no rule is applied here and no section is cited."""
    turn = TURNS.get(type(event))
    if turn is not None:
        return turn(state, event)
    return state


def _new_round(state: State, event: BettingOpened) -> State:
    return State(
        shakers=state.shakers,
        covered=state.covered,
        broken=state.broken,
        broken_device=state.broken_device,
        device_known=state.device_known,
        lit=None,
        phase=Phase.BETTING,
    )


def _moved(state: State, event: Fact) -> Phase:
    step = STEPS.get((state.phase, type(event)))
    return state.phase if step is None else Phase(step.then)


def _shaken(state: State, event: DiceShaken) -> State:
    hand = by_hand(state, event)
    shakes = None if event.shakes is None or state.shakes is None else state.shakes + event.shakes
    return replace(state, phase=_moved(state, event), shaken_by_hand=hand, shakes=shakes)


def _thrown(state: State, event: DiceThrown) -> State:
    if state.phase in SEEN or state.phase in ENDED or not state.in_round:
        return state
    due = any(row.when(event.dice) for row in INVALID_ROLLS) and len(event.dice) == DICE
    return replace(
        state,
        phase=_moved(state, event),
        dice=event.dice,
        faces=None if due else faces_of(event),
        no_roll_due=due,
        thrown=_ref(event),
    )


def _failed(state: State, event: DeviceFailed) -> State:
    at = _ref(event)
    if event.device in LIGHTING:
        shown = state.phase in SEEN or (state.phase is Phase.SHAKEN and not state.shaken_by_hand)
        shown = shown or (state.phase is Phase.SHAKEN and state.covered is False)
        name = event.device.lower().replace("_", " ")
        return replace(state, broken=at, broken_device=name, device_failed=at if shown else state.device_failed)
    if event.device is Device.AUTOMATED_SHAKER and state.in_round and state.settled is None:
        if state.phase is not Phase.BETTING:
            return replace(state, phase=Phase.VOID, shaker_failed=at)
    return state


def _fixed(state: State, event: DeviceFixed) -> State:
    return replace(state, broken=None, device_known=True) if event.device in LIGHTING else state


def _present(state: State, event: SupervisorPresent) -> State:
    return replace(state, supervised=True) if event.role in SUPERVISORS and state.device_failed else state


def _no_roll(state: State, event: NoRollCalled | RoundVoided) -> State:
    if not state.in_round:
        return state
    phase = Phase.NO_ROLL if state.no_roll_due else state.phase
    return replace(state, no_roll=_ref(event), phase=phase)


def _entered(state: State, event: ValuesEntered) -> State:
    faces = tuple(sorted(event.faces))
    stated = faces if state.phase is Phase.SHAKEN else state.stated
    return replace(state, entered=faces, stated=stated, phase=_moved(state, event))


def _called(state: State, event: RollCalled) -> State:
    return replace(state, stated=tuple(sorted(event.faces))) if state.phase is Phase.SHAKEN else state


def _lit(state: State, event: AreasLit) -> State:
    return replace(state, lit=_ref(event), phase=_moved(state, event))


def _settled(state: State, event: WagerSettled) -> State:
    if state.settled is not None or event.outcome is SettledAs.RETURNED:
        return state
    return replace(state, settled=_ref(event))


def _placed(state: State, event: ShakerPlaced) -> State:
    shakers = (state.shakers or frozenset()) | {(event.shaker, event.kind.value)}
    return replace(state, shakers=shakers, covered=False)


def _removed(state: State, event: ShakerRemoved) -> State:
    left = frozenset(item for item in state.shakers or () if item[0] != event.shaker)
    return replace(state, shakers=left)


def _unsure(state: State, event: Unsure) -> State:
    return replace(state, shakers=None, covered=None, broken=None, device_known=False, lit=None)


TURNS: Final[dict[type[Any], Callable[[State, Any], State]]] = {
    BettingOpened: _new_round,
    NoMoreBetsAnnounced: lambda s, e: replace(s, phase=_moved(s, e)),
    DiceShaken: _shaken,
    DiceThrown: _thrown,
    RollCalled: _called,
    ValuesEntered: _entered,
    AreasLit: _lit,
    LightsCleared: lambda s, e: replace(s, lit=None),
    ShakerCovered: lambda s, e: replace(s, covered=True),
    ShakerUncovered: lambda s, e: replace(s, covered=False),
    NoRollCalled: _no_roll,
    RoundVoided: _no_roll,
    DeviceFailed: _failed,
    DeviceFixed: _fixed,
    SupervisorPresent: _present,
    WagerSettled: _settled,
    ShakerPlaced: _placed,
    ShakerRemoved: _removed,
    Breach: lambda s, e: replace(s, reported=s.reported | {e.duty.code}),
    Unsure: _unsure,
}
assert INITIAL.phase is Phase.IDLE
