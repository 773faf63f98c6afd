"""Begin, append, verify, prove, read out: contracts, bad input, exit codes."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli import given
from tests.cli.conftest import Command
from tests.cli.given import day, lines


def test_init_once(command: Command, tmp_path: Path) -> None:
    folder = tmp_path / "new"
    said = command("init", "--origin", "a.example/b", "--ledger", folder, "--format", "json")
    assert said.code == 0
    assert said.json["verifier"] == (folder / "keys/verifier").read_text().rstrip("\n")
    again = command("init", "--origin", "a.example/b", "--ledger", folder)
    assert (again.code, again.out) == (2, "")
    assert "[ledger_exists]" in again.err


def test_init_needs_a_usable_origin(command: Command, tmp_path: Path) -> None:
    assert command("init", "--ledger", tmp_path / "x").code == 2
    assert command("init", "--origin", "two words", "--ledger", tmp_path / "x").code == 2


def test_the_key_may_lie_elsewhere(command: Command, tmp_path: Path, day_file: Path) -> None:
    folder, key = tmp_path / "new", tmp_path / "key"
    assert command("init", "--origin", "a/b", "--key", key, "--ledger", folder).code == 0
    missing = command("append", day_file, "--ledger", folder)
    assert missing.code == 3
    assert "[key_missing]" in missing.err
    assert command("append", day_file, "--ledger", folder, "--key", key).code == 0
    other = tmp_path / "other"
    assert command("init", "--origin", "a/b", "--ledger", other).code == 0
    stolen = command("append", day_file, "--ledger", other, "--key", key)
    assert stolen.code == 4
    assert "[key_mismatch]" in stolen.err


def test_append_says_what_became_of_the_lines(
    command: Command, empty: Path, day_file: Path
) -> None:
    first = command("append", day_file, "--ledger", empty, "--format", "json")
    assert first.code == 0
    count = len(day())
    assert first.json | {"root": "", "tree_size": 0} == {
        "accepted": count, "repeated": 0, "conflicts": 0, "quarantined": 0, "refused": 0,
        "lines": [], "tree_size": 0, "root": "", "warnings": [], "preview": False,
    }  # fmt: skip
    again = command("append", day_file, "--ledger", empty, "--format", "json")
    assert (again.code, again.json["repeated"], again.json["accepted"]) == (0, count, 0)
    assert again.json["root"] == first.json["root"]


def spoilt(**change: Any) -> str:
    """The first line of the day, changed; None takes a field away."""
    values = json.loads(lines().splitlines()[7])
    for name, value in change.items():
        if value is None:
            del values[name]
        else:
            values[name] = value
    return json.dumps(values)


BAD = {
    "not JSON": ("this is no JSON", "bad_json"),
    "a missing field": (spoilt(stake_cents=None), "missing_field"),
    "an extra field": (spoilt(colour="red"), "unknown_field"),
    "NaN": (spoilt().replace("2000", "NaN"), "bad_json"),
    "negative": (spoilt(stake_cents=-5), "out_of_range"),
    "a float": (spoilt(stake_cents=5.0), "wrong_type"),
    "beyond 64 bits": (spoilt(stake_cents=1 << 70), "out_of_range"),
    "unknown event": (spoilt(event="WagerEaten"), "unknown_event"),
    "unknown version": (spoilt(version=99), "unknown_version"),
    "a bad time": (spoilt(event_time="2021-03-15 16:00"), "bad_time"),
    "cut": (spoilt()[:-20], "bad_json"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_line_is_named_and_the_good_ones_stay(
    command: Command, empty: Path, tmp_path: Path, name: str
) -> None:
    text, code = BAD[name]
    good = lines().splitlines()
    path = tmp_path / "mixed.jsonl"
    path.write_text("\n".join([good[0], text, good[1]]) + "\n", encoding="utf-8")
    said = command("append", path, "--ledger", empty, "--format", "json")
    assert said.code == 1
    assert said.json["accepted"] == 2
    assert [(one["line"], one["code"]) for one in said.json["lines"]] == [(2, code)]
    assert said.err.startswith(f"line 2: {code}")


def test_a_file_that_was_cut(command: Command, empty: Path, tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_text(lines()[:-30], encoding="utf-8")
    said = command("append", path, "--ledger", empty)
    assert said.code == 1
    assert "line_cut" in said.err


def test_strict_appends_all_or_nothing(
    command: Command, empty: Path, tmp_path: Path, day_file: Path
) -> None:
    path = tmp_path / "mixed.jsonl"
    path.write_text(lines() + "nonsense\n", encoding="utf-8")
    before = (empty / "checkpoint").read_bytes()
    said = command("append", path, "--strict", "--ledger", empty, "--format", "json")
    assert (said.code, said.json["accepted"], said.json["refused"]) == (1, 0, 1)
    assert (empty / "checkpoint").read_bytes() == before
    good = command("append", day_file, "--strict", "--ledger", empty, "--format", "json")
    assert (good.code, good.json["accepted"]) == (0, len(day()))


def test_a_conflict_is_named_and_quarantined(
    command: Command, empty: Path, tmp_path: Path, day_file: Path
) -> None:
    assert command("append", day_file, "--ledger", empty).code == 0
    path = tmp_path / "rival.jsonl"
    path.write_text(spoilt(stake_cents=7_000) + "\n", encoding="utf-8")
    said = command("append", path, "--ledger", empty, "--format", "json")
    assert (said.code, said.json["conflicts"]) == (1, 1)
    assert said.json["lines"][0]["line"] == 1
    shown = command("cat", "--ledger", empty)
    assert "1 entry in the quarantine is not shown" in shown.err
    every = [
        json.loads(line) for line in command("cat", "--all", "--ledger", empty).out.splitlines()
    ]
    kinds = [one.get("entry") for one in every if "entry" in one]
    assert kinds[0] == "began"
    assert kinds[-1] == "quarantined"
    assert [one["position"] for one in every] == list(range(len(every)))


def test_append_from_standard_input(
    command: Command, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(lines().encode()))
    monkeypatch.setattr(sys, "stdin", stdin)
    said = command("append", "-", "--ledger", empty, "--format", "json")
    assert (said.code, said.json["accepted"]) == (0, len(day()))


def test_append_without_file_or_ledger(
    command: Command, empty: Path, tmp_path: Path, day_file: Path
) -> None:
    missing = command("append", tmp_path / "nowhere.jsonl", "--ledger", empty)
    assert (missing.code, missing.out) == (3, "")
    assert "[file_unreadable]" in missing.err
    assert "nowhere.jsonl" in missing.err
    folder = command("append", tmp_path, "--ledger", empty)
    assert "[file_unreadable]" in folder.err
    for words in (("append", day_file), ("append", day_file, "--strict"), ("ingest",), ("verify",)):
        said = command(*words, "--ledger", tmp_path / "none")
        assert (said.code, said.out) == (3, "")
        assert "[ledger_missing]" in said.err
        assert "pitledger init" in said.err


def test_a_witness_that_saw_more(
    command: Command, empty: Path, tmp_path: Path, day_file: Path
) -> None:
    witness = tmp_path / "elsewhere" / "witness"
    said = command("append", day_file, "--ledger", empty, "--witness", witness)
    assert (said.code, witness.exists()) == (3, False), "a witness is never begun unseen"
    assert "[witness_missing]" in said.err
    witness.parent.mkdir()
    witness.write_bytes((empty / "checkpoint").read_bytes())
    assert command("append", day_file, "--ledger", empty, "--witness", witness).code == 0
    assert (
        command("verify", "--ledger", empty, "--witness", witness, "--format", "json").json[
            "witness"
        ]
        == "consistent"
    )
    other = tmp_path / "other"
    assert command("init", "--origin", "test.example/floor", "--ledger", other).code == 0
    said = command("append", day_file, "--ledger", other, "--witness", witness)
    assert said.code == 4
    assert "[witness_inconsistent]" in said.err


def test_verify_as_json(command: Command, made: Path) -> None:
    said = command("verify", "--ledger", made, "--format", "json")
    assert said.code == 0
    assert list(said.json) == ["tree_size", "root", "origin", "key", "witness", "cosigned", "too_few_witnesses", "witnesses", "first_bad_position", "problem", "remarks"]  # fmt: skip
    assert said.json["origin"] == "test.example/floor"
    assert said.json["problem"] is None
    assert said.json["witness"] == "absent"


def test_verify_names_the_first_bad_position(command: Command, empty: Path, day_file: Path) -> None:
    assert command("append", day_file, "--ledger", empty).code == 0
    bundle = next((empty / "tile/entries").rglob("*.p/*"))
    raw = bytearray(bundle.read_bytes())
    raw[-1] ^= 1
    bundle.write_bytes(bytes(raw))
    said = command("verify", "--ledger", empty, "--format", "json")
    assert said.code == 4
    assert said.json["first_bad_position"] == said.json["tree_size"] - 1
    assert command("verify", "--ledger", empty).out.startswith("NOT what was signed at position")
    broken = command("audit", "--ledger", empty)
    assert (broken.code, broken.out) == (4, ""), "integrity broken wins over findings"


def test_prove_and_checkpoint(command: Command, made: Path) -> None:
    proof = command("prove", "3", "--ledger", made)
    assert proof.out.startswith("c2sp.org/tlog-proof@v1\nindex 3\n")
    data = command("prove", "3", "--ledger", made, "--format", "json").json
    assert data["proof"] == proof.out
    note = command("checkpoint", "--ledger", made)
    assert note.out == (made / "checkpoint").read_text()
    assert command("checkpoint", "--ledger", made, "--format", "json").json["root"] == data["root"]
    assert command("prove", "9999", "--ledger", made).code == 2
    assert command("prove", "x", "--ledger", made).code == 2


def test_cat_prints_the_form_that_append_reads(
    command: Command, made: Path, empty: Path, tmp_path: Path
) -> None:
    path = tmp_path / "again.jsonl"
    path.write_text(command("cat", "--plain", "--ledger", made).out, encoding="utf-8")
    assert sorted(path.read_text().splitlines()) == sorted(lines().splitlines())
    assert command("append", path, "--strict", "--ledger", empty).code == 0


def test_cat_puts_the_position_first_and_keeps_the_facts_own(command: Command, made: Path) -> None:
    said = [json.loads(line) for line in command("cat", "--ledger", made).out.splitlines()]
    assert all(list(one)[:2] == ["position", "event"] for one in said)
    assert all(type(one["position"]) is int for one in said)
    wager = next(one for one in said if one["event"] == "WagerPlaced")
    assert wager["fact_position"] == "1"
    other = next(one for one in said if one["event"] == "BettingOpened")
    assert "fact_position" not in other


def test_cat_in_parts(command: Command, made: Path) -> None:
    def positions(*words: str) -> list[int]:
        out = command("cat", "--ledger", made, *words).out
        return [json.loads(line)["position"] for line in out.splitlines()]

    every = positions()
    assert positions("--start", str(every[3])) == every[3:]
    assert positions("--stop", str(every[3])) == every[:3]
    assert len(positions("--stream", "DC-01")) == 10
    assert len(positions("--event", "WagerPlaced")) == 3


def test_the_ledger_comes_from_the_environment(made: Path) -> None:
    named = given.run("checkpoint", "--ledger", str(made))
    assert given.run("checkpoint", PITLEDGER_LEDGER=str(made)).out == named.out
    assert given.run("checkpoint", PITLEDGER_LEDGER="").code == 3, (
        "empty is as if it were not there"
    )
