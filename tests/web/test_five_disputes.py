"""A dispute of each game, from what the patron says to a closed case with its pack, at the desk."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.analytics import open_projection
from ledger.casework.person_proofs import persons_folder
from ledger.cli import main
from ledger.log.keys import key_beside
from tests.web.conftest import ENROLLED, PHRASE, cheap, credential_board_agent
from tests.web.dispute_at_desk import ACTORS, STEPS, AtDesk, Complaint, settle_dispute
from tests.web.test_cases import Work

PLANTS = (
    "winner_taken@SB-01",
    "multiplier_not_applied@DC-01",
    "football_winner_taken@FB-01",
    "props_underpaid@PH-01",
    "underpaid@AP-01",
)
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
    """A day on which something went wrong at a table of each game."""
    folder = tmp_path_factory.mktemp("five") / "ledger"
    plants = [word for plant in PLANTS for word in ("--plant", plant)]
    words = ["floor", "simulate", "--ledger", str(folder), "--seed", "144", "--scale", "20000"]
    assert main([*words, "--coupons", *plants]) == 0
    credential_board_agent(folder)
    phrase = folder.with_name("phrase")
    phrase.write_text(PHRASE, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        cheap(patch)
        patch.setenv("PITLEDGER_KEY", str(key_beside(folder)))
        for name in ("PITLEDGER_PASS_PHRASE_FILE", "PITLEDGER_NEW_PASS_PHRASE_FILE"):
            patch.setenv(name, str(phrase))
        for person in ("IT-1", *ENROLLED):
            by = () if person == "IT-1" else ("--by", "IT-1")
            assert main(["person", "enroll", person, *by, "--ledger", str(folder)]) == 0
        open_projection(folder)
    assert persons_folder(folder).exists()
    return folder


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
