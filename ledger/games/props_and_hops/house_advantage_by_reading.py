"""What another answer to an open question would do to a house advantage.

Law: §§ 668a.2(f)(2)-(5), (8). Readings: hop-groups-are-filed, shake-joins-fresh.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Final

from ledger.games.props_and_hops.terms import LAMMERS
from ledger.games.props_and_hops.wagers import SIX_EIGHT_SHAKE, chance_to_complete
from ledger.games.room import Edges, OtherAnswer, Outcomes, Rules
from ledger.kernel import percent

PLACES: Final = 4
"""Decimal places of a percentage."""


def joins(rules: Rules, _outcomes: Outcomes, _usual: Edges) -> str:
    """Say how far the player's edge ranges, by the lammers already collected."""
    (line,) = rules.payouts[SIX_EIGHT_SHAKE]
    advantages = [
        chance_to_complete(frozenset(collected)) * (1 + line.odds.ratio) - 1
        for flags in product((0, 1), repeat=len(LAMMERS))
        if 0 < sum(flags) < len(LAMMERS)
        for collected in [
            [faces for faces, flag in zip(sorted(LAMMERS), flags, strict=True) if flag]
        ]
    ]
    low, high = (
        f"{percent(-edge, PLACES)} ({-edge})" for edge in (min(advantages), max(advantages))
    )
    return (
        f"{SIX_EIGHT_SHAKE} from {low} with the first lammer collected to {high} with all but one:"
        " a negative house advantage is the player's."
    )


ANSWERS: Final[Mapping[str, Mapping[str, OtherAnswer]]] = {
    "hop-groups-are-filed": {},
    "shake-joins-fresh": {"joins": joins},
}
