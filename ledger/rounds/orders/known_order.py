"""Which of two facts came first, where more than their clocks shows it.

A wager is placed before anything else happens to it; one that still lies there when a round has
surely opened is not of the round before. Where clocks may be off by longer than the steps of a
round take, facts are assigned to rounds, and rounds to the hours of a table, as they were recorded.
Readings: clock-drift.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ledger import events
from ledger.house.clocks import Clocks
from ledger.kernel import FactRef, ref_of
from ledger.rounds.placed import COUPON_FACTS, WAGER_FACTS, is_of_wager

PLAYED: Final = frozenset(
    {
        *(
            events.BettingOpened,
            events.NoMoreBetsAnnounced,
            events.DiceThrown,
            events.DiceThrownByHand,
            events.PlayerShook,
        ),
        *(
            events.RollCalled,
            events.NoRollCalled,
            events.ResultAnnounced,
            events.WheelSpun,
            events.SpinCalled,
            events.SpinVoided,
        ),
        *(
            events.DealBegan,
            events.CardsDealt,
            events.HandSet,
            events.HandExposed,
            events.RoundVoided,
        ),
        *(events.TableOpened, events.TableClosed),
        *WAGER_FACTS,
        *COUPON_FACTS,
    }
)
"""The facts of play, and those that open and close a table for it."""
ENDED: Final = frozenset({events.WagerSettled, events.WagerReturned, events.WagerTakenDown})
"""The facts after which a wager may be gone from the layout."""
FRAMING: Final = (
    (WAGER_FACTS - {events.WagerSettled})
    | COUPON_FACTS
    | {events.BettingOpened, events.TableOpened, events.TableClosed}
)
"""The facts that are assigned to a round, or begin or end one."""
WIDE: Final = 10_000_000
"""Clocks with more than this joint uncertainty, in microseconds, cannot order a round's steps."""


def known(clocks: Clocks, first: events.Fact, later: events.Fact) -> bool:
    """Whether a fact surely came before another that follows it in the record."""
    before, after = type(first), type(later)
    if (
        isinstance(first, events.WagerPlaced)
        and is_of_wager(later)
        and first.wager_id == later.wager_id
    ):
        return True
    apart = clocks.apart(first, later)
    if apart is None:
        return True
    framed = before in PLAYED and after in PLAYED and (before in FRAMING or after in FRAMING)
    return framed and apart[1] > WIDE


def lying(opened: events.Fact, coming: Iterable[events.Fact]) -> set[FactRef]:
    """Return the keys of facts about wagers placed before a round opened that still lie there then.

    Args:
        opened: the fact by which betting opened; nothing follows from any other fact.
        coming: the facts that may have preceded it by the clocks, in merged order.
    """
    if type(opened) is not events.BettingOpened:
        return set()
    placed: dict[str, set[FactRef]] = {}
    for fact in coming:
        if not is_of_wager(fact):
            continue
        if isinstance(fact, events.WagerPlaced):
            placed[fact.wager_id] = {ref_of(fact)}
        elif type(fact) in ENDED:
            placed.pop(fact.wager_id, None)
        elif fact.wager_id in placed:
            placed[fact.wager_id].add(ref_of(fact))
    return set().union(*placed.values())
