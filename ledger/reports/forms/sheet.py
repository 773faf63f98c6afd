"""Forms as CSV: tables with the same fields share a head; a text is never a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from ledger.coupons.forms import NOT_RECORDED, Issue, Kind, Value, bare
from ledger.kernel import cell_text
from ledger.reports.forms.contents import (
    MARKED,
    RESTATED,
    Stamp,
    groups,
    issue_words,
    marked_rows,
    restated_rows,
)


def forms_csv(issues: Sequence[Issue], stamp: Stamp) -> str:
    """Every table of some forms; an empty line stands before each new head."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    first = True
    for issue in issues:
        form = issue.form
        lead = ("form", "issue", "gaming day or period", "tree size", "digest")
        own = (
            cell_text(form.form_id),
            cell_text(issue_words(issue)),
            form.period or form.day.isoformat(),
            stamp.tree_size,
            form.digest().hex(),
        )
        if form.heads:
            _gap(writer, first)
            first = False
            writer.writerow([*lead, *(cell_text(one.field.title) for one in form.heads)])
            writer.writerow([*own, *(plain(one.field.kind, one.content) for one in form.heads)])
        for tables in groups(form):
            _gap(writer, first)
            first = False
            writer.writerow(
                [*lead, "table", *(cell_text(field.title) for field in tables[0].fields)]
            )
            for table in tables:
                for row in table.rows:
                    cells = [
                        plain(field.kind, value)
                        for field, value in zip(table.fields, row, strict=True)
                    ]
                    writer.writerow([*own, cell_text(table.title), *cells])
        if issue.differences:
            _gap(writer, first)
            writer.writerow([*lead, f"changes since issue {issue.supersedes}", "before", "after"])
            for change in issue.differences:
                writer.writerow(
                    [*own, *map(cell_text, (change.where, change.before, change.after))]
                )
        if issue.amended:
            _gap(writer, first)
            writer.writerow([*lead, *(f"amended facts: {head.lower()}" for head in RESTATED)])
            for row in restated_rows(issue):
                writer.writerow([*own, *map(cell_text, row)])
        if issue.marked:
            _gap(writer, first)
            writer.writerow([*lead, *(f"late or added: {head.lower()}" for head in MARKED)])
            for row in marked_rows(issue, stamp):
                writer.writerow([*own, *map(cell_text, row)])
    return out.getvalue()


def _gap(writer: object, first: bool) -> None:
    if not first:
        writer.writerow([])  # type: ignore[attr-defined]


def plain(kind: Kind, entry: Value) -> str | int:
    """An entry for a spreadsheet: whole numbers, dollars with a point, texts as texts."""
    known = bare(entry)
    if known is None:
        return NOT_RECORDED
    if isinstance(known, int):
        if kind is not Kind.MONEY:
            return known
        sign = "-" if known < 0 else ""
        return f"{sign}{abs(known) // 100}.{abs(known) % 100:02d}"
    return cell_text(known.replace("\n", "; "))
