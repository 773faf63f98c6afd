"""What another text would make of a past day, wager by wager: compared, never the law in force."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from ledger.games.edition import Amendment
from ledger.kernel.quick_dataclass import dataclass
from ledger.rounds import RoundResult, WagerResult, net_cents


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One wager that another text settles otherwise.

    Args:
        round: the round's id.
        wager: the wager as the law settles it.
        law: what the patron is up by the law, in cents; None if unknown.
        other: what the patron is up by the other text, in cents; None if unknown.
    """

    round: str
    wager: WagerResult
    law: int | None
    other: int | None

    @property
    def cents(self) -> int | None:
        """How much more the patron would have, in cents; None where one text leaves it unknown."""
        if self.law is None or self.other is None:
            return None
        return self.other - self.law


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIf:
    """A day by two texts.

    Args:
        day: the gaming day.
        game: the game.
        amendment: the other text.
        rounds: how many rounds of the game were compared.
        wagers: how many wagers they have.
        unknown: how many wagers both texts leave unknown.
        differences: the wagers that the other text settles otherwise.
    """

    day: date
    game: str
    amendment: Amendment
    rounds: int
    wagers: int
    unknown: int
    differences: tuple[Difference, ...]

    @property
    def total_cents(self) -> int:
        """How much more the patrons would have in all, in cents, as far as that is known."""
        return sum(difference.cents or 0 for difference in self.differences)


def differences(
    day: date,
    game: str,
    amendment: Amendment,
    law: Iterable[RoundResult],
    other: Iterable[RoundResult],
) -> WhatIf:
    """Compare the rounds of a game by the law and by another text.

    Args:
        day: the gaming day.
        game: the game; rounds of other games are passed over.
        amendment: the other text.
        law: the rounds by the law.
        other: the same rounds by the other text, in the same order.

    Raises:
        ValueError: the two do not hold the same rounds in the same order.
    """
    rounds = wagers = unknown = 0
    differ: list[Difference] = []
    for judged, instead in zip(law, other, strict=True):
        if judged.game != game:
            continue
        if judged.round != instead.round:
            raise ValueError(f"rounds out of step: {judged.round} and {instead.round}")
        rounds += 1
        for wager, by_other in zip(judged.wagers, instead.wagers, strict=True):
            wagers += 1
            due, otherwise = net_cents(wager.expected), net_cents(by_other.expected)
            unknown += due is None and otherwise is None
            if due != otherwise:
                differ.append(Difference(round=judged.round, wager=wager, law=due, other=otherwise))
    return WhatIf(
        day=day,
        game=game,
        amendment=amendment,
        rounds=rounds,
        wagers=wagers,
        unknown=unknown,
        differences=tuple(differ),
    )
