"""Too little disk, too few descriptors, too little memory: a clear error, nothing lost, and it goes on.

A command that cannot have what it needs refuses with a code of its own and exit code 3, or does its
work; given enough it then ends as if it had never been short of anything.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from infra.kafka import Broker
from tests.faults.children import Children, Ran
from tests.faults.commands import (
    Append,
    Backup,
    Command,
    Import,
    Ingest,
    Night,
    Rotate,
    is_kept,
)
from tests.night import scene

MEBI: Final = 1 << 20
UNAVAILABLE: Final = 3
OWN_FAULT: Final = 70
ABORTED: Final = (-6, -11, 127)
"""How a process ends to which a library below Python was given no memory: it is a kill."""
CODED: Final = re.compile(r"\[([a-z_]+)\]$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Asked:
    """A command that only reads a ledger, and leaves caches."""

    name: str
    asked: tuple[str, ...]

    def prepare(self, children: Children, folder: Path) -> None:
        scene.ledger(folder / "ledger")

    def begin(self, folder: Path) -> None:
        pass

    def words(self, folder: Path) -> tuple[str | Path, ...]:
        return (*self.asked, "--ledger", folder / "ledger", "--format", "json")

    def stands(self, folder: Path, promises: list[dict[str, Any]]) -> None:
        is_kept(folder / "ledger", promises)

    def outcome(self, folder: Path, promises: list[dict[str, Any]]) -> object:
        is_kept(folder / "ledger", promises)
        return None

    def is_over(self, ran: Ran) -> bool:
        return False


AUDIT: Final = Asked("audit", ("audit", "--day", scene.DAY.isoformat()))
SQL: Final = Asked("sql", ("sql", "select count(*) as n from wagers"))
COMMANDS: Final = (Append(), Import(), Rotate(), AUDIT)
IN_FULL: Final = (Night(), Backup(), SQL)
"""They take seconds for each limit."""
SHORTAGES: Final[dict[str, tuple[dict[str, int], ...]]] = {
    "disk": tuple({"FSIZE": length} for length in (0, 1, 200, 3_000, 40_000)),
    "descriptors": tuple({"NOFILE": count} for count in (6, 8, 12)),
    "memory": tuple({"AS": room * MEBI} for room in (1, 8, 64)),
}
"""Limits by what is short: bytes of a file, open files, bytes beyond those of a process that began."""


@pytest.fixture(scope="module")
def children() -> Iterator[Children]:
    """What splits off the processes that are starved."""
    server = Children()
    yield server
    server.end()


@dataclass(frozen=True, slots=True)
class Prepared:
    """A command, what it begins with, and what it says and leaves when it is short of nothing."""

    command: Command
    folder: Path
    whole: Ran
    outcome: object


Preparation = Callable[[Command], Prepared]


@pytest.fixture(scope="module")
def prepared(children: Children, tmp_path_factory: pytest.TempPathFactory) -> Preparation:
    """A command that was prepared and run once with all that it needs."""
    known: dict[str, Prepared] = {}

    def of(command: Command) -> Prepared:
        if command.name not in known:
            folder = tmp_path_factory.mktemp("whole") / "prepared"
            folder.mkdir()
            command.prepare(children, folder)
            place = shutil.copytree(folder, folder.with_name("run"))
            whole = children.run(*command.words(place))
            outcome = command.outcome(place, whole.promises)
            known[command.name] = Prepared(command, folder, whole, outcome)
        return known[command.name]

    return of


def refusal_of(ran: Ran) -> str | None:
    """The code of a refusal; None where the command did its work."""
    if ran.code in (0, 1):
        return None
    if ran.code in ABORTED:
        return "aborted"
    codes = CODED.findall(ran.err)
    assert codes, f"no code: {ran.code} {ran.err}"
    assert ran.code == UNAVAILABLE, f"exit code {ran.code}: {ran.err}"
    assert "Traceback" not in ran.err
    return str(codes[-1])


def starve(
    children: Children, prepared: Prepared, place: Path, limits: tuple[dict[str, int], ...]
) -> list[str | None]:
    """Run a command under each limit, then without: it refuses by name, loses nothing, ends whole.

    Returns:
        Under each limit the code of its refusal.
    """
    command, promises, codes = prepared.command, [], []
    shutil.copytree(prepared.folder, place)
    for limit in limits:
        ran = children.run(*command.words(place), limits=limit, watched="AS" not in limit)
        promises += ran.promises
        codes.append(None if command.is_over(ran) else refusal_of(ran))
        if codes[-1] is None:
            if not isinstance(command, Asked):
                break
            assert ran.out == prepared.whole.out
            continue
        command.stands(place, promises)
    ran = children.run(*command.words(place))
    promises += ran.promises
    assert ran.code == prepared.whole.code or command.is_over(ran), ran.err
    if isinstance(command, Asked):
        assert ran.out == prepared.whole.out
    assert command.outcome(place, promises) == prepared.outcome
    return codes


@pytest.mark.by_turns(3)
@pytest.mark.parametrize(
    ("command", "short"),
    [
        *((command, short) for command in COMMANDS for short in ("disk", "descriptors")),
        *(
            pytest.param(command, short, marks=pytest.mark.full)
            for command in IN_FULL
            for short in ("disk", "descriptors", "memory")
        ),
        *((command, "memory") for command in COMMANDS),
    ],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_too_little_is_said_and_nothing_is_lost(
    children: Children, prepared: Preparation, tmp_path: Path, command: Command, short: str
) -> None:
    codes = starve(children, prepared(command), tmp_path / "place", SHORTAGES[short])
    assert "internal_error" not in codes
    print(command.name, short, codes)


@pytest.mark.full
@pytest.mark.parametrize("short", SHORTAGES)
def test_an_ingest_with_too_little_goes_on_where_it_stopped(
    children: Children, prepared: Preparation, kafka_broker: Broker, tmp_path: Path, short: str
) -> None:
    ingest = Ingest(kafka_broker)
    codes = starve(children, prepared(ingest), tmp_path / "place", SHORTAGES[short])
    assert "internal_error" not in codes
    print(ingest.name, short, codes)
