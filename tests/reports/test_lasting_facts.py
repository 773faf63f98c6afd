"""Facts that outlive rounds are read once for a table, and again when another one came."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from ledger.codec import frame
from ledger.events import CameraAssigned
from ledger.house.clocks import Clocks
from ledger.log import Arrival
from ledger.replay import FactStep, Replay, Step
from ledger.reports import LastingFacts, RoundWatch
from tests.analytics import given
from tests.engine import log_of, of_tables


@pytest.mark.parametrize("table", ["SB-01", "DC-01"])
def test_a_watch_begins_as_if_they_were_read_each_time(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = of_tables(given.facts(days=2, scale=0.02), table)
    camera = next(fact for fact in facts if isinstance(fact, CameraAssigned))
    log, lasting = log_of(facts), LastingFacts()
    moments = sorted({fact.event_time for fact in facts})[::40]
    walks = 0
    plain = Replay.walk

    def counted(self: Replay, *streams: object, **bounds: object) -> Iterator[Step]:
        nonlocal walks
        walks += 1
        return plain(self, *streams, **bounds)  # type: ignore[arg-type]

    monkeypatch.setattr(Replay, "walk", counted)
    for grown in range(2):
        replay = Replay(log)
        for at in moments:
            begun = RoundWatch.begin(replay, table, Clocks(), (), at, lasting)
            again = RoundWatch.begin(replay, table, Clocks(), (), at)
            assert (begun.wheel, begun.cameras) == (again.wheel, again.cameras)
        assert walks == (len(moments) + 1) * (grown + 1)
        late = replace(camera, stream=f"{table}/cameras", seq=1, camera="another")
        log.append([Arrival(frame(late))], late.event_time)


def test_another_tables_facts_are_not_read_again() -> None:
    facts = of_tables(given.facts(days=1, scale=0.02), "SB-01", "DC-01")
    log, lasting = log_of(facts), LastingFacts()
    last = facts[-1].event_time + 1
    [*before] = lasting.before(Replay(log), "SB-01", last)
    camera = next(fact for fact in facts if isinstance(fact, CameraAssigned))
    other = replace(camera, stream="DC-01/cameras", seq=1, camera="another")
    log.append([Arrival(frame(other))], other.event_time)
    kept: list[FactStep] = list(lasting.before(Replay(log), "SB-01", last))
    assert all(step is known for step, known in zip(kept, before, strict=True))
