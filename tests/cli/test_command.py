"""The command as a whole: what it loads, how it refuses, how it stops, what a terminal sees."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import ledger
from tests.cli.conftest import Command
from tests.cli.given import DAY, ROUND, run

HEAVY = ("duckdb", "kafka", "scipy", "pyarrow", "prefect", "numpy", "pydantic_settings")


@pytest.mark.parametrize("words", [["--help"], ["audit", "--help"], ["nonsense"], ["--version"]])
def test_help_loads_nothing_heavy(words: list[str]) -> None:
    program = (
        "import sys\nfrom ledger.cli import main\n"
        f"main({words!r})\n"
        f"loaded = [name for name in {HEAVY!r} if name in sys.modules]\n"
        "loaded += [name for name in sys.modules if name.startswith(('ledger.log', 'ledger.audit'))]\n"
        "sys.exit(f'loaded: {loaded}' if loaded else 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_help_is_quick() -> None:
    took = []
    for _ in range(3):
        begun = time.monotonic()
        assert run("--help").code == 0
        took.append(time.monotonic() - begun)
    assert min(took) < 1.5, took  # far above what it takes; a heavy import would show


def test_importing_the_face_loads_nothing() -> None:
    program = "import sys, ledger\nsys.exit(str([n for n in sys.modules if n.startswith('ledger.')] or 0))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.stderr.strip() == "0"


def test_the_face_has_what_it_names() -> None:
    assert sorted(ledger.__all__) == dir(ledger)
    for name in ledger.__all__:
        assert getattr(ledger, name) is not None
    with pytest.raises(AttributeError):
        ledger.nonsense  # noqa: B018


@pytest.mark.parametrize(
    "words",
    [
        ("nonsense",),
        ("audit", "--nonsense"),
        ("law", "nonsense"),
        ("law", "show", "craps"),
        ("law", "odds", "craps"),
        ("explain", "nonsense"),
        ("append",),
        ("append", "--nonsense"),
        ("audit", "--format", "xml"),
        ("prove",),
    ],
)
def test_usage(command: Command, made: Path, words: tuple[str, ...]) -> None:
    said = command(*words)
    assert (said.code, said.out) == (2, "")
    assert said.err.count("\n") >= 1
    assert "next:" in said.err
    assert "Traceback" not in said.err


def test_every_command_has_help(command: Command) -> None:
    from ledger.cli.app import GROUPS, names

    for name in names():
        for words in GROUPS.get(name, (name,)):
            said = command(*words.split(), "--help")
            assert said.code == 0
            assert f"pitledger {words}" in said.out
            assert "--format" in said.out


@pytest.mark.parametrize(
    "words",
    [
        ("cat",),
        ("rounds", "--format", "json"),
        ("law", "show", "sic_bo"),
        ("audit", "--day", "2021-06-12"),
    ],
)
def test_a_closed_pipe_is_quiet(simulated: Path, words: tuple[str, ...]) -> None:
    started = subprocess.Popen(
        [sys.executable, "-m", "ledger", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PITLEDGER_LEDGER": str(simulated)},
    )
    assert started.stdout is not None
    assert started.stderr is not None
    started.stdout.read(1)
    started.stdout.close()
    code = started.wait(60)
    assert started.stderr.read() == b""
    started.stderr.close()
    # whether a finding was listed before the reader left is left open
    assert code in {"audit": (1,), "rounds": (0, 1)}.get(words[0], (0,))


END = """
import atexit, sys, threading, time
from ledger.cli import entry_point
def told(words=None):
    atexit.register(lambda: print("at exit"))
    if {waits!r}:
        threading.Thread(target=lambda: (time.sleep(0.2), print("thread"))).start()
    print("answer")
    return 3
entry_point.main = told
sys.argv = ["pitledger", *{words!r}]
entry_point.run()
"""


@pytest.mark.parametrize("words", [["rounds"], ["append"]])
@pytest.mark.parametrize("waits", [False, True])
def test_a_process_ends_with_its_answer_written_and_its_code(words: list[str], waits: bool) -> None:
    done = subprocess.run(
        [sys.executable, "-c", END.format(waits=waits, words=words)],
        capture_output=True,
        text=True,
        check=False,
    )
    expected = ["answer", *(["thread"] if waits else []), "at exit"]
    assert (done.returncode, done.stdout.splitlines(), done.stderr) == (3, expected, "")


def on_a_terminal(*words: str, **environment: str) -> bytes:
    """What a terminal of 80 columns sees on stdout."""
    main, other = pty.openpty()
    started = subprocess.Popen(
        [sys.executable, "-m", "ledger", *words],
        stdout=other,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"COLUMNS": "80", "TERM": "xterm", **environment},
    )
    os.close(other)
    seen = b""
    while True:
        try:
            part = os.read(main, 65_536)
        except OSError:
            break
        if not part:
            break
        seen += part
    os.close(main)
    started.wait(60)
    return seen


def test_colours_only_where_they_are_wanted(made: Path) -> None:
    words = ("round", "show", ROUND, "--ledger", str(made))
    assert b"\x1b[" in on_a_terminal(*words)
    assert b"\x1b" not in on_a_terminal(*words, NO_COLOR="1")
    assert "\x1b" not in run(*words).out


def test_progress_goes_to_stderr_of_a_terminal_only(made: Path) -> None:
    said = run("audit", "--day", DAY, "--ledger", str(made), "--format", "json")
    assert said.err == ""
    json.loads(said.out)


def test_interrupted(tmp_path: Path) -> None:
    assert run("init", "--origin", "a/b", "--ledger", str(tmp_path / "x")).code == 0
    # a suite started in the background ignores the signal, and so would the command it starts
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        begun = subprocess.Popen(
            [sys.executable, "-m", "ledger", "append", "-", "--ledger", str(tmp_path / "x")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    finally:
        signal.signal(signal.SIGINT, before)
    lock = tmp_path / "x"
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and not waits_for_input(begun.pid):
        time.sleep(0.05)
    begun.send_signal(signal.SIGINT)
    _, err = begun.communicate(timeout=30)
    assert begun.returncode == 130
    assert b"Traceback" not in err
    assert b"Interrupted" in err
    assert run("verify", "--ledger", str(lock)).code == 0


def waits_for_input(pid: int) -> bool:
    """Whether a process sleeps in reading its standard input."""
    try:
        return Path(f"/proc/{pid}/wchan").read_text() in ("pipe_read", "anon_pipe_read")
    except OSError:
        return False


def test_a_full_disk_on_stdout(made: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "ledger", "checkpoint", "--ledger", str(made)],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 3
    assert b"[file_unwritable]" in done.stderr


def test_our_own_mistake_is_no_finding(
    command: Command, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.log.read_log", lambda folder: 1 / 0)
    said = command("checkpoint", "--ledger", made)
    assert said.code == 70
    assert "[internal_error]" in said.err
