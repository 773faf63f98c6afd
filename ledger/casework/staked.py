"""The law of what one outcome decides, given the wagers really made.

All wagers that one outcome decides form one variable; its law is found by enumeration over the
room's outcomes and the odds in force. Which these are is each game's own: a round of Sic Bo and of
Dreamcatcher; a roll of Props & Hops with what it makes of a standing Six Eight Shake; of Three Dice
Football each play apart from the game, whose wagers are enumerated by the room's chain; of Asia
Poker the Bonus Wagers, whose mean is exact although the hands come from one deck. Amounts are
cents by the odds on the chips, before coupons and any payout limit, signed for patrons: what they
win less what they lose. So a round counts whether or not a coupon lay there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from ledger.casework.convolved import Array, Summand
from ledger.casework.lammers import Before, after, worth
from ledger.casework.priced import GAME, PLAYS, Moments, Priced, multiplied, priced, seen_by
from ledger.games import BY_GAME, BY_KEY
from ledger.games.asia_poker.terms import BONUS
from ledger.games.chances import OutcomesOf, outcomes_of
from ledger.games.props_and_hops.terms import Roll
from ledger.games.props_and_hops.wagers import SIX_EIGHT_SHAKE
from ledger.games.three_dice_football.wagers import FULL_GAME, SINGLE_PLAY
from ledger.house import Office
from ledger.kernel import FactRef
from ledger.rounds import Outcome, RoundResult, RoundStatus, WagerResult

ASIA_POKER: Final = BY_KEY["asia_poker"]
FOOTBALL: Final = BY_KEY["three_dice_football"]
PROPS_AND_HOPS: Final = BY_KEY["props_and_hops"]
PARTS: Final[Mapping[str, str]] = {FOOTBALL.game: GAME, ASIA_POKER.game: BONUS}
"""The part of a game under which a round without any variable is counted."""
FRESH: Final = Before()


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
        self, result: RoundResult, wagers: Sequence[WagerResult], before: Before = FRESH
    ) -> Iterator[Unit]:
        """The variables that these wagers of a round form, one for each outcome that decided some.

        ``before`` says how a Six Eight Shake stood when the dice were rolled. Wagers without an
        exact law are left out of a variable: their stakes were known before, so it stays one.
        """
        decided = tuple(
            one
            for one in wagers
            if one.expected.outcome in (Outcome.WON, Outcome.LOST, Outcome.STANDS)
        )
        part = PARTS.get(result.game, "")
        why = _why_not(result, wagers)
        if why or not decided:
            yield Unit(part, tuple(wagers), why=why or "no wager of it was decided")
            return
        for name, held in _by_outcome(result, decided):
            yield self._unit(result, name, held, before)

    def untested(
        self, result: RoundResult, wagers: Sequence[WagerResult]
    ) -> Iterator[tuple[WagerResult, str]]:
        """The wagers of a round that no variable can hold, each with the reason."""
        known = self._priced(result, PARTS.get(result.game, ""))
        for one in wagers:
            if known is not None and (why := known.why_not(one.wager, one.picks)):
                yield one, why

    def _unit(
        self, result: RoundResult, part: str, held: tuple[WagerResult, ...], before: Before
    ) -> Unit:
        known = self._priced(result, part)
        if known is None:
            return Unit(part, held, why="no room judges the game, or its filing is not known")
        mine = tuple(one for one in held if not known.why_not(one.wager, one.picks))
        if result.game == ASIA_POKER.game:
            law = _hands(known, [one for one in mine if one.wager == BONUS])
        elif result.game == PROPS_AND_HOPS.game:
            shakes = [one for one in mine if one.wager == SIX_EIGHT_SHAKE]
            if shakes and before.why:
                return Unit(part, held, why=before.why)
            rest = [one for one in mine if one.wager != SIX_EIGHT_SHAKE]
            law = _rolled(known, result.outcome, rest, shakes, before)
        else:
            law = _shown(known, result, part, mine)
        return Unit(part, held, law, "" if law else "no wager of it has an exact law")

    def _priced(self, result: RoundResult, part: str) -> Priced | None:
        under = (result.game, result.gaming_day, result.paytable, part)
        if under not in self._known:
            self._known[under] = priced(self.office, *under, self.outcomes)
        return self._known[under]


def _why_not(result: RoundResult, wagers: Sequence[WagerResult]) -> str:
    """Why a round is left out; empty where it counts."""
    if result.game not in BY_GAME:
        return "no room judges the game"
    if result.status is not RoundStatus.SETTLED:
        return f"the round is {result.status.value}"
    if any(one.expected.outcome is Outcome.UNKNOWN for one in wagers):
        return "what a wager came to is not known"
    return ""


def _by_outcome(
    result: RoundResult, decided: tuple[WagerResult, ...]
) -> Iterator[tuple[str, tuple[WagerResult, ...]]]:
    """The wagers by the outcome that decided them, with the name of their part of the game."""
    if result.game != FOOTBALL.game:
        yield PARTS.get(result.game, ""), decided
        return
    whole = tuple(one for one in decided if one.wager in FULL_GAME)
    if whole:
        yield GAME, whole
    plays: dict[FactRef | None, list[WagerResult]] = {}
    for one in decided:
        if one.wager in SINGLE_PLAY:
            plays.setdefault(one.decided_by, []).append(one)
    for throw in sorted(plays, key=lambda one: (one is not None, one)):
        yield PLAYS, tuple(plays[throw])


def _shown(
    known: Priced, result: RoundResult, part: str, wagers: Sequence[WagerResult]
) -> RoundLaw | None:
    """Wagers that one outcome decides by itself."""
    if not wagers:
        return None
    shown = wagers[0].outcome if part == PLAYS else result.outcome
    if part == PLAYS and wagers[0].decided_by is None:
        return None
    at = known.place.get(seen_by(part, shown))
    if at is None:
        return None
    sides = known.sides(wagers)
    found = known.moments(sides, at, max(one.factor for one in wagers))
    fixed = bool((known.factors == 1).all())
    nets, chances = sides[0] - sides[1], known.chances
    if not fixed:
        import numpy as np

        factors = np.array(list(multiplied()))
        nets = (sides[0][:, None] * factors - sides[1][:, None]).ravel()
        chances = np.outer(chances, list(multiplied().values())).ravel()
    return RoundLaw(
        stake_cents=sum(one.stake_cents for one in wagers),
        came=found.came,
        mean=found.mean,
        low=found.low,
        high=found.high if fixed else None,
        spread=found.spread,
        summand=Summand(nets, chances, known.parts, found.came),
    )


def _hands(known: Priced, wagers: Sequence[WagerResult]) -> RoundLaw | None:
    """Bonus Wagers on hands of one deck: mean and bounds are exact, the spread is only a scale."""
    positions = sorted({one.position or "" for one in wagers})
    each: list[Moments] = []
    sides: tuple[Array, Array] = (0, 0)
    for position in positions:
        mine = [one for one in wagers if (one.position or "") == position]
        at = known.place.get(seen_by(BONUS, mine[0].outcome))
        if at is None:
            return None
        sides = known.sides(mine)
        each.append(known.moments(sides, at, 1))
    if not each:
        return None
    alone = len(each) == 1
    return RoundLaw(
        stake_cents=sum(one.stake_cents for one in wagers),
        came=sum(one.came for one in each),
        mean=sum(one.mean for one in each),
        low=sum(one.low for one in each),
        high=sum(one.high for one in each),
        spread=sum(one.spread**2 for one in each) ** 0.5,
        summand=Summand(sides[0] - sides[1], known.chances, known.parts, each[0].came)
        if alone
        else None,
        why="" if alone else "hands of several positions come from one deck",
    )


def _rolled(
    known: Priced,
    shown: Any,
    wagers: Sequence[WagerResult],
    shakes: Sequence[WagerResult],
    before: Before,
) -> RoundLaw | None:
    """A roll: what it decides, and by how much it moves what each Six Eight Shake is worth.

    A Six Eight Shake enters with its mean at its first roll, later only with what a roll changes.
    """
    at = known.place.get(seen_by("", shown)) if isinstance(shown, Roll) else None
    if at is None or not (wagers or shakes):
        return None
    import numpy as np

    sides = known.sides(wagers) if wagers else (np.zeros(len(known.shown)),) * 2
    value = (sides[0] - sides[1]) / known.parts
    begun = 0.0
    for one in shakes:
        pays = float(known.rules.payouts[one.wager][0].odds.ratio)
        moved = np.array([after(before.lammers, roll.faces, pays) for roll in known.shown])
        stood = worth(before.lammers, pays) if one.wager_id in before.over else 0.0
        value = value + one.stake_cents * (moved - stood)
        begun += one.stake_cents * (one.wager_id not in before.over)
    mean = float((value * known.chances).sum())
    decided = float((sides[0] - sides[1])[at]) / known.parts
    return RoundLaw(
        stake_cents=round(sum(one.stake_cents for one in wagers) + begun),
        came=float(value[at]),
        mean=mean,
        low=float(value.min()),
        high=float(value.max()),
        spread=max(float((value**2 * known.chances).sum()) - mean * mean, 0.0) ** 0.5,
        summand=Summand(sides[0] - sides[1], known.chances, known.parts, decided)
        if wagers
        else None,
        why="" if wagers else "only a Six Eight Shake lay there",
        without=SIX_EIGHT_SHAKE if shakes else "",
    )
