"""What a profile holds: columns, moments, rows that are skipped, and the facts of a row."""

from __future__ import annotations

from collections.abc import Callable

from ledger.events import Fact
from ledger.intake.cells import Reader
from ledger.intake.fact_templates import Cells, Kind
from ledger.kernel.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its headings, whether it must be filled, its kind, and how a cell is read.

    ``total`` says that the file's control totals count it: "sum" or "count".
    """

    name: str
    headings: tuple[str, ...]
    required: bool
    kind: str
    formats: tuple[str, ...]
    read: Reader | None
    total: bool
    holds: Kind


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time that a row names: its columns, and what the date stands for."""

    name: str
    date: str
    time: str
    offset: str | None
    gaming_day: bool


@dataclass(frozen=True, slots=True)
class Skips:
    """Which rows of a sheet say nothing that happened.

    ``totals`` are words that a row of totals begins with and ``blank`` columns of which none is
    filled on a slip that was not used: only a row that cannot be read is skipped for these.
    ``words`` are what a column says on a row that is always skipped, in small letters.
    """

    totals: tuple[str, ...]
    blank: tuple[str, ...]
    words: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Personal:
    """The columns of a patron's name and address: facts have commitments to them only."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class FactRow:
    """One fact that a row becomes: its event, when it happened, and what fills its fields.

    ``only`` says for which rows: a column must be filled, or hold one of these values. ``parts``
    are the fields after the first five, each with its expression over the columns; ``make`` is
    those expressions as a function.
    """

    event: type[Fact]
    at: str
    plus_micros: int
    only: tuple[tuple[str, tuple[str, ...] | None], ...]
    parts: tuple[tuple[str, str], ...]
    make: Callable[[Cells], dict[str, object]]

    def holds(self, row: Cells) -> bool:
        """Whether a row becomes this fact."""
        return all(
            row[name] is not None and (among is None or row[name] in among)
            for name, among in self.only
        )


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile, read and checked."""

    name: str
    about: str
    sha256: str
    key: tuple[str, ...]
    scope: tuple[str, ...]
    group: tuple[str, ...]
    stream: str
    source: str
    clock_uncertainty_micros: int
    time_zone: str | None
    encoding: str
    separator: str | None
    columns: dict[str, Column]
    moments: dict[str, Moment]
    facts: tuple[FactRow, ...]
    constants: dict[str, object]
    of_group: frozenset[str]
    skips: Skips
    sheet: str | None
    personal: Personal | None

    @property
    def shared(self) -> tuple[str, ...]:
        """The columns that must say one thing in all rows of a group."""
        return tuple(name for name in self.columns if name in self.of_group)

    @property
    def needed(self) -> set[str]:
        """The columns that a file must have."""
        return {name for name, column in self.columns.items() if column.required}

    @property
    def headings(self) -> dict[str, tuple[str, ...]]:
        """The headings that a column may have, by column."""
        return {name: column.headings for name, column in self.columns.items()}
