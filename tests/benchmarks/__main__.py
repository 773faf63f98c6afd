"""Run the ``bench_*.py`` here, print what they measured, and record it.

``python -m tests.benchmarks [--write] [NAME...]``: without a name, all of them.
"""

from __future__ import annotations

import argparse
import sys
import time
from datetime import datetime

from tests.benchmarks.figures import (
    benchmarks,
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
    options = parser.parse_args(arguments)
    if unknown := sorted(set(options.names) - set(modules)):
        parser.error(f"no such benchmark: {', '.join(unknown)}")
    print(machine())
    run = run_at(datetime.now().astimezone())
    for group, module in modules.items():
        if options.names and group not in options.names:
            continue
        start = time.perf_counter()
        rows = list(module.run())
        print(f"\n{group} ({time.perf_counter() - start:.0f} s)")
        for name, value, unit in rows:
            print(f"  {name:<66} {value:>14,.1f} {unit}")
        figures = figures_of(rows, run, wanted=module.WANTED, baselines=module.BASELINES)
        if options.write:
            write(read().with_group(group, figures, run), notes_of_groups())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
