"""Notes and keys against the specification's own examples, and every way to spoil them."""

from __future__ import annotations

import pytest

from ledger.log.checkpoint import Checkpoint, open_checkpoint
from ledger.log.note import (
    NoteBroken,
    Signer,
    is_key_name,
    open_note,
    parse_signer,
    parse_verifier,
    strict_base64,
)
from tests.log.facts import SIGNER

# c2sp.org/signed-note, "Verifier keys", "Example"
EXAMPLE_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
EXAMPLE_NOTE = (
    "This is an example message.\n\n"
    "— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3"
    "mFXmRKuwHjG1Yu72IneyaQM=\n"
).encode()
# golang.org/x/mod/sumdb/note, note_test.go
GO_VERIFIER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_SIGNER = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"


def test_the_example_of_the_specification() -> None:
    verifier = parse_verifier(EXAMPLE_KEY)
    assert str(verifier) == EXAMPLE_KEY
    assert open_note(EXAMPLE_NOTE, verifier) == "This is an example message.\n"


def test_keys_of_the_go_implementation() -> None:
    signer = parse_signer(GO_SIGNER)
    assert str(signer.verifier) == GO_VERIFIER
    assert signer.secret_text() == GO_SIGNER
    assert open_note(signer.sign("text\n"), signer.verifier) == "text\n"


@pytest.mark.parametrize("good", [GO_VERIFIER, EXAMPLE_KEY])
def test_no_flipped_bit_leaves_a_verifier(good: str) -> None:
    raw = good.encode()
    for at in range(len(raw)):
        for bit in range(8):
            spoilt = bytearray(raw)
            spoilt[at] ^= 1 << bit
            with pytest.raises((NoteBroken, UnicodeDecodeError)):
                parse_verifier(spoilt.decode())


def test_no_part_of_a_key_is_a_key() -> None:
    for text, parse in ((GO_VERIFIER, parse_verifier), (GO_SIGNER, parse_signer)):
        for cut in range(1, len(text)):
            for part in (text[:cut], text[cut:]):
                with pytest.raises(NoteBroken):
                    parse(part)
        with pytest.raises(NoteBroken):
            parse(text + "\n")


def test_no_flipped_bit_leaves_a_note() -> None:
    verifier = parse_verifier(EXAMPLE_KEY)
    for at in range(len(EXAMPLE_NOTE)):
        for bit in range(8):
            spoilt = bytearray(EXAMPLE_NOTE)
            spoilt[at] ^= 1 << bit
            with pytest.raises(NoteBroken):
                open_note(bytes(spoilt), verifier)


def test_signatures_of_other_keys_are_passed_over() -> None:
    other = Signer("witness.example", bytes(32))
    text = "text\n"
    lines = [SIGNER.sign(text), *(other.sign(text).split(b"\n\n")[1] for _ in range(16))]
    assert open_note(b"".join(lines), SIGNER.verifier) == text
    with pytest.raises(NoteBroken):
        open_note(other.sign(text), SIGNER.verifier)


def test_the_right_name_with_another_key_is_not_the_key() -> None:
    thief = Signer(SIGNER.name, bytes(32))
    with pytest.raises(NoteBroken):
        open_note(thief.sign("text\n"), SIGNER.verifier)


@pytest.mark.parametrize("text", ["AA==", "AAA=", "AAAA", ""])
def test_base64(text: str) -> None:
    assert isinstance(strict_base64(text), bytes)


@pytest.mark.row_by_row
@pytest.mark.parametrize("text", ["AB==", "AAB=", "AA=", "A A=", "AAAA\n", "AA-_", "é", "=AAA"])
def test_base64_in_another_form(text: str) -> None:
    with pytest.raises(NoteBroken):
        strict_base64(text)


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\nb", "a\u00a0b", "x" * 201])
def test_names_that_no_key_has(name: str) -> None:
    assert not is_key_name(name)


@pytest.mark.parametrize(
    "text",
    [
        "{name}\n01\n{root}\n",
        "{name}\n-1\n{root}\n",
        "{name}\n1\n{root}\nextension\n",
        "{name}\n1\nAAAA\n",
        "other\n1\n{root}\n",
        "{name}\n1\n",
        "{name}\n\n{root}\n",
    ],
)
def test_signed_texts_that_are_no_checkpoint(text: str) -> None:
    root = "A" * 43 + "="
    note = SIGNER.sign(text.format(name=SIGNER.name, root=root))
    with pytest.raises(NoteBroken):
        open_checkpoint(note, SIGNER.verifier)


def test_a_checkpoint_there_and_back() -> None:
    checkpoint = Checkpoint(SIGNER.name, 70_000, bytes(range(32)))
    assert open_checkpoint(checkpoint.signed(SIGNER), SIGNER.verifier) == checkpoint
