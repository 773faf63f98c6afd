"""``pitledger backup``: a verified copy, and names of patrons only where they can be erased."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

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
    with sqlite3.connect(tmp_path / "names" / "openings.sqlite") as copy:
        assert copy.execute("SELECT opening, name FROM openings").fetchall() == [
            (kept.opening, "Ada Lovelace")
        ]
    copies = [path for path in tmp_path.rglob("*") if path.is_file() and made not in path.parents]
    named = [path for path in copies if b"Lovelace" in path.read_bytes()]
    assert named == [tmp_path / "names" / "openings.sqlite"]
    assert not [path for path in copies if b"Hopper" in path.read_bytes()]


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
