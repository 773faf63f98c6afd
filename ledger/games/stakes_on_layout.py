"""The wagers on a layout, for a room that asks a few questions of them.

A room that keeps its stakes so can be judged from tables, which know no wager by its id: whatever
answers the same questions can stand in for them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from ledger.events import (
    WagerIncreased,
    WagerMoved,
    WagerPlaced,
    WagerReturned,
    WagerTakenDown,
)
from ledger.games.breach_reporting import stake_after
from ledger.games.named_tuple_change import replace
from ledger.kernel.quick_dataclass import dataclass


class Stake(NamedTuple):
    """A wager on the layout.

    Attributes:
        wager_id, wager, position, cents: its id, its name, where it was placed, its stake.
        fresh: it was placed in this round.
        noted: what the room noted when it was made, in numbers of its own.
    """

    wager_id: str
    wager: str
    position: str | None
    cents: int
    fresh: bool
    noted: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StakesOnLayout:
    """The wagers on the layout.

    Args:
        stakes: one for each wager's id.
    """

    stakes: frozenset[Stake] = frozenset()

    def lies(self, wager: str) -> bool:
        """Whether a wager of this name lies there."""
        return any(stake.wager == wager for stake in self.stakes)

    def of(self, wager_id: str) -> Stake | None:
        """Return the wager with this id, None if none lies there."""
        return next((stake for stake in self.stakes if stake.wager_id == wager_id), None)

    def is_of(self, wager_id: str, wager: str) -> bool:
        """Whether the wager with this id lies there and has this name."""
        stake = self.of(wager_id)
        return stake is not None and stake.wager == wager

    def is_bound(self, position: str | None) -> bool:
        """Whether a wager of this position lies there that was placed in this round."""
        return any(stake.fresh and stake.position == position for stake in self.stakes)

    def named(self, wager: str) -> Iterator[str]:
        """Yield the ids of the wagers of this name, in no order."""
        for stake in self.kept((wager,)).stakes:
            yield stake.wager_id

    def placed(self, event: WagerPlaced, noted: tuple[int, ...] = ()) -> StakesOnLayout:
        """Return them with a new wager, which replaces one with the same id."""
        stake = Stake(event.wager_id, event.wager, event.position, event.stake_cents, True, noted)
        return self._with(stake)

    def takes_away(self, event: WagerIncreased | WagerTakenDown | WagerReturned) -> bool:
        """Whether a wager lies there of which nothing is left after the fact."""
        stake = self.of(event.wager_id)
        return stake is not None and stake_after(stake.cents, event) <= 0

    def changed(self, event: WagerIncreased | WagerTakenDown | WagerReturned) -> StakesOnLayout:
        """Return them with what is left of a wager, of which the fact leaves something."""
        stake = self.of(event.wager_id)
        if stake is None:
            return self
        return self._with(replace(stake, cents=stake_after(stake.cents, event)))

    def without(self, wager_id: str) -> StakesOnLayout:
        """Return all but the wager with this id."""
        return StakesOnLayout(frozenset(each for each in self.stakes if each.wager_id != wager_id))

    def moved(self, event: WagerMoved, noted: tuple[int, ...] = ()) -> StakesOnLayout:
        """Return them with a wager under its new name, made anew there."""
        stake = self.of(event.wager_id)
        if stake is None:
            return self
        return self._with(replace(stake, wager=event.wager, noted=noted))

    def kept(self, wagers: Collection[str]) -> StakesOnLayout:
        """Return the wagers of these names alone."""
        return StakesOnLayout(frozenset(stake for stake in self.stakes if stake.wager in wagers))

    def of_earlier_round(self) -> StakesOnLayout:
        """Return them as a new round finds them: none was placed in it."""
        return StakesOnLayout(frozenset(replace(stake, fresh=False) for stake in self.stakes))

    def fresh(self) -> StakesOnLayout:
        """Return the wagers alone that were placed in this round."""
        return StakesOnLayout(frozenset(stake for stake in self.stakes if stake.fresh))

    def _with(self, stake: Stake) -> StakesOnLayout:
        """Return them with a wager in place of the one with its id."""
        return StakesOnLayout(self.without(stake.wager_id).stakes | {stake})


NO_STAKES: Final = StakesOnLayout()
"""No wager lies on the layout."""
