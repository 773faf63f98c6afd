"""One amendment of one fact, by hand: what it should have said, or that it should not have been."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.codec import frame
from ledger.events import SUBJECTS, Fact, FactAmended
from ledger.intake.fact_numbers import AMENDMENTS, OFFICE, Act, StreamNumbers, registrations
from ledger.intake.import_errors import AmendmentWrong, PersonNeeded
from ledger.law import acts
from ledger.replay import Replay, person_key


def amendment(
    replay: Replay, stream: str, seq: int, replacement: Fact | None, act: Act
) -> tuple[Fact, ...]:
    """The amendment of a fact; with it, the first time, who may write amendments.

    Args:
        replay: the ledger's.
        stream: of the fact.
        seq: of the fact.
        replacement: the whole fact as it should have been said; None to withdraw it.
        act: who amends, when, why, and who approved it.

    Raises:
        AmendmentWrong: there is no such fact, or the replacement cannot stand in its place.
        PersonNeeded: no reason, or nobody else who approved it.
        CredentialNotHeld: author or approver holds no valid credential on this date.
        NotEntitled: the approver's rank does not fit, or the fact concerns the approver.
    """
    check_act(act)
    before = replay.fact(stream, seq)
    check_people(replay, act, replay.concerned(stream, seq, replacement))
    if before is None and replay.amended(stream, seq) is None:
        raise AmendmentWrong(f"the ledger has no fact {stream}:{seq}")
    for fact in (before, replacement):
        if fact is not None and SUBJECTS[type(fact).__name__] == "cases":
            raise AmendmentWrong("an amendment is amended by a further one of the same fact")
    if replacement is not None and (replacement.stream, replacement.seq) != (stream, seq):
        named = f"{replacement.stream}:{replacement.seq}"
        raise AmendmentWrong(f"the new fact is {named}; it must keep the key {stream}:{seq}")
    if replacement == before:
        raise AmendmentWrong(f"{stream}:{seq} says so already")
    numbers = StreamNumbers(replay)
    amended = FactAmended(
        **numbers.head(AMENDMENTS, act, AMENDMENTS),
        amended_stream=stream,
        amended_seq=seq,
        replacement=None if replacement is None else frame(replacement),
        reason=act.reason or "",
        amended_by=act.by,
        approved_by=act.approved_by,
        approved_time=act.at,
        file_sha256=None,
        proof=None,
        approval_proof=None,
    )
    desk = [(AMENDMENTS, AMENDMENTS, 0), (OFFICE, OFFICE, 0)]
    return (*registrations(desk, act, numbers), act.prove(amended))


def check_act(act: Act) -> None:
    """Refuse a correction that says no reason, or that nobody else approved.

    Raises:
        PersonNeeded: so.
    """
    if not act.reason:
        raise PersonNeeded("--reason", "what was recorded is corrected")
    if not act.approved_by:
        raise PersonNeeded("--approved-by", "someone else must approve corrections")
    if person_key(act.approved_by) == person_key(act.by):
        raise PersonNeeded("--approved-by", "nobody approves their own corrections")


def check_people(replay: Replay, act: Act, concerned: Mapping[str, str]) -> bool:
    """Let these persons correct or add facts; whether anything could be checked.

    Args:
        replay: the ledger's.
        act: who does it and who approved it, and when.
        concerned: whom the facts concern, each with how; they approve nothing about themselves.

    Raises:
        CredentialNotHeld: author or approver holds no valid credential on this date.
        NotEntitled: the approver is the author by another credential, the rank does not fit, or
            the facts concern the approver.
    """
    roster, approver = replay.roster(), act.approved_by or ""
    option = "--approved-by CREDENTIAL"
    roster.require(
        acts()["approve"], approver, act.at, concerned=concerned, others=[act.by], option=option
    )
    return roster.require(acts()["correct"], act.by, act.at)
