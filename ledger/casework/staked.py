"""The law of a round's win given the wagers really made, and of many rounds together.

All wagers that one outcome decides form one variable; its law is found by enumeration over the
room's outcomes and the odds in force, summed in whole parts of a cent. Amounts are cents, signed
for patrons: what they win less what they lose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from math import lcm
from typing import Any, Final, TypeAlias

from ledger.games import BY_GAME
from ledger.games.chances import Outcomes, outcomes_of
from ledger.games.room import Rules, rules_on
from ledger.house import Office
from ledger.house.office import as_filed
from ledger.kernel import FactRef
from ledger.rounds import Outcome, RoundResult, RoundStatus, WagerResult

ONE_OUTCOME: Final = frozenset({"Sic Bo", "Dreamcatcher"})
"""Games in which one outcome decides all wagers of a round. In the others stakes may be added when
part of the outcome is known, or a wager's chance hangs on how people play."""

TRIMMED: Final = 1e-15
"""Chance cut off at each end after a convolution; the sum of all cuts is below 1e-10."""
MOST_PLACES: Final = 1 << 21
Array: TypeAlias = Any
"""An array of numpy, which is loaded when one is made."""


@dataclass(frozen=True, slots=True)
class RoundLaw:
    """A round's variable: what came, its mean, bounds and spread, in cents for patrons.

    ``high`` is None where a factor on the odds or a payout limit makes it unknown; the mean is then
    at most as stated. ``nets`` are the sums by outcome, in ``1/parts`` of a cent and without such a
    factor, ``chances`` those of the outcomes.
    """

    stake_cents: int
    came: float
    mean: float
    low: float
    high: float | None
    spread: float
    nets: Array
    chances: Array
    parts: int


@dataclass(frozen=True, slots=True)
class _Priced:
    """Picks of one filing, by outcome: what a cent wins and loses, in ``1/parts`` of a cent."""

    rules: Rules
    outcomes: Outcomes
    chances: Array
    factors: Array
    parts: int
    place: Mapping[Any, int]
    picks: dict[tuple[str, tuple[int, ...]], tuple[Array, Array] | None] = field(
        default_factory=dict
    )

    @property
    def bounded(self) -> bool:
        """Whether nothing but the outcome says what a wager wins."""
        filed = self.rules.filed
        limited = filed is not None and filed.payout_limit_cents is not None
        return not limited and all(factor == 1 for _, _, factor in self.outcomes)

    def of(self, name: str, picks: tuple[int, ...]) -> tuple[Array, Array] | None:
        """A pick by outcome; None where it has no figure."""
        if (name, picks) not in self.picks:
            self.picks[name, picks] = self._price(name, picks)
        return self.picks[name, picks]

    def _price(self, name: str, picks: tuple[int, ...]) -> tuple[Array, Array] | None:
        import numpy as np

        wager = self.rules.wagers.get(name)
        if wager is None or picks not in wager.picks or name in self.rules.room.unpriced:
            return None
        if not getattr(wager.wins_on, "is_known", True):
            return None
        lines, size = self.rules.payouts[name], len(self.outcomes)
        wins, loses = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
        for at, (shown, _, _) in enumerate(self.outcomes):
            if wager.wins_on(shown, picks):
                line = next(line for line in lines if line.payout.on(shown, picks))
                wins[at] = int(line.odds.ratio * self.parts)
            else:
                loses[at] = self.parts
        return wins, loses


@dataclass(slots=True)
class Laws:
    """Laws of rounds; the rules of each filing are joined once, and each pick priced once."""

    office: Office
    _known: dict[tuple[str, date, FactRef | None], _Priced | None] = field(default_factory=dict)

    def why_not(self, result: RoundResult) -> str:
        """Why a round is left out; empty where it counts."""
        if result.game not in ONE_OUTCOME:
            return "a game without one outcome for all wagers"
        if result.status is not RoundStatus.SETTLED or result.outcome is None:
            return f"the round is {result.status.value}"
        if any(one.expected.outcome is Outcome.UNKNOWN for one in result.wagers):
            return "what a wager came to is not known"
        if any(one.coupons for one in result.wagers):
            return "a coupon lay with a wager"
        return ""

    def of(self, result: RoundResult, wagers: Sequence[WagerResult]) -> RoundLaw | None:
        """The variable of these wagers of a round; None where it cannot be told."""
        under = (result.game, result.gaming_day, result.paytable)
        if under not in self._known:
            self._known[under] = self._under(*under)
        known = self._known[under]
        decided = [w for w in wagers if w.expected.outcome in (Outcome.WON, Outcome.LOST)]
        at = known.place.get(result.outcome) if known is not None else None
        if known is None or at is None or not decided:
            return None
        win: Array = 0
        lose: Array = 0
        for one in decided:
            priced = known.of(one.wager, one.picks)
            if priced is None:
                return None
            win, lose = win + one.stake_cents * priced[0], lose + one.stake_cents * priced[1]
        factor = max(one.factor for one in decided)
        stake = sum(one.stake_cents for one in decided)
        return _summed(known, stake, (win, lose), at, factor)

    def _under(self, game: str, day: date, paytable: FactRef | None) -> _Priced | None:
        import numpy as np

        submission = None if paytable is None else self.office.submissions.get(paytable)
        if game not in BY_GAME or (paytable is not None and submission is None):
            return None
        rules = rules_on(BY_GAME[game], day, as_filed(submission) if submission else None)
        outcomes = outcomes_of(BY_GAME[game], rules)
        parts = lcm(
            *(line.odds.ratio.denominator for lines in rules.payouts.values() for line in lines)
        )
        return _Priced(
            rules=rules,
            outcomes=outcomes,
            chances=np.array([float(chance) for _, chance, _ in outcomes]),
            factors=np.array([float(factor) for _, _, factor in outcomes]),
            parts=parts,
            place={one[0]: at for at, one in enumerate(outcomes)},
        )


def _summed(
    known: _Priced, stake: int, sides: tuple[Array, Array], at: int, factor: int
) -> RoundLaw:
    win, lose = sides
    on_average = (win * known.factors - lose) / known.parts
    mean = float((on_average * known.chances).sum())
    nets = win - lose
    return RoundLaw(
        stake_cents=stake,
        came=float(win[at] * factor - lose[at]) / known.parts,
        mean=mean,
        low=float(nets.min()) / known.parts,
        high=float(nets.max()) / known.parts if known.bounded else None,
        spread=max(float((on_average**2 * known.chances).sum()) - mean * mean, 0.0) ** 0.5,
        nets=nets,
        chances=known.chances,
        parts=known.parts,
    )


# --- many rounds together -------------------------------------------------------------------------


def chances_of(laws: Sequence[RoundLaw]) -> tuple[float, float] | None:
    """The chances that independent rounds sum to at most, and at least, what came.

    The laws are convolved two by two (by FFT where they are long) on the coarsest grid on which all
    of them lie; None where that grid is too fine to hold. Right to about 1e-10, no better.
    """
    import numpy as np

    parts = lcm(*(law.parts for law in laws))
    nets = [law.nets * (parts // law.parts) for law in laws]
    lows = [int(net.min()) for net in nets]
    unit = (
        int(np.gcd.reduce([int(np.gcd.reduce(n - low)) for n, low in zip(nets, lows, strict=True)]))
        or 1
    )
    grids: list[tuple[Array, int]] = []
    for law, net, low in zip(laws, nets, lows, strict=True):
        places = (net - low) // unit
        if int(places.max()) >= MOST_PLACES:
            return None
        grids.append((np.bincount(places, weights=law.chances), 0))
    whole, shift = _convolved(grids)
    came = sum(round(law.came * parts) for law in laws)
    at = (came - sum(lows)) // unit - shift
    below = float(whole[: at + 1].sum()) if at >= 0 else 0.0
    above = float(whole[max(at, 0) :].sum()) if at < len(whole) else 0.0
    return min(below, 1.0), min(above, 1.0)


def _convolved(grids: list[tuple[Array, int]]) -> tuple[Array, int]:
    """All laws together, and where the grid now begins; what cannot matter is cut off."""
    while len(grids) > 1:
        paired = [
            _cut(convolve(one, other), low + then)
            for (one, low), (other, then) in zip(grids[::2], grids[1::2], strict=False)
        ]
        grids = paired + ([grids[-1]] if len(grids) % 2 else [])
    return grids[0]


def convolve(one: Array, other: Array) -> Array:
    """The law of the sum of two independent variables on one grid."""
    import numpy as np

    if min(len(one), len(other)) < 64:
        return np.convolve(one, other)
    size = len(one) + len(other) - 1
    whole = 1 << (size - 1).bit_length()
    both = np.fft.irfft(np.fft.rfft(one, whole) * np.fft.rfft(other, whole), whole)[:size]
    return np.maximum(both, 0.0)


def _cut(grid: Array, low: int) -> tuple[Array, int]:
    import numpy as np

    first = int(np.searchsorted(np.cumsum(grid), TRIMMED))
    last = len(grid) - int(np.searchsorted(np.cumsum(grid[::-1]), TRIMMED))
    return grid[first:last], low + first
