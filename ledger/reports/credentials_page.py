"""The credentials on record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rich.console import RenderableType

from ledger.codec import format_time
from ledger.events import PersonCredentialled
from ledger.kernel import PropertyClock
from ledger.replay import Holding, Roster
from ledger.reports.table_style import plain_table

HELD: Final = {
    Holding.HELD: "yes",
    Holding.NOT_RECORDED: "not recorded",
    Holding.REVOKED: "revoked",
    Holding.EXPIRED: "expired",
    Holding.UNKNOWN: "unknown",
}


def people_data(
    credentials: Iterable[PersonCredentialled], roster: Roster, at: int
) -> list[dict[str, object]]:
    """Each credential as plain data.

    Args:
        credentials: what was recorded last of each.
        roster: who holds which rank.
        at: the moment that is asked for, in microseconds UTC.
    """
    return [
        {
            "credential": fact.person,
            "department": fact.department,
            "role": None if fact.role is None else fact.role.value,
            "rank": roster.rank(fact.person, at),
            "held": roster.holding(fact.person, at) is Holding.HELD,
            "since": format_time(fact.event_time),
            "fact": f"{fact.stream}:{fact.seq}",
        }
        for fact in credentials
    ]


def people_page(
    credentials: Iterable[PersonCredentialled], roster: Roster, at: int, clock: PropertyClock
) -> RenderableType:
    """Each credential as a line for people, with the rank held at a moment.

    Args:
        credentials: what was recorded last of each.
        roster: who holds which rank.
        at: the moment that is asked for, in microseconds UTC.
        clock: the property's.
    """
    table = plain_table()
    for name in ("credential", "department", "role", "rank", "valid", "since"):
        table.add_column(name, no_wrap=True)
    for fact in credentials:
        role = "not recorded" if fact.role is None else fact.role.value.replace("_", " ").lower()
        status = HELD[roster.holding(fact.person, at)]
        since = clock.local(fact.event_time).strftime("%Y-%m-%d %H:%M")
        rank = roster.rank(fact.person, at) or "not recorded"
        table.add_row(fact.person, fact.department, role, rank, status, since)
    return table
