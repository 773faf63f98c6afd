"""A tiny gaming day for the tests of the night: one round each at two tables, and four people."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, Final

from ledger.events import DenominationCount, Fact, StreamEnd
from tests.analytics import given
from tests.cli.given import day as small_day
from tests.cli.given import told
from tests.games.facts import NOON, SECOND

DAY: Final = date(2021, 3, 15)
PEOPLE: Final = ("P-1", "P-2")
WATCHERS: Final = ("S-1", "S-2")
"""Surveillance, who decide about alerts."""
MANAGER: Final = {"role": "SHIFT_MANAGER", "revoked": False}
CLOSED_AT: Final = NOON + 40_000 * SECOND
"""When the tiny day is closed; counts come after it."""


def facts() -> list[Fact]:
    """A Sic Bo round in which a winner is not paid, a wheel round, and who may sign."""
    people: list[tuple[int, str, dict[str, Any]]] = [
        (-3500, "PersonCredentialled", {**MANAGER, "person": one, "department": department})
        for department, persons in (("TABLE GAMES", PEOPLE), ("SURVEILLANCE", WATCHERS))
        for one in persons
    ]
    return with_streams(small_day(), told("people", *people))


def with_box(*, counted: bool) -> list[Fact]:
    """The tiny day with a drop box at the Sic Bo table, and its count where there is one."""
    box = told(
        "SB-01/box",
        (-605, "DropBoxHung", {"box": "B-1"}),
        (-604, "OpenerCounted", {"chips_cents": 100_000}),
        (35, "CloserCounted", {"chips_cents": 102_000}),
        (40, "DropBoxRemoved", {"box": "B-1"}),
    )
    return [*with_streams(facts(), box), *([count()] if counted else [])]


def count(cents: int = 7_000) -> Fact:
    """The count of that box, the morning after; 70.00 are 10.00 more than the table's rounds say."""
    cash = (DenominationCount(denomination_cents=100, pieces=cents // 100),)
    said = {"box": "B-1", "for_gaming_day": DAY.isoformat(), "cash": cash, "chips_cents": 0}
    (made,) = told("SB-01/count", (50_000, "DropBoxCounted", {**said, "counted_by": PEOPLE}))
    return made


def with_streams(sent: list[Fact], more: list[Fact]) -> list[Fact]:
    """Facts and those of a further stream, which the closing states, too."""
    *rest, closing = sent
    end = StreamEnd(stream=more[0].stream, last_seq=len(more))
    return [*rest, *more, replace(closing, streams=(*closing.streams, end))]


def ledger(folder: Path, sent: list[Fact] | None = None) -> Path:
    """A ledger of these facts, of the tiny day if none are given."""
    return given.ledger(folder, facts() if sent is None else sent)


def two_days() -> list[Fact]:
    """The tiny day, and the same once more on the next day."""
    first = facts()
    last = {fact.stream: fact.seq for fact in first}
    again: list[Any] = [
        replace(
            fact, seq=fact.seq + last[fact.stream], event_time=fact.event_time + 86_400 * SECOND
        )
        for fact in first
        if fact.stream not in ("house", "people")
    ]
    closing: Any = next(fact for fact in first if type(fact).__name__ == "GamingDayClosed")
    ends = tuple(
        replace(end, last_seq=2 * end.last_seq) if end.stream in ("SB-01", "DC-01") else end
        for end in closing.streams
    )
    ends = tuple(replace(end, last_seq=3) if end.stream == "house" else end for end in ends)
    closed = replace(
        closing,
        seq=closing.seq + 1,
        event_time=closing.event_time + 86_400 * SECOND,
        gaming_day="2021-03-16",
        streams=ends,
    )
    return [*first, *again, closed]
