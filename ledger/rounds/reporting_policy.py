"""Which breaches are told once, and what is told of a game that no room holds."""

from __future__ import annotations

from ledger.events import TableOpened, WagerPlaced
from ledger.games.room import Breach
from ledger.house import BY_CODE, Office
from ledger.kernel import Certainty, ref_of
from ledger.rounds.placed import COUPON_FACTS

ONCE_A_ROUND = frozenset({"wrong_number_of_dice"})
"""Codes that both the house and the room may see in one round."""

LASTING = frozenset(
    {
        *("two_shakers_at_table", "shaken_uncovered", "wager_not_in_chips", "coupon_not_visible"),
        *("coupon_wrong_position", "coupon_wrong_role", "coupon_not_broken_down"),
    }
)
"""Codes of rounds that lean on what outlives them, or on what a source never records."""

WITH_COUPONS = COUPON_FACTS | {WagerPlaced}
"""The facts by which a coupon shows itself at a table whose game no room holds."""


def outlives(breach: Breach) -> bool:
    """A duty of the house that does not hang on the facts of one round."""
    return breach.duty.code in ("sign_not_approved", "equipment_not_approved")


def folded_by(breach: Breach, *, fold: bool) -> str | None:
    """The key under which a doubt is told once until it is stated again; None: it is always told.

    Chapter 521 speaks of wagers and of signs, filings and limits: the doubt about a wager is that
    wager's own, and what is observed names the subject of any other.

    Args:
        breach: what cannot be shown to have been kept.
        fold: whether the house's side of the table found it, which holds for many facts.
    """
    code = breach.duty.code
    if code in LASTING:
        return code
    if breach.duty.cite.edition.chapter == "521":
        return None if breach.wager is not None else f"{code} {breach.observed or ''}"
    return code if fold else None


def game_unknown(office: Office, fact: TableOpened) -> Breach | None:
    """A table opened for a game that no room holds; without any record another chapter may."""
    approved = office.game_approved(fact.game, fact.event_time)
    if approved:
        return None
    known = approved is False and office.sure(None, fact.event_time)
    return Breach(
        duty=BY_CODE["game_not_approved"],
        facts=(ref_of(fact),),
        observed=fact.game,
        certainty=Certainty.BROKEN if known else Certainty.UNKNOWN,
    )
