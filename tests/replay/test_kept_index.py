"""The kept index says what the entries say, and where it does not it is not believed."""

from __future__ import annotations

import json
import pickle
import shutil
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from ledger.events import Fact
from ledger.log import open_log
from ledger.log.signed_file_index import SealedFolder, Seals
from ledger.replay import Replay, kept_index
from ledger.replay.index import IndexPass
from tests.analytics import given
from tests.cli.given import run
from tests.replay.comparing import arriving, same


@pytest.fixture(autouse=True)
def _keep_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_index, "KEEP_EVERY", 100)
    monkeypatch.setattr(kept_index, "BLOCK_ROWS", 40)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many entries each pass read."""
    counted: list[int] = []
    read_on = IndexPass.read_on

    def counting(self: IndexPass, log: kept_index.ReadableLog) -> None:
        counted.append(log.size - self.size)
        read_on(self, log)

    monkeypatch.setattr(IndexPass, "read_on", counting)
    return counted


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "ledger"
    arrivals = arriving(Random(7))
    given.ledger(folder, [])
    with open_log(folder) as log:
        log.append(arrivals, given.RECORDED_AT)
    return folder


@pytest.fixture
def ledger(whole: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "ledger"
    shutil.copytree(whole, folder)
    return folder


def index(folder: Path) -> Path:
    return folder / "cache" / kept_index.FOLDER


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.full) for n in (1, 2, 3))])
def test_in_any_batches_and_order(seed: int, tmp_path: Path, read: list[int]) -> None:
    random = Random(seed)
    folder = given.ledger(tmp_path / "ledger", [])
    arrivals = arriving(random)
    cuts = sorted(random.sample(range(1, len(arrivals)), 12))
    for low, high in zip([0, *cuts], [*cuts, len(arrivals)], strict=True):
        with open_log(folder) as log:
            log.append(arrivals[low:high], given.RECORDED_AT + high)
        read.clear()
        replay = Replay.open(folder)
        assert sum(read) < kept_index.KEEP_EVERY + (high - low) * 2 + 60
        fresh = Replay.open(folder, from_entries=True)
        same(replay, fresh)
        same(Replay.open(folder, as_recorded=True), Replay.open(folder, as_recorded=True, from_entries=True))  # fmt: skip
    head = json.loads(Replay.open(folder).sealed(index(folder), "index").read("head") or b"")  # type: ignore[union-attr]
    lengths = [length for _, length in head["segments"]]
    assert all(older >= 2 * newer for older, newer in pairwise(lengths))
    assert sum(lengths) == head["size"]


def test_what_was_kept_is_not_read_again(ledger: Path, read: list[int]) -> None:
    size = Replay.open(ledger).size
    assert read == [size]
    Replay.open(ledger)
    Replay.following(ledger)
    assert read == [size, 0, 0]


def test_a_following_replay_takes_it_up(ledger: Path) -> None:
    Replay.open(ledger)
    replay = Replay.following(ledger)
    with open_log(ledger) as log:
        log.append(arriving(Random(8))[:50], given.RECORDED_AT + 9)
    same(replay.grown(), Replay.open(ledger, from_entries=True))


def test_a_copy_in_another_process_takes_it_along(ledger: Path) -> None:
    Replay.open(ledger)
    copy = pickle.loads(pickle.dumps(Replay.open(ledger)))
    shutil.rmtree(index(ledger))
    same(copy, Replay.open(ledger, from_entries=True))


def _segment(folder: Path) -> Path:
    (path,) = index(folder).glob("*.segment")
    return path


def _flip(path: Path, at: int) -> None:
    stored = bytearray(path.read_bytes())
    stored[at] ^= 1
    path.write_bytes(stored)


HARMS: dict[str, Callable[[Path], None]] = {
    "head gone": lambda folder: (index(folder) / "head").unlink(),
    "head cut": lambda folder: (index(folder) / "head").write_bytes((index(folder) / "head").read_bytes()[:-9]),
    "head changed": lambda folder: _flip(index(folder) / "head", 10),
    "segment gone": lambda folder: _segment(folder).unlink(),
    "segment cut": lambda folder: _segment(folder).write_bytes(_segment(folder).read_bytes()[:40]),
    "segment empty": lambda folder: _segment(folder).write_bytes(b""),
}  # fmt: skip


@pytest.mark.parametrize("harm", HARMS)
def test_what_is_harmed_is_read_again(ledger: Path, harm: str) -> None:
    Replay.open(ledger)
    HARMS[harm](ledger)
    same(Replay.open(ledger), Replay.open(ledger, from_entries=True))


def test_any_changed_byte_of_a_segment(ledger: Path) -> None:
    """Sampled: each is found when the part that it lies in is read, even in the middle of a walk."""
    Replay.open(ledger)
    fresh = Replay.open(ledger, from_entries=True)
    sound = _segment(ledger).read_bytes()
    for at in Random(1).sample(range(len(sound)), 25):
        replay = Replay.open(ledger)
        _flip(_segment(ledger), at)
        same(replay, fresh)
        same(Replay.open(ledger), fresh)
        _segment(ledger).write_bytes(sound)


def _forged(folder: Path, change: Callable[[dict[str, object]], None], seals: Seals) -> None:
    head = json.loads(SealedFolder(index(folder), "index", Seals.of(folder)).read("head") or b"")
    change(head)
    assert SealedFolder(index(folder), "index", seals).write("head", [json.dumps(head).encode()])


def test_a_head_of_another_key(ledger: Path, tmp_path: Path) -> None:
    Replay.open(ledger)
    other = given.ledger(tmp_path / "other", given.facts(scale=0.02)[:9])
    _forged(ledger, lambda head: head["streams"].clear(), Seals.of(other))  # type: ignore[attr-defined]
    same(Replay.open(ledger), Replay.open(ledger, from_entries=True))


@pytest.mark.parametrize(
    "change",
    [
        lambda head: head.update(code="0" * 64),
        lambda head: head.update(root="0" * 64),
        lambda head: head.update(size=10**9),
        lambda head: head.pop("parts"),
    ],
)
def test_a_head_of_another_version_or_log(
    ledger: Path, change: Callable[[dict[str, object]], None], read: list[int]
) -> None:
    Replay.open(ledger)
    _forged(ledger, change, Seals.of(ledger))
    read.clear()
    same(Replay.open(ledger), Replay.open(ledger, from_entries=True))
    assert read[0] > 100


def test_another_ledger_with_the_same_key_and_places(tmp_path: Path) -> None:
    """A ledger put back from a backup goes on with other facts: their keys are others."""
    facts: list[Fact] = [*given.facts(scale=0.02)]
    folder = given.ledger(tmp_path / "ledger", facts[:700])
    shutil.copytree(folder, tmp_path / "backup")
    given.append(folder, facts[700:1_400])
    ahead = Replay.open(folder)
    stream = max(ahead.streams(), key=lambda name: ahead.extent(name).facts)
    last = ahead.extent(stream).last_seq
    before = [ahead.prefix_key(stream, seq) for seq in (1, last)]
    shutil.rmtree(folder)
    shutil.copytree(tmp_path / "backup", folder)
    others = [replace(fact, event_time=fact.event_time + 1) for fact in facts[700:1_400]]
    given.append(folder, others)
    behind = Replay.open(folder)
    after = [behind.prefix_key(stream, seq) for seq in (1, last)]
    assert behind.extent(stream).last_seq == last
    assert (before[0] == after[0], before[1] == after[1]) == (True, False)


def test_without_the_key_nothing_is_kept_and_all_is_read(ledger: Path, read: list[int]) -> None:
    (ledger / "keys" / "signer").unlink()
    replay = Replay.open(ledger)
    assert not index(ledger).exists()
    assert read == [replay.size]
    same(replay, Replay.open(ledger, from_entries=True))


def test_old_segments_go_after_a_while(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Replay.open(ledger)
    first = _segment(ledger)
    given.append(ledger, [*given.facts(scale=0.02)][:300])
    Replay.open(ledger)
    assert first.exists()
    monkeypatch.setattr(kept_index, "GRACE", -1.0)
    with open_log(ledger) as log:
        log.append(arriving(Random(9))[:300], given.RECORDED_AT + 9)
    Replay.open(ledger)
    named = {name for name, _ in json.loads(SealedFolder(index(ledger), "index", Seals.of(ledger)).read("head") or b"")["segments"]}  # fmt: skip
    assert {path.name for path in index(ledger).glob("*.segment")} == named


def test_what_the_key_itself_forged_is_named_by_verify(ledger: Path) -> None:
    """Rows left out hide facts: nothing in the head shows it, deriving the index again does."""
    Replay.open(ledger)
    stream = "SB-01/chips"

    def hide(head: dict[str, object]) -> None:
        head["parts"][f"rows/{stream}"] = []  # type: ignore[index]
        head["parts"][f"blocks/{stream}"] = []  # type: ignore[index]

    _forged(ledger, hide, Seals.of(ledger))
    verified = run("verify", "--judged", "--ledger", str(ledger))
    assert verified.code == 4
    assert f"the kept index: the facts of {stream}" in verified.out
    (index(ledger) / "head").unlink()
    assert run("verify", "--judged", "--ledger", str(ledger)).code == 0
