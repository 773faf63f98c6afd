"""Looks at the references of patrons, as events: once for each person, patron and sitting."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ledger import events
from ledger.casework.action_facts import head, registered_streams, registrations
from ledger.casework.cases.case_file import CaseFile
from ledger.casework.cases.case_files import CaseFiles
from ledger.casework.cases.decider import barred_from
from ledger.casework.cases.errors import CaseRefused
from ledger.casework.cases.terms import CaseAct
from ledger.replay import FactStep, Replay

STREAM: Final = "cases/looks"
LONGEST_SITTING: Final = 100


def patrons_of(case: CaseFile) -> tuple[str, ...]:
    """Return the references of the patrons that a case is about."""
    patron = events.CaseSubjectKind.PATRON
    return tuple(dict.fromkeys(one.reference for one in case.subjects if one.kind is patron))


def looks(
    replay: Replay,
    cases: CaseFiles,
    case: CaseFile | None,
    person: str,
    sitting: str,
    at: int,
    patrons: Iterable[str] | None = None,
) -> tuple[events.Fact, ...]:
    """Return the events that record a look at references; none for a second look.

    Args:
        replay: the ledger's replay.
        cases: its cases.
        case: the case in which they are seen; None: outside of any.
        person: the credential of who looks, proved by a pass phrase.
        sitting: a name for the time of looking.
        at: the moment, microseconds UTC.
        patrons: whose references; None: of the patrons that the case is about.

    Raises:
        CaseRefused: the person may not look.
    """
    why = barred_from(case, CaseAct.REVEAL, person, at, cases.ground(case, CaseAct.REVEAL))
    if why is not None:
        raise CaseRefused(why)
    seen = _seen(replay)
    sitting = sitting[:LONGEST_SITTING]
    if patrons is None:
        patrons = () if case is None else patrons_of(case)
    fresh = [
        patron
        for patron in dict.fromkeys(patrons)
        if not any(
            (look.patron, look.sitting) == (patron, sitting)
            and cases.roster.are_one(look.seen_by, person)
            for look in seen
        )
    ]
    if not fresh:
        return ()
    first = head(replay, person, at, STREAM)
    proof = events.ActProof(how=events.ProofKind.PASS_PHRASE, signature=None)
    facts = []
    for number, patron in enumerate(fresh):
        begins = {**first, "seq": first["seq"] + number}
        facts.append(
            events.PatronReferenceSeen(
                **begins,  # type: ignore[arg-type]
                patron=patron,
                sitting=sitting,
                case_number=None if case is None else case.number,
                seen_by=person,
                proof=proof,
            )
        )
    known = registered_streams(replay)
    return (*registrations(replay, known, person, at, STREAM), *facts)


def _seen(replay: Replay) -> list[events.PatronReferenceSeen]:
    kinds = ("PatronReferenceSeen",)
    steps = replay.walk(replay.streams_with(kinds), only=kinds)
    facts = (step.fact for step in steps if isinstance(step, FactStep))
    return [fact for fact in facts if isinstance(fact, events.PatronReferenceSeen)]
