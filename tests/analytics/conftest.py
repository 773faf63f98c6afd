"""Two planted days, and their projection, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.analytics import Projection, open_projection
from tests.analytics import given


@pytest.fixture(scope="session")
def two_days(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger of two gaming days with plants; nobody may append to it."""
    folder = tmp_path_factory.mktemp("two_days") / "ledger"
    return given.ledger(folder, given.facts(*given.PLANTS, days=2, scale=0.05, coupons=True))


@pytest.fixture(scope="session")
def projection(two_days: Path) -> Projection:
    """Its projection."""
    return open_projection(two_days)
