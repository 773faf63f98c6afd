"""No look waits for the broker: what is sent is under way beside them, nothing lost or doubled."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import cast

import pytest
from hypothesis import given as property_of
from hypothesis import settings
from hypothesis import strategies as st

from ledger.cli import watching
from ledger.cli.options import Options
from ledger.log.kafka import KafkaUnreachable
from ledger.watch import Notice, WatchFenced
from ledger.watch.findings_topic import FindingsTopic
from ledger.watch.topic_publisher import TopicPublisher
from tests.analytics import given
from tests.engine import table_day
from tests.watch.test_findings_topic import NOTICE


class Topic:
    """A topic at which a sending lasts until it may end; some of them fail, before or after it
    was taken. As the real one, it takes nothing twice."""

    target = "topic findings"
    readings = 0

    def __init__(self) -> None:
        self.there: list[Notice] = []
        self.may_end = Event()
        self.may_end.set()
        self.fails: list[str] = []
        self.is_closed = False

    def send(self, notices: list[Notice]) -> None:
        assert self.may_end.wait(30)
        fate = self.fails.pop(0) if self.fails else "taken"
        if fate == "fenced":
            raise WatchFenced("findings")
        if fate != "lost":
            self.there += [notice for notice in notices if notice not in self.there]
        if fate != "taken":
            raise KafkaUnreachable("sending", "findings", fate)

    def close(self) -> None:
        self.is_closed = True


def publisher_of(topic: Topic) -> TopicPublisher:
    return TopicPublisher(cast(FindingsTopic, topic))


def numbered(number: int) -> Notice:
    return replace(NOTICE, id=f"{number:032x}")


@settings(deadline=None, max_examples=50)
@property_of(st.lists(st.sampled_from(["taken", "lost", "unanswered"]), max_size=12))
def test_each_is_there_once_whatever_becomes_of_a_sending(fates: list[str]) -> None:
    """One notice more at each look; a sending is lost, or arrives and is not answered."""
    topic = Topic()
    topic.fails = list(fates)
    publisher, waiting = publisher_of(topic), list[Notice]()
    for number in range(2 * len(fates) + 2):  # what was refused is begun again at the look after
        if number < len(fates):
            waiting.append(numbered(number))
        with suppress(KafkaUnreachable):
            publisher.hand_on(list(waiting), waiting.remove)
        publisher.wait()
    publisher.hand_on([], waiting.remove)
    assert waiting == []
    assert topic.there == [numbered(number) for number in range(len(fates))]


def test_looks_go_on_while_the_broker_does_not_answer(tmp_path: Path) -> None:
    folder = given.ledger(tmp_path / "ledger", [*table_day("SB-01", "overpaid@SB-01")])
    teller, topic = watching.Teller.of(Options(ledger=folder), None, []), Topic()
    topic.may_end.clear()
    teller.receivers[topic.target] = publisher_of(topic).hand_on
    teller.look()
    waits = dict(teller.memory.pending)
    assert waits
    began = time.monotonic()
    for _ in range(20):
        teller.look()
    assert time.monotonic() - began < 20  # one that waited for the broker would take thirty
    assert teller.memory.pending == waits
    topic.may_end.set()
    while teller.memory.pending:
        teller.look()
        assert time.monotonic() - began < 60
    assert topic.there == [each.notice for each in waits.values()]
    teller.close()


def test_a_watch_that_is_fenced_off_beside_a_look_ends_at_the_next(tmp_path: Path) -> None:
    topic = Topic()
    topic.fails = ["fenced"]
    publisher = publisher_of(topic)
    publisher.hand_on([NOTICE], lambda notice: None)
    assert publisher.wait()
    assert publisher.has_ended
    with pytest.raises(WatchFenced):
        publisher.hand_on([NOTICE], lambda notice: None)


def test_the_end_does_not_wait_for_a_broker_that_does_not_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ledger.watch.topic_publisher.CLOSING_SECONDS", 0.1)
    topic = Topic()
    topic.may_end.clear()
    publisher = publisher_of(topic)
    publisher.hand_on([NOTICE], lambda notice: None)
    assert publisher.is_busy
    publisher.close()
    assert not topic.is_closed
    topic.may_end.set()
    publisher.close()
    assert topic.is_closed
