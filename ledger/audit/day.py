"""The audit of one gaming day: every table, the record itself, and the digest over both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import partial
from pathlib import Path

from ledger.audit.carried import CarriedStates
from ledger.audit.coupon_forms import form_findings
from ledger.audit.coupons import coupon_findings, coupon_standing, read_coupons, with_coupons
from ledger.audit.joined_day import joined, tables_on
from ledger.audit.ledger_contract import Day, day_of
from ledger.audit.office import HouseRecord, read_office
from ledger.audit.result import DayAudit
from ledger.audit.table import TableWalk, audit_table
from ledger.audit.table_day import TableDay
from ledger.audit.table_workers import DayGround, over_tables
from ledger.games import BY_GAME, Room
from ledger.replay import Replay
from ledger.rounds import RoundResult


def audit_day(
    replay: Replay,
    day: date,
    *,
    processes: int = 1,
    carried: Path | None = None,
    on_round: Callable[[RoundResult], None] | None = None,
    in_bulk: bool = False,
) -> DayAudit:
    """Audit one gaming day.

    Args:
        replay: the ledger's replay.
        day: the gaming day.
        processes: how many processes share the tables; the result is the same for any number.
        carried: folder for carried states (a cache); None replays from the beginning.
        on_round: called with each round as it closes, table by table; one process is used then.
        in_bulk: tell rounds in order from tables, with the same results (decision 0028).

    Raises:
        PropertyUnknown: no fact describes the property.
        DayUnknown: no fact lies in that day.
    """
    house = read_office(replay)
    book = read_coupons(replay, house, carried)
    house = with_coupons(replay, house, book, carried)
    span = day_of(house.clock, day)
    tables = tables_on(replay, span)
    if processes > 1 and len(tables) > 1 and on_round is None:
        work = partial(_audit_one, in_bulk=in_bulk)
        parts = list(over_tables(work, replay, house, span, carried, tables, processes))
    else:
        states = CarriedStates.of(carried, replay, house.office)
        parts = [
            audit_table(replay, house, table, span, states, on_round, in_bulk=in_bulk)
            for table in tables
        ]
    of_coupons = [*coupon_findings(book, day), *form_findings(replay, book, day)]
    stands = coupon_standing(book, day)
    return joined(replay, house, span, parts, of_coupons, stands, carried)


def audit_one(
    replay: Replay,
    house: HouseRecord,
    table: str,
    span: Day,
    carried: Path | None,
    in_bulk: bool = False,
) -> TableDay:
    """Return one table's share of an audit; ``carried`` and ``in_bulk`` as in ``audit_day``."""
    states = CarriedStates.of(carried, replay, house.office)
    return audit_table(replay, house, table, span, states, in_bulk=in_bulk)


def _audit_one(ground: DayGround, table: str, *, in_bulk: bool) -> TableDay:
    return audit_one(ground.replay, ground.house, table, ground.span, ground.carried, in_bulk)


def rounds_of(
    replay: Replay,
    day: date,
    *,
    table: str | None = None,
    explain: bool = False,
    rooms: Mapping[str, Room] = BY_GAME,
) -> Iterator[RoundResult]:
    """Yield the rounds of a gaming day, table by table, as they close.

    Args:
        replay: the ledger's replay.
        day: the gaming day.
        table: only this table; None for all.
        explain: each wager's arithmetic is wanted in words.
        rooms: the rooms by game. Others than those of the law only show what another text would
            make of the facts.

    Raises:
        PropertyUnknown: no fact describes the property.
    """
    house = with_coupons(replay, read_office(replay))
    span = day_of(house.clock, day)
    for name in replay.tables():
        if table is None or name == table:
            yield from TableWalk(replay, house, name, span, explain=explain, rooms=rooms).rounds()
