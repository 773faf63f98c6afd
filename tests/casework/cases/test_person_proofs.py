"""A person proves who acts: wrong, weak, hurried, altered, borrowed from another ledger."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ledger.casework import person_proofs
from ledger.casework.person_proofs import (
    LONGEST,
    SHORTEST,
    TRIES,
    WAIT_SECONDS,
    NotProved,
    PassPhraseWeak,
    PersonProofs,
    ProofsUnwritable,
    TooManyTries,
    check_strength,
    persons_folder,
)
from ledger.log import key_beside, new_ledger
from tests.games.facts import NOON, SECOND
from tests.log.facts import TIME

PHRASE = "copper lantern orbit salad"
OTHER = "velvet mountain pencil tide"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deriving takes a tenth of a second as it is used; these tests ask for other things."""
    monkeypatch.setattr(person_proofs, "MEMORY_KIB", 64)
    monkeypatch.setattr(person_proofs, "ITERATIONS", 1)


def ledger_at(folder: Path) -> PersonProofs:
    new_ledger.init(
        folder,
        origin=f"{folder.name}.example/test",
        property="Example",
        record_time=TIME,
        key=key_beside(folder),
    )
    return PersonProofs(folder)


@pytest.fixture
def proofs(tmp_path: Path) -> PersonProofs:
    return ledger_at(tmp_path / "ledger")


def verifier(proofs: PersonProofs) -> Path:
    (path,) = (one for one in persons_folder(proofs.folder).iterdir() if not one.suffix)
    return path


def test_the_pass_phrase_proves_and_any_other_does_not(proofs: PersonProofs) -> None:
    proofs.keep("S-1", PHRASE)
    proofs.prove("S-1", PHRASE, NOON)
    proofs.prove("s-1", PHRASE, NOON)
    for wrong in (OTHER, "", PHRASE + " ", PHRASE.upper(), PHRASE[:-1]):
        with pytest.raises(NotProved):
            proofs.prove("S-1", wrong, NOON)
        proofs.prove("S-1", PHRASE, NOON)


def test_the_last_pass_phrase_counts(proofs: PersonProofs) -> None:
    proofs.keep("S-1", PHRASE)
    proofs.keep("S-1", OTHER)
    proofs.prove("S-1", OTHER, NOON)
    with pytest.raises(NotProved):
        proofs.prove("S-1", PHRASE, NOON)


def test_nothing_of_the_pass_phrase_is_kept(proofs: PersonProofs) -> None:
    proofs.keep("S-1", PHRASE)
    first = verifier(proofs).read_bytes()
    assert PHRASE.encode() not in first
    assert verifier(proofs).stat().st_mode & 0o077 == 0
    assert not list(proofs.folder.rglob("*persons*"))
    proofs.keep("S-1", PHRASE)
    assert verifier(proofs).read_bytes() != first, "a salt of its own each time"


def test_another_persons_pass_phrase_does_not_prove(proofs: PersonProofs) -> None:
    proofs.keep("S-1", PHRASE)
    with pytest.raises(NotProved, match="No pass phrase of V-1"):
        proofs.prove("V-1", PHRASE, NOON)
    proofs.keep("V-1", OTHER)
    files = sorted(one for one in persons_folder(proofs.folder).iterdir() if not one.suffix)
    first, second = (one.read_bytes() for one in files)
    files[0].write_bytes(second)
    files[1].write_bytes(first)
    for person in ("S-1", "V-1"):
        for phrase in (PHRASE, OTHER):
            with pytest.raises(NotProved):
                proofs.prove(person, phrase, NOON)


def test_an_altered_or_cut_verifier_is_not_believed(proofs: PersonProofs) -> None:
    proofs.keep("S-1", PHRASE)
    path = verifier(proofs)
    stored = path.read_bytes()
    for at in range(0, len(stored), 7):
        path.write_bytes(stored[:at] + bytes([stored[at] ^ 1]) + stored[at + 1 :])
        with pytest.raises(NotProved):
            proofs.prove("S-1", PHRASE, NOON)
    for cut in (0, 1, len(stored) // 2, len(stored) - 1):
        path.write_bytes(stored[:cut])
        with pytest.raises(NotProved):
            proofs.prove("S-1", PHRASE, NOON)
    path.write_bytes(stored)
    proofs.prove("S-1", PHRASE, NOON)


def test_a_verifier_of_another_ledger_is_not_believed(proofs: PersonProofs, tmp_path: Path) -> None:
    other = ledger_at(tmp_path / "other")
    other.keep("S-1", OTHER)
    proofs.keep("S-1", PHRASE)
    shutil.copy(verifier(other), verifier(proofs))
    for phrase in (PHRASE, OTHER):
        with pytest.raises(NotProved):
            proofs.prove("S-1", phrase, NOON)


def test_without_the_ledgers_key_nothing_is_kept(proofs: PersonProofs) -> None:
    key_beside(proofs.folder).unlink()
    with pytest.raises(ProofsUnwritable):
        proofs.keep("S-1", PHRASE)
    assert not persons_folder(proofs.folder).exists()


def test_after_too_many_wrong_ones_even_the_right_one_waits(proofs: PersonProofs) -> None:
    proofs.keep("S-1", PHRASE)
    proofs.keep("V-1", OTHER)
    for _ in range(TRIES):
        with pytest.raises(NotProved):
            proofs.prove("S-1", OTHER, NOON)
    with pytest.raises(TooManyTries):
        proofs.prove("S-1", PHRASE, NOON + (WAIT_SECONDS - 1) * SECOND)
    proofs.prove("V-1", OTHER, NOON)
    proofs.prove("S-1", PHRASE, NOON + WAIT_SECONDS * SECOND)
    with pytest.raises(NotProved):
        proofs.prove("S-1", OTHER, NOON + WAIT_SECONDS * SECOND)
    proofs.prove("S-1", PHRASE, NOON + WAIT_SECONDS * SECOND)


def test_whoever_goes_on_guessing_goes_on_waiting(proofs: PersonProofs) -> None:
    proofs.keep("S-1", PHRASE)
    at = NOON
    for _ in range(TRIES):
        with pytest.raises(NotProved):
            proofs.prove("S-1", OTHER, at)
    for _ in range(3):
        at += WAIT_SECONDS * SECOND
        with pytest.raises(NotProved):
            proofs.prove("S-1", OTHER, at)
        with pytest.raises(TooManyTries):
            proofs.prove("S-1", OTHER, at + SECOND)


COMMON = (
    "qwertyuiop12", "Summer2024Summer", "1q2w3e4r5t6y", "p@ssw0rd1234", "iloveyou1234",
    "changeme please", "Casino123456", "Pitledger1234", "table games 12", "pennsylvania1",
    "To be, or not to be", "The house always wins!", "eye in the sky 2026",
)  # fmt: skip
"""Pass phrases of which each is long enough, and among the first to be tried."""


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("phrase", "is_taken"),
    [
        ("x" * SHORTEST, False),
        ("a1b2c3d4e5f", False),
        ("a1b2c3d4e5f6", False),
        ("abcdefghij" * (LONGEST // 10), False),
        ((PHRASE * 40)[:LONGEST], True),
        ((PHRASE * 40)[: LONGEST + 1], False),
        ("password1234", False),
        ("PassWord1234", False),
        ("ababababababab", False),
        ("my name is S-1 indeed", False),
        ("", False),
        ("            ", False),
        *((phrase, False) for phrase in COMMON),
        (PHRASE, True),
        ("骰子骰子骰子骰子骰子骰子", False),
    ],
)
def test_what_can_be_guessed_is_refused(phrase: str, is_taken: bool) -> None:
    if is_taken:
        check_strength(phrase, "S-1")
    else:
        with pytest.raises(PassPhraseWeak):
            check_strength(phrase, "S-1")


def test_a_weak_pass_phrase_leaves_the_earlier_one(proofs: PersonProofs) -> None:
    proofs.keep("S-1", PHRASE)
    with pytest.raises(PassPhraseWeak):
        proofs.keep("S-1", "password1234")
    proofs.prove("S-1", PHRASE, NOON)


def test_people_who_prove_themselves_at_the_same_moment_all_do(proofs: PersonProofs) -> None:
    proofs.keep("S-1", PHRASE)
    with ThreadPoolExecutor(8) as pool:
        for _ in pool.map(lambda _: proofs.prove("S-1", PHRASE, NOON), range(24)):
            pass
