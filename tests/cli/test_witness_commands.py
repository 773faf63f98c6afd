"""`pitledger witness` as people meet it: begun, told of a ledger, served, asked by each append."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.cli import given
from tests.cli.conftest import Command


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


class Served:
    """A witness in a process of its own."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port = folder, port
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ledger", "witness", "serve", str(self.folder),
             "--bind", f"127.0.0.1:{self.port}"],
            stderr=subprocess.PIPE,
        )  # fmt: skip
        limit = time.monotonic() + 60
        while time.monotonic() < limit:
            with socket.socket() as caller:
                if caller.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            assert self.process.poll() is None, self.process.communicate()
            time.sleep(0.05)
        pytest.fail("the witness does not listen")

    def stop(self, number: int = signal.SIGTERM) -> None:
        if self.process is not None:
            os.kill(self.process.pid, number)
            self.process.communicate(timeout=30)
            self.process = None

    def post(self, body: bytes) -> tuple[int, bytes]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("POST", "/add-checkpoint", body)
        answer = connection.getresponse()
        return answer.status, answer.read()


@pytest.fixture
def served(command: Command, tmp_path: Path) -> Iterator[Served]:
    folder = tmp_path / "north"
    begun = command("witness", "init", folder, "--name", "witness.example/north")
    assert begun.code == 0
    assert "public key  witness.example/north+" in begun.out
    witness = Served(folder, free_port())
    yield witness
    witness.stop(signal.SIGKILL)


def test_from_the_first_append_to_a_quorum(
    command: Command, served: Served, tmp_path: Path, day_file: Path
) -> None:
    folder = tmp_path / "new"
    assert command("init", "--origin", "a.example/b", "--ledger", folder).code == 0
    trusted = command("witness", "trust", served.folder, folder / "keys" / "verifier")
    assert (trusted.code, trusted.out.splitlines()[0]) == (0, "Watches a.example/b")
    nothing = command("witness", "show", served.folder)
    assert "a.example/b: nothing yet" in nothing.out
    key = command("witness", "show", served.folder, "--format", "json").json["key"]
    policy = tmp_path / "new.witnesses"
    policy.write_text(f"witness north {key} http://127.0.0.1:{served.port}\nquorum north\n")

    alone = command("append", day_file, "--ledger", folder)
    assert alone.code == 0
    assert "0 of 1 witness cosigned; too few:" in alone.err
    assert "north does not answer (Connection refused)" in alone.err
    unseen = command("verify", "--ledger", folder, "--quorum", 1)
    assert unseen.code == 4
    assert "0 witnesses cosigned the checkpoint; 1 required" in unseen.out
    warned = command("doctor", "--ledger", folder)
    assert "0 of 1 witness cosigned" in warned.out

    served.start()
    again = command("append", day_file, "--ledger", folder)
    assert again.code == 0
    assert "witness  1 of 1 witness cosigned: north" in again.err
    seen = command("verify", "--ledger", folder, "--quorum", 1)
    assert (seen.code, "cosigned by 1 of 1 witness, north" in seen.out) == (0, True)
    assert "1 of 1 witness cosigned: north" in command("doctor", "--ledger", folder).out
    shown = command("witness", "show", served.folder, "--format", "json").json["ledgers"][0]
    size = command("verify", "--ledger", folder, "--format", "json").json["tree_size"]
    assert (shown["origin"], shown["size"]) == ("a.example/b", size)

    connection = HTTPConnection("127.0.0.1", served.port, timeout=20)
    connection.request("GET", f"/logs/{sha256(b'a.example/b').hexdigest()}/checkpoint")
    note = connection.getresponse().read()
    assert note == (folder / "checkpoint").read_bytes()
    (tmp_path / "seen").write_bytes(note)
    assert command("verify", "--ledger", folder, "--witness", tmp_path / "seen").code == 0
    night = command("night", "--ledger", folder, "--day", given.DAY, "--out", tmp_path / "nights")
    assert "witness  1 of 1 witness cosigned: north" in night.out


def test_a_served_witness_outlives_what_is_sent_to_it(served: Served) -> None:
    served.start()
    assert served.post(b"")[0] == 400
    assert served.post(b"old 0\n\nnothing\n\n")[0] == 400
    try:
        status = served.post(b"old 0\n\n" + b"a" * 3_000_000)[0]
    except (BrokenPipeError, ConnectionResetError):
        status = 413  # it hung up while we were still talking
    assert status == 413
    connection = HTTPConnection("127.0.0.1", served.port, timeout=20)
    for path in ("/", "/docs", "/logs/../key/checkpoint", "/logs/x/checkpoint", "/add-checkpoint"):
        connection.request("GET", path)
        answer = connection.getresponse()
        assert answer.status in (404, 405), path
        answer.read()
    second = subprocess.run(
        [sys.executable, "-m", "ledger", "witness", "serve", str(served.folder),
         "--bind", f"127.0.0.1:{free_port()}"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (second.returncode, "[ledger_locked]" in second.stderr) == (3, True)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--bind", "nowhere"], "no address and port"),
        (["--bind", "127.0.0.1:99999"], "no address and port"),
        (["--bind", "0.0.0.0:8940"], "nothing encrypts the way"),
        (["--tls-certificate", "a.pem"], "belong together"),
    ],
)
def test_where_it_listens_is_checked_first(
    command: Command, served: Served, arguments: list[str], problem: str
) -> None:
    refused = command("witness", "serve", served.folder, *arguments)
    assert refused.code == 2
    assert problem in refused.err


def test_what_is_no_witness_is_named(command: Command, tmp_path: Path) -> None:
    missing = command("witness", "show", tmp_path / "none")
    assert (missing.code, "[witness_folder_wrong]" in missing.err) == (4, True)
    key = command("witness", "trust", tmp_path / "none", "not a key")
    assert key.code == 4
