"""The pages: who sees which, what they say, headers, forms, and what hostile input comes to."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

from ledger.web.guard import BODY_BYTES
from ledger.web.rendering import csv_text
from ledger.web.roles import MAY_SEE
from ledger.web.views import DOCUMENTS, VIEWS
from tests.web.conftest import PEOPLE, PHRASE, Served, token_of

ROUND = "SB-01:517"
PATHS = {
    "find": "/find",
    "round": f"/round/{ROUND}",
    "cases": "/cases",
    "coupons": "/coupons",
    "shift": "/shift",
    "money": "/money",
    "night": "/night",
    "law": "/law/sic_bo",
    "ledger": "/ledger",
    "entry": "/ledger/500",
    "sessions": "/sessions",
}
FURTHER = (
    ("find", "/find/at/SB-01/2021-06-12/10:00"),
    ("money", "/money/trends"),
    ("money", "/money/slips"),
    ("night", "/night/2021-06-12"),
    ("law", "/law"),
    ("law", "/law/coverage"),
    ("law", "/law/interpretations"),
    ("law", "/law/three_dice_football"),
    ("law", "/law/sic_bo/odds"),
    ("ledger", "/ledger/schemas"),
    ("ledger", "/ledger/schemas/WagerPlaced"),
    ("ledger", "/ledger/verification"),
    ("ledger", "/ledger/verification/5"),
    ("entry", "/ledger/entries"),
)
"""Further pages of the same names."""
SEEN = {
    "surveillance": {
        "find",
        "round",
        "cases",
        "coupons",
        "shift",
        "night",
        "law",
        "ledger",
        "entry",
        "sessions",
    },
    "finance": {"cases", "coupons", "money", "night", "law", "ledger", "sessions"},
    "auditor": {*PATHS},
    "supervisor": {"find", "round", "cases", "shift", "law", "ledger", "sessions"},
    "administrator": {"law", "ledger", "sessions"},
    "Board agent": {*PATHS},
}


ACTS = (
    ("cases", "/cases"),
    ("cases", "/case/C-1/note"),
    ("cases", "/case/C-1/decide"),
    ("cases", "/case/C-1/reveal"),
    ("cases", "/case/C-1/pack"),
    ("cases", "/case/C-1/media/00"),
    ("round", f"/round/{ROUND}/reveal"),
    ("shift", "/shift/log"),
    ("shift", "/shift/handover"),
    ("coupons", "/coupons/form/daily/sign"),
    ("night", "/night/2021-06-12/sign"),
)
DOCUMENTS_OF = (
    ("cases", "/case/C-1/letter/patron/print"),
    ("cases", "/case/C-1/letter/patron/pdf"),
    ("coupons", "/coupons/form/daily/print"),
    ("coupons", "/coupons/form/daily/file/csv"),
    ("night", "/night/2021-06-12/final-1/report"),
)


@pytest.mark.parametrize("role", PEOPLE)
def test_no_act_and_no_document_of_another_role_s_page_is_to_be_had(
    desk: Served, role: str
) -> None:
    browser = desk.signed_in(PEOPLE[role])
    token = token_of(browser.get("/law").text)
    for name, path in ACTS:
        fields = {"token": token, "id": "i" * 20, "pass_phrase": PHRASE, "text": "x"}
        answer = browser.post(path, data=fields)
        assert (answer.status_code == 403) == (name not in SEEN[role]), (role, path, answer.text)
    for name, path in DOCUMENTS_OF:
        answer = browser.get(path)
        assert (answer.status_code == 403) == (name not in SEEN[role]), (role, path, answer.text)
    assert {path for _, path, _ in DOCUMENTS} == {
        "/case/{number}/letter/{recipient}/print",
        "/case/{number}/letter/{recipient}/pdf",
        "/coupons/form/{form}/print",
        "/coupons/form/{form}/file/{kind}",
        "/night/{day}/{issue}/report",
    }  # a new one is tried here, too


def test_every_page_has_a_row_in_the_table_of_roles() -> None:
    assert {name for name, _, _ in VIEWS} == set(PATHS)
    assert set(PATHS) <= set(MAY_SEE)


def search(desk: Served, line: str, person: str = "SS-1"):
    browser = desk.signed_in(person)
    token = token_of(browser.get("/find").text)
    sent = browser.post("/find", data={"token": token, "line": line})
    assert sent.status_code == 303, sent.text
    return browser, sent.headers["location"]


def test_a_search_is_kept_under_an_opaque_name_of_its_session(desk: Served) -> None:
    browser, address = search(desk, "SB-01 findings")
    assert "SB" not in address
    page = browser.get(address)
    assert f'href="/round/{ROUND.replace(":", "%3A")}"' in page.text
    assert browser.get(f"{address}.json").json()[0]["round"] == ROUND
    assert browser.get(f"{address}.csv").text.startswith("round,gaming_day,table")
    assert desk.signed_in("IA-1").get(address).status_code == 404
    assert "SB-01 findings" not in "".join(desk.log)


@pytest.mark.parametrize(
    "line",
    [
        *("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "=1+1", "'; DROP TABLE x"),
        *("\x00\x1b[2J", "\u202ereversed", "../../etc/passwd", "bet:' OR 1=1 --", "{{ 7*7 }}"),
        *("[" * 500, "$" * 900, "SB-01:99999999999999999999", "$" + "9" * 300, '"' * 3, "é" * 1000),
    ],
)
def test_hostile_search_lines_are_answered_and_never_obeyed(desk: Served, line: str) -> None:
    browser, address = search(desk, line)
    page = browser.get(address)
    assert page.status_code in (200, 400), page.text
    assert "<script>alert" not in page.text
    assert "<img src=x" not in page.text
    assert "\x1b" not in page.text
    assert "\u202e" not in page.text


def test_a_round_steps_by_links_and_the_board_follows(desk: Served) -> None:
    browser = desk.signed_in("SS-1")
    last = int(re.search(r'data-last="(\d+)"', browser.get(PATHS["round"]).text)[1])
    start = browser.get(f"{PATHS['round']}?step=0").text
    assert f"Table after 0 of {last} facts" in start
    assert "dice" not in re.findall(r'class="drawn ([a-z-]+)"', start)
    assert "Layout, betting open" in start
    whole = browser.get(f"{PATHS['round']}?step={last}").text
    assert '<svg class="drawn dice"' in whole
    assert "Layout after “no more bets”" in whole
    assert 'class="chip lost differs"' in whole  # what the house did beside what was due
    assert 'rel="next"' not in whole
    for odd in ("-1", "999999999", "x", "1.5", "²", "%00"):
        assert f"Table after {last} of" in browser.get(f"{PATHS['round']}?step={odd}").text
    board = browser.get(f"{PATHS['round']}?step=0&part=board").text
    assert board.strip() in start  # what the keys put in its place
    assert board.count("<section") == 1
    assert "<html" not in board


def test_a_round_says_the_same_in_every_form(desk: Served) -> None:
    browser = desk.signed_in("SS-1")
    document = browser.get(f"/round/{ROUND}.json").json()
    page = browser.get(f"/round/{ROUND}").text
    assert document["findings"]
    for wager in document["wagers"]:
        assert wager["wager_id"] in page
    sheet = browser.get(f"/round/{ROUND}.csv").text
    assert sheet.count("\n") == len(document["wagers"]) + 1


@pytest.mark.parametrize(
    "path",
    [
        *("/round/XX-9:1", "/round/nonsense", "/round/..%2f..%2fetc%2fpasswd", "/round/%00"),
        *(
            "/round/<b>",
            "/law/nope",
            "/law/nope/odds",
            "/law/match_play/odds",
            "/ledger/schemas/Nope",
            "/ledger/entries?from=x",
            "/law/..%2fdata",
            "/ledger/-1",
            "/ledger/99999999999999999",
        ),
        *(
            "/ledger/abc",
            "/ledger/10000000",
            "/money?day=2021-99-99",
            "/money/trends?by=patron",
            "/money/slips?day=x",
            "/static/x/../app.py",
        ),
        *(
            "/static/x/keys",
            "/openapi.json",
            "/docs",
            "/find/unknown",
            "/find/at/SB-01/x/10:00",
            "/find/at/SB-01/2021-06-12/99:99",
            "/find?day=1999-01-01",
            "/Find",
            "/find/",
        ),
    ],
)
def test_addresses_that_lead_nowhere_say_what_to_do(desk: Served, path: str) -> None:
    answer = desk.signed_in("IA-1").get(path)
    assert answer.status_code == 404, answer.text
    assert "Traceback" not in answer.text
    assert "<b>" not in answer.text.replace("<b>Pitledger", "") or path != "/round/<b>"


def test_every_answer_forbids_what_pages_do_not_need(desk: Served) -> None:
    browser = desk.signed_in("SS-1")
    for path in ("/find", "/nowhere", f"/round/{ROUND}.json", "/sign-in", "/money"):
        headers = browser.get(path).headers
        assert headers["cache-control"] == "no-store"
        assert "content-encoding" not in headers  # decision 0035
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy


class Outside(HTMLParser):
    """Collects what a page asks for, and what a strict policy would stop."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.inline: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, text in attrs:
            if name in ("src", "href", "action"):
                self.asked.append(text or "")
            if name == "style" or name.startswith("on"):
                self.inline.append(f"{tag} {name}")
        if tag == "style" or (tag == "script" and not dict(attrs).get("src")):
            self.inline.append(tag)


@pytest.mark.parametrize("path", [*PATHS.values(), *(path for _, path in FURTHER)])
def test_pages_ask_nobody_outside_and_hold_nothing_inline(desk: Served, path: str) -> None:
    browser = desk.signed_in("IA-1")
    page = Outside()
    page.feed(browser.get(path).text)
    assert page.inline == []
    assert [link for link in page.asked if not link.startswith(("/", "?", "#"))] == []
    for link in page.asked:
        if link.startswith("/static/"):
            assert browser.get(link).status_code == 200


# ------------------------------------------------------------------ forms


def test_forms_without_the_session_s_token_do_nothing(desk: Served) -> None:
    browser = desk.signed_in("SS-1")
    other = token_of(desk.signed_in("SS-1").get("/law").text)
    for path in ("/find", "/sign-out", "/sessions/end"):
        for fields in ({"line": "x"}, {"token": ""}, {"token": other}, {"token": "é"}):
            assert browser.post(path, data=fields).status_code == 403
    assert browser.get("/law").status_code == 200


def test_forms_from_other_sites_are_stopped_at_the_door(desk: Served) -> None:
    browser = desk.signed_in("SS-1")
    token = token_of(browser.get("/law").text)
    for headers in (
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ):
        answer = browser.post("/sign-out", data={"token": token}, headers=headers)
        assert answer.status_code == 403
    assert browser.get("/law").status_code == 200


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"x" * 1_000_000, "application/x-www-form-urlencoded", 413),
        (b"x" * BODY_BYTES, "application/x-www-form-urlencoded", 403),  # a form, without token
        (b"{}", "application/json", 400),
        (b"\xff\xfe", "application/x-www-form-urlencoded", 400),
        (b"a=1&" * 1_000, "application/x-www-form-urlencoded", 400),
        (b"--x\r\n", "multipart/form-data; boundary=x", 400),
        (b"", "", 400),
    ],
)
def test_what_is_no_form_is_refused(desk: Served, body: bytes, kind: str, status: int) -> None:
    browser = desk.signed_in("SS-1")
    for path in ("/find", "/sign-in"):
        answer = browser.post(path, content=body, headers={"Content-Type": kind})
        assert answer.status_code == status


def test_other_names_methods_and_long_addresses_are_refused(desk: Served) -> None:
    browser = desk.signed_in("SS-1")
    assert browser.get("/law", headers={"Host": "evil.example"}).status_code == 421
    assert browser.get("/law?" + "x" * 5_000).status_code == 414
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        assert browser.request(method, "/law").status_code == 405


def test_a_sheet_holds_no_formula_and_no_hidden_sign() -> None:
    cells = ["=1+1", "+1", "-1+2", "@x", "\t=1", "a\x1bb"]
    lines = csv_text([{"cell": cell, "cents": -5} for cell in cells]).split("\r\n")[1:-1]
    assert all(line.endswith(",-5") for line in lines)
    assert not any(line.lstrip('"').startswith(("=", "+", "-", "@", "\t")) for line in lines)
    assert "\x1b" not in "".join(lines)


def test_a_person_whose_credential_ends_is_signed_out(desk: Served, monkeypatch) -> None:
    from ledger.replay import Holding, Roster

    browser = desk.signed_in("SS-1")
    monkeypatch.setattr(Roster, "holding", lambda *_: Holding.REVOKED)
    assert browser.get("/shift").status_code == 403
    monkeypatch.undo()
    assert browser.get("/shift").status_code == 303
    assert "credential ended" in [json.loads(line)["event"] for line in desk.log]
