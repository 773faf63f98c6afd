"""All rows of a test in one: each is tried, and a failure names each that failed."""

from __future__ import annotations

import inspect
from types import SimpleNamespace
from typing import Any

import pytest

from tests.row_by_row import all_rows, is_a_row_named

TRIED: list[tuple[int, int]] = []


def rows_of(function: Any, *rows: dict[str, int], more: int = 0) -> list[Any]:
    """The tests that pytest makes of rows, with some marks of their own."""
    marks = [*function.pytestmark] + [None] * more
    return [
        SimpleNamespace(
            name=f"{function.__name__}[{number}]",
            own_markers=marks,
            callspec=SimpleNamespace(params=row),
        )
        for number, row in enumerate(rows)
    ]


@pytest.mark.parametrize(("left", "right"), [(1, 1), (1, 2), (2, 2), (2, 0)])
def are_equal(left: int, right: int, words: str) -> None:
    TRIED.append((left, right))
    if right == 0:
        pytest.fail("nothing to compare with")
    assert left == right, words


ROWS = [{"left": 1, "right": 1}, {"left": 1, "right": 2}, {"left": 2, "right": 2}]


def test_each_row_is_tried_and_those_that_fail_are_named() -> None:
    TRIED.clear()
    rows = [*ROWS, {"left": 2, "right": 0}, {"left": 3, "right": 3}]
    whole = all_rows(are_equal, lambda: iter(rows_of(are_equal, *rows)))
    with pytest.raises(
        ExceptionGroup, match=r"2 of 5 rows: are_equal\[1\], are_equal\[3\]"
    ) as failed:
        whole(words="a fixture")
    assert [tuple(row.values()) for row in rows] == TRIED
    first, second = failed.value.exceptions
    assert "a fixture" in str(first)
    assert str(second) == "nothing to compare with"
    assert second.__notes__ == ["in row are_equal[3]"]


def test_rows_that_hold_are_one_test_that_passes() -> None:
    equal = [row for row in ROWS if row["left"] == row["right"]]
    all_rows(are_equal, lambda: iter(rows_of(are_equal, *equal)))(words="x")


def test_it_asks_for_fixtures_and_not_for_columns() -> None:
    whole = all_rows(are_equal, lambda: iter(()))
    assert [*inspect.signature(whole).parameters] == ["words"]
    assert whole.__name__ == "are_equal"


def test_a_row_with_a_mark_of_its_own_is_refused() -> None:
    """It would run where its mark says that it does not."""
    whole = all_rows(are_equal, lambda: iter(rows_of(are_equal, *ROWS, more=1)))
    with pytest.raises(TypeError, match="a test of its own"):
        whole(words="x")


def test_a_row_that_is_named_is_a_test_of_its_own() -> None:
    named = ["tests/test_row_by_row.py::are_equal[1-1]"]
    assert is_a_row_named("are_equal", named)
    assert not is_a_row_named("are", named)
    assert not is_a_row_named("are_equal", ["tests/test_row_by_row.py::are_equal"])


@pytest.mark.row_by_row
@pytest.mark.parametrize("number", range(3))
def test_pytest_collects_it_as_one(number: int, request: pytest.FixtureRequest) -> None:
    assert request.node.name == "test_pytest_collects_it_as_one"
