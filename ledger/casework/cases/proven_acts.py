"""Whether it is proved who acted: by what the person was enrolled with at that time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from ledger import events
from ledger.casework.cases.terms import CaseRole, roles_of
from ledger.casework.person_proofs import is_signed
from ledger.codec import frame
from ledger.kernel import ERASED
from ledger.replay import FactStep, Holding, Replay, Roster, person_key

ENROLLED: Final = "PersonEnrolled"
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
        if CaseRole.ADMINISTRATOR not in roles_of(self.roster, by, at):
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
