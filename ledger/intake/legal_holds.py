"""Legal holds: names and addresses that may not be forgotten until somebody releases them.

A hold is a row in the erasable store, beside what it keeps: who placed it, when and why, and who
released it. No event describes holds, so the ledger does not prove them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Final

from ledger.kernel import UsageError
from ledger.kernel.quick_dataclass import dataclass

LONGEST_REASON: Final = 500
HOLDS: Final = """CREATE TABLE IF NOT EXISTS holds (
    hold INTEGER PRIMARY KEY, opening TEXT NOT NULL, reason TEXT NOT NULL, placed_by TEXT NOT NULL,
    placed_at INTEGER NOT NULL, released_by TEXT, released_at INTEGER, release_reason TEXT
    ) STRICT"""
_COLUMNS: Final = "opening, reason, placed_by, placed_at, released_by, released_at, release_reason"


class HeldForLaw(UsageError):
    """A legal hold forbids to forget an opening."""

    code = "held_for_law"

    def __init__(self, holds: Sequence[Hold]) -> None:
        hold = holds[0]
        more = f", and {len(holds) - 1} more" if len(holds) > 1 else ""
        super().__init__(
            f"A legal hold keeps opening {hold.opening}{more}; nothing was forgotten.",
            cause=f"placed by {hold.placed_by}: {hold.reason}",
            next_step="pitledger coupons holds; then release the hold, or leave these openings out",
        )


class PersonHeld(UsageError):
    """A legal hold forbids to forget a person."""

    code = "person_held"

    def __init__(self, holds: Sequence[Hold]) -> None:
        more = f", and {len(holds) - 1} more" if len(holds) > 1 else ""
        super().__init__(
            f"A legal hold keeps this person{more}; nothing was forgotten.",
            cause=f"placed by {holds[0].placed_by}: {holds[0].reason}",
            next_step="pitledger person release REFERENCE --by CREDENTIAL --reason TEXT,"
            " once the hold may end",
        )


class HoldUnfit(UsageError):
    """A hold without a reason or a person, or a release of what is not held."""

    code = "hold_unfit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """A legal hold of one opening; times are microseconds since 1970, UTC."""

    opening: str
    reason: str
    placed_by: str
    placed_at: int
    released_by: str | None = None
    released_at: int | None = None
    release_reason: str | None = None


def read_holds(store: sqlite3.Connection) -> list[Hold]:
    """Every hold there was, in order of placing; released ones too."""
    names = _COLUMNS.split(", ")
    rows = store.execute(f"SELECT {_COLUMNS} FROM holds ORDER BY hold")
    return [Hold(**dict(zip(names, row, strict=True))) for row in rows]


def standing_holds(store: sqlite3.Connection, openings: Iterable[str]) -> list[Hold]:
    """The holds of some openings that nobody has released."""
    wanted = set(openings)
    holds = read_holds(store)
    return [hold for hold in holds if hold.released_at is None and hold.opening in wanted]


def place_holds(
    store: sqlite3.Connection, openings: Iterable[str], reason: str, by: str, at: int
) -> None:
    """Place a hold on each opening; a second one beside a first is a hold of its own.

    Raises:
        HoldUnfit: reason or person is empty or far too long.
    """
    _check(reason, by)
    with store:
        store.executemany(
            "INSERT INTO holds (opening, reason, placed_by, placed_at) VALUES (?, ?, ?, ?)",
            [(opening, reason, by, at) for opening in openings],
        )


def release_holds(
    store: sqlite3.Connection, openings: Sequence[str], reason: str, by: str, at: int
) -> int:
    """Release every standing hold of some openings; return how many there were.

    Raises:
        HoldUnfit: one of the openings is not held, or reason or person is empty or far too long.
    """
    _check(reason, by)
    holds = standing_holds(store, openings)
    free = set(openings).difference(hold.opening for hold in holds)
    if free:
        raise HoldUnfit(
            f"No hold stands on opening {min(free)[:64]!r}; nothing was released.",
            next_step="pitledger coupons holds",
        )
    with store:
        store.executemany(
            "UPDATE holds SET released_by = ?, released_at = ?, release_reason = ?"
            " WHERE opening = ? AND released_at IS NULL",
            [(by, at, reason, opening) for opening in dict.fromkeys(openings)],
        )
    return len(holds)


def _check(reason: str, by: str) -> None:
    for label, text in (("reason", reason), ("person", by)):
        if not 0 < len(text.strip()) <= LONGEST_REASON:
            raise HoldUnfit(
                f"The {label} is empty or longer than {LONGEST_REASON} characters.",
                next_step="--by CREDENTIAL --reason TEXT",
            )
