"""Ledgers for the tests of the read models: short simulated days, with plants."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ledger.analytics import JudgedTables, build
from ledger.analytics.facts import coupon_rows
from ledger.analytics.marts import MARTS, STAGED, marts
from ledger.audit import day_of, gaming_days
from ledger.codec import frame
from ledger.events import Fact
from ledger.floor import Plant, simulate
from ledger.log import Arrival, init, open_log
from ledger.replay import Replay

SEED = 7
RECORDED_AT = 1_623_600_000_000_000
PLANTS = (
    "overpaid:2",
    "underpaid:2",
    "multiplier_not_applied",
    "lost_event",
    "two_shakes",
    "late_wager",
)


def facts(*plants: str, days: int = 1, scale: float = 0.05, coupons: bool = False) -> list[Fact]:
    """What the floor sends."""
    return list(_drawn(plants, days, scale, coupons))


@cache
def _drawn(plants: tuple[str, ...], days: int, scale: float, coupons: bool) -> tuple[Fact, ...]:
    asked = [Plant.parse(p) for p in plants]
    return tuple(simulate(SEED, days=days, plants=asked, scale=scale, coupons=coupons).facts)


def ledger(folder: Path, sent: list[Fact]) -> Path:
    """A new ledger with these facts."""
    init(folder, origin="house.example/pit", property="The House", record_time=RECORDED_AT)
    append(folder, sent)
    return folder


def database(ledger: Path, path: Path) -> Path:
    """A DuckDB file with staging and every mart of all days, as tables that can be changed."""
    replay = Replay.open(ledger)
    judged = JudgedTables(replay, ledger / "cache")
    clock, theory = judged.record.clock, judged.theory
    with build.staging(path) as connection:
        for day in gaming_days(replay):
            tables = judged.tables(day_of(clock, day))
            rows = build.day_rows(judged.joined(day_of(clock, day), tables), theory, clock)
            build.lay_down(connection, (table.rows for table in tables), rows)
        if judged.book is not None:
            build.lay_down(connection, (), {"coupons": coupon_rows(judged.book)})
        build.make_all(connection, marts())
        for name in set(STAGED) & set(MARTS):
            connection.execute(f"DROP TABLE staging.{name}")
    return path


def append(folder: Path, sent: list[Fact]) -> None:
    """More facts for a ledger."""
    with open_log(folder) as log:
        log.append((Arrival(frame(fact)) for fact in sent), RECORDED_AT)
