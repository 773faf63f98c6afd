"""Three brokers as one cluster, from the pinned artifacts, and what befalls one of them."""

from __future__ import annotations

import ctypes
import signal
import socket
import subprocess
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final
from uuid import uuid4

from kafka import KafkaAdminClient
from kafka.errors import KafkaError

from infra.kafka import broker as single
from infra.kafka import ensure_topics, load_topics
from infra.kafka.broker import default_home
from infra.kafka.jars import class_path
from infra.kafka.java import find_java
from tests.faults.cluster_network import NODES, Loopback

LAG_SECONDS: Final = 3.0
"""``replica.lag.time.max.ms``: a replica that is silent for longer is not in sync."""
AWAY_SECONDS: Final = LAG_SECONDS + 1.5
"""How long a fault lasts at least."""
DELAY_SECONDS: Final = 0.15
PATIENCE: Final = 90.0
HERE: Final = Path(single.__file__).parent
JAVA_OPTIONS: Final = (
    "-Xmx256m",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-Djava.net.preferIPv4Stack=true",  # the proxies look for callers among the IPv4 sockets
    f"-Dlog4j2.configurationFile=file:{HERE / 'log4j2.properties'}",
)
SETTINGS: Final = {
    "default.replication.factor": "3",
    "min.insync.replicas": "2",
    "unclean.leader.election.enable": "false",
    "offsets.topic.replication.factor": "3",
    "transaction.state.log.replication.factor": "3",
    "transaction.state.log.min.isr": "2",
    "share.coordinator.state.topic.replication.factor": "3",
    "share.coordinator.state.topic.min.isr": "2",
    "replica.lag.time.max.ms": str(int(LAG_SECONDS * 1_000)),
    "replica.fetch.wait.max.ms": "100",
    # how long brokers wait for one that is silent: a follower for its leader, all for the controller
    "replica.socket.timeout.ms": "3000",
    "controller.socket.timeout.ms": "2000",
    "request.timeout.ms": "2000",
    "broker.session.timeout.ms": "3000",
    "broker.heartbeat.interval.ms": "500",
    # a broker that comes back leads again, so that the next fault meets leaders too
    "leader.imbalance.check.interval.seconds": "5",
    "leader.imbalance.per.broker.percentage": "0",
}
_SIGNAL_ON_PARENT_DEATH: Final = 1  # PR_SET_PDEATHSIG


def until(done: Callable[[], bool], what_for: str, patience: float = PATIENCE) -> None:
    """Wait for what somebody else does."""
    deadline = time.monotonic() + patience
    while not done():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {patience:.0f} seconds in vain: {what_for}")
        time.sleep(0.1)


def dies_with_parent() -> Callable[[], None]:
    """For a child's first moment: it is killed when the thread that started it ends."""
    libc = ctypes.CDLL(None)  # loaded before the fork, where loading would not be safe

    def ask() -> None:
        libc.prctl(_SIGNAL_ON_PARENT_DEATH, signal.SIGKILL)

    return ask


class Node:
    """One broker, which is a controller too.

    Args:
        number: its ``node.id``.
        home: its settings, log and data.
        network: how it is reached.
        jars: the class path.
    """

    def __init__(self, number: int, home: Path, network: Loopback, jars: str) -> None:
        self.number = number
        self.home = home
        self.directory = _short_id()
        self._network = network
        self._java = [str(find_java()), *JAVA_OPTIONS, "-cp", jars]
        self._process: subprocess.Popen[bytes] | None = None
        home.mkdir(parents=True)

    @property
    def voter(self) -> str:
        """How the quorum of controllers is told of this one."""
        return f"{self.number}@{self._network.reached[self.number].controllers}:{self.directory}"

    def format(self, cluster: str, voters: str) -> subprocess.Popen[bytes]:
        """Write the settings and begin to make the data folder."""
        self._properties.write_text(self._settings(), encoding="utf-8")
        words = ["kafka.tools.StorageTool", "format", "-t", cluster, "--initial-controllers"]
        command = [*self._java, *words, voters, "-c", str(self._properties)]
        with self._log.open("ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, preexec_fn=dies_with_parent())

    def start(self) -> None:
        """Start the process, and wait for nothing."""
        assert self._process is None
        command = [*self._network.command(self.number), *self._java, "kafka.Kafka"]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*command, str(self._properties)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.home,
                start_new_session=True,
                preexec_fn=dies_with_parent(),
            )
        self._network.started(self.number, self._process.pid)

    def kill(self) -> None:
        """End the process at once; its data stays as it was."""
        if self._process is not None:
            self._process.kill()  # a process that stands still dies too
            self._process.wait()
            self._process = None

    def pause(self) -> None:
        """Stop the process where it stands."""
        self._send(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        self._send(signal.SIGCONT)

    def last_words(self) -> str:
        """The end of its log."""
        lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join([f"broker {self.number}:", *lines[-15:]])

    def _send(self, sign: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(sign)

    @property
    def _properties(self) -> Path:
        return self.home / "server.properties"

    @property
    def _log(self) -> Path:
        return self.home / "broker.log"

    def _settings(self) -> str:
        bound, reached = (
            f"PLAINTEXT://{place.clients},CONTROLLER://{place.controllers}"
            for place in (self._network.bound[self.number], self._network.reached[self.number])
        )
        text = (HERE / "server.properties").read_text(encoding="utf-8")
        lines = dict(
            line.split("=", 1) for line in text.splitlines() if line and not line.startswith("#")
        )
        lines |= SETTINGS | {
            "node.id": str(self.number),
            "listeners": bound,
            "advertised.listeners": reached,
            "controller.quorum.bootstrap.servers": ",".join(
                place.controllers for place in self._network.reached.values()
            ),
            "log.dirs": str(self.home / "data"),
        }
        return "".join(f"{key}={value}\n" for key, value in lines.items())


def _short_id() -> str:
    return urlsafe_b64encode(b"p" + uuid4().bytes[1:]).decode().rstrip("=")


class Cluster:
    """Three brokers that run.

    Args:
        home: a folder for all they write.
        network: how they reach each other.
    """

    def __init__(self, home: Path, network: Loopback) -> None:
        self.network = network
        jars = class_path(default_home() / "jars")
        self.nodes = {number: Node(number, home / str(number), network, jars) for number in NODES}
        self._admin: KafkaAdminClient | None = None

    @property
    def bootstrap(self) -> str:
        """All three, for a client."""
        return ",".join(place.clients for place in self.network.reached.values())

    def start(self, prefix: str) -> None:
        """Format and start the brokers, and make the topics, each on all three.

        Args:
            prefix: of the topics.
        """
        voters = ",".join(node.voter for node in self.nodes.values())
        cluster = _short_id()
        for process in [node.format(cluster, voters) for node in self.nodes.values()]:
            assert process.wait(PATIENCE) == 0, self.last_words()
        for node in self.nodes.values():
            node.start()
        until(self._listens, "all brokers to listen")
        until(lambda: self._count() == len(NODES), "all brokers in the cluster")
        topics = load_topics(prefix, replication=len(NODES))
        self._topics = [topic.name for topic in topics]
        ensure_topics(self.bootstrap, topics)
        self.await_in_sync()

    def close(self) -> None:
        """Kill the brokers and let go of the network."""
        self._forget()
        for node in self.nodes.values():
            node.kill()
        self.network.close()

    def last_words(self) -> str:
        """The ends of the brokers' logs."""
        return "\n".join(node.last_words() for node in self.nodes.values())

    def in_sync(self) -> dict[str, set[int]] | None:
        """The replicas in sync of each partition; None when nobody answers, or not of all."""
        try:
            described = self._client().describe_topics(self._topics)
        except (KafkaError, OSError):
            self._forget()
            return None
        replicas = {
            f"{topic['name']}-{partition['partition_index']}": set(partition["isr_nodes"])
            for topic in described
            for partition in topic["partitions"]
            if not topic["error_code"]
        }
        return replicas if all(not topic["error_code"] for topic in described) else None

    def await_in_sync(self) -> None:
        """Wait until every partition has all three replicas in sync."""
        until(
            lambda: all(
                len(nodes) == len(NODES) for nodes in (self.in_sync() or {"": set()}).values()
            ),
            "all replicas in sync",
        )

    def await_left_behind(self, number: int) -> None:
        """Wait until no partition counts on a broker."""
        until(
            lambda: all(
                number not in nodes for nodes in (self.in_sync() or {"": {number}}).values()
            ),
            f"broker {number} out of sync",
        )

    def _listens(self) -> bool:
        try:
            for place in self.network.bound.values():
                socket.create_connection((place.host, place.port), timeout=1).close()
        except OSError:
            return False
        return True

    def _count(self) -> int:
        try:
            return len(self._client().describe_cluster()["brokers"])
        except (KafkaError, OSError):
            self._forget()
            return 0

    def _client(self) -> KafkaAdminClient:
        if self._admin is None:
            self._admin = KafkaAdminClient(
                bootstrap_servers=self.bootstrap.split(","),
                bootstrap_timeout_ms=3_000,
                request_timeout_ms=1_500,
                reconnect_backoff_max_ms=500,
            )
        return self._admin

    def _forget(self) -> None:
        if self._admin is not None:
            with suppress(Exception):  # it is over either way
                self._admin.close()
            self._admin = None

    # ------------------------------------------------------------ faults

    @contextmanager
    def killed(self, number: int) -> Iterator[None]:
        """A broker is killed, and started again at the end."""
        node = self.nodes[number]
        node.kill()
        yield
        node.start()

    @contextmanager
    def paused(self, number: int) -> Iterator[None]:
        """A broker stands still, its connections open."""
        node = self.nodes[number]
        node.pause()
        try:
            yield
        finally:
            node.resume()

    @contextmanager
    def cut(self, number: int) -> Iterator[None]:
        """A broker is cut off, from clients and brokers alike."""
        self.network.cut(number)
        try:
            yield
        finally:
            self.network.mend(number)

    @contextmanager
    def delayed(self, number: int) -> Iterator[None]:
        """All that goes to a broker, and comes from it, is held back a while."""
        self.network.delay(number, DELAY_SECONDS)
        try:
            yield
        finally:
            self.network.mend(number)

    def outlast(self, number: int) -> None:
        """Wait until the others count on a broker no more, and as long as a fault lasts at least."""
        began = time.monotonic()
        self.await_left_behind(number)
        time.sleep(max(0.0, began + AWAY_SECONDS - time.monotonic()))
