"""The page of machines is what the recorded figures give."""

from __future__ import annotations

from tests.benchmarks.figures import read
from tests.benchmarks.machines import (
    FACTS_OF_A_TABLE_DAY,
    HISTORIES,
    PAGE,
    cells,
    hours,
    rendered,
    rounded,
    size,
)


def test_the_page_is_what_the_figures_give() -> None:
    assert PAGE.read_text(encoding="utf-8") == rendered(read())


def test_figures_are_short() -> None:
    assert [rounded(n) for n in (0.123, 1, 9.96, 99.9, 12_345)] == [
        "0.12",
        "1",
        "10",
        "100",
        "12,000",
    ]
    assert [hours(s) for s in (59, 3600, 360_000)] == ["59 s", "1 h", "100 h"]
    assert [size(n) for n in (5, 12_300, 4.56e12, 7e15)] == ["5 B", "12 kB", "4.6 TB", "7 PB"]


def test_twice_the_rate_takes_half_the_machines() -> None:
    """With rates that make the sums easy: a fact a core second, a byte a fact."""
    labels = (
        "judged by a worker",
        "taken in, joined and listed by the client",
        "a task to a worker",
        "its answer",
        "ledger on disk",
        "through a scheduler and back",
    )
    year = HISTORIES[0]
    assert year.facts == 36_500 * FACTS_OF_A_TABLE_DAY
    slow = list(cells(year, dict.fromkeys(labels, 1.0)))
    fast = list(cells(year, dict.fromkeys(labels, 1.0) | {"judged by a worker": 2.0}))
    assert slow[2:4] == ["130,000 h", "111"]
    assert fast[2:4] == ["63,000 h", "56"]
    assert slow[5:9] == ["460 MB", "460 MB", "460 MB", "460 MB"]
