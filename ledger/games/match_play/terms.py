"""A coupon and the wager it lies with, in the words of § 525.22.

Law: 58 Pa. Code §§ 525.21(c), 525.22; § 603a.21(d) for gaming days from 1 February 2014, of which no
text is held.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from ledger.events import CouponPays, Instrument
from ledger.kernel import EditionStatus
from ledger.law import MATCH_PLAY, MATCH_PLAY_FOLLOWED

LAW: Final = MATCH_PLAY
FOLLOWED: Final = MATCH_PLAY_FOLLOWED


def held_on(day: date) -> bool:
    """Whether a text of the chapter is held for a gaming day, or one that it continued."""
    return LAW.edition.standing(day) is not EditionStatus.NOT_YET


@dataclass(frozen=True, slots=True, kw_only=True)
class Coupon:
    """A coupon as it lies with a wager.

    ``live`` says whether it may be used at all at that moment, None: that cannot be told; ``state``
    is the same for people ("voided"). ``value_cents`` None: no record says. ``games`` and ``wagers``
    None: any. ``pays`` None: what it pays is not recorded.
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
    """The wager that a coupon lies with: its game and kind, and what was staked beside the coupon.

    ``banked`` says whether patrons wager against the house in this game.
    """

    game: str
    wager: str
    stake_cents: int
    instrument: Instrument | None
    banked: bool | None = True
