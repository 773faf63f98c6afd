"""An ingest in a process of its own, to be killed: the environment says at which named point.

``PITLEDGER_FAULT=POINT:COUNT`` sends this process SIGKILL when it comes to the point that often.
"""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from pathlib import Path

from ledger.log import open_log
from ledger.log.kafka import KafkaSettings, ingest, stop_on_signals


def main(folder: str, bootstrap: str, prefix: str, batch: str, follow: str = "") -> None:
    """Ingest once, or follow until a signal comes."""
    point, _, count = os.environ.get("PITLEDGER_FAULT", ":0").partition(":")
    seen: Counter[str] = Counter()

    def at_point(name: str) -> None:
        seen[name] += 1
        if name == point and seen[name] == int(count):
            os.kill(os.getpid(), signal.SIGKILL)

    settings = KafkaSettings(bootstrap=bootstrap, topic_prefix=prefix, timeout_seconds=20)
    with open_log(Path(folder), at_point=at_point) as log, stop_on_signals() as stop:
        done = ingest(
            log,
            settings,
            batch=int(batch),
            follow=bool(follow),
            stop=stop,
            at_point=at_point,
            progress=lambda read, _: print(read, flush=True),
        )
    print("interrupted" if done.interrupted else "done", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
