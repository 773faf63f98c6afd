"""A read model that is brought forward is the one that is built anew, row by row and in its order."""

from __future__ import annotations

import random
import shutil
from datetime import date
from pathlib import Path

import duckdb
import pytest

from ledger.analytics import build, open_projection
from ledger.analytics.build import TABLES
from ledger.codec import frame
from ledger.events import Fact, GamingDayClosed
from ledger.log import Arrival, open_log
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
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was done: built anew, or brought forward."""
    done: list[str] = []
    for name in ("build", "bring_forward"):
        plain = getattr(build, name)

        def counting(*words: object, name: str = name, plain: object = plain, **more: object) -> object:  # fmt: skip
            done.append(name)
            return plain(*words, **more)  # type: ignore[operator]

        monkeypatch.setattr(build, name, counting)
    return done


def content(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table, as they lie in the file."""
    with duckdb.connect(path, read_only=True) as connection:
        names = sorted(
            f"{schema}.{name}" for schema, name, _ in connection.execute(TABLES).fetchall()
        )
        return {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in names}  # fmt: skip


def both(folder: Path, anew: Path) -> tuple[dict[str, list[tuple[object, ...]]], ...]:
    shutil.rmtree(anew, ignore_errors=True)
    forward = open_projection(folder)
    fresh = open_projection(folder, where=anew)
    return content(forward.path), content(fresh.path)


@pytest.mark.parametrize("seed", range(2))
def test_in_any_batches_and_order(
    seed: int,
    sent: list[Fact],
    tmp_path: Path,
    made: list[str],
    monkeypatch: pytest.MonkeyPatch,
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
        made.clear()
        forward, anew = both(folder, tmp_path / "anew")
        assert made == ["bring_forward", "build"]
        for name, rows in anew.items():
            assert forward[name] == rows, name


def test_only_days_that_say_something_else_are_laid_down(
    sent: list[Fact], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = given.ledger(tmp_path / "ledger", sent[:-1])
    open_projection(folder)
    given.append(folder, sent[-1:])
    laid: list[date] = []
    add = build.StagingBatches.add

    def noting(self: build.StagingBatches, table: str, row: build.Row) -> None:
        if table == "digests":
            assert isinstance(row[0], date)
            laid.append(row[0])
        add(self, table, row)

    monkeypatch.setattr(build.StagingBatches, "add", noting)
    open_projection(folder)
    assert len(laid) == 1


def test_a_day_that_is_gone_is_gone(sent: list[Fact], tmp_path: Path) -> None:
    """The only facts of a far day are taken back: nothing of it stays."""
    folder = given.ledger(tmp_path / "ledger", sent)
    before = content(open_projection(folder).path)
    shutil.copytree(folder / "cache", tmp_path / "cache")
    with duckdb.connect(folder / "cache" / "projection.duckdb") as connection:
        connection.execute("INSERT INTO staging.digests VALUES (DATE '2031-01-01', 'x')")
        connection.execute("INSERT INTO staging.stays SELECT DATE '2031-01-01', * EXCLUDE gaming_day FROM staging.stays LIMIT 1")  # fmt: skip
    copy = tmp_path / "copy.duckdb"
    shutil.copyfile(folder / "cache" / "projection.duckdb", copy)
    replay = kept_replay(folder)
    build.bring_forward(
        replay, copy, tmp_path / "fresh.duckdb", code_hash=about(before), cache=None
    )
    assert content(copy) == before


def about(tables: dict[str, list[tuple[object, ...]]]) -> str:
    (row,) = tables["main.projection"]
    return str(row[3])


def kept_replay(folder: Path) -> build.Replay:
    return build.Replay.open(folder)


def test_what_a_killed_one_left_is_no_harm(sent: list[Fact], tmp_path: Path) -> None:
    folder = given.ledger(tmp_path / "ledger", sent[:-20])
    open_projection(folder)
    (folder / "cache" / "projection.fresh.duckdb").write_bytes(b"half")
    (folder / "cache" / "projection.new.duckdb").write_bytes(b"half")
    with open_log(folder) as log:
        log.append([Arrival(frame(fact)) for fact in sent[-20:]], given.RECORDED_AT)
    forward, anew = both(folder, tmp_path / "anew")
    assert forward == anew
    assert not list((folder / "cache").glob("*.new.*")) + list((folder / "cache").glob("*.fresh.*"))
