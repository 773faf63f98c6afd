"""Facts of files that were imported: what came, and which rows became which facts.

One frozen dataclass per schema under ``schemas/house``: same name, same fields, same order; the
schema's docs give units and meanings.
"""

from __future__ import annotations

from ledger.events.fact_declaration import Header, declared
from ledger.events.parts import ColumnTotal


@declared
class FileImported(Header):
    """A file was imported whole: its rows stand before this fact in the ledger."""

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


@declared
class RowsImported(Header):
    """Rows of one file became facts of one stream; the three lists go fact by fact."""

    profile: str
    file_sha256: bytes
    scope: str
    rows_stream: str
    keys: tuple[bytes, ...]
    hashes: tuple[bytes, ...]
    seqs: tuple[int, ...]
