"""A ledger with the small day, a simulated one, and the command in this process."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ledger.cli import main
from tests.cli import given
from tests.cli.given import Ran
from tests.once_in_run import once_in_run

Command = Callable[..., Ran]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run a command in this process."""
    for name in list(os.environ):
        if name.startswith("PITLEDGER_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", "100")

    def run(*words: str | Path) -> Ran:
        capsys.readouterr()
        code = main([str(word) for word in words])
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return run


@pytest.fixture(scope="session")
def day_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small day as JSON lines."""
    path = tmp_path_factory.mktemp("day") / "day.jsonl"
    path.write_text(given.lines(), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory, day_file: Path) -> Path:
    """A ledger with the small day; it is only read."""

    def build(place: Path) -> None:
        ledger = str(place / "ledger")
        assert given.run("init", "--origin", "test.example/floor", "--ledger", ledger).code == 0
        assert given.run("append", str(day_file), "--ledger", ledger).code == 0

    return once_in_run(tmp_path_factory, "made", build) / "ledger"


@pytest.fixture
def empty(tmp_path: Path, command: Command) -> Path:
    """A fresh ledger without facts."""
    folder = tmp_path / "ledger"
    assert command("init", "--origin", "test.example/floor", "--ledger", folder).code == 0
    return folder


@pytest.fixture(scope="session")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A simulated day with a plant of every kind; it is only read."""
    folder = tmp_path_factory.mktemp("simulated") / "ledger"
    words = ("floor", "simulate", "--ledger", str(folder), "--seed", "5", "--scale", "50000")
    assert given.run(*words, "--plant", "all", "--plant", "overpaid@SB-03").code == 0
    return folder
