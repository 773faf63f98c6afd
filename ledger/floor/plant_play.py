"""Plants in how a round is dealt."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final, TypeVar

from ledger import events
from ledger.floor import asia_poker_payouts, dreamcatcher_payouts, sic_bo_payouts
from ledger.floor.draft import Draft
from ledger.floor.tables import TableSpec

_F = TypeVar("_F", bound=events.Fact)
_CLOSED: Final = {
    sic_bo_payouts.NAME: "539.5(b)",
    dreamcatcher_payouts.NAME: "689.2(a)",
    asia_poker_payouts.NAME: "575.7(c)",
}
_ANNOUNCED: Final = {
    events.DealMethod.MANUAL_SHOE: "575.8(b)",
    events.DealMethod.AUTOMATED_SHOE: "575.10(a)(2)",
}
_COLLECTED: Final = {sic_bo_payouts.NAME: "539.5(e)", dreamcatcher_payouts.NAME: "689.2(e)"}
_POSITION: Final = {sic_bo_payouts.NAME: "539.4(c)", dreamcatcher_payouts.NAME: "689.2(c)"}


def last_of(draft: Draft, kind: type[_F]) -> _F:
    """The last fact of a kind."""
    return next(fact for fact in reversed(draft.facts) if isinstance(fact, kind))


def recorded_by_stranger(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The end of the betting is recorded by somebody without a credential."""
    closed = last_of(draft, events.NoMoreBetsAnnounced)
    strange = replace(closed, recorded_by=f"X-{closed.event_time // 1_000_000}")
    draft.swap(closed, strange)
    draft.find("recorder_not_credentialed", "L.10", strange)


def late_wager(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The last wager comes after "no more bets", before anything can be known."""
    placed = last_of(draft, events.WagerPlaced)
    closed = last_of(draft, events.NoMoreBetsAnnounced)
    late = replace(placed, event_time=closed.event_time + 500_000)
    draft.remove(placed)
    draft.insert(late)
    draft.find("late_wager", _CLOSED[spec.game], late)


def missing_no_more_bets(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """Nobody says "no more bets"."""
    draft.remove(last_of(draft, events.NoMoreBetsAnnounced))
    if spec.is_cards:
        draft.find(
            "no_more_bets_missing", _ANNOUNCED[spec.offer.deals], last_of(draft, events.DealBegan)
        )
        return
    outcome = (
        last_of(draft, events.DiceShaken) if spec.is_dice else last_of(draft, events.WheelSpun)
    )
    draft.find("no_more_bets_missing", _CLOSED[spec.game], outcome)


def two_shakes(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The shaker is shaken twice."""
    shaken = last_of(draft, events.DiceShaken)
    twice = replace(shaken, shakes=2)
    draft.swap(shaken, twice)
    draft.find("too_few_shakes", "539.5(c)(1)", twice)


def two_revolutions(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The spin that decides makes two revolutions and a bit, and is settled on."""
    spun = last_of(draft, events.WheelSpun)
    short = replace(spun, revolutions_thousandths=rng.randint(2_050, 2_950))
    draft.swap(spun, short)
    for fact in draft.facts:
        if isinstance(fact, events.WagerSettled):
            draft.find("settled_on_void_spin", "689.2(b)", short)


def wrong_result_called(draft: Draft, spec: TableSpec, rng: Random) -> None:
    """The dealer says something else than the dice or the wheel show, and settles rightly."""
    if spec.is_dice:
        called = last_of(draft, events.RollCalled)
        first = called.faces[0] % 6 + 1
        wrong: events.Fact = replace(called, faces=(first, *called.faces[1:]))
        draft.swap(called, wrong)
        draft.find("wrong_call", "539.5(d)", wrong)
    else:
        spin_called = last_of(draft, events.SpinCalled)
        other = rng.choice(
            [number for number in dreamcatcher_payouts.WAGERS if number != spin_called.result]
        )
        wrong = replace(spin_called, result=other)
        draft.swap(spin_called, wrong)
        draft.find("wrong_call", "689.1(b)", wrong)


def paid_before_collecting(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """A winner is paid while losing wagers still lie there."""
    winner = draft.settled(events.SettledAs.WON)[0]
    slots = [f for f in draft.facts if isinstance(f, events.WagerSettled)]
    order = [winner, *(fact for fact in slots if fact is not winner)]
    for slot, fact in zip(slots, order, strict=True):
        draft.swap(slot, moved := replace(fact, event_time=slot.event_time))
        if fact is winner:
            early = moved
    draft.find("paid_before_collecting", _COLLECTED[spec.game], early)


def late_take_down(draft: Draft, spec: TableSpec, rng: Random) -> None:
    """A losing wager is lifted when the result lies open, and the dealer lets it go."""
    lost = rng.choice(draft.settled(events.SettledAs.LOST))
    seen = last_of(draft, events.RollCalled) if spec.is_dice else last_of(draft, events.SpinCalled)
    lifted = events.WagerTakenDown(
        stream=lost.stream,
        seq=0,
        event_time=seen.event_time + 300_000,
        source=lost.source,
        recorded_by=lost.recorded_by,
        wager_id=lost.wager_id,
        taken_cents=None,
    )
    draft.remove(lost)
    draft.insert(lifted)
    draft.find("late_take_down", _POSITION[spec.game], lifted)


def no_roll_not_called(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """A die leans, and the dealer settles as if it lay flat."""
    thrown = last_of(draft, events.DiceThrown)
    rest = rng.choice(
        (events.Rest.ONE_SIDE_PROPPED, events.Rest.TWO_SIDES_PROPPED, events.Rest.ON_A_DIE)
    )
    leaning = replace(thrown, dice=(*thrown.dice[:2], replace(thrown.dice[2], rest=rest)))
    draft.swap(thrown, leaning)
    draft.find("no_roll_not_called", "539.7(a)", leaning)
    for fact in draft.facts:
        if isinstance(fact, events.WagerSettled):
            draft.find("wrong_outcome", "539.7(a)", fact)


def no_roll_without_cause(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """All dice lie flat; the dealer calls no roll and hands everything back."""
    called = last_of(draft, events.RollCalled)
    no_roll = events.NoRollCalled(
        stream=called.stream,
        seq=0,
        event_time=called.event_time,
        source=called.source,
        recorded_by=called.recorded_by,
        reason="the dealer was not content",
        called_by=called.called_by,
    )
    draft.swap(called, no_roll)
    draft.find("no_roll_without_cause", "539.7(a)", no_roll)
    for fact in list(draft.facts):
        if isinstance(fact, events.ValuesEntered | events.AreasLit | events.LightsCleared):
            draft.remove(fact)
        elif isinstance(fact, events.WagerSettled):
            handed = replace(
                fact, outcome=events.SettledAs.RETURNED, winnings_cents=0, stake_taken_cents=0
            )
            draft.swap(fact, handed)
            draft.find("wrong_outcome", "539.4(c)", handed)


def lights_not_cleared(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The lit areas stay lit into the next round."""
    draft.remove(last_of(draft, events.LightsCleared))
    draft.find("lights_not_cleared", "539.5(f)", last_of(draft, events.AreasLit))


def device_fault_unsupervised(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The electrical device fails and nobody above the dealer watches the settlement."""
    draft.remove(last_of(draft, events.SupervisorPresent))
    draft.find("device_fault_unsupervised", "539.7(b)", last_of(draft, events.DeviceFailed))


def spun_by_patron(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """A patron may turn the wheel."""
    patron = rng.choice([wager.placed.patron for wager in draft.standing().values()])
    spun = last_of(draft, events.WheelSpun)
    turned = replace(spun, spun_by=patron, role=events.Role.PATRON)
    draft.swap(spun, turned)
    draft.find("spun_by_other", "689.2(b)", turned)


def open_round(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The table closes on a decided round that nobody settles."""
    wagers = draft.standing()
    for fact in list(draft.facts):
        if isinstance(fact, events.WagerSettled):
            draft.remove(fact)
            placed = wagers[fact.wager_id].placed
            draft.find("wager_unsettled", _COLLECTED[spec.game], placed)


def lost_event(draft: Draft, spec: TableSpec, rng: Random) -> None:
    """A fact within a round never arrives."""
    fact = rng.choice(_expendable(draft, spec))
    draft.lost.append(fact)
    draft.find("gap", "L.1", fact)


def conflicting_event(draft: Draft, spec: TableSpec, rng: Random) -> None:
    """A second, different record arrives under the number of a first."""
    fact = rng.choice([f for f in _expendable(draft, spec) if not isinstance(f, events.AreasLit)])
    twin: events.Fact
    match fact:
        case events.RollCalled():
            twin = replace(fact, faces=tuple(face % 6 + 1 for face in fact.faces))
        case events.SpinCalled():
            twin = replace(fact, result="40" if fact.result != "40" else "20")
        case events.WagerSettled():
            twin = replace(fact, stake_taken_cents=fact.stake_taken_cents + 500)
        case _:
            raise AssertionError("no other fact is expendable")
    draft.twins.append((fact, twin))
    draft.find("conflict", "L.2", fact)


def _expendable(draft: Draft, spec: TableSpec) -> list[events.Fact]:
    """Facts whose loss makes a round unknown and breaks nothing else."""
    called: type[events.RollCalled | events.SpinCalled] = (
        events.RollCalled if spec.is_dice else events.SpinCalled
    )
    facts: list[events.Fact] = [last_of(draft, called), *draft.settled(events.SettledAs.LOST)[:-1]]
    return facts + ([last_of(draft, events.AreasLit)] if spec.is_dice else [])
