"""The night through Prefect, killed and resumed: the same manifest."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Final

from ledger.night import run_night
from tests.analytics import given
from tests.tour.stage import check

ROOT: Final = Path(__file__).parent.parent.parent
DAY: Final = date(2021, 6, 12)
PATIENCE_SECONDS: Final = 240
STEPS: Final = 3
"""So many steps stand when the run is killed."""


def killed_night(work: Path) -> Iterator[str]:
    """Run the flow, kill it with all its processes, run it again, compare with a night alone."""
    folder = given.ledger(work / "ledger", given.facts("overpaid", days=2, scale=0.02))
    out, home = work / "nights", work / "prefect"
    home.mkdir()
    stood = _killed(folder, out, home)
    yield f"the flow was killed (SIGKILL, with its processes) when {stood} steps stood"
    check(list(out.glob("*/*/manifest.json")) == [], "an issue stands already")
    done = subprocess.run(
        _words(folder, out), cwd=ROOT, env=_environment(home), capture_output=True, text=True,
        timeout=PATIENCE_SECONDS, check=False,
    )  # fmt: skip
    check(done.returncode == 0, f"the flow ended with {done.returncode}: {done.stderr[-1500:]}")
    (resumed,) = out.glob(f"{DAY}/*/manifest.json")
    alone = run_night(folder, DAY, out=work / "alone", processes=1).issue
    first, second = resumed.read_bytes(), (alone.path / "manifest.json").read_bytes()
    check(first == second, "the manifests differ")
    yield f"resumed, it issued {resumed.parent.relative_to(work)}"
    yield f"SHA-256 of its manifest {alone.digest.hex()}"
    yield f"a night alone, without Prefect: the same {len(second):,} bytes"


def _killed(folder: Path, out: Path, home: Path) -> int:
    """Begin the flow and kill it on the way; how many steps stood."""
    heard = home / "heard"
    with heard.open("wb") as file:
        flow = subprocess.Popen(
            _words(folder, out), cwd=ROOT, env=_environment(home), stdout=file,
            stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
    steps: list[Path] = []
    try:
        until = time.monotonic() + PATIENCE_SECONDS
        while len(steps) < STEPS:
            check(flow.poll() is None, f"the flow ended by itself: {heard.read_text()[-1500:]}")
            check(time.monotonic() < until, "the flow makes no step")
            time.sleep(0.05)
            steps = [one for one in out.glob("work/*/*") if not one.name.startswith(".")]
    finally:
        with suppress(ProcessLookupError):
            os.killpg(flow.pid, signal.SIGKILL)
        flow.wait()
    return len(steps)


def _words(folder: Path, out: Path) -> list[str]:
    return [sys.executable, "-m", "pipelines", str(folder), str(out), DAY.isoformat()]


def _environment(home: Path) -> dict[str, str]:
    """Prefect with a home of its own and no server but the one that it starts for the moment."""
    kept = {name: one for name, one in os.environ.items() if not name.startswith("PREFECT_")}
    return kept | {
        "PREFECT_HOME": str(home),
        "PREFECT_LOGGING_LEVEL": "ERROR",
        "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "120",
        "PYTHONPATH": str(ROOT),
    }
