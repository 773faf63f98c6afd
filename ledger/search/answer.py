"""What a search finds: rounds, their wagers that match, and where was looked."""

from __future__ import annotations

from datetime import date, datetime

from ledger.kernel.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerHit:
    """A wager of a round that was answer.

    Amounts are cents; ``difference_cents`` is what the house paid too much, negative where too
    little, None where one of the two sides is not known.
    """

    wager_id: str
    seat: str | None
    patron: str | None
    wager: str
    stake_cents: int
    expected: str | None
    expected_winnings_cents: int | None
    observed: str | None
    observed_winnings_cents: int | None
    difference_cents: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A round that matches, its wagers that match, and what made it so.

    ``opened`` and ``closed`` are local times with their offsets; ``codes`` are those of all its
    findings; ``why`` has a phrase for each kind of word in the search.
    """

    round: str
    gaming_day: date
    table: str
    game: str
    opened: datetime
    closed: datetime | None
    status: str
    shown: str | None
    unknown_because: str | None
    wager_count: int
    stake_cents: int
    codes: tuple[str, ...]
    wagers: tuple[WagerHit, ...]
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """Where was looked, and what is not known there.

    Attributes:
        tables, days: of the rounds that time and place of the search leave.
        rounds, wagers: how many.
        unknown: ids of rounds there whose outcome is unknown.
        uncovered: tables and days there without a record of wagers.
        doubts: sentences of findings about the record itself, such as a gap.
        record_ends: the local time of the last round in the whole record; None without any.
    """

    tables: tuple[str, ...]
    days: tuple[date, ...]
    rounds: int
    wagers: int
    unknown: tuple[str, ...]
    uncovered: tuple[tuple[str, date], ...]
    doubts: tuple[str, ...]
    record_ends: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchAnswer:
    """The answer to a search line.

    Attributes:
        hits: the rounds in the order of their opening; at most as many as were asked for.
        total: how many there are.
        searched: where was looked.
        took: how words were taken that say less than they mean, such as a time without a date.
        hints: names near to such as the record does not have.
    """

    hits: tuple[Hit, ...]
    total: int
    searched: Searched
    took: tuple[str, ...]
    hints: tuple[str, ...]
