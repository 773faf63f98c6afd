"""A read model that is brought forward is the one that is built anew, row by row and in its order."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import duckdb
import pytest

from ledger.analytics import Projection, build, marts, open_projection
from ledger.events import Fact, GamingDayClosed
from ledger.replay import kept_index
from tests.analytics import given
from tests.engine import of_tables

DAYS = 3


@pytest.fixture(scope="module")
def sent() -> list[Fact]:
    """Three short days of two tables and the coupons, findings planted."""
    facts = given.facts("overpaid", "late_wager", days=DAYS, scale=0.02, coupons=True)
    return of_tables(facts, "SB-01", "DC-01")


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The marts of days that were written since, once for each day."""
    names: list[str] = []
    plain = build.write_mart

    def noting(connection: duckdb.DuckDBPyConnection, mart: build.Mart, folder: Path) -> object:
        names.append(mart.name)
        return plain(connection, mart, folder)

    monkeypatch.setattr(build, "write_mart", noting)
    return names


def content(projection: Projection) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every mart, as they are read."""
    with projection.connect() as connection:
        return {mart.name: connection.execute(f"FROM {mart.name}").fetchall() for mart in marts()}


def both(folder: Path, anew: Path) -> tuple[Projection, Projection]:
    shutil.rmtree(anew, ignore_errors=True)
    return open_projection(folder), open_projection(folder, where=anew)


@pytest.mark.parametrize("seed", range(2))
def test_in_any_batches_and_order(
    seed: int, sent: list[Fact], tmp_path: Path, written: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Facts late by days, closings anywhere; the kept index is cut into many segments."""
    monkeypatch.setattr(kept_index, "KEEP_EVERY", 64)
    rng = random.Random(seed)
    facts = [fact for fact in sent if type(fact) is not GamingDayClosed or rng.random() < 0.7]
    for _ in range(15):
        late = facts.pop(rng.randrange(len(facts)))
        facts.insert(rng.randrange(len(facts)), late)
    folder = given.ledger(tmp_path / "ledger", facts[: len(facts) // 3])
    open_projection(folder)
    cuts = sorted(rng.sample(range(len(facts) // 3, len(facts)), 3))
    for low, high in zip([len(facts) // 3, *cuts], [*cuts, len(facts)], strict=True):
        given.append(folder, facts[low:high])
        forward, anew = both(folder, tmp_path / "anew")
        assert content(forward) == content(anew)
        assert [day.files for day in forward.days] == [day.files for day in anew.days]


def test_only_days_that_say_something_else_are_written(
    sent: list[Fact], tmp_path: Path, written: list[str]
) -> None:
    folder = given.ledger(tmp_path / "ledger", sent[:-1])
    open_projection(folder)
    assert written.count("rounds") == DAYS
    given.append(folder, sent[-1:])
    written.clear()
    open_projection(folder)
    assert written.count("rounds") == 1


def test_a_file_that_is_damaged_is_written_again_and_no_other(
    sent: list[Fact], tmp_path: Path, written: list[str]
) -> None:
    folder = given.ledger(tmp_path / "ledger", sent)
    before = content(open_projection(folder))
    damaged = sorted((folder / "cache" / "marts").glob("wagers.*"))[0]
    damaged.write_bytes(b"half")
    written.clear()
    assert content(open_projection(folder, is_read_whole=True)) == before
    assert written.count("rounds") == 1
