"""Filling a gap by hand: who adds the facts of a terminal, who approves it, and how it is recorded.

A terminal delivers its own facts. Where a person adds one into a hole of its stream, a second
person approves it, as an amendment is approved, and the record says so (``FactsAdded``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ledger.codec import decode
from ledger.events import Fact, FactsAdded
from ledger.intake.fact_numbers import OFFICE, Act, StreamNumbers, registrations
from ledger.intake.hand_amendments import check_act, check_people
from ledger.replay import Replay

ADDITIONS: Final = "cases/additions"
"""The stream of additions; nobody but the ledger numbers it."""
SOURCE: Final = "pitledger"


def additions(
    replay: Replay, framed: Iterable[bytes], act: Act, digest: bytes | None
) -> tuple[Fact, ...]:
    """The facts that record an addition; with them, the first time, who may write them.

    Args:
        replay: the ledger's, before the addition.
        framed: the facts that fill gaps.
        act: who adds them, when, why, and who approved it.
        digest: SHA-256 of the file that held them, None where it is not known.

    Raises:
        PersonNeeded: no reason, or nobody else who approved it.
        CredentialNotHeld: author or approver holds no valid credential on this date.
        NotEntitled: the approver's rank does not fit, or the facts concern the approver.
    """
    facts = [decode(one) for one in framed]
    check_act(act)
    concerned: dict[str, str] = {}
    for fact in facts:
        concerned |= replay.concerned(fact.stream, fact.seq, fact)
    check_people(replay, act, concerned)
    numbers = StreamNumbers(replay)
    added = [
        FactsAdded(
            **numbers.head(ADDITIONS, act, SOURCE),
            added_stream=stream,
            first_seq=first,
            last_seq=last,
            reason=act.reason or "",
            added_by=act.by,
            approved_by=act.approved_by,
            approved_time=act.at,
            file_sha256=digest,
            proof=None,
            approval_proof=None,
        )
        for stream, first, last in _runs(facts)
    ]
    sources = [(ADDITIONS, SOURCE, 0), (OFFICE, OFFICE, 0)]
    return (*registrations(sources, act, numbers), *map(act.prove, added))


def _runs(facts: Iterable[Fact]) -> Iterator[tuple[str, int, int]]:
    """Stream, first and last number of each run of facts."""
    keys = sorted({(one.stream, one.seq) for one in facts})
    start = 0
    for place in range(1, len(keys) + 1):
        if place == len(keys) or keys[place] != (keys[place - 1][0], keys[place - 1][1] + 1):
            yield keys[start][0], keys[start][1], keys[place - 1][1]
            start = place
