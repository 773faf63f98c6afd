"""A replay that grew is the replay that reads everything: its index, its order, its hashes."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from ledger.log import open_log
from ledger.replay import Replay
from ledger.replay.errors import LogReplaced
from tests.analytics import given
from tests.replay.comparing import arriving, same
from tests.replay.given import SECOND, START, fact


@pytest.mark.parametrize("seed", range(3))
def test_in_any_batches_and_order(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    folder = given.ledger(tmp_path / "ledger", [])
    arrivals = arriving(random)
    cuts = sorted(random.sample(range(1, len(arrivals)), 6))
    replay = Replay.following(folder)
    for low, high in zip([0, *cuts], [*cuts, len(arrivals)], strict=True):
        with open_log(folder) as log:
            log.append(arrivals[low:high], given.RECORDED_AT + high)
        replay = replay.grown()
        same(replay, Replay.open(folder))


def test_what_grew_leaves_the_replay_before_it_as_it_was(tmp_path: Path) -> None:
    facts = given.facts(scale=0.02)[:600]
    folder = given.ledger(tmp_path / "ledger", facts[:300])
    earlier = [(Replay.following(folder), Replay.open(folder))]
    for at, end in ((300, 320), (320, 450), (450, 600)):
        given.append(folder, facts[at:end])
        grown = earlier[-1][0].grown()
        assert grown.changed_since(earlier[-1][0]) == {one.stream for one in facts[at:end]}
        earlier.append((grown, Replay.open(folder)))
    for replay, alone in earlier:
        assert list(replay.walk(replay.streams())) == list(alone.walk(alone.streams()))
        for stream in replay.streams():
            assert np.array_equal(
                replay._index.streams[stream].rows, alone._index.streams[stream].rows
            )
            assert replay.extent(stream) == alone.extent(stream)


def test_it_grows_once_and_only_where_it_was_made_to(tmp_path: Path) -> None:
    folder = given.ledger(tmp_path / "ledger", given.facts(scale=0.02)[:300])
    with pytest.raises(TypeError, match="following"):
        Replay.open(folder).grown()
    replay = Replay.following(folder)
    same(replay.grown(), Replay.open(folder))
    with pytest.raises(TypeError, match="once"):
        replay.grown()


def test_another_ledger_in_its_place(tmp_path: Path) -> None:
    folder = given.ledger(tmp_path / "ledger", given.facts(scale=0.02)[:300])
    replay = Replay.following(folder)
    folder.rename(tmp_path / "gone")
    given.ledger(folder, given.facts(scale=0.02)[100:600])
    with pytest.raises(LogReplaced):
        replay.grown()


def test_what_arrived_bears_from_the_fact_before_it_where_others_follow(tmp_path: Path) -> None:
    """A clock that ran ahead moves the facts after it: they bear from where they were before."""
    facts = {seq: fact("SB-01", seq, seq * 10) for seq in (1, 2, 4)}
    folder = given.ledger(tmp_path / "ledger", [*facts.values()])
    before = Replay.open(folder)
    assert before.arrived_since(0) == {"SB-01": (START + 10 * SECOND, START + 40 * SECOND)}
    given.append(folder, [fact("SB-01", 3, 45)])
    late = Replay.open(folder)
    assert [late.merged_at("SB-01", seq) for seq in (3, 4)] == [START + 45 * SECOND] * 2
    assert late.arrived_since(before.size) == {"SB-01": (START + 20 * SECOND, START + 45 * SECOND)}
    assert late.kinds_since(before.size) == {"NoMoreBetsAnnounced"}
    given.append(folder, [fact("SB-01", 5, 50)])
    assert Replay.open(folder).arrived_since(late.size) == {"SB-01": (START + 50 * SECOND,) * 2}
