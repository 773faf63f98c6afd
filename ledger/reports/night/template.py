"""The templates and the style of this folder; whatever is filled in is escaped."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup, escape

from ledger.reports.fact_sentences import page_value
from ledger.reports.night import words


@cache
def style() -> Markup:
    """The style that all pages of a night share."""
    return Markup(files("ledger.reports.night").joinpath("style.css").read_text("utf-8"))


def _breaks(text: str, after: str) -> Markup:
    """The text, which may be broken after a sign that has no blank beside it."""
    return Markup(str(escape(page_value(text))).replace(after, f"{after}<wbr>"))


@cache
def template(name: str, package: str = "ledger.reports.night") -> Template:
    """A template of this folder, or of another package that shares the style."""
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        finalize=page_value,
    )  # fmt: skip
    environment.filters["outside"] = words.outside
    environment.filters["count"] = lambda number: f"{number:,}"
    environment.filters["pin"] = lambda pins: pins.replace("§ ", "§\u00a0")
    environment.filters["breaks"] = _breaks
    environment.filters["amount"] = words.amount
    environment.filters["e"] = words.e_words
    return environment.from_string(files(package).joinpath(name).read_text("utf-8"))
