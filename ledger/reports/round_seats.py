"""A round by seat: who sat there, what lay there, what it came to beside what was due."""

from __future__ import annotations

from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.round_page import net
from ledger.reports.round_view import RoundView
from ledger.rounds import Outcome, WagerResult


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatLine:
    """One seat of a round; amounts in cents, from the patron's side, None where one is unknown.

    Attributes:
        seat: the position; None where none was recorded.
        patrons: who had wagers there.
        wagers: how many.
        stake_cents: all stakes.
        due_cents: what the patron is up by the rules.
        settled_cents: what he is up as the house did it.
    """

    seat: str | None
    patrons: tuple[str, ...]
    wagers: int
    stake_cents: int
    due_cents: int | None
    settled_cents: int | None

    @property
    def difference_cents(self) -> int | None:
        """What the house gave more than was due; None where either is unknown."""
        if self.due_cents is None or self.settled_cents is None:
            return None
        return self.settled_cents - self.due_cents


def seats_of(seen: RoundView) -> list[SeatLine]:
    """Return the seats that have wagers in a round, in order; last, wagers without a seat."""
    by_seat: dict[str | None, list[WagerResult]] = {}
    for wager in seen.result.wagers:
        by_seat.setdefault(wager.position or None, []).append(wager)
    order = sorted(by_seat, key=lambda seat: (seat is None, len(seat or ""), seat or ""))
    return [_line(seat, by_seat[seat]) for seat in order]


def _line(seat: str | None, wagers: list[WagerResult]) -> SeatLine:
    return SeatLine(
        seat=seat,
        patrons=tuple(dict.fromkeys(wager.patron for wager in wagers if wager.patron)),
        wagers=len(wagers),
        stake_cents=sum(wager.stake_cents for wager in wagers),
        due_cents=_sum([_due(wager) for wager in wagers]),
        settled_cents=_sum([net(wager.observed) if wager.observed else 0 for wager in wagers]),
    )


def _due(wager: WagerResult) -> int | None:
    """What a patron is up by a wager; nothing while it stands."""
    return 0 if wager.expected.outcome is Outcome.STANDS else net(wager.expected)


def _sum(amounts: list[int | None]) -> int | None:
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if len(known) == len(amounts) else None
