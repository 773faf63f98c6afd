"""A real Chromium for tests of pages: what they ask for, what goes wrong in them, how they print.

The system's Chromium is used (``infra/chromium.sh`` installs it where it is missing). Every request
that leaves the page's own files is noted and stopped. The browser sees the fonts of one package only,
whatever else is installed, so that a page is laid out on two machines in one run of the tests.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
SYSTEM_FONTS: Final = {
    "dejavu": "DejaVuSans.ttf",
    "liberation": "LiberationSans-Regular.ttf",
}
"""The fonts of two machines: their letters differ in width by a tenth."""
FONT_FOLDER: Final = Path("/usr/share/fonts")
LONGEST_WAIT_MILLISECONDS: Final = 180_000
"""How long a page may take: a machine that does much else draws it slowly, and is not at fault."""
ONLY: Final = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{fonts}</dir><cachedir>{cache}</cachedir></fontconfig>
"""


def executable() -> str:
    """Where the browser is."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    assert found is not None, "no Chromium: run `bash infra/chromium.sh`"
    return found


def fonts_of(system: str) -> Path:
    """The folder of a system's fonts."""
    path = next(FONT_FOLDER.rglob(SYSTEM_FONTS[system]), None)
    assert path is not None, f"no {SYSTEM_FONTS[system]}: run `bash infra/chromium.sh`"
    return path.parent


def sheets_of(printed: bytes) -> list[list[str]]:
    """The lines of text of each sheet of a printed page."""
    assert shutil.which("pdftotext"), "no pdftotext: run `bash infra/chromium.sh`"
    text = subprocess.run(
        ["pdftotext", "-layout", "-", "-"], input=printed, capture_output=True, check=True
    ).stdout.decode()
    sheets = text.removesuffix("\f").split("\f")
    return [[line for line in sheet.splitlines() if line.strip()] for sheet in sheets]


@dataclass
class Browser:
    """Opens files, one page for all, and keeps what went wrong."""

    page: Any
    errors: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

    def open(self, path: Path) -> Any:
        """Go to a file; the page."""
        self.page.goto(path.resolve().as_uri(), wait_until="load")
        self.page.evaluate("document.fonts.ready.then(() => true)")
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
def browser(width: int = 1280, height: int = 900, system: str = "dejavu") -> Iterator[Browser]:
    """A browser without a window, on a machine with the fonts of ``system``."""
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        only = Path(folder) / "fonts.conf"
        only.write_text(ONLY.format(fonts=fonts_of(system), cache=folder), encoding="utf-8")
        chromium = playwright.chromium.launch(
            executable_path=executable(),
            args=["--no-sandbox", "--disable-gpu"],
            env={**os.environ, "FONTCONFIG_FILE": str(only)},
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
