"""A dispute of each game, from what the patron says to a closed case with its pack, at the desk."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.analytics import open_projection
from ledger.casework.person_proofs import persons_folder
from ledger.cli import main
from ledger.log.keys import key_beside
from tests.web.conftest import ENROLLED, PHRASE, cheap, credential_board_agent
from tests.web.test_cases import Work

PLANTS = (
    "winner_taken@SB-01",
    "multiplier_not_applied@DC-01",
    "football_winner_taken@FB-01",
    "props_underpaid@PH-01",
    "underpaid@AP-01",
)
DISPUTES = {
    "SB-01": ("Sic Bo", "You took my winning bet."),
    "DC-01": ("Dreamcatcher", "The multiplier did not count."),
    "FB-01": ("Three Dice Football", "I won that down."),
    "PH-01": ("Props & Hops", "They paid me short."),
    "AP-01": ("Asia Poker", "Both my hands won."),
}


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
@pytest.mark.parametrize("table", DISPUTES)
def test_a_dispute_of_each_game_is_settled_without_leaving_the_desk(work: Work, table: str) -> None:
    game, complaint = DISPUTES[table]
    browser = work.browser("S-1")
    sent = work.post("S-1", "/find", line=f"{table} findings")
    hits = browser.get(f"{sent.headers['location']}.json").json()
    assert hits
    assert hits[0]["game"] == game
    name = hits[0]["round"]
    page = browser.get(f"/round/{name}").text
    last = int(re.search(r'data-last="(\d+)"', page)[1])
    boards = [browser.get(f"/round/{name}?step={step}").text for step in range(last + 1)]
    assert len({board.partition('id="timeline"')[0] for board in boards}) == last + 1
    assert browser.get(f"/round/{name}/what-if").status_code == 200
    document = browser.get(f"/round/{name}.json").json()
    finding = next(each for each in document["findings"] if each["effect_cents"])
    assert finding["citations"]

    form = browser.get(f"/cases/new?round={name}").text
    wager = finding["wager"] or re.search(r'<option value="([^"]+)">', form)[1]
    opened = work.post(
        "S-1", "/cases", summary=finding["sentence"][:200], complaint=complaint, round=name,
        wager=wager,
    )  # fmt: skip
    assert opened.status_code == 303, opened.text
    own = opened.headers["location"]
    for person, act, fields in (
        ("S-1", "note", {"text": finding["sentence"]}),
        ("S-1", "assess", {"error": "dealer", "lost": f"{abs(finding['effect_cents']) / 100:.2f}"}),
        ("SS-1", "decide", {"decision": "You are right.", "pass_phrase": PHRASE}),
        ("SS-2", "close", {"reason": "paid", "pass_phrase": PHRASE}),
    ):
        answer = work.post(person, f"{own}/{act}", **fields)
        assert answer.status_code == 303, (act, answer.text)
    assert browser.get(f"{own}.json").json()["status"] == "closed"
    twin = work.post("SS-2", f"{own}/pack", redact="all")
    assert twin.status_code == 200, twin.text
    with work.served.record.present() as record:
        patrons = [one.patron for one in record.round(name).result.wagers if one.patron]
    with zipfile.ZipFile(io.BytesIO(twin.content)) as packed:
        assert packed.testzip() is None
        contents = b"".join(packed.read(each) for each in packed.namelist())
    assert name.encode() in contents
    assert patrons
    assert not [patron for patron in patrons if patron.encode() in contents]
