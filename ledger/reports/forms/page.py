"""Forms as one page that prints: landscape, a footer on every sheet, self-contained."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Final

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup, escape

from ledger.coupons.forms import Issue
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.fact_sentences import page_value
from ledger.reports.font import with_font
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
from ledger.reports.qr import qr_svg, stamp_words

ALERTS: Final = ("NOT ", "MISSING", "DIFFERS", "AWAITING", "EXPIRED", "NONE TAKEN")
"""Words of a cell that a reader must not overlook."""
WHOLE: Final = frozenset(
    {
        *("carried_in", "received", "first", "last", "entry", "delivery", "requisition", "finding"),
        *("received_on", "returned_on", "prepared_on", "needed_for", "since", "expiry", "section"),
        *("returned_credential", "received_credential", "checked_credentials", "entered_by"),
    }
)
"""Fields whose lines are never broken: serial numbers, dates, reference and credential numbers."""

_REFERENCE: Final = re.compile(
    r"(?<![^\s(])([^\s(),:;-]{1,12}(?:-[^\s(),:;-]{1,12}){1,3})(?![^\s),:;])", re.ASCII
)
"""A serial number, a date, a reference: words with hyphens, as long as a cell can hold."""


@cache
def _template(name: str) -> Template:
    page = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        finalize=page_value,
    )  # fmt: skip
    return page.from_string(files("ledger.reports.forms").joinpath(name).read_text("utf-8"))


def forms_html(issues: Sequence[Issue], stamp: Stamp, index: str | None = None) -> str:
    """Forms one after the other, each on sheets of its own; ``index`` is a page to go back to."""
    shown: list[tuple[Issue, bool]] = []
    for issue in issues:
        shown.append((issue, False))
        if issue.former is not None:
            former = Issue(form=issue.former, number=issue.supersedes or 0, signed=issue.before)
            shown.append((former, True))
    page = _template("form.html").render(
        shown=shown,
        stamp=stamp,
        index=index,
        asks=ASKS,
        asks_for=asks_for,
        cell=cell,
        day_words=day_words,
        groups=groups,
        issue_words=issue_words,
        serves=serves,
        code=_code(stamp),
        css=_css,
        signatures=lambda issue: signature_lines(issue, stamp),
        total_row=total_row,
        worth_row=worth_row,
        alert=_alert,
        whole=WHOLE,
        unbroken=_unbroken,
        most=MOST_LINES,
        rest=rest,
        restated=RESTATED,
        restated_rows=restated_rows,
        marked=MARKED,
        marked_rows=marked_rows,
    )
    return with_font(page)


def _css(text: str) -> Markup:
    """A text inside a string of the style sheet: quotes and controls as CSS escapes."""
    plain = " ·-.,:()'"
    return Markup(
        "".join(sign if sign.isalnum() or sign in plain else f"\\{ord(sign):x} " for sign in text)
    )


def _code(stamp: Stamp) -> Markup:
    """Size and root of the tree as a code that a reader can hold against a ledger."""
    words = stamp_words(stamp.origin, stamp.tree_size, stamp.root)
    return qr_svg(words, "QR code of tree size and root")


def _unbroken(text: str) -> Markup:
    """A text of which serial numbers, dates and references stay whole when its lines break."""
    parts = _REFERENCE.split(text)
    unbroken = Markup('<span class="unbroken">{}</span>')
    return Markup("").join(
        unbroken.format(part) if place % 2 else escape(part) for place, part in enumerate(parts)
    )


def _alert(text: str) -> bool:
    return any(word in text for word in ALERTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A form on the index page, with the names of its files by format."""

    issue: Issue
    files: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Forms under one heading of the index page; ``balanced`` is the verdict on a gaming day."""

    title: str
    balanced: str
    listed: tuple[Listed, ...]


def index_html(days: Sequence[date], groups: Sequence[Group], stamp: Stamp) -> str:
    """The page from which all forms of some gaming days are opened."""
    first, last = min(days), max(days)
    span = f"gaming day {first}" if first == last else f"gaming days {first} to {last}"
    page = _template("index.html").render(
        code=_code(stamp),
        span=span,
        unbroken=_unbroken,
        groups=groups,
        stamp=stamp,
        asks=ASKS,
        asks_for=asks_for,
        day_words=day_words,
        issue_words=issue_words,
        serves=serves,
    )
    return with_font(page)
