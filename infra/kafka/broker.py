"""Is the broker up? Start it, stop it, kill it: one node on loopback, its data in one folder.

`python infra/kafka/broker.py up|down|status` is the command behind `make kafka-up`; the tests use
the class `Broker` on free ports in a folder of their own.
"""

import argparse
import base64
import contextlib
import ctypes
import fcntl
import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from infra.kafka.errors import BrokerError
from infra.kafka.jars import class_path
from infra.kafka.java import find_java
from infra.kafka.topics import ensure_topics, load_topics

HERE: Final = Path(__file__).parent
PORT: Final = 19092
CONTROLLER_PORT: Final = 19093
START_TIMEOUT_SECONDS: Final = 90
STOP_TIMEOUT_SECONDS: Final = 60
POLL_SECONDS: Final = 0.1
HEAP: Final = "512m"
LOG_TAIL_LINES: Final = 15
_SIGNAL_ON_PARENT_DEATH: Final = 1  # PR_SET_PDEATHSIG


def default_home() -> Path:
    """Name the folder of jars, settings, log and data: PITLEDGER_KAFKA_HOME, or var/ here."""
    return Path(os.environ.get("PITLEDGER_KAFKA_HOME") or HERE / "var").absolute()


@dataclass(slots=True, kw_only=True)
class Broker:
    """One node.

    Args:
        home: settings, log, pid file and data of this node.
        jars: a Maven repository folder, shared by all nodes on the machine.
        settings: lines of server.properties to add or replace.
        dies_with_parent: kill the broker when the process that started it ends, however it ends.
        java_options: further options of the Java that runs the node.
    """

    home: Path
    port: int = PORT
    controller_port: int = CONTROLLER_PORT
    jars: Path = field(default_factory=lambda: default_home() / "jars")
    settings: Mapping[str, str] = field(default_factory=dict)
    dies_with_parent: bool = False
    java_options: tuple[str, ...] = ()
    _child: subprocess.Popen[bytes] | None = None

    @property
    def bootstrap(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        return self.home / "broker.log"

    def start(self) -> None:
        """Start the node and wait until it answers; when it runs already, only wait."""
        self.home.mkdir(parents=True, exist_ok=True)
        with self._locked():
            if self.pid() is None:
                self._launch()
            self._wait_until_it_answers()

    def stop(self) -> None:
        """Ask the node to end, and wait until it has; nothing to do when it does not run."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End the node at once, as a power cut would; its data stays as it was."""
        self._end(signal.SIGKILL)

    def restart(self) -> None:
        self.stop()
        self.start()

    def pid(self) -> int | None:
        """Name the running process of this node, and no other that got its old number."""
        if self._child is not None:
            if self._child.poll() is None:
                return self._child.pid
            self._child = None
        try:
            pid = int(self._pid_file.read_text(encoding="ascii"))
            command = Path("/proc", str(pid), "cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError, ValueError):
            return None
        return pid if os.fsencode(self._properties) in command else None

    @property
    def _pid_file(self) -> Path:
        return self.home / "broker.pid"

    @property
    def _properties(self) -> Path:
        return self.home / "server.properties"

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        with (self.home / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _launch(self) -> None:
        for port in (self.port, self.controller_port):
            if not _is_free(port):
                raise BrokerError("kafka_port_taken", f"127.0.0.1:{port} is in use")
        java = [str(find_java()), f"-Xmx{HEAP}", *self.java_options]
        java += [f"-Dlog4j2.configurationFile=file:{HERE / 'log4j2.properties'}"]
        java += [f"-Dkafka.logs.dir={self.home / 'logs'}", "-cp", class_path(self.jars)]
        self._properties.write_text(self._settings_text(), encoding="utf-8")
        self._format(java)
        with self.log.open("ab") as log:
            self._child = subprocess.Popen(
                [*java, "kafka.Kafka", str(self._properties)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self.home,
                start_new_session=True,
                preexec_fn=_dies_with_parent() if self.dies_with_parent else None,
            )
        self._pid_file.write_text(str(self._child.pid), encoding="ascii")

    def _settings_text(self) -> str:
        listeners = f"PLAINTEXT://{self.bootstrap},CONTROLLER://127.0.0.1:{self.controller_port}"
        lines = dict(
            line.split("=", 1)
            for line in (HERE / "server.properties").read_text(encoding="utf-8").splitlines()
            if line and not line.startswith("#")
        )
        lines |= {
            "listeners": listeners,
            "advertised.listeners": listeners,
            "controller.quorum.bootstrap.servers": f"127.0.0.1:{self.controller_port}",
            "log.dirs": str(self.home / "data"),
        }
        return "".join(f"{key}={value}\n" for key, value in (lines | dict(self.settings)).items())

    def _format(self, java: list[str]) -> None:
        if (self.home / "data" / "meta.properties").exists():
            return
        cluster = base64.urlsafe_b64encode(b"p" + uuid.uuid4().bytes[1:]).decode().rstrip("=")
        command = [*java, "kafka.tools.StorageTool", "format", "--standalone", "-t", cluster]
        done = subprocess.run(
            [*command, "-c", str(self._properties)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise BrokerError("kafka_format_failed", f"{done.stdout}{done.stderr}".strip())

    def _wait_until_it_answers(self) -> None:
        deadline = time.monotonic() + START_TIMEOUT_SECONDS
        while not _answers(self.bootstrap):
            if self.pid() is None:
                raise BrokerError("kafka_died", f"the broker ended; {self._last_words()}")
            if time.monotonic() > deadline:
                raise BrokerError("kafka_silent", f"{self.bootstrap} says nothing; log {self.log}")
            time.sleep(POLL_SECONDS)

    def _end(self, how: signal.Signals) -> None:
        pid = self.pid()
        if pid is not None:
            os.kill(pid, how)
            deadline = time.monotonic() + STOP_TIMEOUT_SECONDS
            while self.pid() is not None or not self._ports_are_free():
                if time.monotonic() > deadline:
                    raise BrokerError("kafka_will_not_stop", f"process {pid} goes on")
                time.sleep(POLL_SECONDS)
        self._pid_file.unlink(missing_ok=True)

    def _ports_are_free(self) -> bool:
        """A killed process can be gone from the list before its sockets are."""
        return _is_free(self.port) and _is_free(self.controller_port)

    def _last_words(self) -> str:
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join([f"the end of {self.log}:", *lines[-LOG_TAIL_LINES:]])


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _answers(bootstrap: str) -> bool:
    """Ask for the cluster's description: a port that is open is not yet a broker that serves."""
    from kafka import KafkaAdminClient
    from kafka.errors import KafkaError

    host, port = bootstrap.split(":")
    try:
        socket.create_connection((host, int(port)), timeout=1).close()
    except OSError:
        return False
    try:
        admin = KafkaAdminClient(bootstrap_servers=bootstrap, request_timeout_ms=5_000)
    except KafkaError:
        return False
    try:
        return bool(admin.describe_cluster()["brokers"])
    except KafkaError:
        return False
    finally:
        admin.close()


def _dies_with_parent() -> Callable[[], None]:
    libc = ctypes.CDLL(None)  # loaded before the fork, where loading would not be safe

    def ask() -> None:
        libc.prctl(_SIGNAL_ON_PARENT_DEATH, signal.SIGKILL)

    return ask


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done or up, 1 down, 3 it cannot be done."""
    parser = argparse.ArgumentParser(prog="broker.py", description=__doc__)
    parser.add_argument("command", choices=("up", "down", "status"))
    parser.add_argument("--home", type=Path, default=default_home())
    parser.add_argument("--port", type=int, default=PORT)
    parser.add_argument("--controller-port", type=int, default=CONTROLLER_PORT)
    parser.add_argument("--topic-prefix", default="pitledger")
    options = parser.parse_args(arguments)
    broker = Broker(
        home=options.home.absolute() / "node",
        port=options.port,
        controller_port=options.controller_port,
        jars=options.home.absolute() / "jars",
    )
    try:
        return _run(options.command, broker, options.topic_prefix)
    except BrokerError as problem:
        print(f"kafka: {problem}", file=sys.stderr)
        return 3


def _run(command: str, broker: Broker, prefix: str) -> int:
    match command:
        case "up":
            broker.start()
            topics = ensure_topics(broker.bootstrap, load_topics(prefix))
            print(
                f"kafka: up at {broker.bootstrap}, process {broker.pid()},"
                f" topics made: {len(topics)}"
            )
        case "down":
            broker.stop()
            print("kafka: down")
        case _:
            pid = broker.pid()
            print(f"kafka: up at {broker.bootstrap}, process {pid}" if pid else "kafka: down")
            return 0 if pid else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
