"""Runs of the night that are killed at named points: ``python killed.py LEDGER DAY POINT=OUT...``.

Each is a process of its own, split off before any thread runs; says by which signal each ended.
"""

import os
import signal
import sys
from datetime import date
from pathlib import Path

from ledger.night import run_night


def run(folder: str, day: str, point: str, out: str) -> None:
    left = [2 if point.startswith("step") else 1]  # in the midst of the steps, not at the first

    def at(place: str) -> None:
        if place == point:
            left[0] -= 1
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)

    run_night(Path(folder), date.fromisoformat(day), out=Path(out), processes=1, at=at)


def main(folder: str, day: str, *wanted: str) -> None:
    for one in wanted:
        point, _, out = one.partition("=")
        child = os.fork()
        if not child:
            run(folder, day, point, out)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(point, os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
