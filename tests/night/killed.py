"""A run of the night that is killed at a named point: ``python killed.py LEDGER OUT DAY PROCESSES POINT``."""

import os
import signal
import sys
from datetime import date
from pathlib import Path

from ledger.night import run_night


def main(folder: str, out: str, day: str, processes: str, point: str) -> None:
    left = [2 if point.startswith("step") else 1]  # in the midst of the steps, not at the first

    def at(place: str) -> None:
        if place == point:
            left[0] -= 1
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)

    run_night(Path(folder), date.fromisoformat(day), out=Path(out), processes=int(processes), at=at)


if __name__ == "__main__":
    main(*sys.argv[1:])
