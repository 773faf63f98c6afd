"""A simulated floor that produces to a broker while it is played."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Final

from ledger.cli.simulated_ledger import ORIGIN, Wish
from ledger.codec import frame
from ledger.events import Fact
from ledger.kernel import MICROSECONDS
from ledger.log import Arrival
from ledger.log.kafka import KafkaSettings, in_topics
from ledger.log.kafka_client import Cluster, Sender, Stop
from ledger.log.kafka_wire import Router

PAUSE_SECONDS: Final = 0.05
"""So long facts are gathered before they are sent together."""
LONGEST_SECONDS: Final = 5.0
"""No quiet stretch of the floor is waited out longer: tables closed, a night between two days."""
TOGETHER: Final = 10_000
"""How many facts are under way before all of them must be acknowledged."""


def play(
    wish: Wish,
    settings: KafkaSettings,
    *,
    speed: float,
    stop: Stop,
    report: Callable[[int, int], None],
) -> tuple[int, int]:
    """Produce a floor's facts as they happen.

    Args:
        wish: what is simulated.
        settings: how the broker is reached.
        speed: how many seconds of the floor pass in one of ours.
        stop: asked whether to end early.
        report: told how many facts are sent.

    Returns:
        How many facts were sent, and how many irregularities were planted.

    Raises:
        TopicsMissing, KafkaUnreachable, KafkaDenied: what was acknowledged stays.
    """
    drawn = wish.draw()
    cluster = Cluster(settings)
    try:
        topics = cluster.topics(in_topics(settings.topic_prefix))
    finally:
        cluster.close()
    router = Router(settings.topic_prefix, topics, f"{ORIGIN}-{wish.seed}")
    sender = Sender(settings)
    sent = 0
    try:
        for facts in _paced(drawn.facts, speed, stop):
            for fact in facts:
                sender.send(*router.arrival(Arrival(frame(fact))))
            sender.settle()
            sent += len(facts)
            report(sent, 0)
    finally:
        sender.close()
    return sent, len(drawn.truth)


def _paced(facts: Iterator[Fact], speed: float, stop: Stop) -> Iterator[list[Fact]]:
    """Facts in the order of their arrival, those of one moment together, none before its time."""
    began, floor_began = time.monotonic(), 0
    due: list[Fact] = []
    for fact in facts:
        if not floor_began:
            floor_began = fact.event_time
        wait = (fact.event_time - floor_began) / MICROSECONDS / speed - (time.monotonic() - began)
        if due and (wait > PAUSE_SECONDS or len(due) >= TOGETHER):
            yield due
            due = []
        if wait > PAUSE_SECONDS:
            if wait > LONGEST_SECONDS:
                began -= wait - LONGEST_SECONDS
                wait = LONGEST_SECONDS
            until = time.monotonic() + wait
            while time.monotonic() < until and not stop():
                time.sleep(min(PAUSE_SECONDS, max(until - time.monotonic(), 0)))
        if stop():
            return
        due.append(fact)
    if due:
        yield due
