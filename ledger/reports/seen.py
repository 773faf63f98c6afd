"""One round with all that a page about it needs: its result, its facts, the wheel in use."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from ledger.audit import Mark, not_covered_at
from ledger.events import WheelPlaced
from ledger.replay import Amended, FactStep
from ledger.rounds import RoundResult


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenRound:
    """A round and what was seen of it, in merged order, from its betting-opened fact on."""

    result: RoundResult
    steps: tuple[FactStep, ...]
    doubts: tuple[str, ...] = ()
    wheel: WheelPlaced | None = None
    capture: str | None = None
    amended: tuple[Amended, ...] = ()
    marks: tuple[Mark, ...] = ()


def capture_line(table: str, day: date, level: str | None) -> str:
    """What a table recorded on a day, and what is therefore not covered, in one line."""
    missing = ", ".join(not_covered_at(level))
    said = f"{table}, gaming day {day}, captures: {level or 'not stated'}."
    return f"{said} Not covered: {missing}." if missing else said
