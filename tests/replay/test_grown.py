"""A replay that grew is the replay that reads everything: its index, its order, its hashes."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from ledger.log import open_log
from ledger.replay import Replay
from ledger.replay.errors import LogReplaced
from tests.analytics import given
from tests.replay.comparing import arriving, same


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
