"""Rows that cost milliseconds are one test: the mark ``row_by_row`` of a parametrized test.

A test for each row is collected by every worker, sent, run and shown, for more work than the row
itself. Under the mark one test tries all rows, to the last, and a failure names each that failed. A
row that is named on the command line (``test_file.py::test_name[row]``) is a test of its own.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest

MARK: Final = "row_by_row"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        f"{MARK}: one test tries all rows of the parametrized test and names those that fail",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(
    collector: pytest.Module | pytest.Class, name: str, obj: object
) -> pytest.Function | None:
    """One test for all rows, where a test has the mark and none of its rows is named."""
    if not inspect.isfunction(obj) or MARK not in {mark.name for mark in marks_of(obj)}:
        return None
    if is_a_row_named(name, collector.config.args):
        return None
    whole = all_rows(obj, lambda: collector._genfunctions(name, obj))
    return pytest.Function.from_parent(collector, name=name, callobj=whole)


def marks_of(function: Callable[..., None]) -> list[pytest.Mark]:
    """The marks of a test, as pytest keeps them."""
    return getattr(function, "pytestmark", [])


def is_a_row_named(name: str, addresses: list[str]) -> bool:
    """Whether an address of the command line names a row of a test."""
    return any(f"::{name}[" in address for address in addresses)


def all_rows(
    function: Callable[..., None], tests: Callable[[], Iterator[Any]]
) -> Callable[..., None]:
    """A test that tries each row; fixtures that the rows use are made once, for all of them.

    Args:
        function: the parametrized test.
        tests: the tests that pytest would make of it; asked for when it runs.
    """
    marks = [mark for mark in marks_of(function) if mark.name != "parametrize"]
    columns = {
        column
        for mark in marks_of(function)
        if mark.name == "parametrize"
        for column in names_of(mark.args[0])
    }

    def whole(**fixtures: Any) -> None:
        failures = []
        rows = list(tests())
        for row in rows:
            if len(row.own_markers) > len(marks_of(function)):
                raise TypeError(f"a row with a mark of its own is a test of its own: {row.name}")
            try:
                function(**fixtures, **row.callspec.params)
            except (Exception, pytest.fail.Exception) as failure:
                reason = failure if isinstance(failure, Exception) else AssertionError(str(failure))
                reason.add_note(f"in row {row.name}")
                failures.append(reason)
        if failures:
            names = ", ".join(reason.__notes__[-1].removeprefix("in row ") for reason in failures)
            raise ExceptionGroup(f"{len(failures)} of {len(rows)} rows: {names}", failures)

    functools.update_wrapper(whole, function)
    signature = inspect.signature(function)
    kept = [part for name, part in signature.parameters.items() if name not in columns]
    whole.__signature__ = signature.replace(parameters=kept)
    whole.pytestmark = marks
    return whole


def names_of(columns: Any) -> list[str]:
    """The names of the columns of a ``parametrize``, which may be one text."""
    if isinstance(columns, str):
        return [name.strip() for name in columns.split(",")]
    return list(columns)
