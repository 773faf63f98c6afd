"""Which breaches are reported once, and what is reported of a game that no room judges."""

from __future__ import annotations

from ledger.events import TableOpened, WagerPlaced
from ledger.games.room import Breach
from ledger.house import BY_CODE, Office
from ledger.kernel import Certainty, ref_of
from ledger.rounds.placed import COUPON_FACTS

ONCE_A_ROUND = frozenset({"wrong_number_of_dice"})
"""Codes that both the house and the room may report in one round: the first one stays."""

LASTING = frozenset(
    {
        *("two_shakers_at_table", "shaken_uncovered", "wager_not_in_chips", "coupon_not_visible"),
        *("coupon_wrong_position", "coupon_wrong_role", "coupon_not_broken_down"),
    }
)
"""Codes that rest on what outlives a round, or on what a source never records."""

WITH_COUPONS = COUPON_FACTS | {WagerPlaced}
"""The facts that can show a coupon at a table whose game no room judges."""


def outlives(breach: Breach) -> bool:
    """Whether a breach does not depend on the facts of one round."""
    return breach.duty.code in ("sign_not_approved", "equipment_not_approved")


def folded_by(breach: Breach, *, fold: bool) -> str | None:
    """Return the key under which an unknown breach is reported once for many facts.

    It is reported again once its subject was stated again. Chapter 521 covers wagers as well as
    signs, filings and limits: a doubt about a wager is reported for each wager, one about anything
    else once for what was observed.

    Args:
        breach: what cannot be shown to have been kept.
        fold: the house's side of the table reports it, for many facts in turn.

    Returns:
        None if it is reported each time.
    """
    code = breach.duty.code
    if code in LASTING:
        return code
    if breach.duty.cite.edition.chapter == "521":
        return None if breach.wager is not None else f"{code} {breach.observed or ''}"
    return code if fold else None


def game_unknown(office: Office, fact: TableOpened) -> Breach | None:
    """Judge the opening of a table for a game that no room judges.

    Returns:
        None if the game is approved; else the breach, unknown if the record may lack the approval.
    """
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
