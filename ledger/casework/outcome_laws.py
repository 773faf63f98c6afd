"""The law of what one outcome decides, given the wagers really made.

All wagers that one outcome decides form one variable; its law is found by enumeration over the
room's outcomes and the odds in force. Which wagers these are is for each room to say
(``Room.wager_dependence``): all of a round, parts of a game apart, each throw or each position
apart, or with what the outcome makes of a wager that stands over. Amounts are cents by the odds on
the chips, before coupons and any payout limit, signed for patrons: what they win less what they
lose. So a round counts whether or not a coupon lay there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from datetime import date

from ledger.casework.convolution import Array, Summand
from ledger.casework.standing_wagers import NOTHING_STANDS, Before, worth, worth_after
from ledger.casework.wager_payoffs import Moments, Priced, multiplied, priced
from ledger.games import BY_GAME
from ledger.games.chances import outcomes_of
from ledger.games.odds import OutcomesOf
from ledger.games.room import Shown
from ledger.games.wager_dependence import AT_ONCE, DecidedBy, Part, StandingWager, WagerDependence
from ledger.house import Office
from ledger.kernel import FactRef
from ledger.kernel.quick_dataclass import dataclass
from ledger.rounds import Outcome, RoundResult, RoundStatus, WagerResult


@dataclass(frozen=True, slots=True)
class RoundLaw:
    """One variable: what came, its mean, bounds and spread, in cents for patrons.

    ``high`` is None where a factor on the odds has no bound. ``summand`` is its whole law, None
    (``why``) where only these moments are held; ``without`` names wagers that it leaves out.
    """

    stake_cents: int
    came: float
    mean: float
    low: float
    high: float | None
    spread: float
    summand: Summand | None
    why: str = ""
    without: str = ""


@dataclass(frozen=True, slots=True)
class Unit:
    """Wagers of a round that one outcome decided; ``why`` says why there is no law of them."""

    part: str
    wagers: tuple[WagerResult, ...]
    law: RoundLaw | None = None
    why: str = ""


@dataclass(slots=True)
class Laws:
    """Laws of variables; the rules of each filing are joined once, and each pick priced once."""

    office: Office
    outcomes: OutcomesOf = outcomes_of
    _known: dict[tuple[str, date, FactRef | None, str], Priced | None] = field(default_factory=dict)

    def units(
        self,
        result: RoundResult,
        wagers: Sequence[WagerResult],
        before: Before = NOTHING_STANDS,
    ) -> Iterator[Unit]:
        """The variables that these wagers of a round form, one for each outcome that decided some.

        ``before`` says how a wager that stands over rounds stood when this one was decided. Wagers
        without an exact law are left out of a variable: their stakes were known before, so it stays
        one.

        Args:
            result: the round.
            wagers: those of it that are looked at.
            before: how a wager that stands over rounds stood when this one was decided.
        """
        wager_dependence = wager_dependence_of(result.game)
        decided = tuple(
            wager
            for wager in wagers
            if wager.expected.outcome in (Outcome.WON, Outcome.LOST, Outcome.STANDS)
        )
        why = _why_not(result, wagers)
        if why or not decided:
            first = wager_dependence.parts[0].name
            yield Unit(first, tuple(wagers), why=why or "no wager of it was decided")
            return
        for part, together in _by_outcome(wager_dependence, decided):
            yield self._unit(result, wager_dependence, part, together, before)

    def untested(
        self, result: RoundResult, wagers: Sequence[WagerResult]
    ) -> Iterator[tuple[WagerResult, str]]:
        """The wagers of a round that no variable can hold, each with the reason."""
        prices = self._priced(result, wager_dependence_of(result.game).parts[0])
        for wager in wagers:
            if prices is not None and (why := prices.why_not(wager.wager, wager.picks)):
                yield wager, why

    def _unit(
        self,
        result: RoundResult,
        wager_dependence: WagerDependence,
        part: Part,
        together: tuple[WagerResult, ...],
        before: Before,
    ) -> Unit:
        prices = self._priced(result, part)
        if prices is None:
            why = "no room judges the game, or its filing is not known"
            return Unit(part.name, together, why=why)
        exact = tuple(
            wager
            for wager in together
            if part.has(wager.wager) and not prices.why_not(wager.wager, wager.picks)
        )
        standing = wager_dependence.standing
        if standing is not None:
            over = [wager for wager in exact if wager.wager == standing.wager]
            if over and before.why:
                return Unit(part.name, together, why=before.why)
            at_once = [wager for wager in exact if wager.wager != standing.wager]
            law = _with_standing(prices, standing, result.outcome, at_once, over, before)
        elif part.decided_by is DecidedBy.POSITION:
            law = _by_position(prices, exact)
        else:
            law = _at_once(prices, wager_dependence, result, exact)
        return Unit(part.name, together, law, "" if law else "no wager of it has an exact law")

    def _priced(self, result: RoundResult, part: Part) -> Priced | None:
        under = (result.game, result.gaming_day, result.paytable)
        key = (*under, part.name)
        if key not in self._known:
            self._known[key] = priced(self.office, *under, part, self.outcomes)
        return self._known[key]


def wager_dependence_of(game: str) -> WagerDependence:
    """How the wagers of a game are decided; at once where no room judges it."""
    return BY_GAME[game].wager_dependence if game in BY_GAME else AT_ONCE


def _why_not(result: RoundResult, wagers: Sequence[WagerResult]) -> str:
    """Why a round is left out; empty where it counts."""
    if result.game not in BY_GAME:
        return "no room judges the game"
    if result.status is not RoundStatus.SETTLED:
        return f"the round is {result.status.value}"
    if any(wager.expected.outcome is Outcome.UNKNOWN for wager in wagers):
        return "what a wager came to is not known"
    return ""


def _by_outcome(
    wager_dependence: WagerDependence, decided: tuple[WagerResult, ...]
) -> Iterator[tuple[Part, tuple[WagerResult, ...]]]:
    """The wagers by the outcome that decided them, with their part of the game.

    Where a game has one part, a unit names all wagers that were decided, also those without a law.
    """
    if len(wager_dependence.parts) == 1:
        yield wager_dependence.parts[0], decided
        return
    for part in wager_dependence.parts:
        together = tuple(wager for wager in decided if part.has(wager.wager))
        if part.decided_by is not DecidedBy.THROW:
            if together:
                yield part, together
            continue
        throws: dict[FactRef | None, list[WagerResult]] = {}
        for wager in together:
            throws.setdefault(wager.decided_by, []).append(wager)
        for throw in sorted(throws, key=lambda fact: (fact is not None, fact)):
            yield part, tuple(throws[throw])


def _at_once(
    prices: Priced,
    wager_dependence: WagerDependence,
    result: RoundResult,
    wagers: Sequence[WagerResult],
) -> RoundLaw | None:
    """Wagers that one outcome decides by itself."""
    if not wagers:
        return None
    by_throw = prices.part.decided_by is DecidedBy.THROW
    if by_throw and wagers[0].decided_by is None:
        return None
    at = prices.place_of(wagers[0].outcome if by_throw else result.outcome)
    if at is None:
        return None
    sides = prices.sides(wagers)
    moments = prices.moments(sides, at, max(wager.factor for wager in wagers))
    nets, chances = sides[0] - sides[1], prices.chances
    if wager_dependence.multipliers:
        import numpy as np

        by_factor = multiplied((*wager_dependence.multipliers.items(),))
        nets = (sides[0][:, None] * np.array(list(by_factor)) - sides[1][:, None]).ravel()
        chances = np.outer(chances, list(by_factor.values())).ravel()
    return RoundLaw(
        stake_cents=sum(wager.stake_cents for wager in wagers),
        came=moments.came,
        mean=moments.mean,
        low=moments.low,
        high=moments.high if not wager_dependence.multipliers else None,
        spread=moments.spread,
        summand=Summand(nets, chances, prices.parts, moments.came),
    )


def _by_position(prices: Priced, wagers: Sequence[WagerResult]) -> RoundLaw | None:
    """Wagers on hands of one deck: mean and bounds are exact, the spread is only a scale."""
    positions = sorted({wager.position or "" for wager in wagers})
    each: list[Moments] = []
    sides: tuple[Array, Array] = (0, 0)
    for position in positions:
        there = [wager for wager in wagers if (wager.position or "") == position]
        at = prices.place_of(there[0].outcome)
        if at is None:
            return None
        sides = prices.sides(there)
        each.append(prices.moments(sides, at, 1))
    if not each:
        return None
    alone = len(each) == 1
    return RoundLaw(
        stake_cents=sum(wager.stake_cents for wager in wagers),
        came=sum(moments.came for moments in each),
        mean=sum(moments.mean for moments in each),
        low=sum(moments.low for moments in each),
        high=sum(moments.high for moments in each),
        spread=sum(moments.spread**2 for moments in each) ** 0.5,
        summand=Summand(sides[0] - sides[1], prices.chances, prices.parts, each[0].came)
        if alone
        else None,
        why="" if alone else "hands of several positions come from one deck",
    )


def _with_standing(
    prices: Priced,
    standing: StandingWager,
    shown: Shown | None,
    at_once: Sequence[WagerResult],
    over: Sequence[WagerResult],
    before: Before,
) -> RoundLaw | None:
    """What an outcome decides, and by how much it moves what each standing wager is worth.

    A standing wager enters with its mean at its first outcome, later only with what one changes.
    """
    at = None if shown is None else prices.place_of(shown)
    if at is None or not (at_once or over):
        return None
    import numpy as np

    sides = prices.sides(at_once) if at_once else (np.zeros(len(prices.shown)),) * 2
    nets = (sides[0] - sides[1]) / prices.parts
    collected = standing.start if before.collected is None else before.collected
    begun = 0.0
    for wager in over:
        pays = float(prices.rules.payouts[wager.wager][0].odds.ratio)
        moved = np.array(
            [worth_after(standing, collected, outcome, pays) for outcome in prices.shown]
        )
        stood = worth(standing, collected, pays) if wager.wager_id in before.over else 0.0
        nets = nets + wager.stake_cents * (moved - stood)
        begun += wager.stake_cents * (wager.wager_id not in before.over)
    mean = float((nets * prices.chances).sum())
    decided = float((sides[0] - sides[1])[at]) / prices.parts
    return RoundLaw(
        stake_cents=round(sum(wager.stake_cents for wager in at_once) + begun),
        came=float(nets[at]),
        mean=mean,
        low=float(nets.min()),
        high=float(nets.max()),
        spread=max(float((nets**2 * prices.chances).sum()) - mean * mean, 0.0) ** 0.5,
        summand=Summand(sides[0] - sides[1], prices.chances, prices.parts, decided)
        if at_once
        else None,
        why="" if at_once else f"only a {standing.wager} lay there",
        without=standing.wager if over else "",
    )
