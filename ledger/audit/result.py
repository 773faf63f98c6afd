"""What the audit of one gaming day says: plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from ledger.kernel import Finding
from ledger.replay import Amended


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCapture:
    """One line of the capture table: what a table claimed to record, and what could be judged."""

    table: str
    game: str | None
    level: str | None
    opened_at: int | None
    closed_at: int | None
    rounds: int
    judged: int
    wagers: int
    not_covered: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DayAudit:
    """The audit of one gaming day; ``digest`` hashes rulings and findings, never positions.

    ``standing`` says per chapter how its text stands that day, ``continued`` per table the remark
    that every citation carries where the text was continued elsewhere or has lapsed. ``amended``
    are the facts of the day that say something else than was recorded first.
    """

    gaming_day: date
    tree_size: int
    root: str
    digest: str
    standing: Mapping[str, str]
    continued: Mapping[str, str]
    capture: tuple[TableCapture, ...]
    events: int
    rounds: int
    unknown_rounds: int
    wagers: int
    findings: tuple[Finding, ...]
    amended: tuple[Amended, ...] = ()
