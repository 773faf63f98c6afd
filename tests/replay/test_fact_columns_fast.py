"""Machine code cuts facts as the readable loops do, whatever bytes and whatever index it is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ledger.kernel import machine_code
from ledger.replay import TableFacts
from ledger.replay.byte_spans import ByteSpans
from ledger.replay.fact_columns import NULL, UNREAD, Cut, FactColumns
from ledger.rounds.in_order.fact_bodies import Bodies, kinds
from tests.replay.test_fact_columns import day_of_facts

FIRST = (b"erased", b"E-1")


@cache
def day() -> TableFacts:
    return day_of_facts()


def cut(facts: TableFacts, *, fast: bool) -> tuple[FactColumns, Bodies]:
    """Its columns, by machine code or by the readable loops."""
    bodies = Bodies()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(machine_code, "WORTH", 0)
        if not fast:
            patch.setattr(machine_code, "is_available", lambda: False)
        return Cut(facts, kinds(), bodies, FIRST).columns(), bodies


def stated(columns: FactColumns, bodies: Bodies) -> Sequence[Any]:
    """What columns say, without their numbers: those count as texts and bodies were met."""
    texts, packed = columns.texts, {}
    for kind in kinds():
        packed.update({number: (kind, body) for body, number in bodies.numbers(kind).items()})
    read = columns.body != UNREAD
    named = [
        [None if number == NULL else texts[number] for number in column[read].tolist()]
        for column in (columns.person, *columns.identities)
    ]
    return [
        [packed[number] if number != UNREAD else None for number in columns.body.tolist()],
        named,
    ]


def is_same(facts: TableFacts) -> bool:
    """Whether both cut it alike."""
    fast, plain = cut(facts, fast=True), cut(facts, fast=False)
    assert isinstance(fast[0].texts, ByteSpans)
    return stated(*fast) == stated(*plain)


def test_a_day_is_cut_alike_and_read() -> None:
    columns, _ = cut(day(), fast=True)
    assert is_same(day())
    assert (columns.body != UNREAD).sum() > 300
    assert [columns.texts[number] for number in range(len(FIRST))] == [*FIRST]


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    "change",
    [{"recorded_by": 'E"1'}, {"recorded_by": "E\\1"}, {"patron": "\x7f"}, {"position": "\n"}, {"patron": "p é"},
     {"recorded_by": None}, {"wager_id": ""}, {"wager_id": "w" * 63}, {"wager_id": "w" * 64}, {"patron": "12345678"},
     {"patron": "1234567~"}],
)  # fmt: skip
def test_texts_are_taken_alike(change: dict[str, Any]) -> None:
    assert is_same(day_of_facts(**change))


def reads_no_more(facts: TableFacts) -> bool:
    """Whether all that machine code reads is what the loops read.

    A body is read by the first fact that has it. Where that fact was altered elsewhere, the loops
    try the next one, and machine code leaves its body to be read fact by fact.
    """
    fast, plain = cut(facts, fast=True), cut(facts, fast=False)
    read = fast[0].body != UNREAD
    unread = replace(
        plain[0], body=np.where(read, plain[0].body, UNREAD)
    )  # what machine code left, left there too
    return stated(*fast) == stated(unread, plain[1])


@example(where=[(12402, 0)])
@settings(max_examples=60, deadline=None)
@given(
    where=st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, 255)), min_size=1, max_size=40)
)
def test_of_altered_bytes_nothing_else_is_read(where: list[tuple[int, int]]) -> None:
    facts = day()
    bundles: dict[int, bytes] = {}
    for number in np.unique(facts.columns["position"] // 256).tolist():
        packed = bytearray(facts.bundle(number))
        for place, octet in where:
            packed[place % len(packed)] = octet
        bundles[number] = bytes(packed)
    assert reads_no_more(replace(facts, bundle=bundles.__getitem__))


@settings(max_examples=60, deadline=None)
@given(
    name=st.sampled_from(["begins", "length", "offset"]),
    row=st.integers(0, 1 << 16),
    by=st.one_of(st.integers(-300, 300), st.sampled_from([-(1 << 40), 1 << 40])),
)
def test_no_index_makes_machine_code_read_elsewhere(name: str, row: int, by: int) -> None:
    """A fact that an index puts elsewhere is not read, or is one that stands there."""
    facts = day()
    column = facts.columns[name].copy()
    column[row % len(column)] += by
    columns, bodies = cut(replace(facts, columns={**facts.columns, name: column}), fast=True)
    whole, _ = cut(facts, fast=True)
    others = np.arange(len(column)) != row % len(column)
    assert ((columns.body == UNREAD) == (whole.body == UNREAD))[others].all()
    assert len(bodies) <= len(column)


def test_what_ends_with_its_bundle_is_numbered_as_elsewhere() -> None:
    """The last bytes of a bundle are read from the left, and are the same bytes."""
    facts, columns = day(), day().columns
    body = cut(facts, fast=True)[0].body.tolist()
    repeated = [row for row, number in enumerate(body) if number in body[:row]]
    for row in repeated[::30]:
        bundle, end = facts.position[row] // 256, int(columns["offset"][row] + facts.length[row])
        bundles = {
            number: facts.bundle(number) for number in {place // 256 for place in facts.position}
        }
        bundles[bundle] = bundles[bundle][:end]
        short, bodies = cut(replace(facts, bundle=bundles.__getitem__), fast=True)
        assert short.body[row] != UNREAD
        spans = bodies.spans
        assert len({*zip(spans.owners.tolist(), spans, strict=False)}) == len(spans)
        assert len({*short.texts}) == len(short.texts)


@given(st.lists(st.binary(max_size=40), max_size=60))
def test_numbers_stand_for_bytes(texts: list[bytes]) -> None:
    from ledger.replay import fact_columns_fast

    spans = ByteSpans()
    numbers: dict[bytes, int] = {}
    for text in texts:
        if spans.reserve(300, len(text)):
            fact_columns_fast.fill(spans.pool, spans.starts, spans.owners, spans.slots, len(spans))
        if text in numbers:
            continue
        numbers[text] = len(spans)
        start = int(spans.starts[len(spans)])
        spans.pool[start : start + len(text)] = np.frombuffer(text, np.uint8)
        spans.starts[len(spans) + 1] = start + len(text)
        spans.size[0] += 1
    assert {text: number for number, text in enumerate(spans)} == numbers
