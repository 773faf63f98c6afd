"""How fast a sheet of 500,000 wagers previews and commits, and its memory: two facts a row."""

from __future__ import annotations

import resource
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from ledger.codec import frame
from ledger.events import PropertyDescribed
from ledger.intake import Act, Import
from ledger.log import Arrival, arrivals_of, init, open_log
from ledger.replay import Replay

NOTE = """
A sheet of 500,000 wagers (1,000,000 facts), two processes, by the wall clock. Memory shall not grow with the sheet.
"""
WANTED: dict[tuple[str, str], str] = {
    ("sheet of 500,000 rows, preview", "s"): "at most 10",
    ("sheet, commit", "rows/s"): "at least 50,000",
    ("sheet peak memory of this process", "MB"): "flat",
    ("sheet peak memory of the one beside it", "MB"): "flat",
}
BASELINES: dict[str, str] = {}
ROWS = 500_000
TIME = 1_623_700_000_000_000
HEAD = (
    "Gaming day,Table,Wager id,Placed,Settled,Position,Patron reference,Wager,Picks,Stake,Made with,"
    "Outcome,Winnings paid,Stake taken\n"
)
PROPERTY = PropertyDescribed(
    stream="house", seq=1, event_time=TIME - 86_400_000_000_000, source="T-1", recorded_by=None,
    name="Bench", certificate_holder=None, time_zone="America/New_York",
    gaming_day_starts_minutes=360,
)  # fmt: skip


def clock(second: int) -> str:
    """A time of the gaming day, which begins at six."""
    return f"{(6 + second // 3600) % 24:02d}:{second // 60 % 60:02d}:{second % 60:02d}"


def write(path: Path) -> None:
    """A log of six tables, six wagers to the second."""
    with path.open("w", encoding="utf-8") as file:
        file.write(HEAD)
        for number in range(ROWS):
            second, won = number % 86_000 // 6, number % 2
            paid = "won,5.00,0.00" if won else "lost,0.00,5.00"
            file.write(
                f"06/12/2021,ET-{number // 86_000},T{number:07d},{clock(second)},{clock(second + 20)},"
                f"{number % 6},P-{number % 97},Big Bet,,{5 + number % 3 * 10}.00,credit,{paid}\n"
            )


def run() -> list[tuple[str, float, str]]:
    """Name, value and unit of each measurement."""
    with TemporaryDirectory() as name:
        folder, path = Path(name) / "ledger", Path(name) / "wagers.csv"
        write(path)
        init(folder, origin="bench.example/pit", property="Bench", record_time=TIME)
        with open_log(folder) as log:
            log.append([Arrival(frame(PROPERTY))], TIME)
            with Import("table-wagers", path, Replay.open(folder), "E-1", processes=2) as one:
                start = perf_counter()
                seen = one.preview()
                out = [("sheet of 500,000 rows, preview", perf_counter() - start, "s")]
                start = perf_counter()
                log.append_whole(arrivals_of(one.facts(Act(by="E-1", at=TIME))), TIME)
                taken = perf_counter() - start
        out.append(("sheet, commit", seen.rows / taken, "rows/s"))
        out.append(("sheet, commit", seen.facts / taken, "facts/s"))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    out.append(("sheet peak memory of this process", peak, "MB"))
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    out.append(("sheet peak memory of the one beside it", peak, "MB"))
    return out
