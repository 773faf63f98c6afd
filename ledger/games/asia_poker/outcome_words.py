"""What became of the hands, as data and in words.

Law: §§ 575.7(b), 575.11(d), (e), (f), (h).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from ledger.games.asia_poker.terms import LAW
from ledger.games.asia_poker.validity import Accident
from ledger.games.asia_poker.wagers import BonusHand
from ledger.games.outcomes import OutcomeDetail, OutcomeUnknown
from ledger.kernel import value_type


class HandResult(StrEnum):
    """How the wager of a position was decided."""

    ABANDONED = "abandoned"
    SURRENDERED = "surrendered"
    FOULED = "fouled"
    COMPARED = "compared"
    BONUS = "bonus"


@value_type
class HandOutcome:
    """What became of one wager of a position.

    Args:
        result: how it was decided.
        fault: why hands are fouled.
        compared: of the high, the medium and the low hand, whether it is "higher" than the
            dealer's, a "copy" of it or "lower".
        bonus: the bonus hand; None if the cards make none.
    """

    result: HandResult
    fault: Accident | None = None
    compared: tuple[str, ...] = ()
    bonus: BonusHand | None = None

    @property
    def data(self) -> Mapping[str, object]:
        """The result, and what it rests on."""
        return {
            "result": self.result.value,
            "fault": self.fault.name if self.fault is not None else None,
            "compared": list(self.compared),
            "bonus": self.bonus.name if self.bonus is not None else None,
        }


@value_type
class PositionsOutcome:
    """What became of the Asia Poker Wager at each position where that is known.

    Args:
        hands: the positions with the outcome of each, in order.
        in_play: somebody played: by the wagers, or by the hands set if no wagers are recorded.
        wagers_recorded: the table records its wagers.
    """

    hands: tuple[tuple[str, OutcomeDetail], ...]
    in_play: bool
    wagers_recorded: bool

    @property
    def data(self) -> Mapping[str, object]:
        """The positions with the outcome of each."""
        return {
            "positions": {position: hand.data for position, hand in self.hands},
            "in_play": self.in_play,
            "wagers_recorded": self.wagers_recorded,
        }


def outcome_words(detail: OutcomeDetail) -> str:
    """Print the outcome of one wager, or of all positions.

    Raises:
        OutcomeUnknown: it is none of this game.
    """
    match detail:
        case PositionsOutcome():
            hands = "; ".join([f"{at}: {outcome_words(hand)}" for at, hand in detail.hands])
            return hands or _without_hands(detail)
        case HandOutcome(result=HandResult.FOULED, fault=Accident() as fault):
            return f"fouled, {fault}"
        case HandOutcome(result=HandResult.COMPARED, compared=(high, medium, low)):
            return f"high {high}, medium {medium}, low {low}"
        case HandOutcome(result=HandResult.BONUS, bonus=bonus):
            return bonus.value if bonus is not None else "no bonus hand"
        case HandOutcome(result=HandResult.ABANDONED | HandResult.SURRENDERED as result):
            return result.value
        case _:
            raise OutcomeUnknown(LAW.name, detail)


def _without_hands(detail: PositionsOutcome) -> str:
    if detail.in_play:
        return "by position"
    return "no wager lay on the layout" if detail.wagers_recorded else "no hand was set"
