"""Facts of what people decided about facts.

One frozen dataclass per schema under ``schemas/cases``: same name, same fields, same order; the
schema's docs give units and meanings.
"""

from __future__ import annotations

from ledger.events.case_words import ActProof
from ledger.events.fact_declaration import Header, declared
from ledger.events.parts import (
    ActionAbout,
    ObservedHand,
    ObservedSpin,
    ObservedThrow,
    ObservedWager,
)


@declared
class FactAmended(Header):
    """A fact was wrong: what it should have said, or that it should not have been said."""

    amended_stream: str
    amended_seq: int
    replacement: bytes | None
    reason: str
    amended_by: str
    approved_by: str | None
    approved_time: int | None
    file_sha256: bytes | None
    proof: ActProof | None
    approval_proof: ActProof | None


@declared
class FactsAdded(Header):
    """A person added facts that a terminal had not delivered: which, why, and who approved it."""

    added_stream: str
    first_seq: int
    last_seq: int
    reason: str
    added_by: str
    approved_by: str | None
    approved_time: int | None
    file_sha256: bytes | None
    proof: ActProof | None
    approval_proof: ActProof | None


@declared
class ActionTaken(Header):
    """A person took up an action of the nightly audit."""

    about: ActionAbout
    taken_by: str
    proof: ActProof | None


@declared
class ActionNoted(Header):
    """A person wrote something down about an action."""

    about: ActionAbout
    note: str
    noted_by: str
    proof: ActProof | None


@declared
class ActionClosed(Header):
    """A person closed an action, for as long as its evidence stays as it is."""

    about: ActionAbout
    reason: str
    closed_by: str
    proof: ActProof | None


@declared
class CauseSuppressed(Header):
    """A person put off one cause, or one kind of alert, until a gaming day; it still counts."""

    about: str
    for_gaming_day: str
    code: str
    table: str
    subject: str
    until: str
    reason: str
    suppressed_by: str
    proof: ActProof | None


@declared
class RoundObserved(Header):
    """A person looked at a recording of a round and said what it shows."""

    table: str
    round_stream: str
    round_seq: int
    camera: str
    camera_ahead_micros: int | None
    seen_time: int
    throws: tuple[ObservedThrow, ...] | None
    spins: tuple[ObservedSpin, ...] | None
    hands: tuple[ObservedHand, ...] | None
    wagers: tuple[ObservedWager, ...] | None
    note: str | None
    replaces: int | None
    observed_by: str
    proof: ActProof | None


@declared
class ObservationConfirmed(Header):
    """A second person looked at the same recording and confirmed an observation."""

    observation_seq: int
    confirmed_by: str
    proof: ActProof | None
