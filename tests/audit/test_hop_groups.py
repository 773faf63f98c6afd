"""A filed layout without one hop group: that wager is unknown, and no other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from ledger.audit import rounds_of
from ledger.codec import frame
from ledger.events import Fact, HopGroupsFiled
from ledger.floor import FIRST_DAY, simulate
from ledger.floor.props_and_hops_payouts import HOPS
from ledger.log import Arrival
from ledger.replay import Replay
from ledger.rounds import Outcome
from tests.log.memory_log import MemoryLog

WITHOUT = sorted(HOPS)[0]


@pytest.fixture(scope="module")
def facts() -> tuple[Fact, ...]:
    simulation = simulate(11, scale=0.3)
    return tuple(fact for fact in simulation.facts if fact.stream.startswith(("house", "PH-")))


def outcomes(facts: tuple[Fact, ...], change: Callable[[Fact], Fact]) -> dict[tuple[str, str], str]:
    log = MemoryLog(origin="hops.example", property="Example", record_time=1)
    log.append((Arrival(frame(change(fact))) for fact in facts), record_time=2)
    return {
        (one.round, wager.wager_id): f"{wager.wager}: {wager.expected.outcome}"
        for one in rounds_of(Replay(log), FIRST_DAY)
        for wager in one.wagers
    }


def without_one_group(fact: Fact) -> Fact:
    if not isinstance(fact, HopGroupsFiled):
        return fact
    return replace(fact, groups=tuple(one for one in fact.groups if one.wager != WITHOUT))


def test_a_missing_hop_group_makes_that_wager_unknown_and_no_other(
    facts: tuple[Fact, ...],
) -> None:
    whole, less = outcomes(facts, lambda fact: fact), outcomes(facts, without_one_group)
    assert whole.keys() == less.keys()
    changed = {key for key in whole if whole[key] != less[key]}
    assert changed
    assert {less[key] for key in changed} == {f"{WITHOUT}: {Outcome.UNKNOWN}"}
    assert all(key in changed for key in whole if whole[key].startswith(f"{WITHOUT}:"))
