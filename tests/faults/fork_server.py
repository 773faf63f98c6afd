"""Runs commands of ``pitledger``, each in a process that is split off and may be killed.

``python -m tests.faults.fork_server`` reads one order a line and answers each with one line, both
JSON. A child tells a pipe each point that it comes to and each acknowledgement that it is given;
what stands in that pipe when it dies is the journal outside the process. Points are the named ones
of an append, an ingest and a night, the steps of a rotation and of a publish, every change of the
file system that Python makes, and every send to a socket. Nothing of the product is changed but
clocks, which stand still so that two histories can have one root, and the size of batches.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import select
import signal
import socket
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from threading import RLock
from time import monotonic
from typing import Any, Final

from ledger.cli import main
from tests.log.facts import TIME

CLOCK: Final = (TIME + 86_400_000_000) * 1_000
"""The time of every child, nanoseconds since 1970."""
LONGEST_SECONDS: Final = 120
"""After so long a child hangs: it is killed, and the answer says so."""
CHANGES: Final = ("os.rename", "os.link", "os.remove", "os.rmdir", "os.mkdir", "sqlite3.connect")
"""Audit events that change the file system, beside an opening for writing."""
WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT
ROTATION_STEPS: Final = (
    *("_keep", "_rotation", "_list", "_signed_by_both", "_write_outside", "_change_keys"),
    *("_put_in_place", "_finished"),
)
PRELOADED: Final = (
    *("ledger.cli.app", "ledger.cli.appending", "ledger.cli.backup", "ledger.cli.importing"),
    *("ledger.cli.kafka", "ledger.cli.keys", "ledger.cli.night", "ledger.cli.days"),
    *("ledger.cli.ledger_commands", "ledger.cli.settings", "ledger.cli.sql_query"),
    *(
        "ledger.cli.serials",
        "ledger.cli.unsigned_tail",
        "ledger.cli.audit_commands",
        "ledger.night",
    ),
    *("ledger.night.night_run", "ledger.night.parallel_nights", "ledger.night.report_steps"),
    *("ledger.intake", "ledger.reports", "ledger.analytics", "ledger.log.kafka", "ledger.replay"),
    *("ledger.log.key_rotation", "ledger.log.kafka_ingest", "ledger.log.kafka_publish"),
    *("kafka", "duckdb", "pyarrow", "vl_convert", "jsonschema", "cyclopts", "sqlite3"),
    *("rich.console", "scipy.stats"),
)
"""What commands import, loaded once before any child is split off."""


class Journal:
    """What a child tells the outside, and the point at which it dies.

    Args:
        handle: the pipe.
        kill_at: the number of the point, from 1, before which the process ends; None: at none.
    """

    def __init__(self, handle: int, kill_at: int | None) -> None:
        self.handle, self.kill_at, self.reached = handle, kill_at, 0
        self._write, self._lock = os.write, RLock()

    def reach(self, point: str) -> None:
        """Come to a point."""
        if self.is_last(point):
            os.kill(os.getpid(), signal.SIGKILL)

    def is_last(self, point: str) -> bool:
        """Note a point; whether the process ends there."""
        with self._lock:
            self.reached += 1
            self._line(f"point {point}")
            return self.reached == self.kill_at

    def acknowledge(self, promise: object) -> None:
        """Note what the library has promised."""
        with self._lock:
            self._line(f"promise {json.dumps(promise)}")

    def write(self, handle: int, content: Any) -> int:
        """Write as ``os.write`` does; at the last point half of it is written."""
        if not self.is_last("os.write"):
            return self._write(handle, content)
        self._write(handle, bytes(content)[: len(content) // 2])
        os.kill(os.getpid(), signal.SIGKILL)
        return 0

    def hear(self, event: str, words: tuple[Any, ...]) -> None:
        """Take an audit event for a point if it changes a file."""
        if event in CHANGES:
            self.reach(event)
        if event != "open" or not isinstance(words[0], str) or words[0].startswith("/dev/"):
            return
        if (words[2] or 0) & WRITING:
            self.reach("open")

    def _line(self, text: str) -> None:
        content = f"{text}\n".encode()
        while content:
            content = content[self._write(self.handle, content) :]


def set_up(batch: int) -> None:
    """Let the time stand still, so that the same facts make the same root, and batches be small."""
    from ledger.cli import appending, wall_clock
    from ledger.log import kafka_ingest, kafka_publish

    wall_clock.time_ns = kafka_ingest.time_ns = lambda: CLOCK  # type: ignore[attr-defined]
    appending.BATCH = kafka_publish.WINDOW = batch  # type: ignore[misc]


def watch(journal: Journal) -> None:
    """Put the journal's ears into this process."""
    from ledger import night
    from ledger.log import file_log, kafka, kafka_client, kafka_ingest, key_rotation

    named: Callable[..., None] = lambda point: journal.reach(f"named {point}")  # noqa: E731
    log, sender = file_log.FileLog, kafka_client.Sender

    def around(owner: Any, name: str, before: Callable[..., object] | None, after: Any) -> None:
        work = getattr(owner, name)

        def watched(*words: Any, **values: Any) -> Any:
            if before is not None:
                before(*words)
            result = work(*words, **values)
            if after is not None:
                after(result, *words)
            return result

        setattr(owner, name, watched)

    def appended(result: Any, *_: object) -> None:
        journal.acknowledge({"size": result.size, "root": result.root.hex()})

    begin = log.__init__
    log.__init__ = lambda *words, **values: begin(*words, **{**values, "at_point": named})  # type: ignore[method-assign,assignment]
    around(log, "append", None, appended)
    around(log, "append_whole", None, appended)
    ingest, run_night = kafka_ingest.ingest, night.run_night
    kafka.ingest = lambda *words, **values: ingest(*words, **{**values, "at_point": named})  # type: ignore[assignment]
    night.run_night = lambda *words, **values: run_night(*words, **{**values, "at": named})  # type: ignore[assignment]
    for step in ROTATION_STEPS:
        around(
            key_rotation, step,
            lambda *_, step=step: named(f"before {step}"),
            lambda *_, step=step: named(f"after {step}"),
        )  # fmt: skip
    sent: list[tuple[str, str]] = []

    def settled(_: object, *words: object) -> None:
        named("settled")
        for place, digest in sent:
            journal.acknowledge({"topic": place, "payload": digest})
        sent.clear()

    around(
        sender, "send", None,
        lambda _, __, place, key, payload, headers: sent.append(
            (place.topic, sha256(payload).hexdigest())
        ),
    )  # fmt: skip
    around(sender, "settle", lambda *_: named("settling"), settled)
    around(socket.socket, "send", lambda *_: journal.reach("socket.send"), None)
    around(os, "fsync", lambda *_: journal.reach("os.fsync"), None)
    os.write = journal.write  # type: ignore[assignment]
    sys.addaudithook(journal.hear)


def limit(limits: dict[str, int]) -> None:
    """Give this process less than it may need; ``AS`` is counted from what it has now."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    for name, least in limits.items():
        if name == "AS":
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            least += pages * resource.getpagesize()
        kind = getattr(resource, f"RLIMIT_{name}")
        resource.setrlimit(kind, (least, resource.getrlimit(kind)[1]))


def live(order: dict[str, Any], out: int, errors: int, journal: int) -> None:
    """Run one command in this process, which ends with it."""
    os.dup2(out, 1)
    os.dup2(errors, 2)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdin = open(0, encoding="utf-8")  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    set_up(order["batch"])
    if order["watched"]:
        watch(Journal(journal, order["kill_at"]))
    limit(order["limits"])
    code = main(order["words"])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def run(order: dict[str, Any]) -> dict[str, Any]:
    """Run one command in a child, kill it after its time, and say all that it told."""
    pipes = [os.pipe() for _ in range(3)]
    began = monotonic()
    child = os.fork()
    if not child:
        try:
            live(order, *(writing for _, writing in pipes))
        finally:
            os._exit(99)  # what ended so far down is no exit code of the product
    for _, writing in pipes:
        os.close(writing)
    told: dict[int, list[bytes]] = {reading: [] for reading, _ in pipes}
    kill_after = order["kill_after"]
    ends = began + (LONGEST_SECONDS if kill_after is None else kill_after)
    is_killed = False
    waiting = set(told)
    while waiting:
        left = None if is_killed else max(0.0, ends - monotonic())
        ready = select.select(list(waiting), [], [], left)[0]
        for reading in ready:
            part = os.read(reading, 1 << 20)
            told[reading].append(part)
            if not part:
                waiting.discard(reading)
        if not ready and not is_killed:
            os.kill(child, signal.SIGKILL)
            is_killed = True
    _, status, usage = os.wait4(child, 0)
    texts = [b"".join(told[reading]).decode(errors="replace") for reading, _ in pipes]
    for reading, _ in pipes:
        os.close(reading)
    lines = [line.partition(" ") for line in texts[2].splitlines() if line]
    return {
        "code": os.waitstatus_to_exitcode(status),
        "hung": is_killed and kill_after is None,
        "out": texts[0],
        "err": texts[1],
        "points": [text for kind, _, text in lines if kind == "point"],
        "promises": [json.loads(text) for kind, _, text in lines if kind == "promise"],
        "seconds": monotonic() - began,
        "processor_seconds": usage.ru_utime + usage.ru_stime,
    }


def serve() -> None:
    """Answer orders until there are no more."""
    sys.dont_write_bytecode = True
    for name in PRELOADED:
        importlib.import_module(name)
    answers = os.dup(1)
    os.dup2(2, 1)
    for line in sys.stdin:
        os.write(answers, json.dumps(run(json.loads(line))).encode() + b"\n")


if __name__ == "__main__":
    serve()
