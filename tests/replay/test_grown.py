"""A replay that grew is the replay that reads everything: its index, its order, its hashes."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from ledger import events
from ledger.codec import frame
from ledger.log import Arrival, open_log
from ledger.replay import Replay
from ledger.replay.errors import LogReplaced
from tests.analytics import given
from tests.engine import of_tables


def same(grown: Replay, fresh: Replay) -> None:
    """Compare everything that two replays of one ledger know, but for kept states of hashes."""
    one, two = grown._index, fresh._index
    for field in fields(one):
        if field.name not in ("streams", "attendance", "unreadable"):
            assert getattr(one, field.name) == getattr(two, field.name), field.name
    assert one.attendance.places == two.attendance.places
    assert one.attendance.added == two.attendance.added
    assert np.array_equal(one.unreadable, two.unreadable)
    assert list(one.streams) == list(two.streams)
    for name, stream in one.streams.items():
        for field in fields(stream):
            mine, other = getattr(stream, field.name), getattr(two.streams[name], field.name)
            if field.name != "marks":
                equal = (
                    np.array_equal(mine, other) if isinstance(mine, np.ndarray) else mine == other
                )
                assert equal, (name, field.name)
        for seq in {1, int(stream.rows["seq"][-1]) // 2, int(stream.rows["seq"][-1])}:
            assert grown.prefix_hash(name, seq) == fresh.prefix_hash(name, seq), (name, seq)
    streams = fresh.streams()
    assert list(grown.walk(streams)) == list(fresh.walk(streams))


def arriving(random: Random) -> list[Arrival]:
    """Facts of three tables, some late, some twice, some rivals, some bytes that are none."""
    sent: list[Any] = [*of_tables(given.facts("overpaid", scale=0.03), "SB-01", "DC-01", "PH-01")]
    arrivals = [Arrival(frame(fact)) for fact in sent]
    for _ in range(40):
        arrivals.insert(
            random.randrange(len(arrivals)), arrivals.pop(random.randrange(len(arrivals)))
        )
    arrivals.insert(random.randrange(len(arrivals)), Arrival(b"\0\0\0\0\1no fact"))
    amended = events.FactAmended(
        stream="amendments", seq=1, event_time=given.RECORDED_AT, source="pitledger",
        recorded_by=None, amended_stream="SB-01", amended_seq=40, replacement=None, reason="none",
        amended_by="X-1", approved_by="X-2", approved_time=None, file_sha256=None,
    )  # fmt: skip
    arrivals.insert(random.randrange(200, len(arrivals)), Arrival(frame(amended)))
    return arrivals


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
