"""Forms as a workbook: a sheet per form and per kind of table, live formulas, ready to print."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from ledger.coupons.forms import (
    NAMES,
    NOT_RECORDED,
    Computed,
    Field,
    Issue,
    Kind,
    Table,
    Value,
    bare,
)
from ledger.reports.forms.contents import (
    ASKS,
    MARKED,
    RESTATED,
    Stamp,
    asks_for,
    cell,
    day_words,
    groups,
    issue_words,
    marked_rows,
    restated_rows,
    serves,
    signature_lines,
)

if TYPE_CHECKING:
    from xlsxwriter.format import Format

    from ledger.reports.safe_workbook import SafeSheet, SafeWorkbook

MONEY: Final = '"$"#,##0.00;[Red]-"$"#,##0.00'
COUNT: Final = "#,##0;[Red]-#,##0"
HEAD: Final = 3
"""The row of a sheet's first head or caption, from 0."""
LONGEST_TAB: Final = 31
"""Characters of a tab's name that a workbook allows."""
TABS: Final = {
    "daily": "Daily reconciliation",
    "finance": "Finance reconciliation",
    "receipts": "Receipts",
    "requisition": "Requisition",
    "issues": "Issues",
    "returns": "Returns",
    "unaccounted": "Not accounted for",
    "inventory": "Monthly inventory",
    "quarterly": "Quarterly report",
}
"""What the tabs of each form are called."""
WIDEST: Final = 46
_NAMED: Final = re.compile(r"\{(\w+)\}")


def forms_xlsx(issues: Sequence[Issue], stamp: Stamp) -> bytes:
    """A workbook of some forms, as bytes; the same input gives the same bytes."""
    from datetime import UTC, datetime

    from ledger.reports.safe_workbook import SafeWorkbook

    out = io.BytesIO()
    book = SafeWorkbook(out)
    book.set_properties(
        {
            "created": datetime.fromtimestamp((stamp.printed_at or 0) // 1_000_000, UTC),
            "title": "Forms",
        }
    )
    style = _styles(book)
    for issue in issues:
        _cover(book, issue, stamp, style)
        for number, tables in enumerate(groups(issue.form), 1):
            _sheet(book, issue, stamp, tables, number, style)
    book.close()
    return out.getvalue()


def _styles(book: SafeWorkbook) -> dict[str, Format]:
    base = {"font_name": "Arial", "font_size": 9, "valign": "top"}
    line = {"border": 1, "border_color": "#BBBBBB"}
    return {
        "title": book.add_format({**base, "bold": True, "font_size": 13}),
        "said": book.add_format({**base, "font_color": "#444444"}),
        "warn": book.add_format({**base, "bold": True, "font_color": "#9C1C00"}),
        "head": book.add_format(
            {**base, **line, "bold": True, "text_wrap": True, "bg_color": "#E8EDF2"}
        ),
        "part": book.add_format({**base, "bold": True, "top": 2}),
        "text": book.add_format({**base, **line, "text_wrap": True}),
        "count": book.add_format({**base, **line, "num_format": COUNT}),
        "money": book.add_format({**base, **line, "num_format": MONEY}),
        "count_total": book.add_format({**base, **line, "bold": True, "num_format": COUNT}),
        "money_total": book.add_format({**base, **line, "bold": True, "num_format": MONEY}),
    }


def _new(book: SafeWorkbook, issue: Issue, stamp: Stamp, part: str) -> SafeSheet:
    sheet = book.add_worksheet(_tab(book, f"{TABS[NAMES[issue.form.form]]} {part}".strip()))
    if issue.form.landscape:
        sheet.set_landscape()
    sheet.fit_to_pages(1, 0)
    sheet.set_margins(left=0.4, right=0.4, top=0.5, bottom=0.9)
    sheet.set_footer(
        f"&L&7form {issue.form.form_id} · {issue_words(issue)} · {day_words(issue.form)}"
        f"\ntree size {stamp.tree_size} · root {stamp.root[:32]}..."
        f"&R&7page &P of &N\nprinted {stamp.printed}"
    )
    return sheet


def _tab(book: SafeWorkbook, name: str) -> str:
    """The name of a tab, with a number where the workbook has that form already."""
    taken = {one.get_name() for one in book.worksheets()}
    names = (name, *(f"{name[: LONGEST_TAB - 5]} ({number})" for number in range(2, 1_000)))
    return next(one for one in names if one not in taken)


def _top(sheet: SafeSheet, issue: Issue, stamp: Stamp, style: dict[str, Format]) -> None:
    form = issue.form
    sheet.write_string(0, 0, f"{form.title} · {stamp.property_name}", style["title"])
    sheet.write_string(
        1,
        0,
        f"{serves(form.form)} · {day_words(form)} · {form.form_id} · {issue_words(issue)}"
        f" · tree size {stamp.tree_size} · root {stamp.root}",
        style["said"],
    )


def _cover(book: SafeWorkbook, issue: Issue, stamp: Stamp, style: dict[str, Format]) -> None:
    """The cover sheet of a form: heads, remarks, changes, signatures."""
    form = issue.form
    sheet = _new(book, issue, stamp, "")
    _top(sheet, issue, stamp, style)
    _heads(sheet, HEAD, ("Field", "Value", "Section", "", ""), style)
    sheet.freeze_panes(HEAD + 1, 0)
    row = HEAD + 1
    for head in form.heads:
        cells = (head.field.title, cell(head.field.kind, head.content), head.field.pins)
        row = _texts(sheet, row, cells, style)
    for remark in (*form.remarks, *filter(None, (issue.doubt, asks_for(issue)))):
        sheet.write_string(row, 0, remark, style["warn"])
        row += 1
    if issue.differences:
        row += 1
        _heads(sheet, row, (f"Changes since issue {issue.supersedes}", "before", "after"), style)
        row += 1
        for change in issue.differences:
            row = _texts(sheet, row, (change.where, change.before, change.after), style)
    if issue.amended:
        row += 1
        _heads(sheet, row, (f"Amended facts: {RESTATED[0].lower()}", *RESTATED[1:]), style)
        row += 1
        for texts in restated_rows(issue):
            row = _texts(sheet, row, texts, style)
    if issue.marked:
        row += 1
        _heads(sheet, row, (f"Late or added: {MARKED[0].lower()}", *MARKED[1:]), style)
        row += 1
        for texts in marked_rows(issue, stamp):
            row = _texts(sheet, row, texts, style)
    row += 1
    _heads(
        sheet,
        row,
        ("Signature of", "Printed name", "Credential no.", "Signature", "Date and time"),
        style,
    )
    row += 1
    for line in signature_lines(issue, stamp):
        who = f"{line.signer.who} ({line.signer.pins})"
        sheet.set_row(row, 28)
        row = _texts(
            sheet, row, (who, line.name, line.credential, line.mark, line.signed_at), style
        )
    sheet.write_string(row + 1, 0, f"digest {form.digest().hex()}", style["said"])
    sheet.write_string(row + 2, 0, ASKS, style["said"])
    sheet.set_column(0, 0, 44)
    sheet.set_column(1, 4, 26)


def _heads(sheet: SafeSheet, row: int, titles: Sequence[str], style: dict[str, Format]) -> None:
    for place, title in enumerate(titles):
        sheet.write_string(row, place, title, style["head"])


def _texts(sheet: SafeSheet, row: int, cells: Sequence[str], style: dict[str, Format]) -> int:
    for place, text in enumerate(cells):
        sheet.write_string(row, place, text, style["text"])
    return row + 1


def _sheet(
    book: SafeWorkbook,
    issue: Issue,
    stamp: Stamp,
    tables: tuple[Table, ...],
    number: int,
    style: dict[str, Format],
) -> None:
    """Tables with the same fields, one below the other, each with its head under its caption."""
    sheet = _new(book, issue, stamp, f"table {number}")
    _top(sheet, issue, stamp, style)
    fields = tables[0].fields
    if len(tables) == 1:
        sheet.freeze_panes(HEAD + 2, 0)
        sheet.repeat_rows(HEAD, HEAD + 1)
    else:
        sheet.freeze_panes(HEAD, 0)
    widths = [len(field.title) for field in fields]
    row = HEAD
    for table in tables:
        row = _table(sheet, table, row, style)
        for line in table.rows:
            for place, (field, entry) in enumerate(zip(fields, line, strict=True)):
                longest = max(map(len, cell(field.kind, entry).split("\n")))
                widths[place] = max(widths[place], longest)
    for place, width in enumerate(widths):
        sheet.set_column(place, place, min(WIDEST, max(9, width + 2)))


def _table(sheet: SafeSheet, table: Table, row: int, style: dict[str, Format]) -> int:
    """One table from a row on; the first row after it."""
    from xlsxwriter.utility import xl_col_to_name, xl_rowcol_to_cell

    sheet.write_string(row, 0, table.title, style["part"])
    row += 1
    _heads(sheet, row, [f"{field.title}\n{field.pins}" for field in table.fields], style)
    row += 1
    if not table.rows:
        sheet.write_string(row, 0, table.none, style["said"])
        return row + 2
    first = row
    columns = {field.key: xl_col_to_name(place) for place, field in enumerate(table.fields)}
    for line in table.rows:
        for place, (field, entry) in enumerate(zip(table.fields, line, strict=True)):
            _cell(sheet, row, place, field, entry, columns, style)
        row += 1
    if table.has_total:
        sheet.write_string(row, 0, "Total", style["head"])
        for place, field in enumerate(table.fields):
            total = table.total_shown(place) if field.summed and place else ""
            if total is None:
                sheet.write_string(row, place, NOT_RECORDED, style["text"])
            elif isinstance(total, int):
                top, last = (xl_rowcol_to_cell(at, place) for at in (first, row - 1))
                money = field.kind is Kind.MONEY
                shown = Decimal(total) / 100 if money else total
                look = style["money_total" if money else "count_total"]
                sheet.write_formula(row, place, f"=SUM({top}:{last})", look, shown)
        row += 1
    if table.each_cents is not None:
        sheet.write_string(row, 0, "Total in dollars", style["head"])
        each = Decimal(table.each_cents) / 100
        for place, field in enumerate(table.fields):
            if field.summed and place:
                above = xl_rowcol_to_cell(row - 1, place)
                worth = Decimal(table.total(place) * table.each_cents) / 100
                sheet.write_formula(row, place, f"={above}*{each}", style["money_total"], worth)
        row += 1
    return row + 1


def _cell(
    sheet: SafeSheet,
    row: int,
    place: int,
    field: Field,
    entry: Value,
    columns: dict[str, str],
    style: dict[str, Format],
) -> None:
    money = field.kind is Kind.MONEY
    look = style["money" if money else "count"]
    known = bare(entry)
    if known is None:
        sheet.write_string(row, place, NOT_RECORDED, style["text"])
    elif isinstance(known, str):
        sheet.write_string(row, place, known, style["text"])  # never a formula
    else:
        shown = Decimal(known) / 100 if money else known
        if isinstance(entry, Computed):
            formula = _NAMED.sub(lambda name: f"{columns[name[1]]}{row + 1}", entry.formula)
            sheet.write_formula(row, place, f"={formula}", look, shown)
        else:
            sheet.write_number(row, place, shown, look)
