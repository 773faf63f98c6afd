"""A command asks for the second factor of who acts, as the desk does, and takes each code once."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP

from ledger.casework import person_proofs
from ledger.casework.person_proofs import (
    STEP_SECONDS,
    NotProved,
    PersonProofs,
    SecondFactorUsed,
    SecondFactorWrong,
    persons_folder,
)
from ledger.log.keys import key_beside
from ledger.replay import Replay
from tests.analytics.given import ledger as ledger_of
from tests.cli.conftest import Command
from tests.cli.given import DAY
from tests.cli.test_proven_acts import PASSED, WHO, facts, last, people, underpaid

SECOND: Final = 1_000_000
NOW: Final = 1_700_000_010 * SECOND
SECRET: Final = bytes(range(20))
PHRASE: Final = "seven lanterns over the river"


def code_at(moment: int) -> str:
    """The code that the device shows at a moment, microseconds UTC."""
    return TOTP(SECRET, 6, SHA1(), STEP_SECONDS).generate(moment // SECOND).decode()


@pytest.fixture
def floor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command) -> Path:
    """A ledger on which P-1 has a device that shows codes, P-2 nothing, and P-3 a passkey."""
    monkeypatch.setattr(person_proofs, "MEMORY_KIB", 64)
    monkeypatch.setattr(person_proofs, "ITERATIONS", 1)
    monkeypatch.setattr("ledger.cli.wall_clock.time_ns", lambda: NOW * 1_000)
    known = ((name, None) for name in ("P-1", "P-2", "P-3"))
    folder = ledger_of(tmp_path / "ledger", [*facts(), *people(*known)])
    proofs = PersonProofs(folder)
    for person in ("P-1", "P-2", "P-3"):
        proofs.keep(person, PHRASE)
    earlier = NOW - 3_600 * SECOND
    proofs.set_second("P-1", SECRET, code_at(earlier), earlier)
    proofs._write("P-3", {**proofs._kept("P-3"), "passkeys": [{"id": "a"}]})
    phrase = tmp_path / "phrase"
    phrase.write_text(PHRASE, encoding="utf-8")
    for name in ("PASS_PHRASE_FILE", "APPROVER_PASS_PHRASE_FILE"):
        monkeypatch.setenv(f"PITLEDGER_{name}", str(phrase))
    monkeypatch.setenv("PITLEDGER_LEDGER", str(folder))
    return folder


@pytest.fixture
def note(floor: Path, command: Command) -> tuple[str, ...]:
    """The words of a note on an action, without who writes it."""
    return ("actions", "note", underpaid(command), "seen", "--day", DAY, "--by")


def test_a_code_is_asked_for_and_good_once(
    command: Command, floor: Path, note: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    size = Replay.open(floor).size
    refused = command(*note, "P-1")  # nobody is at a terminal
    assert (refused.code, "[second_factor_not_given]" in refused.err) == (2, True), refused.err
    wrong = f"{(int(code_at(NOW)) + 1) % 1_000_000:06}"
    monkeypatch.setenv("PITLEDGER_CODE", wrong)
    refused = command(*note, "P-1")
    assert (refused.code, "[second_factor_wrong]" in refused.err) == (2, True), refused.err
    assert Replay.open(floor).size == size
    monkeypatch.setenv("PITLEDGER_CODE", code_at(NOW))
    done = command(*note, "P-1", "--format", "json")
    assert (done.code, done.json["proved"]) == (0, True), done.err
    assert last(floor, "ActionNoted").proof == PASSED
    size = Replay.open(floor).size
    refused = command(*note, "P-1")
    assert (refused.code, "[second_factor_used]" in refused.err) == (2, True), refused.err
    assert Replay.open(floor).size == size
    monkeypatch.delenv("PITLEDGER_CODE")
    assert command(*note, "P-2").code == 0  # who has none is asked nothing


def test_a_wrong_pass_phrase_uses_up_no_code_and_tells_nothing_of_a_second_factor(
    command: Command, floor: Path, note: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    phrase = floor.with_name("phrase")
    phrase.write_text("what another knows", encoding="utf-8")
    monkeypatch.setenv("PITLEDGER_CODE", code_at(NOW))
    for person in ("P-1", "P-3"):
        refused = command(*note, person)
        assert (refused.code, f"not the pass phrase of {person}" in refused.err) == (2, True)
        assert "second_factor" not in refused.err
    phrase.write_text(PHRASE, encoding="utf-8")
    assert command(*note, "P-1").code == 0


def test_at_a_terminal_the_code_is_asked_for_after_the_pass_phrase(
    command: Command, floor: Path, note: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return PHRASE if prompt.startswith("Pass phrase") else f" {code_at(NOW)} "

    monkeypatch.delenv("PITLEDGER_PASS_PHRASE_FILE")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("getpass.getpass", answer)
    assert command(*note, "P-1").code == 0
    assert asked == ["Pass phrase of P-1: ", "Code that the device of P-1 shows: "]


def test_who_has_passkeys_alone_is_told_to_go_to_the_desk(
    command: Command, floor: Path, note: tuple[str, ...]
) -> None:
    size = Replay.open(floor).size
    refused = command(*note, "P-3")
    assert (refused.code, "[second_factor_at_desk]" in refused.err) == (2, True), refused.err
    assert "do it at the desk" in " ".join(refused.err.split())
    assert Replay.open(floor).size == size


def test_who_approves_gives_a_code_of_their_own(
    command: Command, floor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by, approver = WHO.index("P-1"), WHO.index("P-2")
    who = [*WHO]
    who[by], who[approver] = "P-2", "P-1"
    words = ("amend", "DC-01", "5", "--withdraw", *who)
    monkeypatch.setenv("PITLEDGER_CODE", code_at(NOW))  # the author's is not the approver's
    refused = command(*words)
    assert (refused.code, "[second_factor_not_given]" in refused.err) == (2, True), refused.err
    monkeypatch.setenv("PITLEDGER_APPROVER_CODE", code_at(NOW))
    done = command(*words, "--format", "json")
    assert (done.code, done.json["proved"]) == (0, True), done.err


def test_a_key_elsewhere_keeps_that_a_code_was_used(
    command: Command, floor: Path, note: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = floor.with_name("elsewhere.key")
    own = next(path for path in (key_beside(floor), floor / "keys" / "signer") if path.exists())
    own.rename(elsewhere)
    size = Replay.open(floor).size
    monkeypatch.setenv("PITLEDGER_CODE", code_at(NOW))
    refused = command(*note, "P-1")
    assert (refused.code, "[proofs_unwritable]" in refused.err) == (3, True), refused.err
    assert Replay.open(floor).size == size
    done = command(*note, "P-1", "--key", elsewhere)
    assert done.code == 0, done.err
    refused = command(*note, "P-1", "--key", elsewhere)
    assert "[second_factor_used]" in refused.err


def test_of_several_who_come_at_once_with_a_code_one_passes(
    floor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = PersonProofs._write

    def write_slowly(*words: Any) -> None:
        time.sleep(0.1)  # so that the others look at the code, too, if nothing hinders them
        write(*words)

    monkeypatch.setattr(PersonProofs, "_write", write_slowly)

    def come(_number: int) -> type[NotProved] | None:
        try:
            PersonProofs(floor).prove_second("P-1", code_at(NOW), NOW)
        except (SecondFactorUsed, SecondFactorWrong) as refusal:
            return type(refusal)
        return None

    with ThreadPoolExecutor(4) as several:
        came = list(several.map(come, range(4)))
    assert sorted(map(str, came)) == sorted(map(str, [None, *[SecondFactorUsed] * 3]))
    (persons_folder(floor) / person_proofs.LOCK).unlink()
    assert PersonProofs(floor).has_second("P-1")
