"""Every page of the desk in a state worth looking at, by the route that serves it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ledger.web.views import VIEWS
from tests.web.conftest import PHRASE
from tests.web.test_cases import WORDS, Work

ROUND = "SB-01:517"
BOARDS = ("AP-02:288", "DC-01:362", "FB-01:589", "PH-01:491", "SB-01:128")
"""A round of each game."""
DAY = "2021-06-12"


def case_of(work: Work, round_id: str = ROUND, complaint: str = WORDS) -> str:
    """A case with something in each of its parts, decided; its number."""
    form = work.browser("S-1").get(f"/cases/new?round={round_id}").text
    wager = re.search(r'<option value="(W\d+)">', form)
    assert wager is not None
    number = work.opened(
        wager=wager[1], complaint=complaint, staff="D-SB-01-1", round=round_id.replace("%3A", ":")
    )
    window = {"begins": "2021-06-12T11:00", "ends": "2021-06-12T11:05"}
    for person, act, fields in (
        ("S-1", "note", {"text": "2, 2 and 4 make 8; it is Small."}),
        ("S-1", "task", {"text": "ask the dealer", "due": "2031-06-20"}),
        ("S-1", "footage", {"camera": "CAM-SB-01-A", **window, "state": "held"}),
        ("S-1", "assess", {"error": "dealer", "lost": "40"}),
        ("SS-1", "decide", {"decision": "You are right.", "pass_phrase": PHRASE}),
    ):
        answer = work.post(person, f"/case/{number}/{act}", **fields)
        assert answer.status_code == 303, (act, answer.text)
    return number


def screens(number: str) -> Iterator[tuple[str, str]]:
    """Route and address of each page that an address alone leads to."""
    case = f"/case/{number}"
    yield "/find", "/find"
    yield "/find/at/{table}/{day}/{time}", f"/find/at/SB-01/{DAY}/11:00"
    yield "/round/{round}", f"/round/{ROUND}?step=3"
    for board in BOARDS:
        yield "/round/{round}", f"/round/{board}"
    yield "/round/{round}/what-if", f"/round/{ROUND}/what-if"
    yield "/cases", "/cases"
    yield "/cases/new", f"/cases/new?round={ROUND}"
    yield "/case/{number}", case
    yield "/case/{number}/letter/{recipient}", f"{case}/letter/patron"
    yield "/case/{number}/letter/{recipient}", f"{case}/letter/board"
    yield "/case/{number}/pack", f"{case}/pack"
    yield "/coupons", "/coupons"
    yield "/coupons/serial/{serial}", "/coupons/serial/P25-0000007"
    yield "/coupons/figure/{figure}", "/coupons/figure/distributed?cents=2500"
    yield "/coupons/form/{form}", "/coupons/form/daily"
    yield "/shift", "/shift"
    yield "/money", "/money"
    yield "/money/trends", "/money/trends?by=game"
    yield "/money/slips", "/money/slips"
    yield "/night", "/night"
    yield "/night/{day}", f"/night/{DAY}"
    yield "/law", "/law"
    yield "/law/coverage", "/law/coverage"
    yield "/law/interpretations", "/law/interpretations"
    yield "/law/{chapter}", "/law/sic_bo"
    yield "/law/{chapter}/odds", "/law/sic_bo/odds"
    yield "/ledger", "/ledger"
    yield "/ledger/entries", "/ledger/entries"
    yield "/ledger/schemas", "/ledger/schemas"
    yield "/ledger/schemas/{event}", "/ledger/schemas/WagerPlaced"
    yield "/ledger/verification", "/ledger/verification"
    yield "/ledger/verification/{size}", "/ledger/verification/1000"
    yield "/ledger/{position}", "/ledger/500"
    yield "/sessions", "/sessions"


def asked(page: Any, base: str) -> Iterator[tuple[str, str]]:
    """Route and address of the pages whose address only a form makes; sent by the page's own."""
    page.goto(f"{base}/find")
    page.fill("#line", "SB-01 findings")
    page.click(".search button")
    page.wait_for_url(f"{base}/find/*")
    yield "/find/{search}", page.url.removeprefix(base)
    page.goto(f"{base}/round/{ROUND}/what-if")
    page.select_option("select[name='set dice[1]']", "6")
    page.click(".send button")
    page.wait_for_url("**/what-if/*")
    yield "/round/{round}/what-if/{supposed}", page.url.removeprefix(base)


ROUTES = {path: re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path))) for _, path, _ in VIEWS}
"""The pages' routes, in the order in which they are tried."""


def route_of(address: str) -> str | None:
    """The route that serves an address as a page; None: no page of data."""
    path = re.split(r"[?#]", address)[0]
    if path.endswith((".json", ".csv")):
        return None
    return next((route for route, form in ROUTES.items() if form.fullmatch(path)), None)
