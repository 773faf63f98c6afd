"""Ledgers for the tests of the read models: short simulated days, with plants."""

from __future__ import annotations

from pathlib import Path

from ledger.codec import frame
from ledger.events import Fact
from ledger.floor import Plant, simulate
from ledger.log import Arrival, init, open_log

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
    asked = [Plant.parse(p) for p in plants]
    return list(simulate(SEED, days=days, plants=asked, scale=scale, coupons=coupons).facts)


def ledger(folder: Path, sent: list[Fact]) -> Path:
    """A new ledger with these facts."""
    init(folder, origin="house.example/pit", property="The House", record_time=RECORDED_AT)
    append(folder, sent)
    return folder


def append(folder: Path, sent: list[Fact]) -> None:
    """More facts for a ledger."""
    with open_log(folder) as log:
        log.append((Arrival(frame(fact)) for fact in sent), RECORDED_AT)
