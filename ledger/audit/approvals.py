"""Corrections and additions by persons: which change nothing, and whose approval does not count.

Law: the Ledger contract, L.9.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ledger.audit.ledger_contract import Day, _finding
from ledger.events import FactAmended, FactsAdded
from ledger.kernel import Certainty, FactRef, Finding, Severity, ref_of
from ledger.law import acts
from ledger.replay import APPROVAL, FactStep, Holding, Problem, Replay

_AMENDMENT: Final = {
    Problem.NOT_APPROVED: "is not approved by anyone but the person who made it",
    Problem.NOT_ENTITLED: "was made or approved by somebody who may not do that",
    Problem.UNUSABLE: "gives no fact that could stand in its place",
    Problem.NO_SUCH_FACT: "is of a fact that the ledger does not have",
}


_APPROVER: Final = {
    Problem.NOT_APPROVED: "another person",
    Problem.NOT_ENTITLED: "a person who may approve it",
}


def idle_amendments(replay: Replay, day: Day) -> Iterator[Finding]:
    """Report amendments that change nothing, and those whose approval nobody could check (L.9).

    Each is reported on the day of the fact that it amends; on its own day if there is no such fact.
    """
    for amendment in replay.amendments():
        target = FactRef(amendment.fact.amended_stream, amendment.fact.amended_seq)
        amended = replay.amended(*target)
        fact = amended.before if amended is not None else replay.fact(*target)
        if not day.has(amendment.at if fact is None else fact.event_time):
            continue
        mine = ref_of(amendment.fact)
        if amendment.problem is None:
            if (
                replay.roster().holding(amendment.fact.approved_by or "", amendment.at)
                is Holding.UNKNOWN
            ):
                yield _unchecked(day, f"The amendment of {target}", (target, mine), amendment.fact)
            continue
        yield _finding(
            day,
            amendment.problem.value,
            ".9",
            (mine,) if amendment.problem is Problem.NO_SUCH_FACT else (target, mine),
            Severity.HIGH,
            f"The amendment of {target} {_AMENDMENT[amendment.problem]}, so it changes nothing.",
            expected=_APPROVER.get(amendment.problem),
            observed=(amendment.why or amendment.fact.approved_by or "nobody")
            if amendment.problem in _APPROVER
            else None,
        )


def additions(replay: Replay, day: Day) -> Iterator[Finding]:
    """Report facts that a person added without another entitled person's approval (L.9).

    Each addition is reported on the day of the first fact that was added.
    """
    only = ("FactsAdded",)
    for step in replay.walk(replay.streams_with(only), only=only):
        if not isinstance(step, FactStep) or not isinstance(step.fact, FactsAdded):
            continue
        fact, roster = step.fact, replay.roster()
        first = FactRef(fact.added_stream, fact.first_seq)
        at = replay.times(first.stream, [first.seq])[0]
        if not day.has(step.at if at is None else at):
            continue
        mine, approver = ref_of(fact), fact.approved_by or ""
        count = fact.last_seq - fact.first_seq + 1
        facts = "1 fact" if count == 1 else f"{count:,} facts"
        subject = f"The addition of {facts} of {first.stream} from {first.seq} on"
        concerned: dict[str, str] = {}
        for seq in _present(replay, fact):
            concerned |= replay.concerned(first.stream, seq)
        barred = roster.bar(
            acts()["approve"], approver, fact.event_time, others=[fact.added_by],
            concerned=concerned,
        ) or roster.bar(acts()["correct"], fact.added_by, fact.event_time)  # fmt: skip
        barred = barred or roster.unproved(fact, fact.added_by, fact.proof)
        barred = barred or roster.unproved(fact, approver, fact.approval_proof, field=APPROVAL)
        if not approver or barred is not None:
            why = "nobody approved it" if not approver or barred is None else barred.why
            yield _finding(
                day,
                "addition_not_approved",
                ".9",
                (first, mine),
                Severity.HIGH,
                f"{subject} has no approval that counts: {why}.",
                expected="another person who may approve it",
                observed=approver or "nobody",
            )
        elif roster.holding(approver, fact.event_time) is Holding.UNKNOWN:
            yield _unchecked(day, subject, (first, mine), fact)


def _present(replay: Replay, fact: FactsAdded) -> Iterable[int]:
    """Return the sequence numbers of an addition that the stream has."""
    seqs, _ = replay.places(fact.added_stream, fact.first_seq - 1, fact.last_seq)
    return map(int, seqs)


def _unchecked(
    day: Day, subject: str, facts: tuple[FactRef, ...], fact: FactAmended | FactsAdded
) -> Finding:
    """Report an approval that counts although nobody could check it."""
    return _finding(
        day,
        "approval_not_checked",
        ".9",
        facts,
        Severity.MEDIUM,
        f"{subject} was approved by {fact.approved_by}; the record has nobody's credential, so"
        " nothing shows who that is.",
        certainty=Certainty.UNKNOWN,
        expected="a valid credential",
        observed=fact.approved_by,
    )
