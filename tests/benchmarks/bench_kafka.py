"""How fast facts go through a real broker: ledger -> topics, and topics -> another ledger."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from infra.kafka import Broker, ensure_topics, load_topics
from ledger.log import init, open_log
from ledger.log.kafka import KafkaSettings, ingest, publish
from tests.benchmarks.bench_replay import FACTS, START, arrivals
from tests.kafka_broker import running_broker

NOTE = """
100,000 wagers of five tables through a real broker, the best of three, by the wall clock. Ingest is bound by the client
library's parsing of headers.
"""
WANTED: dict[tuple[str, str], str] = {
    ("kafka -> ledger", "events/s"): "at least 40,000",
}
BASELINES: dict[str, str] = {
    "ledger -> kafka, all there already": "ledger -> kafka, acknowledged",
}
TIMES = 3


def run() -> list[tuple[str, float, str]]:
    """Name, value and unit of each measurement: the best of three."""
    with TemporaryDirectory() as name:
        home = Path(name)
        with running_broker(home / "kafka") as broker:
            return measured(home, broker)


def measured(home: Path, broker: Broker) -> list[tuple[str, float, str]]:
    """Publish one ledger to fresh topics, and ingest each into a fresh one."""
    source = home / "source"
    init(source, origin="bench", property="bench", record_time=START)
    sent = again = taken = spent = 0.0
    with open_log(source) as log:
        log.append(arrivals(), START)
        for turn in range(TIMES):
            settings = KafkaSettings(bootstrap=broker.bootstrap, topic_prefix=f"bench-{turn}")
            ensure_topics(broker.bootstrap, load_topics(settings.topic_prefix))
            began = perf_counter()
            assert publish(log, settings).facts == FACTS
            sent = max(sent, FACTS / (perf_counter() - began))
            began = perf_counter()
            assert publish(log, settings).already == FACTS
            again = max(again, FACTS / (perf_counter() - began))
            copy = home / f"copy-{turn}"
            init(copy, origin="copy", property="bench", record_time=START)
            with open_log(copy) as other:
                began, worked = perf_counter(), process_time()
                assert ingest(other, settings).accepted == FACTS
                taken = max(taken, FACTS / (perf_counter() - began))
                spent = max(spent, FACTS / (process_time() - worked))
    return [
        ("kafka -> ledger", taken, "events/s"),
        ("kafka -> ledger, of processor time", spent, "events/s"),
        ("ledger -> kafka, acknowledged", sent, "events/s"),
        ("ledger -> kafka, all there already", again, "events/s"),
    ]
