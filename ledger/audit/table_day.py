"""What one table adds to the audit of a gaming day."""

from __future__ import annotations

from dataclasses import field

from ledger.audit.ledger_contract import FOREVER
from ledger.audit.result import TableAccount, TableCapture
from ledger.kernel import FactRef, Finding
from ledger.kernel.quick_dataclass import dataclass
from ledger.rounds import Post


@dataclass(slots=True)
class TableDay:
    """One table's share of the audit of a day.

    Args:
        table: the table.
        events: how many facts it has in the day.
        rounds: how many rounds opened on the day.
        unknown_rounds: how many of them are unknown.
        wagers: how many wagers there were; one that outlives its round counts once.
        findings: its findings.
        rulings: by stream, SHA-256 over its rounds' rulings in order.
        opened: when each round opened (microseconds UTC), and its id.
        capture: what it claimed to record.
        standing: the status of the texts that day, by chapter.
        continued: the remark that citations carry; None while the text is in force.
        posts: who supervised it, since when.
        account: its day in cents; None where it was closed and nothing was counted.
    """

    table: str
    events: int = 0
    rounds: int = 0
    unknown_rounds: int = 0
    wagers: int = 0
    findings: list[Finding] = field(default_factory=list)
    rulings: dict[str, bytes] = field(default_factory=dict)
    opened: list[tuple[int, str]] = field(default_factory=list)
    capture: TableCapture | None = None
    standing: dict[str, str] = field(default_factory=dict)
    continued: str | None = None
    posts: list[Post] = field(default_factory=list)
    account: TableAccount | None = None
    after: list[FactRef] = field(default_factory=list)
    """Facts after the day's end up to the end of its last round: they affect the day too."""
    unchecked: int = 0
    """Facts that a person recorded when nobody's credential was on the record."""
    reach: int = FOREVER
    """The last merge time (microseconds UTC) up to which its facts were read; ``FOREVER``: to the
    end of its streams, so that any further fact may bear on the day."""
