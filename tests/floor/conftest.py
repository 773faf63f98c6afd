"""One honest day, and planted ones, each simulated once."""

from __future__ import annotations

from functools import lru_cache

import pytest

from ledger.events import Fact
from ledger.floor import Plant, TruthRow, simulate

SEED = 11


@lru_cache(maxsize=64)
def draw(
    *plants: str, days: int = 1, scale: float = 1.0
) -> tuple[tuple[Fact, ...], tuple[TruthRow, ...]]:
    simulation = simulate(SEED, days=days, plants=[Plant.parse(p) for p in plants], scale=scale)
    facts = tuple(simulation.facts)
    return facts, simulation.truth


@pytest.fixture(scope="session")
def honest() -> tuple[Fact, ...]:
    return draw()[0]


@pytest.fixture(scope="session")
def week() -> tuple[Fact, ...]:
    """Eight short days, so that dice and layouts outlive some."""
    return draw(days=8, scale=0.5)[0]
