"""Commands of ``pitledger`` in processes of their own, to be killed or starved."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
KILLED = -9


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What became of a command.

    Attributes:
        code: its exit code; ``KILLED`` if it was killed.
        hung: it was killed because it came to no end.
        out: standard output.
        err: standard error.
        points: every point that it came to, in order; the last one is where it died.
        promises: what the library had acknowledged, noted outside the process.
        seconds: how long it took.
        processor_seconds: how much of it a processor worked.
    """

    code: int
    hung: bool
    out: str
    err: str
    points: list[str]
    promises: list[dict[str, Any]]
    seconds: float
    processor_seconds: float


class Children:
    """A process that splits off a child for each command; see ``fork_server``."""

    def __init__(self) -> None:
        kept = {name: text for name, text in os.environ.items() if "PITLEDGER" not in name}
        threads = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.fork_server"], cwd=ROOT, text=True,
            env={**kept, **threads, "COLUMNS": "100"},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def run(
        self,
        *words: str | Path,
        kill_at: int | None = None,
        kill_after: float | None = None,
        batch: int = 60,
        watched: bool = True,
        limits: dict[str, int] | None = None,
    ) -> Ran:
        """Run one command.

        Args:
            words: of the command line.
            kill_at: the number of the point, from 1, at which it dies.
            kill_after: after how many seconds it is killed.
            batch: how many lines, or records, become durable together.
            watched: whether it tells its points and acknowledgements.
            limits: of the process by the name of the resource, such as ``FSIZE``.
        """
        order = {
            "words": [str(word) for word in words],
            "kill_at": kill_at, "kill_after": kill_after,
            "batch": batch, "watched": watched, "limits": limits or {},
        }  # fmt: skip
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(json.dumps(order) + "\n")
        self._server.stdin.flush()
        ran = Ran(**json.loads(self._server.stdout.readline()))
        assert not ran.hung, f"it hangs: {words}, {ran.err}"
        return ran

    def end(self) -> None:
        """Let the server end."""
        self._server.communicate()
