"""The floor produces to a real broker, the consumer is killed, the digest is the same."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from infra.kafka import Broker
from ledger.log import Accepted, init, read_log
from tests.analytics import given
from tests.kafka_broker import running_broker
from tests.log.kafka_helpers import fresh_prefix
from tests.tour.stage import check, said

ROOT: Final = Path(__file__).parent.parent.parent
DAY: Final = "2021-06-12"
BATCH: Final = 100
"""So many records become durable together: few, so that there is time to kill."""
BEFORE: Final = 2_000
"""So many entries are in the ledger when the consumer is killed."""
PATIENCE_SECONDS: Final = 120


def killed_consumer(work: Path) -> Iterator[str]:
    """Publish a day, kill the consumer in the midst of it, start it again, compare the audits."""
    with running_broker(work / "kafka") as broker:
        yield f"a broker answers at {broker.bootstrap}"
        yield from through(work, broker)


def through(work: Path, broker: Broker) -> Iterator[str]:
    """The same with a broker that runs already."""
    sent = given.ledger(work / "floor", given.facts("overpaid", scale=0.1))
    taken = work / "copy"
    init(taken, origin="copy.example/pit", property="The House", record_time=given.RECORDED_AT)
    topics = ("--bootstrap", broker.bootstrap, "--topic-prefix", fresh_prefix(broker))
    facts = said("publish", "--ledger", sent, *topics, "--format", "json").json["facts"]
    yield f"the floor produced {facts:,} facts to its topics"
    held = _killed(taken, facts, topics)
    yield f"the consumer was killed (SIGKILL) when {held:,} of them were in the ledger"
    again = said("ingest", "--ledger", taken, *topics, "--format", "json").json
    check(held + again["accepted"] == facts, f"{held} and {again['accepted']} are not {facts}")
    yield f"started again it took the other {again['accepted']:,}, each once"
    said("verify", "--ledger", taken)
    first, second = (
        said("audit", "--day", DAY, "--ledger", one, "--format", "json", code=1).json
        for one in (sent, taken)
    )
    check(first["digest"] == second["digest"], "the digests differ")
    check(first["findings"] == second["findings"] != [], "the findings differ")
    yield f"digest at the floor  {first['digest']}"
    yield f"digest of the copy   {second['digest']}"


def _killed(ledger: Path, facts: int, topics: tuple[str, ...]) -> int:
    """Begin to ingest and kill it on the way; how many facts it had made durable."""
    words = [sys.executable, "-m", "ledger", "ingest", "--ledger", str(ledger), *topics]
    consumer = subprocess.Popen(
        [*words, "--batch", str(BATCH)], cwd=ROOT, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        until = time.monotonic() + PATIENCE_SECONDS
        while read_log(ledger).size <= BEFORE and consumer.poll() is None:
            check(time.monotonic() < until, "the consumer takes nothing")
            time.sleep(0.02)
    finally:
        consumer.kill()
        consumer.wait()
    held = sum(isinstance(entry, Accepted) for _, entry in read_log(ledger).entries())
    check(BATCH <= held < facts, f"{held} of {facts} facts when it was killed")
    return held
