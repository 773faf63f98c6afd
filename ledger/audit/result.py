"""The result of the audit of one gaming day: plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import date

from ledger.audit.digest import digest
from ledger.audit.observed_round import ObservedRound
from ledger.kernel import FactRef, Finding
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import Amended, Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCapture:
    """What a table claimed to record on a day, and what could be judged.

    Args:
        table: the table.
        game: the game; None if no fact says.
        level: "full", "outcome" or "counts"; None if no opening says.
        opened_at: when it first opened on the day, microseconds UTC; None if it did not.
        closed_at: when it last closed on the day, microseconds UTC; None if it did not.
        rounds: how many rounds opened on the day.
        judged: how many of them are not unknown.
        wagers: how many wagers there were; one that outlives its round counts once.
        not_covered: what is not recorded and therefore not judged, for people.
    """

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
    """The decided stakes of a day on one wager and pick.

    Args:
        game: the game.
        paytable: the filing by whose odds they are paid; None for the chapter's own.
        wager: the wager's name.
        picks: the numbers picked.
        cents: the stakes together.
    """

    game: str
    paytable: FactRef | None
    wager: str
    picks: tuple[int, ...]
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAccount:
    """A table's day in cents: its counts, and what its rounds took and paid.

    None is never zero: it was not counted, or the table does not record it.

    Args:
        table: the table.
        game: the game; None if no fact says.
        level: "full", "outcome" or "counts"; None if no opening says.
        opener_cents: chips counted when the table opened.
        fills_cents: chips delivered.
        credits_cents: chips taken away.
        closer_cents: chips counted when the table closed.
        drop_cents: cash and chips in the boxes; None while one is not counted.
        cash_changed_cents: cash changed for chips.
        coupons: how many coupons the boxes held.
        coupons_cents: their face value.
        by_count_cents: win by count.
        by_rounds_cents: win by rounds.
        stakes: the decided wagers; None where wagers are not recorded.
        awaiting: the boxes that are not counted yet.
        missing: what a win by count lacks, in words.
        owed: which of that the other counts show must exist, in words.
        doubtful: facts of the table are missing or conflict.
        facts: the facts from which the counts were taken.
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
        """Win by count less win by rounds; None while one of them is not known."""
        if self.by_count_cents is None or self.by_rounds_cents is None:
            return None
        return self.by_count_cents - self.by_rounds_cents

    @property
    def wagered_cents(self) -> int | None:
        """The stakes of all decided wagers; None where wagers are not recorded."""
        return None if self.stakes is None else sum(one.cents for one in self.stakes)


@dataclass(frozen=True, slots=True, kw_only=True)
class DayAudit:
    """The audit of one gaming day.

    Args:
        gaming_day: the day.
        tree_size: how many entries the ledger had.
        root: the ledger's root, hexadecimal.
        rulings: by stream, SHA-256 over the rulings of its rounds.
        standing: the status of each chapter's text that day.
        continued: by table, the remark that every citation carries where the text was continued
            elsewhere or has lapsed.
        capture: what each table claimed to record.
        events: how many facts the day has.
        rounds: how many rounds opened on the day.
        unknown_rounds: how many of them are unknown.
        wagers: how many wagers there were.
        findings: the findings in the order of the report.
        accounts: the tables' days in cents.
        amended: the facts of the day that were amended.
        unchecked: how many facts persons recorded when nobody's credential was on the record.
        not_proven: streams with facts of the day of which nothing proves which terminal wrote them.
    """

    gaming_day: date
    tree_size: int
    root: str
    rulings: Mapping[str, bytes]
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
    not_proven: tuple[str, ...] = ()
    marks: Mapping[FactRef, Mark] = field(default_factory=dict)
    """Facts of the day that came after it was closed or that a person added; never hashed."""

    footage: tuple[ObservedRound, ...] = ()
    """The rounds of the day of which somebody looked at a recording."""

    @property
    def digest(self) -> str:
        """SHA-256 over rulings and these very findings, hexadecimal; positions are not in it."""
        return digest(self.rulings, self.findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedDay:
    """What lists show of an audited gaming day; a day with amended facts has none.

    Args:
        gaming_day: the day.
        capture: as of the audit.
        findings: as of the audit.
        accounts: as of the audit.
        marks: as of the audit.
    """

    gaming_day: date
    capture: tuple[TableCapture, ...]
    findings: tuple[Finding, ...]
    accounts: tuple[TableAccount, ...]
    marks: Mapping[FactRef, Mark]

    @property
    def amended(self) -> tuple[Amended, ...]:
        """No fact of the day was amended."""
        return ()

    @classmethod
    def of(cls, audit: DayAudit) -> ListedDay | None:
        """Return what lists show of an audit; None where they show amended facts, too."""
        if audit.amended:
            return None
        return cls(
            gaming_day=audit.gaming_day,
            capture=audit.capture,
            findings=audit.findings,
            accounts=audit.accounts,
            marks=dict(audit.marks),
        )


AuditedDay = DayAudit | ListedDay
"""What a list of a gaming day is made from."""
