"""A desk on a small ledger, with a person of each role."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from ledger.analytics import open_projection
from ledger.cli import main
from ledger.cli.days import round_seen
from ledger.log.signed_file_index import Seals
from ledger.replay import Replay
from ledger.web.accounts import accounts_file, enroll
from ledger.web.app import desk_app
from ledger.web.pass_phrases import Cost
from ledger.web.record import Record, without_key
from ledger.web.settings import DeskSettings

PHRASE = "seven lanterns over the river"
CHEAP = Cost(passes=1, lanes=1, kibibytes=64)
PEOPLE = {
    "surveillance": "SS-1",
    "finance": "FS-1",
    "auditor": "IA-1",
    "supervisor": "F-11",
    "administrator": "IT-1",
}
START = 1_640_000_000_000_000


class Clock:
    """A clock that a test sets forward."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> int:
        return self.at

    def forward(self, seconds: int) -> None:
        self.at += seconds * 1_000_000


class Served:
    """A desk and the browsers that ask it."""

    def __init__(
        self, folder: Path, is_secure: bool = False, hosts: tuple[str, ...] = ("testserver",)
    ) -> None:
        self.clock = Clock()
        self.log: list[str] = []
        self.record = Record(folder, self.clock, round_seen)
        self.settings = DeskSettings(
            folder=folder,
            clock=self.clock,
            hosts=hosts,
            is_secure=is_secure,
            footage_days=30,
            note=self.log.append,
        )
        self.app = desk_app(self.settings, self.record)

    def browser(self) -> TestClient:
        scheme = "https" if self.settings.is_secure else "http"
        return TestClient(self.app, base_url=f"{scheme}://testserver", follow_redirects=False)

    def signed_in(self, person: str) -> TestClient:
        browser = self.browser()
        answer = sign_in(browser, person, PHRASE)
        assert answer.status_code == 303, answer.text
        return browser


def token_of(page: str) -> str:
    match = re.search(r'name="token" value="([^"]+)"', page)
    assert match is not None, page
    return match[1]


def sign_in(browser: TestClient, person: str, phrase: str, to: str = "/"):
    token = token_of(browser.get("/sign-in").text)
    fields = {"token": token, "credential": person, "pass_phrase": phrase, "to": to}
    return browser.post("/sign-in", data=fields)


@pytest.fixture(scope="session")
def desk_ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small day with one finding, its read model made, and an account of each role."""
    folder = tmp_path_factory.mktemp("desk") / "ledger"
    words = ["floor", "simulate", "--ledger", str(folder), "--seed", "144", "--scale", "10000"]
    assert main([*words, "--coupons", "--plant", "winner_taken@SB-01"]) == 0
    open_projection(folder)
    roster, seals = Replay.open(folder).roster(), Seals.of(folder)
    for person in PEOPLE.values():
        enroll(folder, seals, roster, person, PHRASE, START, CHEAP)
    assert accounts_file(folder).exists()
    return folder


@pytest.fixture
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """As ``pitledger serve`` begins; the environment is put back."""
    monkeypatch.setenv("PITLEDGER_KEY", "")
    without_key()


@pytest.fixture
def desk(desk_ledger: Path, no_key: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr("ledger.web.sign_in.COST", CHEAP)
    served = Served(desk_ledger)
    yield served
    served.record.close()
