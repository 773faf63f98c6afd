"""Options that a property filed in place of our readings: which of them the replay can use.

An option that this version cannot use, or that the register does not know, is reported: rulings
that rest on the reading are then made by our choice, and nothing shows that they are right.
"""

from __future__ import annotations

from typing import Final

from ledger.law import readings

USED: Final = frozenset(
    {
        ("triple-is-a-pair", "exactly-two"),
        ("total-includes-triple", "loses"),
        ("below-floor-filing", "filing"),
        ("fixed-odds-filed-otherwise", "filing"),
        ("late-wager", "void"),
        ("late-wager", "stands"),
        ("late-take-down", "as-lifted"),
        ("groundless-no-roll", "call-counts"),
        ("payout-limit", "table-and-round"),
        ("shake-joins-fresh", "joins"),
        ("coupon-and-limits", "chips-only"),
        ("coupon-on-void", "coupon-lost"),
        ("coupon-limit-edition", "per-wager-always"),
    }
)
"""The options other than our own that the rules engine applies when they are filed."""


def unused(reading: str, option: str) -> str | None:
    """Return why a filed option is not used, for people; None if it is, or is our own choice."""
    entry = readings().get(reading)
    if entry is None:
        return f"there is no reading {reading!r}"
    if option not in entry.options:
        return f"the reading {reading!r} has no option {option!r}"
    if option == entry.choice or (reading, option) in USED:
        return None
    return f"this version judges by {entry.choice!r} all the same"
