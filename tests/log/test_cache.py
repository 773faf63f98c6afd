"""The cache is a shortcut: deleted, stale, damaged or foreign, it never changes an answer."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from ledger.log import (
    Arrival,
    FileLog,
    Signer,
    cache,
    index,
    open_log,
    read_log,
    rotate_key,
    verify,
)
from ledger.log.signed_file_index import Seals, content_of
from tests.log.facts import ORIGIN, TIME, arrivals, opened
from tests.log.test_file_log import begin


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
    assert len(names) == 4
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
        known, _ = log.snapshot.entries_state()
        return sum(len(spans.lows) for spans in known.keys.values())

    with open_log(grown) as log:
        before = kept(log)
        log.append(arrivals(62, 40_000), TIME)
        assert kept(log) == before
        rows = log.index().table["SB-01"]
        assert rows.count == 40_000
        assert len(rows.places) * 2 < rows.count * 8


def test_an_order_that_breaks_after_it_was_stored(tmp_path: Path) -> None:
    """Numbers that only rose need no file; those that come late later on do, and all before them.

    Who read what was known before goes on reading it."""
    folder, gap = tmp_path / "a", [Arrival(opened(seq)) for seq in (*range(1, 40), *range(50, 90))]
    with open_log(begin(folder)) as log:
        log.append(gap, TIME)
    early = read_log(folder).index()
    for late in ([45, 44], [95, 94, 40], [96, 43]):
        with open_log(folder) as log:
            log.append([Arrival(opened(seq)) for seq in late], TIME)
            assert log.append(gap, TIME).repeated == len(gap)
        rows = read_log(folder).index().positions("SB-01").tolist()
        assert rows == cache.rebuild_index(read_log(folder)).positions("SB-01").tolist()
        assert [seq for seq, _ in rows] == sorted({seq for seq, _ in rows})
    assert len(early.positions("SB-01")) == len(gap)
    assert cache.rebuild_index(read_log(folder)).dates == read_log(folder).index().dates


# ---------------------------------------------------------------- forged

Forge = Callable[[dict[str, Any]], None]


def forget_a_key(manifest: dict[str, Any]) -> None:
    """The writer would sign the same fact twice."""
    manifest["keys"]["SB-01"] = [[1, 30], [32, 61]]


def forget_a_stream(manifest: dict[str, Any]) -> None:
    del manifest["keys"]["SB-02"]


def add_keys(manifest: dict[str, Any]) -> None:
    """The writer would skip facts that it does not hold."""
    manifest["keys"]["SB-01"] = [[1, 100]]


def forget_quarantined(manifest: dict[str, Any]) -> None:
    manifest["marks"] = []


def add_a_mark(manifest: dict[str, Any]) -> None:
    """The writer would drop a conflict that it does not hold."""
    mark = sha256(b"conflict\x00" + sha256(opened(2, source="T-3")).digest()).digest()[:16]
    manifest["marks"] = [mark.hex()]


def forget_a_schema(manifest: dict[str, Any]) -> None:
    manifest["schemas"] = []


def move_offsets(manifest: dict[str, Any]) -> None:
    manifest["offsets"] = [["pit.v1", 0, 5, 3]]


FORGERIES = (
    forget_a_key, forget_a_stream, add_keys, forget_quarantined, add_a_mark, forget_a_schema,
    move_offsets,
)  # fmt: skip


@pytest.mark.parametrize("way", ["own checksum", "own seal", "another key", "no seal"])
@pytest.mark.parametrize("forge", FORGERIES)
def test_forged(grown: Path, forge: Forge, way: str) -> None:
    wanted = expected(grown)
    path = grown / "cache/known.json"
    stored = path.read_bytes()
    body = content_of(stored)
    assert body is not None
    manifest = json.loads(body)
    forge(manifest)
    forged = json.dumps(manifest, separators=(",", ":")).encode()
    assert forged != body
    thief = Signer(ORIGIN, bytes(32))
    own = Seals(thief.verifier, thief)
    ends = {
        "own checksum": sha256(forged).digest() + bytes(4),
        "own seal": stored[len(body) :],
        "another key": own.trailer("append-state", path.name, sha256(forged).hexdigest()),
        "no seal": bytes(4),
    }
    path.write_bytes(forged + ends[way])
    assert (answers(grown), repeat(grown)) == wanted
    assert verify(grown).problem is None


def test_rows_that_leave_a_fact_out(grown: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their checksum is no secret: whoever writes rows can make it fit."""
    _, wanted = expected(grown)
    name = index.places_file("SB-01")
    manifest = json.loads(content_of((grown / "cache/known.json").read_bytes()) or b"")
    path = grown / "cache" / name
    rows = path.read_bytes()
    path.write_bytes(rows[5:10] + rows[5:])
    monkeypatch.setattr(index.zlib, "crc32", lambda *_: manifest["rows"]["SB-01"][1])
    assert repeat(grown) == wanted
    assert verify(grown).problem is None


def test_of_the_key_before_a_rotation(grown: Path) -> None:
    shutil.copytree(grown / "cache", grown.parent / "kept")
    rotate_key(grown, grown.parent / "handover", record_time=TIME)
    _, wanted = expected(grown)
    shutil.rmtree(grown / "cache")
    shutil.copytree(grown.parent / "kept", grown / "cache")
    assert repeat(grown) == wanted
