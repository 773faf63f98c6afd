"""Closed words and parts of the facts of cases."""

from __future__ import annotations

from enum import StrEnum

from ledger.events.fact_declaration import declared


class ProofKind(StrEnum):
    """How it was proved who acted."""

    PASS_PHRASE = "PASS_PHRASE"  # the person's pass phrase
    KEY = "KEY"  # a signature by the person's key
    UNRECOGNISED = "UNRECOGNISED"


class CaseMatterKind(StrEnum):
    """What a case is about, or what is pinned to it."""

    ROUND = "ROUND"  # a round of play, e.g. 'SB-01:1234'
    FACT = "FACT"  # an event, e.g. 'SB-01:1234'
    COUPON = "COUPON"  # a coupon by its serial number
    ACTION = "ACTION"  # an action of the nightly audit
    ALERT = "ALERT"  # an alert of a detection
    OTHER = "OTHER"  # anything else, in words
    UNRECOGNISED = "UNRECOGNISED"


class CaseSubjectKind(StrEnum):
    """Who is a subject of a case."""

    STAFF = "STAFF"  # a person by credential
    PATRON = "PATRON"  # a patron by reference
    UNRECOGNISED = "UNRECOGNISED"


class MediaAct(StrEnum):
    """What was done with a piece of media."""

    ADDED = "ADDED"  # put to the case
    COPIED = "COPIED"  # a copy was made
    VIEWED = "VIEWED"  # looked at
    HANDED_OVER = "HANDED_OVER"  # given to another person
    RETURNED = "RETURNED"  # given back
    UNRECOGNISED = "UNRECOGNISED"


class FootageState(StrEnum):
    """How footage stands."""

    REQUESTED = "REQUESTED"  # asked for
    RECEIVED = "RECEIVED"  # received
    REFUSED = "REFUSED"  # refused
    HELD = "HELD"  # kept beyond its expiry
    RELEASED = "RELEASED"  # no longer held
    UNRECOGNISED = "UNRECOGNISED"


class ErrorType(StrEnum):
    """What went wrong."""

    NONE = "NONE"  # nothing
    DEALER = "DEALER"  # an error of the dealer
    SUPERVISION = "SUPERVISION"  # an error of supervision
    PROCEDURE = "PROCEDURE"  # the procedure was not kept
    EQUIPMENT = "EQUIPMENT"  # equipment failed
    RECORD = "RECORD"  # the record was wrong
    PATRON = "PATRON"  # an error or act of a patron
    UNDETERMINED = "UNDETERMINED"  # cannot be told
    UNRECOGNISED = "UNRECOGNISED"


class LetterKind(StrEnum):
    """Which letter."""

    PATRON = "PATRON"  # the letter to the patron
    BOARD = "BOARD"  # the incident report to the Board
    UNRECOGNISED = "UNRECOGNISED"


class LetterSigner(StrEnum):
    """In what function a letter is signed."""

    PREPARER = "PREPARER"  # who prepared it
    APPROVER = "APPROVER"  # who approved it, another person
    UNRECOGNISED = "UNRECOGNISED"


@declared
class ActProof:
    """How it was proved who acted."""

    how: ProofKind
    signature: bytes | None


@declared
class CaseMatter:
    """What a case is about."""

    kind: CaseMatterKind
    reference: str


@declared
class CaseSubject:
    """A subject of a case."""

    kind: CaseSubjectKind
    reference: str
