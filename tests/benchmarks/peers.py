"""Works of other libraries, for ``bench_peers``: run in an environment that has them alone.

``python -m tests.benchmarks.peers NAME [ARGUMENT...]`` does one of them and prints what it took. Each
does what its docstring says and not more; none of them proves, judges or explains anything.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.benchmarks.in_turns import measured
from tests.benchmarks.naive import Decoder, Reducer, framed_facts

DISTRIBUTED = 1_000_000
REDEEMED_OF_A_HUNDRED = 60
AGGREGATES = 20_000


def bytewax(folder: str) -> Callable[[], int]:
    """Bytewax: the naive reducer as steps of a dataflow, keyed by table."""
    import bytewax.operators as op
    from bytewax.dataflow import Dataflow
    from bytewax.testing import TestingSink, TestingSource, run_main

    decode, reducers = Decoder(), list[Reducer]()

    def reduced(reducer: Reducer | None, fact: Any) -> tuple[Reducer, None]:
        if reducer is None:
            reducer = Reducer()
            reducers.append(reducer)
        reducer.take(fact)
        return reducer, None

    flow = Dataflow("naive")
    framed = op.input("framed", flow, TestingSource(framed_facts(Path(folder)), batch_size=256))
    facts = op.map("decode", framed, decode)
    keyed = op.key_on("key", facts, lambda fact: fact.stream.partition("/")[0])
    op.output("out", op.stateful_map("reduce", keyed, reduced), TestingSink([]))

    def work() -> int:
        run_main(flow)
        return sum(reducer.facts for reducer in reducers)

    return work


def eventsourcing() -> Callable[[], int]:
    """eventsourcing: one event each appended to an aggregate of its table, stored in SQLite."""
    from eventsourcing.application import Application
    from eventsourcing.domain import Aggregate, event

    class Table(Aggregate):
        @event("Placed")
        def place(self, wager: str, stake_cents: int) -> None:
            self.staked = getattr(self, "staked", 0) + stake_cents

    def work() -> int:
        with tempfile.TemporaryDirectory() as scratch:
            os.environ["PERSISTENCE_MODULE"] = "eventsourcing.sqlite"
            os.environ["SQLITE_DBNAME"] = f"{scratch}/events.db"
            application = Application[Any]()
            tables = [Table() for _ in range(5)]
            for start in range(0, AGGREGATES, 1000):
                for number in range(start, start + 1000):
                    tables[number % 5].place(f"W-{number}", 2500)
                application.save(*tables)
        return AGGREGATES

    return work


def coupons() -> tuple[list[str], list[str]]:
    """Serials distributed, and those of them that were redeemed."""
    distributed = [f"M25-{number:08d}" for number in range(DISTRIBUTED)]
    redeemed = [
        serial
        for number, serial in enumerate(distributed)
        if number * 61 % 100 < REDEEMED_OF_A_HUNDRED
    ]
    return distributed, redeemed


def pandas() -> Callable[[], int]:
    """pandas: which of a million serials were redeemed, and by how much in all; one join."""
    from pandas import DataFrame

    distributed, redeemed = coupons()
    left = DataFrame({"serial": distributed, "cents": 2500})
    right = DataFrame({"serial": redeemed, "paid": 2500})

    def work() -> int:
        joined = left.merge(right, on="serial", how="left")
        assert int(joined["paid"].sum()) == 2500 * len(redeemed)
        return DISTRIBUTED

    return work


def duckdb() -> Callable[[], int]:
    """DuckDB: the same join in SQL, on one thread, the two tables loaded before."""
    import duckdb as library

    database = library.connect()
    database.execute("SET threads = 1")
    database.execute(
        "CREATE TABLE distributed AS SELECT format('M25-{:08d}', i) AS serial, 2500 AS cents, i"
        f" FROM range({DISTRIBUTED}) AS one(i)"
    )
    database.execute(
        "CREATE TABLE redeemed AS SELECT serial, 2500 AS paid FROM distributed"
        f" WHERE i * 61 % 100 < {REDEEMED_OF_A_HUNDRED}"
    )

    def work() -> int:
        query = "SELECT count(*), sum(paid) FROM distributed LEFT JOIN redeemed USING (serial)"
        count, paid = database.execute(query).fetchall()[0]
        assert (count, paid) == (DISTRIBUTED, 2500 * DISTRIBUTED * REDEEMED_OF_A_HUNDRED // 100)
        return DISTRIBUTED

    return work


def quixstreams(bootstrap: str, topic: str, count: str) -> Callable[[], int]:
    """quixstreams: an application that reads every record of a topic and keeps none."""
    from quixstreams import Application

    application = Application(
        broker_address=bootstrap, consumer_group=f"bench-{os.getpid()}", auto_offset_reset="earliest",
        auto_create_topics=False, loglevel="ERROR",
    )  # fmt: skip
    stream = application.dataframe(
        application.topic(topic, value_deserializer="bytes", key_deserializer="bytes")
    )
    stream.update(lambda _: None)

    def work() -> int:
        application.run(stream, count=int(count))
        return int(count)

    return work


def librdkafka(bootstrap: str, topic: str, count: str) -> Callable[[], int]:
    """confluent-kafka: reads every record of a topic through librdkafka and keeps none."""
    from confluent_kafka import OFFSET_BEGINNING, Consumer, TopicPartition

    def work() -> int:
        consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": "bench-c"})
        partitions = consumer.list_topics(topic).topics[topic].partitions
        consumer.assign([TopicPartition(topic, one, OFFSET_BEGINNING) for one in partitions])
        records = 0
        while records < int(count):
            records += len(consumer.consume(10_000, timeout=0.5))
        consumer.close()
        return records

    return work


PEERS: dict[str, Callable[..., Callable[[], int]]] = {
    "bytewax": bytewax,
    "duckdb": duckdb,
    "eventsourcing": eventsourcing,
    "librdkafka": librdkafka,
    "pandas": pandas,
    "quixstreams": quixstreams,
}

if __name__ == "__main__":
    work = PEERS[sys.argv[1]](*sys.argv[2:])
    print(json.dumps(asdict(measured(work))))
