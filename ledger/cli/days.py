"""Which days and rounds a ledger has, and one round with its facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import numpy as np

from ledger.audit import (
    Captured,
    DayUnknown,
    HouseRecord,
    captured,
    gaming_days,
    read_office,
    rounds_of,
    with_coupons,
)
from ledger.cli.errors import NothingToJudge, RoundUnknown, TableUnknown
from ledger.events import BettingOpened, WheelPlaced
from ledger.kernel import FactRef, PropertyClock, parse_round_id, table_of
from ledger.log import read_log
from ledger.replay import Amended, Doubt, DoubtBegins, DoubtEnds, FactStep, Replay
from ledger.reports import SeenRound, TimeOf
from ledger.rounds import RoundResult, TablePlay, looking_ahead, steps_of


def last_day(replay: Replay, folder: Path) -> date:
    """The last gaming day on which a table has a fact.

    Raises:
        NothingToJudge: there is none.
    """
    days = gaming_days(replay)
    if not days:
        raise NothingToJudge(folder)
    return days[-1]


def times_of(folder: Path, refs: Iterable[FactRef]) -> TimeOf:
    """When each of these facts happened, from the ledger's index."""
    wanted: dict[str, set[int]] = {}
    for ref in refs:
        wanted.setdefault(ref.stream, set()).add(ref.seq)
    index = read_log(folder).index()
    known: dict[FactRef, int] = {}
    for stream, seqs in wanted.items():
        rows = index.positions(stream)  # seq, position, event time
        for seq, _, at in rows[np.isin(rows[:, 0], list(seqs))].tolist():
            known[FactRef(stream, seq)] = at
    return known.get


def listed_rounds(
    folder: Path, day: date | None, table: str | None
) -> tuple[PropertyClock, list[Captured], Iterable[RoundResult]]:
    """The rounds of a day, or of all days, table by table; with them, what was captured.

    Raises:
        DayUnknown, TableUnknown: the ledger has no such day or table.
    """
    replay = Replay.open(folder)
    house = with_coupons(replay, read_office(replay))
    if table is not None and table not in replay.tables():
        raise TableUnknown(table, list(replay.tables()))
    tables, days = list(replay.tables()) if table is None else [table], gaming_days(replay)
    if day is None:
        level = captured(replay, house.clock, days, tables)
        seen = (one for name in tables for one in seen_rounds(replay, house, name))
        return house.clock, list(level), (one.result for one in seen)
    if day not in days:
        raise DayUnknown(
            f"The ledger has no fact of the gaming day {day}",
            next_step="`pitledger rounds` lists the days that have rounds",
        )
    level = captured(replay, house.clock, [day], tables)
    return house.clock, list(level), rounds_of(replay, day, table=table)


def seen_round(folder: Path, text: str) -> tuple[SeenRound, PropertyClock]:
    """One round with its facts, explained.

    Raises:
        RoundUnknown: there is none.
    """
    try:
        ref = parse_round_id(text)
    except ValueError as error:
        raise RoundUnknown(
            text, "a round is named by stream and number, such as SB-01:1234"
        ) from error
    replay = Replay.open(folder)
    opened = replay.fact(ref.stream, ref.seq)
    if opened is None:
        raise RoundUnknown(text, "the ledger has no fact of that stream and number")
    if not isinstance(opened, BettingOpened):
        name = type(opened).__name__
        raise RoundUnknown(text, f"that fact is a {name}; a round begins with a BettingOpened")
    house = with_coupons(replay, read_office(replay))
    day = house.clock.day_of(opened.event_time)
    for seen in seen_rounds(replay, house, table_of(ref.stream), until=day, explain=True):
        if seen.result.round == text:
            return replace(seen, amended=tuple(_amended(replay, seen))), house.clock
    raise RoundUnknown(text, "no table was open for that game when its betting opened")


def _amended(replay: Replay, seen: SeenRound) -> Iterator[Amended]:
    """The facts of a round that were amended, and those withdrawn from its time."""
    held = {(step.fact.stream, step.fact.seq) for step in seen.steps}
    result = seen.result
    closed = seen.steps[-1].at if result.closed_at is None else result.closed_at
    for one in replay.all_amended():
        fact = one.before
        within = result.opened_at <= fact.event_time <= closed
        if (fact.stream, fact.seq) in held or (within and table_of(fact.stream) == result.table):
            yield one


def seen_rounds(
    replay: Replay,
    house: HouseRecord,
    table: str,
    *,
    until: date | None = None,
    explain: bool = False,
) -> Iterator[SeenRound]:
    """The rounds of one table as they close, each with its facts.

    Args:
        replay: the ledger's.
        house: what the office stated.
        table: which table.
        until: the last gaming day that is wanted.
        explain: with the arithmetic of each wager.
    """
    play = TablePlay(table, house.office, house.clock, explain=explain, coupons=house.coupons)
    last = until or date.max
    end = None if until is None else house.clock.start_of(until + timedelta(days=1))
    streams = replay.tables()[table]
    steps: list[FactStep] = []
    before: list[FactStep] = []
    doubts: list[str] = []
    wheel: WheelPlaced | None = None
    walk = replay.walk(streams, stated=_stated(house, streams, until))
    for step in looking_ahead(play, walk):
        if isinstance(step, FactStep):
            steps.append(step)
            if isinstance(step.fact, WheelPlaced):
                wheel = step.fact
            for result in play.take(step.fact, step.at):
                yield _seen(play, result, steps_of(result, before, steps), doubts, wheel)
            if isinstance(step.fact, BettingOpened):
                before = steps[:-1] if play.late is not None else []
                steps, doubts = [step], []
            elif play.round is None:
                steps.clear()
            if end is not None and step.at >= end and play.done_with(last):
                return
        else:
            why = _why(step)
            play.doubt(step.stream, why, ends=isinstance(step, DoubtEnds))
            if isinstance(step, DoubtBegins):
                doubts.append(why)
        play.findings.clear()
    yield from (_seen(play, result, steps, doubts, wheel) for result in play.finish())


def _seen(
    play: TablePlay,
    result: RoundResult,
    steps: list[FactStep],
    doubts: list[str],
    wheel: WheelPlaced | None,
) -> SeenRound:
    opened = parse_round_id(result.round)
    keys = ((step.fact.stream, step.fact.seq) for step in steps)
    first = next((place for place, key in enumerate(keys) if key == opened), 0)
    return SeenRound(
        result=result,
        steps=tuple(steps[first : first + result.facts]),
        doubts=tuple(doubts),
        wheel=wheel,
        capture=play.capture.value.lower() if play.capture else None,
    )


def _why(step: DoubtBegins | DoubtEnds) -> str:
    why = "facts are missing" if step.kind is Doubt.GAP else "two records carry one key"
    last = f"-{step.last_seq}" if step.last_seq != step.first_seq else ""
    return f"{why} ({step.stream}:{step.first_seq}{last})"


def _stated(house: HouseRecord, streams: Iterable[str], until: date | None) -> dict[str, int]:
    """What the last closing up to a day states for these streams."""
    closings = house.office.closings
    days = [day for day in closings if until is None or day <= until.isoformat()]
    if not days:
        return {}
    totals = {end.stream: end.last_seq for end in closings[max(days)][-1].streams}
    return {stream: totals[stream] for stream in streams if stream in totals}
