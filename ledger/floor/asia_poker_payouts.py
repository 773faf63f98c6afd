"""Asia Poker as this property offers it: wagers, paytables, and what was filed for each table.

Typed from the layouts and the Rules Submissions, apart from the rules engine.
Law: 58 Pa. Code §§ 575.3, 575.5(g), 575.6(b)(6), (d), 575.7(e), 575.11(c), 575.12.
"""

from __future__ import annotations

from dataclasses import field
from typing import Final

from ledger.events import DealMethod, HouseWayStep, StartMethod
from ledger.floor.sic_bo_payouts import Area
from ledger.kernel.quick_dataclass import dataclass

NAME: Final = "Asia Poker"
MAIN: Final = "Asia Poker Wager"
BONUS: Final = "Bonus Wager"
WAGERS: Final = (MAIN, BONUS)
DEALER: Final = "1"
PLAYERS: Final = ("2", "3", "4", "5", "6", "7")
"""From the dealer's far right counterclockwise, as hands are revealed."""

EVEN: Final[tuple[Area, ...]] = ((MAIN, ()),)
MIDDLE: Final[tuple[Area, ...]] = ((BONUS, ()),)
LONG: Final[tuple[Area, ...]] = ((MAIN, ()), (BONUS, ()))

# fmt: off
_TABLE_A: Final = {
    "Three of a kind and four 8s": 5_000, "Five aces": 800, "Royal flush": 200, "Natural straight flush": 80,
    "Straight flush with joker": 40, "Four of a kind": 30, "9-high": 10, "Full house": 5, "Flush": 4,
    "Three of a kind": 3, "Straight": 2,
}
# fmt: on
BONUS_PAYS: Final = {
    "A": _TABLE_A,
    "C": {**_TABLE_A, "Natural straight flush": 50, "Four of a kind": 25},
}
"""Each to 1, by paytable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What the Rules Submission of one table says; the most that a hand is paid is in cents."""

    paytable: str
    deals: DealMethod
    starts: StartMethod
    decks: tuple[tuple[str, str], ...]
    low_straight: bool
    maximum: int
    way_text: str
    way: tuple[HouseWayStep, ...]

    @property
    def pays(self) -> dict[str, int]:
        """Odds of the Bonus Wager by hand."""
        return BONUS_PAYS[self.paytable]


_HIGH_FIRST: Final = ("highest high", "highest medium", "highest low")
_MEDIUM_FIRST: Final = ("highest medium", "highest high", "highest low")

OFFERS: Final = {
    "AP-01": Offer(
        paytable="A", deals=DealMethod.MANUAL_SHOE, starts=StartMethod.SHAKER, decks=(("A", "red"),),
        low_straight=False, maximum=15_000_000, way_text="The highest high hand, then the highest medium hand.",
        way=(HouseWayStep(holding=None, prefer=_HIGH_FIRST),),
    ),
    "AP-02": Offer(
        paytable="C", deals=DealMethod.AUTOMATED_SHOE, starts=StartMethod.GENERATOR,
        decks=(("A", "red"), ("B", "blue")), low_straight=True, maximum=12_500_000,
        way_text="With three pair the highest pair as medium hand, else the highest high hand.",
        way=(
            HouseWayStep(holding="three pair", prefer=_MEDIUM_FIRST),
            HouseWayStep(holding=None, prefer=_HIGH_FIRST),
        ),
    ),
}  # fmt: skip
"""By table."""


def with_main_first(wishes: list[tuple[Area, int]], purse: int) -> list[tuple[Area, int]]:
    """Who wants to play places an Asia Poker Wager, and the Bonus Wager only beside it."""
    stakes = {area[0]: stake for area, stake in wishes}
    if not stakes:
        return []
    main = stakes.get(MAIN) or stakes[BONUS]
    bonus = stakes.get(BONUS, 0)
    if main > purse:
        return []
    chosen = [(EVEN[0], main)]
    if bonus and main + bonus <= purse:
        chosen.append((MIDDLE[0], bonus))
    return chosen


@dataclass(slots=True)
class Deck:
    """A deck in use at a table."""

    name: str
    back: str


@dataclass(slots=True)
class Cards:
    """The cards of a table; ``turn`` says which deck is next, ``serial`` how many came so far."""

    decks: list[Deck] = field(default_factory=list)
    turn: int = 0
    serial: int = 0
    devices_placed: bool = False

    @property
    def deck(self) -> Deck:
        """The deck of the next round."""
        return self.decks[self.turn % len(self.decks)]

    @property
    def resting(self) -> Deck | None:
        """The other one, where two alternate."""
        return self.decks[(self.turn + 1) % 2] if len(self.decks) == 2 else None
