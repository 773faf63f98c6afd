"""A range of audited gaming days as a page and as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from ledger.analytics.day_range import RangeAudit, Sample, chance_of_catching
from ledger.kernel import plural
from ledger.reports.table_style import plain_table

SHOWN: Final = (1, 10, 100)
"""For so many false results the chance that one of them was looked at is printed."""
DIGITS: Final = 16
"""So much of a digest is shown in a line; the manifest has all of it."""


def range_data(audited: RangeAudit) -> dict[str, object]:
    """The manifest with its hash, and what was judged again.

    Args:
        audited: the range.
    """
    sample = audited.sample
    return {
        "manifest_hash": audited.manifest.hash,
        "manifest": audited.manifest.data(),
        "judged": audited.judged,
        "taken_up": audited.taken_up,
        "judged_again": None
        if sample is None
        else {
            "share": str(sample.share),
            "of": sample.of,
            "secret": sample.secret,
            "results": [{"day": str(key.day), "table": key.table} for key in sample.keys],
            "chance_of_catching": {
                str(altered): float(chance_of_catching(len(sample.keys), sample.of, altered))
                for altered in SHOWN
                if altered <= sample.of
            },
        },
    }


def range_page(audited: RangeAudit, property_name: str | None) -> RenderableType:
    """One line for each day, then the hash of all.

    Args:
        audited: the range.
        property_name: as the property states it.
    """
    manifest = audited.manifest
    page = plain_table()
    for head in ("gaming day", "tables", "rounds", "unknown", "findings", "digest"):
        page.add_column(head, no_wrap=True)
    for day in manifest.days:
        page.add_row(
            Text(f"{day.day}{'' if day.is_closed else ' (open)'}"),
            str(len(day.tables)),
            f"{day.rounds:,}",
            f"{day.unknown_rounds:,}" if day.unknown_rounds else "",
            Text(f"{day.findings:,}" if day.findings else "", style="bold red"),
            day.digest[:DIGITS],
        )
    title = f"{property_name or 'Property not named'}, {manifest.begins} to {manifest.ends}"
    return Group(Text(title, style="bold"), Text(), page, Text(), *_totals(audited))


def _totals(audited: RangeAudit) -> Iterator[Text]:
    manifest = audited.manifest
    days = manifest.days
    together = ", ".join(
        (
            plural(len(days), "day"),
            plural(sum(day.rounds for day in days), "round"),
            plural(sum(day.findings for day in days), "finding"),
        )
    )
    yield Text(f"{together}; {plural(audited.judged, 'table day')} judged now.")
    if any(not day.is_closed for day in days):
        yield Text("A day that is open has no closing yet: more facts of it may come.")
    if audited.sample is not None:
        yield from _judged_again(audited.sample)
    yield Text(f"Ledger: {manifest.tree_size:,} entries, root {manifest.root}")
    yield Text(f"Manifest: SHA-256 {manifest.hash}", style="bold")


def _judged_again(sample: Sample) -> Iterator[Text]:
    """How many results of workers were judged again here, and what that would have caught."""
    again = len(sample.keys)
    yield Text(
        f"Judged again here: {again} of {plural(sample.of, 'result')} of workers; all equal."
    )
    chances = [
        f"{altered} of them with {float(chance_of_catching(again, sample.of, altered)):.1%}"
        for altered in SHOWN
        if altered <= sample.of
    ]
    if again and chances:
        yield Text(
            f"Had workers altered results, this would have shown {', '.join(chances)} chance."
        )
