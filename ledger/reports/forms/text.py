"""Forms as plain text: a page per form, with its signature block and footer."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Final

from ledger.coupons import forms
from ledger.coupons.forms import Kind
from ledger.kernel import visible
from ledger.reports.forms.contents import (
    ASKS,
    MARKED,
    MOST_LINES,
    RESTATED,
    Stamp,
    asks_for,
    cell,
    day_words,
    groups,
    issue_words,
    marked_rows,
    rest,
    restated_rows,
    serves,
    signature_lines,
    total_row,
    worth_row,
)

if TYPE_CHECKING:
    from ledger.coupons.forms import Issue, Table

WIDEST: Final = 58
"""Characters of a cell before it goes on in the next line."""
PAGE: Final = 120


def forms_text(issues: Sequence[Issue], stamp: Stamp) -> str:
    """Forms one after the other; each ends with its footer."""
    pages = list(_pages(issues))
    parts = [
        "\n".join([*_page(issue, stamp, former), "", *_footer(issue, stamp, number, len(pages))])
        for number, (issue, former) in enumerate(pages, 1)
    ]
    return "\n\f\n".join(map(visible, parts)).rstrip() + "\n"


def _pages(issues: Sequence[Issue]) -> Iterator[tuple[Issue, bool]]:
    for issue in issues:
        yield issue, False
        if issue.former is not None:
            former = forms.Issue(
                form=issue.former, number=issue.supersedes or 0, signed=issue.before
            )
            yield former, True


def _page(issue: Issue, stamp: Stamp, former: bool) -> Iterator[str]:
    form = issue.form
    yield f"{form.title.upper()}   {stamp.property_name}"
    yield f"{serves(form.form)} · {day_words(form)} · {form.form_id} · {issue_words(issue)}"
    if former:
        yield f"SUPERSEDED: issue {issue.number}, as signed."
    for remark in (*form.remarks, *([issue.doubt] if issue.doubt else [])):
        yield from textwrap.wrap(f"! {remark}", PAGE, subsequent_indent="  ")
    for head in form.heads:
        lines = cell(head.field.kind, head.content).split("\n")
        yield f"  {head.field.title:<34} {', '.join(lines)}"
    for tables in groups(form):
        for table in tables:
            yield ""
            yield table.title
            yield from _table(table)
    if issue.differences:
        yield ""
        yield f"Changes since issue {issue.supersedes}"
        rows = [(one.where, one.before, one.after) for one in issue.differences]
        yield from grid(("Where", "Before", "After"), rows, [False] * 3)
    if issue.amended:
        yield ""
        yield "Amended facts"
        yield from grid(RESTATED, restated_rows(issue), [False] * len(RESTATED))
    if issue.marked:
        yield ""
        yield "Facts that arrived after the day was closed, or that a person added"
        yield from grid(MARKED, marked_rows(issue, stamp), [False] * len(MARKED))
    yield ""
    asked = None if former else asks_for(issue)
    if asked:
        yield f"! {asked}"
    blocks = [
        (
            f"{one.signer.who} ({one.signer.pins})".replace("§ ", "§\xa0"),
            one.name,
            one.credential,
            one.mark,
            one.signed_at,
        )
        for one in signature_lines(issue, stamp)
    ]
    filled = [tuple(part or "_" * 16 for part in block) for block in blocks]
    yield from grid(
        ("Signature of", "Printed name", "Credential no.", "Signature", "Date and time"),
        filled,
        [False] * 5,
    )


def _table(table: Table) -> Iterator[str]:
    if not table.rows:
        yield f"  {table.none}"
        return
    rows = [
        tuple(cell(field.kind, value) for field, value in zip(table.fields, row, strict=True))
        for row in table.rows[:MOST_LINES]
    ]
    ends = [row for row in (total_row(table), worth_row(table)) if row is not None]
    numbers = [field.kind in (Kind.COUNT, Kind.MONEY) for field in table.fields]
    yield from grid([field.title for field in table.fields], rows, numbers, ends)
    left = rest(table)
    if left is not None:
        yield f"! {left}"


def grid(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    numbers: Sequence[bool],
    ends: Sequence[Sequence[str]] = (),
) -> Iterator[str]:
    """The lines of a table: columns as wide as what they hold, long cells go on below.

    Args:
        head: the titles of the columns.
        rows: the cells, as many in each row as there are titles.
        numbers: for each column, whether it is set to the right.
        ends: rows below a second rule, such as totals.
    """
    texts = [head, *rows, *ends]
    columns = list(zip(*texts, strict=True))
    is_plain = all(map(_is_plain, columns))  # nearly every table: each row is one line
    cells = [] if is_plain else [[_wrapped(part) for part in row] for row in texts]
    widths = [
        max(map(len, column if is_plain else chain.from_iterable(row[place] for row in cells)))
        for place, column in enumerate(columns)
    ]
    rule = "  " + "  ".join("─" * width for width in widths)
    signs = (">" if right else "<" for right in numbers)
    line = "  " + "  ".join(
        f"{{:{sign}{width}}}" for sign, width in zip(signs, widths, strict=True)
    )
    for number, row in enumerate(texts):
        if number in (1, 1 + len(rows)):
            yield rule
        for parts in [row] if is_plain else zip_longest(*cells[number], fillvalue=""):
            yield line.format(*parts).rstrip()


def _is_plain(column: Sequence[str]) -> bool:
    """Whether no cell of a column is changed by wrapping it."""
    joined = "\0".join((*column, ""))
    return (
        max(map(len, column)) <= WIDEST
        and " \0" not in joined
        and joined.replace("\0", "", len(column)).isprintable()
    )


def _wrapped(text: str) -> list[str]:
    if len(text) <= WIDEST and text.isprintable() and text[-1:] != " ":
        return [text]  # as wrapping it would: nearly every cell
    return [
        part for line in text.split("\n") for part in (textwrap.wrap(line, WIDEST) or [""])
    ] or [""]


def _footer(issue: Issue, stamp: Stamp, page: int, pages: int) -> Iterator[str]:
    yield "─" * PAGE
    yield (
        f"form {issue.form.form_id} · {issue_words(issue)} · {day_words(issue.form)}"
        f" · page {page} of {pages} · printed {stamp.printed}"
    )
    yield f"tree size {stamp.tree_size} · root {stamp.root} · digest {issue.form.digest().hex()}"
    yield ASKS
