"""The archive from the command line: written, listed, held against the ledger."""

from __future__ import annotations

from pathlib import Path

from ledger.log.keys import new_signer
from tests.cli.conftest import Command
from tests.s3_server import SECRET, S3Server


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


def test_published_listed_verified_and_asked_in_a_bucket(
    command: Command, made: Path, bucket: str
) -> None:
    where = ("--ledger", made, "--archive", bucket)
    assert command("archive", "list", *where).out == "No archived day.\n"
    assert command("archive", "verify", *where).out == "No archived day.\n"
    written = command("archive", "write", *where)
    assert written.out.endswith(f"{bucket}: manifest 1 of the day\n")
    assert command("archive", "write", *where).out.endswith("which stood there already\n")
    assert command("archive", "list", *where).out == written.out.partition("\n")[0] + "\n"
    assert command("archive", "verify", *where).out == "1 day: every row is the ledger's.\n"
    (asked,) = command("sql", "SELECT count(*) AS n FROM facts", *where, "--format", "json").json
    (listed,) = command("archive", "list", *where, "--format", "json").json
    assert asked == {"n": listed["rows"]}
    assert command("archive", "verify", *where, "--day", "1999-01-01").code == 2


def test_who_has_no_ledger_names_the_key(command: Command, made: Path, tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    assert command("archive", "write", "--ledger", made, "--archive", folder).code == 0
    ask = ("sql", "SELECT count(*) FROM facts", "--archive", folder, "--ledger", tmp_path / "none")
    assert command(*ask).code == 3
    verifier = (made / "keys" / "verifier").read_text().strip()
    assert command(*ask, "--verifier", verifier).code == 0
    other = command(*ask, "--verifier", str(new_signer(verifier.partition("+")[0]).verifier))
    assert (other.code, other.out) == (4, "")
    assert "[archive_unproved]" in other.err


def test_the_columns_of_an_archive_are_told(command: Command) -> None:
    columns = command("sql", "--columns", "--archive", "anywhere", "--format", "json").json
    assert {one["table"] for one in columns} == {"facts"}
    assert "leaf_hash" in {one["column"] for one in columns}


def test_no_secret_is_taken_or_shown_on_the_command_line(
    command: Command, made: Path, s3: S3Server
) -> None:
    refused = command(
        "archive", "write", "--ledger", made, "--archive", f"s3://me:{SECRET}@records/archive"
    )
    assert (refused.code, refused.out) == (2, "")
    assert "[store_address_wrong]" in refused.err
    assert SECRET not in refused.err
    gone = command("archive", "list", "--ledger", made, "--archive", "s3://no-such-bucket/archive")
    assert gone.code == 3
    assert "[store_bucket_missing]" in gone.err
    assert SECRET not in gone.err
