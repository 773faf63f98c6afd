"""What lies beyond a checkpoint: said by the writer that keeps it, shown, and put right."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.log import init, open_log
from tests.cli.conftest import Command
from tests.cli.given import day
from tests.log.facts import HOUSE, ORIGIN, SIGNER, TIME, arrivals


@pytest.fixture
def rolled_back(empty: Path, command: Command, day_file: Path, tmp_path: Path) -> Path:
    """A ledger whose checkpoint was put back; the newer one is kept beside it."""
    older = (empty / "checkpoint").read_bytes()
    assert command("append", day_file, "--ledger", empty).code == 0
    (tmp_path / "newer").write_bytes((empty / "checkpoint").read_bytes())
    (empty / "checkpoint").write_bytes(older)
    return empty


def test_a_rolled_back_checkpoint_is_refused_and_says_what_to_do(
    command: Command, rolled_back: Path, day_file: Path
) -> None:
    done = command("append", day_file, "--ledger", rolled_back)
    assert done.code == 4
    assert "tail_unexplained" in done.err
    assert "pitledger tail --adopt" in done.err
    assert command("verify", "--ledger", rolled_back).code == 4
    shown = command("tail", "--ledger", rolled_back)
    assert shown.code == 1
    assert "no signed intent speaks of it" in shown.out
    assert command("tail", "--ledger", rolled_back, "--format", "json").json["problem"]


def test_a_newer_checkpoint_is_adopted(
    command: Command, rolled_back: Path, day_file: Path, tmp_path: Path
) -> None:
    assert command("tail", "--adopt", tmp_path / "newer", "--ledger", rolled_back).code == 0
    assert command("verify", "--ledger", rolled_back).code == 0
    again = command("append", day_file, "--ledger", rolled_back, "--format", "json")
    assert (again.json["accepted"], again.json["repeated"]) == (0, len(day()))


def test_it_is_set_aside_by_hand(command: Command, rolled_back: Path, day_file: Path) -> None:
    done = command("tail", "--set-aside", "--ledger", rolled_back)
    assert done.code == 0
    assert "kept in set-aside/1-" in done.out
    assert command("append", day_file, "--ledger", rolled_back).code == 0
    assert command("verify", "--ledger", rolled_back).code == 0


def test_an_interrupted_append_is_said_by_the_next(
    command: Command, tmp_path: Path, day_file: Path
) -> None:
    folder = tmp_path / "cut"
    init(folder, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER)

    def stop(point: str) -> None:
        if point == "tiled":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), open_log(folder, at_point=stop) as log:
        log.append(arrivals(1, 9), TIME)
    shown = command("tail", "--ledger", folder)
    assert shown.code == 1
    assert "an append was interrupted" in shown.out
    done = command("append", day_file, "--ledger", folder)
    assert done.code == 0
    assert "kept in set-aside/1-to-11-" in done.err
    assert "Nothing that was acknowledged" in done.err
    assert command("tail", "--ledger", folder).out.endswith("Nothing lies beyond it.\n")
    assert command("verify", "--ledger", folder).code == 0


def test_only_one_way_at_a_time(command: Command, empty: Path, tmp_path: Path) -> None:
    words = ("tail", "--set-aside", "--adopt", tmp_path / "newer", "--ledger", empty)
    assert command(*words).code == 2
