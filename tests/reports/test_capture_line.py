"""What a table captured stands in one line wherever its rounds are listed or shown."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from rich.console import Console

from ledger.analytics import RoundLine, list_rounds
from ledger.audit import audit_day, captured, gaming_days, read_office
from ledger.cli.days import seen_rounds
from ledger.codec import frame
from ledger.events import TableOpened
from ledger.log import Arrival, init, open_log
from ledger.replay import Replay
from ledger.reports import round_page, rounds_page
from ledger.reports.capture_words import capture_line
from ledger.reports.night import round_html
from tests.engine import Scene, log_of, roll, sic_bo

LEVELS = {
    "full": "capture level full.",
    "outcome": "capture level outcome; not recorded: wagers, settlements and limits on wagers.",
    "counts": "capture level counts; not recorded: wagers, settlements, limits on wagers, outcomes"
    " and announcements.",
}


def scene(level: str) -> Scene:
    made = sic_bo()
    made.change("TableOpened", {}, capture=level.upper())
    made.add("BettingOpened", 0)
    roll(made, 10, 1, 2, 3)
    return made


@pytest.mark.parametrize("level", LEVELS)
def test_a_round_says_what_its_table_captured(level: str) -> None:
    made = scene(level)
    replay = Replay(log_of(made.build()))
    house = read_office(replay)
    line = f"T-01, gaming day {made.day}: {LEVELS[level]}"
    (seen,) = seen_rounds(replay, house, "T-01")
    assert printed(round_page(seen, house.clock, 160))[1] == line
    assert line in round_html(seen, house.clock)
    levels = list(captured(replay, house.clock, gaming_days(replay), replay.tables()))
    assert printed(rounds_page(levels, [RoundLine.of(seen.result)], house.clock, 160))[0] == line
    (told,) = audit_day(replay, made.day).capture
    assert [(one.table, one.level, one.not_covered) for one in levels] == [
        (told.table, told.level, told.not_covered)
    ]


def printed(page: object) -> list[str]:
    console = Console(width=160)
    with console.capture() as text:
        console.print(page)
    return [line.rstrip() for line in text.get().splitlines()]


def test_a_level_that_nobody_stated() -> None:
    assert capture_line("T-01", scene("full").day, None).endswith("capture level not stated.")


def test_one_line_for_each_table_and_day(tmp_path: Path) -> None:
    """A table that is left open is listed on the next day too; one that opens anew by its new level."""
    first, second = scene("full"), replace(scene("outcome"), table="T-02")
    first.drop("TableClosed")
    first.closed = second.closed = False
    first.add("BettingOpened", 86_400)
    for line in second.lines:
        if line.stream == "T-01":
            line.stream = "T-02"
    facts = first.build()
    others = [one for one in second.build() if one.stream == "T-02"]
    assert any(isinstance(one, TableOpened) for one in others)
    ledger = tmp_path / "ledger"
    init(ledger, origin="x.example/y", property="X", record_time=1)
    with open_log(ledger) as log:
        log.append([Arrival(frame(one)) for one in [*facts, *others]], facts[-1].event_time)
    days = [first.day, first.day + timedelta(days=1)]
    every = [(days[0], "T-01", "full"), (days[0], "T-02", "outcome"), (days[1], "T-01", "full")]
    for day, table in ((None, None), (days[0], None), (days[1], None), (None, "T-02")):
        levels = list_rounds(ledger, day=day, table=table).captured
        assert [(one.gaming_day, one.table, one.level) for one in levels] == [
            one for one in every if day in (None, one[0]) and table in (None, one[1])
        ]
