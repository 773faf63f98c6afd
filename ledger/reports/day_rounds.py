"""Rounds of a gaming day with their facts, from the last carried state before each on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from ledger.audit import (
    Arrivals,
    HouseRecord,
    Mark,
    Observation,
    RecordedRound,
    accounts_of,
    judge_with,
    observed_by_round,
)
from ledger.audit.carried import CarriedStates
from ledger.audit.ledger_contract import Day
from ledger.audit.table import Opening, TableWalk
from ledger.audit.tape_account import Judge
from ledger.kernel import FactRef, parse_round_id, ref_of, table_of
from ledger.replay import FactStep, Replay, Step
from ledger.reports.round_view import LastingFacts, RoundView, RoundWatch
from ledger.rounds import InEveryOrder, Outcome, RoundResult, RoundStatus


def round_views_on(
    replay: Replay,
    house: HouseRecord,
    day: Day,
    wanted: Collection[str],
    carried: Path | None = None,
    states_of: Callable[[str], Mapping[int, bytes]] | None = None,
    on_state: Callable[[int, bytes], None] | None = None,
    arrivals: Arrivals | None = None,
    lasting: LastingFacts | None = None,
) -> Iterator[RoundView]:
    """These rounds of a day, table by table, as they close; others are passed over.

    Args:
        replay: the ledger's replay.
        house: what the office stated, with the coupons.
        day: the gaming day.
        wanted: ids of rounds; one that did not open on the day is not found.
        carried: folder for carried states; None replays each table from the beginning.
        states_of: a table's states within the day, packed, by when they held; a walk begins with
            the last before a round.
        on_state: told the state right before each of the rounds opens, packed, and when it held:
            who walks on from there is spared the rounds before.
        arrivals: how the ledger's facts arrived; None reads it.
        lasting: what is known of facts that outlive rounds; None reads them.
    """
    states = CarriedStates.of(carried, replay, house.office)
    amended = tuple(replay.all_amended())
    arrivals = arrivals or Arrivals.of(replay, house)
    observed = observed_by_round(replay, {table_of(name.rpartition(":")[0]) for name in wanted})
    for table in sorted({table_of(name.rpartition(":")[0]) for name in wanted}):
        if table in replay.tables():
            left = {name for name in wanted if table_of(name.rpartition(":")[0]) == table}
            opened = {name: _opened(replay, name) for name in left}
            within = states_of(table) if states_of is not None and states is not None else {}
            while left:
                since = _state_before(within, min(opened[name] for name in left))
                resumed = None if since is None else (since, within[since])
                walk = TableWalk(replay, house, table, day, carried=states, resumed=resumed)
                walk.on_opening = _state_observer(on_state, frozenset(opened.values()))
                begins = day.begins if since is None else since
                watch = RoundWatch.begin(
                    replay, table, house.office.clocks, amended, begins, lasting
                )
                _follow(walk, watch, left.copy())
                for result in walk.rounds():
                    if result.round in left:
                        capture = walk.play.state.capture
                        seen = watch.round(result, capture.value.lower() if capture else None)
                        marks = marks_of(arrivals, seen)
                        seen = replace(seen, assumed=_assumed(walk, seen), marks=marks)
                        judge = judge_with(replay, house, table, day, states, resumed)
                        yield with_accounts(seen, observed, judge)
                        left.remove(result.round)
                        following = min((opened[name] for name in left), default=0)
                        if not left or (_state_before(within, following) or 0) > result.opened_at:
                            break
                else:
                    break


def _state_observer(
    on_state: Callable[[int, bytes], None] | None, moments: Collection[int]
) -> Opening | None:
    """Tell the states right before these openings, but for one in which a coupon lies."""
    if on_state is None:
        return None

    def opens(orders: InEveryOrder, at: int) -> None:
        if at in moments and not orders.with_coupons():
            on_state(at, CarriedStates.packed(orders))

    return opens


def marks_of(arrivals: Arrivals, seen: RoundView) -> tuple[Mark, ...]:
    """The facts of a round that came late or that a person added."""
    marks = (arrivals.of_fact(ref_of(step.fact)) for step in seen.steps)
    return tuple(mark for mark in marks if mark is not None)


def with_accounts(
    seen: RoundView, observed: Mapping[FactRef, list[Observation]], judge: Judge
) -> RoundView:
    """The round as the verdict has it, with what recordings show of it.

    Args:
        seen: the round as the terminal's facts are judged.
        observed: the observations of the ledger by the first fact of their round.
        judge: judges the table with the round told again.
    """
    refs = [ref_of(step.fact) for step in seen.steps]
    own = [one for ref in refs for one in observed.get(ref, ())]
    if not own:
        return seen
    recorded = recorded_round(seen)
    accounts = accounts_of(recorded, sorted(own, key=lambda one: ref_of(one.fact)), judge)
    return replace(seen, result=accounts.result, accounts=accounts)


def recorded_round(seen: RoundView) -> RecordedRound:
    """The round as it was recorded, whatever recordings show."""
    result = seen.result if seen.accounts is None else seen.accounts.terminal
    return RecordedRound(result=result, steps=seen.steps, gaps=seen.gaps, wheel=seen.wheel)


def _opened(replay: Replay, round_: str) -> int:
    """When a round opened, by merge time."""
    ref = parse_round_id(round_)
    return replay.merged_at(ref.stream, ref.seq) or 0


def _state_before(states: Mapping[int, bytes], moment: int) -> int | None:
    """When the last state was kept that holds at a moment."""
    return max((at for at in states if at <= moment), default=None)


def _follow(walk: TableWalk, watch: RoundWatch, wanted: Collection[str]) -> None:
    """Let the watch follow the walk; the play explains the wanted rounds and no others."""

    refs = frozenset(map(parse_round_id, wanted))

    def follow(step: Step) -> None:
        # before the play takes the step, which may close these rounds
        open_round, late_round = walk.play.state.round, walk.play.state.late
        watch.take(step, walk.play)
        if isinstance(step, FactStep):
            walk.play.explain = (
                ref_of(step.fact) in refs
                or (open_round is not None and open_round.ref in refs)
                or (late_round is not None and late_round.ref in refs)
            )

    walk.on_step = follow


def _assumed(walk: TableWalk, seen: RoundView) -> RoundResult | None:
    """How an unknown round would be judged if what is missing had changed nothing.

    None where nothing is missing, or where the facts that were recorded decide nothing either.
    """
    if seen.result.status is not RoundStatus.UNKNOWN or not seen.gaps:
        return None
    again = TableWalk(
        walk.replay,
        walk.house,
        walk.table,
        walk.day,
        explain=True,
        carried=walk.carried,
        resumed=walk.resumed,
        overlooked=frozenset(FactRef(gap.stream, gap.first_seq) for gap in seen.gaps),
    )
    for result in again.rounds():
        if result.round == seen.result.round:
            outcomes = {wager.expected.outcome for wager in result.wagers}
            if result.status is RoundStatus.UNKNOWN and not outcomes - {Outcome.UNKNOWN}:
                return None
            own = {wager.wager_id for wager in seen.result.wagers}
            return replace(result, wagers=tuple(w for w in result.wagers if w.wager_id in own))
    return None
