"""A small gaming day by hand, and the command as a script meets it."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import pytest

from ledger.cli import main
from ledger.codec import to_text
from ledger.events import Fact
from ledger.log import key_beside
from tests.games.facts import fact

DAY: Final = "2021-03-15"
ROUND: Final = "SB-01:6"
WHEEL_ROUND: Final = "DC-01:4"
HOUSE: Final = {
    "name": "Example Casino",
    "time_zone": "America/New_York",
    "gaming_day_starts_minutes": 360,
}
OPEN: Final = {"layout": "L-1", "paytable": "RS-1", "capture": "FULL"}
RIM: Final = ["1", "2", "1", "5", "2x", "10"]


def told(stream: str, *rows: tuple[int, str, dict[str, Any]]) -> list[Fact]:
    """Facts of one stream: seconds after noon, name, fields."""
    return [
        replace(fact(kind, seq, at, **said), stream=stream, source=f"T-{stream}")
        for seq, (at, kind, said) in enumerate(rows, 1)
    ]


def day() -> list[Fact]:
    """A Sic Bo round in which a winner is not paid, and a wheel round in which all is right."""
    dice = [{"face": face, "rest": "FLAT"} for face in (2, 3, 4)]
    house = told("house", (-3600, "PropertyDescribed", HOUSE))
    sic_bo = told(
        "SB-01",
        (-600, "LimitsSet", {"minimum_cents": 500, "maximum_cents": 100_000}),
        (-590, "StaffAssigned", {"role": "DEALER", "person": "D-1"}),
        (-580, "ShakerPlaced", {}),
        (-570, "TableOpened", {"game": "Sic Bo", **OPEN}),
        (-560, "PositionTaken", {"position": "2", "patron": "P7"}),
        (0, "BettingOpened", {}),
        (2, "WagerPlaced", {"wager_id": "W2", "wager": "Big Bet", "stake_cents": 2_000, "position": "1"}),
        (4, "WagerPlaced", {"wager_id": "W3", "wager": "Small Bet", "stake_cents": 5_000, "position": "2", "patron": "P7"}),
        (10, "NoMoreBetsAnnounced", {"announced_by": "D-1"}),
        (12, "ShakerCovered", {"shaker": "S-1"}),
        (14, "DiceShaken", {}),
        (16, "ShakerUncovered", {"shaker": "S-1"}),
        (17, "DiceThrown", {"dice": [_die(one) for one in dice]}),
        (19, "RollCalled", {"faces": (2, 3, 4)}),
        (24, "WagerSettled", {"wager_id": "W2", "outcome": "LOST", "stake_taken_cents": 2_000}),
        (26, "WagerSettled", {"wager_id": "W3", "outcome": "WON", "winnings_cents": 0}),
        (30, "TableClosed", {}),
    )  # fmt: skip
    wheel = told(
        "DC-01",
        (-600, "LimitsSet", {"minimum_cents": 500, "maximum_cents": 100_000}),
        (-590, "WheelPlaced", {"wheel": "W-1", "sections": tuple(RIM), "read_clockwise": True, "clapper": True}),
        (-570, "TableOpened", {"game": "Dreamcatcher", **OPEN}),
        (0, "BettingOpened", {}),
        (3, "WagerPlaced", {"wager_id": "W1", "wager": "5", "stake_cents": 1_000}),
        (10, "NoMoreBetsAnnounced", {}),
        (40, "WheelSpun", {"section": 3, "symbols": ("5",), "started_time": None}),
        (42, "SpinCalled", {"result": "5"}),
        (44, "WagerSettled", {"wager_id": "W1", "outcome": "WON", "winnings_cents": 5_000}),
        (60, "TableClosed", {}),
    )  # fmt: skip
    ends = [
        {"stream": "SB-01", "last_seq": len(sic_bo)},
        {"stream": "DC-01", "last_seq": len(wheel)},
    ]
    ends.append({"stream": "house", "last_seq": 2})
    closing = replace(
        fact("GamingDayClosed", 2, 40_000, gaming_day=DAY, streams=[_end(one) for one in ends]),
        stream="house",
        source="T-house",
    )
    return [*house, *sic_bo, *wheel, closing]


def _die(values: dict[str, Any]) -> Any:
    from ledger.events import Die, Rest

    return Die(serial=None, colour=None, face=values["face"], rest=Rest(values["rest"]))


def _end(values: dict[str, Any]) -> Any:
    from ledger.events import StreamEnd

    return StreamEnd(**values)


def lines(facts: list[Fact] | None = None) -> str:
    """The day as JSON lines."""
    return "".join(f"{to_text(one)}\n" for one in (day() if facts is None else facts))


@dataclass(frozen=True)
class Ran:
    """What a command said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Its answer as JSON."""
        return json.loads(self.out)


def copied(ledger: Path, folder: Path) -> Path:
    """A ledger with its private key beside it, in another folder."""
    shutil.copytree(ledger, folder)
    shutil.copy(key_beside(ledger), key_beside(folder))
    return folder


def run(*words: str, stdin: str | bytes = "", **environment: str) -> Ran:
    """Run the command in a process of its own, without a terminal."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PITLEDGER_")}
    kept |= {"COLUMNS": "100", **environment}
    done = subprocess.run(
        [sys.executable, "-m", "ledger", *words],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        env=kept,
        cwd=Path(__file__).parent.parent.parent,
        timeout=120,
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def run_here(*words: str, **environment: str) -> Ran:
    """Run the command in this process, as ``run`` does in one of its own, for what is said.

    What depends on a process (its signals, its end, a closed pipe) is tested with ``run``.
    """
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        for name in [name for name in os.environ if name.startswith("PITLEDGER_")]:
            patch.delenv(name)
        for name, value in {"COLUMNS": "100", **environment}.items():
            patch.setenv(name, value)
        code = main(words)
    return Ran(code, *(_written(stream) for stream in (out, err)))


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    written = stream.buffer
    assert isinstance(written, io.BytesIO)
    return written.getvalue().decode()
