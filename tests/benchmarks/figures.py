"""Keep what the benchmarks measured in ``figures.json``; render ``README.md`` from it."""

from __future__ import annotations

import importlib
import json
import os
import platform
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from statistics import median
from types import ModuleType

from tests.benchmarks.in_turns import Compared, Measured, rate

HERE = Path(__file__).parent
FIGURES = HERE / "figures.json"
README = HERE / "README.md"
DIGITS = 4
"""Significant digits kept of a measurement; a count is kept whole."""

HEAD = """# Benchmarks

Written by `python -m tests.benchmarks --write`: a change by hand is lost, and a test fails on it. The figures stand in
`figures.json`, the notes in the `bench_*.py`. `make bench` measures everything and prints it; `--write` also records it.
With names (`python -m tests.benchmarks --write codec replay`) only these groups are measured, and the others keep their
figures and the run they are from. Nothing here is asserted. Ratios within one run mean more than single figures: a
baseline is measured in the same run as the figure beside it, and the ratio is figure / baseline (middle of a range).
Where works took turns, figure and baseline are the middle of five runs, and the ratio is the middle of the five ratios
within a turn, with the least and the greatest. `make bench` also writes `build/bench/<time>.json`;
`make bench-compare A=one.json B=other.json` prints what changed from one to the other.

## Runs
"""


class NotMeasured(Exception):
    """A benchmark could not measure what it is for: its sentence says why, and no figure stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of the benchmarks.

    Args:
        date: Local date, with the time if the run was recorded by the benchmarks.
        machine: Cores, processor, Python and system.
        conditions: What else bears on the figures, in sentences.
    """

    date: str
    machine: str
    conditions: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One line of a group's table.

    Args:
        label: What was measured.
        figure: One number, or the least and the greatest of several.
        unit: Unit of ``figure`` and ``baseline``; empty for a count.
        run: Date of the run.
        baseline: What the figure is compared with, in the same run; like ``figure``.
        baseline_label: What was measured as the baseline.
        wanted: The bound asked for, in words.
        note: What a reader must know to read this figure.
        ratios: The least, the middle and the greatest ratio within a turn, where works took turns.
        processor_seconds: Of the middle run.
        wall_seconds: Of the middle run.
        megabytes: The most that a run had in memory, the interpreter included.
        load: Load average while the turns were taken.
        kept: No run replaces it: the benchmark does not measure this today, used another clock then,
            or the figure was compared with code that is gone.
    """

    label: str
    figure: tuple[float, ...]
    unit: str
    run: str
    baseline: tuple[float, ...] = ()
    baseline_label: str = ""
    wanted: str = ""
    note: str = ""
    ratios: tuple[float, ...] = ()
    processor_seconds: float = 0.0
    wall_seconds: float = 0.0
    megabytes: float = 0.0
    load: float = 0.0
    kept: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """All runs by date, and the figures by group."""

    runs: dict[str, Run]
    groups: dict[str, tuple[Figure, ...]]

    def with_group(self, group: str, figures: Iterable[Figure], run: Run) -> Figures:
        """Replace what the benchmarks measured of a group before; drop runs without a figure."""
        kept = (figure for figure in self.groups.get(group, ()) if figure.kept)
        groups = self.groups | {group: (*figures, *kept)}
        cited = {figure.run for rows in groups.values() for figure in rows}
        runs = {date: known for date, known in self.runs.items() if date in cited}
        return Figures(runs=runs | {run.date: run}, groups=groups)


def benchmarks() -> Iterator[tuple[str, ModuleType]]:
    """Name and import each group of measurements, in alphabetical order."""
    for path in sorted(HERE.glob("bench_*.py")):
        yield (
            path.stem.removeprefix("bench_"),
            importlib.import_module(f"tests.benchmarks.{path.stem}"),
        )


def machine() -> str:
    """The machine in one line: figures mean nothing without it."""
    model = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        platform.machine(),
    )
    return (
        f"{os.cpu_count()} cores, {model}, Python {platform.python_version()}, {platform.system()}"
    )


def run_at(begun: datetime) -> Run:
    """Describe the run that begins here, with the load that other processes put on the machine."""
    load = os.getloadavg()[0]
    return Run(
        date=f"{begun:%Y-%m-%d %H:%M}",
        machine=machine(),
        conditions=f"Load average {load:.1f} at the start.",
    )


Row = tuple[str, float, str] | Compared
"""Label, value and unit; or a work that took turns with others."""


def figures_of(
    rows: Sequence[Row],
    run: Run,
    *,
    wanted: dict[tuple[str, str], str],
    baselines: dict[str, str],
) -> list[Figure]:
    """Turn a benchmark's rows into figures.

    Args:
        rows: As measured.
        run: The run they are from.
        wanted: The bound asked for, by label and unit.
        baselines: Label of a row to label of the row it is compared with; same unit.

    Raises:
        ValueError: ``wanted`` or ``baselines`` names a row that was not measured.
    """
    compared = [row for row in rows if isinstance(row, Compared)]
    plain = [row for row in rows if not isinstance(row, Compared)]
    values = {(label, unit): (significant(value),) for label, value, unit in plain}
    values |= {(row.label, row.unit): (significant(middle(row.runs)),) for row in compared}
    units = dict(values.keys())
    strays = [key for key in wanted if key not in values]
    strays += [pair for pair in baselines.items() if units.get(pair[0], 0) != units.get(pair[1], 1)]
    if strays:
        raise ValueError(f"no such row was measured, or its unit differs: {strays}")
    return [
        Figure(
            label=label,
            figure=value,
            unit=unit,
            run=run.date,
            baseline=values[baselines[label], unit] if label in baselines else (),
            baseline_label=baselines.get(label, ""),
            wanted=wanted.get((label, unit), ""),
        )
        for (label, unit), value in values.items()
        if label not in {row.label for row in compared}
    ] + [figure_of(row, run, wanted.get((row.label, row.unit), "")) for row in compared]


def middle(runs: Sequence[Measured]) -> float:
    """The middle of the rates of some runs."""
    return float(median(rate(run) for run in runs))


def figure_of(row: Compared, run: Run, wanted: str) -> Figure:
    """Turn a work that took turns into a figure.

    Args:
        row: Its runs, and those of its baseline.
        run: The run of the benchmarks.
        wanted: The bound asked for.
    """
    return Figure(
        label=row.label,
        figure=(significant(middle(row.runs)),),
        unit=row.unit,
        run=run.date,
        baseline=(significant(middle(row.baseline)),) if row.baseline else (),
        baseline_label=row.baseline_label,
        wanted=wanted,
        note=row.note,
        ratios=tuple(round(ratio, 3) for ratio in row.ratios),
        processor_seconds=significant(median(one.processor_seconds for one in row.runs)),
        wall_seconds=significant(median(one.wall_seconds for one in row.runs)),
        megabytes=significant(max(one.megabytes for one in row.runs)),
        load=round(row.load, 1),
    )


def significant(value: float) -> float:
    """Keep four significant digits of a measurement; a whole number stays as it is."""
    if value == int(value):
        return int(value)
    short = float(f"{value:.{DIGITS}g}")
    return int(short) if short == int(short) else short


def read(path: Path = FIGURES) -> Figures:
    """Read the recorded figures."""
    plain = json.loads(path.read_text(encoding="utf-8"))
    return Figures(
        runs={run["date"]: Run(**run) for run in plain["runs"]},
        groups={
            group: tuple(
                Figure(
                    **row
                    | {name: tuple(row.get(name, ())) for name in ("figure", "baseline", "ratios")}
                )
                for row in rows
            )
            for group, rows in plain["groups"].items()
        },
    )


def dumped(figures: Figures) -> str:
    """The text of ``figures.json``: one line for each figure, so that a change is a short diff."""

    def lines(rows: Iterable[Run | Figure], indent: str) -> str:
        return ",\n".join(
            indent + json.dumps({key: value for key, value in asdict(row).items() if value or key == "unit"}, ensure_ascii=False)
            for row in rows
        )  # fmt: skip

    groups = ",\n".join(
        f'    "{group}": [\n{lines(rows, "      ")}\n    ]'
        for group, rows in sorted(figures.groups.items())
    )
    runs = lines((run for _, run in sorted(figures.runs.items())), "    ")
    return f'{{\n  "runs": [\n{runs}\n  ],\n  "groups": {{\n{groups}\n  }}\n}}\n'


def write(figures: Figures, notes: dict[str, str], folder: Path = HERE) -> None:
    """Write the figures and the README made of them."""
    (folder / FIGURES.name).write_text(dumped(figures), encoding="utf-8")
    (folder / README.name).write_text(rendered(figures, notes), encoding="utf-8")


def notes_of_groups() -> dict[str, str]:
    """The explanation that each benchmark gives of its figures."""
    return {group: module.NOTE for group, module in benchmarks()}


def rendered(figures: Figures, notes: dict[str, str]) -> str:
    """The README: the runs, then for each group its note and its tables."""
    lines = [HEAD, *table(("run", "machine", "conditions"), (
        (run.date, run.machine, run.conditions) for _, run in sorted(figures.runs.items())
    ))]  # fmt: skip
    for group, note in sorted(notes.items()):
        lines += ["", f"## {group}", "", note.strip(), ""]
        lines += [f"Again: `python -m tests.benchmarks --write {group}`", ""]
        rows = figures.groups.get(group, ())
        measured = [row for row in rows if not row.kept]
        kept = [row for row in rows if row.kept]
        lines += table_of(measured) if measured else ["Not measured yet."]
        if kept:
            lines += ["", "Earlier figures, which no run replaces:", ""]
            lines += table_of(kept)
    return "\n".join(lines) + "\n"


def table_of(rows: Sequence[Figure]) -> list[str]:
    """The table of some figures, without the columns in which none of them has anything."""
    columns = (
        "what", "figure", "unit", "baseline", "ratio", "wanted",
        "processor s", "wall s", "MB", "load", "run", "note",
    )  # fmt: skip
    cells = [dict(zip(columns, cells_of(row), strict=True)) for row in rows]
    filled = [name for name in columns if any(row[name] for row in cells)]
    return table(filled, ([row[name] for name in filled] for row in cells))


def cells_of(row: Figure) -> tuple[str, ...]:
    """One line of a table: all columns, as text."""
    baseline = ratio = ""
    if row.baseline:
        baseline = f"{spelled(row.baseline)} ({row.baseline_label})"
        ratio = f"{sum(row.figure) / len(row.figure) / (sum(row.baseline) / len(row.baseline)):.2f}"
    if row.ratios:
        least, usual, most = row.ratios
        ratio = f"{usual:.2f} ({least:.2f} to {most:.2f})"
    spent = (row.processor_seconds, row.wall_seconds, row.megabytes, row.load)
    return (
        row.label.strip(), spelled(row.figure), row.unit, baseline, ratio, row.wanted,
        *(f"{number:,}" if number else "" for number in spent), row.run, row.note,
    )  # fmt: skip


def spelled(numbers: Sequence[float]) -> str:
    """One number, or a range, with commas between thousands."""
    return " to ".join(f"{number:,}" for number in numbers)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
