"""What is in force at a table is read from the facts that say so, and from no others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from ledger.audit import gaming_days
from ledger.audit import in_force as module
from ledger.codec import frame
from ledger.events import CameraAssigned
from ledger.floor import FIRST_DAY
from ledger.floor.tables import TABLE_NAMES
from ledger.log import Arrival
from ledger.replay import FactStep, Replay, Step
from tests.analytics import given
from tests.engine import log_of, of_tables, table_day


@pytest.mark.parametrize("table", TABLE_NAMES)
def test_facts_of_play_are_passed_over_and_nothing_is_missed(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = [fact for fact in table_day(table) if not (fact.stream == table and fact.seq == 20)]
    replay, wanted = Replay(log_of(facts)), module.WANTED
    [short] = module.in_force(replay, FIRST_DAY).tables
    assert short.spans
    monkeypatch.setattr(module, "WANTED", None)
    [whole] = module.in_force(replay, FIRST_DAY).tables
    assert (short.spans, short.doubts) == (whole.spans, whole.doubts)
    monkeypatch.setattr(module, "WANTED", tuple(set(wanted) - {"TableOpened"}))
    [less] = module.in_force(replay, FIRST_DAY).tables
    assert less.spans != whole.spans


@pytest.mark.parametrize("is_torn", [False, True])
def test_a_day_is_read_from_the_last_one_that_is_known(
    is_torn: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says what it says when it is read from the beginning, also where facts were lost."""
    days, lost = 3, "lost_event" if is_torn else "overpaid"
    facts = of_tables(given.facts(lost, days=days, scale=0.02), "SB-01", "DC-01")
    replay, by_day = Replay(log_of(facts)), module.StandingByDay()
    read = [0]
    plain = Replay.walk

    def noting(self: Replay, *streams: object, **bounds: object) -> Iterator[Step]:
        for step in plain(self, *streams, **bounds):
            read[-1] += isinstance(step, FactStep)
            yield step

    monkeypatch.setattr(Replay, "walk", noting)
    first, second, third = gaming_days(replay)
    for day in (third, first, second, third):
        read += [0]
        known = module.in_force(replay, day, by_day=by_day)
        read += [0]
        assert known.tables == module.in_force(replay, day).tables
    assert read[-2] < read[-1] / 2 or is_torn


def test_what_came_late_is_read_though_later_days_were_known() -> None:
    """A camera of a stream of its own, of which no control total tells, that nobody removed."""
    facts = of_tables(given.facts(days=2, scale=0.02), "SB-01")
    camera = next(fact for fact in facts if isinstance(fact, CameraAssigned))
    log, by_day = log_of(facts), module.StandingByDay()
    spans = []
    for _ in range(2):
        replay = Replay(log)
        for day in reversed(gaming_days(replay)):
            known = module.in_force(replay, day, by_day=by_day)
            assert known.tables == module.in_force(replay, day).tables
            spans.append(len(known.tables[0].spans))
        late = replace(camera, stream="SB-01/cameras", seq=1, camera="another")
        log.append([Arrival(frame(late))], late.event_time)
    assert spans[2] == spans[0] + 1
