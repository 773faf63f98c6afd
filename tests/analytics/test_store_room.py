"""The store takes no more than twice its room while it follows what came."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ledger.analytics import open_projection
from tests.analytics import given
from tests.benchmarks.disk_peak import peak_of, room


def test_the_peak_is_measured_before_files_go(tmp_path: Path) -> None:
    with peak_of(tmp_path) as peak:
        (tmp_path / "new").write_bytes(bytes(100))
        (tmp_path / "more").write_bytes(bytes(50))
        (tmp_path / "new").replace(tmp_path / "more")
        (tmp_path / "more").unlink()
    assert (peak.most, room(tmp_path)) == (150, 0)


def test_no_more_than_twice_its_room_while_it_follows_a_fact_of_every_table(tmp_path: Path) -> None:
    facts = given.facts(scale=0.01)
    folder = given.ledger(tmp_path / "ledger", facts)
    store = folder / "cache"
    open_projection(folder)
    made_anew = room(store)
    lasts = {fact.stream: fact for fact in sorted(facts, key=lambda fact: fact.seq)}
    later = [replace(last, seq=last.seq + 1) for name, last in lasts.items() if "/" not in name]
    given.append(folder, later)
    with peak_of(store) as peak:
        open_projection(folder)
    assert made_anew < peak.most <= 2 * made_anew
