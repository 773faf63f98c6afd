"""The hash of a prefix: same facts, same hash; any other fact, conflict or order, another."""

from __future__ import annotations

import random

import pytest

from ledger.replay import Replay, prefix_hash
from tests.replay.given import SECOND, START, arrivals, fact, memory

FACTS = [fact("SB-01", seq) for seq in range(1, 41)]


@pytest.fixture(autouse=True)
def _short_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prefix_hash, "MARK_EVERY", 4)


SEQS = (0, 1, 3, 4, 5, 19, 20, 21, 22, 28, 40, 99)


@pytest.mark.parametrize("asked", [SEQS, SEQS[::-1]])
def test_it_does_not_hang_on_arrival_record_time_or_neighbours(asked: tuple[int, ...]) -> None:
    plain = Replay(memory(FACTS))
    mixed = list(FACTS)
    random.Random(4).shuffle(mixed)
    nearly = [*FACTS[:20], *FACTS[21:30], FACTS[20], *FACTS[30:]]
    others = [Replay(memory([fact("house", 1), *mixed], [3, 9])), Replay(memory(nearly))]
    for seq in asked:
        hashes = {
            plain.prefix_hash("SB-01", seq),
            *(one.prefix_hash("SB-01", seq) for one in others),
        }
        assert len(hashes) == 1, seq
    assert len({plain.prefix_hash("SB-01", seq) for seq in range(41)}) == 41
    assert plain.prefix_hash("SB-01", 40) == plain.prefix_hash("SB-01", 99)
    assert plain.prefix_hash("none", 3) == plain.prefix_hash("SB-01", 0)


def test_a_long_prefix_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    replay = Replay(memory(fact("SB-01", seq) for seq in range(1, 2001)))
    replay.prefix_hash("SB-01", 1999)
    fetched = replay.bundles_fetched
    monkeypatch.setattr(replay._bundles, "_keep", 0)
    replay.prefix_hash("SB-01", 2000)
    assert replay.bundles_fetched <= fetched + 1


def test_it_covers_what_came_before_and_nothing_after() -> None:
    whole = Replay(memory(FACTS))
    short = Replay(memory(FACTS[:25]))
    assert whole.prefix_hash("SB-01", 25) == short.prefix_hash("SB-01", 25)
    holed = Replay(memory([one for one in FACTS if one.seq != 9]))
    assert whole.prefix_hash("SB-01", 8) == holed.prefix_hash("SB-01", 8)
    assert whole.prefix_hash("SB-01", 9) != holed.prefix_hash("SB-01", 9)
    changed = Replay(
        memory([fact("SB-01", one.seq, by="C-2" if one.seq == 9 else "C-1") for one in FACTS])
    )
    assert whole.prefix_hash("SB-01", 30) != changed.prefix_hash("SB-01", 30)


def test_a_late_conflict_changes_it() -> None:
    log = memory(FACTS)
    before = Replay(log)
    log.append(arrivals([fact("SB-01", 9, by="C-2")]), START)
    after = Replay(log)
    assert before.prefix_hash("SB-01", 8) == after.prefix_hash("SB-01", 8)
    assert before.prefix_hash("SB-01", 9) != after.prefix_hash("SB-01", 9)


def test_a_days_end_by_time() -> None:
    replay = Replay(memory(FACTS[4:]))
    assert replay.last_seq_before("SB-01", START + 10 * SECOND) == 9
    assert replay.last_seq_before("SB-01", START) == 0
    assert replay.last_seq_before("SB-09", START) == 0
