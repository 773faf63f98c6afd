"""Who acts on an action, corrects, adds or signs proves it, once anybody is enrolled to prove it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from ledger import events
from ledger.casework.person_proofs import PersonProofs
from ledger.codec import to_text
from ledger.replay import FactStep, Replay
from tests.analytics.given import ledger as ledger_of
from tests.cli.conftest import Command
from tests.cli.given import DAY, told
from tests.cli.given import day as small_day
from tests.cli.test_observing import proved

PASSED: Final = events.ActProof(how=events.ProofKind.PASS_PHRASE, signature=None)
ROW: Final = {"stream": "cases/persons", "source": "pitledger", "recorded_by": "IT-1"}
GONE: Final = 5
"""The number of a fact before the round, which the terminal did not deliver."""


def people(*enrolled: tuple[str, bytes | None]) -> list[events.Fact]:
    """A roster, and those of it who can prove who they are; without any nobody can."""
    credential = {"department": "TABLE GAMES", "role": "FLOORPERSON", "revoked": False}
    names = ("P-1", "P-2", "P-3", "P-4", "IT-1")
    roster = [
        (-3500, "PersonCredentialled", {
            **credential, "person": name,
            "department": "INFORMATION TECHNOLOGY" if name == "IT-1" else credential["department"],
        })
        for name in names
    ]  # fmt: skip
    ranks = [
        (-3400, "CredentialDescribed", {"person": name, "rank": "SUPERVISOR"}) for name in names
    ]
    own = [("IT-1", None), *enrolled] if enrolled else []
    enrollments = [
        (41_000, "PersonEnrolled", {
            "person": person, "how": "PASS_PHRASE" if key is None else "KEY", "public_key": key,
            "enrolled_by": "IT-1", "proof": None if person == "IT-1" else PASSED,
        })
        for person, key in own
    ]  # fmt: skip
    of_persons = [
        replace(fact, seq=number, **ROW)  # type: ignore[arg-type]
        for number, fact in enumerate(told("persons", *enrollments), 1)
    ]
    return [*told("people", *roster, *ranks), *of_persons]


def facts() -> list[events.Fact]:
    """The small day, of which one number never came."""
    return [one for one in small_day() if (one.stream, one.seq) != ("SB-01", GONE)]


@pytest.fixture
def phrase(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The pass phrase that every person here knows."""
    path = tmp_path / "phrase"
    path.write_text("what a person knows\n", encoding="utf-8")
    monkeypatch.setattr(PersonProofs, "prove", proved)
    return path


@pytest.fixture
def floor(tmp_path: Path, phrase: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ledger whose people prove by a pass phrase; P-4 is not enrolled."""
    known = ((name, None) for name in ("P-1", "P-2", "P-3"))
    folder = ledger_of(tmp_path / "ledger", [*facts(), *people(*known)])
    monkeypatch.setenv("PITLEDGER_LEDGER", str(folder))
    return folder


def underpaid(command: Command) -> str:
    done = command("actions", "list", "--all", "--day", DAY, "--format", "json")
    (one,) = (one for one in done.json if one["code"] == "wager_underpaid")
    return str(one["id"])


def last(folder: Path, kind: str) -> Any:
    """The last fact of a kind on record."""
    replay = Replay.open(folder)
    steps = replay.walk(replay.streams_with((kind,)), only=(kind,))
    return [step.fact for step in steps if isinstance(step, FactStep)][-1]


ACTS: Final = (
    ("take",),
    ("note", "seen"),
    ("close", "--reason", "repaid"),
    ("suppress", "--until", DAY, "--reason", "known"),
)


@pytest.mark.parametrize("words", ACTS, ids=[words[0] for words in ACTS])
def test_who_acts_on_an_action_proves_it(
    command: Command, floor: Path, phrase: Path, monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
) -> None:  # fmt: skip
    name, (act, *more) = underpaid(command), words
    size = Replay.open(floor).size
    where = ("actions", act, name, *more, "--day", DAY)
    refused = command(*where, "--by", "P-1")  # no pass phrase is given
    assert (refused.code, "[person_not_proved]" in refused.err) == (2, True), refused.err
    phrase.write_text("what another knows")
    monkeypatch.setenv("PITLEDGER_PASS_PHRASE_FILE", str(phrase))
    refused = command(*where, "--by", "P-1")
    assert (refused.code, "not the pass phrase of P-1" in refused.err) == (2, True), refused.err
    phrase.write_text("what a person knows")
    refused = command(*where, "--by", "P-4")
    assert (refused.code, "P-4 cannot prove yet who acts" in refused.err) == (2, True)
    assert Replay.open(floor).size == size
    done = command(*where, "--by", "P-1", "--format", "json")
    assert (done.code, done.json["checked"], done.json["proved"]) == (0, True, True), done.err
    kind = {"take": "ActionTaken", "note": "ActionNoted", "close": "ActionClosed"}
    assert last(floor, kind.get(act, "CauseSuppressed")).proof == PASSED


def test_an_act_that_came_without_a_proof_does_not_count(command: Command, floor: Path) -> None:
    """The same act, typed into the stream by somebody who knows a credential."""
    name = underpaid(command)
    command("actions", "show", name, "--day", DAY)
    replay = Replay.open(floor)
    from ledger.casework.action_facts import close
    from ledger.cli.action_desk import Desk

    desk = Desk(floor)
    _, action = desk.named(name, None)
    closed = close(replay, desk.house, action, "repaid", "P-1", 1_700_000_000_000_000)
    path = floor.with_name("forged.jsonl")
    path.write_text("".join(f"{to_text(one)}\n" for one in closed), encoding="utf-8")
    assert command("append", path).code == 0
    shown = command("actions", "show", name, "--day", DAY)
    assert (shown.code, "P-1 was not enrolled to prove it so" in shown.out) == (1, True), shown.out
    audit = command("audit", "--day", DAY, "--format", "json").json
    (finding,) = (one for one in audit["findings"] if one["code"] == "decision_not_entitled")
    assert "P-1 was not enrolled to prove it so" in finding["sentence"]


WHO: Final = ("--by", "P-1", "--approved-by", "P-2", "--reason", "typed wrong")


def test_a_correction_needs_the_proof_of_both(
    command: Command, floor: Path, phrase: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("amend", "DC-01", "5", "--withdraw", *WHO)
    other = phrase.with_name("other")
    other.write_text("what another knows")
    monkeypatch.setenv("PITLEDGER_PASS_PHRASE_FILE", str(phrase))
    refused = command(*words)  # the approver's pass phrase is asked for at a terminal
    assert (refused.code, "[person_not_proved]" in refused.err) == (2, True), refused.err
    monkeypatch.setenv("PITLEDGER_APPROVER_PASS_PHRASE_FILE", str(other))
    refused = command(*words)
    assert (refused.code, "not the pass phrase of P-2" in refused.err) == (2, True), refused.err
    monkeypatch.setenv("PITLEDGER_APPROVER_PASS_PHRASE_FILE", str(phrase))
    done = command(*words, "--format", "json")
    assert (done.code, done.json["proved"]) == (0, True), done.err
    amended = last(floor, "FactAmended")
    assert (amended.proof, amended.approval_proof) == (PASSED, PASSED)


@pytest.mark.parametrize("lacking", ["proof", "approval_proof"])
def test_a_correction_that_one_of_both_did_not_prove_changes_nothing(
    command: Command, floor: Path, lacking: str
) -> None:
    amended = told("amendments", (50_000, "FactAmended", {
        "amended_stream": "DC-01", "amended_seq": 5, "replacement": None, "reason": "x",
        "amended_by": "P-1", "approved_by": "P-2", "proof": PASSED, "approval_proof": PASSED,
    }))  # fmt: skip
    path = floor.with_name("forged.jsonl")
    forged = replace(amended[0], **{lacking: None}, recorded_by="P-1")  # type: ignore[arg-type]
    path.write_text(f"{to_text(forged)}\n", encoding="utf-8")
    assert command("append", path).code == 0
    (amendment,) = Replay.open(floor).amendments()
    person = "P-1" if lacking == "proof" else "P-2"
    assert amendment.why == f"{person} was not enrolled to prove it so"
    audit = command("audit", "--day", DAY, "--format", "json").json
    assert "amendment_not_entitled" in {one["code"] for one in audit["findings"]}


def test_a_gap_is_filled_with_the_proof_of_both(
    command: Command, floor: Path, phrase: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (lost,) = (one for one in small_day() if (one.stream, one.seq) == ("SB-01", GONE))
    path = floor.with_name("lost.jsonl")
    path.write_text(f"{to_text(lost)}\n", encoding="utf-8")
    refused = command("append", path, *WHO)
    assert (refused.code, "[person_not_proved]" in refused.err) == (2, True), refused.err
    monkeypatch.setenv("PITLEDGER_PASS_PHRASE_FILE", str(phrase))
    monkeypatch.setenv("PITLEDGER_APPROVER_PASS_PHRASE_FILE", str(phrase))
    assert command("append", path, *WHO).code == 0
    added = last(floor, "FactsAdded")
    assert (added.proof, added.approval_proof) == (PASSED, PASSED)
    audit = command("audit", "--day", DAY, "--format", "json").json
    assert "addition_not_approved" not in {one["code"] for one in audit["findings"]}


def test_an_addition_that_nobody_proved_is_not_approved(command: Command, floor: Path) -> None:
    added = told("cases/additions", (50_000, "FactsAdded", {
        "added_stream": "SB-01", "first_seq": 12, "last_seq": 12, "reason": "x",
        "added_by": "P-1", "approved_by": "P-2", "proof": PASSED,
    }))  # fmt: skip
    path = floor.with_name("forged.jsonl")
    path.write_text(f"{to_text(replace(added[0], recorded_by='P-1'))}\n", encoding="utf-8")
    assert command("append", path).code == 0
    audit = command("audit", "--day", DAY, "--format", "json").json
    (finding,) = (one for one in audit["findings"] if one["code"] == "addition_not_approved")
    assert "P-2 was not enrolled to prove it so" in finding["sentence"]


def test_a_key_signs_what_its_person_did_and_no_other(
    command: Command, tmp_path: Path, phrase: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The approver signs what the author signed: neither signature fits another correction."""
    keys = {name: Ed25519PrivateKey.generate() for name in ("P-1", "P-2")}
    public = [(name, key.public_key().public_bytes_raw()) for name, key in keys.items()]
    floor = ledger_of(tmp_path / "ledger", [*facts(), *people(*public)])
    monkeypatch.setenv("PITLEDGER_LEDGER", str(floor))
    files = {}
    for name, key in keys.items():
        pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        files[name] = tmp_path / f"{name}.pem"
        files[name].write_bytes(pem)
    words = ("amend", "DC-01", "5", "--withdraw", *WHO)
    monkeypatch.setenv("PITLEDGER_PERSON_KEY", str(files["P-2"]))
    monkeypatch.setenv("PITLEDGER_APPROVER_KEY", str(files["P-2"]))
    refused = command(*words)
    assert (refused.code, "not by the key of P-1" in refused.err) == (2, True), refused.err
    monkeypatch.setenv("PITLEDGER_PERSON_KEY", str(files["P-1"]))
    assert command(*words).code == 0
    amended = last(floor, "FactAmended")
    roster = Replay.open(floor).roster()
    assert roster.unproved(amended, "P-1", amended.proof) is None
    assert roster.unproved(amended, "P-2", amended.approval_proof, "approval_proof") is None
    for changed in (replace(amended, reason="y"), replace(amended, seq=7)):
        assert roster.unproved(changed, "P-1", changed.proof) is not None
        assert roster.unproved(changed, "P-2", changed.approval_proof, "approval_proof") is not None
    other = replace(amended, proof=PASSED)  # the author's proof is part of what is approved
    assert roster.unproved(other, "P-2", other.approval_proof, "approval_proof") is not None


def test_a_ledger_without_enrolled_persons_says_so(command: Command, tmp_path: Path) -> None:
    floor = ledger_of(tmp_path / "ledger", [*facts(), *people()])
    name = json.loads(
        command("actions", "list", "--ledger", floor, "--format", "json").out
    )[0]["id"]  # fmt: skip
    done = command("actions", "note", name, "seen", "--by", "P-1", "--ledger", floor)
    assert (done.code, "NOT PROVED: nobody is enrolled" in done.out) == (0, True), done.err
    done = command("amend", "DC-01", "5", "--withdraw", *WHO, "--ledger", floor)
    assert (done.code, "NOT PROVED: nobody is enrolled" in done.out) == (0, True), done.err
    assert last(floor, "FactAmended").proof is None
    assert Replay.open(floor).amended("DC-01", 5) is not None


def test_what_was_done_before_anybody_was_enrolled_still_counts(
    command: Command, tmp_path: Path, phrase: Path
) -> None:
    amended = told("amendments", (40_500, "FactAmended", {
        "amended_stream": "DC-01", "amended_seq": 5, "replacement": None, "reason": "x",
        "amended_by": "P-1", "approved_by": "P-2",
    }))  # fmt: skip
    own = [replace(one, recorded_by="P-1") for one in amended]
    floor = ledger_of(tmp_path / "ledger", [*facts(), *people(("P-1", None)), *own])
    assert Replay.open(floor).amended("DC-01", 5) is not None
    later = ledger_of(
        tmp_path / "later",
        [
            *facts(),
            *people(("P-1", None)),
            *(replace(one, event_time=one.event_time + 10**9) for one in own),
        ],
    )
    assert Replay.open(later).amended("DC-01", 5) is None
