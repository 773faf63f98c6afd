"""Amendments: what a fact should have said, applied wherever the fact is read.

An amended fact keeps its key. Its row in the index points at the bytes of the replacement, which
lie inside the amendment's own entry and are led back to the signed root like any others; a
withdrawn fact keeps its place, with nothing to read there, so that no gap appears. The last
approved amendment of a fact counts, by event time, stream and seq, whatever the order of arrival;
one that nobody else approved, whose author or approver held no valid credential of the rank at that
moment, whose approver it concerns, which one of the two did not prove although somebody was
enrolled to prove it by then, or that cannot be used, changes nothing. Where nobody's credential is
recorded, it counts, and the audit says that its approval could not be checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ledger.codec import Undecodable, decode, key_of
from ledger.events import SUBJECTS, Fact, FactAmended
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import acts
from ledger.replay.persons import same_spelling
from ledger.replay.proven_acts import APPROVAL
from ledger.replay.roster import Roster

Concerned = Callable[[FactAmended, FactAmended | None], Mapping[str, str]]
"""Returns the persons whom an amendment concerns, by credential, each with how.

It is called with the amendment and the one of the same fact that counted before, if any.
"""


class Problem(StrEnum):
    """Why an amendment changes nothing."""

    NOT_APPROVED = "amendment_not_approved"  # by nobody, or by the person who amends
    NOT_ENTITLED = "amendment_not_entitled"  # a person of it may not: credential, rank, concerned
    UNUSABLE = "amendment_unusable"  # the replacement is no fact of that key
    NO_SUCH_FACT = "amendment_of_nothing"  # the ledger has no fact of that key


@dataclass(frozen=True, slots=True)
class Amendment:
    """One amendment.

    Attributes:
        position: of its entry.
        at: its event time, in microseconds UTC.
        offset: where the replacement's framed bytes begin in the bundle of the entry; 0 where the
            fact is withdrawn.
        fact: the amendment itself.
        problem: why it changes nothing; None: it counts.
        why: for ``Problem.NOT_ENTITLED``, what stands against its author or approver, in words.
    """

    position: int
    at: int
    offset: int
    fact: FactAmended
    problem: Problem | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class FactPlace:
    """Where the framed bytes of a fact lie: entry, offset in its bundle, length."""

    position: int
    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class FirstRecording:
    """Where an amended fact lay as it was recorded first, and the amendment that counts."""

    place: FactPlace
    amendment: Amendment


@dataclass(frozen=True, slots=True)
class Amended:
    """A fact that was amended.

    Attributes:
        before: the fact as it was recorded first.
        after: the fact as it stands; None where it was withdrawn.
        by: the amendment that counts.
    """

    before: Fact
    after: Fact | None
    by: FactAmended


def read_amendment(entry: bytes, start: int, position: int, offset: int) -> Amendment:
    """Read the amendment of an entry, with what is wrong with it by itself.

    Args:
        entry: the whole entry of a ``FactAmended``.
        start: where its framed event begins.
        position: of the entry.
        offset: of the entry in its bundle.
    """
    fact = decode(entry[start:])
    assert isinstance(fact, FactAmended)
    replacement = fact.replacement
    lies = 0 if replacement is None else offset + entry.index(replacement, start)
    return Amendment(position, fact.event_time, lies, fact, _problem(fact))


def _problem(fact: FactAmended) -> Problem | None:
    if not fact.approved_by or same_spelling(fact.approved_by, fact.amended_by):
        return Problem.NOT_APPROVED
    if fact.replacement is None:
        return None
    try:
        new = decode(fact.replacement)
    except Undecodable:
        return Problem.UNUSABLE
    same = (new.stream, new.seq) == (fact.amended_stream, fact.amended_seq)
    return None if same and SUBJECTS[type(new).__name__] != "cases" else Problem.UNUSABLE


def in_order(amendments: Iterable[Amendment]) -> list[Amendment]:
    """Sort amendments by event time, stream and number; mark those of amendments as unusable."""
    ordered = sorted(amendments, key=lambda one: (one.at, one.fact.stream, one.fact.seq))
    keys = {(one.fact.stream, one.fact.seq) for one in ordered}
    return [
        replace(one, problem=one.problem or Problem.UNUSABLE)
        if (one.fact.amended_stream, one.fact.amended_seq) in keys
        else one
        for one in ordered
    ]


def entitled(
    amendments: Iterable[Amendment], roster: Roster, concerned: Concerned
) -> list[Amendment]:
    """Mark the amendments that no other entitled person approved; their order stays.

    Law: the Ledger contract, L.9 and L.10; the acts ``correct`` and ``approve``.

    Args:
        amendments: all of them.
        roster: who holds which credential, by the facts as they were recorded first: an amendment
            cannot make its own approver.
        concerned: whom an amendment concerns, given the one of the same fact that counted before.
    """
    last: dict[tuple[str, int], FactAmended] = {}

    def judged(amendment: Amendment) -> Amendment:
        fact = amendment.fact
        if amendment.problem is not None or fact.approved_by is None:
            return amendment
        if roster.are_one(fact.approved_by, fact.amended_by):
            return replace(amendment, problem=Problem.NOT_APPROVED)
        key = fact.amended_stream, fact.amended_seq
        people = concerned(fact, last.get(key))
        barred = roster.bar(acts()["approve"], fact.approved_by, amendment.at, concerned=people)
        barred = barred or roster.bar(acts()["correct"], fact.amended_by, amendment.at)
        barred = barred or roster.unproved(fact, fact.amended_by, fact.proof)
        barred = barred or roster.unproved(
            fact, fact.approved_by, fact.approval_proof, field=APPROVAL
        )
        if barred is not None:
            return replace(amendment, problem=Problem.NOT_ENTITLED, why=barred.why)
        last[key] = fact
        return amendment

    return [judged(one) for one in amendments]


def apply(
    rows: NDArray[np.void], amendments: Iterable[Amendment]
) -> tuple[NDArray[np.void], dict[int, FirstRecording], set[int]]:
    """Return the rows of a stream with its amendments in place of what they amend.

    Args:
        rows: by sequence number, with the columns of ``index.ROW``; they are not changed.
        amendments: of facts of this stream, in the order in which they count.

    Returns:
        The rows; the amended facts as they were before, by seq; the positions of amendments of
        facts that do not exist.
    """
    out = rows.copy()
    before: dict[int, FirstRecording] = {}
    missing: set[int] = set()
    for amendment in amendments:
        seq = amendment.fact.amended_seq
        at = int(np.searchsorted(out["seq"], seq))
        if at == len(out) or int(out["seq"][at]) != seq:
            missing.add(amendment.position)
            continue
        if amendment.problem is not None:
            continue
        row = rows[at]
        place = FactPlace(int(row["position"]), int(row["offset"]), int(row["length"]))
        before[seq] = FirstRecording(place, amendment)
        replacement = amendment.fact.replacement
        out["time"][at] = row["time"] if replacement is None else key_of(replacement)[2]
        if replacement is None:
            out["length"][at] = 0
            continue
        out["position"][at], out["offset"][at] = amendment.position, amendment.offset
        out["length"][at] = len(replacement)
    return out, before, missing
