"""The simulated floor and the demonstration: the same bytes, and a truth that is not believed."""

from __future__ import annotations

import json
import shutil
from hashlib import sha256
from pathlib import Path

import pytest

from ledger.floor import MAILED_PATRONS
from tests.cli.conftest import Command
from tests.cli.given import run

TRUTH_KEYS = {"kind", "gaming_day", "round", "stream", "seq", "code", "cite"}


def bytes_of(folder: Path) -> dict[str, str]:
    """Every file of a ledger but its cache, hashed."""
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "cache" not in path.parts
    }


def test_the_same_seed_gives_the_same_bytes(simulated: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "again", tmp_path / "out.jsonl"
    words = ("floor", "simulate", "--ledger", str(folder), "--seed", "5", "--plant", "all")
    said = run(*words, "--plant", "overpaid@SB-03", "--out", str(out), PYTHONHASHSEED="77")
    assert said.code == 0
    assert bytes_of(folder) == bytes_of(simulated)
    cat = run("cat", "--plain", "--ledger", str(folder))
    lines, told = out.read_text().splitlines(), cat.out.splitlines()
    known = set(told)
    assert told == [line for line in lines if line in known]
    assert len(lines) - len(told) == 1, "the planted conflict is in the quarantine"


def test_the_truth_stands_beside(simulated: Path) -> None:
    truth = json.loads((simulated / "truth.json").read_text())
    assert all(set(row) >= TRUTH_KEYS for row in truth)
    hidden = [row for row in truth if not row["detectable"]]
    assert "overpaid" in {row["kind"] for row in hidden}
    # counts that are wrong at one table on one day are told in one finding
    assert {row["kind"] for row in hidden} - {"overpaid"} <= {
        "wrong_closer",
        "fill_not_recorded",
        "box_count_short",
    }
    assert all(row["why"] for row in hidden)


def test_coupons_come_with_their_plants_and_no_name_is_written(
    command: Command, tmp_path: Path
) -> None:
    folder, out = tmp_path / "coupons", tmp_path / "out.jsonl"
    words = ("--seed", "3", "--coupons", "--plant", "coupon_not_in_box@SB-01", "--out", out)
    said = command("floor", "simulate", "--ledger", folder, *words)
    assert said.code == 0, said.err
    (row,) = json.loads((folder / "truth.json").read_text())
    assert (row["code"], len(row["serials"])) == ("redeemed_not_dropped", 1)
    assert row["serials"][0] in out.read_text()
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    for name, address in MAILED_PATRONS:
        assert name.split()[-1].encode() not in written
        assert address.split(",")[0].encode() not in written


def test_a_ledger_that_holds_facts_is_refused(
    command: Command, made: Path, simulated: Path
) -> None:
    for folder in (made, simulated):
        before = bytes_of(folder)
        said = command("floor", "simulate", "--ledger", folder, "--seed", "5")
        assert (said.code, said.out) == (2, "")
        assert "[ledger_holds_facts]" in said.err
        other = command("floor", "simulate", "--ledger", folder, "--seed", "6", "--continue")
        assert other.code == 2
        assert "[other_simulation]" in other.err
        assert bytes_of(folder) == before


@pytest.mark.full
def test_going_on_adds_only_what_is_missing(tmp_path: Path) -> None:
    words = ("floor", "simulate", "--seed", "3", "--format", "json", "--ledger")
    two = run(*words, str(tmp_path / "two"), "--days", "2").json
    one = run(*words, str(tmp_path / "one"))
    assert one.code == 0
    more = run(*words, str(tmp_path / "one"), "--days", "2", "--continue").json
    assert more["facts"] == two["facts"]
    assert 0 < more["added"] < more["facts"]
    assert more["tree_size"] == two["tree_size"]


@pytest.mark.parametrize(
    "words",
    [
        ("--seed", "1", "--plant", "nonsense"),
        ("--seed", "1", "--plant", "overpaid:0"),
        ("--seed", "1", "--plant", "overpaid@XX-01"),
        ("--seed", "1", "--plant", "two_shakes@DC-01"),
        ("--seed", "1", "--plant", "device_fault_unsupervised:1000"),
        ("--seed", "1", "--days", "0"),
        ("--seed", "one"),
        (),
    ],
)
def test_a_wish_that_makes_no_sense_makes_no_ledger(
    command: Command, tmp_path: Path, words: tuple[str, ...]
) -> None:
    said = command("floor", "simulate", "--ledger", tmp_path / "none", *words)
    assert (said.code, said.out) == (2, "")
    assert not (tmp_path / "none").exists()


def test_the_demonstration_agrees(command: Command, simulated: Path) -> None:
    said = command("demo", "--ledger", simulated, "--format", "json")
    assert said.code == 0
    assert said.json["agrees"] is True
    assert said.json["invented"] == []
    seen = [one for one in said.json["planted"] if one["detectable"]]
    assert len({one["kind"] for one in seen}) >= 15
    assert all(one["found"] for one in seen)
    page = command("demo", "--ledger", simulated)
    assert "The audit agrees with the truth" in page.out
    for word in ("captures", "in force", "events", "digest", "not to be seen by anybody"):
        assert word in page.out


@pytest.mark.full
def test_the_demonstration_needs_nothing(tmp_path: Path) -> None:
    said = run("demo", "--seed", "9", TMPDIR=str(tmp_path))
    assert said.code == 0, said.out[-2000:] + said.err
    assert list(tmp_path.iterdir()) == [], "the temporary ledger is removed"


@pytest.mark.parametrize("change", ["row taken away", "row added", "another code", "another fact"])
def test_a_truth_that_was_tampered_with(
    command: Command, simulated: Path, tmp_path: Path, change: str
) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(simulated, folder)
    path = folder / "truth.json"
    truth = json.loads(path.read_text())
    found = next(row for row in truth if row["code"] == "wager_underpaid")
    match change:
        case "row taken away":
            truth.remove(found)
        case "row added":
            truth.append({**found, "round": None, "seq": [found["seq"][0] + 1]})
        case "another code":
            found["code"] = "wager_overpaid"
        case "another fact":
            found["seq"] = [1]
    path.write_text(json.dumps(truth))
    said = command("demo", "--ledger", folder)
    assert said.code == 1
    assert "does NOT agree" in said.out


@pytest.mark.parametrize("text", ["", "{}", "[1]", '[{"kind": "x"}]'])
def test_a_truth_that_cannot_be_read(
    command: Command, simulated: Path, tmp_path: Path, text: str
) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(simulated, folder)
    (folder / "truth.json").write_text(text)
    said = command("demo", "--ledger", folder)
    assert (said.code, said.out) == (3, "")
    assert "[truth_unreadable]" in said.err


def test_the_demonstration_leaves_other_ledgers_alone(command: Command, made: Path) -> None:
    before = bytes_of(made)
    said = command("demo", "--ledger", made)
    assert said.code == 2
    assert "[ledger_holds_facts]" in said.err
    assert bytes_of(made) == before
