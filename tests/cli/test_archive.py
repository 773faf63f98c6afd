"""The archive from the command line: written, listed, held against the ledger."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Command


def test_written_listed_and_verified(command: Command, made: Path, tmp_path: Path) -> None:
    where = ("--ledger", made, "--archive", tmp_path / "archive")
    assert command("archive", "list", *where).out == "No archived day.\n"
    assert command("archive", "verify", *where).out == "No archived day.\n"
    written = command("archive", "write", *where, "--format", "json").json
    assert written["rows"] == sum(file["rows"] for file in written["files"]) > 0
    listed = command("archive", "list", *where, "--format", "json").json
    assert listed == [written]
    told = command("archive", "list", *where).out
    assert told.startswith(f"{written['gaming_day']}: {written['rows']:,} facts in ")
    assert written["root"][:16] in told
    said = command("archive", "verify", *where)
    assert (said.code, said.out) == (0, "1 day: every row is the ledger's.\n")


def test_a_change_is_named_and_ends_with_four(command: Command, made: Path, tmp_path: Path) -> None:
    where = ("--ledger", made, "--archive", tmp_path / "archive")
    written = command("archive", "write", *where, "--format", "json").json
    path = written["files"][0]["path"]
    file = tmp_path / "archive" / f"gaming_day={written['gaming_day']}" / path
    file.write_bytes(file.read_bytes()[:-1])
    said = command("archive", "verify", *where)
    assert said.code == 4
    assert path in said.out
    told = command("archive", "verify", *where, "--format", "json")
    assert told.code == 4
    assert told.json["differing"][0]["path"] == path


def test_what_is_not_there(command: Command, made: Path, tmp_path: Path) -> None:
    where = ("--ledger", made, "--archive", tmp_path / "archive")
    for word in ("write", "verify"):
        said = command("archive", word, "--day", "1999-01-01", *where)
        assert (said.code, said.out) == (2, "")
        assert "1999-01-01" in said.err
