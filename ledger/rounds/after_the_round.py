"""A round that has ended, and what comes for its wagers afterwards.

A wager that is paid just after the next betting opened belongs to its own round: it was settled,
and the result of the next round was not yet known. So does a second payment, a correction that
takes chips back, and a coupon. A round is therefore kept back until the next round ends, or, where
none follows, until the gaming day ends; what comes for it later is out of order.
Law: §§ 539.4(c), 689.2(c), 577.6(f), 575.11(f), 668a.3(i) through the rooms' rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeGuard

from ledger.events import CouponAccepted, CouponRefused, Fact, WagerPlaced, WagerSettled
from ledger.games.room import Breach
from ledger.house import TableHouse
from ledger.kernel import Certainty, parse_round_id, ref_of
from ledger.replay import FactStep
from ledger.rounds.coupon_desk import CouponDesk
from ledger.rounds.placed import WAGER_FACTS, Moment, WagerFact, is_of_coupon
from ledger.rounds.result import RoundResult
from ledger.rounds.round import Round
from ledger.rounds.wager_timing import was_early

OF_LAID: Final = WAGER_FACTS - {WagerPlaced}
"""The facts of a wager that can come after the fact that placed it."""
LAID_ANEW: Final = frozenset({CouponAccepted, CouponRefused})
"""The facts that lay a coupon with a wager; the coupon may have been given back before."""
ENDED: Final = Moment(betting=False, knowable=True, shown=-1)
"""The moment of a fact after the end of its round: a chip is then no longer refused at once."""


def is_of_laid(fact: Fact) -> TypeGuard[WagerFact]:
    """Whether a fact is of a wager that an earlier fact placed."""
    return type(fact) in OF_LAID


def is_of_late(desk: CouponDesk, open_round: Round | None, late: Round, fact: Fact) -> bool:
    """Whether a fact belongs to a wager of the round before, or to a coupon with such a wager.

    Args:
        desk: knows the coupons of both rounds.
        open_round: the round under way; None between rounds. Its own wagers go first.
        late: the round that ended before it.
        fact: any fact of the table.
    """
    if (is_of_laid(fact) or is_of_coupon(fact)) and fact.wager_id is not None:
        known = open_round.book.wagers if open_round is not None else {}
        return fact.wager_id in late.book.wagers and fact.wager_id not in known
    if not is_of_coupon(fact) or type(fact) in LAID_ANEW:
        return False
    return desk.knows(late, fact) and (open_round is None or not desk.knows(open_round, fact))


def settled_late(late: Round, house: TableHouse, fact: WagerFact) -> Sequence[Breach]:
    """Follow a fact of a wager that came after its round had ended, and return what it breaks."""
    if isinstance(fact, WagerSettled):
        early = [*was_early(late, fact)] if late.early else []
        return [*early, *late.book.settle(late.rules, fact)]
    return late.book.take(late.rules, house, fact, ENDED)


def unsure_if_unsettled(breach: Breach) -> Breach:
    """Make a missing settlement unknown, for a round since whose end facts were lost.

    Any other breach is returned as it is.
    """
    if breach.duty.code != "wager_unsettled":
        return breach
    return replace(breach, certainty=Certainty.UNKNOWN, effect_cents=None)


def steps_of(
    result: RoundResult, before: Sequence[FactStep], steps: Sequence[FactStep]
) -> list[FactStep]:
    """Return the facts of a round from its first on, then those of its wagers since it ended.

    Args:
        result: what the round came to.
        before: the facts that came before the next round opened; none where none has.
        steps: the facts since then.
    """
    opened, afterwards = parse_round_id(result.round), set(result.afterwards)
    own: list[FactStep] = []
    for part in (before, steps):
        first = next((n for n, step in enumerate(part) if ref_of(step.fact) == opened), None)
        if first is not None:
            own = [*part[first : first + result.facts - len(afterwards)]]
    return [*own, *(step for step in (*before, *steps) if ref_of(step.fact) in afterwards)]
