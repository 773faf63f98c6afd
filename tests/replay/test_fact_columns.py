"""Columns say of each fact just what its bytes say, or that it must be read by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from ledger import events
from ledger.replay import Replay, TableFacts
from ledger.replay.errors import EntryWrong
from ledger.replay.fact_columns import NULL, UNREAD, Cut, FactColumns
from ledger.rounds.in_order.fact_bodies import Bodies, kinds
from ledger.rounds.in_order.partial_facts import HIDDEN, IDENTITIES
from tests.engine import floor_day, log_of, of_tables

TABLE = "SB-01"
ENDS = 1 << 62


def day_of_facts(**change: Any) -> TableFacts:
    """A table's short day; ``change`` alters its first wager."""
    facts = list(of_tables(floor_day(scale=0.01)[0], TABLE))
    place = next(n for n, fact in enumerate(facts) if type(fact) is events.WagerPlaced)
    facts[place] = replace(facts[place], **change)
    replay = Replay(log_of(facts))
    columns = replay.table_facts(replay.tables()[TABLE], 0, ENDS, {})
    assert columns is not None
    return columns


def cut(facts: TableFacts) -> tuple[FactColumns, Bodies]:
    """Its columns, with the bodies that they number."""
    bodies = Bodies()
    return Cut(facts, kinds(), bodies).columns(), bodies


def first_wager(facts: TableFacts) -> int:
    """The row of the first wager."""
    return next(row for row in range(len(facts)) if type(facts.fact(row)) is events.WagerPlaced)


def test_columns_say_what_the_facts_say() -> None:
    facts = day_of_facts()
    columns, bodies = cut(facts)
    read = 0
    for row, number in enumerate(columns.body):
        fact: Any = facts.fact(row)
        if facts.kind[row] not in kinds():
            assert number == UNREAD
            continue
        read += 1
        texts = [
            None if n == NULL else columns.texts[n].decode()
            for n in (columns.person[row], *(one[row] for one in columns.identities))
        ]
        names = [each.name for each in fields(fact) if each.name in IDENTITIES]
        assert texts == [
            fact.recorded_by,
            *(getattr(fact, name) for name in names),
            *[None] * (3 - len(names)),
        ]
        body = bodies.bodies[number].fact
        assert type(body) is type(fact)
        for each in fields(fact):
            assert each.name in HIDDEN or getattr(body, each.name) == getattr(fact, each.name)
    assert read > 300


def test_facts_share_a_body_only_with_the_same_bytes() -> None:
    columns, bodies = cut(day_of_facts())
    assert len(bodies) == len({*columns.body} - {UNREAD})
    contents = [
        (
            type(one.fact),
            *(getattr(one.fact, each.name) for each in fields(one.fact) if each.name not in HIDDEN),
        )
        for one in bodies.bodies
    ]
    assert len(contents) == len({repr(each) for each in contents})


@pytest.mark.parametrize(
    "change",
    [{"recorded_by": "Zoë"}, {"wager_id": "w" * 64}, {"patron": "p" * 9_000}, {"position": "é"}],
)
def test_a_text_that_is_long_or_not_ascii_is_read_by_itself(change: dict[str, str]) -> None:
    facts = day_of_facts(**change)
    columns, _ = cut(facts)
    assert columns.body[first_wager(facts)] == UNREAD


@pytest.mark.parametrize(
    "change",
    [
        {"recorded_by": None},
        {"wager_id": ""},
        {"patron": None, "position": ""},
        {"wager_id": "w" * 63},
    ],
)
def test_a_text_that_is_empty_null_or_as_long_as_may_be_is_cut(change: dict[str, str]) -> None:
    facts = day_of_facts(**change)
    columns, _ = cut(facts)
    row = first_wager(facts)
    assert columns.body[row] != UNREAD
    fact: Any = facts.fact(row)
    number = columns.identities[2][row]
    assert (None if number == NULL else columns.texts[number].decode()) == fact.patron


@pytest.mark.parametrize(
    ("name", "alter"),
    [
        ("length", lambda column: column * 0 + 12),
        ("begins", lambda column: column + 1_000_000),
        ("begins", lambda column: column + 1),
        ("offset", lambda column: column + 1),
    ],
)
def test_an_index_that_is_wrong_reads_nothing(name: str, alter: Callable[[Any], Any]) -> None:
    facts = day_of_facts()
    wrong = replace(facts, columns={**facts.columns, name: alter(facts.columns[name])})
    assert {*cut(wrong)[0].body} == {UNREAD}


def test_a_fact_that_cannot_be_decoded_is_left_to_the_readable_path() -> None:
    bodies = Bodies()
    kind = next(iter(kinds()))
    bodies.numbers(kind)

    def broken() -> events.Fact:
        raise EntryWrong(1, "an accepted fact is cut")

    assert bodies.add(kind, b"", broken) == UNREAD
    assert len(bodies) == 0


def test_many_bundles_are_laid_end_to_end_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = day_of_facts()
    whole = cut(facts)[0]
    monkeypatch.setattr("ledger.replay.fact_columns.BUNDLES", 1)
    parts = cut(facts)[0]
    texts = [[one.texts[n] if n != NULL else None for n in one.person] for one in (whole, parts)]
    assert texts[0] == texts[1]
    assert [n == UNREAD for n in whole.body] == [n == UNREAD for n in parts.body]
    assert np.unique(facts.columns["position"] // 256).size > 1
