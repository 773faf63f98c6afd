"""What the printed law shows of a room beside its usual rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger.kernel import Citation
from ledger.kernel.quick_dataclass import dataclass

TABLE: Final = "table"
"""The name under which the printed law lists rows of tables that only one room has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedRow:
    """One row in English.

    Args:
        table: the table in which it stands.
        says: the row as a sentence.
        cite: its section.
        code: the finding's code if it is broken; None where it is no duty.
        severity: how much a breach matters; None where it is no duty.
        reading: the open question on whose answer it rests.
    """

    table: str
    says: str
    cite: Citation
    code: str | None = None
    severity: str | None = None
    reading: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recount:
    """Stored counts beside the same counts made again.

    Args:
        counts: the counts made again, by name.
        stored: the stored counts, by name.
        rows: a hash of the rows on which ``counts`` rest.
        rows_stored: a hash of the rows on which ``stored`` rest.
    """

    counts: Mapping[str, int]
    stored: Mapping[str, int]
    rows: str
    rows_stored: str

    @property
    def agrees(self) -> bool:
        """Whether the counts and the rows are the same."""
        return self.counts == self.stored and self.rows == self.rows_stored
