"""A dispute brought to its end at the desk, over HTTP: the same acts for its test and its bench.

Each step is what a person does at once: pages asked for, forms of these pages sent.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from urllib.parse import quote

import httpx

OPERATOR, SUPERVISOR, SECOND_SUPERVISOR = "S-1", "SS-1", "SS-2"
ACTORS = (OPERATOR, SUPERVISOR, SECOND_SUPERVISOR)
"""Who works on it: one opens, notes, signs as preparer; two supervisors decide and close."""

STEPS = (
    *("find", "round", "each fact", "case opened", "what-if", "note, footage, error"),
    *("decided, letter signed by two", "closed by a second person", "pack"),
)
"""The steps of a dispute, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint:
    """What a patron says.

    Attributes:
        line: the search line that it makes.
        words: the patron's own.
        wager: the name of the wager, as the layout has it.
        dollars: what was staked on it.
    """

    line: str
    words: str
    wager: str
    dollars: str


@dataclass(slots=True)
class Settled:
    """A dispute at its end.

    Attributes:
        round: in which it was.
        case: its address.
        steps: how many facts the board was stepped through.
        letter: the signed letter to the patron, as it prints.
        pack: the exported pack, without anybody's name.
        seconds: of each step, in order.
        drawn: milliseconds from each key to the drawn board, as a browser measures them.
    """

    round: str = ""
    case: str = ""
    steps: int = 0
    letter: str = ""
    pack: bytes = b""
    seconds: dict[str, float] = field(default_factory=dict)
    drawn: list[float] = field(default_factory=list)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Measure a step by the wall clock."""
        began = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - began


@dataclass(frozen=True, slots=True, kw_only=True)
class AtDesk:
    """Browsers of the persons who work on a dispute.

    Attributes:
        browsers: by person; signed in, and following no redirect by themselves.
        phrase: their pass phrase.
    """

    browsers: Mapping[str, httpx.Client]
    phrase: str

    def page(self, person: str, address: str) -> str:
        """Ask for a page that has to be there."""
        answer = self.browsers[person].get(address)
        assert answer.status_code == httpx.codes.OK, (address, answer.text)
        return answer.text

    def send(self, person: str, page: str, address: str, **fields: str) -> str:
        """Send a form of a page; return where it leads."""
        answer = self.answer(person, page, address, **fields)
        assert answer.status_code == httpx.codes.SEE_OTHER, (address, answer.text)
        return str(answer.headers["location"])

    def answer(self, person: str, page: str, address: str, **fields: str) -> httpx.Response:
        """Send a form of a page; return the answer."""
        token = re.search(r'name="token" value="([^"]+)"', page)
        assert token is not None, page
        own = {"token": token[1], "id": os.urandom(12).hex()}
        return self.browsers[person].post(address, data={**own, **fields})


def settle_dispute(desk: AtDesk, complaint: Complaint) -> Settled:
    """Find what a patron speaks of, judge it, and close the case with a letter and a pack."""
    settled = Settled()
    with settled.step("find"):
        home = desk.page(OPERATOR, "/find")
        results = desk.page(OPERATOR, desk.send(OPERATOR, home, "/find", line=complaint.line))
        settled.round = _differing_round(results)
    address = f"/round/{settled.round}"
    with settled.step("round"):
        page = desk.page(OPERATOR, address)
    settled.steps = int(_one(r'data-last="(\d+)"', page))
    with settled.step("each fact"):
        boards = {_board(desk.page(OPERATOR, f"{address}?step={n}")) for n in range(settled.steps)}
    assert len(boards) == settled.steps  # the board says after how many facts it stands
    with settled.step("case opened"):
        wager, form = _wager(desk, settled.round, complaint)
        settled.case = desk.send(
            OPERATOR, form, "/cases", summary=f"{complaint.wager}, ${complaint.dollars}",
            complaint=complaint.words, round=_plain(settled.round), wager=wager,
        )  # fmt: skip
    with settled.step("what-if"):
        _suppose(desk, address, wager)
    with settled.step("note, footage, error"):
        _work_on(desk, settled.case)
    with settled.step("decided, letter signed by two"):
        settled.letter = _answer_patron(desk, settled.case, wager)
    with settled.step("closed by a second person"):
        _act(desk, SECOND_SUPERVISOR, settled.case, "close", reason="paid and answered",
             pass_phrase=desk.phrase)  # fmt: skip
    with settled.step("pack"):
        page = desk.page(SECOND_SUPERVISOR, f"{settled.case}/pack")
        pack = desk.answer(SECOND_SUPERVISOR, page, f"{settled.case}/pack", redact="all")
        assert pack.status_code == httpx.codes.OK, pack.text
        settled.pack = pack.content
    return settled


def _differing_round(results: str) -> str:
    """The first round of a list in which something differs from what was due, as its line says."""
    lines = [line.partition('"') for line in results.split('<a href="/round/')[1:]]
    assert lines, results
    return next((name for name, _, line in lines if 'class="bad"' in line), lines[0][0])


def _suppose(desk: AtDesk, address: str, wager: str) -> None:
    """Ask what would have been if the dealer had handed a wager back."""
    page = desk.page(OPERATOR, f"{address}/what-if")
    answer = desk.page(
        OPERATOR, desk.send(OPERATOR, page, f"{address}/what-if", **{"return": wager})
    )
    assert "As supposed:" in answer


def _wager(desk: AtDesk, round_: str, complaint: Complaint) -> tuple[str, str]:
    """The wager that a patron speaks of, and the form that opens a case about its round."""
    form = desk.page(OPERATOR, f"/cases/new?round={round_}")
    choices = re.findall(r'<option value="(W\d+)">([^<]*)</option>', form)
    of_name = [(wager, unescape(words)) for wager, words in choices]
    meant = [
        wager for wager, words in of_name
        if words.endswith(f"on {complaint.wager}") and f"${complaint.dollars}" in words
    ]  # fmt: skip
    assert meant, of_name
    return meant[-1], form


def _work_on(desk: AtDesk, case: str) -> None:
    _act(desk, OPERATOR, case, "note", text="The recording and the record agree.")
    page = desk.page(OPERATOR, case)
    window = {
        name: _one(rf'name="{name}" type="datetime-local" value="([^"]+)"', page)
        for name in ("begins", "ends")
    }
    camera = _one(r'id="footage-camera" name="camera" type="text" value="([^"]+)"', page)
    _act(desk, OPERATOR, case, "footage", camera=camera, state="held", **window)
    _act(desk, OPERATOR, case, "assess", error="dealer")


def _answer_patron(desk: AtDesk, case: str, wager: str) -> str:
    """Decide, and sign the letter to the patron by two; how it prints."""
    _act(desk, SUPERVISOR, case, "decide", decision="You are right.", pass_phrase=desk.phrase)
    letter = f"{case}/letter/patron"
    for person, capacity in ((OPERATOR, "preparer"), (SUPERVISOR, "approver")):
        page = desk.page(person, f"{letter}?wager={wager}")
        name = _one(r'name="name" type="text" value="([^"]+)"', page)
        desk.send(person, page, f"{case}/sign", recipient="patron", wager=wager,
                  signed_as=capacity, name=unescape(name), pass_phrase=desk.phrase)  # fmt: skip
    assert "prepared and approved by two persons" in desk.page(OPERATOR, letter)
    return desk.page(OPERATOR, f"{letter}/print")


def _act(desk: AtDesk, person: str, case: str, act: str, **fields: str) -> None:
    desk.send(person, desk.page(person, case), f"{case}/{act}", **fields)


def complaint_of(desk: AtDesk, table: str, words: str) -> Complaint:
    """What the patron of the finding at a table would say: table, about when, stake, wager."""
    home = desk.page(OPERATOR, "/find")
    results = desk.send(OPERATOR, home, "/find", line=f"{table} findings")
    hit = desk.browsers[OPERATOR].get(f"{results}.json").json()[0]
    document = desk.browsers[OPERATOR].get(f"/round/{quote(hit['round'])}.json").json()
    named = next(each["wager"] for each in document["findings"] if each["wager"])
    wager = next(each for each in document["wagers"] if each["wager_id"] == named)
    dollars = f"{wager['stake_cents'] / 100:,.2f}"
    bet = " ".join([wager["wager"], *map(str, wager.get("picks") or ())])
    plain = dollars.replace(",", "").removesuffix(".00")
    line = f'{table} {hit["opened"][11:16]}±10m ${plain} bet:"{wager["wager"]}" findings'
    return Complaint(line=line, words=words, wager=bet, dollars=dollars)


def _board(page: str) -> str:
    return page.partition('id="board"')[2].partition('id="timeline"')[0]


def _plain(name: str) -> str:
    return name.replace("%3A", ":")


def _one(pattern: str, page: str) -> str:
    match = re.search(pattern, page)
    assert match is not None, (pattern, page)
    return match[1]
