"""A sealed ledger at the command line: the same answers, and a person who is forgotten."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from ledger.intake import ErasableStore
from ledger.kernel import ERASED
from ledger.log import read_log
from ledger.replay import Replay
from ledger.replay.errors import ErasedSince
from tests.cli.conftest import Command
from tests.cli.given import DAY, ROUND
from tests.intake.given import SAMPLES

PAGE = Path("infra/docs/sealed-entries.md")
ORIGIN = ("--origin", "test.example/floor")
HOLD = ("--reason", "docket 21-104", "--by", "C-1")


@pytest.fixture
def sealed(tmp_path: Path, command: Command, day_file: Path) -> Path:
    """A sealed ledger with the small day."""
    folder = tmp_path / "ledger"
    assert command("init", *ORIGIN, "--sealed", "--ledger", folder).code == 0
    assert command("append", day_file, "--ledger", folder).code == 0
    return folder


def test_init_says_where_the_keys_lie(command: Command, tmp_path: Path) -> None:
    ran = command("init", *ORIGIN, "--sealed", "--ledger", tmp_path / "a")
    assert f"person keys  {tmp_path / 'a.person-keys'}" in ran.out
    ran = command("init", *ORIGIN, "--sealed", "--ledger", tmp_path / "b", "--format", "json")
    assert ran.json["sealed"] is True
    ran = command("init", *ORIGIN, "--ledger", tmp_path / "c", "--format", "json")
    assert "sealed" not in ran.json


def test_every_answer_is_that_of_an_ordinary_ledger(
    command: Command, sealed: Path, made: Path
) -> None:
    for words in (
        ("cat",), ("rounds", "--day", DAY), ("round", "show", ROUND),
        ("sql", "select wager_id, patron from wagers order by 1"), ("tables", "--day", DAY),
    ):  # fmt: skip
        mine, other = (command(*words, "--ledger", folder) for folder in (sealed, made))
        assert (mine.code, mine.out) == (other.code, other.out), words
    digests = [
        command("audit", "--day", DAY, "--format", "json", "--ledger", folder).json["digest"]
        for folder in (sealed, made)
    ]
    assert digests[0] == digests[1]


def test_an_archive_has_the_leaves_of_what_was_signed(command: Command, sealed: Path) -> None:
    assert command("archive", "write", "--day", DAY, "--ledger", sealed).code == 0
    assert command("archive", "verify", "--ledger", sealed).code == 0
    assert command("person", "forget", "P7", "--ledger", sealed).code == 0
    assert not list((sealed / "archive").rglob("*.parquet"))
    assert command("archive", "write", "--day", DAY, "--ledger", sealed).code == 0
    assert command("archive", "verify", "--ledger", sealed).code == 0


def test_a_person_is_forgotten(command: Command, sealed: Path) -> None:
    before = command("verify", "--ledger", sealed, "--format", "json").json
    command("sql", "select 1", "--ledger", sealed)
    command("audit", "--day", DAY, "--ledger", sealed)
    dry = command("person", "forget", "P7", "--dry-run", "--ledger", sealed)
    assert (dry.code, "No legal hold forbids it" in dry.out) == (0, True)
    ran = command("person", "forget", "P7", "--ledger", sealed)
    assert ran.code == 0
    assert "P7 is forgotten" in ran.out
    for path in sealed.rglob("*"):
        content = path.read_bytes() if path.is_file() else b""
        assert b'"P7"' not in content, path
        assert b"\x04P7" not in content, path
    rows = [json.loads(line) for line in command("cat", "--ledger", sealed).out.splitlines()]
    assert {row["patron"] for row in rows if row.get("patron")} == {ERASED, "P1"}
    after = command("verify", "--ledger", sealed, "--format", "json")
    assert (after.code, after.json["root"]) == (0, before["root"])
    page = command("round", "show", ROUND, "--ledger", sealed).out
    assert "P7" not in page
    assert "erased" in page
    again = command("person", "forget", "P7", "--ledger", sealed)
    assert (again.code, "[person_unknown]" in again.err) == (2, True)
    assert command("person", "forget", "D-1", "--ledger", sealed, "--format", "json").json == {
        "forgotten": True
    }


def test_what_was_kept_before_is_not_believed_after(command: Command, sealed: Path) -> None:
    """A cache that somebody puts back, or that lies elsewhere, is made again."""
    import shutil

    words = ("sql", "select patron from wagers where patron is not null", "--ledger", sealed)
    assert "P7" in command(*words).out
    shutil.copytree(sealed / "cache", sealed.with_name("kept"))
    assert command("person", "forget", "P7", "--ledger", sealed).code == 0
    shutil.rmtree(sealed / "cache", ignore_errors=True)
    shutil.copytree(sealed.with_name("kept"), sealed / "cache")
    assert "P7" not in command(*words).out


def test_an_unknown_credential_is_not_an_invalid_one(
    command: Command, sealed: Path, tmp_path: Path
) -> None:
    """Who was erased is unknown: no finding says that there was no valid credential."""
    people = [
        {"event": "PersonCredentialled", "person": person,
         "department": department, "role": role, "revoked": False}
        for person, department, role in (
            ("D-1", "Table Games", None), ("E-5", "Table Games", None),
            ("K-1", "finance", "SHIFT_MANAGER"),
        )
    ]  # fmt: skip
    sample = json.loads(
        command("schemas", "show", "PersonCredentialled", "--example").out.splitlines()[-1]
    )
    lines = []
    for seq, one in enumerate(people, 3):
        fact = {**sample, "stream": "house", "source": "T-house", "seq": seq, "recorded_by": "E-5"}
        fact["event_time"] = f"2021-03-15T10:0{seq}:00.000000Z"
        fact |= one
        lines.append(json.dumps(fact))
    (tmp_path / "people.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert command("append", tmp_path / "people.jsonl", "--ledger", sealed).code == 0
    codes = lambda: {  # noqa: E731
        one["code"]: one["certainty"]
        for one in command(
            "audit", "--day", DAY, "--format", "json", "--ledger", sealed
        ).json["findings"]
    }  # fmt: skip
    before = codes()
    assert command("person", "forget", "E-5", "--by", "K-1", "--ledger", sealed).code == 0
    after = command("audit", "--day", DAY, "--format", "json", "--ledger", sealed).json
    assert "recorder_not_credentialed" not in codes()
    assert set(codes()) <= set(before)
    assert after["recorders_not_checked"] >= 2


def test_a_hold_forbids_it(command: Command, sealed: Path) -> None:
    assert command("person", "hold", "P7", *HOLD, "--ledger", sealed).code == 0
    refused = command("person", "forget", "P7", "--ledger", sealed)
    assert (refused.code, "[person_held]" in refused.err) == (2, True)
    dry = command("person", "forget", "P7", "--dry-run", "--ledger", sealed)
    assert (dry.code, "held by C-1: docket 21-104" in dry.out) == (1, True)
    assert "P7" in command("cat", "--ledger", sealed).out
    assert command("person", "forget", "D-1", "--ledger", sealed).code == 0
    assert command("person", "release", "P7", *HOLD, "--ledger", sealed).code == 0
    assert command("person", "release", "P7", *HOLD, "--ledger", sealed).code == 2
    assert command("person", "forget", "P7", "--ledger", sealed).code == 0
    holds = ErasableStore(sealed).holds()
    assert [hold.released_by for hold in holds] == ["C-1"]
    assert "P7" not in (sealed / "erasable/openings.sqlite").read_bytes().decode(errors="replace")


@pytest.mark.parametrize("what", ["forget", "hold", "release"])
def test_an_ordinary_ledger_forgets_nobody(command: Command, made: Path, what: str) -> None:
    words = HOLD if what != "forget" else ()
    ran = command("person", what, "P7", *words, "--ledger", made)
    assert (ran.code, "[not_sealed]" in ran.err) == (2, True)
    assert "--sealed" in ran.err


@pytest.mark.parametrize(
    "reference", ["", " ", "P8", "x" * 10_000, "'; drop", "\u202e", "(erased)"]
)
def test_nobody_of_that_name(command: Command, sealed: Path, reference: str) -> None:
    ran = command("person", "forget", reference, "--ledger", sealed)
    assert (ran.code, "[person_unknown]" in ran.err) == (2, True)


def test_a_writer_at_work_is_waited_for(command: Command, sealed: Path) -> None:
    from ledger.log import open_log

    with open_log(sealed):
        ran = command("person", "forget", "P7", "--ledger", sealed)
    assert (ran.code, "[ledger_locked]" in ran.err) == (3, True)
    assert "P7" in command("cat", "--ledger", sealed).out


def test_without_keys_it_verifies_and_proves(command: Command, sealed: Path) -> None:
    sealed.with_name("ledger.person-keys").unlink()
    assert command("verify", "--ledger", sealed).code == 0
    assert command("prove", "3", "--ledger", sealed).code == 0
    ran = command("cat", "--ledger", sealed)
    assert (ran.code, "[person_keys_missing]" in ran.err) == (3, True)
    ran = command("doctor", "--ledger", sealed)
    assert "their keys are not at hand" in ran.out
    assert ran.code == 3


def test_the_doctor_names_keys_that_others_can_read(command: Command, sealed: Path) -> None:
    checks = command("doctor", "--ledger", sealed, "--format", "json").json
    assert [one["health"] for one in checks if one["check"] == "persons"] == ["ok"]
    sealed.with_name("ledger.person-keys").chmod(0o644)
    checks = command("doctor", "--ledger", sealed, "--format", "json").json
    assert [one["health"] for one in checks if one["check"] == "persons"] == ["warn"]


def test_a_backup_is_read_with_the_keys(
    command: Command, sealed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy"
    ran = command("backup", copy, "--ledger", sealed)
    assert (ran.code, "their keys are not copied" in ran.out) == (0, True)
    assert command("cat", "--ledger", copy).code == 3
    monkeypatch.setenv("PITLEDGER_PERSON_KEYS", str(tmp_path / "ledger.person-keys"))
    assert "P7" in command("cat", "--ledger", copy).out
    assert command("person", "forget", "P7", "--ledger", sealed).code == 0
    assert "P7" not in command("cat", "--ledger", copy).out


def test_the_same_sheet_again_adds_nothing(command: Command, sealed: Path) -> None:
    sheet = SAMPLES / "table-wagers.csv"
    words = ("import", "table-wagers", sheet, "--commit", "--by", "E-1", "--ledger", sealed)
    first = command(*words, "--format", "json")
    assert first.json["facts"]["new"] > 0
    again = command(*words, "--format", "json").json["facts"]
    assert (again["new"], again["changed"]) == (0, 0)
    assert command("person", "forget", "E-1", "--ledger", sealed).code == 0
    again = command(*words, "--format", "json").json["facts"]
    assert (again["new"], again["changed"]) == (0, 0)


def test_a_reader_that_goes_on_has_to_begin_again(command: Command, sealed: Path) -> None:
    replay = Replay.following(sealed)
    assert read_log(sealed).openings.forget("P7")
    with pytest.raises(ErasedSince, match="forgotten since"):
        replay.grown()


def test_every_line_of_the_page_runs(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, day_file: Path
) -> None:
    """The page's commands, in their order, on a ledger of their own."""
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "facts.jsonl").write_bytes(day_file.read_bytes())
    monkeypatch.chdir(tmp_path)
    lines = [line for block in blocks for line in block.splitlines() if line]
    assert len(lines) > 6
    for line in lines:
        words = shlex.split(line, comments=True)[1:]
        words = ["P7" if word == "REFERENCE" else word for word in words]
        words = ["C-1" if word == "CREDENTIAL" else word for word in words]
        ran = command(*words)
        assert ran.code == (1 if "--dry-run" in words else 0), (line, ran.err)
