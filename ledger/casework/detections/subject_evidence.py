"""What a detection finds before it is judged with all others: evidence about one subject."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import Protocol, TypeVar

from ledger.casework.detections.card import Card
from ledger.casework.history import History, Night, Untested
from ledger.kernel import FactRef
from ledger.kernel.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Evidence about one subject of one detection, up to the end of a gaming day.

    ``log_e`` is the logarithm of its e-value, ``at`` the time of its last unit. ``no_evidence`` and
    ``discovery`` are the sentences for either judgement; ``power`` says, given the level that had
    to be reached, what would have been seen. ``work`` marks a subject that stands for somebody's
    work and says as part of which whole: such a subject is only named where it is a discovery.
    ``shared`` says that the whole's subjects rest on the same units. ``untested`` names what
    belongs to the subject and no law is held of; it is said with every judgement.
    """

    table: str
    subject: str
    log_e: float
    volume: int
    left_out: int
    at: int
    no_evidence: str
    discovery: str
    power: Callable[[float], str]
    facts: tuple[FactRef, ...] = ()
    detail: tuple[tuple[str, str], ...] = ()
    work: str = ""
    shared: bool = False
    untested: str = ""


class Examine(Protocol):
    """A detection: evidence of one gaming day, given the nights up to it."""

    def __call__(self, history: History, day: date, card: Card) -> Iterator[Evidence]: ...


class _Timed(Protocol):
    @property
    def at(self) -> int: ...


Unit = TypeVar("Unit", bound=_Timed)


def nights(history: History, day: date, days: int) -> tuple[Night, ...]:
    """The last so many gaming days up to this one.

    Args:
        history: all nights at hand.
        day: the last gaming day.
        days: how many calendar days back it goes, this one included; a day without a night
            is left out.
    """
    since = day - timedelta(days=days - 1)
    return tuple(night for night in history if since <= night.day <= day)


def grouped(
    units: Iterable[tuple[tuple[str, str], Unit]], began: int
) -> Iterator[tuple[str, str, list[Unit]]]:
    """Units by table and subject, those subjects only that were used since ``began``; sorted."""
    by_subject: dict[tuple[str, str], list[Unit]] = {}
    for key, unit in units:
        by_subject.setdefault(key, []).append(unit)
    for (table, subject), units_of in sorted(by_subject.items()):
        if units_of[-1].at >= began:
            yield table, subject, units_of


def ends(units: Sequence[Unit], fact_of: Callable[[Unit], FactRef]) -> tuple[FactRef, ...]:
    """The first and last fact of a sequence; all between bear on it, too."""
    first, last = fact_of(units[0]), fact_of(units[-1])
    return (first,) if first == last else (first, last)


def began(history: History, day: date) -> int:
    """When this gaming day began; the end of time where the history has not got it."""
    return next((night.begins for night in history if night.day == day), 1 << 62)


def without_law(rows: Iterable[Untested], table: str, *, late: bool = False) -> str:
    """The wagers at a table that no law is held of, by name and number; empty: there are none.

    Args:
        rows: how many wagers of each kind were not tested, and why.
        table: the table; rows of others are ignored.
        late: count only the late wagers.
    """
    counts: dict[tuple[str, str], int] = {}
    for row in rows:
        if row.table == table and (n := row.late if late else row.wagers):
            counts[row.wager, row.why] = counts.get((row.wager, row.why), 0) + n
    return "; ".join(
        f"not tested: {n:,} of {wager}, since {why}" for (wager, why), n in sorted(counts.items())
    )


def shown(p: float) -> str:
    """A chance for people, never zero."""
    return "below 1e-9" if p < 1e-9 else f"{p:.3g}"
