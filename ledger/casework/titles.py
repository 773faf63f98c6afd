"""What happened, in one line of at most ninety characters."""

from __future__ import annotations

from typing import Final

from ledger.casework.actions_and_alerts import Action
from ledger.casework.causes import Cause
from ledger.kernel import PropertyClock, dollars

LONGEST: Final = 90
"""Characters of a title."""
PLAIN: Final = {"wager_underpaid", "wager_overpaid"}
"""Codes that say by themselves to whose loss the money went."""


def title(action: Action, cause: Cause, clock: PropertyClock, game: str, remark: str) -> str:
    """What an action is about, such as "SB-02: 812 wagers underpaid, $4,060.00, 18:02-01:40".

    Where it would be too long the game goes first, then what kind of subject it is, then the end
    of its name. What a role lacks is said by the code already.

    Args:
        action: the action.
        cause: what its findings have in common.
        clock: the property's.
        game: the name of the table's game.
        remark: what is put behind it, or nothing.
    """
    counted = cause.counted(action.count) + ("" if action.certain else " (unknown)")
    subject = "" if action.subject == cause.role else f"{action.subject} {remark}".strip()
    parts = [counted, _money(action), subject, _hours(action, clock)]
    where = f"{game} {action.table}".strip()
    for place, about in ((where, subject), (action.table, subject), (action.table, _name(subject))):
        parts[2] = about
        text = _joined(place, parts)
        if len(text) <= LONGEST:
            return text
    over = len(text) - LONGEST
    parts[2] = f"{parts[2][: max(len(parts[2]) - over - 1, 0)]}…" if parts[2] else ""
    text = _joined(action.table, parts)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _name(subject: str) -> str:
    return subject.partition(" ")[2] or subject


def _joined(place: str, parts: list[str]) -> str:
    joined = ", ".join(part for part in parts if part)
    return f"{place}: {joined}" if place else joined


def _money(action: Action) -> str:
    over, under = action.overpaid_cents or 0, action.underpaid_cents or 0
    if action.code in PLAIN and bool(over) is not bool(under):
        return dollars(over or under)
    sides = ((over, "over"), (under, "under"))
    return ", ".join(f"{dollars(cents)} {side}" for cents, side in sides if cents)


def _hours(action: Action, clock: PropertyClock) -> str:
    first, last = (
        clock.time_on(action.gaming_day, at, "%H:%M") for at in (action.since, action.until)
    )
    return first if first == last else f"{first}-{last}"
