"""A round of play as a list shows it."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from ledger.kernel.quick_dataclass import dataclass
from ledger.rounds.round_status import RoundStatus

if TYPE_CHECKING:
    from ledger.rounds import RoundResult


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundLine:
    """A round as a list shows it: ``RoundResult`` with counts and sums for its parts."""

    round: str
    stream: str
    table: str
    game: str
    gaming_day: date
    opened_at: int
    closed_at: int | None
    status: RoundStatus
    shown: str | None
    unknown_because: str | None
    missing_since: str | None
    wagers: int
    stake_cents: int
    findings: int

    @classmethod
    def of(cls, result: RoundResult) -> RoundLine:
        """Return the line of a round."""
        since = result.missing_since
        return cls(
            round=result.round,
            stream=result.stream,
            table=result.table,
            game=result.game,
            gaming_day=result.gaming_day,
            opened_at=result.opened_at,
            closed_at=result.closed_at,
            status=result.status,
            shown=result.shown,
            unknown_because=result.unknown_because,
            missing_since=since,
            wagers=len(result.wagers),
            stake_cents=sum(wager.stake_cents for wager in result.wagers),
            findings=len(result.findings),
        )
