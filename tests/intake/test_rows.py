"""The compiled way reads rows as the readable way does; and both refuse the same ones."""

from __future__ import annotations

import csv
import io
import tracemalloc
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from ledger.codec import NotAFact
from ledger.intake import load_profile
from ledger.intake.cells import CellWrong
from ledger.intake.profile_columns import Profile
from ledger.intake.rows import Remark, RowFault, RowReader
from ledger.intake.rows_fast import Remembered, compile_rows
from ledger.intake.sheet import Sheet, SheetRow
from ledger.kernel import PropertyClock
from tests.intake.given import PROFILES, sample

CLOCK = PropertyClock("America/New_York", 360)
ODD = ("", " ", "x", "=1", "-1", "0", "7", "$5", "(5)", "1,000.00", "06/12/2021", "2021-06-12", "01:30", "25:00",
       "won", "lost", "a;b", "1-2", "UNRECOGNISED", "é" * 300, "9" * 25, "\x00", "SB/01/x", "C-0000001-4")  # fmt: skip
PLAIN = [name for name in PROFILES if not load_profile(name).group]


def rows(text: str) -> tuple[list[str], list[list[str]]]:
    head, *body = csv.reader(io.StringIO(text))
    return head, body


def reader(profile: Profile, head: list[str]) -> RowReader:
    at = {cell: place for place, cell in enumerate(head)}
    columns = {
        name: at[heading]
        for name, column in profile.columns.items()
        for heading in column.headings
        if heading in at
    }
    return RowReader(profile, CLOCK, columns)


def both(profile: Profile, head: list[str], body: list[list[str]]) -> list[tuple[Any, Any]]:
    """What the readable and the compiled way make of each row; None for a refused one."""
    slow, quick = reader(profile, head), reader(profile, head)
    compiled = compile_rows(quick)
    out = []
    for number, cells in enumerate(body, 2):
        one = next(iter(slow.read_row(SheetRow(number, cells))))
        readable = None if isinstance(one[0], RowFault) else one
        try:
            out.append((readable, compiled(number, cells)))
        except (CellWrong, NotAFact):
            out.append((readable, None))
    if all(readable is not None for readable, _ in out):
        assert slow.totals == quick.totals
    return out


@pytest.mark.row_by_row
@pytest.mark.parametrize("name", PLAIN)
def test_the_samples(name: str) -> None:
    head, body = rows(sample(name))
    for readable, compiled in both(load_profile(name), head, body):
        assert compiled == readable
        assert compiled


@pytest.mark.row_by_row
@pytest.mark.parametrize("name", PLAIN)
def test_rows_with_anything_in_any_cell(name: str) -> None:
    chance = Random(7)
    head, body = rows(sample(name))
    changed = []
    for _ in range(300):
        row = list(chance.choice(body))
        for _ in range(chance.choice((1, 1, 2))):
            row[chance.randrange(len(row))] = chance.choice(ODD)
        changed.append(row)
    made = both(load_profile(name), head, changed)
    for cells, (readable, compiled) in zip(changed, made, strict=True):
        assert compiled == readable, cells
    assert any(readable for readable, _ in made)
    assert any(readable is None for readable, _ in made)


def test_what_else_must_hold_of_a_row_is_asked_both_ways() -> None:
    asked: list[dict[str, Any]] = []

    def check(values: Mapping[str, Any]) -> Iterator[Remark]:
        asked.append(dict(values))
        odd = values["wager_id"] == "W-1"
        yield from [Remark("wager_id", "odd", "seen before", is_refused=False)] * odd
        if values["serial"].endswith("2"):
            yield Remark("serial", "not_ours", "no series has it")

    head, body = rows(sample("coupon-redeem"))
    given = [SheetRow(number, cells) for number, cells in enumerate(body, 2)]
    slow, quick = (replace(reader(load_profile("coupon-redeem"), head), check=check) for _ in "12")
    readable = [found for row in given for found in slow.read_row(row)]
    seen, asked = asked, []
    assert list(quick.read(Sheet(quick.columns, (), iter(given)), compile_rows(quick))) == readable
    bad = [found[0] for found in readable if isinstance(found[0], RowFault)]
    assert {one.code for one in bad} == {"not_ours"}
    assert 0 < len(bad) < len(body)
    assert slow.totals == quick.totals
    assert slow.warnings == quick.warnings
    assert [(warning.row, warning.cell) for warning in slow.warnings] == [(2, "W-1")]
    assert [one for at, one in enumerate(asked) if one not in asked[:at]] == seen


def test_what_is_remembered_has_its_room() -> None:
    asked = []
    held = Remembered(lambda one: asked.append(one) or one * 2, room=2)
    assert [held[n] for n in (1, 2, 3, 1, 3)] == [2, 4, 6, 2, 6]
    assert asked == [1, 2, 3, 1]  # all were forgotten for the third
    assert len(held) == 2


def test_rows_of_a_group_must_agree_and_are_cut_into_parts() -> None:
    from ledger.codec import decode
    from ledger.events import CouponsCounted

    profile = load_profile("coupon-count")
    head, body = rows(sample("coupon-count"))
    many = [[*body[0][:6], f"C-{number:07d}-1", *body[0][7:]] for number in range(801)]
    one = reader(profile, head)
    for number, cells in enumerate(many, 2):
        assert not list(one.read_row(SheetRow(number, cells)))
    facts = [decode(fact[4]) for found in one._groups() for fact in found]  # type: ignore[misc]
    assert all(isinstance(fact, CouponsCounted) for fact in facts)
    assert [(f.part, f.parts, len(f.ranges)) for f in facts] == [
        (1, 3, 400),
        (2, 3, 400),
        (3, 3, 1),
    ]  # type: ignore[attr-defined]

    other = reader(profile, head)
    list(other.read_row(SheetRow(2, body[0])))
    list(other.read_row(SheetRow(3, [*body[1][:-1], "C-9"])))
    assert [str(fault) for found in other._groups() for fault in found] == [
        "row 2, Counter 2: the rows of one group differ in this column [group_differs]"
    ]
    again = reader(profile, head)
    list(again.read_row(SheetRow(2, body[0])))
    twice = [*body[0][:6], "c 0000001", *body[0][7:]]
    assert [str(fault) for found in again.read_row(SheetRow(3, twice)) for fault in found] == [
        'row 3, Serial: row 2 has the same: "C0000001" [duplicate_key]'
    ]


def test_rows_that_wait_for_their_group_take_no_memory() -> None:
    head, body = rows(sample("coupon-count"))

    def held(count: int) -> int:
        one = reader(load_profile("coupon-count"), head)
        tracemalloc.start()
        try:
            for number in range(count):
                cells = [*body[0][:6], f"C-{number:07d}", *body[0][7:]]
                assert not list(one.read_row(SheetRow(number, cells)))
            return tracemalloc.get_traced_memory()[0]
        finally:
            tracemalloc.stop()
            list(one._groups())

    held(10)
    assert held(3_000) < held(300) + 200_000  # rows kept in memory are 900 bytes each
