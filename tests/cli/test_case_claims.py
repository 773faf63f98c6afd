"""What a case promises beside its way from opening to close: footage, money, links, who only reads."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

from ledger.casework import person_proofs
from ledger.codec import to_text
from ledger.events import Fact
from ledger.evidence.verify import judged, members_of
from ledger.kernel import FactRef
from ledger.log import read_log
from tests.cli.given import Ran, told
from tests.cli.test_case import ROUND, enroll, folder_hash, phrase, run

ENROLLED: Final = ("IT-1", "S-1", "SS-1", "SS-2", "B-1")
HOSTILE: Final = (
    '"><img src=x onerror=alert(1)>',
    "=HYPERLINK(1)",
    "@SUM(1+1)",
    "a\x1b[2J\u202e\x01b",
)
FILM: Final = (
    "--camera",
    "CAM-SB-01-A",
    "--from",
    "2021-06-12 10:50",
    "--until",
    "2021-06-12 10:55",
)


def board() -> list[Fact]:
    """An agent of the Board, a supervisor there."""
    agent = {"person": "B-1", "department": "Gaming Control Board", "role": None, "revoked": False}
    rows: list[tuple[int, str, dict[str, Any]]] = [
        (-3500, "PersonCredentialled", agent),
        (-3400, "CredentialDescribed", {"person": "B-1", "rank": "SUPERVISOR"}),
    ]
    return told("agents", *rows)


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A short simulated day; those above can prove who acts, at no cost."""
    place = tmp_path_factory.mktemp("claims")
    folder, facts = place / "ledger", place / "agents.jsonl"
    facts.write_text("".join(f"{to_text(fact)}\n" for fact in board()), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(person_proofs, "MEMORY_KIB", 64)
        patch.setattr(person_proofs, "ITERATIONS", 1)
        words = ("floor", "simulate", "--seed", "144", "--scale", "10000", "--coupons")
        assert run(*words, "--plant", "winner_taken@SB-01", "--ledger", str(folder)).code == 0
        assert run("append", str(facts), "--ledger", str(folder)).code == 0
        for person in ENROLLED:
            assert enroll(folder, person, None if person == "IT-1" else "IT-1").code == 0
        yield folder


class Desk:
    """Commands on one ledger, as persons who prove who they are."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, person: str, *words: str) -> Ran:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PITLEDGER_PASS_PHRASE_FILE", phrase(self.folder, person))
            return run(*words, "--ledger", str(self.folder))

    def act(self, person: str, *words: str) -> Ran:
        return self.run(person, "case", *words, "--by", person)

    def ask(self, person: str, *words: str) -> Ran:
        return self.run(person, "case", *words, "--as", person)

    def opened(self, *words: str, title: str = "A patron complains") -> str:
        ran = self.act("S-1", "open", title, *words)
        assert ran.code == 0, ran.err
        return ran.out.split()[1].rstrip(":")

    def data(self, number: str) -> Any:
        return self.ask("S-1", "show", number, "--format", "json").json

    def looks(self) -> list[Any]:
        lines = run("cat", "--ledger", str(self.folder)).out.splitlines()
        return [one for one in map(json.loads, lines) if one["event"] == "PatronReferenceSeen"]


@pytest.fixture(scope="module")
def desk(ledger: Path) -> Desk:
    return Desk(ledger)


def test_an_alert_of_the_last_report_brings_the_facts_it_rests_on(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The alerts themselves are those of a night (``tests/night/test_alerts_of_a_night.py``)."""
    facts = (FactRef("SB-01", 517), FactRef("SB-01", 518))
    alerts = [
        SimpleNamespace(id=name, facts=facts, detection="a wheel")
        for name in ("abcd0001", "abce0002")
    ]
    monkeypatch.setattr("ledger.cli.actions.issued_alerts", lambda *_: alerts)
    number = desk.opened("--alert", "ABCD")
    assert desk.data(number)["opened"]["about"] == [
        {"kind": "ALERT", "reference": "abcd0001"},
        {"kind": "FACT", "reference": "SB-01:517"},
        {"kind": "FACT", "reference": "SB-01:518"},
    ]
    for name, code in (("abc", "action_ambiguous"), ("ff", "action_unknown")):
        refused = desk.act("S-1", "open", "x", "--alert", name)
        assert (refused.code, f"[{code}]" in refused.err) == (2, True), refused.err


def test_the_kind_of_error_and_the_money_stand_to_the_cent(desk: Desk) -> None:
    number = desk.opened()
    money = ("--lost", "100.01", "--recovered", "$40", "--saved", "7.50", "--goodwill", "20")
    assert desk.act("S-1", "assess", number, "--error", "dealer", *money).code == 0
    assessment = desk.data(number)["assessment"]
    assert assessment["error"] == "DEALER"
    amounts = {name: cents for name, cents in assessment.items() if name.endswith("_cents")}
    assert amounts == {
        "lost_cents": 10_001,
        "recovered_cents": 4_000,
        "saved_cents": 750,
        "goodwill_cents": 2_000,
    }
    page = desk.ask("S-1", "show", number).out
    assert all(text in page for text in ("$100.01", "$40.00", "$7.50", "$20.00"))


def test_footage_is_asked_for_received_refused_held_until_it_expires_and_released(
    desk: Desk,
) -> None:
    number = desk.opened()
    for count in ("1", "2"):
        asked = desk.act("S-1", "footage", number, *FILM, "--expires", "2021-06-26")
        assert asked.code == 0, asked.err
        assert desk.data(number)["footage"][int(count) - 1]["state"] == "REQUESTED"
    for count, state, why in (
        ("1", "received", "copy 1"),
        ("1", "held", "dispute"),
        ("2", "refused", "overwritten"),
        ("1", "released", "settled"),
    ):
        done = desk.act("S-1", "footage", number, count, "--state", state, "--why", why)
        assert done.code == 0, done.err
        footage = desk.data(number)["footage"][int(count) - 1]
        assert (footage["state"], footage["reason"]) == (state.upper(), why)
        assert footage["expires"] == "2021-06-26"
    before = folder_hash(desk.folder)
    again = desk.act("S-1", "footage", number, "1", "--state", "released", "--why", "x")
    assert (again.code, "stands so already" in again.err) == (2, True)
    assert folder_hash(desk.folder) == before


def test_two_cases_are_linked_and_each_shows_the_other(desk: Desk) -> None:
    first, second = desk.opened(), desk.opened()
    assert desk.act("S-1", "link", first, second, "--why", "the same dealer").code == 0
    (link,) = desk.data(first)["links"]
    assert (link["other_number"], link["reason"]) == (second, "the same dealer")
    assert second in desk.ask("S-1", "show", first).out


def test_a_case_is_opened_again_with_a_reason_only(desk: Desk) -> None:
    number = desk.opened()
    assert desk.act("SS-1", "decide", number, "You are right.").code == 0
    assert desk.act("SS-2", "close", number, "--reason", "paid").code == 0
    assert desk.act("SS-2", "close", number, "--reason", "again").code == 2
    for reason in ((), ("--reason", "")):
        assert desk.act("SS-1", "reopen", number, *reason).code == 2
    assert desk.act("SS-1", "reopen", number, "--reason", "a further witness").code == 0
    assert "a further witness" in desk.ask("S-1", "show", number).out


def test_the_report_to_the_board_is_signed_by_two_in_every_form(desk: Desk, tmp_path: Path) -> None:
    """The letter to the patron: ``test_case.test_two_sign_a_letter``."""
    number = desk.opened("--round", ROUND)
    to = ("--to", "board")
    for person, signs, name in (
        ("S-1", "preparer", "Surveillance operator one"),
        ("SS-2", "approver", "Surveillance supervisor two"),
    ):
        half = desk.ask("SS-1", "letter", number, *to)
        assert (half.code, "not signed yet" in half.out) == (1, True)
        signed = desk.act(person, "sign", number, *to, "--as", signs, "--name", name)
        assert signed.code == 0, signed.err
    pdf = tmp_path / "report.pdf"
    for form in ((), ("--print", "html"), ("--print", "pdf", "--out", str(pdf))):
        done = desk.ask("SS-1", "letter", number, *to, *form)
        assert (done.code, "not signed yet" in done.out) == (0, False), done.err
        page = pdf.read_text("latin-1") if pdf.exists() else done.out
        assert page.startswith("%PDF-") or all(
            text in page
            for text in (
                "Surveillance operator one",
                "Surveillance supervisor two",
                "W113",
                "$50.00",
            )
        )
    assert pdf.exists()


@pytest.mark.full
def test_an_agent_of_the_board_reads_only(desk: Desk, tmp_path: Path) -> None:
    number = desk.opened("--round", ROUND, "--subject", "patron:p-SB-01-81")
    other = desk.opened()
    (tmp_path / "a.mp4").write_bytes(b"film")
    before = folder_hash(desk.folder)
    for words in (
        ("open", "x"), ("subject", number, "staff:S-1", "--why", "x"), ("note", number, "x"),
        ("assign", number, "--to", "S-1"), ("task", number, "x"),
        ("pin", number, "--fact", ROUND, "--why", "x"), ("link", number, other, "--why", "x"),
        ("media", number, str(tmp_path / "a.mp4")), ("footage", number, *FILM),
        ("assess", number, "--error", "none"), ("decide", number, "x"),
        ("close", number, "--reason", "x"), ("reopen", number, "--reason", "x"),
        ("sign", number, "--to", "patron", "--wager", "W113", "--as", "preparer", "--name", "x"),
    ):  # fmt: skip
        refused = desk.act("B-1", *words)
        assert (refused.code, "Board agent" in refused.err) == (2, True), (words, refused.err)
    hold = ("person", "hold", "p-SB-01-81", "--reason", "x", "--by", "B-1")
    assert "[not_entitled]" in desk.run("B-1", *hold).err
    assert folder_hash(desk.folder) == before
    assert desk.ask("B-1", "show", number).code == 1
    assert number in desk.ask("B-1", "list").out
    shown = desk.ask("B-1", "show", number, "--reveal")
    assert "p-SB-01-81" in shown.out
    assert desk.looks()[-1]["seen_by"] == "B-1"


def test_each_subject_that_is_shown_has_a_look_of_its_own(desk: Desk) -> None:
    number = desk.opened("--subject", "patron:p-SB-01-82", "--subject", "patron:p-SB-01-83")
    before = len(desk.looks())
    assert desk.ask("S-1", "show", number, "--reveal", "--sitting", "one").code == 1
    looks = desk.looks()[before:]
    assert sorted(one["patron"] for one in looks) == ["p-SB-01-82", "p-SB-01-83"]
    assert desk.ask("S-1", "show", number, "--reveal", "--sitting", "one").code == 1
    assert len(desk.looks()) == before + 2


def test_what_cannot_be_recorded_is_not_shown(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    number = desk.opened("--subject", "patron:p-SB-01-84")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ledger.log.storage.os.fsync", full)
    for form in ("text", "json"):
        refused = desk.ask("S-1", "show", number, "--reveal", "--format", form)
        assert refused.code == 3
        assert "p-SB-01-84" not in refused.out + refused.err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--from", "2091-01-01 10:00"), "dated after it was recorded"),
        (("--reported", "2091-01-01 10:00"), "dated after it was recorded"),
        (("--from", "0001-01-01 00:00"), "no clock shows such a time"),
        (("--until", "9999-12-31 23:59"), "no clock shows such a time"),
        (("--from", "yesterday"), "is no time such as"),
        (("--from", "2021-06-12 11:00", "--until", "2021-06-12 10:00"), "ends before it begins"),
    ],
)
def test_a_time_that_cannot_be_is_refused(desk: Desk, words: tuple[str, ...], why: str) -> None:
    before = folder_hash(desk.folder)
    refused = desk.act("S-1", "open", "x", *words)
    assert (refused.code, why in refused.err) == (2, True), refused.err
    assert "Traceback" not in refused.err
    assert folder_hash(desk.folder) == before


def test_hostile_words_are_words_in_a_case_its_letters_and_its_pack(
    desk: Desk, tmp_path: Path
) -> None:
    """Each text stands in a place of its own, and all of them in a note."""
    html, formula, at, steering = HOSTILE
    number = desk.opened(
        *("--round", ROUND, "--complaint", html, "--subject", f"patron:{formula}"), title=steering
    )
    (tmp_path / "a.mp4").write_bytes(b"film")
    for person, *words in (
        ("S-1", "note", number, "\n".join(HOSTILE)),
        ("S-1", "task", number, formula),
        ("S-1", "media", number, str(tmp_path / "a.mp4"), "--kept-at", html),
        ("SS-1", "decide", number, html + steering),
        ("SS-2", "close", number, "--reason", at),
    ):
        ran = desk.act(person, *words)
        assert ran.code == 0, (words, ran.err)
    data = desk.data(number)
    assert data["opened"]["complaint"] == html
    assert data["decision"]["decision"] == html + steering
    texts = [desk.ask("S-1", *words).out for words in (("list", "--all"), ("show", number))]
    texts.append(desk.ask("S-1", "show", number, "--reveal").out)
    letters = [desk.ask("S-1", "letter", number, *words).out for words in LETTERS]
    out = tmp_path / "case.zip"
    done = desk.run("S-1", "pack", "--case", number, "--as", "S-1", "--out", str(out))
    assert done.code == 0, done.err
    members = members_of(out.read_bytes())
    code, lines = judged(out.read_bytes(), str(read_log(desk.folder).verifier))
    assert code == 0, lines
    report = members["report.html"].decode()
    assert html in unescape(report)
    assert html in unescape(letters[1])  # the decision
    assert formula in " ".join(texts[2].split())
    for page in (*texts, *letters, report):
        assert not STEERS & set(page)
    for page in (letters[1], letters[3], report):
        assert page.lstrip().startswith("<!doctype html>")
        assert "<img" not in page
    assert members["facts.jsonl"].isascii()


LETTERS: Final = (
    ("--to", "patron", "--wager", "W113"),
    ("--to", "patron", "--wager", "W113", "--print", "html"),
    ("--to", "board"),
    ("--to", "board", "--print", "html"),
)
STEERS: Final = {"\x1b", "\x01", "\u202e", "\x00"}
