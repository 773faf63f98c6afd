"""The credentials on record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import RenderableType

from ledger.codec import format_time
from ledger.events import PersonCredentialled
from ledger.kernel import PropertyClock
from ledger.reports.tables import plain_table


def people_data(credentials: Iterable[PersonCredentialled]) -> list[dict[str, Any]]:
    """Each credential as plain data."""
    return [
        {
            "credential": fact.person,
            "department": fact.department,
            "rank": None if fact.role is None else fact.role.value,
            "held": not fact.revoked,
            "since": format_time(fact.event_time),
            "fact": f"{fact.stream}:{fact.seq}",
        }
        for fact in credentials
    ]


def people_page(credentials: Iterable[PersonCredentialled], clock: PropertyClock) -> RenderableType:
    """The same for people."""
    table = plain_table()
    for name in ("credential", "department", "rank", "held", "since"):
        table.add_column(name, no_wrap=True)
    for fact in credentials:
        rank = "not recorded" if fact.role is None else fact.role.value.replace("_", " ").lower()
        status = "taken back" if fact.revoked else "yes"
        since = clock.local(fact.event_time).strftime("%Y-%m-%d %H:%M")
        table.add_row(fact.person, fact.department, rank, status, since)
    return table
