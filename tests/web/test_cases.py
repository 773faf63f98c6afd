"""Cases at the desk: from the patron's words to a closed case with a pack, through the one writer."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from ledger.casework.cases import CaseFiles
from ledger.log.keys import key_beside
from ledger.replay import FactStep, Replay
from ledger.web import acts, media
from tests.web.conftest import PHRASE, Served, copied, token_of
from tests.web.test_writer import Running

ROUND = "SB-01:517"
WORDS = "I had twenty on Small. <b>They took it.</b>"


class Work:
    """A desk with its writer, and browsers of persons who are signed in."""

    def __init__(
        self, folder: Path, hosts: tuple[str, ...] = ("testserver",), nights: Path | None = None
    ) -> None:
        self.running = Running(folder, key_beside(folder))
        self.served = Served(folder, hosts=hosts, nights=nights)
        self.browsers: dict[str, TestClient] = {}

    def browser(self, person: str) -> TestClient:
        if person not in self.browsers:
            self.browsers[person] = self.served.signed_in(person)
        return self.browsers[person]

    def post(self, person: str, path: str, page: str = "/law", **fields: str):
        browser = self.browser(person)
        token = token_of(browser.get(page).text)
        request = fields.pop("id", os.urandom(12).hex())
        return browser.post(path, data={"token": token, "id": request, **fields})

    def opened(self, **fields: str) -> str:
        words = {"summary": "Small Bet collected", "complaint": WORDS, "round": ROUND, **fields}
        answer = self.post("S-1", "/cases", **words)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].removeprefix("/case/")

    def case(self, number: str):
        return CaseFiles.read(Replay.open(self.running.folder)).files[number]

    def close(self) -> None:
        self.served.record.close()
        self.running.stop()


@pytest.fixture(scope="module")
def module_ledger(desk_ledger: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(desk_ledger, tmp_path_factory.mktemp("cases"))


@pytest.fixture
def work(module_ledger: Path, no_key: None) -> Iterator[Work]:
    at_work = Work(module_ledger)
    yield at_work
    at_work.close()


def test_a_dispute_goes_from_the_patron_s_words_to_a_closed_case_with_a_pack(work: Work) -> None:
    form = work.browser("S-1").get(f"/cases/new?round={ROUND}").text
    wager = re.search(r'<option value="(W\d+)">', form)[1]
    number = work.opened(wager=wager, staff="D-SB-01-1", begins="2021-06-12T11:00")
    own = f"/case/{number}"
    steps = (
        ("S-1", "note", {"text": "2 2 4; it is Small."}),
        ("S-1", "task", {"text": "ask the dealer", "due": "2031-06-20"}),
        ("S-1", "footage", {"camera": "CAM-1", "begins": "2021-06-12T11:00",
                            "ends": "2021-06-12T11:05", "state": "held"}),
        ("S-1", "assess", {"error": "dealer", "lost": "40"}),
        ("S-1", "done", {"task": "1"}),
        ("SS-1", "assign", {"assignee": "S-1"}),
        ("SS-1", "decide", {"decision": "You are right.", "pass_phrase": PHRASE}),
        ("SS-2", "close", {"reason": "paid", "pass_phrase": PHRASE}),
    )  # fmt: skip
    for person, act, fields in steps:
        answer = work.post(person, f"{own}/{act}", **fields)
        assert answer.status_code == 303, (act, answer.text)
    page = work.browser("S-1").get(own).text
    assert "You are right." in page
    assert "&lt;b&gt;They took it.&lt;/b&gt;" in page
    assert "<b>They took it" not in page
    case = work.case(number)
    assert (case.status.value, case.tasks[1].done, case.assignee) == ("closed", True, "S-1")
    assert case.assessment is not None
    assert case.assessment.lost_cents == 4_000
    document = work.browser("S-1").get(f"{own}.json").json()
    assert document["status"] == "closed"
    assert "closed" in work.browser("S-1").get(f"{own}.csv").text

    patron = next(one.reference for one in case.subjects if one.kind.value == "PATRON")
    assert work.served.record.round(ROUND)
    assert 'D-SB-01-1</bdi> <span class="soft">staff' in page
    assert {"kind": "staff", "reference": "D-SB-01-1"} in document["subjects"]
    for text in (page, json.dumps(document), form):
        assert patron not in text

    twin = work.post("SS-2", f"{own}/pack", redact="all")
    assert twin.status_code == 200, twin.text
    assert "attachment" in twin.headers["content-disposition"]
    with zipfile.ZipFile(io.BytesIO(twin.content)) as packed:
        assert "checkpoint" in packed.namelist()
        whole = b"".join(packed.read(name) for name in packed.namelist())
    assert patron.encode() not in whole
    before = looks(work)
    clear = work.post("SS-2", f"{own}/pack", redact="")
    assert clear.status_code == 200, clear.text
    assert looks(work) == [*before, (patron, "SS-2")]
    assert not list((work.running.folder.parent / "copy.writer" / "packs").iterdir())


def looks(work: Work) -> list[tuple[str, str]]:
    replay = Replay.open(work.running.folder)
    kinds = ("PatronReferenceSeen",)
    steps = replay.walk(replay.streams_with(kinds), only=kinds)
    return [(step.fact.patron, step.fact.seen_by) for step in steps if isinstance(step, FactStep)]


def test_a_patron_is_shown_only_after_the_look_is_on_the_record(work: Work) -> None:
    number = work.opened(patron="p-secret-17", complaint="p-secret-17 said so")
    own = f"/case/{number}"
    everywhere = [own, f"{own}.json", f"{own}.csv", "/cases", "/cases.json", "/cases.csv"]
    browser = work.browser("S-1")
    assert not any("p-secret-17" in browser.get(path).text for path in everywhere)
    assert ("p-secret-17", "S-1") not in looks(work)
    assert work.post("S-1", f"{own}/reveal").status_code == 303
    assert ("p-secret-17", "S-1") in looks(work)
    assert "p-secret-17" in browser.get(own).text
    assert "p-secret-17" in browser.get(f"{own}.json").text
    count = len(looks(work))
    assert work.post("S-1", f"{own}/reveal", id="another-request-id").status_code == 303
    assert len(looks(work)) == count
    assert "p-secret-17" not in work.browser("SS-1").get(own).text
    work.served.clock.forward(3_700)
    work.browsers.clear()
    assert "p-secret-17" not in work.browser("S-1").get(own).text


def test_patrons_of_a_round_stand_behind_letters_in_every_form(work: Work) -> None:
    with work.served.record.present() as record:
        references = record.patrons_of(ROUND).references
    assert references
    browser = work.browser("SS-1")
    paths = [f"/round/{ROUND}", f"/round/{ROUND}.json", f"/round/{ROUND}.csv"]
    for path in paths:
        text = browser.get(path).text
        assert "Patron A" in text
        assert not any(reference in text for reference in references)
    answer_page = work.post("SS-1", "/find", line="SB-01 findings bet:small").headers["location"]
    near = references[0][:-1] + "~"
    missing = work.post("SS-1", "/find", line=f"patron:{near}").headers["location"]
    for path in (answer_page, f"{answer_page}.json", f"{answer_page}.csv", missing):
        answer = browser.get(path)
        assert answer.status_code == 200, answer.text
        assert not any(reference in answer.text for reference in references), path
    assert browser.get(f"{answer_page}.json").json()[0]["wagers"]
    assert work.post("SS-1", f"/round/{ROUND}/reveal").status_code == 303
    assert any(one in browser.get(f"{answer_page}.json").text for one in references)
    for path in paths:
        assert all(reference in browser.get(path).text for reference in references)
    assert {(reference, "SS-1") for reference in references} <= set(looks(work))


def test_a_look_that_cannot_be_recorded_shows_nothing(work: Work) -> None:
    number = work.opened(patron="p-secret-18")
    browser = work.browser("SS-2")
    work.running.stop()
    answer = work.post("SS-2", f"/case/{number}/reveal")
    assert answer.status_code == 503
    assert "Nothing can be written at the moment" in answer.text
    assert "p-secret-18" not in browser.get(f"/case/{number}").text
    work.running.start()


@pytest.mark.parametrize("subject", ["F-11", "SS-2"])
def test_a_subject_learns_of_its_case_on_no_route(work: Work, subject: str) -> None:
    number = work.opened(staff=subject)
    other = work.opened(summary="Another")
    assert work.post("S-1", f"/case/{other}/link", other=number, why="the same").status_code == 303
    browser = work.browser(subject)
    none = "2021-9999"
    paths = [
        *("", ".json", ".csv", "/pack", "/letter/board", "/letter/board/print"),
        *("/letter/patron/pdf", "/letter/board.json"),
    ]
    for path in paths:
        own = browser.get(f"/case/{number}{path}")
        missing = browser.get(f"/case/{none}{path}")
        assert own.status_code == missing.status_code == 404
        assert own.text.replace(number, "") == missing.text.replace(none, "")
    for path in ("/cases", "/cases.json", "/cases.csv", f"/round/{ROUND}", f"/case/{other}",
                 f"/case/{other}.json", f"/case/{other}.csv"):  # fmt: skip
        answer = browser.get(path)
        assert answer.status_code == 200
        assert number not in answer.text, path
    for act in ("note", "reveal", "pack", "upload"):
        answer = work.post(subject, f"/case/{number}/{act}", text="x")
        assert answer.status_code in (400, 404), (act, answer.text)
        assert "Small Bet" not in answer.text


def test_entries_of_cases_are_not_read_past_the_cases(work: Work) -> None:
    work.opened(patron="p-secret-19", summary="The hidden summary")
    size = Replay.open(work.running.folder).size
    for back in range(1, 3):
        for form in ("", ".json", ".csv"):
            text = work.browser("IA-1").get(f"/ledger/{size - back}{form}").text
            assert "p-secret-19" not in text
            assert "The hidden summary" not in text


def test_the_pass_phrase_is_asked_for_again_and_the_same_form_goes_on(work: Work) -> None:
    number = work.opened()
    answer = work.post("SS-1", f"/case/{number}/decide", decision="Pay <it>.", id="d" * 20)
    assert answer.status_code == 200
    assert "Give your pass phrase" in answer.text
    assert 'value="Pay &lt;it&gt;."' in answer.text
    assert f'value="{"d" * 20}"' in answer.text
    again = {"decision": "Pay <it>.", "id": "d" * 20}
    wrong = work.post("SS-1", f"/case/{number}/decide", pass_phrase="not at all the one", **again)
    assert wrong.status_code == 401
    assert work.case(number).decision is None
    right = work.post("SS-1", f"/case/{number}/decide", pass_phrase=PHRASE, **again)
    assert right.status_code == 303
    twice = work.post("SS-1", f"/case/{number}/decide", pass_phrase=PHRASE, **again)
    assert twice.status_code == 303
    own = work.post("SS-1", f"/case/{number}/close", reason="paid", pass_phrase=PHRASE)
    assert own.status_code == 400
    assert "a second person closes it" in own.text


def test_what_was_entered_is_kept_while_the_writer_is_away(work: Work) -> None:
    number = work.opened()
    work.browser("S-1")
    work.running.stop()
    answer = work.post("S-1", f"/case/{number}/note", text="kept words", id="k" * 20)
    assert answer.status_code == 503
    assert 'value="kept words"' in answer.text
    work.running.start()
    work.running.tickets.clear()
    again = work.post("S-1", f"/case/{number}/note", text="kept words", id="k" * 20)
    assert "Give your pass phrase" in again.text  # the new writer knows nobody yet
    phrase = {"pass_phrase": PHRASE}
    for _ in range(2):
        done = work.post("S-1", f"/case/{number}/note", text="kept words", id="k" * 20, **phrase)
        assert done.status_code == 303
    assert [note.note for note in work.case(number).notes] == ["kept words"]


def test_a_letter_is_read_signed_by_two_and_printed(work: Work) -> None:
    form = work.browser("S-1").get(f"/cases/new?round={ROUND}").text
    wager = re.search(r'<option value="(W\d+)">', form)[1]
    number = work.opened(wager=wager)
    decided = work.post("SS-1", f"/case/{number}/decide", decision="Yes.", pass_phrase=PHRASE)
    assert decided.status_code == 303
    own = f"/case/{number}/letter/patron"
    assert "Choose the wager that the letter is about." in work.browser("S-1").get(own).text
    page = work.browser("S-1").get(f"{own}?wager={wager}").text
    assert "0 of 2 signatures" in page
    fields = {"recipient": "patron", "wager": wager, "pass_phrase": PHRASE}
    names = {"S-1": ("preparer", "Surveillance operator one"),
             "SS-1": ("approver", "Surveillance supervisor one")}  # fmt: skip
    for person, (capacity, name) in names.items():
        sent = work.post(person, f"/case/{number}/sign", signed_as=capacity, name=name, **fields)
        assert sent.status_code == 303, sent.text
    assert "prepared and approved by two persons" in work.browser("S-1").get(own).text
    printed = work.browser("S-1").get(f"{own}/print")
    policy = printed.headers["content-security-policy"]
    assert "sha256-" in policy
    assert "unsafe" not in policy
    assert printed.headers.get_list("content-security-policy") == [policy]
    assert work.browser("S-1").get(f"{own}/pdf").content.startswith(b"%PDF")
    assert work.browser("S-1").get(f"/case/{number}/letter/mayor").status_code == 404


# ------------------------------------------------------------------ files


def upload(work: Work, number: str, name: str, content: bytes, person: str = "S-1", **more: str):
    browser = work.browser(person)
    token = more.pop("token", None) or token_of(browser.get("/law").text)
    fields = {"token": token, "id": hashlib.sha256(content).hexdigest()[:24], **more}
    files = {"file": (name, content, "text/html")}
    return browser.post(f"/case/{number}/upload", data=fields, files=files)


def test_a_file_is_kept_by_its_hash_and_given_out_as_an_attachment_after_the_look(
    work: Work,
) -> None:
    number = work.opened()
    content = b"<script>alert(1)</script>" * 3
    sent = upload(work, number, "../..\\evil\x01 \u202egpj.html", content, camera="CAM-1")
    assert sent.status_code == 303, sent.text
    digest = hashlib.sha256(content).digest()
    added = work.case(number).media[digest][0]
    assert (added.media_size, added.camera) == (len(content), "CAM-1")
    assert "/" not in added.name
    assert "\u202e" not in added.name
    taken = work.post("SS-1", f"/case/{number}/media/{digest.hex()}")
    assert taken.content == content
    assert taken.headers["content-type"] == "application/octet-stream"
    assert taken.headers["content-disposition"].startswith("attachment;")
    assert taken.headers["x-content-type-options"] == "nosniff"
    assert [act.act.value for act in work.case(number).media[digest]] == ["ADDED", "VIEWED"]
    refused = work.post("IA-1", f"/case/{number}/media/{digest.hex()}")  # may see, not handle
    assert refused.status_code == 400
    assert content not in refused.content

    kept = work.running.folder.with_name("copy.media") / digest.hex()
    assert kept.stat().st_mode & 0o077 == 0
    kept.write_bytes(b"another")
    changed = work.post("SS-1", f"/case/{number}/media/{digest.hex()}", id="another-request")
    assert changed.status_code == 404
    assert "not any more what was put to the case" in changed.text
    assert len(work.case(number).media[digest]) == 2


def test_uploads_without_token_or_file_or_end_are_refused(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = work.opened()
    assert upload(work, number, "a", b"x", token="forged").status_code == 403
    assert upload(work, number, "", b"x").status_code in (400, 403)
    monkeypatch.setattr("ledger.web.guard.MEDIA_BYTES", 10)
    assert upload(work, number, "a", b"x" * 100_000).status_code == 413
    assert upload(work, number, "a", b"x" * 100, person="IT-1").status_code == 403
    assert work.case(number).media == {}


@pytest.mark.parametrize(
    "fields",
    [
        {"summary": ""}, {"summary": " "}, {"summary": "x" * 5_000}, {"round": "nonsense"},
        {"round": "SB-01:99999999"}, {"wager": "W-none"}, {"begins": "2021-13-40T99:99"},
        {"begins": "2199-01-01T00:00"}, {"coupon": "=1+1"}, {"action": "zzzz"},
        {"staff": "S-1"}, {"id": ""}, {"id": "é" * 20},
    ],
    ids=repr,
)  # fmt: skip
def test_a_case_that_cannot_be_is_not_opened_and_says_why(work: Work, fields: dict) -> None:
    before = len(CaseFiles.read(Replay.open(work.running.folder)).files)
    answer = work.post("S-1", "/cases", **{"summary": "Odd", "round": ROUND, **fields})
    assert answer.status_code in (400, 404), answer.text
    assert "Not recorded yet" in answer.text
    assert "pitledger" not in answer.text.replace("Pitledger", "")
    assert len(CaseFiles.read(Replay.open(work.running.folder)).files) == before


def test_forms_are_for_who_may_send_them(work: Work) -> None:
    number = work.opened()
    assert work.post("IT-1", "/cases", summary="x").status_code == 403
    assert work.post("IT-1", f"/case/{number}/note", text="x").status_code == 403
    assert work.post("S-1", f"/case/{number}/nothing").status_code == 404
    browser = work.browser("S-1")
    for path in (
        "/cases",
        f"/case/{number}/note",
        f"/case/{number}/pack",
        f"/round/{ROUND}/reveal",
    ):
        assert browser.post(path, data={"text": "x", "id": "x" * 20}).status_code == 403
    decide = work.post("IA-1", f"/case/{number}/decide", decision="x", pass_phrase=PHRASE)
    assert decide.status_code == 400
    assert "is for: supervisor" in decide.text
    assert acts.CASE_ACTS.keys() >= {"note", "close"}


def test_names_of_files_are_plain() -> None:
    assert media.plain_name("..\\..\\a/b\\c d.mp4") == "c d.mp4"
    assert media.plain_name('x"\r\nSet-Cookie: a.txt') == "x___Set-Cookie_ a.txt"
    assert media.plain_name("...") == "file"


def test_the_log_of_the_shift_is_written_and_handed_over(work: Work) -> None:
    words = "camera at SB-02 <cleaned>"
    assert work.post("S-1", "/shift/log", entry=words).status_code == 303
    page = work.browser("SS-1").get("/shift").text
    assert "camera at SB-02 &lt;cleaned&gt;" in page
    again = work.post("S-1", "/shift/handover", note="two cases open", to="SS-1")
    assert "Give your pass phrase" in again.text
    handed = {"note": "two cases open", "to": "SS-1", "pass_phrase": PHRASE}
    assert work.post("S-1", "/shift/handover", **handed).status_code == 303
    document = work.browser("IA-1").get("/shift.json").json()
    assert document["in_hand"] == "SS-1"
    assert document["log"][-1]["note"] == "two cases open"
    assert "Write in the log" not in work.browser("IA-1").get("/shift").text
    assert work.post("IA-1", "/shift/log", entry="x").status_code == 400
    assert work.post("FS-1", "/shift/log", entry="x").status_code == 403
    assert work.post("S-1", "/shift/nothing").status_code == 404
