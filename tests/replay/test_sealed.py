"""A replay of a sealed ledger: the same facts, and nothing kept that tells what was erased."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ledger.codec import decode
from ledger.events import PositionTaken
from ledger.kernel import ERASED
from ledger.log import Arrival, init, open_log, read_log
from ledger.log.merkle import leaf_hash
from ledger.replay import FactStep, Replay, kept_index
from tests.log.facts import HOUSE, ORIGIN, SIGNER, TIME
from tests.log.test_sealed import amended, opened, taken

COUNT = 700
FACTS = [taken(seq, f"p-{seq % 40}") if seq % 3 else opened(seq) for seq in range(1, COUNT)]


def ledger(folder: Path, *, sealed: bool) -> Path:
    """A ledger with these facts, the first one amended; its key is in the folder."""
    init(folder, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER, sealed=sealed)
    with open_log(folder) as log:
        log.append([Arrival(fact) for fact in FACTS], TIME)
        log.append([Arrival(amended(1, taken(1, "p-900")))], TIME)
    return folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A sealed ledger of which the index is kept."""
    monkeypatch.setattr(kept_index, "KEEP_EVERY", 1)
    return ledger(tmp_path / "ledger", sealed=True)


def walked(folder: Path) -> list[object]:
    """The facts of the table as a walk shows them."""
    steps = Replay.open(folder).walk(["SB-01"])
    return [step.fact for step in steps if isinstance(step, FactStep)]


def test_it_shows_the_facts_of_an_ordinary_one(folder: Path, tmp_path: Path) -> None:
    plain = ledger(tmp_path / "plain", sealed=False)
    assert walked(folder) == walked(plain)
    assert walked(folder) == walked(plain), "from the index that was kept"
    assert walked(folder)[0] == decode(taken(1, "p-900"))


@pytest.mark.parametrize("follows", [False, True])
def test_what_is_kept_is_not_read_after_an_erasure(folder: Path, follows: bool) -> None:
    """Texts of other lengths move all that follows them in a bundle."""
    before = walked(folder)
    if follows:
        Replay.following(folder)
    assert read_log(folder).openings.forget("p-7")
    after = walked(folder)
    differ = [old for old, new in zip(before, after, strict=True) if old != new]
    assert {old.patron for old in differ if isinstance(old, PositionTaken)} == {"p-7"}
    assert {
        new.patron for new in after if new not in before and isinstance(new, PositionTaken)
    } == {ERASED}


def test_leaf_hashes_are_those_of_the_tree(folder: Path) -> None:
    log = read_log(folder)
    positions = np.arange(log.size, dtype=np.int64)
    expected = [leaf_hash(log.raw(position)) for position in range(log.size)]
    for replay in (
        Replay.open(folder),
        Replay.open(folder),
        Replay.open(folder, size=log.size - 1),
    ):
        rows = replay.leaf_hashes(positions[: replay.size])
        assert [row.tobytes() for row in rows] == expected[: replay.size]


def test_hashes_of_prefixes_are_salted(folder: Path, tmp_path: Path) -> None:
    """The same facts have another hash in each ledger that seals, and after each erasure."""
    twin = ledger(tmp_path / "twin", sealed=True)
    plain = [ledger(tmp_path / name, sealed=False) for name in ("a", "b")]

    def hashes(folder: Path) -> list[bytes]:
        replay = Replay.open(folder)
        earlier = Replay.open(folder, size=replay.size - 1)
        return [
            *(replay.prefix_hash("SB-01", seq) for seq in (1, 600)),
            *(replay.prefix_key("SB-01", seq) for seq in (1, 600)),
            *(earlier.prefix_hash("SB-01", seq) for seq in (1, 600)),
        ]

    assert hashes(plain[0]) == hashes(plain[1])
    apart = [hashes(plain[0]), hashes(folder), hashes(twin)]
    read_log(folder).openings.forget("p-39")
    apart.append(hashes(folder))
    for several in zip(*apart, strict=True):
        assert len(set(several)) == len(apart)


def test_hashes_of_bundles_are_over_what_was_signed(folder: Path) -> None:
    digests = Replay.open(folder).bundle_digests
    read_log(folder).openings.forget("p-7")
    assert Replay.open(folder).bundle_digests == digests
    assert len(digests) == 32 * 2
