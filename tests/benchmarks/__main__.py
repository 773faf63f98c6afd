"""Run every ``bench_*.py`` here and print what it measured: ``python -m tests.benchmarks [NAME...]``."""

from __future__ import annotations

import importlib
import os
import platform
import sys
import time
from pathlib import Path


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


def main(names: list[str]) -> int:
    """Print name, value and unit of each measurement."""
    print(machine())
    for path in sorted(Path(__file__).parent.glob("bench_*.py")):
        if names and path.stem.removeprefix("bench_") not in names:
            continue
        start = time.perf_counter()
        rows = importlib.import_module(f"tests.benchmarks.{path.stem}").run()
        print(f"\n{path.stem.removeprefix('bench_')} ({time.perf_counter() - start:.0f} s)")
        for name, value, unit in rows:
            print(f"  {name:<66} {value:>14,.1f} {unit}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
