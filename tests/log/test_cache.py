"""The cache is a shortcut: deleted, stale, damaged or foreign, it never changes an answer."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ledger.log import Arrival, FileLog, open_log, read_log, verify
from tests.log.facts import TIME, arrivals, opened
from tests.log.test_files import begin


def grow(folder: Path) -> None:
    """Two streams, one of them out of order, a conflict, rubbish, and a place in Kafka."""
    with open_log(begin(folder)) as log:
        late = [Arrival(opened(seq, "SB-02")) for seq in (4, 2, 9, 1)]
        kafka = Arrival(opened(61), b"SB-01", "pit.v1", 0, 17)
        log.append([*arrivals(1, 60), *late, kafka, Arrival(b"x")], TIME)
        log.append([Arrival(opened(1, source="T-2"))], TIME)


def answers(folder: Path) -> object:
    """All that is asked of the cache, by a reader."""
    snapshot = read_log(folder)
    index = snapshot.index()
    rows = {stream: index.positions(stream).tolist() for stream in index.streams()}
    gaps = {stream: index.gaps(stream) for stream in index.streams()}
    return rows, gaps, snapshot.last_offsets()


def repeat(folder: Path) -> object:
    """What a writer makes of old and new arrivals."""
    with open_log(folder) as log:
        batch = [*arrivals(1, 61), Arrival(b"x"), Arrival(opened(1, source="T-2"))]
        old = log.append(batch, TIME)
        new = log.append([*arrivals(60, 62), Arrival(opened(2, source="T-3"))], TIME)
        return old, new


@pytest.fixture
def grown(tmp_path: Path) -> Path:
    grow(tmp_path / "a")
    return tmp_path / "a"


def expected(grown: Path) -> tuple[object, object]:
    copy = grown.parent / "expected"
    shutil.copytree(grown, copy)
    shutil.rmtree(copy / "cache")
    return answers(copy), repeat(copy)


def test_deleted(grown: Path) -> None:
    wanted = expected(grown)
    assert (answers(grown), repeat(grown)) == wanted


def test_each_byte_of_each_file_damaged(grown: Path) -> None:
    wanted, _ = expected(grown)
    for path in sorted((grown / "cache").iterdir()):
        raw = path.read_bytes()
        for at in range(0, len(raw), 5):
            path.write_bytes(raw[:at] + bytes([raw[at] ^ 0x10]) + raw[at + 1 :])
            assert answers(grown) == wanted, (path.name, at)
        path.write_bytes(raw[: len(raw) // 2])
        assert answers(grown) == wanted
        path.unlink()
        assert answers(grown) == wanted
        path.write_bytes(raw)


def test_a_writer_with_a_damaged_cache(grown: Path) -> None:
    _, wanted = expected(grown)
    names = [path.name for path in sorted((grown / "cache").iterdir())]
    assert len(names) == 3
    for name in names:
        copy = grown.parent / f"copy-{name}"
        shutil.copytree(grown, copy)
        raw = (copy / "cache" / name).read_bytes()
        (copy / "cache" / name).write_bytes(raw[:8] + b"\x07" + raw[9:])
        assert repeat(copy) == wanted
        assert verify(copy).problem is None


def test_of_an_earlier_state(grown: Path) -> None:
    old = grown.parent / "old-cache"
    shutil.copytree(grown / "cache", old)
    with open_log(grown) as log:
        log.append(arrivals(62, 900), TIME)
    wanted = expected(grown)
    shutil.rmtree(grown / "cache")
    shutil.copytree(old, grown / "cache")
    assert (answers(grown), repeat(grown)) == wanted


def test_of_another_ledger(grown: Path) -> None:
    other = grown.parent / "other"
    with open_log(begin(other)) as log:
        log.append(arrivals(1, 30), TIME)
    wanted = expected(other)
    shutil.rmtree(other / "cache")
    shutil.copytree(grown / "cache", other / "cache")
    assert (answers(other), repeat(other)) == wanted


def test_of_a_longer_ledger_that_was_cut_back(grown: Path) -> None:
    short = grown.parent / "short"
    shutil.copytree(grown, short)
    wanted = expected(short)
    with open_log(grown) as log:
        log.append(arrivals(62, 400), TIME)
    shutil.rmtree(short / "cache")
    shutil.copytree(grown / "cache", short / "cache")
    assert (answers(short), repeat(short)) == wanted


def test_a_reader_writes_nothing(grown: Path) -> None:
    shutil.rmtree(grown / "cache")
    answers(grown)
    assert not (grown / "cache").exists()


def test_memory_does_not_grow_with_events(grown: Path) -> None:
    def kept(log: FileLog) -> int:
        known, _ = log.snapshot.learnt()
        return sum(len(spans.lows) for spans in known.keys.values())

    with open_log(grown) as log:
        before = kept(log)
        log.append(arrivals(62, 40_000), TIME)
        assert kept(log) == before
        rows = log.index().table["SB-01"]
        assert rows.count == 40_000
        assert len(rows.tail) * 2 < rows.count * 24
