"""Take the pictures of the desk that stand in its document: ``python -m tests.web.pictures FOLDER``.

They are of a simulated day on which something went wrong at a table of each game.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from tests.chromium import executable
from tests.web.conftest import PHRASE, cheap, day_of_five_disputes, issued
from tests.web.dispute_at_desk import ACTORS, AtDesk, Settled, settle_dispute
from tests.web.screens import DAY, case_of
from tests.web.test_cases import Work
from tests.web.test_five_disputes import DISPUTES
from tests.web.test_in_browser import Visitor, serving

WIDE, NARROW = {"width": 1280, "height": 860}, {"width": 500, "height": 860}
COMPLAINT = "I had five hundred dollars on Small, the dice said eight, and they took it."
AUDITOR, OPERATOR = "IA-1", "S-1"


def pictures(settled: dict[str, Settled], number: str) -> Iterator[tuple[str, str, str, str]]:
    """Name, person, address and part of each picture; the part is scrolled to."""
    sic_bo = settled["Sic Bo"]
    yield "find", AUDITOR, "/find", ""
    yield "round", OPERATOR, f"/round/{sic_bo.round}", ""
    for name, game in (
        ("wheel", "Dreamcatcher"),
        ("field", "Three Dice Football"),
        ("hops", "Props & Hops"),
        ("hands", "Asia Poker"),
    ):
        yield name, OPERATOR, f"/round/{settled[game].round}", ".turns"
    yield "shift", OPERATOR, "/shift", ""
    yield "case", OPERATOR, f"/case/{number}", ""
    yield "letter", OPERATOR, f"{sic_bo.case}/letter/patron", ""
    yield "pack", OPERATOR, f"/case/{number}/pack", ""
    yield "coupons", AUDITOR, "/coupons", ""
    yield "money", AUDITOR, "/money", ""
    yield "trends", AUDITOR, "/money/trends?by=game", ""
    yield "night", AUDITOR, f"/night/{DAY}", ""
    yield "law", AUDITOR, "/law/sic_bo", "#s539\\.3"
    yield "ledger", AUDITOR, "/ledger/500", ""
    yield "verification", AUDITOR, "/ledger/verification", ""


def main(out: Path) -> None:
    """Simulate the day, settle its disputes, and take the pictures."""
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        folder = day_of_five_disputes(Path(name) / "ledger")
        nights = issued(folder)
        patch.setenv("PITLEDGER_KEY", "")
        cheap(patch)
        work = Work(folder, hosts=("127.0.0.1", "testserver"), nights=nights)
        desk = AtDesk(browsers={who: work.browser(who) for who in ACTORS}, phrase=PHRASE)
        settled = {game: settle_dispute(desk, complaint) for game, complaint in DISPUTES.items()}
        number = case_of(work, settled["Sic Bo"].round, COMPLAINT)
        with serving(work.served) as base, sync_playwright() as playwright:
            chromium = playwright.chromium.launch(
                executable_path=executable(), args=["--no-sandbox", "--disable-gpu"]
            )
            take(chromium, base, pictures(settled, number), out)
            take_others(chromium, base, settled["Sic Bo"].round, out)
            chromium.close()
        work.running.stop()


def take(chromium: Any, base: str, wanted: Iterator[tuple[str, str, str, str]], out: Path) -> None:
    """Take pictures of the first window of pages."""
    visitors = {who: Visitor(chromium, base, who, viewport=WIDE) for who in (AUDITOR, OPERATOR)}
    for name, person, address, part in wanted:
        page = visitors[person].page
        page.goto(base + address)
        if part:
            page.locator(part).first.evaluate("(part) => part.scrollIntoView()")
        page.screenshot(path=str(out / f"desk-{name}.png"))


def take_others(chromium: Any, base: str, round_: str, out: Path) -> None:
    """Take what is supposed of a round, the keys, a dark room, and a narrow window."""
    page = Visitor(chromium, base, OPERATOR, viewport=WIDE).page
    page.goto(f"{base}/round/{round_}/what-if")
    page.select_option("select[name='set dice[1]']", "6")
    page.click(".send button")
    page.wait_for_url("**/what-if/*")
    page.screenshot(path=str(out / "desk-what-if.png"))
    page.goto(f"{base}/round/{round_}")
    page.keyboard.press("?")
    page.screenshot(path=str(out / "desk-keys.png"))
    dark = Visitor(chromium, base, OPERATOR, viewport=WIDE, color_scheme="dark").page
    dark.goto(f"{base}/round/{round_}")
    dark.screenshot(path=str(out / "desk-dark.png"))
    narrow = Visitor(chromium, base, OPERATOR, viewport=NARROW).page
    narrow.goto(f"{base}/round/{round_}")
    narrow.screenshot(path=str(out / "desk-narrow.png"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
