"""What is in force at a table is read from the facts that say so, and from no others."""

from __future__ import annotations

import pytest

from ledger.audit import in_force as module
from ledger.floor import FIRST_DAY
from ledger.floor.tables import TABLE_NAMES
from ledger.replay import Replay
from tests.engine import log_of, table_day


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
