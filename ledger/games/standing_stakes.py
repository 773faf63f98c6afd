"""Which wagers of a round still stand, for a room that asks no more than whether any does.

A room that keeps its stakes so can be judged from tables, which know no wager by its id
(``ledger/rounds/in_order``): there the stakes are followed and nobody may ask.
"""

from __future__ import annotations

from ledger.events import WagerIncreased, WagerPlaced, WagerReturned, WagerTakenDown
from ledger.games.breach_reporting import stake_after
from ledger.kernel.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class StandingStakes:
    """The wagers that stand.

    Args:
        by_wager: each wager's id with its cents, all of them above zero.
    """

    by_wager: frozenset[tuple[str, int]] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.by_wager)

    def after(
        self, event: WagerPlaced | WagerIncreased | WagerTakenDown | WagerReturned
    ) -> StandingStakes:
        """Return what stands after a fact of a wager; what is handed back goes altogether."""
        stakes = dict(self.by_wager)
        cents = stakes.get(event.wager_id, 0)
        match event:
            case WagerPlaced():
                cents += event.stake_cents
            case WagerReturned():
                cents = 0
            case _:
                cents = stake_after(cents, event)
        stakes[event.wager_id] = cents
        return StandingStakes(frozenset((name, rest) for name, rest in stakes.items() if rest > 0))


NOTHING_STANDS = StandingStakes()
"""No wager stands, as a round begins."""
