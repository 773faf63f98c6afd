"""Whether it is proved who acted: by what the person was enrolled with at that time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from ledger import events
from ledger.codec import frame
from ledger.kernel import ERASED
from ledger.replay import FactStep, Holding, Replay, Roster, person_key

ENROLLED: Final = "PersonEnrolled"
ADMINISTRATION: Final = frozenset({"administration", "information technology"})
"""Departments whose people enroll others, in small letters as the roster compares them."""
ACT: Final = b"pitledger act v1\n"
"""Stands before the framed event that a person signs; the event has no signature then."""
Enrolled = Mapping[str, events.PersonEnrolled]


@dataclass(slots=True)
class Enrollments:
    """Who can prove who acts, as far as the record was followed.

    An enrollment counts where an administrator recorded it who proved it; the first one where the
    person is an administrator.

    Attributes:
        roster: who holds which credential.
        persons: by ``person_key``, how each can prove it now.
    """

    roster: Roster
    persons: dict[str, events.PersonEnrolled] = field(default_factory=dict)

    @classmethod
    def read(cls, replay: Replay) -> Enrollments:
        """Follow the whole record."""
        enrollments = cls(replay.roster())
        for step in replay.walk(replay.streams_with((ENROLLED,)), only=(ENROLLED,)):
            if isinstance(step, FactStep) and isinstance(step.fact, events.PersonEnrolled):
                enrollments.take(step.fact)
        return enrollments

    def take(self, fact: events.PersonEnrolled) -> None:
        """Follow one enrollment; what does not count changes nothing."""
        if self.refusal(fact) is None:
            self.persons[person_key(fact.person)] = fact

    def refusal(self, fact: events.PersonEnrolled) -> str | None:
        """Return why an enrollment does not count; None where it does."""
        by, at = fact.enrolled_by, fact.event_time
        if fact.recorded_by is None or not self.roster.are_one(fact.recorded_by, by):
            return f"{fact.recorded_by or 'a machine'} recorded it in the name of {by}"
        for person in (fact.person, by):
            if self.roster.holding(person, at) is not Holding.HELD:
                return f"No valid credential for {person} on this date"
        if ADMINISTRATION.isdisjoint(self.roster.departments(by, at)):
            return f"{by} is nobody of administration"
        if (fact.how is events.ProofKind.KEY) is (fact.public_key is None):
            return "a key is enrolled with its public half, a pass phrase without"
        if not self.persons:
            return None if self.roster.are_one(fact.person, by) else "nobody enrolled before"
        return unproved(fact, by, fact.proof, self.persons)


def unproved(
    fact: events.Fact, person: str, proof: events.ActProof | None, enrolled: Enrolled
) -> str | None:
    """Return why it is not proved who acted; None where it is.

    The signature of an act of which a text was erased can no longer be checked. The act stands as
    it was taken: to forget a patron must not undo what was decided of the case.

    Args:
        fact: the act.
        person: the credential of who acted.
        proof: how the act says that it was proved.
        enrolled: by ``person_key``, how each person could prove it then.
    """
    known = enrolled.get(person_key(person))
    if known is None or proof is None or known.how is not proof.how:
        return f"{person} was not enrolled to prove it so"
    if proof.how is events.ProofKind.KEY:
        key, signature = known.public_key, proof.signature
        if signature is not None and ERASED.encode() in frame(fact):
            return None  # it was checked when it was taken; what it signed is gone
        if key is None or signature is None or not is_signed(fact, signature, key):
            return f"its signature is not by the key of {person}"
    return None


def signed_bytes(fact: events.Fact) -> bytes:
    """Return what a person signs of an act: the framed event without a signature."""
    unsigned = events.ActProof(how=events.ProofKind.KEY, signature=None)
    return ACT + frame(replace(fact, proof=unsigned))


def is_signed(fact: events.Fact, signature: bytes, public_key: bytes) -> bool:
    """Whether a signature of an act is by a key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, signed_bytes(fact))
    except (InvalidSignature, ValueError):
        return False
    return True
