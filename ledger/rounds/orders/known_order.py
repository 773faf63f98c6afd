"""Which of two facts came first, where that is known by more than their clocks.

A wager is placed before anything else befalls it; one that still lies when a round has surely
opened is not one of the round before. Sheets whose clocks may be off by longer than the steps of a
round are joined to rounds, and rounds to the hours of a table, as they were recorded.
Readings: clock-drift.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from ledger import events
from ledger.house.clocks import Clocks
from ledger.kernel import FactRef, ref_of
from ledger.rounds.placed import COUPON_FACTS, WAGER_FACTS

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
"""The facts of play, and those between which a table is open for it."""
ENDED: Final = frozenset({events.WagerSettled, events.WagerReturned, events.WagerTakenDown})
"""The facts after which a wager may lie no longer."""
FRAMING: Final = (
    (WAGER_FACTS - {events.WagerSettled})
    | COUPON_FACTS
    | {events.BettingOpened, events.TableOpened, events.TableClosed}
)
"""The facts that are joined to a round, or begin or end one."""
WIDE: Final = 10_000_000
"""A joint uncertainty, in microseconds, that no longer tells the steps of a round apart."""


def known(clocks: Clocks, first: Any, later: Any) -> bool:
    """Whether a fact surely came before another that follows it in the record."""
    before, after = type(first), type(later)
    if before is events.WagerPlaced and after in WAGER_FACTS and first.wager_id == later.wager_id:
        return True
    apart = clocks.apart(first, later)
    if apart is None:
        return True
    framed = before in PLAYED and after in PLAYED and (before in FRAMING or after in FRAMING)
    return framed and apart[1] > WIDE


def lying(opened: events.Fact, coming: Iterable[Any]) -> set[FactRef]:
    """The facts to come of wagers that were placed after a round opened and still lie then.

    Args:
        opened: by which betting opened; of any other fact nothing follows.
        coming: what may have preceded it, as far as the clocks go.
    """
    if type(opened) is not events.BettingOpened:
        return set()
    placed: dict[str, set[FactRef]] = {}
    for fact in coming:
        kind, ref = type(fact), ref_of(fact)
        if kind is events.WagerPlaced:
            placed[fact.wager_id] = {ref}
        elif kind in ENDED:
            placed.pop(fact.wager_id, None)
        elif kind in WAGER_FACTS and fact.wager_id in placed:
            placed[fact.wager_id].add(ref)
    return set().union(*placed.values())
