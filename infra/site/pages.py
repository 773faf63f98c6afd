"""The pages that the repository holds, as the site shows them: same text, links that lead there.

A link to a page leads to that page of the site, also where the page is only named in code words
(`schemas/conventions.md`, `ledger/games/`). A link to a file that is no page becomes the file's
path: the site has no address at which that file could be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import Final

from infra.site.markdown import headings

ROOT: Final = Path(__file__).parents[2]
FOLDERS: Final = ("infra", "ledger", "pipelines", "schemas", "tests")
"""The folders whose pages the site shows, with all below them."""

CONTRIBUTING: Final = ".github/CONTRIBUTING.md"
_PIECE: Final = re.compile(
    r"(?P<fence>^```.*?^```[ \t]*$)"
    r"|(?P<image>!)?\[(?P<words>(?:`[^`\n]*`|[^\[\]`])*)\]\((?P<target>[^()\s]+)\)"
    r"|`(?P<code>[^`\n]+)`",
    re.MULTILINE | re.DOTALL,
)
_SAYS: Final = re.compile(r"(?<=`)\n(?=It says: )")
"""Where a line of what a command says follows another: each stays a line of its own."""

_PATH: Final = re.compile(r"(?:\.\./)*[\w.-]+(?:/[\w.-]+)*/?")
_FENCE_WORDS: Final = re.compile(r"^```(\w*)[^\n]*")


class PageBroken(Exception):
    """A page of the repository cannot be shown: it has no title, or leads nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page: its path in the site, its title, its Markdown, and the file that it came from."""

    path: str
    title: str
    text: str
    source: str | None = None


def sources(root: Path = ROOT) -> list[str]:
    """The Markdown files that become pages, as paths from the top of the repository."""
    below = sorted(
        path.relative_to(root).as_posix()
        for folder in FOLDERS
        for path in (root / folder).rglob("*.md")
    )
    return ["README.md", CONTRIBUTING, *below]


def place_of(source: str) -> str:
    """Where a file stands in the site: a README is the first page of its folder."""
    if source == CONTRIBUTING:
        return "contributing.md"
    path = PurePosixPath(source)
    return str(path.with_name("index.md") if path.name == "README.md" else path)


def repository_pages(root: Path = ROOT) -> tuple[list[Page], list[str]]:
    """The pages of the repository, and the pictures that they show.

    Raises:
        PageBroken: a page has no title, or a link leads to nothing.
    """
    places = {source: place_of(source) for source in sources(root)}
    pictures: dict[str, None] = {}
    pages = []
    for source, place in places.items():
        text = (root / source).read_text(encoding="utf-8")
        title = next((words for level, words, _ in headings(text) if level == 1), None)
        if title is None:
            raise PageBroken(f"{source} has no title, a first line that begins with #")
        shown = _Rewriting(root, source, places)
        pages.append(Page(path=place, title=title, text=shown.text(text), source=source))
        pictures |= dict.fromkeys(shown.pictures)
    return pages, list(pictures)


class _Rewriting:
    """Turns the links of one page; ``pictures`` collects the files that it shows."""

    def __init__(self, root: Path, source: str, places: Mapping[str, str]) -> None:
        self._root = root
        self._source = source
        self._places = places
        self._from = str(PurePosixPath(places[source]).parent)
        self.pictures: list[str] = []

    def text(self, text: str) -> str:
        """The page with its links turned."""
        return _SAYS.sub(r"  \n", _PIECE.sub(self._piece, text))

    def _piece(self, piece: re.Match[str]) -> str:
        if piece["fence"]:
            return _FENCE_WORDS.sub(r"```\1", piece[0])
        if piece["code"]:
            page = next(filter(self._places.get, self._named(piece["code"])), None)
            return piece[0] if page in (None, self._source) else self._link(piece[0], str(page))
        if re.match(r"https?:|#|mailto:", piece["target"]):
            return piece[0]
        return self._turned(piece)

    def _named(self, name: str) -> Iterator[str]:
        """The pages that code words may name: from the page's folder, from ledger, from the top."""
        path = f"{name}README.md" if name.endswith("/") else name
        if not _PATH.fullmatch(name):
            return
        for folder in (PurePosixPath(self._source).parent, "ledger", "."):
            yield normpath(f"{folder}/{path}")

    def _turned(self, piece: re.Match[str]) -> str:
        target, _, anchor = piece["target"].partition("#")
        file = normpath(f"{PurePosixPath(self._source).parent}/{target}")
        if not (self._root / file).exists():
            raise PageBroken(f"{self._source} links to {target}, which is not there")
        if piece["image"]:
            self.pictures.append(file)
            return f"![{piece['words']}]({relpath(file, self._from)})"
        page = file if file in self._places else f"{file}/README.md"
        if page in self._places:
            return self._link(piece["words"], page, anchor)
        return f"{piece['words']} (`{file}`)"

    def _link(self, words: str, page: str, anchor: str = "") -> str:
        target = relpath(self._places[page], self._from)
        return f"[{words}]({target}{anchor and f'#{anchor}'})"
