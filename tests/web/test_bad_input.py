"""What people must never be able to do to the desk: no session, hostile words and addresses.

Each of these goes through the table of routes, so that a new route is tried without being named.
"""

from __future__ import annotations

import json
import os
import re
import socket
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from urllib.parse import quote

import pytest

from ledger import events
from ledger.cli import desk_writer
from ledger.codec import frame
from ledger.log import Arrival, open_log
from ledger.log.keys import key_beside
from ledger.replay import Replay
from ledger.web.acts import CASE_ACTS, SHIFT_ACTS
from ledger.web.views import DOCUMENTS, VIEWS
from tests.web.conftest import PHRASE, Served, copied, token_of
from tests.web.test_cases import Work

NAMED = {
    "round": "SB-01:517",
    "search": "none",
    "supposed": "none",
    "table": "SB-01",
    "day": "2021-06-12",
    "time": "10:00",
    "number": "2021-0001",
    "recipient": "patron",
    "serial": "M25-0000007",
    "form": "daily",
    "kind": "csv",
    "chapter": "sic_bo",
    "event": "WagerPlaced",
    "position": "500",
    "issue": "final-1",
    "digest": "00" * 32,
    "figure": "received",
    "size": "500",
    "act": "note",
}
"""A word for each part of an address that varies."""
PAGES = [*VIEWS, *DOCUMENTS]
HOSTILE = {
    "html": "</textarea><script>alert(1)</script><img src=x onerror=alert(1)>",
    "template": "{{ 7*7 }}{% raw %}${7*7}",
    "formula": '=HYPERLINK("http://evil.example","x")',
    "sql": "'; DROP TABLE findings; -- \" OR 1=1",
    "control": "a\x00b\x1b[2J\x07\u202ereversed\u200b\ufeff",
    "path": "../../../../etc/passwd",
    "lines": "a\r\nSet-Cookie: desk=x\r\n\r\n<b>",
    "surrogate": "\ud800",
    "long": "x" * 20_000,
    "number": "9" * 400,
    "json": '{"act": "close", "person": "SS-2"}',
}
FORMS: dict[str, tuple[str, dict[str, str]]] = {
    "/cases": ("/cases", {"summary": "s", "complaint": "c", "round": "SB-01:517", "wager": "",
                          "staff": "", "patron": "", "begins": "", "ends": ""}),
    "/round/{round}/reveal": ("/round/SB-01:517/reveal", {}),
    "/round/{round}/what-if": ("/round/SB-01:517/what-if",
                               {"set": "x", "late": "x", "return": "x", "add_coupon": "x",
                                "reading": "x", "edition": "x"}),
    "/case/{number}/reveal": ("/case/{number}/reveal", {}),
    "/case/{number}/pack": ("/case/{number}/pack", {"redact": "1"}),
    "/case/{number}/media/{digest}": ("/case/{number}/media/00", {}),
    "/shift/{act}": ("/shift/log", {"entry": "e"}),
    "/coupons/form/{form}/sign": ("/coupons/form/daily/sign",
                                  {"day": "2021-06-12", "name": "n", "signed_as": "preparer"}),
    "/coupons/serial": ("/coupons/serial", {"serial": "M25-0000007"}),
    "/night/{day}/sign": ("/night/2021-06-12/sign", {"name": "n", "signed_as": "preparer"}),
    "/find": ("/find", {"line": "SB-01"}),
    "/sign-in": ("/sign-in", {"credential": "SS-1", "to": "/", "code": ""}),
    "/sessions/second-factor": ("/sessions/second-factor", {"code": "", "new_code": ""}),
    "/sessions/passkey": ("/sessions/passkey", {"created": "", "name": "n", "passkey": ""}),
    "/sessions/passkey/remove": ("/sessions/passkey/remove", {"passkey_id": "00"}),
    "/sessions/openid": ("/sessions/openid", {"issuer": "i", "claim": "sub", "name": "n"}),
    "/sessions/openid/remove": ("/sessions/openid/remove", {"name": "n"}),
    "/passkey/challenge": ("/passkey/challenge", {"purpose": "create"}),
}  # fmt: skip
CASE_FORMS: dict[str, dict[str, str]] = {
    "subject": {"kind": "staff", "reference": "D-SB-01-1", "why": "w"},
    "assign": {"assignee": "SS-1"},
    "note": {"text": "t"},
    "task": {"text": "t", "due": "2031-06-20"},
    "done": {"task": "1"},
    "pin": {"kind": "round", "named": "SB-01:517", "why": "w"},
    "media": {"act": "added", "name": "n", "sha256": "00" * 32, "size": "1", "camera": "C",
              "kept_at": "k"},
    "footage": {"camera": "C-1", "begins": "2021-06-12T10:00", "ends": "2021-06-12T10:05",
                "state": "requested", "expires": "2031-01-01", "why": "w", "footage": ""},
    "link": {"other": "2021-0001", "why": "w"},
    "assess": {"assessment": "a", "errors": "e", "outcome": "o"},
    "decide": {"decision": "d", "reply": "r", "amount": "1"},
    "close": {"reason": "r"},
    "reopen": {"reason": "r"},
    "sign": {"recipient": "patron", "name": "n", "function": "preparer"},
}  # fmt: skip
NOTHING_ENTERED = {
    "/sign-out", "/sessions/end", "/case/{number}/upload", "/case/{number}/{act}",
    "/sign-in/openid/sign-out",
}  # fmt: skip
"""Routes of forms in which nothing is entered, or that are tried apart."""


NOT_SIGNED_IN = {"/sign-in", "/passkey/challenge", "/sign-in/openid/sign-out"}
"""Forms for who signs in only now, each with a token of its browser; and what the provider sends,
which its signature proves."""


def filled(path: str, **words: str) -> str:
    """An address of a route, with a word in each part that varies."""
    return re.sub(r"{(\w+)}", lambda part: quote({**NAMED, **words}[part[1]], safe=""), path)


def routes(desk: Served, method: str) -> set[str]:
    return {
        route.path
        for route in desk.app._app.routes
        if method in (getattr(route, "methods", None) or ())
    }


@pytest.fixture(scope="module")
def work_ledger(desk_ledger: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(desk_ledger, tmp_path_factory.mktemp("bad"))


@pytest.fixture
def work(work_ledger: Path, no_key: None) -> Iterator[Work]:
    at_work = Work(work_ledger)
    yield at_work
    at_work.close()


def nothing_failed(desk: Served) -> None:
    assert not [line for line in desk.log if json.loads(line)["event"] == "failure"]


# ------------------------------------------------------------------ sessions


def test_every_page_and_form_wants_a_session(desk: Served) -> None:
    browser = desk.browser()
    for _, path, _ in PAGES:
        answer = browser.get(filled(path))
        assert answer.headers["location"].startswith("/sign-in"), path
    for path in routes(desk, "POST") - NOT_SIGNED_IN:
        answer = browser.post(filled(path), data={"token": "x", "id": "i" * 20})
        assert answer.headers["location"].startswith("/sign-in"), path


def test_every_form_wants_the_token_of_its_session(desk: Served) -> None:
    browser, other = desk.signed_in("SS-1"), desk.signed_in("SS-1")
    stolen = token_of(other.get("/law").text)
    for path in routes(desk, "POST") - NOT_SIGNED_IN:
        for token in ("", "x" * 43, stolen, "\u0660" * 43):
            fields = {"token": token, "id": "i" * 20, "pass_phrase": PHRASE}
            assert browser.post(filled(path), data=fields).status_code == 403, path
    assert browser.get("/law").status_code == 200


# ------------------------------------------------------------------ hostile words in forms


def test_every_form_is_tried_with_hostile_words(desk: Served) -> None:
    assert set(FORMS) | NOTHING_ENTERED == routes(desk, "POST")
    assert set(CASE_FORMS) == set(CASE_ACTS)
    assert {"log", "handover"} == SHIFT_ACTS


QUICK_SHARE = 4
"""Each kind goes into one field in so many of each form; ``full`` tries every field."""


def in_turn(kind: str, kinds: Sequence[str], place: int, shares: int) -> bool:
    """Whether it is a kind's turn at a place: kinds begin at different places."""
    return (place + kinds.index(kind)) % shares == 0


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("shares", [QUICK_SHARE, pytest.param(1, marks=pytest.mark.full)])
@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_words_in_a_form_are_kept_as_words_or_refused(
    work: Work, kind: str, shares: int
) -> None:
    text, number = HOSTILE[kind], work.opened()
    forms = [
        *FORMS.values(),
        *((f"/case/{number}/{act}", fields) for act, fields in CASE_FORMS.items()),
        ("/shift/handover", {"to": "S-1", "note": "n"}),
    ]
    desk, browser = work.served, work.browser("SS-1")
    token = token_of(browser.get("/law").text)
    for at, (path, fields) in enumerate(forms):
        names = (*fields, "unheard_of")
        for place, name in enumerate(names):
            if not in_turn(kind, [*HOSTILE], place, min(shares, len(names))):
                continue
            own = {"token": token, "id": f"{kind}-{at}-{name}".ljust(20, "i"), "pass_phrase": ""}
            sent = {**own, **fields, name: text}
            body = "&".join(
                f"{key}={quote(word.encode('utf-8', 'surrogatepass'))}"
                for key, word in sent.items()
            )
            answer = browser.post(
                path.format(number=number), content=body,
                headers={"Content-Type": "application/x-www-form-urlencoded"},
            )  # fmt: skip
            assert answer.status_code in (200, 303, 400, 401, 403, 404, 413), (path, name)
            harmless(answer)
            if "Sign in" in answer.text and path == "/sign-in":
                browser = desk.signed_in("SS-1")
                token = token_of(browser.get("/law").text)
    nothing_failed(desk)
    for path in (f"/case/{number}", "/cases", "/shift", "/sessions"):
        for form in ("", ".json", ".csv"):
            answer = browser.get(path + form)
            assert answer.status_code == 200, (path, form, answer.text)
            if form != ".json":
                harmless(answer)
            if form == ".csv":
                assert not re.search(r'(^|,|\n)"?[=+@]', answer.text)


def harmless(answer) -> None:
    """Nothing of what was sent is markup, a header, a hidden sign or something calculated."""
    if answer.headers.get("content-type", "").startswith("text/html"):
        assert "<script>alert" not in answer.text
        assert "<img src=x" not in answer.text
    assert "root:x:0" not in answer.text
    assert "\u202e" not in answer.text
    assert "\x1b" not in answer.text
    assert "\x00" not in answer.text
    assert "desk=x" not in answer.headers.get("set-cookie", "")
    assert "Traceback" not in answer.text
    assert re.match(r"/(?!/)|$", answer.headers.get("location", ""))


@pytest.mark.parametrize("path", ["/cases", "/case/2021-0001/note", "/shift/log", "/find"])
def test_a_form_of_a_megabyte_is_refused_whole(desk: Served, path: str) -> None:
    browser = desk.signed_in("SS-1")
    fields = {"token": token_of(browser.get("/law").text), "id": "i" * 20, "text": "x" * 1_000_000}
    answer = browser.post(path, data=fields)
    assert answer.status_code == 413
    assert "longer than a form" in answer.text


# ------------------------------------------------------------------ hostile addresses


ADDRESS_KINDS = sorted(HOSTILE.keys() - {"surrogate", "long"})


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("shares", [len(ADDRESS_KINDS), pytest.param(1, marks=pytest.mark.full)])
@pytest.mark.parametrize("kind", ADDRESS_KINDS)
def test_hostile_words_in_an_address_lead_nowhere(desk: Served, kind: str, shares: int) -> None:
    """Each place of an address by one kind, each kind at every ninth place; ``full`` tries all."""
    text = HOSTILE[kind]
    browser = desk.signed_in("IA-1")
    places = count()
    for name, path, view in PAGES:
        for part in re.findall(r"{(\w+)}", path):
            for form in ("", ".json", ".csv") if (name, path, view) in VIEWS else ("",):
                if not in_turn(kind, ADDRESS_KINDS, next(places), shares):
                    continue
                answer = browser.get(filled(path, **{part: text}) + form)
                assert answer.status_code in (200, 303, 400, 404, 503), (path, part, answer.text)
                harmless(answer)
        for key in ("day", "by", "from", "round", "step", "wager", "all", "fact", "coupon", "x"):
            if not in_turn(kind, ADDRESS_KINDS, next(places), shares):
                continue
            answer = browser.get(f"{filled(path)}?{key}={quote(text)}")
            assert answer.status_code in (200, 303, 400, 404, 503), (path, key, answer.text)
            harmless(answer)
    nothing_failed(desk)
    assert browser.get("/find").status_code == 200


# ------------------------------------------------------------------ rights that end meanwhile


def add(folder: Path, desk: Served, **changes: object) -> None:
    """Add a fact about somebody's credential to a ledger that is served."""
    replay = Replay.open(folder)
    extent = replay.extent("house")
    fields = {"person": "SS-1", "department": "surveillance", "role": None, "revoked": False}
    fact = events.PersonCredentialled(
        stream="house", seq=extent.last_seq + 1, source="T-OFFICE", recorded_by="M-1",
        event_time=desk.clock.at - 1, **{**fields, **changes},
    )  # fmt: skip
    with open_log(folder, key=key_beside(folder)) as log:
        log.append_whole([Arrival(frame(fact))], desk.clock.at)


@pytest.mark.parametrize(
    ("changes", "paths", "page"),
    [
        ({"revoked": True}, ("/case/{}/decide", "/case/{}/note", "/shift/log"), 403),
        ({"department": "finance"}, ("/shift/log", "/shift/handover"), 403),
    ],
    ids=["revoked", "another department"],
)
def test_a_right_that_ends_while_its_person_is_signed_in_ends_at_once(
    desk_ledger: Path, no_key: None, tmp_path: Path, changes: dict, paths: tuple, page: int
) -> None:
    work = Work(copied(desk_ledger, tmp_path))
    try:
        number = work.opened()
        browser = work.browser("SS-1")
        token = token_of(browser.get("/shift").text)
        if "department" in changes:
            add(work.running.folder, work.served, revoked=True)
        add(work.running.folder, work.served, **changes)
        own = {"token": token, "pass_phrase": PHRASE, "decision": "mine", "entry": "mine"}
        own |= {"text": "mine", "to": "S-1", "note": "mine"}
        for path in paths:
            answer = browser.post(path.format(number), data={**own, "id": os.urandom(12).hex()})
            assert answer.status_code in (303, 403), answer.text
            assert answer.headers.get("location", "/sign-in") == "/sign-in"
        answer = browser.get("/shift")
        assert answer.status_code == page or answer.headers["location"].startswith("/sign-in")
        case = work.case(number)
        assert (case.decision, case.notes) == (None, ())
    finally:
        work.close()


def test_two_tabs_that_close_one_case_close_it_once_and_the_other_is_told(work: Work) -> None:
    number = work.opened()
    proof = {"pass_phrase": PHRASE}
    decided = work.post("SS-1", f"/case/{number}/decide", decision="You are right.", **proof)
    assert decided.status_code == 303, decided.text
    first, second = work.served.signed_in("SS-2"), work.served.signed_in("SS-2")
    forms = [(tab, token_of(tab.get(f"/case/{number}").text)) for tab in (first, second)]

    def close(tab, token: str, request: str):
        fields = {"token": token, "id": request * 20, "reason": "paid", **proof}
        return tab.post(f"/case/{number}/close", data=fields)

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(close, *zip(*forms, strict=True), "pq"))
    assert sorted(answer.status_code for answer in answers) == [303, 400]
    (refusal,) = (answer for answer in answers if answer.status_code == 400)
    assert "is closed" in refusal.text
    assert "paid" in refusal.text  # what was entered is still there


# ------------------------------------------------------------------ a ledger in trouble


def test_a_ledger_that_another_command_holds_refuses_a_form_and_keeps_what_was_entered(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk_writer, "LOCKED_SECONDS", 0.2)
    number, request = work.opened(), "l" * 20
    with open_log(work.running.folder, key=key_beside(work.running.folder)):
        answer = work.post("S-1", f"/case/{number}/note", id=request, text="It is Small.")
        assert answer.status_code == 503
        assert "It is Small." in answer.text
        assert f'name="id" value="{request}"' in answer.text
        assert work.browser("S-1").get(f"/case/{number}").status_code == 200  # reading goes on
    assert (
        work.post("S-1", f"/case/{number}/note", id=request, text="It is Small.").status_code == 303
    )
    assert [note.note for note in work.case(number).notes] == ["It is Small."]


def test_a_broker_that_is_away_hinders_nothing_and_the_shift_says_that_nobody_watches(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The desk asks no broker: what comes from there comes through the ledger."""
    monkeypatch.setenv("PITLEDGER_KAFKA", "127.0.0.1:1")
    asked = []
    monkeypatch.setattr(socket.socket, "connect", guarded(socket.socket.connect, asked))
    answer = work.post("S-1", "/shift/log", id="b" * 20, entry="The broker is away.")
    assert answer.status_code == 303
    page = work.browser("S-1").get("/shift").text
    assert "The broker is away." in page
    assert "No watch is running" in page
    assert asked == []


def guarded(plain: Callable[..., None], asked: list[object]) -> Callable[..., None]:
    """Connecting, with every address noted that is no socket of this machine's files."""

    def connect(own: socket.socket, address: object) -> None:
        if own.family != socket.AF_UNIX:
            asked.append(address)
        plain(own, address)

    return connect


def corrupt_checkpoint(folder: Path) -> None:
    path = folder / "checkpoint"
    lines = path.read_bytes().split(b"\n")
    lines[2] = lines[2][::-1]  # the root
    path.write_bytes(b"\n".join(lines))


def shorten_checkpoint(folder: Path) -> None:
    path = folder / "checkpoint"
    path.write_bytes(path.read_bytes()[:-20])


def remove_checkpoint(folder: Path) -> None:
    (folder / "checkpoint").unlink()


def change_entries(folder: Path) -> None:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "entries" in path.parts and path.stat().st_size > 2_000:
            content = bytearray(path.read_bytes())
            content[1_000:1_100] = bytes(100)
            path.chmod(0o600)
            path.write_bytes(content)


@pytest.mark.parametrize(
    "harm", [corrupt_checkpoint, shorten_checkpoint, remove_checkpoint, change_entries]
)
def test_a_ledger_that_is_tampered_with_while_it_is_served_shows_and_takes_nothing(
    desk_ledger: Path, no_key: None, tmp_path: Path, harm
) -> None:
    folder = copied(desk_ledger, tmp_path)
    desk = Served(folder)
    try:
        browser = desk.signed_in("IA-1")
        token = token_of(browser.get("/law").text)
        before = browser.get("/shift").text
        assert browser.get("/ledger/500").status_code == 200
        harm(folder)
        asked = [f"{path}{form}" for path in ("/round/SB-01:300", "/ledger/500", "/ledger/9000",
                                               "/money", "/shift") for form in ("", ".json", ".csv")]  # fmt: skip
        answers = {path: browser.get(path) for path in asked}
        refused = [path for path, answer in answers.items() if answer.status_code >= 500]
        assert refused, [answer.status_code for answer in answers.values()]
        for path in refused:
            assert "Traceback" not in answers[path].text
            assert len(answers[path].text) > 40  # it says why, and what to do
        if harm is not change_entries:  # where nothing is signed any more, nothing is shown
            assert len(refused) == len(asked)
            fields = {"token": token, "id": "t" * 20, "line": "SB-01"}
            assert browser.post("/case/2021-0001/note", data=fields).status_code >= 500
            assert any("ledger unreadable" in line for line in desk.log)
        else:
            assert (
                answers["/shift"].status_code >= 500 or answers["/shift"].text[:900] == before[:900]
            )
    finally:
        desk.record.close()


# ------------------------------------------------------------------ files that lie


LIES = (
    ("photo.png", "image/png", b"<html><script>alert(1)</script>"),
    ("page.html", "text/html", b"<script>alert(1)</script>"),
    ("drawing.svg", "image/svg+xml", b"<svg onload=alert(1) xmlns='http://www.w3.org/2000/svg'/>"),
    ("still.jpg.exe", "image/jpeg", b"MZ\x90\x00"),
    ("../../../etc/cron.d/x", "text/plain", b"* * * * * root id"),
    ('a"; filename="b.html\r\nX-Evil: 1', "text/html", b"<b>"),
    ("\u202egnp.exe", "application/x-msdownload", b"MZ"),
    ("bomb.zip", "application/zip", b"PK\x03\x04" + bytes(1_000)),
)


@pytest.mark.parametrize(("name", "kind", "content"), LIES)
def test_a_file_that_lies_about_its_type_is_given_out_as_bytes_only(
    work: Work, name: str, kind: str, content: bytes
) -> None:
    number, browser = work.opened(), work.browser("S-1")
    token = token_of(browser.get(f"/case/{number}").text)
    fields = {"token": token, "id": os.urandom(12).hex(), "camera": "C-1", "kept_at": "here"}
    sent = browser.post(
        f"/case/{number}/upload", data=fields, files={"file": (name, content, kind)}
    )
    assert sent.status_code == 303, sent.text
    page = browser.get(f"/case/{number}").text
    assert "<script>alert" not in page
    digest = re.search(r"/media/([0-9a-f]{64})", page)[1]
    download = work.post("S-1", f"/case/{number}/media/{digest}", page=f"/case/{number}")
    assert download.content == content
    assert download.headers["content-type"] == "application/octet-stream"
    assert download.headers["content-disposition"].startswith('attachment; filename="')
    assert "X-Evil" not in download.headers
    named = download.headers["content-disposition"].partition("=")[2].strip('"')
    assert not set(named) & set('"\r\n/\\;')
    assert download.headers["x-content-type-options"] == "nosniff"
    assert download.headers["content-security-policy"].startswith("default-src 'none'")
    assert browser.get(f"/case/{number}/media/{digest}").status_code in (
        404,
        405,
    )  # no link opens it
    stored = work.served.record.media.own
    assert {path.name for path in stored.iterdir()} >= {digest}
    assert not any(path.name.startswith(("..", "photo", "page")) for path in stored.iterdir())
