"""Who forgets, holds, releases or describes the property has the right to, and proves who acts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from ledger.casework.person_proofs import PersonProofs
from ledger.codec import to_text
from ledger.events import Fact
from ledger.replay import Replay
from tests.analytics.given import ledger as ledger_of
from tests.cli.conftest import Command
from tests.cli.given import day as small_day
from tests.cli.given import told
from tests.cli.test_observing import proved
from tests.cli.test_proven_acts import PASSED, ROW

PHRASE: Final = "what a person knows"
KEYS: Final = {
    name: Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)
    for number, name in enumerate(("IT-2", "CO-2", "earlier"), 1)
}
CREDENTIALS: Final = {
    "IT-1": "information technology",
    "IT-2": "information technology",
    "CO-1": "compliance",
    "CO-2": "compliance",
    "CO-3": "compliance",
    "P-1": "table games",
}
"""Supervisors, each. CO-3 is not enrolled; IT-2 and CO-2 prove by a key, IT-2 once by another."""

# fmt: off
ACTS: Final = (
    #  who does it by pass phrase, by key; the words of the act
    ("CO-1", "CO-2", ("person", "hold", "P-9", "--reason", "docket 1")),
    ("CO-1", "CO-2", ("person", "release", "P-9", "--reason", "docket 1")),
    ("IT-1", "IT-2", ("person", "forget", "P-9")),
    ("IT-1", "IT-2", ("person", "forget", "P-9", "--dry-run")),
    ("CO-1", "CO-2", ("coupons", "hold", "f" * 32, "--reason", "docket 1")),
    ("CO-1", "CO-2", ("coupons", "release", "f" * 32, "--reason", "docket 1")),
    ("IT-1", "IT-2", ("coupons", "forget", "f" * 32)),
    ("IT-1", "IT-2", ("coupons", "forget", "f" * 32, "--dry-run")),
    ("CO-1", "CO-2", ("property", "describe", "--name", "Here", "--time-zone", "America/New_York")),
)
# fmt: on
each_act = pytest.mark.parametrize(
    ("by_phrase", "by_key", "words"), ACTS, ids=[" ".join(row[2][:2]) for row in ACTS]
)


def people() -> list[Fact]:
    """A roster, and who proves by what."""
    credentials = [
        (-3500, "PersonCredentialled", {
            "person": name, "department": department, "role": None, "revoked": False,
        })
        for name, department in CREDENTIALS.items()
    ]  # fmt: skip
    ranks = [(-3400, "CredentialDescribed", {"person": name, "rank": "SUPERVISOR"})
             for name in CREDENTIALS]  # fmt: skip
    same = [(-3300, "CredentialDescribed", {"person": "P-1", "same_person_as": "IT-1"})]
    enrolled = [
        ("IT-1", None), ("CO-1", None), ("IT-2", "earlier"), ("IT-2", "IT-2"), ("CO-2", "CO-2"),
    ]  # fmt: skip
    rows: list[tuple[int, str, dict[str, Any]]] = [
        (41_000 + number, "PersonEnrolled", {
            "person": person, "how": "PASS_PHRASE" if key is None else "KEY",
            "public_key": None if key is None else KEYS[key].public_key().public_bytes_raw(),
            "enrolled_by": "IT-1", "proof": PASSED if number else None,
        })
        for number, (person, key) in enumerate(enrolled)
    ]  # fmt: skip
    of_persons = [
        replace(fact, seq=number, **ROW)  # type: ignore[arg-type]
        for number, fact in enumerate(told("persons", *rows), 1)
    ]
    return [*told("people", *credentials, *ranks, *same), *of_persons]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger that no command of these tests changes: each stops at what is wrong with the act."""
    return ledger_of(tmp_path_factory.mktemp("unrecorded") / "ledger", [*small_day(), *people()])


@pytest.fixture
def floor(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PITLEDGER_LEDGER", str(shared))
    monkeypatch.setattr(PersonProofs, "prove", proved)
    return shared


@pytest.fixture
def phrase(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "phrase"
    path.write_text(f"{PHRASE}\n", encoding="utf-8")
    monkeypatch.setenv("PITLEDGER_PASS_PHRASE_FILE", str(path))
    return path


def key_file(folder: Path, key: PrivateKeyTypes) -> str:
    """A person's private key, in a file."""
    path = folder / "person.pem"
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return str(path)


@each_act
def test_a_pass_phrase_is_asked_for(
    command: Command, floor: Path, phrase: Path, monkeypatch: pytest.MonkeyPatch,
    by_phrase: str, by_key: str, words: tuple[str, ...],
) -> None:  # fmt: skip
    size, act = Replay.open(floor).size, (*words, "--by", by_phrase)
    phrase.write_text("what another person knows", encoding="utf-8")
    refused = command(*act)
    assert (refused.code, f"not the pass phrase of {by_phrase}" in refused.err) == (2, True)
    phrase.write_text(PHRASE, encoding="utf-8")
    done = command(*act)  # proved, it goes on to what is wrong with the act itself
    assert done.code == 2
    assert not {"person_not_proved", "not_entitled"} & set(done.err.replace("]", "[").split("["))
    refused = command(*words, "--by", by_key)
    assert f"{by_key} proves by a key, and by no pass phrase" in refused.err
    monkeypatch.delenv("PITLEDGER_PASS_PHRASE_FILE")
    assert "[person_not_proved]" in command(*act).err  # asked for at a terminal
    assert Replay.open(floor).size == size


@each_act
def test_a_key_is_held_against_the_one_that_its_person_was_enrolled_with_last(
    command: Command, floor: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    by_phrase: str, by_key: str, words: tuple[str, ...],
) -> None:  # fmt: skip
    act = (*words, "--by", by_key)
    monkeypatch.setenv("PITLEDGER_PERSON_KEY", key_file(tmp_path, KEYS[by_key]))
    done = command(*act)
    assert done.code == 2
    assert not {"person_not_proved", "not_entitled"} & set(done.err.replace("]", "[").split("["))
    refused = command(*words, "--by", by_phrase)  # who proves by a pass phrase has no key
    assert (refused.code, f"not the key of {by_phrase}" in refused.err) == (2, True)
    for other in sorted(KEYS.keys() - {by_key}):
        key_file(tmp_path, KEYS[other])
        refused = command(*act)
        assert (refused.code, f"not the key of {by_key}" in refused.err) == (2, True), other


@pytest.mark.parametrize("kind", ["missing", "no key", "another kind"])
def test_a_key_that_is_none_proves_nothing(
    command: Command, floor: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    path = key_file(tmp_path, ec.generate_private_key(ec.SECP256R1()))
    if kind == "missing":
        path = str(tmp_path / "nowhere.pem")
    elif kind == "no key":
        Path(path).write_bytes(b"-----BEGIN PRIVATE KEY-----\nAAAA\n")
    monkeypatch.setenv("PITLEDGER_PERSON_KEY", path)
    refused = command("person", "forget", "P-9", "--by", "IT-2")
    problem = "is no Ed25519 key" if kind == "another kind" else "cannot be read"
    assert (refused.code, f"key {problem}" in refused.err) == (2, True), refused.err


@each_act
def test_who_has_not_the_right_is_refused_though_it_is_proved(
    command: Command, floor: Path, phrase: Path, by_phrase: str, by_key: str,
    words: tuple[str, ...],
) -> None:  # fmt: skip
    other = "CO-1" if by_phrase == "IT-1" else "P-1"
    refused = command(*words, "--by", other)
    assert (refused.code, "[not_entitled]" in refused.err) == (2, True), refused.err
    refused = command(*words, "--by", "X-9")
    assert (refused.code, "[credential_not_held]" in refused.err) == (2, True), refused.err


def test_a_right_alone_proves_nothing(command: Command, floor: Path, phrase: Path) -> None:
    """CO-3 is a supervisor of compliance whom nobody enrolled."""
    refused = command("person", "release", "P-9", "--reason", "x", "--by", "CO-3")
    assert (refused.code, "CO-3 cannot prove yet who acts" in refused.err) == (2, True)


@pytest.mark.parametrize(
    "words",
    [words for _, _, words in ACTS if words[1] == "forget"],
    ids=lambda words: " ".join(words),
)
def test_who_does_it_is_said_though_the_option_may_be_left_out(
    command: Command, floor: Path, phrase: Path, words: tuple[str, ...]
) -> None:
    refused = command(*words)
    assert (refused.code, "Nobody says who does this" in refused.err) == (2, True)


@pytest.mark.parametrize("name", ["IT-1", "it1", "\uff29T-1", "P-1"])
def test_nobody_erases_themselves_by_whatever_credential(
    command: Command, floor: Path, phrase: Path, name: str
) -> None:
    refused = command("person", "forget", name, "--by", "IT-1")
    assert (refused.code, "nobody decides about themselves" in refused.err) == (2, True)


def test_nobody_releases_themselves(command: Command, floor: Path, phrase: Path) -> None:
    refused = command("person", "release", "co1", "--reason", "x", "--by", "CO-1")
    assert (refused.code, "nobody decides about themselves" in refused.err) == (2, True)


def test_a_patron_is_held_released_and_forgotten_by_key(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, facts = tmp_path / "ledger", tmp_path / "facts.jsonl"
    monkeypatch.setenv("PITLEDGER_LEDGER", str(folder))
    assert command("init", "--origin", "test.example/floor", "--sealed").code == 0
    lines = (f"{to_text(fact)}\n" for fact in [*small_day(), *people()])
    facts.write_text("".join(lines), encoding="utf-8")
    assert command("append", facts).code == 0
    hold = ("P7", "--reason", "docket 1", "--by", "CO-2", "--format", "json")
    forget = ("person", "forget", "P7", "--by", "IT-2")

    monkeypatch.setenv("PITLEDGER_PERSON_KEY", key_file(tmp_path, KEYS["CO-2"]))
    proved = {"held": True, "person_checked": True, "proved": True}
    assert command("person", "hold", *hold).json == proved
    assert "not the key of IT-2" in command(*forget).err

    monkeypatch.setenv("PITLEDGER_PERSON_KEY", key_file(tmp_path, KEYS["IT-2"]))
    assert command(*forget, "--dry-run").code == 1
    assert "[person_held]" in command(*forget).err

    monkeypatch.setenv("PITLEDGER_PERSON_KEY", key_file(tmp_path, KEYS["CO-2"]))
    assert command("person", "release", *hold).json["released"] is True

    monkeypatch.setenv("PITLEDGER_PERSON_KEY", key_file(tmp_path, KEYS["IT-2"]))
    assert command(*forget).code == 0
    assert "P7" not in command("cat").out
