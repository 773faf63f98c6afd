"""Gather the pages of the documentation site, or check the site that was built from them.

``python -m infra.site gather FOLDER`` writes pages, pictures and settings below the folder;
``python -m infra.site check FOLDER`` reads the site that was built there.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Final

from infra.site.event_pages import event_pages
from infra.site.law_pages import law_pages
from infra.site.links import broken_links, broken_links_of_site, complaints, outside_requests
from infra.site.navigation import PageNotInNavigation, navigation_toml
from infra.site.pages import ROOT, Page, PageBroken, repository_pages

HERE: Final = Path(__file__).parent
BESIDE: Final = ("site.css", "iframe-worker/shim.js", "iframe-worker/LICENSE")
"""What the pages load of our own, copied as it is."""


def gathered() -> tuple[list[Page], list[str]]:
    """Every page of the site, and the files beside them by path in the repository.

    Raises:
        PageBroken: a page of the repository has no title or leads nowhere.
    """
    pages, pictures = repository_pages()
    return [*pages, *law_pages(), *event_pages()], pictures


def gather(folder: Path) -> list[str]:
    """Write pages, pictures and settings below the folder; return the links that lead nowhere.

    What an earlier run wrote is removed first.

    Raises:
        PageBroken: a page of the repository has no title or leads nowhere.
        PageNotInNavigation: a page stands under no heading of the navigation.
    """
    pages, pictures = gathered()
    settings = (HERE / "zensical.toml").read_text(encoding="utf-8").splitlines(keepends=True)
    filled = "".join(
        navigation_toml(pages) if line.startswith("nav = []") else line for line in settings
    )
    shutil.rmtree(folder, ignore_errors=True)
    for page in pages:
        path = folder / "pages" / page.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page.text, encoding="utf-8")
    copies = {picture: ROOT / picture for picture in pictures} | {
        name: HERE / name for name in BESIDE
    }
    for name, file in copies.items():
        path = folder / "pages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, path)
    (folder / "zensical.toml").write_text(filled, encoding="utf-8")
    return broken_links(pages, pictures)


def check(folder: Path) -> list[str]:
    """Say what is wrong with the built site: nothing, if it can be published as it is."""
    site = folder / "site"
    gathered_pages = sorted((folder / "pages").rglob("*.md"))
    if not gathered_pages:
        return ["Nothing was gathered."]
    expected = [path.relative_to(folder / "pages").with_suffix(".html") for path in gathered_pages]
    return [
        *complaints("Not built:", [str(path) for path in expected if not (site / path).is_file()]),
        *complaints("Links that lead nowhere:", broken_links_of_site(site)),
        *complaints("Loaded from another host:", outside_requests(site)),
    ]


def main(words: list[str]) -> int:
    """Run one of the two steps; return 0 where nothing is wrong, 1 otherwise, 2 for other words."""
    match words:
        case ["gather", folder]:
            try:
                wrong = list(complaints("Links that lead nowhere:", gather(Path(folder))))
            except (PageBroken, PageNotInNavigation) as refusal:
                wrong = [str(refusal)]
        case ["check", folder]:
            wrong = check(Path(folder))
        case _:
            wrong = ["usage: python -m infra.site gather|check FOLDER"]
            print(*wrong, file=sys.stderr)
            return 2
    print(*wrong, sep="\n", end="\n" * bool(wrong), file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
