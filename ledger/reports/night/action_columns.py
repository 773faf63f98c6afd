"""Which columns a table of actions has: what is the same on every row is said once, below it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ledger.kernel import dollars
from ledger.reports.night import words
from ledger.reports.night.lines import Line

Shown = str | int | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column that a table may do without: its head, its style, and what a row has there.

    ``alike`` is what is said where every row has the same, with the value in its place.
    """

    head: str
    style: str
    value: Callable[[Line], Shown]
    alike: str = "{}"
    is_money: bool = False


def _other_stake(line: Line) -> int | None:
    """What is at stake where nothing was paid wrongly."""
    action = line.action
    paid = action.overpaid_cents is not None or action.underpaid_cents is not None
    return None if paid else action.at_stake_cents


def _age(line: Line) -> str:
    return f"{line.action.age_days:,} d"


COLUMNS: Final = (
    Column("overpaid $", "n mon", lambda line: line.action.overpaid_cents, "overpaid {}", True),
    Column("underpaid $", "n mon", lambda line: line.action.underpaid_cents, "underpaid {}", True),
    Column("variance $", "n mon", _other_stake, "variance {}", True),
    Column("department", "dep", lambda line: line.action.department),
    Column("footage kept until", "footage", lambda line: line.footage, "footage kept until: {}"),
    Column("status", "sta", lambda line: words.status_words(line.action)),
    Column("age", "n age", _age, "age {}"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownColumns:
    """The columns of a table, and what is the same on every row of it."""

    columns: tuple[Column, ...]
    same: tuple[str, ...]


def shown_columns(lines: Sequence[Line]) -> ShownColumns:
    """The columns in which rows differ; of one row all but the empty ones."""
    kept: list[Column] = []
    same: list[str] = []
    for column in COLUMNS:
        values = {column.value(line) for line in lines}
        if len(values) > 1 or (len(lines) == 1 and values != {None}):
            kept.append(column)
        else:
            same += _said(column, values.pop()) if values else ()
    return ShownColumns(columns=tuple(kept), same=tuple(same))


def _said(column: Column, value: Shown) -> Iterator[str]:
    """What is said of a column that is left out; nothing where there is nothing in it."""
    if isinstance(value, int) and column.is_money:
        yield column.alike.format(dollars(value))
    elif value is not None:
        yield column.alike.format(value)
