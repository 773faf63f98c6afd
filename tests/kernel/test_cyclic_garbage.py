"""How often circles are looked for is as it was again, whatever happened meanwhile."""

from __future__ import annotations

import gc
from contextlib import suppress
from pathlib import Path

from ledger.kernel.cyclic_garbage import OBJECTS_BETWEEN, collected_seldom, uncollected
from ledger.night.launch import begun
from ledger.night.store import unmoved
from tests.analytics import given


def test_it_is_as_before_when_it_is_over() -> None:
    before = gc.get_threshold()
    with suppress(ValueError), collected_seldom(5):
        assert gc.get_threshold() == (5, *before[1:])
        raise ValueError
    assert gc.get_threshold() == before
    was = gc.isenabled()
    with uncollected(), uncollected():
        assert not gc.isenabled()
    assert gc.isenabled() == was


def test_a_night_and_its_processes_look_seldom(tmp_path: Path) -> None:
    folder = given.ledger(tmp_path / "ledger", given.facts(scale=0.02)[:300])
    with begun(folder, tmp_path / "nights", 2, unmoved) as (_, pool):
        assert pool is not None
        assert pool.submit(gc.get_threshold).result()[0] == OBJECTS_BETWEEN
        assert gc.get_threshold()[0] == OBJECTS_BETWEEN
