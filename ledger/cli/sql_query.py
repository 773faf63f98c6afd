"""One question in SQL to the read model or to an archive, and what can be asked."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from ledger.analytics import Selection, archive_table, marts, run_archive_select, run_select
from ledger.cli.errors import FileUnwritable
from ledger.cli.output import emit, emit_list, progress, say, show
from ledger.log.keys import read_public_key
from ledger.log.signed_file_index import Seals
from ledger.reports import selection_page
from ledger.reports.query_result_files import (
    dictionary_data,
    dictionary_page,
    selection_csv,
    selection_parquet,
    selection_xlsx,
)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is asked: the read model of a ledger, or an archive.

    Attributes:
        folder: the ledger.
        archive: folder or address of an archive; None asks the read model.
        verifier: the key that the reader of an archive trusts; None takes that of the ledger.
    """

    folder: Path
    archive: str | None = None
    verifier: str | None = None

    def select(self, text: str, timeout: float, max_rows: int) -> Selection:
        """Run one SELECT."""
        if self.archive is None:
            return run_select(self.folder, text, timeout=timeout, max_rows=max_rows)
        seals = (
            Seals.of(self.folder)
            if self.verifier is None
            else Seals(read_public_key(self.verifier))
        )
        return run_archive_select(self.archive, text, seals, timeout=timeout, max_rows=max_rows)


def ask(
    asked: Asked, query: str, form: str, out: Path | None, *, timeout: float, max_rows: int
) -> int:
    """Run one SELECT and print its rows, or write them to a file.

    Args:
        asked: the ledger or the archive.
        query: the SELECT.
        form: text, json, csv, xlsx or parquet.
        out: the file that is written; None prints.
        timeout: seconds that the query may take.
        max_rows: how many rows are given at most.

    Raises:
        FileUnwritable: the file cannot be written.
    """
    text = sys.stdin.read() if query == "-" else query
    with progress("asking", ""):
        selection = asked.select(text, timeout, max_rows)
    match form:
        case "csv":
            document = selection_csv(selection.columns, selection.types, selection.rows).encode()
        case "xlsx":
            document = selection_xlsx(selection.columns, selection.rows)
        case "parquet":
            document = selection_parquet(selection.columns, selection.types, selection.rows)
        case _:
            document = b""
    if out is not None and document:
        try:
            out.write_bytes(document)
        except OSError as error:
            raise FileUnwritable(out, error) from error
        say(f"{out}: {len(selection.rows):,} rows")
    elif form == "csv":
        emit(document.decode())
    elif form == "json":
        emit_list(selection.objects())
    else:
        show(selection_page(selection.columns, selection.types, selection.rows))
    if selection.cut:
        say(f"Only the first {max_rows:,} rows are shown; --max-rows shows more.")
    return 0


def list_columns(*, is_json: bool, of_archive: bool) -> int:
    """The dictionary: every table that can be asked, its columns, units and their meaning."""
    tables = [archive_table()] if of_archive else marts()
    if is_json:
        emit_list(dictionary_data(tables))
    else:
        show(dictionary_page(tables))
    return 0
