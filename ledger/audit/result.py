"""What the audit of one gaming day says: plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from ledger.kernel import FactRef, Finding
from ledger.replay import Amended, Mark


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
class Staked:
    """What was staked in a day on one wager and pick, in cents, and by which filing it is paid."""

    game: str
    paytable: FactRef | None
    wager: str
    picks: tuple[int, ...]
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAccount:
    """A table's day in cents: its counts, and what its rounds took and paid.

    None is never zero: it was not counted, or the table does not record it. ``missing`` says what
    stands against a win by count, ``owed`` what of it the other counts show must exist,
    ``awaiting`` which boxes are not counted yet; ``doubtful`` that facts of the table are missing
    or contradict each other. ``stakes`` are the decided wagers.
    """

    table: str
    game: str | None
    level: str | None
    opener_cents: int | None
    fills_cents: int | None
    credits_cents: int | None
    closer_cents: int | None
    drop_cents: int | None
    cash_changed_cents: int | None
    coupons: int
    coupons_cents: int | None
    by_count_cents: int | None
    by_rounds_cents: int | None
    stakes: tuple[Staked, ...] | None
    awaiting: tuple[str, ...]
    missing: tuple[str, ...]
    owed: tuple[str, ...]
    doubtful: bool
    facts: tuple[FactRef, ...]

    @property
    def difference_cents(self) -> int | None:
        """Win by count less win by rounds."""
        if self.by_count_cents is None or self.by_rounds_cents is None:
            return None
        return self.by_count_cents - self.by_rounds_cents

    @property
    def wagered_cents(self) -> int | None:
        """The stakes of all decided wagers."""
        return None if self.stakes is None else sum(one.cents for one in self.stakes)


@dataclass(frozen=True, slots=True, kw_only=True)
class DayAudit:
    """The audit of one gaming day; ``digest`` hashes rulings and findings, never positions.

    ``standing`` says per chapter how its text stands that day, ``continued`` per table the remark
    that every citation carries where the text was continued elsewhere or has lapsed; ``accounts``
    are the tables' days in cents; ``amended`` the facts of the day that say something else than
    was recorded first; ``unchecked`` counts the facts that persons recorded when nobody's
    credential was on the record.
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
    accounts: tuple[TableAccount, ...] = ()
    amended: tuple[Amended, ...] = ()
    unchecked: int = 0
    marks: Mapping[FactRef, Mark] = field(default_factory=dict)
    """Facts of the day that came after it was closed or that a person added; never hashed."""
