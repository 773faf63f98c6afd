"""The templates and the style of this folder; whatever is filled in is escaped."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup, escape

from ledger.reports.night import words
from ledger.reports.told import page_value


@cache
def style() -> Markup:
    """The style that all pages of a night share."""
    return Markup(files("ledger.reports.night").joinpath("style.css").read_text("utf-8"))


def _breaks(text: str, after: str) -> Markup:
    """The text, which may be broken after a sign that has no blank beside it."""
    return Markup(str(escape(page_value(text))).replace(after, f"{after}<wbr>"))


@cache
def template(name: str) -> Template:
    """A template of this folder."""
    made = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        finalize=page_value,
    )  # fmt: skip
    made.filters["said"] = words.said
    made.filters["count"] = lambda number: f"{number:,}"
    made.filters["pin"] = lambda pins: pins.replace("§ ", "§\u00a0")
    made.filters["breaks"] = _breaks
    made.filters["amount"] = words.amount
    made.filters["e"] = words.e_words
    return made.from_string(files("ledger.reports.night").joinpath(name).read_text("utf-8"))
