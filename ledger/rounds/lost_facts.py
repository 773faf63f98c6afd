"""A round in which facts were lost: what it came to before, and what shows another round after.

If every wager of a decided round was settled before facts were lost, the round stands as it is:
the missing facts could only have added to it (another wager, a second payment, a correction, a call
that took the result back), and the result says since when they are missing. If a gap swallowed the
opening of the next round, the next announcement, wager, throw, or settlement of a wager that the
round does not know shows that there is one; it is unknown and named by that fact.
Law: the Ledger contract, L.4.
"""

from __future__ import annotations

from typing import Final

from ledger import events
from ledger.games.room import ByPosition, Decided, Returned
from ledger.rounds.after_the_round import is_of_laid
from ledger.rounds.placed import is_of_coupon
from ledger.rounds.round import Round
from ledger.rounds.settle import stands_over

BEGINS: Final = frozenset(
    {
        *(
            events.NoMoreBetsAnnounced,
            events.WagerPlaced,
            events.DiceThrown,
            events.DiceThrownByHand,
            events.PlayerShook,
        ),
        *(events.WheelSpun, events.DealBegan, events.CardsDealt),
    }
)
"""The facts that can no longer belong to a decided round, however far it is settled."""
RESULTS: Final = frozenset({events.RollCalled, events.SpinCalled, events.ResultAnnounced})
"""Announcements of a result: no longer of a round once all of its wagers are settled."""
CALLED_OFF: Final = frozenset({events.NoRollCalled, events.RoundVoided, events.SpinVoided})
"""The facts that may revoke the outcome of a round."""


def is_decided(round_: Round) -> bool:
    """Whether a round has an outcome by which its wagers are settled."""
    return isinstance(round_.resolution, Decided | ByPosition | Returned)


def is_settled(round_: Round) -> bool:
    """Whether a decided round has nothing left to settle and at least one settlement."""
    lying = [wager for wager in round_.book.wagers.values() if wager.gone is None]
    return any(wager.settled for wager in lying) and all(
        wager.settled or stands_over(round_.resolution, wager) for wager in lying
    )


def shows_another(round_: Round, fact: events.Fact) -> bool:
    """Whether a fact after a gap belongs to another round than the one decided before the gap."""
    kind = type(fact)
    if kind in BEGINS or (round_.settled_before_gap and kind in RESULTS):
        return True
    if is_of_laid(fact):
        return fact.wager_id not in round_.book.wagers
    return (
        is_of_coupon(fact) and fact.wager_id is not None and fact.wager_id not in round_.book.wagers
    )
