"""Wagers by outcome: what each wins and loses on everything that the equipment can show.

The outcomes are the room's own, exactly, of games over several throws by the room's chain; how much
of one matters is each part's own. Figures are whole parts of a cent by the odds in force.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from functools import cache
from math import lcm
from typing import Any, Final

from ledger.casework.convolved import Array
from ledger.games import BY_GAME
from ledger.games.asia_poker.wagers import HandShown
from ledger.games.chances import OutcomesOf, outcomes_of
from ledger.games.dreamcatcher.terms import ORDER
from ledger.games.dreamcatcher.wagers import FACTORS
from ledger.games.field import Extra, FieldShown
from ledger.games.props_and_hops.terms import Roll
from ledger.games.props_and_hops.terms import Sequence as Shake
from ledger.games.room import Rules, Shown, rules_on
from ledger.house import Office
from ledger.house.office import as_filed
from ledger.kernel import FactRef
from ledger.rounds import WagerResult

GAME: Final = "full game wagers"
PLAYS: Final = "single play wagers"
BY_PLAY: Final = "what it returns hangs on how each player sets the cards, so no law is held"
NOT_FILED: Final = "what wins is for the Rules Submission to say, and none in force says it"
NO_ROW: Final = "no row of the chapter prices it"
MULTIPLIERS: Final = 8
"""More multipliers in a row come with chance below 1e-12."""


@dataclass(frozen=True, slots=True)
class Moments:
    """A sum of wagers, in cents: what came, mean, bounds and spread."""

    came: float
    mean: float
    low: float
    high: float
    spread: float


def seen_by(part: str, shown: Shown) -> Shown:
    """As much of an outcome as the wagers of this part hang on."""
    match shown:
        case FieldShown() if part == GAME:  # no extra point roll: no wager hangs on one
            unrolled = shown.extra is None and shown.game is not None and shown.game.scored
            return replace(shown, play=None, extra=Extra.NOTHING if unrolled else shown.extra)
        case FieldShown():
            return FieldShown(play=shown.play)
        case Roll():
            return Roll(shown.faces, Shake.GOES_ON)
        case HandShown():
            return HandShown(0, False, shown.bonus)
        case _:
            return shown


@dataclass(frozen=True, slots=True)
class Priced:
    """Picks of one filing, by outcome: what a cent wins and loses, in ``1/parts`` of a cent."""

    rules: Rules
    shown: tuple[Shown, ...]
    chances: Array
    factors: Array
    parts: int
    place: Mapping[Any, int]
    picks: dict[tuple[str, tuple[int, ...]], tuple[Array, Array]] = field(default_factory=dict)

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
        for one in wagers:
            won, lost = self.of(one.wager, one.picks)
            win, lose = win + one.stake_cents * won, lose + one.stake_cents * lost
        return win, lose

    def moments(self, sides: tuple[Array, Array], at: int, factor: int) -> Moments:
        """Of such sums, where the outcome ``at`` came with this factor on the odds."""
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
    part: str,
    outcomes: OutcomesOf = outcomes_of,
) -> Priced | None:
    """The wagers of a part of a game under a filing; None where that, or a room, is not known."""
    import numpy as np

    submission = None if paytable is None else office.submissions.get(paytable)
    if game not in BY_GAME or (paytable is not None and submission is None):
        return None
    rules = rules_on(BY_GAME[game], day, as_filed(submission) if submission else None)
    found: dict[Any, tuple[Any, Any]] = {}
    for shown, chance, factor in outcomes(BY_GAME[game], rules):
        key = seen_by(part, shown)
        found[key] = (found.get(key, (0, factor))[0] + chance, factor)
    parts = lcm(
        *(line.odds.ratio.denominator for lines in rules.payouts.values() for line in lines)
    )
    return Priced(
        rules=rules,
        shown=tuple(found),
        chances=np.array([float(chance) for chance, _ in found.values()]),
        factors=np.array([float(factor) for _, factor in found.values()]),
        parts=parts,
        place={shown: at for at, shown in enumerate(found)},
    )


@cache
def multiplied() -> Mapping[int, float]:
    """The chance of each factor on the odds of Dreamcatcher, up to ``MULTIPLIERS`` in a row."""
    chances = {
        factor: float(Fraction(ORDER.count(symbol), len(ORDER)))
        for symbol, factor in FACTORS.items()
    }
    goes_on = {1: 1.0}
    found: dict[int, float] = {}
    for _ in range(MULTIPLIERS + 1):
        then: dict[int, float] = {}
        for factor, chance in goes_on.items():
            found[factor] = found.get(factor, 0.0) + chance * (1 - sum(chances.values()))
            for more, p in chances.items():
                then[factor * more] = then.get(factor * more, 0.0) + chance * p
        goes_on = then
    return found
