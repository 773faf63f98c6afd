"""Which days and rounds a ledger has, and one round with its facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, time, timedelta
from functools import partial
from pathlib import Path

import numpy as np

from ledger.analytics import JudgedTables, RoundLine
from ledger.audit import (
    Arrivals,
    Captured,
    DayUnknown,
    HouseRecord,
    Mark,
    ObservedRound,
    RoundAccounts,
    captured,
    day_of,
    footage_of,
    gaming_days,
    judge_with,
    last_gaming_day,
    mark_of,
    observed_by_round,
    tables_on,
    within,
)
from ledger.cli.errors import NothingToJudge, RoundUnknown, TableUnknown, TimeWrong
from ledger.events import BettingOpened
from ledger.kernel import FactRef, PropertyClock, parse_round_id, ref_of, round_id, table_of
from ledger.log import read_log
from ledger.replay import Doubt, DoubtBegins, DoubtEnds, FactStep, Replay
from ledger.reports import RoundView, RoundWatch, TimeOf, round_views_on, tell, with_accounts
from ledger.rounds import InEveryOrder, TablePlay

MarksOf = Callable[[RoundLine], tuple[Mark, ...]]
Footage = Mapping[str, ObservedRound]
"""The marks of the rounds of which somebody looked at a recording, by their ids."""


@dataclass(frozen=True, slots=True)
class Hours:
    """A spell of each gaming day by the property's clocks; None: from its start, to its end."""

    begins: time | None
    ends: time | None

    @classmethod
    def of(cls, begins: str | None, ends: str | None) -> Hours:
        """Read two local times as a person writes them.

        Raises:
            TimeWrong: a text is no time of day.
        """
        return cls(_time_of_day(begins), _time_of_day(ends))

    def meet(self, result: RoundLine, clock: PropertyClock) -> bool:
        """Whether a round was under way in the spell; one without an end is where it began."""
        last = result.closed_at if result.closed_at is not None else result.opened_at
        begins, ends = (
            None if one is None else clock.at(result.gaming_day, one)
            for one in (self.begins, self.ends)
        )
        return (begins is None or last >= begins) and (ends is None or result.opened_at < ends)


def _time_of_day(text: str | None) -> time | None:
    if text is None:
        return None
    try:
        return time.fromisoformat(text).replace(tzinfo=None)
    except ValueError as error:
        raise TimeWrong(text) from error


def last_day(replay: Replay, folder: Path) -> date:
    """The last of a ledger's gaming days on which a table has a fact; never one dated years off.

    Raises:
        NothingToJudge: there is none.
    """
    day = last_gaming_day(replay)
    if day is None:
        raise NothingToJudge(folder)
    return day


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
) -> tuple[PropertyClock, list[Captured], Iterable[RoundLine], MarksOf, Footage]:
    """The rounds of a day, or of all days, table by table; with them, what was captured, what of a
    round came late or was added by a person, and of which somebody looked at a recording.

    Args:
        folder: the ledger.
        day: the gaming day; None: all days.
        table: the table; None: all tables.

    Raises:
        DayUnknown, TableUnknown: the ledger has no such day or table.
    """
    replay = Replay.open(folder)
    judged = JudgedTables(replay, folder / "cache")
    clock = judged.record.clock
    table = None if table is None else table_named(replay, table)
    known = gaming_days(replay)
    if day is not None and day not in known:
        raise DayUnknown(
            f"The ledger has no fact of the gaming day {day}",
            next_step="`pitledger rounds` lists the days that have rounds",
        )
    days = known if day is None else [day]
    tables = list(replay.tables()) if table is None else [table]
    level = list(captured(replay, clock, days, tables))
    there = {gaming_day: tables_on(replay, day_of(clock, gaming_day)) for gaming_day in days}
    footage = _footage(replay, judged.house, days, folder)
    lines = (
        _as_seen(line, footage)
        for name in tables
        for gaming_day in days
        if name in there[gaming_day]
        for line in judged.lines(gaming_day, name)
    )
    observed = {name: mark_of(accounts) for name, accounts in footage.items()}
    return clock, level, lines, _marks(Arrivals.of(replay, judged.record)), observed


def _footage(
    replay: Replay, house: HouseRecord, days: Iterable[date], folder: Path
) -> dict[str, RoundAccounts]:
    """The observed rounds of these days, by their ids."""
    moments = [replay.merged_at(*ref) for ref in observed_by_round(replay)]
    observed = {house.clock.day_of(at) for at in moments if at is not None}
    return {
        accounts.terminal.round: accounts
        for day in days
        if day in observed
        for accounts in footage_of(
            replay, house, day_of(house.clock, day), folder / "cache" / "carried"
        )
    }


def _as_seen(line: RoundLine, footage: Mapping[str, RoundAccounts]) -> RoundLine:
    """A round of a list as the verdict has it."""
    accounts = footage.get(line.round)
    return line if accounts is None or accounts.basis is None else RoundLine.of(accounts.result)


def _marks(arrivals: Arrivals) -> MarksOf:
    """The marked facts of a round, each day's read once."""
    known: dict[date, dict[FactRef, Mark]] = {}

    def marks(result: RoundLine) -> tuple[Mark, ...]:
        day = result.gaming_day
        if day not in known:
            known[day] = arrivals.of_day(day_of(arrivals.house.clock, day))
        return within(known[day], result.table, result.opened_at, result.closed_at)

    return marks


def seen_round(folder: Path, text: str) -> tuple[RoundView, PropertyClock]:
    """One round with its facts, explained.

    Args:
        folder: the ledger's.
        text: the id of any fact of the round, such as SB-01:1234, in any letter case.

    Raises:
        RoundUnknown: the ledger has no such fact, or it lies in no round.
    """
    replay = Replay.open(folder)
    judged = JudgedTables(replay, folder / "cache")
    return round_seen(replay, judged, folder / "cache", text), judged.record.clock


def round_seen(replay: Replay, judged: JudgedTables, cache: Path, text: str) -> RoundView:
    """One round of a ledger that is read already; as ``seen_round``.

    Args:
        replay: the ledger's replay.
        judged: its judged tables.
        cache: the ledger's cache.
        text: the id of any fact of the round.

    Raises:
        RoundUnknown: the ledger has no such fact, or it lies in no round.
    """
    ref = fact_named(replay, text)
    fact = replay.fact(ref.stream, ref.seq)
    if fact is None:
        raise RoundUnknown(text, "the ledger has no fact of that stream and number")
    table = table_of(ref.stream)
    if table not in replay.tables():
        raise RoundUnknown(text, f"{ref.stream} is no table's")
    house = judged.house
    for opened in _openings_before(replay, house.clock, ref):
        name = round_id(ref_of(opened.fact))
        day = day_of(house.clock, house.clock.day_of(opened.fact.event_time))
        states = partial(judged.states, day.date)
        for seen in round_views_on(replay, house, day, {name}, cache / "carried", states):
            if any(ref_of(step.fact) == ref for step in seen.steps):
                return seen
    seen_after_gap = _seen_after_gap(replay, house, ref)
    if seen_after_gap is not None:
        return seen_after_gap
    if isinstance(fact, BettingOpened):
        raise RoundUnknown(text, "no table was open for that game when its betting opened")
    around = _around(replay, house.clock, ref) or f"{table} had none that day"
    raise RoundUnknown(text, f"{tell(fact, house.clock)}: this lies in no round ({around})")


def fact_named(replay: Replay, text: str) -> FactRef:
    """The key of a fact as a person writes it, in any letter case.

    Raises:
        RoundUnknown: the text is no key.
    """
    try:
        ref = parse_round_id(text)
    except ValueError as error:
        raise RoundUnknown(
            text, "a round is named by stream and number, such as SB-01:1234"
        ) from error
    return FactRef(_named(ref.stream, replay.streams()), ref.seq)


def _seen_after_gap(replay: Replay, house: HouseRecord, ref: FactRef) -> RoundView | None:
    """The round of a fact where the opening of its betting was lost; None if it lies in none."""
    table = table_of(ref.stream)
    extents = [replay.extent(stream) for stream in replay.tables()[table]]
    if not any(extent.missing or extent.conflicts for extent in extents):
        return None
    until = house.clock.day_of(replay.merged_at(ref.stream, ref.seq) or 0)
    for seen in seen_rounds(replay, house, table, until=until, explain=True):
        if any(ref_of(step.fact) == ref for step in seen.steps):
            day = day_of(house.clock, seen.result.gaming_day)
            judge = judge_with(replay, house, table, day)
            return with_accounts(seen, observed_by_round(replay, {table}), judge)
    return None


def _openings(replay: Replay, table: str, since: int | None, until: int | None) -> list[FactStep]:
    """The openings of betting at a table from one merge time up to another."""
    kinds = ("BettingOpened",)
    own = replay.tables()[table]
    streams = [stream for stream in replay.streams_with(kinds) if stream in own]
    walk = replay.walk(streams, since=since, until=until, only=kinds)
    return [step for step in walk if isinstance(step, FactStep)]


def _openings_before(replay: Replay, clock: PropertyClock, ref: FactRef) -> list[FactStep]:
    """The openings of betting that a fact may follow: the last two of its table, latest first.

    Two, because a wager may be settled just after betting opened again.
    """
    at = replay.merged_at(ref.stream, ref.seq) or 0
    since = clock.start_of(clock.day_of(at) - timedelta(days=1))
    return _openings(replay, table_of(ref.stream), since, at + 1)[-2:][::-1]


def _around(replay: Replay, clock: PropertyClock, ref: FactRef) -> str:
    """The rounds before and after a fact that lies in none, for people."""
    at = replay.merged_at(ref.stream, ref.seq) or 0
    ends = clock.bounds(clock.day_of(at))[1]
    before = [f"after {ref_of(step.fact)}" for step in _openings_before(replay, clock, ref)[:1]]
    later = _openings(replay, table_of(ref.stream), at + 1, ends)[:1]
    return " and ".join(before + [f"before {ref_of(step.fact)}" for step in later])


def _named(name: str, names: Iterable[str]) -> str:
    """The name as the ledger spells it, whatever its letter case; unchanged if there is none."""
    spelled = list(names)
    if name in spelled:
        return name
    alike = [other for other in spelled if other.casefold() == name.casefold()]
    return alike[0] if len(alike) == 1 else name


def table_named(replay: Replay, table: str) -> str:
    """A table as the ledger spells it, whatever its letter case.

    Raises:
        TableUnknown: the ledger has no such table.
    """
    spelled = _named(table, replay.tables())
    if spelled not in replay.tables():
        raise TableUnknown(table, list(replay.tables()))
    return spelled


def seen_rounds(
    replay: Replay,
    house: HouseRecord,
    table: str,
    *,
    until: date | None = None,
    explain: bool = False,
) -> Iterator[RoundView]:
    """The rounds of one table as they close, each with its facts.

    Args:
        replay: the ledger's.
        house: what the office stated.
        table: which table.
        until: the last gaming day that is wanted.
        explain: with the arithmetic of each wager.
    """
    play = TablePlay(table, house.office, house.clock, explain=explain, coupons=house.coupons)
    orders = InEveryOrder(play)
    last = until or date.max
    end = None if until is None else house.clock.start_of(until + timedelta(days=1))
    streams = replay.tables()[table]
    watch = RoundWatch.begin(replay, table, house.office.clocks, replay.all_amended(), None)
    walk = replay.walk(streams, stated=_stated(house, streams, until))
    for step in orders.ahead(walk):
        watch.take(step, play)
        if isinstance(step, FactStep):
            for result in orders.take(step.fact, step.at):
                yield watch.round(result, _level(play))
            if end is not None and step.at >= end and play.done_with(last):
                return
        else:
            orders.doubt(step.stream, _why(step), ends=isinstance(step, DoubtEnds))
        play.findings.clear()
    yield from (watch.round(result, _level(play)) for result in orders.finish())


def _level(play: TablePlay) -> str | None:
    level = play.state.capture
    return level.value.lower() if level else None


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
