"""The real broker for the tests: `kafka_broker`, one for the whole run, on free ports.

All tests with the marker `kafka` are sent to one worker (`--dist loadgroup`), so that one broker
serves them. It dies with the worker, however the worker ends. A test that stops, kills or wipes a
broker asks for `own_kafka_broker`.
"""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from infra.kafka import Broker

FIXTURES = {"kafka_broker", "own_kafka_broker"}


def pytest_itemcollected(item: pytest.Item) -> None:
    if FIXTURES & set(getattr(item, "fixturenames", ())):
        item.add_marker(pytest.mark.kafka)
        item.add_marker(pytest.mark.xdist_group("kafka"))


def free_ports(count: int) -> list[int]:
    """Name ports that nothing listens on, all different."""
    probes = [socket.socket() for _ in range(count)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]
    finally:
        for probe in probes:
            probe.close()


@contextmanager
def running_broker(home: Path) -> Iterator[Broker]:
    """Start a broker on free ports, and kill it at the end.

    Args:
        home: a folder of its own; it is made.
    """
    port, controller_port = free_ports(2)
    broker = Broker(home=home, port=port, controller_port=controller_port, dies_with_parent=True)
    broker.start()
    try:
        yield broker
    finally:
        broker.kill()


@pytest.fixture(scope="session")
def kafka_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A broker that every test of the run shares: each test makes its own topics."""
    with running_broker(tmp_path_factory.mktemp("kafka")) as broker:
        yield broker


@pytest.fixture
def own_kafka_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A broker of the test's own, to be killed and started again."""
    with running_broker(tmp_path_factory.mktemp("kafka")) as broker:
        yield broker
