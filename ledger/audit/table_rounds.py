"""What a day keeps of a table's rounds: counts, findings, stakes, and a hash of their rulings."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import field
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from ledger.audit.accounts import Account
from ledger.audit.digest import ruling
from ledger.kernel import FactRef, Finding
from ledger.kernel.quick_dataclass import dataclass
from ledger.rounds import RoundResult, RoundStatus

if TYPE_CHECKING:
    from ledger.rounds.in_order import Stretch


@dataclass(slots=True)
class TableRounds:
    """Adds up a table's rounds as they close.

    Args:
        account: the table's account of the day.
        count: how many rounds there were.
        unknown: how many of them are unknown.
        wagers: how many wagers there were; one that outlives its round counts once.
        findings: their findings.
        opened: when each round opened (microseconds UTC), and its id.
    """

    account: Account
    count: int = 0
    unknown: int = 0
    wagers: int = 0
    findings: list[Finding] = field(default_factory=list)
    opened: list[tuple[int, str]] = field(default_factory=list)
    _running: defaultdict[str, Any] = field(default_factory=lambda: defaultdict(sha256))
    _stood: set[FactRef] = field(default_factory=set)

    def take(self, result: RoundResult) -> None:
        """Take the next round."""
        self.count += 1
        self.unknown += result.status is RoundStatus.UNKNOWN
        self.account.bets(result)
        self.opened.append((result.opened_at, result.round))
        placed = {wager.placed for wager in result.wagers}
        self.wagers += len(placed - self._stood)  # one that outlives its round counts once
        self._stood = placed
        self.findings.extend(result.findings)
        self._running[result.stream].update(ruling(result) + b"\n")

    def take_stretch(self, stretch: Stretch) -> None:
        """Take the next rounds, which were told from tables, without their results."""
        from ledger.audit.stretch_rulings import StretchRulings  # one round is told without it

        run = StretchRulings(stretch)
        self.count += len(stretch)
        self.wagers += run.wagers()
        self._stood = {wager.ref for wager in stretch.left}
        self.opened.extend(run.opened())
        for key, cents in run.stakes():
            self.account.stakes[key] = self.account.stakes.get(key, 0) + cents
        for stream, rulings in run.rulings():
            self._running[stream].update(rulings)

    def rulings(self) -> dict[str, bytes]:
        """Return by stream the SHA-256 over its rounds' rulings in order."""
        return {stream: running.digest() for stream, running in self._running.items()}
