"""What the printed law shows of a room beside its usual rows, and other answers to open questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ledger.kernel import Citation

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
