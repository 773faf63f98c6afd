"""Walk the tour: ``python -m tests.tour [NUMBER...]``; ``PAUSE`` seconds at each stop, 0: none."""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.tour.broker import killed_consumer
from tests.tour.edition import two_editions
from tests.tour.flipped import flipped_byte
from tests.tour.forged import forged_state
from tests.tour.live import told_while_open
from tests.tour.missing import one_in_a_million
from tests.tour.power import appearing
from tests.tour.resumed import killed_night
from tests.tour.stage import Broken, Sight
from tests.tour.years import one_hash

SIGHTS: Final = (
    Sight(
        "The floor produces to a real broker, the consumer is killed, the digest is the same",
        "both digests, and that what was taken before and after the kill adds up",
        killed_consumer,
    ),
    Sight(
        "One byte flipped: verify names the position",
        "the position and what is wrong with it; nothing is judged from such a ledger",
        flipped_byte,
    ),
    Sight(
        "One $25 coupon missing among a million",
        "its serial and last holder; the form issued again, with what differs",
        one_in_a_million,
    ),
    Sight(
        "A biased die and a past-posting team appear",
        "what is said of a process and of nobody; with which chance it would have been seen",
        appearing,
    ),
    Sight(
        "The same coupon event on January 31 and February 1, 2014",
        "three in the morning is still the old gaming day; the later text is marked as not held",
        two_editions,
    ),
    Sight(
        "The night through Prefect, killed and resumed: the same manifest",
        "the hash of the manifest; a night alone makes the same bytes",
        killed_night,
    ),
    Sight(
        "The state that a day starts from is forged",
        "the findings before, after, and from nothing: the ledger's key did not seal the forgery",
        forged_state,
    ),
    Sight(
        "A wrong payment reaches the broker while a watch runs: told while the next round is open",
        "the finding with its section; nothing after the next round's throw was produced",
        told_while_open,
    ),
    Sight(
        "A year of one table audited on two workers, one of them killed: one hash",
        "the manifest's hash from one process and from the workers; what was judged again",
        one_hash,
    ),
)
PAUSE_SECONDS: Final = 25.0
INDENT: Final = "   "


def main(words: Sequence[str]) -> int:
    """Walk to every stop, or to those named; 1 if one does not show what it must."""
    pause = float(os.environ.get("PAUSE") or PAUSE_SECONDS)
    numbers = [int(word) for word in words] or range(1, len(SIGHTS) + 1)
    broken = []
    for number in numbers:
        if not walk(number, SIGHTS[number - 1], pause):
            broken.append(number)
    if broken:
        print(f"The tour is broken at stop {', '.join(map(str, broken))}.", file=sys.stderr)
        return 1
    print(f"All {len(numbers)} stops show what they must.")
    return 0


def walk(number: int, sight: Sight, pause: float) -> bool:
    """Show one stop and wait; whether it shows what it must."""
    print(f"{number}. {sight.title}\n{INDENT}Look at: {sight.look}.\n", flush=True)
    began = time.monotonic()
    try:
        with TemporaryDirectory(prefix="pitledger-tour-") as name:
            for line in sight.show(Path(name)):
                print(f"{INDENT}{line}", flush=True)
    except Exception as error:  # a stop that fails in whatever way is named, and the tour goes on
        what = error if isinstance(error, Broken) else f"{type(error).__name__}: {error}"
        print(f"\nStop {number} does NOT show what it must: {what}\n", file=sys.stderr, flush=True)
        return False
    print(f"\n{INDENT}({time.monotonic() - began:.0f} s)\n", flush=True)
    _wait(pause)
    return True


def _wait(pause: float) -> None:
    """Wait so many seconds, or until Enter is pressed where somebody sits there."""
    if pause <= 0:
        return
    if not sys.stdin.isatty():
        time.sleep(pause)
        return
    print(f"{INDENT}[Enter: on; else in {pause:.0f} s]", flush=True)
    if select.select([sys.stdin], [], [], pause)[0]:
        sys.stdin.readline()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
