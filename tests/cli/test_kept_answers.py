"""An answer is given again only where everything that it was made from is what it was."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from ledger.analytics import JudgedTables
from ledger.audit import gaming_days
from ledger.cli import kept_answers
from ledger.cli.output import emit_again
from ledger.kernel import code_fingerprint as of_code
from ledger.log import read_log
from ledger.log.signed_file_index import SealedFolder, Seals
from ledger.log.tiles import ENTRIES, Tile
from ledger.replay import Replay
from tests.analytics import given
from tests.cli.conftest import Command

LISTS = (
    ("actions", "list"),
    ("actions", "list", "--format", "json"),
    ("coupons", "outstanding"),
    ("coupons", "reconcile", "--format", "json"),
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with a closed day whose tables are judged already; it is only copied."""
    folder = tmp_path_factory.mktemp("played") / "ledger"
    given.ledger(folder, given.facts("overpaid@SB-01", scale=0.03, coupons=True))
    replay = Replay.open(folder)
    judged = JudgedTables(replay, folder / "cache")
    for day in gaming_days(replay):
        judged.audit(day)
    return folder


@pytest.fixture
def ledger(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "ledger"))


def answers(ledger: Path) -> list[Path]:
    folder = ledger / "cache" / "answers"
    return sorted(folder.iterdir()) if folder.is_dir() else []


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A line for each question that was answered from what was kept."""
    again: list[str] = []

    def given_again(text: str) -> bool:
        again.append(text)
        return emit_again(text)

    monkeypatch.setattr(kept_answers, "emit_again", given_again)
    return again


@pytest.mark.parametrize("words", LISTS)
def test_the_same_question_has_the_same_answer(
    words: tuple[str, ...], ledger: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = counted(monkeypatch)
    command(*words, "--ledger", ledger)  # the index is made of all entries: that is not kept
    first = command(*words, "--ledger", ledger)
    del again[:]
    assert command(*words, "--ledger", ledger) == first
    assert again == [first.out] != [""]


def test_another_question_has_its_own_answer(
    ledger: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = counted(monkeypatch)
    for _ in range(2):
        text = command("actions", "list", "--ledger", ledger)
    del again[:]
    plain = command("actions", "list", "--format", "json", "--ledger", ledger)
    assert plain.out != text.out
    monkeypatch.setenv("COLUMNS", "70")
    assert command("actions", "list", "--ledger", ledger).out != text.out
    monkeypatch.setenv("PITLEDGER_FOOTAGE_DAYS", "30")
    command("actions", "list", "--ledger", ledger)
    assert again == []
    monkeypatch.setenv("PITLEDGER_FOOTAGE_DAYS", "none")
    assert command("actions", "list", "--ledger", ledger).code == 3


def test_a_fact_more_is_asked_anew(ledger: Path, command: Command) -> None:
    words = ("actions", "list", "--format", "json", "--ledger", ledger)
    for _ in range(2):
        before = command(*words)
    action = before.json[0]["id"]
    taken = command("actions", "take", action, "--by", "M-1", "--ledger", ledger)
    assert taken.code == 0
    assert (before.json[0]["status"], command(*words).json[0]["status"]) == ("open", "taken")


def test_an_entry_that_it_rests_on_is_proved(ledger: Path, command: Command) -> None:
    for _ in range(2):
        command("actions", "list", "--ledger", ledger)
    path = ledger / Tile(ENTRIES, 3).path
    body = bytearray(path.read_bytes())
    body[len(body) // 2] ^= 1
    path.write_bytes(body)
    broken = command("actions", "list", "--ledger", ledger)
    assert (broken.code, broken.out) == (4, "")


@pytest.mark.parametrize("harm", ["text", "name", "seal", "cut"])
def test_a_forged_answer_is_not_given(
    harm: str, ledger: Path, command: Command, tmp_path: Path
) -> None:
    for _ in range(2):
        true = command("actions", "list", "--all", "--ledger", ledger)
    (kept,) = answers(ledger)
    stored = kept.read_bytes()
    match harm:
        case "text":
            kept.write_bytes(stored.replace(b"open", b"shut"))
        case "name":
            for _ in range(2):
                command("coupons", "outstanding", "--ledger", ledger)
            (other,) = (path for path in answers(ledger) if path != kept)
            shutil.copy(other, kept)
        case "seal":
            content = stored.replace(b"open", b"shut")
            given.ledger(tmp_path / "theirs", [])
            sealed = SealedFolder(kept.parent, "answers", Seals.of(tmp_path / "theirs"))
            assert sealed.write(kept.name, [content])
        case "cut":
            kept.write_bytes(stored[: len(stored) // 2])
    assert command("actions", "list", "--all", "--ledger", ledger) == true


def test_an_answer_of_another_checkpoint_is_not_given(ledger: Path, command: Command) -> None:
    """Whoever may write could put an old answer back: it names the checkpoint that it is of."""
    words = ("actions", "list", "--format", "json", "--ledger", ledger)
    for _ in range(2):
        before = command(*words)
    (kept,) = answers(ledger)
    old = kept.read_bytes()
    action = before.json[0]["id"]
    assert command("actions", "take", action, "--by", "M-1", "--ledger", ledger).code == 0
    after = command(*words)
    kept.write_bytes(old)
    assert command(*words) == after != before


def test_other_code_asks_anew(
    ledger: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = counted(monkeypatch)
    for _ in range(3):
        command("actions", "list", "--ledger", ledger)
    assert len(again) >= 1
    del again[:]
    monkeypatch.setattr(of_code, "code_fingerprint", lambda *_: "another")
    command("actions", "list", "--ledger", ledger)
    assert again == []


def test_without_the_key_nothing_is_kept(ledger: Path, command: Command) -> None:
    first = command("actions", "list", "--ledger", ledger)
    command("actions", "list", "--ledger", ledger)
    shutil.rmtree(ledger / "cache")
    (ledger / "keys" / "signer").unlink()
    answer = command("actions", "list", "--ledger", ledger)
    assert (answer.code, answer.out) == (first.code, first.out)
    assert "since the ledger's key is not at hand. [not_kept]" in answer.err
    assert answers(ledger) == []


def test_what_a_refusal_says_is_not_kept(ledger: Path, command: Command) -> None:
    for _ in range(2):
        assert command("actions", "list", "--day", "2031-01-01", "--ledger", ledger).code == 2
    assert answers(ledger) == []


def test_so_many_are_kept(ledger: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_answers, "MOST", 3)
    for columns in range(80, 86):
        monkeypatch.setenv("COLUMNS", str(columns))
        command("actions", "list", "--ledger", ledger)
    assert len(answers(ledger)) == 3


def test_an_answer_says_what_it_was_made_from(ledger: Path, command: Command) -> None:
    for _ in range(2):
        command("actions", "list", "--ledger", ledger)
    (kept,) = answers(ledger)
    head = json.loads(kept.read_bytes().partition(b"\n")[0])
    log = read_log(ledger)
    assert head["from"][:2] == [log.size, log.root.hex()]
    assert head["bundles"][0][0] == 0, "the house describes itself at the beginning"
    assert all(first < stop <= -(-log.size // 256) for first, stop in head["bundles"])
