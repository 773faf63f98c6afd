"""What well-known libraries take for a part of what Pitledger does, beside it in the same turns."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from ledger.coupons import CustodyRegister, follow, reconcile
from ledger.log import init, open_log
from tests.benchmarks.bench_coupons import A_DAY, CLOCK, FIRST, Writer, day_facts, opening
from tests.benchmarks.bench_log import TIME, wagers
from tests.benchmarks.in_turns import Compared, Work, forked, in_turns, program
from tests.benchmarks.ledgers import DAYS, ledger_of
from tests.benchmarks.naive import reduce_ledger

NOTE = """
Each peer does a part and not more, in processes of their own (`infra/requirements-bench.in`), five runs of each in turns, in
processor time. **Bytewax** runs the naive reducer as steps of a dataflow. **eventsourcing** appends 20,000 events to five
aggregates in SQLite, which nothing chains or signs; Pitledger appends as many facts, validated, hashed, durable. **pandas** and
**DuckDB** join a million serials with those redeemed; Pitledger follows the custody of every serial through a day's facts (issued, distributed,
redeemed, counted, cancelled) and reconciles the day. quixstreams stands with `kafka`.
"""
WANTED: dict[tuple[str, str], str] = {}
BASELINES: dict[str, str] = {}
PYTHON = Path(__file__).parents[2] / ".venv-bench" / "bin" / "python"
APPENDED = 20_000
COUPON_DAYS = 3


def run() -> list[Compared]:
    """Measure; without the peers' environment nothing, which is said."""
    if not PYTHON.exists():
        print("  The environment of the peers is not there (`make bench` makes it)")
        return []
    folder = ledger_of(min(DAYS))

    def peer(name: str, *arguments: str) -> Work:
        return program([str(PYTHON), "-m", "tests.benchmarks.peers", name, *arguments])

    naive, flow = "the naive way, in a loop", "Bytewax, the naive way as a dataflow"
    rows = in_turns(
        {
            naive: forked(lambda: reduce_ledger(folder).facts),
            flow: peer("bytewax", str(folder)),
        },
        "facts/s",
        {flow: naive},
    )
    ours, theirs = "append, 20,000 wagers", "eventsourcing, 20,000 events in SQLite"
    rows += in_turns(
        {ours: forked(appended), theirs: peer("eventsourcing")}, "events/s", {ours: theirs}
    )
    custody = "custody of a day's coupons, followed and reconciled"
    works = {custody: forked(followed()), "pandas, one join": peer("pandas")}
    works["DuckDB, one join"] = peer("duckdb")
    return rows + in_turns(works, "serials/s", {custody: "pandas, one join"})


def appended() -> int:
    """Append wagers to a new ledger."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "ledger"
        init(folder, origin="bench.example/pit", property="Bench", record_time=TIME)
        with open_log(folder) as log:
            return log.append(wagers(0, APPENDED), TIME).accepted


def followed() -> Callable[[], int]:
    """Follow and reconcile some days of coupons; the facts are made before."""
    book, write = CustodyRegister(CLOCK), Writer()
    for fact in opening():
        follow(book, fact, fact.event_time)
    days = [list(day_facts(write, number)) for number in range(COUPON_DAYS)]

    def work() -> int:
        for number, facts in enumerate(days):
            for fact, at in facts:
                follow(book, fact, at)
            book.finish()
            reconcile(book, FIRST + timedelta(days=number))
        return A_DAY * COUPON_DAYS

    return work
