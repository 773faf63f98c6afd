"""Match Play Coupons at a table: 58 Pa. Code § 525.22, an overlay on every room's settlement."""

from ledger.games.match_play.conditions import (
    BY_NAME,
    DUTIES,
    Ground,
    Laid,
    by_whom,
    counts,
    grounds,
    handling,
    one_per_round,
    only_one,
    refused,
    same_use,
    too_many,
)
from ledger.games.match_play.overlay import DROPS, PAYS, TAINTS, Share, share
from ledger.games.match_play.terms import FOLLOWED, LAW, Accompanied, Coupon, held_on

__all__ = [
    "BY_NAME",
    "DROPS",
    "DUTIES",
    "FOLLOWED",
    "LAW",
    "PAYS",
    "TAINTS",
    "Accompanied",
    "Coupon",
    "Ground",
    "Laid",
    "Share",
    "by_whom",
    "counts",
    "grounds",
    "handling",
    "held_on",
    "one_per_round",
    "only_one",
    "refused",
    "same_use",
    "share",
    "too_many",
]
