"""Every link leads somewhere, and no page asks another host for anything."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path
from posixpath import normpath
from typing import Final
from urllib.parse import unquote

from infra.site.markdown import headings
from infra.site.pages import Page

_CODE: Final = re.compile(r"^```.*?^```[ \t]*$|`[^`\n]*`(?!\])", re.MULTILINE | re.DOTALL)
_LINK: Final = re.compile(r"!?\[(?:`[^`\n]*`|[^\[\]`])*\]\(([^()\s]+)\)")
_ELSEWHERE: Final = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
_LOADED: Final = {
    "script": ("src",),
    "link": ("href",),
    "img": ("src", "srcset"),
    "iframe": ("src",),
    "source": ("src", "srcset"),
    "video": ("src", "poster"),
    "audio": ("src",),
    "object": ("data",),
    "embed": ("src",),
    "use": ("href", "xlink:href"),
}
"""What a browser loads by itself, by element."""

_LOADED_BY_STYLE: Final = re.compile(
    r"(?:url\(\s*['\"]?|@import\s+['\"])\s*((?:https?:)?//[^'\")\s]+)"
)


def broken_links(pages: Sequence[Page], files: Iterable[str]) -> list[str]:
    """The links of gathered pages that lead nowhere: "law/539.md: findings.md#no_such_code".

    Args:
        pages: all pages of the site.
        files: the pictures and other files that stand beside them, by path.
    """
    anchors = {page.path: {anchor for _, _, anchor in headings(page.text)} for page in pages}
    known = {**anchors, **{file: set[str]() for file in files}}
    return [
        f"{page.path}: {target}"
        for page in pages
        for target in _LINK.findall(_CODE.sub("", page.text))
        if not _ELSEWHERE.match(target) and not _leads(known, page.path, target)
    ]


def broken_links_of_site(site: Path) -> list[str]:
    """The same of the built pages, as their HTML has links and anchors."""
    parsed = {
        path.relative_to(site).as_posix(): _parsed(path) for path in sorted(site.rglob("*.html"))
    }
    known = {
        path.relative_to(site).as_posix(): set[str]() for path in site.rglob("*") if path.is_file()
    }
    known |= {name: page.anchors for name, page in parsed.items()}
    return [
        f"{name}: {target}"
        for name, page in parsed.items()
        if name != "404.html"  # shown by a server at any address, so its links begin at the top
        for target in page.links
        if not _ELSEWHERE.match(target) and not _leads(known, name, unquote(target))
    ]


def outside_requests(site: Path) -> list[str]:
    """What the HTML or a style of a built page would load from another host.

    What a script asks for later is not seen here: a test opens every page in a browser.
    """
    pages = (
        f"{path.relative_to(site)}: {target}"
        for path in sorted(site.rglob("*.html"))
        for target in _parsed(path).loaded
        if re.match(r"(?:https?:)?//", target)
    )
    styles = (
        f"{path.relative_to(site)}: {target}"
        for path in sorted(site.rglob("*"))
        if path.suffix in (".css", ".html")
        for target in _LOADED_BY_STYLE.findall(path.read_text(encoding="utf-8"))
    )
    return [*pages, *styles]


def _leads(known: Mapping[str, set[str]], page: str, target: str) -> bool:
    """Whether a link of a page leads to a file that is known, and to an anchor that it has."""
    path, _, anchor = target.partition("#")
    folder = page.rpartition("/")[0]
    file = normpath(f"{folder}/{path}" if folder else path) if path else page
    return file in known and (not anchor or anchor in known[file])


class _Parsed(HTMLParser):
    """The links, the anchors and the loaded resources of one built page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element names."""
        values: Mapping[str, str] = {name: value or "" for name, value in attrs}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        self.loaded += [values[name] for name in _LOADED.get(tag, ()) if values.get(name)]
        if tag == "img" and values.get("src"):
            self.links.append(values["src"])


def _parsed(path: Path) -> _Parsed:
    page = _Parsed()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def complaints(title: str, offences: Sequence[str]) -> Iterator[str]:
    """Offences for a person to read, under a title."""
    if offences:
        yield from (title, *(f"  {offence}" for offence in offences))
