"""People of every role and events of a case, for tests of what may be done with one."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ledger import events
from ledger.casework.cases import CaseEvent, CaseRole
from ledger.casework.cases.case_file import CaseFile, evolve, opened_file
from ledger.casework.cases.decider import Ground, refusal
from ledger.casework.cases.terms import person_of
from ledger.replay import Roster, signed_bytes
from tests.games.facts import NOON, SECOND, fact

NUMBER: Final = "2021-0001"
OTHER: Final = "2021-0002"
SHA: Final = bytes(range(32))
AT: Final = NOON + 100_000 * SECOND
PASSED: Final = events.ActProof(how=events.ProofKind.PASS_PHRASE, signature=None)

# fmt: off
PEOPLE: Final = (
    #  person  department                role         rank          roles
    ("S-1",  "surveillance",           None,          "MEMBER",     {CaseRole.SURVEILLANCE}),
    ("F-1",  "finance",                None,          "MEMBER",     {CaseRole.FINANCE}),
    ("F-9",  "Finance",                None,          "SUPERVISOR", {CaseRole.FINANCE}),
    ("A-1",  "internal audit",         None,          "MEMBER",     {CaseRole.AUDITOR}),
    ("A-2",  "compliance",             None,          "SUPERVISOR", {CaseRole.AUDITOR}),
    ("V-1",  "surveillance",           None,          "SUPERVISOR", {CaseRole.SURVEILLANCE, CaseRole.SUPERVISOR}),
    ("V-2",  "table games",            "FLOORPERSON", None,         {CaseRole.SUPERVISOR}),
    ("V-3",  "Table Games",            None,          "MANAGER",    {CaseRole.SUPERVISOR}),
    ("I-1",  "information technology", None,          "SUPERVISOR", {CaseRole.ADMINISTRATOR}),
    ("I-2",  "administration",         None,          None,         {CaseRole.ADMINISTRATOR}),
    ("B-1",  "board",                  None,          None,         {CaseRole.BOARD_AGENT}),
    ("B-2",  "Gaming Control Board",   None,          "SUPERVISOR", {CaseRole.BOARD_AGENT}),
    ("D-1",  "table games",            "DEALER",      None,         set()),
    ("K-1",  "marketing",              None,          "MANAGER",    set()),
)
# fmt: on
"""Each with the roles that follow from department and rank."""


@cache
def roster() -> Roster:
    """All of them; V-1B is V-1 by another credential, R-1 was revoked, E-1 expired."""
    people = Roster()
    more = (("V-1B", "surveillance", None, "SUPERVISOR", set()),)
    gone = tuple((name, "surveillance", None, "SUPERVISOR", set()) for name in ("R-1", "E-1"))
    for person, department, role, rank, _ in (*PEOPLE, *more, *gone):
        held = {"person": person, "department": department, "role": role, "revoked": False}
        people.take(fact("PersonCredentialled", 1, 0, **held), NOON)
        if rank is not None:
            people.take(fact("CredentialDescribed", 1, 0, person=person, rank=rank), NOON)
    people.take(fact("CredentialDescribed", 1, 1, person="V-1B", same_person_as="V-1"), NOON)
    people.take(
        fact("PersonCredentialled", 1, 1, person="R-1", department="surveillance", revoked=True),
        NOON + SECOND,
    )
    people.take(fact("CredentialDescribed", 1, 1, person="E-1", expires_time=AT - 1), NOON + SECOND)
    return people


def enrolled(person: str, key: bytes | None = None) -> events.PersonEnrolled:
    """A person who proves by a key, or by a pass phrase."""
    how = "PASS_PHRASE" if key is None else "KEY"
    own = {"person": person, "how": how, "public_key": key, "enrolled_by": "I-1", "proof": PASSED}
    return fact("PersonEnrolled", 1, 1, **own)


def ground(**other: Any) -> Ground:
    """What a decision rests on: the people above, each with a pass phrase, and two cases."""
    usual = {key: enrolled(key) for key in roster().people}
    usual |= other.pop("enrolled", {})
    return Ground(**{"roster": roster(), "numbers": (NUMBER, OTHER), "enrolled": usual, **other})


def act(kind: str, by: str, /, **fields_: Any) -> Any:
    """An event of a case by a person, proved by a pass phrase; what is not said is in order."""
    usual: dict[str, dict[str, Any]] = {
        "CaseOpened": {"summary": "Small Bet collected though it won"},
        "CaseSubjectAdded": {"subject": staff("D-7"), "reason": "dealt"},
        "CaseAssigned": {"assignee": "S-1"},
        "CaseNoted": {"note": "seen"},
        "CaseTaskSet": {"task": 1, "text": "ask the dealer", "done": False},
        "CaseEvidencePinned": {"evidence": matter("SB-01:6"), "reason": "it shows the throw"},
        "CaseMediaHandled": {
            "media_sha256": SHA,
            "media_size": 7,
            "name": "a.mp4",
            "act": events.MediaAct.ADDED,
        },
        "CaseFootageHandled": {
            "footage": 1,
            "camera": "CAM-1",
            "footage_from": NOON,
            "footage_until": AT,
            "state": events.FootageState.REQUESTED,
        },
        "CaseLinked": {"other_number": OTHER, "reason": "the same dealer"},
        "CaseAssessed": {
            "error": events.ErrorType.DEALER,
            "lost_cents": 10,
            "recovered_cents": 10,
            "saved_cents": 0,
            "goodwill_cents": 0,
        },
        "CaseDecided": {"decision": "You are right."},
        "CaseClosed": {"reason": "paid"},
        "CaseReopened": {"reason": "a further witness"},
        "CaseLetterSigned": {
            "letter": events.LetterKind.PATRON,
            "letter_sha256": SHA,
            "tree_size": 9,
            "signed_as": events.LetterSigner.PREPARER,
            "printed_name": "Ann Lee",
            "written": "2021-03-16",
            "root": SHA,
        },
    }
    head = {
        "stream": "cases/files", "seq": 1, "event_time": AT, "source": "pitledger",
        "recorded_by": by, "case_number": NUMBER, "proof": PASSED,
    }  # fmt: skip
    event = events.EVENTS[kind]
    own = {**head, **usual[kind], **fields_}
    names = [field.name for field in fields(event)]
    blank: dict[str, Any] = {"about": (), "subjects": ()}
    acting = person_field(names)
    return event(
        **{name: own.get(name, by if name == acting else blank.get(name)) for name in names}
    )


def person_field(names: list[str]) -> str:
    """The field that names who acted."""
    return next(name for name in names if name.endswith("_by") and name != "recorded_by")


def staff(person: str) -> events.CaseSubject:
    return events.CaseSubject(kind=events.CaseSubjectKind.STAFF, reference=person)


def matter(reference: str) -> events.CaseMatter:
    return events.CaseMatter(kind=events.CaseMatterKind.ROUND, reference=reference)


def case_after(*facts: CaseEvent, subjects: tuple[events.CaseSubject, ...] = ()) -> CaseFile:
    """The case that S-1 opened, after events that all count."""
    case = opened_file(act("CaseOpened", "S-1", subjects=subjects))
    for each in facts:
        assert refusal(case, each, ground()) is None, refusal(case, each, ground())
        case = evolve(case, each)
    return case


DECIDED: Final = ("CaseDecided", "V-1")
CLOSED: Final = ("CaseClosed", "V-2")


def decided() -> CaseFile:
    """Opened by S-1, decided by V-1."""
    return case_after(act(*DECIDED))


def closed() -> CaseFile:
    """Opened by S-1, decided by V-1, closed by V-2."""
    return case_after(act(*DECIDED), act(*CLOSED))


def signed(fact_: CaseEvent, key: Ed25519PrivateKey) -> Any:
    """An act with the signature of a key in the place of a pass phrase."""
    proof = events.ActProof(how=events.ProofKind.KEY, signature=key.sign(signed_bytes(fact_)))
    return replace(fact_, proof=proof)


def who(fact_: CaseEvent) -> str:
    return person_of(fact_)
