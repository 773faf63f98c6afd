"""A desk on a small ledger, with a person of each role."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from ledger import events
from ledger.analytics import open_projection
from ledger.casework import person_proofs
from ledger.casework.person_proofs import persons_folder
from ledger.cli import main
from ledger.cli.desk_services import SERVICES
from ledger.codec import frame
from ledger.log import Arrival, open_log
from ledger.log.keys import key_beside
from ledger.night import run_night
from ledger.replay import Replay
from ledger.web.app import desk_app
from ledger.web.record import Record, without_key
from ledger.web.settings import DeskSettings, OpenIdSettings
from tests.once_in_run import once_in_run

DAY = date(2021, 6, 12)
PHRASE = "seven lanterns over the river"
PEOPLE = {
    "surveillance": "S-1",
    "finance": "FS-1",
    "auditor": "IA-1",
    "supervisor": "F-11",
    "administrator": "IT-1",
    "Board agent": "BA-1",
}
PLANTS = (
    *("winner_taken@SB-01", "multiplier_not_applied@DC-01", "football_winner_taken@FB-01"),
    *("props_underpaid@PH-01", "underpaid@AP-01"),
)
"""Something that goes wrong at a table of each game."""
ENROLLED = ("S-1", "SS-1", "SS-2", "FS-1", "IA-1", "F-11", "BA-1")


class Clock:
    """A clock that a test sets forward."""

    def __init__(self) -> None:
        self.at = time.time_ns() // 1_000  # after the enrollments

    def __call__(self) -> int:
        return self.at

    def forward(self, seconds: int) -> None:
        self.at += seconds * 1_000_000


class Served:
    """A desk and the browsers that ask it."""

    def __init__(
        self,
        folder: Path,
        is_secure: bool = False,
        hosts: tuple[str, ...] = ("testserver",),
        nights: Path | None = None,
        openid: OpenIdSettings | None = None,
    ) -> None:
        self.clock = Clock()
        self.log: list[str] = []
        self.record = Record(folder, self.clock, SERVICES)
        self.settings = DeskSettings(
            folder=folder,
            clock=self.clock,
            hosts=hosts,
            is_secure=is_secure,
            footage_days=30,
            nights=nights or folder.with_name("nights"),
            openid=openid,
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
    return once_in_run(tmp_path_factory, "desk", build_desk_ledger) / "ledger"


def build_desk_ledger(place: Path) -> None:
    """Build that day in a folder."""
    folder = place / "ledger"
    words = ["floor", "simulate", "--ledger", str(folder), "--seed", "144", "--scale", "10000"]
    assert main([*words, "--coupons", "--plant", "winner_taken@SB-01"]) == 0
    credential_board_agent(folder)
    enroll(folder)
    open_projection(folder)


def enroll(folder: Path) -> None:
    """Make an account of each role, with one pass phrase that costs little."""
    phrase = folder.with_name("phrase")
    phrase.write_text(PHRASE, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        cheap(patch)
        for name in ("PITLEDGER_PASS_PHRASE_FILE", "PITLEDGER_NEW_PASS_PHRASE_FILE"):
            patch.setenv(name, str(phrase))
        for person in ("IT-1", *ENROLLED):
            by = () if person == "IT-1" else ("--by", "IT-1")
            assert main(["person", "enroll", person, *by, "--ledger", str(folder)]) == 0


def day_of_five_disputes(folder: Path) -> Path:
    """A day on which something went wrong at a table of each game, with its accounts."""
    plants = [word for plant in PLANTS for word in ("--plant", plant)]
    words = ["floor", "simulate", "--ledger", str(folder), "--seed", "144", "--scale", "20000"]
    assert main([*words, "--coupons", *plants]) == 0
    credential_board_agent(folder)
    enroll(folder)
    open_projection(folder)
    return folder


def credential_board_agent(folder: Path) -> None:
    """Add an agent of the Board, of whom the simulated floor has none, on the day after."""
    replay = Replay.open(folder)
    extent = replay.extent("house")
    agent = events.PersonCredentialled(
        stream="house", seq=extent.last_seq + 1, source="T-OFFICE", recorded_by="M-1",
        event_time=extent.last_time + 86_400_000_000, person="BA-1", role=None, revoked=False,
        department="Pennsylvania Gaming Control Board",
    )  # fmt: skip
    with open_log(folder) as log:
        log.append_whole([Arrival(frame(agent))], agent.event_time)


def copied(ledger: Path, to: Path) -> Path:
    """A copy of a ledger that may be written, with its key and its persons."""
    folder = to / "copy"
    shutil.copytree(ledger, folder)
    shutil.copytree(persons_folder(ledger), persons_folder(folder))
    shutil.copy(key_beside(ledger), key_beside(folder))
    return folder


def issued(folder: Path) -> Path:
    """The folder of the nights of a ledger, with the report of its day."""
    nights = folder.with_name("nights")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PITLEDGER_KEY", str(key_beside(folder)))
        run_night(folder, DAY, out=nights, processes=1, footage_days=30)
    return nights


def cheap(patch: pytest.MonkeyPatch) -> None:
    """Pass phrases that cost little; what a guess costs is tested elsewhere."""
    patch.setattr(person_proofs, "MEMORY_KIB", 64)
    patch.setattr(person_proofs, "ITERATIONS", 1)


@pytest.fixture
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """As ``pitledger serve`` begins; the environment is put back."""
    monkeypatch.setenv("PITLEDGER_KEY", "")
    without_key()
    cheap(monkeypatch)


@pytest.fixture
def desk(desk_ledger: Path, no_key: None) -> Iterator[Served]:
    for tries in persons_folder(desk_ledger).glob("*.tries"):
        tries.unlink()
    served = Served(desk_ledger)
    yield served
    served.record.close()
