"""What the printed law shows of a room beside its usual rows, and other answers to open questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from ledger.kernel import Citation, Odds

if TYPE_CHECKING:
    from ledger.games.odds import Edges, Outcomes
    from ledger.games.room import Room, Rules

OtherAnswer: TypeAlias = "Callable[[Rules, Outcomes, Edges], Edges | str]"
"""House advantages by another answer to an open question, or words where no figure can be had.

It is asked with the rules in force, the outcomes, and the house advantages as we read the text.
"""

TABLE: Final = "table"
"""What a row is called that stands in a table of one room alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedRow:
    """One row in English: which table it stands in, what it says, where, and by which reading."""

    table: str
    says: str
    cite: Citation
    code: str | None = None
    severity: str | None = None
    reading: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recount:
    """Stored counts beside the same made again: by name, and a hash of what they rest on."""

    counts: Mapping[str, int]
    stored: Mapping[str, int]
    rows: str
    rows_stored: str

    @property
    def agrees(self) -> bool:
        """Whether nothing differs."""
        return self.counts == self.stored and self.rows == self.rows_stored


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """What a room adds to its printed law.

    ``tables`` yields the rows of tables that only this room has; the duties named in
    ``in_place_of`` (by their names in the room) are shown by these rows. ``answers`` are the
    readings whose other answers change what a wager returns, in the order of the page, each with
    the options that are not simply another row (``Wager.otherwise``). ``paytables`` are those that
    the chapter gives by name: odds by wager and line, where several are given. ``recount`` counts
    stored chances again.
    """

    tables: Callable[[Room], Iterator[PrintedRow]] | None = None
    in_place_of: frozenset[str] = frozenset()
    answers: Mapping[str, Mapping[str, OtherAnswer]] = field(default_factory=dict)
    paytables: Mapping[str, Mapping[tuple[str, str | None], Odds]] = field(default_factory=dict)
    recount: Callable[[], Recount] | None = None
