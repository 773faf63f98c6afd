"""Stored chances counted again, side by side."""

from __future__ import annotations

from ledger.games.law_page_tables import Recount
from ledger.reports.law.odds import columns


def recount_text(recount: Recount) -> str:
    """The comparison for people."""
    body: list[tuple[str, ...]] = [
        (
            name,
            f"{recount.counts.get(name, 0):,}",
            f"{stored:,}",
            "" if recount.counts.get(name, 0) == stored else "differs",
        )
        for name, stored in recount.stored.items()
    ]
    total = sum(recount.counts.values())
    body.append(("together", f"{total:,}", f"{sum(recount.stored.values()):,}", ""))
    same = recount.rows == recount.rows_stored
    rows = "the same" if same else f"others: stored {recount.rows_stored}"
    verdict = "They agree." if recount.agrees else "They do not agree."
    page = columns(("hand", "counted", "stored", ""), body)
    return f"{page}\nRows counted from: {recount.rows}, {rows}.\n{verdict}\n"
