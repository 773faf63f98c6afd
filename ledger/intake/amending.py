"""One amendment of one fact, by hand: what it should have said, or that it should not have been."""

from __future__ import annotations

from ledger.codec import frame
from ledger.events import SUBJECTS, Fact, FactAmended
from ledger.intake.numbers import AMENDMENTS, OFFICE, Act, Numbers, registrations
from ledger.intake.refusals import AmendmentWrong, PersonNeeded
from ledger.replay import Replay


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
    """
    check_act(act)
    said = replay.fact(stream, seq)
    if said is None and replay.amended(stream, seq) is None:
        raise AmendmentWrong(f"the ledger has no fact {stream}:{seq}")
    for one in (said, replacement):
        if one is not None and SUBJECTS[type(one).__name__] == "cases":
            raise AmendmentWrong("an amendment is amended by a further one of the same fact")
    if replacement is not None and (replacement.stream, replacement.seq) != (stream, seq):
        named = f"{replacement.stream}:{replacement.seq}"
        raise AmendmentWrong(f"the new fact is {named}; it must keep the key {stream}:{seq}")
    if replacement == said:
        raise AmendmentWrong(f"{stream}:{seq} says so already")
    numbers = Numbers(replay)
    made = FactAmended(
        **numbers.head(AMENDMENTS, act, AMENDMENTS),
        amended_stream=stream,
        amended_seq=seq,
        replacement=None if replacement is None else frame(replacement),
        reason=act.reason or "",
        amended_by=act.by,
        approved_by=act.approved_by,
        approved_time=act.at,
        file_sha256=None,
    )
    desk = [(AMENDMENTS, AMENDMENTS, 0), (OFFICE, OFFICE, 0)]
    return (*registrations(desk, act, numbers), made)


def check_act(act: Act) -> None:
    """Refuse a correction that says no reason, or that nobody else approved.

    Raises:
        PersonNeeded: so.
    """
    if not act.reason:
        raise PersonNeeded("--reason", "what was recorded is corrected")
    if not act.approved_by:
        raise PersonNeeded("--approved-by", "someone else must approve corrections")
    if act.approved_by == act.by:
        raise PersonNeeded("--approved-by", "nobody approves their own corrections")
