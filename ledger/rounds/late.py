"""A round that the next one follows before its wagers are settled, and what comes for it then.

A wager that is paid just after the next betting opened belongs to its own round: it was settled,
and not before the result of the next. Such a round is handed out once its wagers are settled, at
the latest when the next round ends.
Law: §§ 539.4(c), 689.2(c), 577.6(f), 575.11(f) through the rooms' rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from ledger.events import Fact, WagerReturned, WagerSettled
from ledger.games.room import Breach
from ledger.house import TableHouse
from ledger.kernel import Certainty, ref_of
from ledger.replay import FactStep
from ledger.rounds.book import Moment
from ledger.rounds.coupons import COUPON_FACTS, Desk
from ledger.rounds.moments import was_early
from ledger.rounds.result import RoundResult
from ledger.rounds.round import Round

SETTLES: Final = frozenset({WagerSettled, WagerReturned})
DECIDED: Final = Moment(betting=False, knowable=True)


def awaited(now: Round) -> bool:
    """Whether a wager of a decided round lies there that was not settled yet."""
    return now.resolution is not None and any(
        wager.gone is None and wager.lifted is None and not wager.settled
        for wager in now.book.wagers.values()
    )


def is_of_late(desk: Desk, now: Round | None, late: Round, fact: Any) -> bool:
    """Whether a fact settles a wager of the round before, or is of a coupon with one."""
    kind = type(fact)
    if kind in SETTLES or (kind in COUPON_FACTS and fact.wager_id is not None):
        known = now.book.wagers if now is not None else {}
        return fact.wager_id in late.book.wagers and fact.wager_id not in known
    if kind not in COUPON_FACTS:
        return False
    return desk.knows(late, fact) and (now is None or not desk.knows(now, fact))


def settled_late(late: Round, house: TableHouse, fact: Fact) -> Sequence[Breach]:
    """Follow a settlement that came after the next betting opened."""
    if isinstance(fact, WagerSettled):
        early = [*was_early(late, fact)] if late.early else []
        return [*early, *late.book.settle(late.rules, fact)]
    assert isinstance(fact, WagerReturned)
    return late.book.take(late.rules, house, fact, DECIDED)


def unsure_if_unsettled(breach: Breach) -> Breach:
    """A wager of which no settlement is on record, where facts were lost since."""
    if breach.duty.code != "wager_unsettled":
        return breach
    return replace(breach, certainty=Certainty.UNKNOWN, effect_cents=None)


def steps_of(
    result: RoundResult, before: Sequence[FactStep], steps: Sequence[FactStep]
) -> list[FactStep]:
    """The facts of a round: those ``before`` the next, where it awaited settlements, and later."""
    if result.round not in [str(ref_of(step.fact)) for step in before]:
        return [*steps]
    wagers = {wager.wager_id for wager in result.wagers}
    return [*before, *(step for step in steps if getattr(step.fact, "wager_id", None) in wagers)]
