"""A coupon and the wager with which it lies, in the words of § 525.22.

Law: 58 Pa. Code §§ 525.21(c), 525.22; § 603a.21(d) for gaming days from 1 February 2014, of which
no text is held.
"""

from __future__ import annotations

from datetime import date
from typing import Final

from ledger.events import CouponPays, Instrument
from ledger.kernel import EditionStatus
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import MATCH_PLAY, MATCH_PLAY_FOLLOWED

LAW: Final = MATCH_PLAY
FOLLOWED: Final = MATCH_PLAY_FOLLOWED


def held_on(day: date) -> bool:
    """Whether a text of the chapter was in force on a gaming day, or continued or lapsed before."""
    return LAW.edition.standing(day) is not EditionStatus.NOT_YET


@dataclass(frozen=True, slots=True, kw_only=True)
class Coupon:
    """A coupon as it lies with a wager.

    Args:
        serial: its serial number as written.
        value_cents: its face value; None: no record says.
        live: whether it may be used at all at that moment; None if that is not known.
        state: the same for people ("voided").
        games: the games for which it is good; None: any.
        wagers: the wagers for which it is good; None: any.
        pays: how it is paid; None: that is not recorded.
    """

    serial: str
    value_cents: int | None
    live: bool | None
    state: str
    games: tuple[str, ...] | None = None
    wagers: tuple[str, ...] | None = None
    pays: CouponPays | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Accompanied:
    """The wager with which a coupon lies.

    Args:
        game: its game.
        wager: its name.
        stake_cents: what was staked beside the coupon.
        instrument: with what; None: that is not recorded.
        banked: whether patrons wager against the house in this game; None: not known.
    """

    game: str
    wager: str
    stake_cents: int
    instrument: Instrument | None
    banked: bool | None = True
