"""Who may let persons prove who acts."""

from __future__ import annotations

from ledger import events
from ledger.casework.action_facts import registrations
from ledger.casework.cases.case_files import registered_streams
from ledger.casework.cases.decider import roles_of
from ledger.casework.cases.terms import CaseRole
from ledger.casework.person_proofs import enrolled_persons
from ledger.kernel import UsageError
from ledger.replay import Holding, Replay, person_key


class EnrollmentRefused(UsageError):
    """This person cannot be enrolled so."""

    code = "enrollment_refused"


def enrollment(replay: Replay, fact: events.PersonEnrolled) -> tuple[events.Fact, ...]:
    """Return the events by which a person is enrolled: itself, and who may write its stream.

    Args:
        replay: the ledger's replay.
        fact: the enrollment, without its proof.

    Raises:
        EnrollmentRefused: the person has no credential, or it is nobody of administration who
            enrolls; the first to be enrolled is one of them, else nobody could enroll the next.
    """
    roster, at, by = replay.roster(), fact.event_time, fact.enrolled_by
    enrolled = enrolled_persons(replay)
    for person in (fact.person, by):
        if roster.holding(person, at) is not Holding.HELD:
            raise EnrollmentRefused(
                f"No valid credential for {person} on this date.",
                next_step="`pitledger people` lists the credentials on record",
            )
    if enrolled and person_key(by) not in enrolled:
        raise EnrollmentRefused(
            f"{by} cannot prove yet who acts.", next_step="--by: somebody who is enrolled"
        )
    if CaseRole.ADMINISTRATOR not in roles_of(roster, by, at):
        raise EnrollmentRefused(
            f"{by} is nobody of administration.", next_step="--by: an administrator's credential"
        )
    known = registered_streams(replay)
    return (*registrations(replay, known, by, at, fact.stream), fact)
