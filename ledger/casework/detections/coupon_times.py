"""Whether the coupons of one issuer are used at other hours than the others at the same table.

Coupons do not come at the hours of wagers: patrons come with them, and they are spent, so early
hours have many and late ones few on any honest day. What holds whatever the hours of a day are is
that coupons that were out before the first was used are alike: within a table and a gaming day the
hours are shuffled among issuers. Each patron's first coupon of the day at a table counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from ledger.casework.detections.card import Card
from ledger.casework.detections.coupon_concentration import gathered
from ledger.casework.detections.subject_evidence import Evidence, began, nights
from ledger.casework.history import History, Night, Redeemed
from ledger.kernel import MICROSECONDS

HOUR = 3600 * MICROSECONDS


def examine(history: History, day: date, card: Card) -> Iterator[Evidence]:
    """Evidence of hours that hang on who issued the coupons, over the property."""
    window = nights(history, day, card.settings["days"])
    since = began(history, day)
    every = sum(len(night.redeemed) for night in window)
    recorded = [(night.day, one) for night in window for one in alike(night)]
    if any(one.at >= since for _, one in recorded):
        yield gathered(
            "issuer and hour",
            lambda one: one.issuer,
            hour_of,
            recorded,
            every - len(recorded),
            card,
        )


def hour_of(redemption: Redeemed) -> str:
    """The hour of the day (UTC) at which a coupon was used."""
    return f"{redemption.at // HOUR % 24:02d}"


def alike(night: Night) -> list[Redeemed]:
    """Each patron's first coupon at each table, if it was out before any was used there."""
    out: list[Redeemed] = []
    for table in sorted({one.table for one in night.redeemed}):
        mine = sorted((one for one in night.redeemed if one.table == table), key=_order)
        first = mine[0].at
        seen: set[str] = set()
        for redemption in mine:
            who = redemption.patron or redemption.serial
            if who not in seen and redemption.issuer and redemption.issued < first:
                out.append(redemption)
            seen.add(who)
    return out


def _order(redemption: Redeemed) -> tuple[int, str, int]:
    return redemption.at, redemption.stream, redemption.seq
