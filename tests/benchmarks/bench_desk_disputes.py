"""How long a dispute of each game takes, from the patron's words to the exported pack: the desk
over HTTP, and then a person's browser by clicks and keys."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

import httpx
from playwright.sync_api import sync_playwright

from ledger.analytics import read_model
from tests.benchmarks.bench_desk import PHRASE, enroll, entry, served, signed_in, took
from tests.chromium import executable
from tests.web.dispute_at_desk import (
    ACTORS,
    OPERATOR,
    AtDesk,
    Settled,
    complaint_of,
    settle_dispute,
)
from tests.web.dispute_in_browser import InBrowser, settle_in_browser, signed_in_page

NOTE = """
`pitledger serve` with its writer on one simulated day of eleven tables (140,000 events) on which something went wrong at a table of each game, asked over HTTP, in wall
time. Nobody thinks: a step is the pages and forms that a person asks for and sends in it, one after the other. Pass phrases cost what they
cost people, in deciding, in each of two signatures and in closing. `each fact` is the board asked for once after each fact, by as many pages.
The search line has what a patron remembers: table, time within ten minutes, stake and wager.
`in Chromium` is the same path by clicks and keys in a real browser, a window for each person: what it lays out, draws and fetches ahead is in it, and pages
that only lead from one step to the next are not. `each key` is a fact's step from the key to the drawn board, the middle one, measured within the page.
"""
GAMES: Final = {
    "SB-01": "Sic Bo",
    "DC-01": "Dreamcatcher",
    "FB-01": "Three Dice Football",
    "PH-01": "Props & Hops",
    "AP-01": "Asia Poker",
}
PLANTS: Final = (
    *("winner_taken@SB-01", "multiplier_not_applied@DC-01", "football_winner_taken@FB-01"),
    *("props_underpaid@PH-01", "underpaid@AP-01"),
)
WANTED: dict[tuple[str, str], str] = {}
BASELINES: dict[str, str] = {}


def run() -> list[tuple[str, float, str]]:
    """Name, value and unit of each measurement."""
    with TemporaryDirectory() as name:
        folder = Path(name) / "ledger"
        simulated(folder)
        return list(measured(folder))


def simulated(folder: Path, more: Sequence[str] = ()) -> None:
    """Simulate the day, and make its read model."""
    command = [sys.executable, "-m", "ledger", "floor", "simulate", "--ledger", str(folder)]
    command += ["--seed", "144", "--coupons", *more]
    command += [word for plant in PLANTS for word in ("--plant", plant)]
    subprocess.run(command, check=True, capture_output=True)
    read_model(folder).close()


def measured(folder: Path) -> Iterator[tuple[str, float, str]]:
    """A dispute of each game after the other, each step in milliseconds, all of it in seconds."""
    enroll(folder, ACTORS)
    with served(folder) as (address, _), ExitStack() as open_clients:
        browsers = {
            person: open_clients.enter_context(httpx.Client(base_url=address, timeout=60))
            for person in ACTORS
        }
        tokens = {person: signed_in(browsers[person], person) for person in ACTORS}
        for person, token in tokens.items():  # the writer hears of each of them once
            took(browsers[person], "POST", "/shift/log", {**entry(token), "pass_phrase": PHRASE})
        desk = AtDesk(browsers=browsers, phrase=PHRASE)
        browsers[OPERATOR].get("/find")
        for table, game in GAMES.items():
            complaint = complaint_of(desk, table, "This was not right.")
            yield from rows_of(game, settle_dispute(desk, complaint))
        yield from measured_in_browser(address, desk)


def measured_in_browser(address: str, desk: AtDesk) -> Iterator[tuple[str, float, str]]:
    """A second dispute of each game, by clicks and keys in a real browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable(), args=["--no-sandbox", "--disable-gpu"]
        )
        pages = {person: signed_in_page(browser, address, person, PHRASE) for person in ACTORS}
        people = InBrowser(pages=pages, base=address, phrase=PHRASE)
        for table, game in GAMES.items():
            complaint = complaint_of(desk, table, "This was not right.")
            settled = settle_in_browser(people, complaint)
            yield from rows_of(f"{game}, in Chromium", settled)
            yield f"{game}, in Chromium: each key", median(settled.drawn), "ms"
        browser.close()


def rows_of(game: str, settled: Settled) -> Iterator[tuple[str, float, str]]:
    """The rows of a settled dispute."""
    for step, seconds in settled.seconds.items():
        yield f"{game}: {step}", seconds * 1e3, "ms"
    yield f"{game}: facts stepped through", settled.steps, ""
    yield f"{game}: from the patron's words to the pack", sum(settled.seconds.values()), "s"
