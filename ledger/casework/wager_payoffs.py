"""Wagers by outcome: what each wins and loses on everything that the equipment can show.

The outcomes are the room's own, exactly, of games over several throws by the room's chain; how much
of an outcome matters is each part's own (``Part.hangs_on``). Figures are whole parts of a cent by
the odds in force.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import date
from fractions import Fraction
from functools import cache
from math import lcm
from typing import Final

from ledger.casework.convolution import Array
from ledger.games import BY_GAME
from ledger.games.chances import outcomes_of
from ledger.games.odds import OutcomesOf
from ledger.games.room import Rules, Shown, rules_on
from ledger.games.wager_dependence import Part
from ledger.house import Office
from ledger.house.office import as_filed
from ledger.kernel import FactRef
from ledger.kernel.quick_dataclass import dataclass
from ledger.rounds import WagerResult

BY_PLAY: Final = "what it returns hangs on how each player sets the cards, so no law is held"
NOT_FILED: Final = "what wins is for the Rules Submission to say, and none in force says it"
NO_ROW: Final = "no row of the chapter prices it"
MULTIPLIERS_IN_A_ROW: Final = 8
"""More come with chance below 1e-12."""


@dataclass(frozen=True, slots=True)
class Moments:
    """A sum of wagers, in cents: what came, mean, bounds and spread."""

    came: float
    mean: float
    low: float
    high: float
    spread: float


@dataclass(frozen=True, slots=True)
class Priced:
    """Picks of one filing, by outcome: what a cent wins and loses, in ``1/parts`` of a cent."""

    rules: Rules
    part: Part
    shown: tuple[Shown, ...]
    chances: Array
    factors: Array
    parts: int
    place: Mapping[Shown, int]
    picks: dict[tuple[str, tuple[int, ...]], tuple[Array, Array]] = field(default_factory=dict)

    def place_of(self, shown: Shown) -> int | None:
        """Where an outcome stands, as far as the wagers of the part hang on it; None: nowhere."""
        return self.place.get(self.part.hangs_on(shown))

    def why_not(self, name: str, picks: tuple[int, ...]) -> str:
        """Why a wager has no figure; empty where it has one."""
        wager = self.rules.wagers.get(name)
        if wager is None or picks not in wager.picks:
            return NO_ROW
        if name in self.rules.room.unpriced:
            return BY_PLAY
        return "" if wager.is_known else NOT_FILED

    def of(self, name: str, picks: tuple[int, ...]) -> tuple[Array, Array]:
        """A pick by outcome: won and lost. Only for what ``why_not`` has nothing against."""
        if (name, picks) not in self.picks:
            self.picks[name, picks] = self._price(name, picks)
        return self.picks[name, picks]

    def _price(self, name: str, picks: tuple[int, ...]) -> tuple[Array, Array]:
        import numpy as np

        wins_on, lines = self.rules.wagers[name].wins_on, self.rules.payouts[name]
        size = len(self.shown)
        wins, loses = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
        for at, shown in enumerate(self.shown):
            if wins_on(shown, picks):
                line = next(line for line in lines if line.payout.on(shown, picks))
                wins[at] = int(line.odds.ratio * self.parts)
            else:
                loses[at] = self.parts
        return wins, loses

    def sides(self, wagers: Sequence[WagerResult]) -> tuple[Array, Array]:
        """What wagers win and lose together, by outcome."""
        win: Array = 0
        lose: Array = 0
        for wager in wagers:
            won, lost = self.of(wager.wager, wager.picks)
            win, lose = win + wager.stake_cents * won, lose + wager.stake_cents * lost
        return win, lose

    def moments(self, sides: tuple[Array, Array], at: int, factor: int) -> Moments:
        """Of such sums, where the outcome ``at`` came with this factor on the odds.

        Args:
            sides: what is won and lost on each outcome, whole parts of a cent.
            at: the place of the outcome that came.
            factor: by which it multiplies the odds.
        """
        win, lose = sides
        on_average = (win * self.factors - lose) / self.parts
        mean = float((on_average * self.chances).sum())
        return Moments(
            came=float(win[at] * factor - lose[at]) / self.parts,
            mean=mean,
            low=float((win - lose).min()) / self.parts,
            high=float((win - lose).max()) / self.parts,
            spread=max(float((on_average**2 * self.chances).sum()) - mean * mean, 0.0) ** 0.5,
        )


def priced(
    office: Office,
    game: str,
    day: date,
    paytable: FactRef | None,
    part: Part,
    outcomes: OutcomesOf = outcomes_of,
) -> Priced | None:
    """The wagers of a part of a game under a filing.

    Args:
        office: the house's record, which holds the filings.
        game: the game, as tables are opened with it.
        day: the gaming day whose law holds.
        paytable: the filing in force; None: the chapter's own odds.
        part: the wagers that one outcome decides.
        outcomes: gives a room's outcomes with their exact chances.

    Returns:
        None where the filing is not known, or no room judges the game.
    """
    import numpy as np

    submission = None if paytable is None else office.submissions.get(paytable)
    if game not in BY_GAME or (paytable is not None and submission is None):
        return None
    rules = rules_on(BY_GAME[game], day, as_filed(submission) if submission else None)
    chances: dict[Shown, tuple[Fraction, Fraction]] = {}
    for shown, chance, factor in outcomes(BY_GAME[game], rules):
        outcome = part.hangs_on(shown)
        chances[outcome] = (chances.get(outcome, (0, factor))[0] + chance, factor)
    parts = lcm(
        *(line.odds.ratio.denominator for lines in rules.payouts.values() for line in lines)
    )
    return Priced(
        rules=rules,
        part=part,
        shown=tuple(chances),
        chances=np.array([float(chance) for chance, _ in chances.values()]),
        factors=np.array([float(factor) for _, factor in chances.values()]),
        parts=parts,
        place={shown: at for at, shown in enumerate(chances)},
    )


@cache
def multiplied(multipliers: tuple[tuple[int, Fraction], ...]) -> Mapping[int, float]:
    """The chance of each factor on the odds, up to ``MULTIPLIERS_IN_A_ROW``; not to be changed.

    Args:
        multipliers: each with its chance on one spin, after which another follows.
    """
    chances = {factor: float(chance) for factor, chance in multipliers}
    going_on = {1: 1.0}
    factors: dict[int, float] = {}
    for _ in range(MULTIPLIERS_IN_A_ROW + 1):
        once_more: dict[int, float] = {}
        for factor, chance in going_on.items():
            factors[factor] = factors.get(factor, 0.0) + chance * (1 - sum(chances.values()))
            for more, p in chances.items():
                once_more[factor * more] = once_more.get(factor * more, 0.0) + chance * p
        going_on = once_more
    return factors
