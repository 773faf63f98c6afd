"""``pitledger backup``: a verified copy, and names of patrons only where they can be erased."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from ledger.intake import ErasableStore
from ledger.log import key_beside
from tests.cli.conftest import Command
from tests.cli.given import copied


def test_a_ledger_is_copied_and_the_copy_verifies(
    command: Command, made: Path, tmp_path: Path
) -> None:
    copied = command("backup", tmp_path / "copy", "--ledger", made)
    assert (copied.code, copied.err) == (0, "")
    assert "and verified the copy" in copied.out
    assert "the private key is not in it" in copied.out
    whole = json.loads(command("verify", "--ledger", made, "--format", "json").out)
    again = command("backup", tmp_path / "copy", "--ledger", made, "--format", "json").json
    assert (again["tree_size"], again["root"]) == (whole["tree_size"], whole["root"])
    assert (again["files_copied"], again["openings_copied"]) == (0, None)
    assert command("verify", "--ledger", tmp_path / "copy").code == 0
    assert not list((tmp_path / "copy").rglob("*signer*"))
    assert not key_beside(tmp_path / "copy").exists()


def test_names_are_copied_apart_or_not_at_all(command: Command, made: Path, tmp_path: Path) -> None:
    made = copied(made, tmp_path / "ledger")
    store = ErasableStore(made)
    kept = store.commit("Ada Lovelace", "1 Front Street")
    gone = store.commit("Grace Hopper", "2 Front Street")
    store.erase([gone.opening])
    plain = command("backup", tmp_path / "copy", "--ledger", made)
    assert "names and addresses are not in it" in plain.out
    apart = command("backup", tmp_path / "copy", "--erasable", tmp_path / "names", "--ledger", made)
    assert "1 name and address to" in apart.out
    assert f"their keys are not copied: {store.people.path}" in apart.out
    with sqlite3.connect(tmp_path / "names" / "openings.sqlite") as copy:
        assert copy.execute("SELECT opening FROM sealed").fetchall() == [(kept.opening,)]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not [path for path in files if b"Lovelace" in path.read_bytes()]
    assert not [path for path in files if b"Hopper" in path.read_bytes()]
    assert [path for path in files if "people" in path.name] == [store.people.path]


def test_the_keys_are_not_copied_even_where_they_lie_inside(
    command: Command, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = copied(made, tmp_path / "ledger")
    monkeypatch.setenv("PITLEDGER_PEOPLE", str(made / "erasable" / "people"))
    store = ErasableStore(made)
    opening = store.commit("Ada Lovelace", "1 Front Street").opening
    key = store.people.key(opening)
    words = ("--erasable", tmp_path / "names", "--ledger", made)
    assert command("backup", tmp_path / "copy", *words).code == 0
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path for path in files if key in path.read_bytes()] == [store.people.path]
    warned = command("doctor", "--ledger", made, "--format", "json").json
    (people,) = [check for check in warned if check["check"] == "people"]
    assert "lie inside the ledger" in people["says"]


def test_names_are_never_copied_into_the_backup(
    command: Command, made: Path, tmp_path: Path
) -> None:
    for apart in (tmp_path / "copy", tmp_path / "copy" / "names", tmp_path):
        refused = command("backup", tmp_path / "copy", "--erasable", apart, "--ledger", made)
        assert (refused.code, refused.out) == (2, "")
    assert not (tmp_path / "copy").exists()


def test_a_place_inside_the_ledger_is_refused(command: Command, made: Path) -> None:
    refused = command("backup", made / "copy", "--ledger", made)
    assert refused.code == 2
    assert "[backup_place]" in refused.err
    assert not (made / "copy").exists()
