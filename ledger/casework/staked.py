"""The law of a round's win given the wagers really made, and of many rounds together.

All wagers that one outcome decides form one variable; its law is found by enumeration over the
room's outcomes and the odds in force, nothing rounded. Amounts are cents, signed for patrons: what
they win less what they lose.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from math import gcd
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

Odds: TypeAlias = tuple[Fraction | None, ...]
TRIMMED: Final = 1e-15
"""Chance cut off at each end after a convolution; the sum of all cuts is below 1e-10."""
MOST_PLACES: Final = 1 << 21


@dataclass(frozen=True, slots=True)
class RoundLaw:
    """A round's variable: what came, its mean, bounds and spread in cents, and its whole law.

    ``high`` and ``law`` are None where a factor on the odds or a payout limit makes them unknown;
    the mean is then at most as stated.
    """

    came: Fraction
    mean: Fraction
    low: Fraction
    high: Fraction | None
    spread: float
    law: Mapping[Fraction, Fraction] | None


@dataclass(slots=True)
class Laws:
    """Laws of rounds; the rules of each filing are joined once, and each pick priced once."""

    office: Office
    _rules: dict[tuple[str, date, FactRef | None], tuple[Rules, Outcomes] | None] = field(
        default_factory=dict
    )
    _priced: dict[tuple[Any, ...], Odds] = field(default_factory=dict)

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
        if under not in self._rules:
            self._rules[under] = self._under(*under)
        known = self._rules[under]
        decided = [w for w in wagers if w.expected.outcome in (Outcome.WON, Outcome.LOST)]
        if known is None or not decided:
            return None
        rules, outcomes = known
        at = next((i for i, one in enumerate(outcomes) if one[0] == result.outcome), None)
        priced = [
            (one.stake_cents, self._odds(under, rules, outcomes, one.wager, one.picks))
            for one in decided
        ]
        if at is None or any(not odds for _, odds in priced):
            return None
        nets = [_net(priced, i, outcomes[i][2]) for i in range(len(outcomes))]
        came = _net(priced, at, Fraction(max(one.factor for one in decided)))
        chances = [chance for _, chance, _ in outcomes]
        bounded = all(factor == 1 for _, _, factor in outcomes)
        limited = rules.filed is not None and rules.filed.payout_limit_cents is not None
        return _summed(nets, chances, came, exact=bounded and not limited)

    def _odds(
        self,
        under: tuple[Any, ...],
        rules: Rules,
        outcomes: Outcomes,
        name: str,
        picks: tuple[int, ...],
    ) -> Odds:
        key = (*under, name, picks)
        if key not in self._priced:
            self._priced[key] = _price(rules, outcomes, name, picks)
        return self._priced[key]

    def _under(
        self, game: str, day: date, paytable: FactRef | None
    ) -> tuple[Rules, Outcomes] | None:
        submission = None if paytable is None else self.office.submissions.get(paytable)
        if game not in BY_GAME or (paytable is not None and submission is None):
            return None
        rules = rules_on(BY_GAME[game], day, as_filed(submission) if submission else None)
        return rules, outcomes_of(BY_GAME[game], rules)


def _price(rules: Rules, outcomes: Outcomes, name: str, picks: tuple[int, ...]) -> Odds:
    """The odds at which a pick wins, by outcome, None where it loses; empty: it has no figure."""
    wager = rules.wagers.get(name)
    if wager is None or picks not in wager.picks or name in rules.room.unpriced:
        return ()
    if not getattr(wager.wins_on, "is_known", True):
        return ()
    lines = rules.payouts[name]
    return tuple(
        next(line.odds.ratio for line in lines if line.payout.on(shown, picks))
        if wager.wins_on(shown, picks)
        else None
        for shown, _, _ in outcomes
    )


def _net(priced: Iterable[tuple[int, Odds]], at: int, factor: Fraction) -> Fraction:
    """What patrons win less what they lose on one outcome."""
    total = Fraction(0)
    for stake, odds in priced:
        won = odds[at]
        total += -stake if won is None else stake * won * factor
    return total


def _summed(
    nets: Sequence[Fraction], chances: Sequence[Fraction], came: Fraction, *, exact: bool
) -> RoundLaw:
    mean = sum((net * p for net, p in zip(nets, chances, strict=True)), Fraction(0))
    square = sum((net * net * p for net, p in zip(nets, chances, strict=True)), Fraction(0))
    law: dict[Fraction, Fraction] = {}
    for net, p in zip(nets, chances, strict=True):
        law[net] = law.get(net, Fraction(0)) + p
    return RoundLaw(
        came=came,
        mean=mean,
        low=min(nets),
        high=max(nets) if exact else None,
        spread=float(square - mean * mean) ** 0.5,
        law=law if exact else None,
    )


# --- many rounds together -------------------------------------------------------------------------


def chances_of(
    laws: Sequence[Mapping[Fraction, Fraction]], came: Fraction
) -> tuple[float, float] | None:
    """The chances that independent rounds sum to at most, and at least, what came.

    The laws are convolved two by two (FFT for the long ones) on the coarsest grid on which all of
    them lie; None where that grid is too fine to hold. Right to about 1e-10, no better.
    """
    import numpy as np

    grids = []
    unit = _grid(laws)
    offset = Fraction(0)
    for law in laws:
        low = min(law)
        offset += low
        places = [(net - low) / unit for net in law]
        if max(places) >= MOST_PLACES:
            return None
        grid = np.zeros(int(max(places)) + 1)
        for place, chance in zip(places, law.values(), strict=True):
            grid[int(place)] += float(chance)
        grids.append((grid, 0))
    whole, shift = _convolved(grids)
    at = int((came - offset) / unit) - shift
    below = float(whole[: at + 1].sum()) if at >= 0 else 0.0
    above = float(whole[max(at, 0) :].sum()) if at < len(whole) else 0.0
    return min(below, 1.0), min(above, 1.0)


def _grid(laws: Iterable[Mapping[Fraction, Fraction]]) -> Fraction:
    """The coarsest step such that all differences within each law are multiples of it."""
    unit = Fraction(0)
    for law in laws:
        low = min(law)
        for net in law:
            step = net - low
            unit = Fraction(
                gcd(unit.numerator * step.denominator, step.numerator * unit.denominator),
                unit.denominator * step.denominator,
            )
    return unit or Fraction(1)


def _convolved(grids: list[tuple[Any, int]]) -> tuple[Any, int]:
    """All laws together, and where the grid now begins; what cannot matter is cut off."""
    import numpy as np
    from scipy.signal import fftconvolve

    while len(grids) > 1:
        paired = []
        for (one, low), (other, then) in zip(grids[::2], grids[1::2], strict=False):
            short = min(len(one), len(other)) < 64
            both = np.convolve(one, other) if short else fftconvolve(one, other)
            paired.append(_cut(np.maximum(both, 0.0), low + then))
        grids = paired + ([grids[-1]] if len(grids) % 2 else [])
    return grids[0] if grids else (np.ones(1), 0)


def _cut(grid: Any, low: int) -> tuple[Any, int]:
    import numpy as np

    first = int(np.searchsorted(np.cumsum(grid), TRIMMED))
    last = len(grid) - int(np.searchsorted(np.cumsum(grid[::-1]), TRIMMED))
    return grid[first:last], low + first
