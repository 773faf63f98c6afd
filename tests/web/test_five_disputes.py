"""A dispute of each game, from what the patron says to a closed case with its pack, at the desk."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.conftest import PHRASE, day_of_five_disputes
from tests.web.dispute_at_desk import ACTORS, STEPS, AtDesk, Complaint, settle_dispute
from tests.web.test_cases import Work

DISPUTES = {
    "Sic Bo": Complaint(
        line="SB-01 11:05am±5m $500 bet:small", wager="Small Bet", dollars="500.00",
        words="You took my winning bet.",
    ),
    "Dreamcatcher": Complaint(
        line="DC-01 11:00±5m $25 bet:1 underpaid", wager="1", dollars="25.00",
        words="The multiplier did not count.",
    ),
    "Three Dice Football": Complaint(
        line="FB-01 12:10pm±5m bet:touchdown $45", wager="Touchdown", dollars="45.00",
        words="I won that down.",
    ),
    "Props & Hops": Complaint(
        line="PH-01 12:25±5m $200 bet:field", wager="Field", dollars="200.00",
        words="They paid me short.",
    ),
    "Asia Poker": Complaint(
        line='AP-01 1:10pm±5m seat:6 bet:"asia poker" $20', wager="Asia Poker Wager",
        dollars="20.00", words="Both my hands won.",
    ),
}  # fmt: skip
"""What a patron of each game says, and the search line that it makes."""


@pytest.fixture(scope="module")
def five_games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return day_of_five_disputes(tmp_path_factory.mktemp("five") / "ledger")


@pytest.fixture
def work(five_games: Path, no_key: None) -> Iterator[Work]:
    at_work = Work(five_games)
    yield at_work
    at_work.close()


@pytest.mark.full
@pytest.mark.parametrize("game", DISPUTES)
def test_a_dispute_of_each_game_is_settled_without_leaving_the_desk(work: Work, game: str) -> None:
    desk = AtDesk(browsers={who: work.browser(who) for who in ACTORS}, phrase=PHRASE)
    settled = settle_dispute(desk, DISPUTES[game])
    browser = work.browser("S-1")
    document = browser.get(f"/round/{settled.round}.json").json()
    assert document["game"] == game
    assert any(each["effect_cents"] and each["citations"] for each in document["findings"])
    assert settled.steps >= 10
    case = browser.get(f"{settled.case}.json").json()
    assert case["status"] == "closed"
    assert "You are right." in settled.letter
    name = document["round"]
    with work.served.record.present() as record:
        patrons = [one.patron for one in record.round(name).result.wagers if one.patron]
    with zipfile.ZipFile(io.BytesIO(settled.pack)) as packed:
        assert packed.testzip() is None
        contents = b"".join(packed.read(each) for each in packed.namelist())
    assert name.encode() in contents
    assert patrons
    assert not [patron for patron in patrons if patron.encode() in contents]
    assert list(settled.seconds) == list(STEPS)
