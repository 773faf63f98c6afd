"""Rows that are tried by turns: each has its turn, and a turn has some of each line of a table."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from tests.by_turns import PLACES, TURN, is_in_turn, pytest_itemcollected


@pytest.mark.parametrize(("rows", "share"), [(12, 3), (25, 8), (7, 2), (3, 3), (2, 5)])
def test_each_row_has_its_turn_in_so_many_days(rows: int, share: int) -> None:
    turns = Counter(
        row for turn in range(share) for row in range(rows) if is_in_turn(row, share, turn)
    )
    assert turns == dict.fromkeys(range(rows), 1)


def test_a_turn_has_each_line_and_each_column_of_a_table() -> None:
    for turn in range(3):
        cells = [divmod(place, 3) for place in range(12) if is_in_turn(place, 3, turn)]
        assert [line for line, _ in cells] == [0, 1, 2, 3]
        assert {column for _, column in cells} == {0, 1, 2}


class Row:
    """A row of a test, as pytest collects it."""

    def __init__(self, config: pytest.Config, name: str, *marks: pytest.MarkDecorator) -> None:
        self.config, self.nodeid = config, f"tests/test_file.py::{name}"
        self.marks = {mark.name: mark.mark for mark in marks}

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self.marks.get(name)

    def add_marker(self, mark: pytest.MarkDecorator) -> None:
        self.marks[mark.name] = mark.mark


def test_rows_that_are_not_in_turn_are_left_to_the_long_run(
    monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    monkeypatch.setitem(pytestconfig.stash._storage, PLACES, Counter())
    monkeypatch.setenv(TURN, "4")
    turns, full = pytest.mark.by_turns(2), pytest.mark.full
    first = set()
    for name in ("test_one", "test_two", "test_three", "test_four"):
        rows = [
            Row(pytestconfig, f"{name}[{number}]", turns, *([full] if number == 1 else []))
            for number in range(5)
        ]
        for row in rows:
            pytest_itemcollected(row)  # type: ignore[arg-type]
        left = ["full" in row.marks for row in rows]
        assert left in ([False, True, True, True, False], [True, True, False, False, True])
        first.add(left[0])
    assert first == {False, True}
    plain = Row(pytestconfig, "test_plain[9]")
    pytest_itemcollected(plain)  # type: ignore[arg-type]
    assert "full" not in plain.marks


def test_the_turn_of_a_run_is_that_of_all_its_workers() -> None:
    assert os.environ[TURN].isdigit()
