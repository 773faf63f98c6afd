"""Whether it is proved who acted: by what the person was enrolled with at that time.

An act of two persons (a correction, an addition) holds a proof of each. Its author signs it before
anybody approved it; who approves it signs what the author signed, with the author's proof in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from ledger import events
from ledger.codec import frame
from ledger.kernel import ERASED
from ledger.replay.persons import person_key

ACT: Final = b"pitledger act v1\n"
"""Stands before the framed event that a person signs; the event has no signature then."""
APPROVAL: Final = "approval_proof"
"""The field with the proof of who approved, in events of two persons."""
Enrolled = Mapping[str, events.PersonEnrolled]


def unproved(
    fact: events.Fact,
    person: str,
    proof: events.ActProof | None,
    enrolled: Enrolled,
    field: str = "proof",
) -> str | None:
    """Return why it is not proved who acted; None where it is.

    The signature of an act of which a text was erased can no longer be checked. The act stands as
    it was taken: to forget a patron must not undo what was decided of the case.

    Args:
        fact: the act.
        person: the credential of who acted.
        proof: how the act says that it was proved.
        enrolled: by ``person_key``, how each person could prove it then.
        field: of the act, in which that proof stands.
    """
    known = enrolled.get(person_key(person))
    if known is None or proof is None or known.how is not proof.how:
        return f"{person} was not enrolled to prove it so"
    if proof.how is events.ProofKind.KEY:
        key, signature = known.public_key, proof.signature
        if signature is not None and ERASED.encode() in frame(fact):
            return None  # it was checked when it was taken; what it signed is gone
        if key is None or signature is None or not is_signed(fact, signature, key, field):
            return f"its signature is not by the key of {person}"
    return None


def signed_bytes(fact: events.Fact, field: str = "proof") -> bytes:
    """Return what a person signs of an act: the framed event without a signature.

    Args:
        fact: the act.
        field: ``proof`` for its author, ``approval_proof`` for who approves what the author signed.
    """
    changes: dict[str, Any] = {field: events.ActProof(how=events.ProofKind.KEY, signature=None)}
    if field != APPROVAL and hasattr(fact, APPROVAL):
        changes[APPROVAL] = None
    return ACT + frame(replace(fact, **changes))


def is_signed(fact: events.Fact, signature: bytes, public_key: bytes, field: str = "proof") -> bool:
    """Whether a signature of an act is by a key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(public_key)
        key.verify(signature, signed_bytes(fact, field))
    except (InvalidSignature, ValueError):
        return False
    return True
