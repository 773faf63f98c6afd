"""Whether a throw tells anything about the next one.

The displacement modulo 6 between successive values is even if throws are independent and even; a
biased but independent die moves it only in second order. Where every die is identified, each die
is followed; else the total modulo 6 of the dice is, which is even for any number of even dice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final, NamedTuple

from ledger.casework.detections.card import Card
from ledger.casework.detections.places_on_a_circle import counted
from ledger.casework.detections.subject_evidence import (
    Evidence,
    began,
    ends,
    grouped,
    nights,
    shown,
)
from ledger.casework.e_values import fair, log_bias, p_value, power_words
from ledger.casework.history import History, Throw
from ledger.kernel import FactRef, ref_of

FACES: Final = 6


class Moved(NamedTuple):
    """The displacements that one throw adds; none where it, or the one before, does not count."""

    at: int
    fact: FactRef
    by: tuple[int, ...]


def examine(history: History, day: date, card: Card) -> Iterator[Evidence]:
    """Evidence of dependence, for each table that threw dice that day."""
    throws = [one for night in nights(history, day, card.settings["days"]) for one in night.throws]
    for table, subject, moves in grouped(_moves(throws), began(history, day)):
        yield judge_moves(table, subject, moves)


def _moves(throws: Sequence[Throw]) -> Iterator[tuple[tuple[str, str], Moved]]:
    before: dict[str, Throw] = {}
    for throw in throws:
        last = before.get(throw.table)
        before[throw.table] = throw
        by = () if last is None or throw.out or last.out else _displacements(last, throw)
        subject = f"successive throws at {throw.table}"
        yield (throw.table, subject), Moved(throw.at, ref_of(throw), by)


def _displacements(last: Throw, following: Throw) -> tuple[int, ...]:
    faces = dict(last.dice)
    serials = [serial for serial, _ in following.dice]
    if all(serials) and len(set(serials)) == len(serials):
        return tuple((face - faces[s]) % FACES for s, face in following.dice if s in faces)
    if len(following.dice) != len(last.dice):
        return ()
    total = sum(face for _, face in following.dice) - sum(face for _, face in last.dice)
    return (total % FACES,)


def judge_moves(table: str, subject: str, moves: Sequence[Moved]) -> Evidence:
    """Evidence from the displacements at one table."""
    counts = counted([by for one in moves for by in one.by], FACES)
    n, null = sum(counts), fair(FACES)
    p, test = p_value(counts, null)
    return Evidence(
        table=table,
        subject=subject,
        log_e=log_bias(counts, null),
        volume=n,
        left_out=sum(not one.by for one in moves),
        at=moves[-1].at,
        no_evidence=f"nothing unusual in {n:,} pairs of successive throws",
        discovery=f"{n:,} pairs of successive throws do not fit independent throws",
        power=lambda level: power_words(FACES, n, level, "face").replace(
            "one face", "one displacement"
        ),
        facts=ends(moves, lambda one: one.fact),
        detail=(
            ("displacements 0 to 5", ", ".join(f"{count:,}" for count in counts)),
            (f"{test}, for this number of pairs only", f"p {shown(p)}"),
        ),
    )
