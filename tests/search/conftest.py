"""Two planted days to search in, and their rounds from a replay that has no read model."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.audit import gaming_days, read_office, rounds_of
from ledger.kernel import PropertyClock
from ledger.replay import Replay
from ledger.rounds import RoundResult
from tests.analytics import given


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two gaming days with plants; nobody may append to it."""
    path = tmp_path_factory.mktemp("search") / "ledger"
    plants = (*given.PLANTS, "overpaid:1@DC-01")
    return given.ledger(path, given.facts(*plants, days=2, scale=0.06, coupons=True))


@pytest.fixture(scope="package")
def clock(folder: Path) -> PropertyClock:
    return read_office(Replay.open(folder)).clock


@pytest.fixture(scope="package")
def rounds(folder: Path) -> list[RoundResult]:
    """Every round, from a replay that has no read model."""
    replay = Replay.open(folder)
    return [result for day in gaming_days(replay) for result in rounds_of(replay, day)]
