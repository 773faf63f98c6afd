"""The projection is the ledger's, whole, and swapped in one step: or it is built anew."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import duckdb
import pytest

from ledger.analytics import (
    CacheUnwritable,
    Projection,
    ProjectionBroken,
    ProjectionStale,
    ProjectionState,
    inspect_projection,
    open_projection,
    rebuild_projection,
    run_select,
)
from ledger.analytics.marts import Mart
from ledger.events import Fact
from ledger.log import LedgerMissing, Signer
from ledger.log.signed_file_index import SealedFolder, Seals, content_of
from tests.analytics import given

READER = """
import sys, time, duckdb
connection = duckdb.connect(sys.argv[1], read_only=True)
first = connection.execute("SELECT tree_size FROM projection").fetchone()[0]
print("open", first, flush=True)
sys.stdin.readline()
print(connection.execute("SELECT tree_size FROM projection").fetchone()[0], flush=True)
print(connection.execute("SELECT count(*) FROM rounds").fetchone()[0], flush=True)
"""


@pytest.fixture(scope="module")
def sent() -> list[Fact]:
    return given.facts(scale=0.02)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory, sent: list[Fact]) -> Path:
    """A small ledger with its projection, to be copied."""
    folder = given.ledger(tmp_path_factory.mktemp("model") / "ledger", sent[: len(sent) // 2])
    open_projection(folder)
    return folder


@pytest.fixture
def small(model: Path, tmp_path: Path) -> Path:
    return shutil.copytree(model, tmp_path / "ledger")


def counts(found: Projection) -> list[tuple[int, ...]]:
    with found.connect() as connection:
        return connection.execute(
            "SELECT (SELECT count(*) FROM rounds), (SELECT count(*) FROM wagers), (SELECT count(*) FROM findings)"
        ).fetchall()


def state(folder: Path) -> ProjectionState:
    return inspect_projection(folder)[0]


def file(folder: Path) -> Path:
    return folder / "cache" / "projection.duckdb"


def flip(path: Path, place: int) -> None:
    with path.open("r+b") as opened:
        opened.seek(place)
        (byte,) = opened.read(1)
        opened.seek(place)
        opened.write(bytes([byte ^ 0x10]))


def grow(path: Path) -> None:
    with path.open("ab") as opened:
        opened.write(b"x")


def be_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def with_lost_log(path: Path) -> None:
    """As a crash would leave it: changes in a write-ahead log whose tail is gone."""
    code = (
        "import duckdb, os, sys\n"
        "c = duckdb.connect(sys.argv[1], config={'checkpoint_threshold': '1GB'})\n"
        "c.execute('PRAGMA disable_checkpoint_on_shutdown')\n"
        "c.execute('DELETE FROM wagers')\n"
        "c.execute('DELETE FROM rounds')\n"
        "os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    log = Path(f"{path}.wal")
    os.truncate(log, log.stat().st_size * 2 // 3)


def manifest(**changes: object) -> Callable[[Path], None]:
    """A manifest that says something else, sealed by the ledger's own key."""

    def change(path: Path) -> None:
        sealed = SealedFolder(path.parent, "projection", Seals.of(path.parent.parent))
        stored = sealed.read("projection.json")
        assert stored is not None
        assert sealed.write("projection.json", [json.dumps(json.loads(stored) | changes).encode()])

    return change


def forged(path: Path) -> None:
    """Another database, and a manifest that fits it, without the ledger's key."""
    with duckdb.connect(path) as connection:
        connection.execute("DELETE FROM wagers")
    manifest_path = path.with_suffix(".json")
    content = content_of(manifest_path.read_bytes())
    assert content is not None
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    told = json.dumps(json.loads(content) | {"sha256": digest}).encode()
    forger = Signer("analytics.example", bytes([7]) * 32)
    seals = Seals(forger.verifier, forger)
    end = seals.trailer("projection", manifest_path.name, hashlib.sha256(told).hexdigest())
    manifest_path.write_bytes(told + end)


DAMAGES: dict[str, Callable[[Path], None]] = {
    "the first byte flipped": lambda path: flip(path, 0),
    "a byte of the header flipped": lambda path: flip(path, 4_100),
    "a byte in the middle flipped": lambda path: flip(path, path.stat().st_size // 2),
    "the last byte flipped": lambda path: flip(path, path.stat().st_size - 1),
    "cut in half": cut,
    "emptied": lambda path: os.truncate(path, 0),
    "one byte more": grow,
    "gone": Path.unlink,
    "a log with a lost tail": with_lost_log,
    "an empty log": lambda path: Path(f"{path}.wal").touch(),
    "no manifest": lambda path: path.with_suffix(".json").unlink(),
    "a manifest cut": lambda path: os.truncate(path.with_suffix(".json"), 40),
    "a manifest emptied": lambda path: os.truncate(path.with_suffix(".json"), 0),
    "a manifest with more in it": manifest(more=1),
    "a manifest that is no number": manifest(tree_size="1"),
    "forged with a key of its own": forged,
}


LONG: Final = {
    *("a byte of the header flipped", "the last byte flipped", "emptied", "one byte more"),
    *("an empty log", "a manifest emptied"),
}
"""Damages much like another one: told in the long run."""


@pytest.mark.parametrize(
    "damage",
    [pytest.param(name, marks=[pytest.mark.full] * (name in LONG)) for name in DAMAGES],
)
def test_damage_is_noticed_and_built_anew(small: Path, damage: str) -> None:
    whole = open_projection(small)
    expected = counts(whole)
    assert not whole.rebuilt
    DAMAGES[damage](file(small))
    assert state(small) is ProjectionState.DAMAGED
    with pytest.raises(ProjectionStale):
        open_projection(small, when_stale="refuse")
    found = open_projection(small)
    assert found.rebuilt
    assert counts(found) == expected
    assert state(small) is ProjectionState.FRESH


def test_a_folder_in_its_place_is_a_refusal(small: Path) -> None:
    be_a_folder(file(small))
    with pytest.raises(CacheUnwritable) as refusal:
        open_projection(small)
    assert (refusal.value.code, refusal.value.exit_code) == ("cache_unwritable", 3)


def test_a_ledger_that_grew_is_built_anew(small: Path, sent: list[Fact]) -> None:
    before = open_projection(small)
    given.append(small, sent[len(sent) // 2 :])
    assert state(small) is ProjectionState.BEHIND
    with pytest.raises(ProjectionStale) as refusal:
        run_select(small, "SELECT 1", when_stale="refuse")
    assert (refusal.value.code, refusal.value.exit_code) == ("projection_stale", 3)
    earlier = run_select(small, "SELECT count(*) FROM rounds", when_stale="use")
    assert earlier.tree_size == before.tree_size < earlier.ledger_size
    now = run_select(small, "SELECT count(*) FROM rounds")
    assert now.tree_size == now.ledger_size > before.tree_size
    assert now.rows[0][0] > earlier.rows[0][0]


@pytest.mark.parametrize(
    "changes", [{"duckdb_version": "1.0.0"}, {"code_hash": "0" * 64}], ids=["duckdb", "rules"]
)
def test_another_version_is_built_anew(small: Path, changes: dict[str, str]) -> None:
    manifest(**changes)(file(small))
    assert state(small) is ProjectionState.OTHER_VERSION
    with pytest.raises(ProjectionStale):
        open_projection(small, when_stale="refuse")
    assert open_projection(small, when_stale="use").rebuilt
    assert not open_projection(small).rebuilt


def test_a_projection_of_another_ledger_is_built_anew(
    small: Path, tmp_path: Path, sent: list[Fact]
) -> None:
    other = given.ledger(tmp_path / "other", sent[:-1])
    longer = open_projection(other)
    for name in ("projection.duckdb", "projection.json"):
        shutil.copy(other / "cache" / name, small / "cache" / name)
    assert state(small) is ProjectionState.DAMAGED, "another ledger's key sealed it"
    assert open_projection(small, when_stale="use").tree_size < longer.tree_size
    manifest(root="00" * 32)(file(small))
    assert state(small) is ProjectionState.FOREIGN


def test_what_the_file_says_of_itself_counts_too(small: Path) -> None:
    found = open_projection(small)
    with duckdb.connect(file(small)) as connection:
        connection.execute("UPDATE projection SET tree_size = tree_size - 1")
    with pytest.raises(ProjectionStale):
        found.connect()
    digest = hashlib.sha256(file(small).read_bytes()).hexdigest()
    manifest(sha256=digest)(file(small))
    with pytest.raises(ProjectionStale):
        run_select(small, "SELECT 1")


def test_a_reader_keeps_its_snapshot_while_another_takes_its_place(
    small: Path, sent: list[Fact]
) -> None:
    before = open_projection(small)
    rounds = counts(before)[0][0]
    reader = subprocess.Popen(
        [sys.executable, "-c", READER, str(before.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )  # fmt: skip
    assert reader.stdout is not None
    assert reader.stdout.readline() == f"open {before.tree_size}\n"
    given.append(small, sent[len(sent) // 2 :])
    after = open_projection(small)
    assert after.rebuilt
    told, _ = reader.communicate("go\n", timeout=60)
    assert told.split() == [str(before.tree_size), str(rounds)]
    assert counts(after)[0][0] > rounds


@pytest.mark.full
def test_queries_run_while_another_process_rebuilds(small: Path) -> None:
    expected = counts(open_projection(small))[0][0]
    code = (
        "import sys\nfrom pathlib import Path\nfrom ledger.analytics import rebuild_projection\n"
        "for _ in range(3): rebuild_projection(Path(sys.argv[1]))\n"
    )
    builder = subprocess.Popen(
        [sys.executable, "-c", code, str(small)], cwd=Path(__file__).parents[2]
    )
    asked = 0
    while builder.poll() is None or asked < 2:
        told = run_select(small, "SELECT count(*) FROM rounds", when_stale="use")
        assert told.rows == ((expected,),)
        asked += 1
        time.sleep(0.02)
    assert builder.returncode == 0


def test_two_that_find_it_missing_build_it_one_after_the_other(small: Path) -> None:
    file(small).unlink()
    code = (
        "import sys\nfrom pathlib import Path\nfrom ledger.analytics import open_projection\n"
        "print(open_projection(Path(sys.argv[1])).rebuilt)\n"
    )
    both = [
        subprocess.Popen([sys.executable, "-c", code, str(small)], cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]  # fmt: skip
    assert sorted(one.communicate(timeout=120)[0].strip() for one in both) == ["False", "True"]


def test_a_build_that_was_killed_leaves_no_trace(small: Path) -> None:
    new = small / "cache" / "projection.new.duckdb"
    new.write_bytes(b"half a file")
    Path(f"{new}.wal").write_bytes(b"half a log")
    rebuild_projection(small)
    assert [path.name for path in (small / "cache").iterdir() if ".new" in path.name] == []


def test_what_breaks_its_contract_is_not_published(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = file(small).read_bytes()

    def broken(_: object, mart: Mart) -> None:
        raise ProjectionBroken(mart.name, "every_round_once")

    monkeypatch.setattr("ledger.analytics.build.check", broken)
    with pytest.raises(ProjectionBroken) as refusal:
        rebuild_projection(small)
    assert (refusal.value.code, refusal.value.exit_code) == ("projection_broken", 4)
    assert file(small).read_bytes() == before
    assert not (small / "cache" / "projection.new.duckdb").exists()


def test_it_can_stand_elsewhere(small: Path, tmp_path: Path) -> None:
    found = open_projection(small, where=tmp_path / "elsewhere")
    assert found.path.parent == tmp_path / "elsewhere"
    assert run_select(
        small, "SELECT 1", where=tmp_path / "elsewhere", when_stale="refuse"
    ).rows == ((1,),)


def test_no_place_for_it_is_a_refusal(small: Path) -> None:
    (small / "taken").write_text("a file")
    with pytest.raises(CacheUnwritable) as refusal:
        open_projection(small, where=small / "taken")
    assert (refusal.value.code, refusal.value.exit_code) == ("cache_unwritable", 3)


def test_no_ledger_is_a_refusal(tmp_path: Path) -> None:
    with pytest.raises(LedgerMissing):
        open_projection(tmp_path)
    with pytest.raises(LedgerMissing):
        rebuild_projection(tmp_path)


def test_a_ledger_with_its_projection_verifies(small: Path) -> None:
    from ledger.log import verify

    assert verify(small).problem is None


def test_progress_is_told_by_the_day(small: Path) -> None:
    told: list[tuple[int, int]] = []
    rebuild_projection(small, progress=lambda _, done, days: told.append((done, days)))
    assert told == [(0, 1)]
