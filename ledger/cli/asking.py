"""One question in SQL to the read model."""

from __future__ import annotations

import sys

from ledger.analytics import run_select
from ledger.cli.options import Options
from ledger.cli.out import emit_list, progress, say, show
from ledger.reports import selection_page


def ask(options: Options, query: str, *, timeout: float, max_rows: int) -> int:
    """Run one SELECT and print its rows."""
    text = sys.stdin.read() if query == "-" else query
    with progress("asking", ""):
        found = run_select(options.folder, text, timeout=timeout, max_rows=max_rows)
    if options.is_json:
        emit_list(found.objects())
    else:
        show(selection_page(found.columns, found.types, found.rows))
    if found.cut:
        say(f"Only the first {max_rows:,} rows are shown; --max-rows shows more.")
    return 0
