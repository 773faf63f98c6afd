"""A time outside the ledger: nothing is found, and the page says so and where the record ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.given import run_here


@pytest.mark.parametrize("when", ["1999-06-12 10:00", "2031-06-12 10:00", "2031-06-12"])
def test_the_page_says_that_the_record_has_no_round_then(folder: Path, when: str) -> None:
    ran = run_here("find", f"SB-01 {when}", "--ledger", str(folder))
    said = " ".join(ran.out.split())
    assert "No round matches. The record has no round there and then; it ends at" in said
    data = run_here("find", f"SB-01 {when}", "--ledger", str(folder), "--format", "json").json
    assert data == []


@pytest.mark.parametrize("when", ["9999-12-31 23:59:59", "0001-01-01 00:00", "2021-13-45"])
def test_a_time_that_no_clock_shows_is_refused(folder: Path, when: str) -> None:
    ran = run_here("find", f"SB-01 {when}\u00b12m", "--ledger", str(folder))
    assert (ran.code, "[search_unclear]" in ran.err) == (2, True), ran.err
