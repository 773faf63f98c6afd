"""No record crashes an audit: facts of each game in any order, with the values of other facts."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.audit import audit_day
from ledger.codec import frame
from ledger.events import Fact
from ledger.floor import FIRST_DAY, simulate
from ledger.kernel import table_of
from ledger.log import Arrival
from ledger.replay import Replay
from tests.log.memory_log import MemoryLog

TABLES = ("SB-01", "DC-01", "AP-01", "FB-01", "PH-01")
HEAD = {"stream", "seq", "event_time", "source", "recorded_by"}
LENGTH = 150
"""How many facts of a table: its opening and some rounds."""


@cache
def day() -> tuple[Fact, ...]:
    return tuple(simulate(11, scale=0.12).facts)


def at_table(table: str) -> tuple[list[Fact], list[Fact]]:
    """The house's facts, and the first ones of a table."""
    house = [fact for fact in day() if fact.stream == "house"]
    own = sorted(
        (fact for fact in day() if table_of(fact.stream) == table), key=lambda fact: fact.event_time
    )
    assert own
    return house, own[:LENGTH]


def scrambled(facts: list[Fact], chance: Random) -> list[Fact]:
    """The same moments with the facts in another order, some with values of others, some twice."""
    of_kind: dict[type[Any], list[Fact]] = {}
    for fact in facts:
        of_kind.setdefault(type(fact), []).append(fact)
    mixed = list(facts)
    for _ in range(chance.randrange(40)):
        one, other = chance.randrange(len(mixed)), chance.randrange(len(mixed))
        mixed[one], mixed[other] = mixed[other], mixed[one]
    if chance.random() < 0.3:
        chance.shuffle(mixed)
    seqs: dict[str, int] = {}
    found: list[Fact] = []
    for place, fact in zip(facts, mixed, strict=True):
        changes: dict[str, Any] = {}
        if chance.random() < 0.3:
            own = [field.name for field in fields(fact) if field.name not in HEAD]
            for name in own and chance.sample(own, chance.randint(1, len(own))):
                changes[name] = getattr(chance.choice(of_kind[type(fact)]), name)
        seqs[fact.stream] = seqs.get(fact.stream, 0) + 1
        found.append(replace(fact, event_time=place.event_time, seq=seqs[fact.stream], **changes))
    return found


def audited(table: str, chance: Random) -> None:
    house, own = at_table(table)
    log = MemoryLog(origin="any.example", property="Example", record_time=1)
    arrivals = (Arrival(frame(fact)) for fact in (*house, *scrambled(own, chance)))
    log.append(arrivals, record_time=2)
    replay = Replay(log)
    found = audit_day(replay, FIRST_DAY)
    assert audit_day(replay, FIRST_DAY) == found


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("table", TABLES)
@settings(max_examples=4, deadline=None)
@given(chance=st.randoms(use_true_random=False))
def test_no_record_crashes_an_audit(table: str, chance: Random) -> None:
    audited(table, chance)


@pytest.mark.full
@pytest.mark.parametrize("table", TABLES)
@settings(max_examples=150, deadline=None)
@given(chance=st.randoms(use_true_random=False))
def test_no_record_crashes_an_audit_at_length(table: str, chance: Random) -> None:
    audited(table, chance)
