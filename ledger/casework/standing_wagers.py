"""How far a wager that stands over rounds has come before each round, from the rounds of its table.

Each round moves what such a wager is worth: it is followed round by round, so that every outcome
decides exactly one variable.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import field
from typing import NamedTuple

from ledger.games.room import Shown
from ledger.games.wager_dependence import Ended, StandingWager
from ledger.kernel import parse_round_id
from ledger.kernel.quick_dataclass import dataclass
from ledger.rounds import Outcome, RoundResult, RoundStatus, WagerResult


class Before(NamedTuple):
    """Before a round: how far it had come, the wagers that stood over, why that is not known.

    ``collected`` is in the room's own form; None where nothing stood over, or that is not known.
    """

    collected: Hashable = None
    over: frozenset[str] = frozenset()
    why: str = ""


NOTHING_STANDS: Before = Before()


@dataclass(slots=True)
class Followed:
    """One table's standing wagers of one kind.

    ``collected`` None: not known how far they have come. ``stakes`` are of those that stood over.
    """

    wager: StandingWager
    collected: Hashable = None
    stakes: dict[str, int] = field(default_factory=dict)
    joined: set[str] = field(default_factory=set)

    def take(self, result: RoundResult) -> Before:
        """How they stood when this round was decided; the next round is asked after it."""
        laid = [wager for wager in result.wagers if wager.wager == self.wager.wager]
        standing = [wager for wager in laid if wager.expected.outcome is not Outcome.RETURNED]
        before = self._before(result, laid, standing)
        self._after(result, before, standing)
        return before

    def _before(
        self, result: RoundResult, laid: list[WagerResult], standing: list[WagerResult]
    ) -> Before:
        opened = parse_round_id(result.round)
        early = {
            wager.wager_id
            for wager in laid
            if wager.wager_id in self.stakes
            or (wager.placed.stream == opened.stream and wager.placed.seq < opened.seq)
        }
        over = frozenset(wager.wager_id for wager in standing if wager.wager_id in early)
        if not standing or not early:
            return NOTHING_STANDS
        if self.collected is None or not over <= self.stakes.keys() or not over:
            return Before(over=over, why=self.wager.unknown)
        if self.collected != self.wager.start:
            self.joined |= {
                wager.wager_id
                for wager in standing
                if wager.stake_cents > self.stakes.get(wager.wager_id, 0)
            }
        if self.joined & {wager.wager_id for wager in standing}:
            return Before(self.collected, over, self.wager.joined)
        return Before(self.collected, over)

    def _after(self, result: RoundResult, before: Before, standing: list[WagerResult]) -> None:
        self.stakes = {
            wager.wager_id: wager.stake_cents
            for wager in standing
            if wager.expected.outcome in (Outcome.STANDS, Outcome.UNKNOWN)
        }
        self.joined &= self.stakes.keys()
        if result.outcome is None or result.status is not RoundStatus.SETTLED:
            self.collected = None
        elif self.wager.is_over(result.outcome) or not self.stakes:
            self.collected = self.wager.start
        elif before.why == self.wager.unknown:
            self.collected = None
        else:
            begun = self.wager.start if before.collected is None else before.collected
            further = self.wager.after(begun, result.outcome)
            self.collected = None if isinstance(further, Ended) else further


def worth(wager: StandingWager, collected: Hashable, pays: float) -> float:
    """What a stake of 1 wins less what it loses on average, once it has come so far.

    Args:
        wager: the kind of wager that stands over several rounds.
        collected: what the outcomes so far came to, in the form that ``wager.after`` returns.
        pays: what a stake of 1 wins, besides the stake.
    """
    return float(wager.chance(collected)) * (1 + pays) - 1


def worth_after(wager: StandingWager, collected: Hashable, shown: Shown, pays: float) -> float:
    """The same after an outcome: won, lost, or standing with what it is then worth.

    Args:
        wager: the kind of wager that stands over several rounds.
        collected: what the outcomes before this one came to.
        shown: the outcome.
        pays: what a stake of 1 wins, besides the stake.
    """
    match wager.after(collected, shown):
        case Ended.LOST:
            return -1.0
        case Ended.WON:
            return pays
        case further:
            return worth(wager, further, pays)
