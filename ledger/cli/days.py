"""Which rounds a ledger has, and one round with its facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Final

from ledger.analytics import JudgedTables, judged_by
from ledger.audit import (
    HouseRecord,
    TableUnknown,
    day_of,
    judge_with,
    observed_by_round,
)
from ledger.cli.errors import RoundUnknown
from ledger.events import BettingOpened, Fact
from ledger.kernel import FactRef, PropertyClock, parse_round_id, ref_of, round_id, table_of
from ledger.replay import Doubt, DoubtBegins, DoubtEnds, FactStep, Replay
from ledger.reports import (
    LastingFacts,
    RoundView,
    RoundWatch,
    round_views_on,
    tell,
    with_accounts,
)
from ledger.rounds import InEveryOrder, TablePlay

REACHES: Final = (600_000_000, 7_200_000_000)
"""How far back the last two openings are looked for first, in microseconds: ten minutes, then two
hours, then the day before."""


def seen_round(folder: Path, text: str) -> tuple[RoundView, PropertyClock]:
    """One round with its facts, explained.

    Args:
        folder: the ledger's.
        text: the id of any fact of the round, such as SB-01:1234, in any letter case.

    Raises:
        RoundUnknown: the ledger has no such fact, or it lies in no round.
    """
    replay = Replay.open(folder)
    judged = judged_by(folder, replay)
    return round_seen(replay, judged, folder / "cache", text), judged.record.clock


def round_seen(
    replay: Replay,
    judged: JudgedTables,
    cache: Path | None,
    text: str,
    on_state: Callable[[int, bytes], None] | None = None,
    lasting: LastingFacts | None = None,
) -> RoundView:
    """One round of a ledger that is read already; as ``seen_round``.

    Args:
        replay: the ledger's replay.
        judged: its judged tables.
        cache: the ledger's cache; None uses none.
        text: the id of any fact of the round.
        on_state, lasting: as for ``round_views_on``.

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
    for opening in _openings_of(replay, house.clock, fact):
        name = round_id(ref_of(opening))
        day = day_of(house.clock, house.clock.day_of(opening.event_time))
        states = partial(judged.states, day.date)
        carried = None if cache is None else cache / "carried"
        for seen in round_views_on(
            replay, house, day, {name}, carried, states, on_state, judged.arrivals, lasting
        ):
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


def _openings_of(replay: Replay, clock: PropertyClock, fact: Fact) -> Iterator[Fact]:
    """The openings of the rounds in which a fact can lie, the likeliest first."""
    if isinstance(fact, BettingOpened):
        yield fact
    for step in _openings_before(replay, clock, ref_of(fact)):
        if step.fact != fact:
            yield step.fact


def _openings_before(replay: Replay, clock: PropertyClock, ref: FactRef) -> list[FactStep]:
    """The openings of betting that a fact may follow: the last two of its table, latest first.

    Two, because a wager may be settled just after betting opened again.
    """
    at = replay.merged_at(ref.stream, ref.seq) or 0
    first = clock.start_of(clock.day_of(at) - timedelta(days=1))
    for reach in (*REACHES, at):  # a busy table has its last two within minutes
        since = max(first, at - reach)
        openings = _openings(replay, table_of(ref.stream), since, at + 1)
        if len(openings) > 1 or since == first:
            break
    return openings[-2:][::-1]


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
