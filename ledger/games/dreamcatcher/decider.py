"""What the chapter makes of each fact of a round of Dreamcatcher.

Law: 58 Pa. Code §§ 689.1, 689.2, 689.3(b), (c); the rows say which sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from ledger import events
from ledger.games.breach_reporting import breach, judge_step, once
from ledger.games.dreamcatcher.equipment import ODDS_SHOWN, faults
from ledger.games.dreamcatcher.procedure import PHASES, STEPS
from ledger.games.dreamcatcher.state import COUNTS, OUTSIDE, SPINNING, TURNS, State
from ledger.games.dreamcatcher.terms import LAW, NUMBERS, ORDER, Phase
from ledger.games.dreamcatcher.validity import (
    AFTER_VOID,
    BETWEEN,
    VALID,
    Landing,
    known,
    landing,
    landing_on,
)
from ledger.games.dreamcatcher.wagers import DECIDED_BY, FACTORS
from ledger.games.outcomes import WheelOutcome
from ledger.games.room import (
    Annulled,
    Breach,
    Decided,
    Multiplied,
    Rules,
    Ruling,
    Shown,
    Undecidable,
    Unsure,
)
from ledger.games.wheel import touching
from ledger.kernel import Certainty, FactRef, ref_of

STEPPED: Final = frozenset(step.fact for step in PHASES) - {events.BettingOpened}


def decide(rules: Rules, state: State, fact: events.Fact) -> tuple[Ruling, ...]:
    """Give the rulings of the chapter on one fact, by the state before it."""
    kind = type(fact)
    if isinstance(fact, events.WheelPlaced):
        return tuple(_on_placed(rules, fact))
    if state.phase in OUTSIDE:
        return ()
    handler = HANDLERS.get(kind)
    rulings = tuple(handler(rules, state, fact)) if handler else ()
    if kind not in STEPPED:
        return rulings
    last = state.shows[-1] if state.shows else None
    return rulings + judge_step(rules, state, fact, STEPS, observed=last, expected=last)


def evolve(state: State, event: events.Fact | Ruling | Unsure) -> State:
    """Return the state after a fact or a ruling: no rule is applied and no section is cited."""
    turn = TURNS.get(type(event))
    return state if turn is None else turn(state, event)


def close(rules: Rules, state: State, last: FactRef) -> tuple[Ruling, ...]:
    """Give the rulings that only the end of a round shows: the spin that was owed and never came.

    Args:
        rules: those of the round.
        state: the state after its last fact.
        last: the key of that fact.
    """
    if state.phase not in OWES_A_SPIN or state.spun is None or not state.stakes:
        return ()
    earlier = tuple(ref for ref in (state.spun, state.settled) if ref not in (None, last))
    if state.phase is Phase.BONUS:  # § 689.2(f), .3(c)
        pin = ".3(c)#1" if len(state.shows) > 1 else ".1(d)#2"
        symbol = state.shows[-1]
        missing = breach(rules, f"bonus_spin_missing@{pin}", last, *earlier, observed=symbol)
        return (missing, *_paid_on_multiplier(rules, state))
    if state.phase is Phase.VOID and state.void:
        early = tuple(_paid_on_multiplier(rules, state))
        if state.reported & NOT_RESPUN:
            return early
        name = AFTER_VOID[state.void.cite][1]
        return (*early, breach(rules, name, last, *earlier, observed=state.void.cause))
    return ()


def _paid_on_multiplier(rules: Rules, state: State) -> Iterator[Breach]:
    """Report wagers paid or collected on a multiplier when no number came: nothing was due."""
    for wager in dict.fromkeys(wager for wager, _, _ in state.on_bonus):
        acts = [(at, cents) for name, at, cents in state.on_bonus if name == wager]
        *before, last = [at for at, _ in acts]
        early = breach(
            rules, "settled_before_result@.2(f)#2", last, state.spun, *before,
            observed=state.shows[-1], wager=wager,
        )  # fmt: skip
        yield replace(early, effect_cents=sum(cents for _, cents in acts))


def is_over(state: State) -> bool:
    """Whether no round is under way; a round ends only when the next one opens."""
    return not state.in_round


def outcomes() -> Iterator[tuple[Shown, Fraction, Fraction]]:
    """Yield each number that can decide, its exact probability, and its expected factor.

    A spin multiplies by each factor with the chance of its section and goes on, so the expected
    factor E solves E = chance of a number + E x the sum of chance x factor; it does not depend on
    which number comes.
    """
    around = len(ORDER)
    numbers = sum(ORDER.count(number) for number in NUMBERS)
    carried = sum(
        Fraction(ORDER.count(symbol) * factor, around) for symbol, factor in FACTORS.items()
    )
    expected = Fraction(numbers, around) / (1 - carried)
    for number in NUMBERS:
        yield number, Fraction(ORDER.count(number), numbers), expected


# --- one fact each -------------------------------------------------------------------------------


def _on_placed(rules: Rules, fact: events.WheelPlaced) -> Iterator[Ruling]:
    due = tuple((number, rules.payouts[number][0].odds) for number in NUMBERS)
    for fault in faults(fact, due):
        sure = fault.sure and (rules.filing_known or fault.duty != ODDS_SHOWN)
        certainty = Certainty.BROKEN if sure else Certainty.UNKNOWN
        yield breach(
            rules,
            fault.duty,
            fact,
            observed=fault.observed,
            expected=fault.expected,
            certainty=certainty,
        )


def _on_spun(rules: Rules, state: State, fact: events.WheelSpun) -> Iterator[Ruling]:
    if fact.role not in (None, events.Role.DEALER):  # § 689.2(b)
        named = fact.role is not events.Role.UNRECOGNISED
        observed = f"a {fact.role.lower().replace('_', ' ')}" if named else "somebody else"
        sure = Certainty.BROKEN if named else Certainty.UNKNOWN
        yield breach(rules, "spun_by_other", fact, observed=observed, certainty=sure)
    yield from _contradictions(rules, state, fact)
    started = fact.event_time if fact.started_time is None else fact.started_time
    first = state.spun is None
    if first and state.announced is not None and state.announced > started:  # § 689.2(a)
        yield from once(rules, state, fact, "no_more_bets_missing")
    if first and state.settled is not None:  # § 689.2(c)
        yield from once(rules, state, fact, "settled_before_result", state.settled)
    if state.phase in COUNTS:
        landed = landing(state.sections, fact, unread=state.phase is Phase.UNREAD)
        yield from _landed(rules, state, fact, landed)


def _landed(
    rules: Rules, state: State, fact: events.WheelSpun | events.SpinCalled, landed: Landing
) -> Iterator[Ruling]:
    at = ref_of(fact)
    if state.on_bonus and landed.phase in VALID:  # § 689.2(f)
        symbol = state.shows[-1]
        yield breach(rules, "settled_before_result@.2(f)#2", fact, state.settled, observed=symbol)
    if landed.duty is not None:
        yield from once(rules, state, fact, landed.duty, certainty=Certainty.UNKNOWN)
    if landed.void is not None:
        yield Annulled(row=landed.void, fact=at)
    elif landed.phase is Phase.UNDECIDABLE:
        yield Undecidable(why=landed.why, cite=landed.cite, fact=at)
    elif landed.phase is Phase.BONUS:
        yield Multiplied(factor=FACTORS[landed.symbol], symbol=landed.symbol, fact=at)
    elif landed.phase is Phase.DECIDED:
        shown = (*state.shows, landed.symbol)
        cite = DECIDED_BY[min(len(shown), len(DECIDED_BY)) - 1]
        if state.called_off is not None:  # § 689.2(d)
            yield from once(
                rules, state, fact, "valid_spin_voided", state.called_off, observed=landed.symbol
            )
        yield Decided(
            shown=landed.symbol,
            detail=WheelOutcome(sections=shown, factor=state.factor),
            cite=cite,
            fact=at,
            factor=state.factor,
        )


def _contradictions(rules: Rules, state: State, fact: events.WheelSpun) -> Iterator[Ruling]:
    """Report parts of a spin that cannot all be true; the section decides, and between is void."""
    wheel, symbols = state.sections, fact.symbols
    if BETWEEN.when(fact):
        two = fact.between
        if two is not None and wheel is not None and not touching(wheel, two):  # § 689.2(d)
            yield breach(rules, "fact_contradictory#0", fact, observed=" and ".join(map(str, two)))
        elif two is not None and wheel is not None and symbols is not None:
            due = sorted(wheel[index] for index in two)
            if sorted(symbols) != due:
                yield _differs(rules, fact, f"between {' and '.join(symbols)}", " and ".join(due))
        if fact.section is not None:
            yield _differs(rules, fact, f"section {fact.section}", "a stop between sections")
    elif fact.between:
        observed = f"between {' and '.join(map(str, fact.between))}"
        yield _differs(rules, fact, observed, "a stop within a section")
    elif fact.section is not None and wheel is not None:
        if not 0 <= fact.section < len(wheel):
            yield _differs(
                rules, fact, f"section {fact.section}", f"none of its {len(wheel)} sections"
            )
        elif symbols is not None and symbols != (wheel[fact.section],):
            observed = f"section {fact.section} with {' and '.join(symbols) or 'nothing'}"
            yield _differs(rules, fact, observed, wheel[fact.section])


def _differs(rules: Rules, fact: events.WheelSpun, observed: str, expected: str) -> Breach:
    return breach(rules, "fact_contradictory#3", fact, observed=observed, expected=expected)


def _on_called(rules: Rules, state: State, fact: events.SpinCalled) -> Iterator[Ruling]:
    if state.phase is Phase.UNREAD:
        if known(fact.result):
            yield from _landed(rules, state, fact, landing_on(fact.result))
    elif (
        state.phase in (Phase.BONUS, Phase.DECIDED) and fact.result != state.shows[-1]
    ):  # § 689.1(b)
        spun = () if state.spun is None else (state.spun,)
        yield breach(
            rules, "wrong_call", fact, *spun, observed=fact.result, expected=state.shows[-1]
        )


def _on_voided(rules: Rules, state: State, fact: events.SpinVoided) -> Iterator[Ruling]:
    if state.phase is Phase.UNREAD and state.in_section:  # § 689.2(d)
        yield from once(
            rules, state, fact, "valid_spin_voided", observed="its section was not recorded"
        )
    elif state.phase is Phase.UNREAD:
        why = "a spin was declared void and the record does not show where the clapper came to rest"
        yield Undecidable(why=why, cite=LAW[".2(c)#5"], fact=ref_of(fact))


def _on_round_voided(rules: Rules, state: State, fact: events.RoundVoided) -> Iterator[Ruling]:
    if state.shows:  # § 689.2(d)
        yield from once(rules, state, fact, "valid_spin_voided", observed=state.shows[-1])
    elif state.phase is not Phase.UNDECIDABLE:
        why = "the house declared the round void, for which the chapter has no ground"
        yield Undecidable(why=why, cite=LAW[".2(d)#4"], fact=ref_of(fact))


def _on_failed(_rules: Rules, state: State, fact: events.DeviceFailed) -> Iterator[Ruling]:
    if fact.device is events.Device.WHEEL and state.phase in SPINNING:
        why = "the wheel failed during the round, and the chapter does not say what follows"
        yield Undecidable(why=why, cite=LAW[".1(e)"], fact=ref_of(fact))


def _on_settled(rules: Rules, state: State, fact: events.WagerSettled) -> Iterator[Ruling]:
    if state.phase is not Phase.VOID or state.void is None or state.spun is None:
        return
    if fact.outcome is events.SettledAs.RETURNED:
        yield from _handed_back(rules, state, fact)
    elif fact.outcome in (events.SettledAs.WON, events.SettledAs.LOST):  # § 689.2(b), (d)
        name = AFTER_VOID[state.void.cite][0]
        yield breach(
            rules,
            name,
            fact,
            state.spun,
            observed=state.void.cause,
            wager=fact.wager_id,
            effect_cents=fact.winnings_cents - fact.stake_taken_cents,
        )


def _handed_back(
    rules: Rules, state: State, fact: events.WagerReturned | events.WagerSettled
) -> Iterator[Ruling]:
    if state.phase is Phase.VOID and state.void is not None and state.spun is not None:
        name = AFTER_VOID[state.void.cite][1]
        yield from once(
            rules, state, fact, name, state.spun, observed=state.void.cause, wager=fact.wager_id
        )


HANDLERS: Final[dict[type[events.Fact], Callable[[Rules, State, Any], Iterator[Ruling]]]] = {
    events.WheelSpun: _on_spun,
    events.SpinCalled: _on_called,
    events.SpinVoided: _on_voided,
    events.RoundVoided: _on_round_voided,
    events.DeviceFailed: _on_failed,
    events.WagerSettled: _on_settled,
    events.WagerReturned: _handed_back,
}
OWES_A_SPIN: Final = frozenset({Phase.BONUS, Phase.VOID})
"""The phases in which another spin is owed to whatever stands."""
NOT_RESPUN: Final = frozenset({"void_spin_not_respun", "settled_on_void_spin"})
