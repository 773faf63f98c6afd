"""A real Chromium for tests of pages: what they ask for, what goes wrong in them, how they print.

The system's Chromium is used (``infra/chromium.sh`` installs it where it is missing). Every request
that leaves the page's own files is noted and stopped.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

NAMES: Final = ("chromium", "chromium-browser", "google-chrome")


def executable() -> str:
    """Where the browser is."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    assert found is not None, "no Chromium: run `bash infra/chromium.sh`"
    return found


@dataclass
class Browser:
    """Opens files, one page for all, and keeps what went wrong."""

    page: Any
    errors: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

    def open(self, path: Path) -> Any:
        """Go to a file; the page."""
        self.page.goto(path.resolve().as_uri(), wait_until="load")
        return self.page

    def printed(self) -> bytes:
        """The page as it prints."""
        self.page.emulate_media(media="print")
        try:
            found: bytes = self.page.pdf(prefer_css_page_size=True, print_background=True)
        finally:
            self.page.emulate_media(media="screen")
        return found


@contextmanager
def browser(width: int = 1280, height: int = 900) -> Iterator[Browser]:
    """A browser without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=executable(), args=["--no-sandbox", "--disable-gpu"]
        )
        page = chromium.new_page(viewport={"width": width, "height": height})
        opened = Browser(page)
        page.on("pageerror", lambda error: opened.errors.append(str(error)))
        page.on(
            "console",
            lambda said: opened.errors.append(said.text) if said.type == "error" else None,
        )

        def routed(route: Any) -> None:
            if route.request.url.startswith(("file:", "data:", "about:")):
                route.continue_()
            else:
                opened.outside.append(route.request.url)
                route.abort()

        page.route("**/*", routed)
        try:
            yield opened
        finally:
            chromium.close()
