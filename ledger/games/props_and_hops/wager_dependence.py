"""What a roll decides, and what it does to a Six Eight Shake that is still undecided.

Law: § 668a.2(f)(8). Reading: shake-joins-fresh.
"""

from __future__ import annotations

from typing import Any, Final

from ledger.games.dice import Faces
from ledger.games.props_and_hops.terms import LAMMERS, Roll, Sequence
from ledger.games.props_and_hops.wagers import (
    SIX_EIGHT_SHAKE,
    chance_to_complete,
    sequence_after,
)
from ledger.games.wager_dependence import Ended, Part, StandingWager, WagerDependence


def of_the_roll(shown: Roll) -> Roll:
    """Return the faces alone, without what became of a sequence."""
    return Roll(shown.faces, Sequence.GOES_ON)


def after(lammers: Any, shown: Roll) -> frozenset[Faces] | Ended:
    """Return the lammers collected after this roll, or that the sequence was won or lost."""
    match sequence_after(lammers, shown.faces, LAMMERS):
        case Sequence.LOST:
            return Ended.LOST
        case Sequence.COMPLETED:
            return Ended.WON
        case _:
            return frozenset(lammers | ({shown.faces} & LAMMERS))


def is_over(shown: Roll) -> bool:
    """Whether the roll ended the sequence."""
    return shown.sequence is not Sequence.GOES_ON


SHAKE: Final = StandingWager(
    wager=SIX_EIGHT_SHAKE,
    start=frozenset(),
    chance=chance_to_complete,
    after=after,
    is_over=is_over,
    unknown="which lammers of a Six Eight Shake were collected is not known",
    joined="a Six Eight Shake joined a sequence under way",
)
WAGER_DEPENDENCE: Final = WagerDependence(parts=(Part(hangs_on=of_the_roll),), standing=SHAKE)
