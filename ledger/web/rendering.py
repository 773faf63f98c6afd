"""Answers: pages from templates, JSON, CSV whose cells are never formulas, static files."""

from __future__ import annotations

import csv
import io
import json
import re
import secrets
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from ledger.kernel import cell_text, dollars, visible_json
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.fact_sentences import page_value
from ledger.reports.night import words

TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "woff2": "font/woff2",
}
OWN: Final = ("desk.css", "desk.js", "htmx.min.js", "icon.svg")
_FONTS: Final = ("latin-regular", "latin-bold", "latin-extended-regular", "latin-extended-bold")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a page has to say, in the three forms that it is asked for in.

    Attributes:
        template: the page's.
        context: what the template fills in.
        document: the same as plain data: cents, UTC.
        rows: the same as rows of a table.
        status: of the answer.
    """

    template: str
    context: Mapping[str, object] = field(default_factory=dict)
    document: object = None
    rows: Iterable[Mapping[str, object]] = ()
    status: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """A document that is given out as it is: a printed page, a PDF, a workbook.

    Attributes:
        content: its bytes.
        kind: its media type.
        name: of the file; None: it is shown, not saved.
        policy: its own content security policy; None: that of every answer.
    """

    content: bytes
    kind: str
    name: str | None = None
    policy: str | None = None

    def headers(self) -> dict[str, str]:
        """The headers that say so."""
        named = {"Content-Disposition": f'attachment; filename="{self.name}"'} if self.name else {}
        return named | ({"Content-Security-Policy": self.policy} if self.policy else {})


_STYLE: Final = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)


def printed_page(text: str) -> Download:
    """Return a page that carries its own style; the policy allows exactly that style, by hash."""
    styles = [b64encode(sha256(style.encode()).digest()).decode() for style in _STYLE.findall(text)]
    allowed = " ".join(f"'sha256-{digest}'" for digest in styles) or "'none'"
    policy = "; ".join(
        (
            *("default-src 'none'", f"style-src {allowed}", "img-src data:", "font-src data:"),
            *("form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'"),
        )
    )
    return Download(content=text.encode(), kind="text/html; charset=utf-8", policy=policy)


def step_words(text: str | None) -> str:
    """Return what to do next, for who sits at the desk: commands mean nothing there."""
    if not text or "pitledger" in text or "--" in text:
        return "Go back and try again."
    return f"{text[0].upper()}{text[1:]}{'' if text[-1] in '.!?' else '.'}"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("ledger.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=page_value,
    )
    environment.filters["outside"] = words.outside
    environment.filters["count"] = lambda number: f"{number:,}"
    environment.filters["pin"] = lambda pins: pins.replace("§ ", "§\u00a0")
    environment.filters["dollars"] = dollars
    environment.globals["same_pairs"] = lambda names: [(name, name) for name in names]
    environment.globals["new_id"] = lambda: secrets.token_urlsafe(18)
    return environment


def page(template: str, context: Mapping[str, object]) -> str:
    """Return a page; whatever is filled in is escaped, and hidden signs are shown."""
    links = {name: static_path(f"desk.{name}") for name in ("css", "js")}
    links |= {"icon": static_path("icon.svg"), "htmx": static_path("htmx.min.js")}
    return _environment().get_template(template).render(links=links, **context)


def json_text(document: object) -> str:
    """Return a document as JSON for scripts."""
    return visible_json(json.dumps(document, ensure_ascii=False, indent=2)) + "\n"


def csv_text(rows: Iterable[Mapping[str, object]]) -> str:
    """Return rows as CSV with a head; a text is never a formula."""
    every = list(rows)
    columns = list(dict.fromkeys(name for row in every for name in row))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(map(cell_text, columns))
    for row in every:
        writer.writerow(_cell(row.get(name)) for name in columns)
    return out.getvalue()


def _cell(content: object) -> object:
    match content:
        case None:
            return ""
        case bool():
            return "yes" if content else "no"
        case int() | float():
            return content
        case list() | tuple():
            return cell_text("; ".join(map(str, content)))
        case _:
            return cell_text(str(content))


@cache
def _static() -> dict[str, bytes]:
    """The static files by name."""
    fonts = {
        f"{name}.woff2": files("ledger.reports.font").joinpath(f"{name}.woff2").read_bytes()
        for name in _FONTS
    }
    own = files("ledger.web").joinpath("static")
    return {**fonts, **{name: own.joinpath(name).read_bytes() for name in OWN}}


@cache
def static_path(name: str) -> str:
    """Return where a static file is asked for: its hash stands in the path."""
    digest = sha256(_static()[name]).hexdigest()[:16]
    return f"/static/{digest}/{name}"


def static_file(name: str) -> tuple[bytes, str] | None:
    """Return a static file and its type; None if there is none of that name."""
    body = _static().get(name)
    return None if body is None else (body, TYPES[name.rpartition(".")[2]])
