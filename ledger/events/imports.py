"""Facts of files that were imported: what came, and which rows became which facts.

One frozen dataclass per schema under ``schemas/house``: same name, same fields, same order; units
and meanings stand in the schema's docs.
"""

from __future__ import annotations

from ledger.events.declared import dataclass
from ledger.events.parts import ColumnTotal


@dataclass(frozen=True, slots=True, kw_only=True)
class FileImported:
    """A file was imported whole: its rows stand before this fact in the ledger."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    profile: str
    profile_sha256: bytes
    file_name: str
    file_sha256: bytes
    file_bytes: int
    rows: int
    new_facts: int
    changed_facts: int
    withdrawn_facts: int
    same_facts: int
    totals: tuple[ColumnTotal, ...]
    imported_by: str
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsImported:
    """Rows of one file became facts of one stream; the three lists go fact by fact."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    profile: str
    file_sha256: bytes
    scope: str
    rows_stream: str
    keys: tuple[bytes, ...]
    hashes: tuple[bytes, ...]
    seqs: tuple[int, ...]
