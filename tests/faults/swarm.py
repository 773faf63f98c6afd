"""`python -m tests.faults.swarm --hours H`: seeds of the simulator without end, and what they struck.

Writes the figures of the run to `infra/docs/swarm.md`; a seed that fails prints its story, with as
few kinds of faults as it needs, and ends the run.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from tests.faults.simulator import PromiseBroken, run_seed, shrunk

PAGE = Path(__file__).parent.parent.parent / "infra" / "docs" / "swarm.md"


def page(seeds: range, seconds: float, hits: Counter[tuple[str, str]]) -> str:
    """The page of a run without a failure."""
    parts = sorted({part for _, part in hits})
    lines = [
        "# The swarm",
        "",
        f"Written by `make swarm` on {datetime.now(UTC):%B %-d, %Y}: seeds {seeds.start:,} to {seeds.stop - 1:,},"
        f" {seconds / 3600:.2f} hours of processor time, each seed lived twice with equal traces.",
        "",
        "**No promise was broken.** How often each fault, or the refusal that it led to, struck which part of the path:",
        "",
        f"| fault or refusal | {' | '.join(parts)} |",
        f"|---|{'---|' * len(parts)}",
    ]
    for fault in sorted({fault for fault, _ in hits}):
        row = " | ".join(f"{hits[fault, part]:,}" if hits[fault, part] else "" for part in parts)
        lines.append(f"| {fault} | {row} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.swarm")
    parser.add_argument("--hours", type=float, default=1.0, help="of wall clock")
    parser.add_argument("--first", type=int, default=1_000, help="seed to begin with")
    chosen = parser.parse_args()
    ends, began = time.monotonic() + chosen.hours * 3_600, time.process_time()
    hits: Counter[tuple[str, str]] = Counter()
    seed = chosen.first
    while time.monotonic() < ends:
        try:
            story, again = run_seed(seed), run_seed(seed)
        except PromiseBroken as broken:
            print(shrunk(seed) or broken, file=sys.stderr)
            return 1
        if (story.trace, story.digest) != (again.trace, again.digest):
            print(f"seed {seed} told two stories", file=sys.stderr)
            return 1
        hits += story.hits
        seed += 1
    PAGE.write_text(page(range(chosen.first, seed), time.process_time() - began, hits), "utf-8")
    print(f"{seed - chosen.first:,} seeds, no promise broken: {PAGE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
