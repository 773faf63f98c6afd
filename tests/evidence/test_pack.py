"""A pack is a function of round, tree size, version and key; what cannot be packed is refused."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections import Counter
from dataclasses import fields, replace
from html import unescape
from pathlib import Path

import pytest

from ledger.cli import main
from ledger.evidence import pack as module
from ledger.evidence.verify import judged, members_of, root_of
from ledger.log import key_beside, open_log, read_log, rotate_key
from ledger.log.merkle import leaf_hash
from tests.cli import given
from tests.evidence.packs import ROOT, changed, ledger_of, pack_of, signer_of, verify_alone

ROUNDS = (given.ROUND, given.WHEEL_ROUND)


def grown(folder: Path) -> Path:
    """Append one more fact, of the day after."""
    last = max((one for one in given.day() if one.stream == "house"), key=lambda one: one.seq)
    fact = replace(
        given.fact("PropertyDescribed", 3, 90_000, **given.HOUSE),
        stream="house",
        source=last.source,
    )
    return ledger_of(folder, [fact])


@pytest.mark.parametrize("round_", ROUNDS)
def test_a_round_of_each_table_verifies_alone(
    ledger: Path, key: str, tmp_path: Path, round_: str
) -> None:
    """The program in the pack does it, in a folder of its own, without the product."""
    path = tmp_path / "a.zip"
    pack_of(ledger, round_, path)
    done = verify_alone(path, "--key", key)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("VERIFIED under your key\n")
    (tmp_path / "key").write_text(f"{key}\n")
    assert verify_alone(path, "--key", str(tmp_path / "key")).returncode == 0
    assert verify_alone(path).returncode == 1
    assert verify_alone(path, "--key", "no+key").returncode == 4
    missing = verify_alone(path.rename(tmp_path / "b.zip"), "--key", key)
    assert missing.returncode == 0


def test_verify_is_short_and_imports_nothing_of_ours() -> None:
    text = (ROOT / "ledger" / "evidence" / "verify.py").read_text()
    assert len(text.splitlines()) < 300
    names = {
        line.split()[1].partition(".")[0] for line in text.splitlines() if line.startswith("from ")
    }
    names |= {
        name.strip(",")
        for line in text.splitlines()
        if line.startswith("import ")
        for name in line.split()[1:]
    }
    assert names - set(sys.stdlib_module_names) == {"cryptography"}


def test_the_same_round_gives_the_same_bytes_wherever_it_is_packed(
    ledger: Path, pack: bytes, tmp_path: Path
) -> None:
    """From a copy elsewhere, with another hash seed, locale, time zone and no cache."""
    copy = given.copied(ledger, tmp_path / "elsewhere" / "b")
    shutil.rmtree(copy / "cache")
    out = tmp_path / "b.zip"
    ran = given.run(
        *("pack", "--round", given.ROUND.lower(), "--out", str(out), "--ledger", str(copy)),
        PYTHONHASHSEED="77", TZ="Asia/Tokyo", LC_ALL="C", PITLEDGER_PAPER="A4",
        PITLEDGER_FOOTAGE_DAYS="14",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    assert out.read_bytes() == pack


def test_an_earlier_tree_gives_the_bytes_that_it_gave_then(
    ledger: Path, pack: bytes, key: str, tmp_path: Path
) -> None:
    copy = grown(given.copied(ledger, tmp_path / "copy"))
    size = read_log(ledger).size
    then = pack_of(copy, given.ROUND, tmp_path / "then.zip", "--size", str(size))
    later = pack_of(copy, given.ROUND, tmp_path / "later.zip")
    assert then == pack != later
    assert judged(later, key)[0] == 0


def test_an_earlier_tree_without_the_key_is_refused(
    ledger: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = grown(given.copied(ledger, tmp_path / "copy"))
    key_beside(copy).unlink()
    words = ("pack", "--round", given.ROUND, "--out", str(tmp_path / "x"), "--ledger", str(copy))
    assert main([*words, "--size", str(read_log(ledger).size)]) == 3
    assert "pack_key_needed" in capsys.readouterr().err
    assert main([*words, "--size", "4000"]) == 2
    assert "pack_size_unknown" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_a_pack_without_the_key_says_so_and_proves_the_facts(
    ledger: Path, key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = given.copied(ledger, tmp_path / "copy")
    key_beside(copy).unlink()
    raw = pack_of(copy, given.ROUND, tmp_path / "x.zip")
    out = capsys.readouterr().out
    assert "NOT SIGNED" in out
    assert out.startswith(f"Round {given.ROUND} packed in ")
    code, lines = judged(raw, key)
    assert code == 1
    assert "nobody signed it" in lines[-1]
    members = members_of(raw)
    assert "signature" not in members
    assert json.loads(members["manifest.json"])["signed"] is False
    assert "nobody signed this page" in members["report.html"].decode()


def test_after_a_change_of_key_the_old_key_leads_to_the_new_one(
    ledger: Path, key: str, tmp_path: Path
) -> None:
    copy = given.copied(ledger, tmp_path / "copy")
    rotate_key(copy, tmp_path / "handover", record_time=given.fact("LimitsSet", 1, 0).event_time)
    raw = pack_of(copy, given.ROUND, tmp_path / "x.zip")
    new = str(read_log(copy).verifier)
    assert new != key
    assert judged(raw, key)[0] == judged(raw, new)[0] == 0
    chain = json.loads(members_of(raw)["keys.json"])
    assert [(turn["old"], turn["new"]) for turn in chain] == [(key, new)]
    other = f"{key[:-4]}AAAA"
    assert judged(raw, other)[0] == 4


def test_a_witness_is_packed_with_the_proof_that_the_ledger_goes_on(
    ledger: Path, key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = grown(given.copied(ledger, tmp_path / "copy"))
    seen = tmp_path / "witness"
    seen.write_bytes((ledger / "checkpoint").read_bytes())
    raw = pack_of(copy, given.ROUND, tmp_path / "x.zip", "--witness", str(seen))
    assert judged(raw, key)[0] == 0
    members = dict(members_of(raw))
    assert members["witness"] == seen.read_bytes()
    lines = members["witness-proof"].splitlines(keepends=True)
    cut = changed(
        raw, lambda all_: all_.update({"witness-proof": b"".join(lines[:-1])}), strip=True
    )
    assert judged(cut, key)[0] == 4
    seen.write_bytes((copy / "checkpoint").read_bytes())
    words = ("pack", "--round", given.ROUND, "--out", str(tmp_path / "y"), "--witness", str(seen))
    assert main([*words, "--ledger", str(ledger)]) == 3
    seen.write_text("nonsense")
    assert main([*words, "--ledger", str(ledger)]) == 3
    assert "pack_witness_unusable" in capsys.readouterr().err


def test_every_root_comes_from_every_leaf() -> None:
    """The short proof of the program agrees with the ledger's own."""
    from ledger.log.merkle import inclusion_proof, range_hash

    for size in (*range(1, 20), 33, 64):
        leaves = [leaf_hash(bytes([number])) for number in range(size)]

        def subtree(level: int, index: int, leaves: list[bytes] = leaves) -> bytes:
            from ledger.log.merkle import fold_complete

            return fold_complete(leaves[index << level : (index + 1) << level])

        root = range_hash(subtree, 0, size)
        for index, leaf in enumerate(leaves):
            assert root_of(leaf, index, size, inclusion_proof(subtree, index, size)) == root


def test_the_facts_are_those_of_the_round_as_cat_prints_them(ledger: Path, pack: bytes) -> None:
    printed = given.run("cat", "--ledger", str(ledger)).out.splitlines()
    lines = members_of(pack)["facts.jsonl"].decode().splitlines()
    assert {json.dumps(json.loads(line)) for line in lines} <= {
        json.dumps(json.loads(line)) for line in printed
    }
    streams = Counter(json.loads(line)["stream"] for line in lines)
    assert streams["SB-01"] == 11


def test_the_derivation_goes_from_the_fact_to_the_cents(pack: bytes) -> None:
    derivation = json.loads(members_of(pack)["derivation.json"])
    due = next(figure for figure in derivation["figures"] if figure["name"] == "1.due")
    assert due == {
        "name": "1.due", "cents": 5000, "how": "odds", "of": ["1.stake"],
        "odds": {"pays": 1, "stake": 1, "factor": 1},
    }  # fmt: skip
    wager = derivation["wagers"][1]
    assert wager["because"] == "$50.00 at 1 to 1 pays $50.00"
    assert wager["sections"][0].startswith("§ 539.6(b)")
    law = json.loads(members_of(pack)["law.json"])
    assert {row["row"] for row in law["rows"]} == {"wager", "payout"}
    assert all(row["cited"] for row in law["rows"])


def test_the_report_asks_nothing_from_outside_and_draws_the_dice(pack: bytes) -> None:
    page = members_of(pack)["report.html"].decode()
    assert "default-src 'none'" in page
    assert page.count("<svg") >= 1
    assert "http" not in unescape(page).replace("http://www.w3.org/2000/svg", "").replace(
        "http-equiv", ""
    )


HOSTILE = ('"><img src=x onerror=alert(1)>', "=HYPERLINK(1)", "\x1b[2J\u202e", "$9.99", "P 7 $1")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_shown_and_not_executed(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = [
        type(one)(**{field: name if text in ("P7", "W3") else text for field, text in _fields(one)})
        for one in given.day()
    ]
    folder = ledger_of(tmp_path / "ledger", facts)
    raw = pack_of(folder, given.ROUND, tmp_path / "x.zip")
    code, lines = judged(raw, str(read_log(folder).verifier))
    assert code == 0, lines
    members = members_of(raw)
    page = members["report.html"].decode()
    assert "<img" not in page
    assert "\x1b" not in page
    assert members["facts.jsonl"].isascii()
    assert members["derivation.json"].isascii()


def _fields(fact: object) -> list[tuple[str, object]]:
    return [(field.name, getattr(fact, field.name)) for field in fields(fact)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "code", "reason"),
    [
        (("--round", "SB-01:4000"), 2, "round_unknown"),
        (("--round", "nothing"), 2, "round_unknown"),
        (("--round", "SB-01:1"), 2, "round_unknown"),
        (("--round", given.ROUND, "--key", "nowhere"), 3, "key_missing"),
        (("--round", given.ROUND, "--size", "0"), 2, "pack_size_unknown"),
        (("--round", given.ROUND, "--size", "3"), 2, ""),
    ],
)
def test_what_cannot_be_packed_is_refused(
    ledger: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    code: int,
    reason: str,
) -> None:
    out = tmp_path / "x.zip"
    assert main(["pack", *words, "--out", str(out), "--ledger", str(ledger)]) == code
    assert reason in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_an_open_round_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    facts = [one for one in given.day() if one.stream != "SB-01" or one.seq < 12]
    facts = [one for one in facts if type(one).__name__ != "GamingDayClosed"]
    folder = ledger_of(tmp_path / "ledger", facts)
    words = ("pack", "--round", given.ROUND, "--out", str(tmp_path / "x"), "--ledger", str(folder))
    assert main(words) == 2
    assert "round_still_open" in capsys.readouterr().err


def test_a_file_that_is_there_or_cannot_be_written_is_left_alone(
    ledger: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = ("pack", "--round", given.ROUND, "--ledger", str(ledger), "--out")
    there = tmp_path / "there.zip"
    there.write_text("mine")
    link = tmp_path / "link.zip"
    link.symlink_to(tmp_path / "nowhere")
    for path in (there, link, tmp_path):
        assert main([*words, str(path)]) == 2
        assert "pack_exists" in capsys.readouterr().err
    assert there.read_text() == "mine"
    assert main([*words, str(tmp_path / "no" / "folder.zip")]) == 3
    assert main([*words, str(there / "below.zip")]) == 3
    assert "file_unwritable" in capsys.readouterr().err
    monkeypatch.setattr(module, "PACK_BYTES", 1000)
    assert main([*words, str(tmp_path / "large.zip")]) == 2
    assert "pack_too_large" in capsys.readouterr().err

    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.undo()
    monkeypatch.setattr("ledger.log.storage.os.fsync", full)
    assert main([*words, str(tmp_path / "full.zip")]) == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.zip", "there.zip"]


def test_a_ledger_that_was_changed_is_not_packed(
    ledger: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = given.copied(ledger, tmp_path / "copy")
    bundle = copy / "tile" / "entries" / "000.p" / str(read_log(copy).size)
    raw = bytearray(bundle.read_bytes())
    raw[len(raw) // 2] ^= 1
    bundle.write_bytes(bytes(raw))
    words = ("pack", "--round", given.ROUND, "--out", str(tmp_path / "x"), "--ledger", str(copy))
    assert main(words) == 4
    assert capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_the_key_of_another_ledger_is_refused(ledger: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    assert main(["init", "--origin", "test.example/floor", "--ledger", str(other)]) == 0
    words = ("pack", "--round", given.ROUND, "--out", str(tmp_path / "x"), "--ledger", str(ledger))
    assert main([*words, "--key", str(key_beside(other))]) == 4


def test_the_ledger_is_only_read(ledger: Path, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in ledger.rglob("*") if _is_signed(path, ledger)}
    pack_of(ledger, given.ROUND, tmp_path / "x.zip")
    after = {path: path.read_bytes() for path in ledger.rglob("*") if _is_signed(path, ledger)}
    assert before == after
    assert signer_of(ledger) is not None
    with open_log(ledger):
        pass


def _is_signed(path: Path, ledger: Path) -> bool:
    return path.is_file() and path.relative_to(ledger).parts[0] != "cache"
