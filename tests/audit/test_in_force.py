"""What is in force at a table is read from the facts that say so, and from no others."""

from __future__ import annotations

from typing import Any

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
    replay = Replay(log_of(facts))
    [short] = module.in_force(replay, FIRST_DAY).tables
    assert short.spans
    walked: list[Any] = []
    walk = replay.walk

    def every(*streams: Any, only: object, **said: Any) -> Any:
        walked.append(only)
        return walk(*streams, **said)

    monkeypatch.setattr(replay, "walk", every)
    [whole] = module.in_force(replay, FIRST_DAY).tables
    assert walked == [module.WANTED]
    assert (short.spans, short.doubts) == (whole.spans, whole.doubts)
