"""What a pass spills is what it would keep in memory, and lies where nobody else writes."""

from __future__ import annotations

import multiprocessing
import os
import pickle
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random

import pytest

from ledger.events import WagerPlaced
from ledger.log import init, open_log, read_log
from ledger.log.tiles import WIDTH
from ledger.replay import FactStep, Replay, bundles, index, scratch_file, walk
from ledger.replay.bundles import Bundles, noting_bundles
from ledger.replay.scratch_file import PAGE, ScratchFile
from tests.analytics import given
from tests.replay.comparing import arriving, same
from tests.replay.given import START, arrivals, fact, memory


@pytest.fixture(params=[False, True], ids=["kept", "from entries"])
def from_entries(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """Late, missing, doubled, amended and honest facts of several streams."""
    folder = given.ledger(tmp_path / "ledger", [])
    with open_log(folder) as log:
        log.append(arriving(Random(7)), given.RECORDED_AT)
    return folder


def spilling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "SPILL_ROWS", 100)


def spilled(replay: Replay) -> list[str]:
    """The streams whose rows are read from a scratch file."""
    streams = replay._index.streams.items()
    return [name for name, own in streams if own.blocks is not None and own.blocks._mapped]


def test_what_is_spilled_is_what_is_kept_in_memory(
    ledger: Path, from_entries: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_memory = Replay.open(ledger, from_entries=True)
    assert not spilled(in_memory)
    spilling(monkeypatch)
    replay = Replay.open(ledger, from_entries=from_entries)
    assert spilled(replay)
    same(replay, in_memory)
    copy = pickle.loads(pickle.dumps(replay))  # to some other machine: the rows go along
    assert not spilled(copy)
    same(copy, in_memory)


def test_a_following_replay_spills_and_goes_on(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spilling(monkeypatch)
    replay = Replay.following(ledger)
    for number in (8, 9):
        with open_log(ledger) as log:
            log.append(arriving(Random(number)), given.RECORDED_AT + number)
        replay = replay.grown()
        same(replay, Replay.open(ledger, from_entries=True))


def test_what_was_kept_of_spilled_rows_is_taken_up(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_memory = Replay.open(ledger, from_entries=True)
    spilling(monkeypatch)
    monkeypatch.setattr("ledger.replay.kept_index.KEEP_EVERY", 1)
    Replay.open(ledger)
    same(Replay.open(ledger), in_memory)
    for path in (ledger / "cache" / "index").glob("*.segment"):
        path.write_bytes(b"")
    same(Replay.open(ledger), in_memory)


def test_without_room_all_stays_in_memory(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_memory = Replay.open(ledger, from_entries=True)
    spilling(monkeypatch)
    pwrite, writes = os.pwrite, [0]

    def fails_at(most: int) -> None:
        writes[0] = 0

        def write(handle: int, more: bytes, at: int) -> int:
            writes[0] += 1
            if writes[0] > most:
                raise OSError(28, "No space left on device")
            return pwrite(handle, more, at)

        monkeypatch.setattr(os, "pwrite", write)

    fails_at(1_000_000)
    Replay.open(ledger, from_entries=True)
    whole = writes[0]
    for most in (0, whole // 3, whole - 2, whole - 1):
        fails_at(most)
        same(Replay.open(ledger, from_entries=True), in_memory)
        assert writes[0] > most


_COPY: list[Replay] = []


def _take(replay: Replay) -> None:
    _COPY[:] = [replay]


def _known(stream: str) -> tuple[bool, bytes, list[int]]:
    own = _COPY[0]._index.streams[stream]
    rows = own.rows_between(0, own.ends.facts)
    return bool(own.blocks and own.blocks._mapped), rows.tobytes(), own.times.tolist()


def test_a_process_that_is_started_reads_the_same_file(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spilling(monkeypatch)
    replay = Replay.open(ledger, from_entries=True)
    names = spilled(replay)
    with ProcessPoolExecutor(
        1, multiprocessing.get_context("spawn"), initializer=_take, initargs=(replay,)
    ) as pool:
        there = list(pool.map(_known, names))
    _take(replay)
    assert there == [_known(name) for name in names]
    assert all(is_mapped for is_mapped, *_ in there)


# ---------------------------------------------------------------- bundles


def test_each_bundle_is_proved_once(ledger: Path) -> None:
    log = read_log(ledger)
    digests = Replay.open(ledger).bundle_digests
    whole, small = Bundles(log, log.size, digests), Bundles(log, log.size, digests, keep=1)
    numbers = [*range(log.size // WIDTH + 1)] * 3
    assert len(numbers) > 9
    assert [small(number) for number in numbers] == [whole(number) for number in numbers]
    assert small.fetched == whole.fetched == len(numbers) // 3
    grown = small.grown(log, log.size, digests)
    assert grown(0) == whole(0)
    assert grown(numbers[-1]) == whole(numbers[-1])
    assert grown.fetched == bool(log.size % WIDTH)


def test_part_of_a_bundle_is_read_without_the_rest(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = read_log(ledger)
    digests = Replay.open(ledger).bundle_digests
    small = Bundles(log, log.size, digests, keep=1)
    numbers = [*range(log.size // WIDTH + 1)]
    whole = [small(number) for number in numbers]
    read: list[int] = []

    def counted(scratch: ScratchFile, at: int, length: int) -> bytes:
        read.append(length)
        return plain(scratch, at, length)

    plain = ScratchFile.read
    monkeypatch.setattr(ScratchFile, "read", counted)
    fetched = small.fetched
    for number, packed in zip(numbers, whole, strict=True):
        for offset, length in ((0, 5), (2, 0), (7, 300), (len(packed) - 3, 3), (len(packed), 9)):
            with noting_bundles() as noted:
                assert small.part(number, offset, length) == packed[offset : offset + length]
            assert noted.numbers == ({number} if number != numbers[-1] else set())  # it is kept
        assert small.part(number, len(packed) - 3, 90) == packed[-3:]
        assert small.part(number, len(packed) + 3, 90) == b""
    assert small.fetched == fetched
    assert max(read) == 300


def test_few_facts_of_a_bundle_are_walked_as_many_are(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replay = Replay.open(ledger)
    tables = replay.tables()
    monkeypatch.setattr(walk, "FEW_OF_A_BUNDLE", 0)
    dense = {name: list(replay.walk(streams)) for name, streams in tables.items()}
    monkeypatch.setattr(walk, "FEW_OF_A_BUNDLE", WIDTH)
    replay._bundles._keep = 1
    replay._bundles(0)
    for name, streams in tables.items():
        assert list(replay.walk(streams)) == dense[name]
        assert list(replay.walk(streams, only={"WagerPlaced"})) == [
            step
            for step in dense[name]
            if not isinstance(step, FactStep) or isinstance(step.fact, WagerPlaced)
        ]


@pytest.mark.parametrize(
    ("facts", "others", "is_sparse"), [(40, 0, False), (40, 5_000, True), (1, 0, False)]
)
def test_few_facts_of_a_bundle(facts: int, others: int, is_sparse: bool) -> None:
    sent = [fact("SB-01", seq, 1) for seq in range(1, facts)]
    sent += [fact("SB-02", seq, 1) for seq in range(1, others + 1)]
    replay = Replay(memory([*sent, fact("SB-01", facts, 1)]))
    index = replay._index.streams["SB-01"]
    parts = [walk.part_of(index, None, None, 0)]
    assert walk._is_sparse(parts) is is_sparse
    assert not walk._is_sparse([])


def test_a_bundle_that_found_no_room_is_proved_again(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundles, "SCRATCH_BYTES", 40_000)
    log = read_log(ledger)
    small = Bundles(log, log.size, b"", keep=1)
    numbers = [*range(log.size // WIDTH + 1)]
    before = [small(number) for number in numbers]
    assert [small(number) for number in numbers] == before
    assert len(numbers) < small.fetched < 2 * len(numbers)


def test_what_was_opened_is_never_written_into_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "sealed"
    init(folder, origin="floor", property="Test", record_time=START, sealed=True)
    with open_log(folder) as log:
        log.append(arrivals(fact("SB-01", seq) for seq in range(1, 600)), START)
    sealed = read_log(folder)
    opened = Bundles(sealed, sealed.size, b"", keep=1)
    for number in (0, 1, 0, 1):
        opened(number)
    assert (opened.fetched, opened._places) == (4, {})


# ---------------------------------------------------------------- the file


def test_a_scratch_file_has_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    scratch = ScratchFile()
    assert scratch.append(b"abc") == 0
    scratch.align()
    assert scratch.append(b"defg") == PAGE
    assert (scratch.read(1, 2), scratch.read(PAGE, 4)) == (b"bc", b"defg")
    mapped = scratch.mapped(PAGE, 4)
    monkeypatch.setattr(scratch_file, "RESIDENT", 3)
    scratch.looked_at(4)
    assert bytes(mapped) == b"defg"
    assert mapped.readonly
    assert not list(tmp_path.iterdir())
    with pytest.raises(EOFError):
        scratch.read(PAGE, 5)


def test_a_forked_process_adds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = ScratchFile()
    scratch.append(b"abc")
    monkeypatch.setattr(os, "getpid", lambda: 1)
    assert scratch.append(b"d") is None
    assert scratch.read(0, 3) == b"abc"
