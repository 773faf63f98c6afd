"""One table as it grows: the page of each moment is that from nothing, and each fact is judged once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from ledger.events import BettingOpened, Fact, GamingDayClosed
from ledger.reports.watch_output import table_now_data
from ledger.watch import TablePage, table_now
from tests.analytics import given
from tests.engine import of_tables


@pytest.fixture(scope="module")
def facts() -> list[Fact]:
    """A short day of two tables that is not closed."""
    drawn = of_tables(given.facts("overpaid@SB-01", scale=0.02), "SB-01", "SB-02")
    return [fact for fact in drawn if type(fact) is not GamingDayClosed]


def shown(folder: Path, page: TablePage) -> None:
    """Look at the page, and hold it against one from nothing."""
    standing = page.grown()
    assert standing is not None
    assert page.grown() is None
    assert table_now_data(standing) == table_now_data(table_now(folder, "SB-01"))


def test_what_comes_in_order_is_judged_once(facts: list[Fact], tmp_path: Path) -> None:
    folder = given.ledger(tmp_path / "ledger", facts[: len(facts) // 3])
    page = TablePage(folder, "SB-01")
    shown(folder, page)
    for start in range(len(facts) // 3, len(facts), 250):
        given.append(folder, facts[start : start + 250])
        shown(folder, page)
    assert page.plays == 1


@pytest.mark.parametrize("seed", range(2))
def test_what_comes_late_is_shown_as_from_nothing(
    facts: list[Fact], tmp_path: Path, seed: int
) -> None:
    """Facts are held back, among them one that opens a gap, and come in random batches."""
    rng = Random(seed)
    first = len(facts) // 3
    late = rng.sample(facts[first:], 8)
    on_time = [fact for fact in facts if fact not in late]
    folder = given.ledger(tmp_path / "ledger", on_time[:first])
    page = TablePage(folder, "SB-01")
    shown(folder, page)
    cuts = sorted(rng.sample(range(first + 1, len(on_time)), 3))
    for low, high in zip([first, *cuts], [*cuts, len(on_time)], strict=True):
        given.append(folder, [*on_time[low:high], late.pop(), late.pop()])
        shown(folder, page)


def test_the_last_rounds_stand_there_also_after_a_late_fact(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It judges on from a state within the day, and that has the rounds before it."""
    monkeypatch.setattr("ledger.watch.table_watch.STATE_EVERY", 16)
    drawn = of_tables(given.facts(scale=0.06), "SB-01")
    facts = [fact for fact in drawn if type(fact) is not GamingDayClosed]
    openings = [at for at, fact in enumerate(facts) if type(fact) is BettingOpened]
    late = facts.pop(openings[19] + 1)
    folder = given.ledger(tmp_path / "ledger", facts[: openings[22]])
    page = TablePage(folder, "SB-01")
    shown(folder, page)
    given.append(folder, [late])
    shown(folder, page)
    assert page.plays == 2


def test_the_page_of_a_table_goes_on_into_the_next_day(facts: list[Fact], tmp_path: Path) -> None:
    day = 24 * 3_600_000_000
    last = max(fact.seq for fact in facts if fact.stream == "SB-01")
    mine = [fact for fact in facts if fact.stream == "SB-01"]
    again = [replace(fact, seq=last + fact.seq, event_time=fact.event_time + day) for fact in mine]
    folder = given.ledger(tmp_path / "ledger", facts)
    page = TablePage(folder, "SB-01")
    shown(folder, page)
    for low, high in ((0, 60), (60, 300)):
        given.append(folder, again[low:high])
        shown(folder, page)
