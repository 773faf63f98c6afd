"""Run the ``bench_*.py`` here, print what they measured, and record it.

``python -m tests.benchmarks [--write] [--json FILE] [NAME...]``: without a name, all of them.
``python -m tests.benchmarks --compare A B``: what changed from one such file to another.
"""

from __future__ import annotations

import argparse
import sys
import time
from datetime import datetime
from pathlib import Path

from tests.benchmarks.figures import (
    Figure,
    Figures,
    NotMeasured,
    benchmarks,
    dumped,
    figures_of,
    machine,
    notes_of_groups,
    read,
    run_at,
    write,
)


def main(arguments: list[str]) -> int:
    """Print name, value and unit of each measurement; with ``--write``, record each group."""
    modules = dict(benchmarks())
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(modules)}")
    parser.add_argument("--write", action="store_true", help="write figures.json and README.md")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what was measured there")
    parser.add_argument("--compare", nargs=2, type=Path, metavar=("A", "B"))
    options = parser.parse_args(arguments)
    if options.compare:
        print("\n".join(compared(*map(read, options.compare))))
        return 0
    if unknown := sorted(set(options.names) - set(modules)):
        parser.error(f"no such benchmark: {', '.join(unknown)}")
    print(machine())
    run = run_at(datetime.now().astimezone())
    measured, is_whole = Figures(runs={}, groups={}), True
    for group, module in modules.items():
        if options.names and group not in options.names:
            continue
        start = time.perf_counter()
        try:
            rows = list(module.run())
        except NotMeasured as why:
            print(f"\n{group}\n  not measured: {why}; earlier figures stay")
            is_whole = False
            continue
        print(f"\n{group} ({time.perf_counter() - start:.0f} s)")
        if not rows:
            print("  nothing to measure it on; earlier figures stay")
            continue
        figures = figures_of(rows, run, wanted=module.WANTED, baselines=module.BASELINES)
        print("\n".join(printed(figure) for figure in figures))
        measured = measured.with_group(group, figures, run)
        if options.write:
            write(read().with_group(group, figures, run), notes_of_groups())
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(dumped(measured), encoding="utf-8")
        print(f"\nwritten to {options.json}")
    return 0 if is_whole else 1


def printed(figure: Figure) -> str:
    """A figure in a line; of a work that took turns, what it cost and how it stands, in a second."""
    line = f"  {figure.label:<66} {figure.figure[0]:>14,} {figure.unit}"
    if figure.processor_seconds:
        line += (
            f"\n      processor {figure.processor_seconds} s, wall {figure.wall_seconds} s, "
            f"{figure.megabytes:,} MB, load {figure.load}"
        )
    if figure.ratios:
        least, usual, most = figure.ratios
        line += f"; {usual:.2f} ({least:.2f} to {most:.2f}) of {figure.baseline_label}"
    elif figure.baseline:
        line += f"  ({figure.figure[0] / figure.baseline[0]:.2f} of {figure.baseline_label})"
    return line


def compared(before: Figures, after: Figures) -> list[str]:
    """What both measured, the later over the earlier; then what only one of them did.

    Where a figure has a baseline, the ratios to it are compared: they hardly hang on the machine.
    """
    lines = [f"{run.date}  {run.machine}" for one in (before, after) for run in one.runs.values()]
    rows = [
        {(group, row.label, row.unit): row for group, rows in one.groups.items() for row in rows}
        for one in (before, after)
    ]
    for key in sorted(rows[0].keys() & rows[1].keys()):
        earlier, later = rows[0][key], rows[1][key]
        change = f"{later.figure[0] / earlier.figure[0]:6.2f} x" if earlier.figure[0] else "       "
        ratios = (
            f"  ratio {earlier.ratios[1]:.2f} -> {later.ratios[1]:.2f}"
            if (earlier.ratios and later.ratios)
            else ""
        )
        lines.append(f"{key[0]:<14} {key[1]:<60} {change} {key[2]}{ratios}")
    for place, word in enumerate(("only in the first", "only in the second")):
        lines += [
            f"{key[0]:<14} {key[1]:<60} {word}"
            for key in sorted(rows[place].keys() - rows[1 - place].keys())
        ]
    return lines


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
