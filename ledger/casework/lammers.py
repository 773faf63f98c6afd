"""How the Six Eight Shake of a Props & Hops table stands before each roll, from its rounds.

The wager stands over many rolls, and each roll moves what it is worth: it is followed roll by roll,
so that every roll decides exactly one variable. Law: § 668a.2(f)(8). Reading: shake-joins-fresh.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from ledger.games.dice import Faces
from ledger.games.props_and_hops.terms import LAMMERS, Roll, Sequence
from ledger.games.props_and_hops.wagers import SIX_EIGHT_SHAKE, chance_to_complete, sequence_after
from ledger.kernel import parse_round_id
from ledger.rounds import Outcome, RoundResult, RoundStatus, WagerResult

NOT_FOLLOWED: Final = "which lammers of a Six Eight Shake were collected is not known"
JOINED: Final = "a Six Eight Shake joined a sequence under way"


class Before(NamedTuple):
    """Before a roll: lammers collected, the wagers that stood over, and why that is not known."""

    lammers: frozenset[Faces] = frozenset()
    over: frozenset[str] = frozenset()
    why: str = ""


@dataclass(slots=True)
class Followed:
    """One table's lammers; None: not known. ``stakes`` are of the wagers that stood over."""

    lammers: frozenset[Faces] | None = None
    stakes: dict[str, int] = field(default_factory=dict)
    joined: set[str] = field(default_factory=set)

    def take(self, result: RoundResult) -> Before:
        """How it stood when this roll came; the next round is asked after it."""
        mine = [one for one in result.wagers if one.wager == SIX_EIGHT_SHAKE]
        standing = [one for one in mine if one.expected.outcome is not Outcome.RETURNED]
        before = self._before(result, mine, standing)
        self._after(result, before, standing)
        return before

    def _before(
        self, result: RoundResult, mine: list[WagerResult], standing: list[WagerResult]
    ) -> Before:
        opened = parse_round_id(result.round)
        early = {
            one.wager_id
            for one in mine
            if one.wager_id in self.stakes
            or (one.placed.stream == opened.stream and one.placed.seq < opened.seq)
        }
        over = frozenset(one.wager_id for one in standing if one.wager_id in early)
        if not standing or not early:
            return Before()
        if self.lammers is None or not over <= self.stakes.keys() or not over:
            return Before(over=over, why=NOT_FOLLOWED)
        if self.lammers:
            self.joined |= {
                one.wager_id
                for one in standing
                if one.stake_cents > self.stakes.get(one.wager_id, 0)
            }
        if self.joined & {one.wager_id for one in standing}:
            return Before(self.lammers, over, JOINED)
        return Before(self.lammers, over)

    def _after(self, result: RoundResult, before: Before, standing: list[WagerResult]) -> None:
        rolled = result.outcome if isinstance(result.outcome, Roll) else None
        self.stakes = {
            one.wager_id: one.stake_cents
            for one in standing
            if one.expected.outcome in (Outcome.STANDS, Outcome.UNKNOWN)
        }
        self.joined &= self.stakes.keys()
        if rolled is None or result.status is not RoundStatus.SETTLED:
            self.lammers = None
        elif rolled.sequence is not Sequence.GOES_ON or not self.stakes:
            self.lammers = frozenset()
        elif before.why == NOT_FOLLOWED:
            self.lammers = None
        else:
            self.lammers = before.lammers | ({rolled.faces} & LAMMERS)


def worth(lammers: frozenset[Faces], pays: float) -> float:
    """What a stake of 1 wins less what it loses on average, once these lammers are collected."""
    return float(chance_to_complete(lammers)) * (1 + pays) - 1


def after(lammers: frozenset[Faces], faces: Faces, pays: float) -> float:
    """The same after a roll of these faces: won, lost, or standing with what it is then worth."""
    match sequence_after(lammers, faces, LAMMERS):
        case Sequence.LOST:
            return -1.0
        case Sequence.COMPLETED:
            return pays
        case _:
            return worth(lammers | ({faces} & LAMMERS), pays)
