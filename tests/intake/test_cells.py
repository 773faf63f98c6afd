"""Every kind of cell, on both sides of each edge."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, time
from typing import Any

import pytest

from ledger.intake.cells import (
    MOST_CHARACTERS,
    CellWrong,
    Dates,
    bare_serial,
    choice,
    clock,
    milliseconds,
    money,
    serial,
    several,
    shown,
    text,
    whole,
)

DOLLARS = money(".", "dollars", 0)
SIGNED = money(".", "dollars", None)
EUROPEAN = money(",", "dollars", None)
CENTS = money(".", "cents", 0)
FACE = whole(1, 6)
ANY = whole(None, None)


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("read", "cell", "value"),
    [
        (text, "SB-01", "SB-01"), (text, "Ramón", "Ramón"), (text, "a=b", "a=b"),
        (text, "x" * MOST_CHARACTERS, "x" * MOST_CHARACTERS),
        (FACE, "1", 1), (FACE, "6", 6), (FACE, "06", 6), (ANY, "-12", -12), (ANY, "+12", 12),
        (ANY, "1,234", 1234), (ANY, "1,234,567", 1_234_567), (ANY, "9" * 18, int("9" * 18)),
        (DOLLARS, "50", 5000), (DOLLARS, "$50", 5000), (DOLLARS, "$ 50.5", 5050), (DOLLARS, "0.01", 1),
        (DOLLARS, "US$1,250.00", 125_000), (DOLLARS, "1,250 USD", 125_000), (DOLLARS, "0", 0),
        (SIGNED, "(50.00)", -5000), (SIGNED, "($1,250.75)", -125_075), (SIGNED, "-$3", -300), (SIGNED, "$-3", None),
        (SIGNED, "+3.10", 310),
        (EUROPEAN, "1.250,00", 125_000), (EUROPEAN, "1 250,5", 125_050), (EUROPEAN, "7", 700),
        (CENTS, "5000", 5000), (CENTS, "5,000", 5000),
        (milliseconds, "12", 12_000), (milliseconds, "-0.5", -500), (milliseconds, "+1.234", 1_234),
        (serial, " c-00 01 ", "C-0001"),
        (clock, "21:43", time(21, 43)), (clock, "9:05:07", time(9, 5, 7)), (clock, "21:43:10.5", time(21, 43, 10, 500_000)),
        (clock, "12:00 AM", time(0)), (clock, "12:00 pm", time(12)), (clock, "9:43:10 P.M.", time(21, 43, 10)), (clock, "23:59:59.999999", time(23, 59, 59, 999_999)),
        (choice({"won": "WON"}), "Won", "WON"),
        (several(";", text), "a; b;", ("a", "b")), (several("-", FACE), "2-3-4", (2, 3, 4)), (several(";", text), ";", ()),
    ],
)  # fmt: skip
def test_a_cell_that_says_something(read: Callable[[str], Any], cell: str, value: Any) -> None:
    if value is None:
        with pytest.raises(CellWrong):
            read(cell)
    else:
        assert read(cell) == value


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("read", "cell", "code"),
    [
        (text, "=A1+1", "formula"), (text, "@SUM(A1)", "formula"), (text, "+cmd|x", "formula"), (text, "-x", "formula"), (text, "\tx", "formula"),
        (text, "x" * (MOST_CHARACTERS + 1), "too_long"), (text, "a\x07b", "unprintable"), (text, "a\nb", "unprintable"), (text, "a\x1fb", "unprintable"),
        (FACE, "0", "out_of_range"), (FACE, "7", "out_of_range"), (FACE, "=1+1", "formula"),
        (ANY, "1.0", "not_a_number"), (ANY, "1,23", "not_a_number"), (ANY, "9" * 19, "not_a_number"), (ANY, "٣", "not_a_number"), (ANY, "1e3", "not_a_number"), (ANY, "six", "not_a_number"),
        (DOLLARS, "-1", "out_of_range"), (DOLLARS, "(1)", "out_of_range"), (DOLLARS, "1.005", "not_an_amount"), (DOLLARS, "1,25", "not_an_amount"),
        (DOLLARS, "1.250,00", "not_an_amount"), (DOLLARS, "€5", "not_an_amount"), (DOLLARS, "=5", "formula"), (DOLLARS, "", "not_an_amount"),
        (DOLLARS, "((5))", "not_an_amount"), (DOLLARS, "(-5)", "not_an_amount"), (DOLLARS, "$", "not_an_amount"), (DOLLARS, "1" * 16, "not_an_amount"),
        (EUROPEAN, "1,250.00", "not_an_amount"), (CENTS, "50.00", "not_an_amount"),
        (milliseconds, "1.2345", "not_a_number"), (milliseconds, "=1", "formula"),
        (serial, "=1", "formula"),
        (clock, "24:00", "not_a_time"), (clock, "21:60", "not_a_time"), (clock, "2143", "not_a_time"), (clock, "13:00 PM", "not_a_time"), (clock, "0:10 AM", "not_a_time"), (clock, "=NOW()", "formula"),
        (choice({"won": "WON"}), "win", "unknown_word"), (choice({"won": "WON"}), "=won", "formula"),
        (several("-", FACE), "2-7-4", "out_of_range"),
    ],
)  # fmt: skip
def test_a_cell_that_says_nothing(read: Callable[[str], Any], cell: str, code: str) -> None:
    with pytest.raises(CellWrong) as wrong:
        read(cell)
    assert wrong.value.code == code
    assert wrong.value.reason


def test_one_serial_number_however_it_is_written() -> None:
    assert bare_serial(serial("c-0001 4")) == bare_serial(serial("C.00014")) == "C00014"


def test_the_first_date_says_the_style_of_a_file() -> None:
    dates = Dates(("%Y-%m-%d", "%m/%d/%Y", "%d/%m/%Y"))
    assert dates("06/12/2021") == date(2021, 6, 12)
    assert dates("06/12/2021") == date(2021, 6, 12)
    for cell in ("25/12/2021", "2021-06-13"):
        with pytest.raises(CellWrong) as wrong:
            dates(cell)
        assert (wrong.value.code, wrong.value.reason) == (
            "two_date_styles",
            "other dates in this file are written MM/DD/YYYY",
        )
    assert Dates(("%Y-%m-%d", "%d/%m/%Y"))("25/12/2021") == date(2021, 12, 25)


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("06/31/2021", "not_a_date"),
        ("June", "not_a_date"),
        ("=TODAY()", "formula"),
        ("44359", "not_a_date"),
    ],
)
def test_no_date(cell: str, code: str) -> None:
    with pytest.raises(CellWrong) as wrong:
        Dates(("%Y-%m-%d", "%m/%d/%Y"))(cell)
    assert wrong.value.code == code


def test_a_style_as_people_write_it() -> None:
    assert shown("%d %b %Y, %H:%M") == "DD Jun YYYY, hh:mm"
