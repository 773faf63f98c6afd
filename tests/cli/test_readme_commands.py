"""Every command of `infra/docs/commands.md`, the README's among them, as it stands there and by the default path, on one small ledger."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from tests.cli.conftest import Command
from tests.cli.given import Ran, run
from tests.cli.test_readme import COMMANDS as PAGE
from tests.cli.test_readme import quoted

DAY: Final = "2021-06-12"
SHEET: Final = """Gaming day,Time,Table,What,Slip,Chips,Signed by,Game,Layout,Recorded
06/12/2021,18:30,SB-09,opener,,"$25,000.00",F-12;D-31,Sic Bo,L-1,outcomes
"""
COMMANDS: Final = tuple(
    line.split("#")[0].strip()
    for line in quoted("with that folder on the PATH:", PAGE)
    if line.startswith("pitledger ")
)
SLOW: Final = ("pitledger night", "pitledger actions alerts", "pitledger actions suppress")
"""What needs the outputs of a whole night."""
FURTHER: Final = (
    "pitledger import fills-credits-openers chips.csv --ledger DIR",
    "pitledger import fills-credits-openers chips.csv --ledger DIR --commit --by M-1",
    "pitledger amend --ledger DIR AP-01 3 --withdraw --by M-1 --reason WHY --approved-by M-2",
    "pitledger actions take --ledger DIR ID --by F-12",
    "pitledger actions note --ledger DIR ID 'footage seen' --by F-12",
    "pitledger actions close --ledger DIR ID --reason WHY --by F-12",
    "pitledger coupons form daily --ledger DIR --day 2021-06-12 --format xlsx --out daily.xlsx",
    "pitledger coupons outstanding --ledger DIR --day 2021-06-12",
    "pitledger coupons sign requisition --ledger DIR --day 2021-06-12 --by MS-1 --name 'Marketing supervisor one'",
    "pitledger archive write --ledger DIR --day 2021-06-12",
    "pitledger archive verify --ledger DIR",
    "pitledger archive list --ledger DIR",
    "pitledger sql --ledger DIR 'SELECT 1 AS a' --format csv --out rows.csv",
    "pitledger checkpoint --ledger DIR",
    "pitledger tail --ledger DIR",
    "pitledger cat --ledger DIR",
    "pitledger doctor --ledger DIR",
    "pitledger key rotate --ledger DIR --handover handover.txt",
    "pitledger verify --ledger DIR",
)
"""What the page leaves to `--help`, the commands that write first of all."""
FINDS: Final = re.compile(
    r"audit|history|rounds|round show|actions (list|show|alerts)|tables|inforce|night|append|coupons|tail|clocks|watch|whatif"
)
"""Commands that may answer 1 on a day with irregularities; all others answer 0."""


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The facts of a short simulated day with coupons and two irregularities, as JSON lines."""
    root = tmp_path_factory.mktemp("facts")
    words = ("floor", "simulate", "--seed", "144", "--scale", "10000", "--coupons")
    plants = ("--plant", "winner_taken@SB-01", "--plant", "coupon_underpaid")
    path = root / "facts.jsonl"
    made = run(*words, *plants, "--ledger", str(root / "ledger"), "--out", str(path))
    assert made.code == 0, made.err
    return path


def spoken(command: Command, line: str, *, named: bool) -> tuple[str, Ran]:
    """Run one line, its capital words filled in; without ``--ledger`` where the default is meant."""
    if named and line.startswith("pitledger actions") and "--ledger" not in line:
        line += " --ledger DIR"
        line += " --out NIGHTS" if " alerts" in line else ""
    ledger = ("--ledger", "DIR") if "--ledger DIR" in line and named else ()
    listed: Callable[..., Ran] = lambda *words: command(*words, *ledger)  # noqa: E731
    if not named:
        line = line.replace("--ledger DIR ", "").replace(" --ledger DIR", "")
    if re.search(r"\bID\b", line):
        actions = listed("actions", "list", "--all", "--day", DAY, "--format", "json").json
        line = re.sub(
            r"\bID\b", next(o["id"] for o in actions if o["code"] == "wrong_outcome"), line
        )
    if "SIZE ROOT" in line:
        head = listed("verify", "--format", "json").json
        line = line.replace("SIZE ROOT", f"{head['tree_size']} {head['root'][:16]}")
    line = line.replace("SB-01:1234", "SB-01:517").replace("P25-0000041", "P10-0000002")
    line = line.replace("final-2", "final-1").replace("CREDENTIAL", "F-12")
    words = shlex.split(line.partition(" > ")[0])
    return line, command(*words[1:])


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "named",
    [
        pytest.param(False, id="the default path"),
        pytest.param(True, id="a relative path", marks=pytest.mark.full),
    ],
)
def test_every_command_runs(
    command: Command, facts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: bool
) -> None:
    walk(command, facts, tmp_path, monkeypatch, named, [c for c in COMMANDS if not slow(c)])


@pytest.mark.full
@pytest.mark.timeout(900)
@pytest.mark.parametrize("named", [True, False], ids=["a relative path", "the default path"])
def test_every_command_of_a_night_runs(
    command: Command, facts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: bool
) -> None:
    lines = [c for c in COMMANDS if slow(c) or c.split()[1] in ("init", "append")]
    nights = [c.replace(" --out NIGHTS", "") if not named else c for c in lines]
    order = sorted(nights, key=lambda line: "actions" in line)  # alerts stand in a night's report
    walk(command, facts, tmp_path, monkeypatch, named, order, further=())


def slow(line: str) -> bool:
    return line.startswith(SLOW)


def walk(
    command: Command,
    facts: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    named: bool,
    lines: list[str],
    further: tuple[str, ...] = FURTHER,
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(facts, tmp_path / "facts.jsonl")
    (tmp_path / "chips.csv").write_text(SHEET, encoding="utf-8")
    assert len(lines) + len(further) > 4
    wrong = []
    for written in (*lines, *further):
        line, ran = spoken(command, written, named=named)
        wanted = (0, 1) if FINDS.search(line) else (0,)
        if ran.code not in wanted:
            wrong.append(f"{line}: {ran.code}\n{ran.err}")
    assert wrong == []
    folders = {path.name for path in tmp_path.iterdir() if (path / "checkpoint").exists()}
    assert folders == {"DIR" if named else "pitledger-data"}
