"""A ledger held against paper: size and root from a printed page, whole or in part."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import pytest

from ledger.log import read_log
from tests.cli.conftest import Command
from tests.cli.given import day, lines


@pytest.fixture
def grown(empty: Path, command: Command, tmp_path: Path) -> tuple[Path, int, str]:
    """A ledger that was printed and has grown since; the printed size and root."""
    printed = (0, "")
    for part in (day()[:20], day()[20:]):
        log = read_log(empty)
        printed = (log.size, log.root.hex())
        file = tmp_path / "part.jsonl"
        file.write_text(lines(part), encoding="utf-8")
        assert command("append", file, "--ledger", empty).code == 0
    return empty, *printed


def test_the_ledger_of_the_paper(command: Command, grown: tuple[Path, int, str]) -> None:
    folder, size, root = grown
    assert size < read_log(folder).size
    for given in (root, root.upper(), b64encode(bytes.fromhex(root)).decode()):
        said = command("verify", "--printed", str(size), given, "--ledger", folder)
        assert said.code == 0, said.err
        assert "This is the ledger on the paper" in said.out
        assert "all 256 bits" in said.out
    told = command("verify", "--printed", str(size), root, "--ledger", folder, "--format", "json")
    assert told.json["printed"] == {
        "size": size, "given": root, "root": root, "bits_compared": 256, "matches": True,
    }  # fmt: skip
    assert "printed" not in command("verify", "--ledger", folder, "--format", "json").json


def test_the_first_characters_say_how_sure_it_is(
    command: Command, grown: tuple[Path, int, str]
) -> None:
    folder, size, root = grown
    said = command("verify", "--printed", f"{size:,}", root[:16], "--ledger", folder)
    assert (said.code, "16 characters, 64 of 256 bits" in said.out) == (0, True)
    almost = command("verify", "--printed", str(size), root[:63], "--ledger", folder)
    assert "63 characters, 252 of 256 bits" in almost.out
    short = b64encode(bytes.fromhex(root)).decode()[:20]
    assert "120 of 256 bits" in command("verify", "--printed", str(size), short, "--ledger", folder).out  # fmt: skip
    few = command("verify", "--printed", str(size), root[:15], "--ledger", folder)
    assert (few.code, "[printed_root_unreadable]" in few.err) == (2, True)


def test_another_ledger(command: Command, grown: tuple[Path, int, str]) -> None:
    folder, size, root = grown
    other = ("0" if root[0] != "0" else "1") + root[1:]
    for given in (other, other[:16], b64encode(bytes.fromhex(other)).decode()):
        said = command("verify", "--printed", str(size), given, "--ledger", folder)
        assert said.code == 4
        assert "NOT the ledger on the paper" in said.out
        assert root in said.out
    last = root[:-1] + ("0" if root[-1] != "0" else "1")
    assert command("verify", "--printed", str(size), last, "--ledger", folder).code == 4
    for beside in (size - 1, size + 1):
        assert command("verify", "--printed", str(beside), root, "--ledger", folder).code == 4


def test_paper_of_more_entries_than_there_are(
    command: Command, grown: tuple[Path, int, str]
) -> None:
    folder, _, root = grown
    said = command("verify", "--printed", "1,000", root, "--ledger", folder)
    assert said.code == 4
    assert "The paper was printed from 1,000 entries; this ledger has" in said.err
    assert "[printed_larger]" in said.err


@pytest.mark.parametrize("size", ["0", "-1", "12x", "1,00", "", "٣", "9" * 20])
def test_a_size_that_is_none(command: Command, grown: tuple[Path, int, str], size: str) -> None:
    said = command("verify", "--printed", size, grown[2], "--ledger", grown[0])
    assert said.code == 2
    assert said.out == ""


def test_a_broken_ledger_is_broken_whatever_the_paper_says(
    command: Command, grown: tuple[Path, int, str]
) -> None:
    folder, size, root = grown
    bundles = [one for one in (folder / "tile/entries").rglob("*") if one.is_file()]
    bundle = max(bundles, key=lambda one: one.stat().st_size)
    data = bytearray(bundle.read_bytes())
    data[-1] ^= 1
    bundle.write_bytes(bytes(data))
    said = command("verify", "--printed", str(size), root, "--ledger", folder, "--format", "json")
    assert said.code == 4
    assert said.json["printed"] is None
    assert said.json["problem"] is not None
