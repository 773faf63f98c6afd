"""How long people wait at the desk: alone, and fifty at once."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

import httpx

from ledger.analytics import prove_entries, read_model
from tests.benchmarks.desk_load import Acts, Visitors
from tests.benchmarks.ledgers import ledger_of, sizes

NOTE = """
`pitledger serve` with its writer on the machine's two cores, asked over HTTP by a process of its own (`desk_load.py`), in wall time from the first byte
sent to the last one read. The ledger is a copy, whose entries are proved once before, as any list over all days proves them (on November 26 and before each was proved by the first
page that rested on it). A search is sent as a form and follows to its results; an entry of the log is done when it is acknowledged as durable. The first ten seconds after
the start, in which the desk reads ahead, are left out. Alone: one after the other, the middle. Fifty users think one to
five seconds between two acts, half of them searches, half rounds among four hundred; the first ten seconds of sixty are left out. The
processor shares are of both processes in those sixty seconds: 2.00 is all of the machine.
"""
WANTED: dict[tuple[str, str], str] = {}
BASELINES: dict[str, str] = {}
PHRASE: Final = "seven lanterns over the river"
PERSON: Final = "S-1"
ROUNDS: Final = 400
ALONE: Final = 40
FIFTY: Final = 50
THINK_SECONDS: Final = (1.0, 5.0)
SECONDS, LEFT_OUT_SECONDS = 60.0, 10.0
MOST_MILLISECONDS: Final = {
    "search, alone": 100,
    "round, alone": 100,
    "an entry in the shift's log, alone": 50,
    "search, fifty users, 95th percentile": 300,
    "round, fifty users, 95th percentile": 300,
}


def run() -> list[tuple[str, float, str]]:
    """Name, value and unit of each measurement."""
    rows: list[tuple[str, float, str]] = []
    for millions in sizes():
        with TemporaryDirectory() as name:
            folder = Path(name) / "ledger"
            kept = ledger_of(millions)
            read_model(kept).close()
            shutil.copytree(kept, folder)
            shutil.copy(f"{kept}.key", f"{folder}.key")
            rows += [(f"{label}, {millions} M", *of) for label, *of in measured(folder)]
    for label, *_ in rows:
        head, _, _ = label.rpartition(", ")
        if head in MOST_MILLISECONDS:
            WANTED[label, "ms"] = f"at most {MOST_MILLISECONDS[head]}"
    return rows


def measured(folder: Path) -> Iterator[tuple[str, float, str]]:
    """What people wait for at the desk of a ledger."""
    searches, rounds = asked(folder)
    enroll(folder)
    began = time.process_time()
    read_model(folder).close()
    yield "read model brought forward over two enrollments", time.process_time() - began, "s"
    with read_model(folder) as model:
        prove_entries(folder, model.projection)  # its files are new: the ledger was copied
    with (
        served(folder) as (address, processes),
        httpx.Client(base_url=address, timeout=60) as client,
    ):
        token = signed_in(client)
        time.sleep(LEFT_OUT_SECONDS)
        shown = [took(client, "GET", f"/round/{name}") for name in rounds[:ALONE]]
        searched = [
            took(client, "POST", "/find", {"token": token, "line": line})
            for line in searches[:ALONE]
        ]
        proof = {**entry(token), "pass_phrase": PHRASE}  # the writer may not have heard of us yet
        took(client, "POST", "/shift/log", proof)
        entries = []
        for _ in range(10):
            written = entry(token)
            entries.append(took(client, "POST", "/shift/log", written, follow=False))
            assert written["entry"] in client.get("/shift").text
        yield "search, alone", middle(searched), "ms"
        yield "round, alone", middle(shown), "ms"
        yield "an entry in the shift's log, alone", middle(entries), "ms"
        visitors = Visitors(
            address=address, cookies=dict(client.cookies), token=token, searches=searches,
            rounds=rounds, users=FIFTY, think_seconds=THINK_SECONDS, seconds=SECONDS,
            left_out_seconds=LEFT_OUT_SECONDS,
        )  # fmt: skip
        before, began = spent(processes), time.perf_counter()
        words = [sys.executable, "-m", "tests.benchmarks.desk_load"]
        sent = json.dumps(asdict(visitors))
        done = subprocess.run(words, input=sent, stdout=subprocess.PIPE, text=True, check=True)
        wall = time.perf_counter() - began
        acts = Acts(**json.loads(done.stdout))
        for why, count in acts.failed.items():
            print(f"{why}, {count} times", file=sys.stderr)
        yield "search, fifty users, 95th percentile", percentile(acts.searches), "ms"
        yield "round, fifty users, 95th percentile", percentile(acts.rounds), "ms"
        yield "acts of fifty users that failed", sum(acts.failed.values()), ""
        yield "processor share of the desk", (spent(processes) - before) / wall, "cores"
        yield "processor share of the load", acts.processor_seconds / wall, "cores"


def entry(token: str) -> dict[str, str]:
    """A new entry for the shift's log."""
    id_ = secrets.token_hex(16)
    return {"token": token, "id": id_, "entry": f"entry {id_}"}


def asked(folder: Path) -> tuple[list[str], list[str]]:
    """Search lines and rounds over all days of a ledger, the same in each run."""
    with read_model(folder) as model:
        rows = model.execute(
            "SELECT round, table_name, strftime(gaming_day, '%Y-%m-%d'), opened_local FROM rounds"
            " ORDER BY hash(round) LIMIT ?",
            [ROUNDS],
        ).fetchall()
    chance = Random(1)
    searches = [
        chance.choice(
            (
                f"{table} {day} {local[11:16]}±5m",
                f"{table} {day} {local[11:16]}±10m $25",
                f"unknown {day}",
                f"{name}",
            )
        )
        for name, table, day, local in rows
    ]
    return searches, [name for name, *_ in rows]


def enroll(folder: Path, people: Sequence[str] = (PERSON,)) -> None:
    """Let some people sign in at a ledger's desk."""
    phrase = folder.with_name("phrase")
    phrase.write_text(PHRASE, encoding="utf-8")
    proofs = ("PITLEDGER_PASS_PHRASE_FILE", "PITLEDGER_NEW_PASS_PHRASE_FILE")
    own = {**os.environ, **dict.fromkeys(proofs, str(phrase))}
    words = [sys.executable, "-m", "ledger"]
    for who in (("IT-1",), *((person, "--by", "IT-1") for person in people)):
        command = [*words, "person", "enroll", *who, "--ledger", str(folder)]
        subprocess.run(command, env=own, check=True, capture_output=True)


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, list[int]]]:
    """Serve a ledger's desk; give its address and the numbers of its processes."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "ledger",
        "serve",
        "--ledger",
        str(folder),
        "--port",
        str(port),
    ]
    desk = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://localhost:{port}"
    try:
        wait_for(address)
        children = Path(f"/proc/{desk.pid}/task/{desk.pid}/children").read_text(encoding="ascii")
        yield address, [desk.pid, *map(int, children.split())]
    finally:
        desk.terminate()
        desk.wait()


def wait_for(address: str) -> None:
    """Wait until a desk answers."""
    for _ in range(300):
        try:
            httpx.get(f"{address}/sign-in")
            return
        except httpx.TransportError:
            time.sleep(0.2)
    raise TimeoutError(address)


def signed_in(client: httpx.Client, person: str = PERSON) -> str:
    """Sign a person in; return the token of the session's forms."""
    fields = {"token": token_of(client.get("/sign-in").text), "to": "/"}
    answer = client.post("/sign-in", data={**fields, "credential": person, "pass_phrase": PHRASE})
    assert answer.status_code == httpx.codes.SEE_OTHER, answer.text
    return token_of(client.get("/shift").text)


def token_of(page: str) -> str:
    """The form token of a page."""
    match = re.search(r'name="token" value="([^"]+)"', page)
    assert match is not None
    return match[1]


def took(
    client: httpx.Client, method: str, path: str, form: Any = None, *, follow: bool = True
) -> float:
    """Milliseconds of one act, with the page that it leads to, or until it is acknowledged."""
    began = time.perf_counter()
    answer = client.request(method, path, data=form, follow_redirects=follow)
    assert not answer.is_error, (path, answer.status_code)
    return (time.perf_counter() - began) * 1e3


def spent(processes: list[int]) -> float:
    """Processor seconds of processes so far, with what they started and awaited."""
    tick = os.sysconf("SC_CLK_TCK")
    fields = [
        Path(f"/proc/{number}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        for number in processes
    ]
    return sum(int(part) for row in fields for part in row[11:15]) / tick


def middle(times: list[float]) -> float:
    """The middle of some times."""
    return sorted(times)[len(times) // 2]


def percentile(times: list[float], share: float = 0.95) -> float:
    """The time within which this share of the acts was done."""
    return sorted(times)[min(int(len(times) * share), len(times) - 1)]
