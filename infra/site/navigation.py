"""Where each page stands in the navigation: first what a reader wants, last the code by folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import Final

from infra.site.pages import Page


@dataclass(frozen=True, slots=True)
class Tab:
    """One heading of the navigation, and its pages: paths and patterns of paths in order."""

    title: str
    paths: tuple[str, ...]


CODE: Final = Tab(
    "Code", ("contributing.md", "ledger/*", "pipelines/*", "schemas/*", "infra/*", "tests/*")
)
TABS: Final = (
    Tab("Start", ("index.md",)),
    Tab(
        "Use",
        (
            *(
                "infra/docs/commands.md",
                "infra/docs/search.md",
                "infra/docs/what-if.md",
                "infra/docs/watch.md",
                "infra/docs/many-days.md",
                "infra/docs/observations.md",
                "infra/docs/desk.md",
                "infra/docs/examples.md",
                "infra/docs/evidence-pack.md",
                "tests/tour/index.md",
            ),
            *("infra/docs/a-terminal.md", "infra/docs/limits.md", "infra/docs/retention.md"),
            *("infra/docs/promises.md", "infra/docs/swarm.md", "infra/docs/fuzzing.md"),
            "infra/docs/CHANGELOG.md",
            "infra/docs/*",
        ),
    ),
    Tab("Runbooks", ("infra/runbooks/index.md", "infra/runbooks/*")),
    Tab("Law", ("law/index.md", "law/interpretations.md", "law/findings.md", "law/*")),
    Tab("Events", ("events/index.md", "schemas/index.md", "schemas/conventions.md", "events/*")),
    Tab("Decisions", ("infra/decisions/index.md", "infra/decisions/*")),
    CODE,
)


class PageNotInNavigation(Exception):
    """A page stands under no heading, or under a heading without pages."""


def navigation(pages: Sequence[Page]) -> list[tuple[Tab, list[Page]]]:
    """Each heading with its pages, every page once.

    Raises:
        PageNotInNavigation: a page matches no heading, or a name of a heading is no page.
    """
    left = {page.path: page for page in pages}
    shown = []
    for tab in TABS:
        taken: list[Page] = []
        for pattern in tab.paths:
            paths = sorted((path for path in left if fnmatch(path, pattern)), key=_in_order)
            if not paths and "*" not in pattern:
                raise PageNotInNavigation(f"{tab.title}: there is no page {pattern}")
            taken += [left.pop(path) for path in paths]
        shown.append((tab, taken))
    if left:
        raise PageNotInNavigation(f"under no heading: {', '.join(left)}")
    return shown


def navigation_toml(pages: Sequence[Page]) -> str:
    """The navigation as the site's settings hold it."""
    tabs = (_tab(tab, under) for tab, under in navigation(pages))
    return "nav = [\n" + "".join(tabs) + "]\n"


def _tab(tab: Tab, pages: Sequence[Page]) -> str:
    if len(pages) == 1:
        return f"  {_entry(tab.title, pages[0].path)},\n"
    entries = "".join(f"    {_entry(_title(tab, page), page.path)},\n" for page in pages)
    return f"  {{ {json.dumps(tab.title)} = [\n{entries}  ] }},\n"


def _title(tab: Tab, page: Page) -> str:
    """What the navigation calls a page: those of the code by their folder."""
    folder = (page.source or "").removesuffix("/README.md")
    return folder.removeprefix("ledger/") if tab is CODE and folder != page.source else page.title


def _in_order(path: str) -> str:
    """What paths are sorted by: the page of a folder before those below it."""
    return path.removesuffix("index.md")


def _entry(title: str, path: str) -> str:
    return f"{{ {json.dumps(title, ensure_ascii=False)} = {json.dumps(path)} }}"
