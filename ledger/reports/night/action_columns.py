"""The columns of a table of actions; a value that every row shares stands once, below it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from ledger.kernel import dollars
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.night import words
from ledger.reports.night.numbered_actions import Line

Shown = str | int | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column that a table may do without: its head, its style, and the content of a row.

    ``alike`` is the line where every row has the same content.
    """

    head: str
    style: str
    content: Callable[[Line], Shown]
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
        values = {column.content(line) for line in lines}
        if len(values) > 1 or (len(lines) == 1 and values != {None}):
            kept.append(column)
        else:
            same += _shared(column, values.pop()) if values else ()
    return ShownColumns(columns=tuple(kept), same=tuple(same))


def _shared(column: Column, content: Shown) -> Iterator[str]:
    """The line about a column that is left out; nothing for an empty column."""
    if isinstance(content, int) and column.is_money:
        yield column.alike.format(dollars(content))
    elif content is not None:
        yield column.alike.format(content)
