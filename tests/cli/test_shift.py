"""`pitledger shift` and `person enroll`, as a person meets them."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from ledger.casework import person_proofs
from tests.analytics.given import ledger as ledger_of
from tests.cli.conftest import Command
from tests.cli.given import day, told

PHRASE = "copper lantern orbit salad"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(person_proofs, "MEMORY_KIB", 64)
    monkeypatch.setattr(person_proofs, "ITERATIONS", 1)


@pytest.fixture
def floor(tmp_path: Path) -> Path:
    def held(person: str, department: str, rank: str = "MEMBER") -> list[Any]:
        credential = {"person": person, "department": department, "revoked": False}
        return [
            (-3500, "PersonCredentialled", credential),
            (-3400, "CredentialDescribed", {"person": person, "rank": rank}),
        ]

    rows = [
        *held("I-1", "information technology"), *held("S-1", "surveillance"),
        *held("S-2", "surveillance"), *held("F-1", "finance"),
    ]  # fmt: skip
    return ledger_of(tmp_path / "ledger", [*day(), *told("people", *rows)])


@pytest.fixture
def phrase(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that the pass phrases are read from."""
    path = tmp_path / "phrase"
    path.write_text(f"{PHRASE}\n", encoding="utf-8")
    monkeypatch.setenv("PITLEDGER_PASS_PHRASE_FILE", str(path))
    monkeypatch.setenv("PITLEDGER_NEW_PASS_PHRASE_FILE", str(path))
    return path


def hashes(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and "cache" not in path.parts
    }


def test_a_shift_is_logged_and_handed_over(command: Command, floor: Path, phrase: Path) -> None:
    assert command("person", "enroll", "I-1", "--ledger", floor).code == 0
    for person in ("S-1", "S-2", "F-1"):
        assert command("person", "enroll", person, "--by", "I-1", "--ledger", floor).code == 0
    hostile = "=1+1 <script>alert(1)</script>"
    logged = command("shift", "log", hostile, "--by", "S-1", "--ledger", floor)
    assert logged.code == 0, logged.err
    assert command("shift", "handover", "quiet", "--to", "S-2", "--by", "S-1", "--ledger", floor).code == 0  # fmt: skip
    shown = command("shift", "show", "--as", "S-2", "--ledger", floor)
    assert shown.code == 0
    assert "In the hands of S-2." in shown.out
    assert hostile in shown.out
    plain = json.loads(
        command("shift", "show", "--as", "S-2", "--ledger", floor, "--format", "json").out
    )
    assert [one["by"] for one in plain["entries"]] == ["S-1", "S-1"]
    assert [one["proved"] for one in plain["entries"]] == ["pass_phrase", "pass_phrase"]
    before = hashes(floor)
    refused = [
        command("shift", "log", "text", "--by", "F-1", "--ledger", floor),
        command("shift", "log", " ", "--by", "S-1", "--ledger", floor),
        command("shift", "log", "x" * 4_001, "--by", "S-1", "--ledger", floor),
        command("shift", "handover", "x", "--to", "s2", "--by", "S-2", "--ledger", floor),
        command("shift", "handover", "x", "--to", "F-1", "--by", "S-2", "--ledger", floor),
        command("shift", "handover", "x", "--to", "S-2", "--by", "S-1", "--ledger", floor),
        command("shift", "show", "--as", "F-1", "--ledger", floor),
    ]
    for done in refused:
        assert done.code == 2, done.err
        assert "[shift_refused]" in done.err
        assert not done.out
    phrase.write_text("velvet mountain pencil tide\n", encoding="utf-8")
    for words in (("log", "text", "--by"), ("show", "--as")):
        done = command("shift", *words, "S-1", "--ledger", floor)
        assert done.code == 2
        assert "[person_not_proved]" in done.err
    assert hashes(floor) == before


def test_the_first_to_be_enrolled_is_an_administrator(
    command: Command, floor: Path, phrase: Path
) -> None:
    before = hashes(floor)
    done = command("person", "enroll", "S-1", "--ledger", floor)
    assert done.code == 2
    assert "[enrollment_refused]" in done.err
    assert hashes(floor) == before
    assert not person_proofs.persons_folder(floor).exists()
    assert command("person", "enroll", "I-1", "--ledger", floor).code == 0
