"""Compute from measured rates what long histories take: ``infra/docs/machines.md``.

``python -m tests.benchmarks.machines`` writes the page again; a test holds it against the figures.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.benchmarks.figures import Figures, read, table

PAGE: Final = Path(__file__).parent.parent.parent / "infra" / "docs" / "machines.md"
GROUP: Final = "range"
CORES: Final = 16
"""Of a machine that is counted here."""
BACKLOG_HOURS: Final = 72
"""A history is judged once, over a weekend."""
NIGHT_HOURS: Final = 6
FACTS_OF_A_TABLE_DAY: Final = 12_500
"""A table of the simulated floor on a usual day; a property's own figure takes its place."""
DAY_SECONDS: Final = 86_400

JUDGED: Final = "judged by a worker"
JOINED: Final = "taken in, joined and listed by the client"
TASK: Final = "a task to a worker"
ANSWER: Final = "its answer"
DISK: Final = "ledger on disk"
GROWTH: Final = "the last days of a month, over its first"
OVERHEAD: Final = "through a scheduler and back"


@dataclass(frozen=True, slots=True)
class History:
    """How much there is to judge.

    Attributes:
        name: for the page.
        ledgers: how many properties, each with a ledger of its own.
        tables: of each of them.
        days: of each table.
        hours: within which it is to be judged.
    """

    name: str
    ledgers: int
    tables: int
    days: int
    hours: int

    @property
    def table_days(self) -> int:
        """The tables' days of all properties."""
        return self.ledgers * self.tables * self.days

    @property
    def facts(self) -> int:
        """The facts of all properties."""
        return self.table_days * FACTS_OF_A_TABLE_DAY


HISTORIES: Final = (
    History("100 tables × 1 year", 1, 100, 365, BACKLOG_HOURS),
    History("50 properties of 100 tables × 7 years", 50, 100, 7 * 365, BACKLOG_HOURS),
    History("a billion facts a day: 50 properties of 1,600 tables", 50, 1600, 1, NIGHT_HOURS),
)

PAGE_HEAD: Final = """# Machines for long histories

Written by `python -m tests.benchmarks.machines` from `tests/benchmarks/figures.json`: a change by hand is lost, and a test
fails on it. How a range is judged on several machines stands in [many days at once](many-days.md).

## Measured
"""

MEASURED_NOTE: Final = """
On {machine}, {date}: {conditions} One core judged one task at a time. Nothing here was measured on more than this one machine;
two workers of a real scheduler on its loopback gave the same hash as one process, and what a network adds was not measured.
"""

COMPUTED_NOTE: Final = """
## Computed

A table's day has {facts:,} facts, as on the simulated floor. A machine has {cores} cores like the one that was measured; a history is
judged within {backlog} hours, a day's facts within {night}. Cores are facts over rate, without any loss: there was no second machine to
measure it on. Each property is a ledger of its own, with its own range and manifest.
"""

READING: Final = """
Read these as orders of magnitude:

- **The chain.** The days of one table are judged one after the other, so a history takes no less time than its longest chain, however many
  machines there are. The last column is that chain, at one task after the other with the scheduler's share.
- **A longer record.** At the end of a month a day took {growth} times what it took at its start (measured, at a hundredth of the usual rounds, where
  the fixed part weighs most); the table above takes each day as equally dear. Nothing longer than a month was measured for this page.
- **The client** takes in each answer, joins each day and signs what it keeps: one process, whose hours are a column of their own.
- **Disk** is the ledger's entries and hashes, and the judged store as it was sent; marts, archive and indexes come on top. Every worker's machine
  needs the ledger too, by a copy or a shared disk: that is the column "to each machine".
- **Memory** was not measured for this page. A worker holds the index of its ledger and one table's day.
"""


def rendered(figures: Figures) -> str:
    """The page."""
    rows = {row.label: row for row in figures.groups[GROUP]}
    run = figures.runs[rows[JUDGED].run]
    growth = rows[GROWTH].figure[0]
    measured = table(
        ("what", "figure", "unit"),
        [(row.label, f"{row.figure[0]:,}", row.unit) for row in rows.values()],
    )
    rates = {label: row.figure[0] for label, row in rows.items()}
    lines = [
        PAGE_HEAD, *measured,
        MEASURED_NOTE.format(machine=run.machine, date=run.date, conditions=run.conditions),
        COMPUTED_NOTE.format(
            facts=FACTS_OF_A_TABLE_DAY, cores=CORES, backlog=BACKLOG_HOURS, night=NIGHT_HOURS
        ).strip(),
        "",
        *table(
            ("history", "facts", "core hours", "machines", "client hours", "ledgers on disk",
             "judged store", "over the network", "to each machine", "longest chain"),
            (tuple(cells(history, rates)) for history in HISTORIES),
        ),
        READING.format(growth=growth).rstrip(),
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def cells(history: History, rates: dict[str, float]) -> Iterator[str]:
    """One line: what a history takes."""
    core_seconds = history.facts / rates[JUDGED]
    client_seconds = history.facts / rates[JOINED]
    ledger_bytes = history.facts * rates[DISK]
    answers = history.facts * rates[ANSWER]
    tasks = history.table_days * rates[TASK]
    chain = history.days * (FACTS_OF_A_TABLE_DAY / rates[JUDGED] + rates[OVERHEAD] / 1e3)
    yield history.name
    yield f"{rounded(history.facts / 1e9)} billion"
    yield hours(core_seconds)
    yield f"{math.ceil(core_seconds / 3600 / history.hours / CORES):,}"
    yield hours(client_seconds) + (f" in {history.ledgers}" if history.ledgers > 1 else "")
    yield size(ledger_bytes)
    yield size(answers)
    yield size(answers + tasks)
    yield size(ledger_bytes / history.ledgers)
    yield hours(chain)


def hours(seconds: float) -> str:
    """A span in hours, with two figures."""
    if seconds < 3600:
        return f"{rounded(seconds)} s"
    return f"{rounded(seconds / 3600)} h"


def size(count: float) -> str:
    """Bytes with two figures, in the unit that fits."""
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if count < 1000:
            return f"{rounded(count)} {unit}"
        count /= 1000
    return f"{rounded(count)} PB"


def rounded(number: float) -> str:
    """Two significant figures."""
    short = float(f"{number:.2g}")
    return f"{short:,.0f}" if short >= 10 else f"{short:g}"


def write() -> None:
    """Write the page."""
    PAGE.write_text(rendered(read()), encoding="utf-8")


if __name__ == "__main__":
    write()
