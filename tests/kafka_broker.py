"""The real broker for the tests: `kafka_broker`, one for the whole run, on free ports.

All tests with the marker `kafka` are sent to one worker (`--dist loadgroup`), so that one broker
serves them. It dies with the worker, however the worker ends. A test that stops, kills or wipes a
broker asks for `own_kafka_broker`.

Twenty times a broker starts in a run, and mostly to load and compile its own classes: here it loads
them from an archive, which is made once for a machine, and is compiled by the quick compiler alone.
"""

import fcntl
import hashlib
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from infra.kafka import Broker
from infra.kafka.broker import default_home
from infra.kafka.jars import LOCK
from infra.kafka.java import find_java

FIXTURES = {"kafka_broker", "own_kafka_broker"}
QUICK_START = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")


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


def quick_java() -> tuple[str, ...]:
    """The options of a Java that starts fast, its classes archived beside the jars they are of."""
    version = subprocess.run([find_java(), "-version"], capture_output=True, check=True).stderr
    own = hashlib.sha256(version + LOCK.read_bytes()).hexdigest()[:16]
    archive = default_home() / f"classes-{own}.jsa"
    archive.parent.mkdir(parents=True, exist_ok=True)
    with archive.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not archive.exists():
            _make_archive(archive)
    return (*QUICK_START, f"-XX:SharedArchiveFile={archive}")


def _make_archive(archive: Path) -> None:
    """Write the classes that a broker has loaded by the time that it is asked to stop."""
    scratch = archive.with_suffix(".new")
    options = (*QUICK_START, f"-XX:ArchiveClassesAtExit={scratch}")
    with TemporaryDirectory() as home, _running(Path(home), options) as broker:
        broker.stop()
    scratch.replace(archive)


@contextmanager
def running_broker(home: Path) -> Iterator[Broker]:
    """Start a broker on free ports, and kill it at the end.

    Args:
        home: a folder of its own; it is made.
    """
    with _running(home, quick_java()) as broker:
        yield broker


@contextmanager
def _running(home: Path, java_options: tuple[str, ...]) -> Iterator[Broker]:
    port, controller_port = free_ports(2)
    broker = Broker(
        home=home,
        port=port,
        controller_port=controller_port,
        dies_with_parent=True,
        java_options=java_options,
    )
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
