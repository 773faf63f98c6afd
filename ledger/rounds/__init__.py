"""Rounds of play: cut from a table's facts, judged, settled again, compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.kernel.lazy_imports import load_on_first_use

if TYPE_CHECKING:
    from ledger.rounds.after_the_round import steps_of
    from ledger.rounds.findings import as_finding
    from ledger.rounds.floorperson_posts import Post
    from ledger.rounds.orders import PAUSE, InEveryOrder, Pause
    from ledger.rounds.play import TablePlay
    from ledger.rounds.result import (
        CouponResult,
        InDoubt,
        Outcome,
        RoundResult,
        Settlement,
        WagerResult,
        net_cents,
    )
    from ledger.rounds.round_status import RoundStatus
    from ledger.rounds.settle import chips_words, times_words

__all__ = [
    "PAUSE",
    "CouponResult",
    "InDoubt",
    "InEveryOrder",
    "Outcome",
    "Pause",
    "Post",
    "RoundResult",
    "RoundStatus",
    "Settlement",
    "TablePlay",
    "WagerResult",
    "as_finding",
    "chips_words",
    "net_cents",
    "steps_of",
    "times_words",
]

load_on_first_use(__name__)
