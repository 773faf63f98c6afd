"""The log of a shift: who may write it, to whom it is handed, and what of the record counts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import events
from ledger.casework.cases.shift_log import LONGEST_ENTRY, ShiftEvent, ShiftLog, evolve, refusal
from ledger.replay import person_key, signed_bytes
from tests.casework.cases.scene import AT, PASSED, PEOPLE, roster
from tests.strategies import facts

KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))
PERSONS = [row[0] for row in PEOPLE] + ["V-1B", "R-1", "E-1"]
HEAD: dict[str, Any] = {"stream": "cases/shifts", "seq": 1, "event_time": AT, "source": "pitledger"}
MAY = {"S-1", "V-1", "V-2", "V-3"}


def enrollment(person: str, how: str = "PASS_PHRASE") -> events.PersonEnrolled:
    kind = events.ProofKind(how)
    key = KEY.public_key().public_bytes_raw() if kind is events.ProofKind.KEY else None
    return events.PersonEnrolled(
        **HEAD, recorded_by="I-1", person=person, how=kind, public_key=key, enrolled_by="I-1",
        proof=None,
    )  # fmt: skip


ENROLLED = {person_key(person): enrollment(person) for person in PERSONS}


def entry(by: str, text: str = "camera cleaned", **other: Any) -> events.ShiftLogged:
    head = {**HEAD, "recorded_by": by, **other}
    return events.ShiftLogged(**{"proof": PASSED, **head}, entry=text, logged_by=by)


def handover(by: str, to: str, note: str = "quiet", **other: Any) -> events.ShiftHandedOver:
    head = {**HEAD, "recorded_by": by, **other}
    return events.ShiftHandedOver(
        **{"proof": PASSED, **head}, note=note, handed_to=to, handed_by=by
    )


def why(fact: ShiftEvent, log: ShiftLog | None = None, enrolled: Any = ENROLLED) -> str | None:
    return refusal(ShiftLog() if log is None else log, fact, roster(), enrolled)


@pytest.mark.row_by_row
@pytest.mark.parametrize("person", PERSONS)
def test_surveillance_and_supervisors_write_it(person: str) -> None:
    assert (why(entry(person)) is None) is (person in MAY | {"V-1B"})
    assert (why(handover("S-1", person)) is None) is (person in MAY - {"S-1"} | {"V-1B"})


def test_whoever_has_it_hands_it_over_or_a_supervisor() -> None:
    taken = evolve(ShiftLog(), handover("V-1", "S-1"), None)
    assert taken.in_hand == "S-1"
    assert why(handover("S-1", "V-2"), taken) is None
    assert why(handover("V-2", "V-3"), taken) is None, "for who is gone"
    assert "already" in (why(handover("V-2", "S-1"), taken) or "")
    of_another = evolve(ShiftLog(), handover("V-1", "V-2"), None)
    assert "in the hands of V-2" in (why(handover("S-1", "V-3"), of_another) or "")


@pytest.mark.parametrize("to", ["V-1", "v1", "V-1B", "\uff36-1"])
def test_nobody_hands_over_to_himself(to: str) -> None:
    assert "one person" in (why(handover("V-1", to)) or "")


@pytest.mark.parametrize(
    ("text", "counts"),
    [("x", True), ("x" * LONGEST_ENTRY, True), ("x" * (LONGEST_ENTRY + 1), False), ("", False), (" ", False)],
)  # fmt: skip
def test_an_entry_says_something_and_not_too_much(text: str, counts: bool) -> None:
    assert (why(entry("S-1", text)) is None) is counts
    assert (why(handover("S-1", "V-1", text)) is None) is counts


def test_what_was_recorded_in_anothers_name_does_not_count() -> None:
    assert why(entry("S-1", recorded_by="s1")) is None
    assert "in the name of" in (why(entry("S-1", recorded_by="V-1")) or "")
    assert "a machine" in (why(entry("S-1", recorded_by=None)) or "")


def test_only_the_proof_a_person_was_enrolled_with_counts() -> None:
    by_key = {**ENROLLED, person_key("S-1"): enrollment("S-1", "KEY")}
    assert "not enrolled" in (why(entry("S-1"), enrolled={}) or "")
    assert "not enrolled" in (why(entry("S-1"), enrolled=by_key) or ""), "a phrase for a key"
    plain = entry("S-1")
    proof = events.ActProof(how=events.ProofKind.KEY, signature=KEY.sign(signed_bytes(plain)))
    signed = replace(plain, proof=proof)
    assert why(signed, enrolled=by_key) is None
    assert "not enrolled" in (why(signed) or ""), "a key for a phrase"
    for changed in (replace(signed, entry="other"), replace(signed, seq=2)):
        assert "not by the key" in (why(changed, enrolled=by_key) or "")
    unsigned = replace(plain, proof=replace(proof, signature=None))
    assert "not by the key" in (why(unsigned, enrolled=by_key) or "")


@st.composite
def some(draw: st.DrawFn) -> ShiftEvent:
    person = st.sampled_from(PERSONS)
    return draw(
        st.one_of(
            st.builds(entry, person),
            st.builds(handover, person, person),
            facts("ShiftLogged", "ShiftHandedOver"),  # type: ignore[arg-type]
        )
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(some(), max_size=12))
def test_any_sequence_gives_a_state(sent: list[ShiftEvent]) -> None:
    log = ShiftLog()
    for fact in sent:
        log = evolve(log, fact, why(fact, log))
    assert len(log.entries) + len(log.idle) == len(sent)
    assert log.in_hand is None or log.in_hand in MAY | {"V-1B"}
