"""How fast facts are framed, read, checked: a typical wager of 13 fields, on one core."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from math import inf
from time import process_time
from timeit import timeit

from ledger.codec import decode, frame, from_plain, from_text, key_of, to_plain, to_text, validate
from ledger.events import CouponLaid, Instrument, WagerPlaced

NOTE = """
A typical wager of 13 fields, the best of five turns, in processor time of one core. Validation, the leaf hash and decoding to a
dataclass are Python's own loops; they bound append and replay.
"""
WANTED: dict[tuple[str, str], str] = {}
BASELINES: dict[str, str] = {
    "codec validate and leaf hash": "codec validate",
    "codec from_text": "codec decode",
}
ROUNDS = 20_000
TIMES = 5

WAGER = WagerPlaced(
    stream="SB-01",
    seq=1234,
    event_time=1_623_513_745_123_456,
    source="SB-01-T1",
    recorded_by="E-1001",
    wager_id="W-17",
    position="3",
    patron="P-77",
    wager="Total Value Bet",
    picks=(9,),
    stake_cents=2500,
    instrument=Instrument.CHIPS,
    coupons=(CouponLaid(serial="MP-2021-000123", chips_cents=2500),),
)


def run() -> list[tuple[str, float, str]]:
    """Name, value and unit of each measurement: the best of five, in microseconds per event."""
    framed, plain, text = frame(WAGER), to_plain(WAGER), to_text(WAGER).encode()
    work: list[tuple[str, Callable[[], object]]] = [
        ("codec frame", lambda: frame(WAGER)),
        ("codec decode", lambda: decode(framed)),
        ("codec validate", lambda: validate(framed)),
        ("codec validate and leaf hash", lambda: (validate(framed), sha256(b"\x00" + framed))),
        ("codec key_of", lambda: key_of(framed)),
        ("codec to_plain", lambda: to_plain(WAGER)),
        ("codec from_plain", lambda: from_plain(plain)),
        ("codec from_text", lambda: from_text(text)),
    ]
    for _, call in work:
        call()
    seconds = dict.fromkeys((name for name, _ in work), inf)
    for _ in range(TIMES):  # in turns: a disturbed moment then spoils one turn of a row, not all
        for name, call in work:
            seconds[name] = min(seconds[name], timeit(call, timer=process_time, number=ROUNDS))
    return [(name, least / ROUNDS * 1e6, "µs") for name, least in seconds.items()]


if __name__ == "__main__":
    for name, value, unit in run():
        print(f"{name:32}{value:8.2f} {unit}")
