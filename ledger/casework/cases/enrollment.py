"""Letting a person prove who acts, as the events that are appended."""

from __future__ import annotations

from dataclasses import replace

from ledger import events
from ledger.casework.action_facts import registered_streams, registrations
from ledger.kernel import UsageError
from ledger.replay import Enrollments, Replay


class EnrollmentRefused(UsageError):
    """This person cannot be enrolled so."""

    code = "enrollment_refused"


def enrollment(replay: Replay, fact: events.PersonEnrolled) -> tuple[events.Fact, ...]:
    """Return the events by which a person is enrolled: itself, and who may write its stream.

    Args:
        replay: the ledger's replay.
        fact: the enrollment, with its proof where somebody is enrolled already.

    Raises:
        EnrollmentRefused: the person has no credential, or it is nobody of administration who
            enrolls; the first to be enrolled is one of them, else nobody could enroll the next.
    """
    enrollments = Enrollments.of(replay.roster())
    why = enrollments.refusal(fact)
    if why is not None:
        raise EnrollmentRefused(
            f"{why[:1].upper()}{why[1:]}.",
            next_step="--by: an administrator who is enrolled (`pitledger people`)",
        )
    own = fact if enrollments.persons else replace(fact, proof=None)
    known = registered_streams(replay)
    return (*registrations(replay, known, fact.enrolled_by, fact.event_time, fact.stream), own)
