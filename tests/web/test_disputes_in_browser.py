"""A dispute of each game in a real Chromium, from what the patron says to the pack of a closed case."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from ledger.log.keys import key_beside
from tests.chromium import executable
from tests.web.conftest import PHRASE, Served, copied, day_of_five_disputes
from tests.web.dispute_at_desk import ACTORS, STEPS, Complaint
from tests.web.dispute_in_browser import InBrowser, settle_in_browser, signed_in_page
from tests.web.test_five_disputes import DISPUTES
from tests.web.test_in_browser import serving
from tests.web.test_writer import Running


@pytest.fixture(scope="module")
def five_games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return day_of_five_disputes(tmp_path_factory.mktemp("five") / "ledger")


def settled_in_chromium(folder: Path, complaint: Complaint) -> None:
    """Settle a dispute by clicks and keys; nothing goes wrong in any page."""
    wrong: list[str] = []
    writer = Running(folder, key_beside(folder))
    with serving(Served(folder, hosts=("127.0.0.1",))) as base, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable(), args=["--no-sandbox", "--disable-gpu"]
        )
        pages = {person: signed_in_page(browser, base, person, PHRASE) for person in ACTORS}
        for page in pages.values():
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.on(
                "request", lambda asked: wrong.extend([asked.url][asked.url.startswith(base) :])
            )
        desk = InBrowser(pages=pages, base=base, phrase=PHRASE)
        settled = settle_in_browser(desk, complaint)
        browser.close()
    writer.stop()
    assert wrong == []
    assert settled.steps >= 10
    assert "You are right." in settled.letter
    with zipfile.ZipFile(io.BytesIO(settled.pack)) as packed:
        assert packed.testzip() is None
    assert list(settled.seconds) == list(STEPS)


def test_a_dispute_is_settled_by_clicks_and_keys(
    desk_ledger: Path, no_key: None, tmp_path: Path
) -> None:
    complaint = Complaint(
        line="SB-01 findings", wager="Small Bet", dollars="50.00", words="You took my winning bet."
    )
    settled_in_chromium(copied(desk_ledger, tmp_path), complaint)


@pytest.mark.full
@pytest.mark.parametrize("game", [game for game in DISPUTES if game != "Sic Bo"])
def test_a_dispute_of_each_other_game_is_settled_by_clicks_and_keys(
    five_games: Path, no_key: None, game: str
) -> None:
    settled_in_chromium(five_games, DISPUTES[game])
