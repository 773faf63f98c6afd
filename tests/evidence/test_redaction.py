"""What a twin puts in place of a reference, and what it leaves as it is."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import pytest

from ledger.codec import PersonalKind
from ledger.events import ActProof, CaseLetterSigned, ProofKind
from ledger.evidence.redaction import KINDS, Redaction
from ledger.kernel import WITHHELD, legible

HIDDEN = ((PersonalKind.STAFF, "G-2"), (PersonalKind.STAFF, "12"), (PersonalKind.PATRON, "P-9"))


@dataclass(frozen=True)
class Ruling:
    sentence: str
    section: str


@pytest.fixture
def redaction() -> Redaction:
    return Redaction(frozenset(KINDS.values()), HIDDEN)


@pytest.mark.parametrize("section", ["637a.7(g)(2)", "637a.7(g) (2)", "617a.2 12", "PG-21", "G-20"])
def test_a_citation_is_never_taken_for_a_credential(redaction: Redaction, section: str) -> None:
    assert redaction.masked(section) == section
    assert redaction.masked(Ruling("", section)).section == section


@pytest.mark.parametrize("spelled", ["G-2", "g 2", "G_2", "g.2", "G\u20132", "G\u2010 2", "(G-2)"])
def test_a_credential_is_hidden_however_it_is_spelled(redaction: Redaction, spelled: str) -> None:
    assert redaction.masked(f"dealt by {spelled},") == f"dealt by {_in_place(spelled)},"


def _in_place(spelled: str) -> str:
    return "(Staff A)" if spelled.startswith("(") else "Staff A"


def test_a_number_is_hidden_in_a_sentence_only(redaction: Redaction) -> None:
    ruling = redaction.masked(Ruling("12 dealt, and 120 were paid", "12"))
    assert ruling == Ruling("Staff B dealt, and 120 were paid", "12")


def test_bytes_that_name_a_person_are_hidden_and_are_not_printed_as_figures(
    redaction: Redaction,
) -> None:
    proof = ActProof(how=ProofKind.PASS_PHRASE, signature=b"\x07" * 64)
    signed = CaseLetterSigned(
        **dict.fromkeys((field.name for field in fields(CaseLetterSigned)), None)
    )
    signed = replace(signed, letter_sha256=b"\xff" * 32, root=b"\x01" * 32, proof=proof)
    masked = redaction.masked(signed)
    assert legible(masked.letter_sha256) == legible(masked.proof.signature) == WITHHELD
    assert legible(masked.root) == "01" * 32
    assert "ff" not in redaction.masked(legible(masked.letter_sha256))
