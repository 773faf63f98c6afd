"""A replay of files: what was changed is named, and processes share the work."""

from __future__ import annotations

import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from ledger.kernel import IntegrityBroken
from ledger.log import init, open_log, read_log
from ledger.replay import Replay
from tests.replay.given import START, arrivals, content, fact, memory

TABLES = ("SB-01", "SB-02")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A ledger of three bundles."""
    path = tmp_path / "ledger"
    init(path, origin="floor", property="Test", record_time=START)
    facts = [
        fact(stream, seq) for seq in range(1, 301) for stream in (*TABLES, "house") if seq % 97
    ]
    with open_log(path) as log:
        log.append(arrivals(facts), START)
    return path


def flip(path: Path, at: int) -> None:
    """Change one bit of a file."""
    data = bytearray(path.read_bytes())
    data[at] ^= 4
    path.write_bytes(data)


def test_files_and_memory_walk_alike(folder: Path) -> None:
    facts = [
        fact(stream, seq) for stream in (*TABLES, "house") for seq in range(1, 301) if seq % 97
    ]
    files, held = Replay.open(folder), Replay(memory(facts))
    assert content(files.walk(files.streams())) == content(held.walk(held.streams()))
    assert (files.size, files.root) == (read_log(folder).size, read_log(folder).root)
    assert files.prefix_hash("SB-01", 200) == held.prefix_hash("SB-01", 200)


def bundle_bytes(folder: Path) -> list[tuple[Path, int]]:
    bundles = sorted(path for path in (folder / "tile" / "entries").rglob("*") if path.is_file())
    return [(path, at) for path in bundles for at in range(3, path.stat().st_size, 4999)]


def test_a_flipped_bit_stops_the_replay_at_its_position(folder: Path) -> None:
    for path, at in bundle_bytes(folder):
        flip(path, at)
        with pytest.raises(IntegrityBroken) as refusal:
            Replay.open(folder)
        assert refusal.value.exit_code == 4
        assert "position" in str(refusal.value.where)
        flip(path, at)
    assert Replay.open(folder).facts > 0


def test_a_bit_flipped_after_the_index_stops_the_walk(folder: Path) -> None:
    path = folder / "tile" / "entries" / "001"
    replay = Replay.open(folder)
    steps = replay.walk(["SB-01"])
    next(steps)
    flip(path, 5000)
    with pytest.raises(IntegrityBroken, match="signed") as refusal:
        list(steps)
    assert int(str(refusal.value.where).removeprefix("position ").partition(",")[0]) // 256 == 1


def test_a_replay_stands_still_while_the_ledger_grows(folder: Path) -> None:
    replay = Replay.open(folder)
    before = list(replay.walk(replay.streams()))
    with open_log(folder) as log:
        log.append(arrivals(fact("SB-01", seq) for seq in range(301, 900)), START + 9)
    copy = pickle.loads(pickle.dumps(Replay.open(folder)))
    assert list(pickle.loads(pickle.dumps(replay)).walk(replay.streams())) == before
    assert list(replay.walk(replay.streams())) == before
    assert copy.facts == replay.facts + 599


def test_a_copy_refuses_a_ledger_that_was_replaced(folder: Path, tmp_path: Path) -> None:
    taken = pickle.dumps(Replay.open(folder))
    folder.rename(tmp_path / "away")
    init(folder, origin="floor", property="Test", record_time=START)
    with open_log(folder) as log:
        log.append(arrivals(fact("SB-01", seq) for seq in range(1, 1000)), START)
    with pytest.raises(IntegrityBroken, match="no longer begins"):
        pickle.loads(taken)


def test_a_replay_in_memory_is_not_copied() -> None:
    with pytest.raises(TypeError, match=r"Replay\.open"):
        pickle.dumps(Replay(memory([])))


def table_content(replay: Replay, table: str) -> list[object]:
    streams = [*replay.tables()[table], *replay.offices()["house"]]
    return [*content(replay.walk(streams)), replay.prefix_hash(table, 250)]


def test_two_processes_see_what_one_sees(folder: Path) -> None:
    replay = Replay.open(folder)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        split = list(pool.map(table_content, [replay, replay], TABLES))
    assert split == [table_content(replay, table) for table in TABLES]
