"""Signing in: who may, how often, how long, and who is enrolled."""

from __future__ import annotations

import os
import shutil
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from ledger.casework.person_proofs import persons_folder
from ledger.cli import main
from ledger.log.keys import key_beside
from ledger.replay import person_key
from ledger.web.errors import BindingRefused
from ledger.web.settings import check_binding
from tests.web.conftest import PHRASE, Served, copied, sign_in, token_of


def test_nobody_sees_a_page_before_signing_in(desk: Served) -> None:
    browser = desk.browser()
    assert browser.get("/find").headers["location"] == "/sign-in?to=/find"
    assert browser.get("/shift.json").status_code == 401
    assert browser.get("/shift.csv").status_code == 401


def test_a_person_signs_in_works_and_signs_out(desk: Served) -> None:
    browser = desk.browser()
    assert sign_in(browser, "ss-1", PHRASE, to="/shift").headers["location"] == "/shift"
    page = browser.get("/shift")
    assert page.status_code == 200
    out = browser.post("/sign-out", data={"token": token_of(page.text)})
    assert out.headers["location"] == "/sign-in"
    assert browser.get("/shift").status_code == 303


@pytest.mark.parametrize(
    "to", ["https://evil.example/", "//evil.example", "/\\evil", "javascript:1"]
)
def test_signing_in_leads_to_pages_of_the_desk_only(desk: Served, to: str) -> None:
    assert sign_in(desk.browser(), "SS-1", PHRASE, to=to).headers["location"] == "/"


@pytest.mark.parametrize(
    ("person", "phrase"),
    [("SS-1", "another phrase entirely"), ("NOBODY", PHRASE), ("", ""), ("SS-1", PHRASE * 99)],
)
def test_what_proves_nobody_is_refused_in_the_same_words(
    desk: Served, person: str, phrase: str
) -> None:
    answer = sign_in(desk.browser(), person, phrase)
    assert answer.status_code == 401
    assert "The credential, the pass phrase or the code is wrong" in answer.text
    assert PHRASE not in "".join(desk.log)


def test_failures_make_the_next_try_wait_and_the_wait_ends(desk: Served) -> None:
    browser = desk.browser()
    for _ in range(5):
        assert sign_in(browser, "SS-1", "a wrong phrase here").status_code == 401
    waiting = sign_in(browser, "SS-1", PHRASE)
    assert waiting.status_code == 429
    assert "Wait 60 seconds" in waiting.text
    desk.clock.forward(61)
    assert sign_in(browser, "SS-1", PHRASE).status_code == 303


def test_a_session_ends_when_idle_and_after_its_longest_time(desk: Served) -> None:
    browser = desk.signed_in("SS-1")
    desk.clock.forward(899)
    assert browser.get("/law").status_code == 200
    desk.clock.forward(901)
    assert browser.get("/law").status_code == 303
    browser = desk.signed_in("SS-1")
    for _ in range(40):
        desk.clock.forward(890)
        browser.get("/law")
    desk.clock.forward(890)
    assert browser.get("/law").status_code == 303


def test_a_page_that_reads_itself_again_keeps_no_session_alive(desk: Served) -> None:
    browser = desk.signed_in("SS-1")
    for _ in range(2):
        desk.clock.forward(600)
        browser.get("/shift", headers={"X-Desk-Refresh": "1"})
    assert browser.get("/law").status_code == 303


def test_other_sessions_of_a_person_can_be_ended(desk: Served) -> None:
    here, there, other = (desk.signed_in(person) for person in ("SS-1", "SS-1", "IA-1"))
    token = token_of(here.get("/sessions").text)
    assert here.post("/sessions/end", data={"token": token}).status_code == 303
    assert here.get("/law").status_code == 200
    assert there.get("/law").status_code == 303
    assert other.get("/law").status_code == 200


def test_cookies_are_kept_from_scripts_other_sites_and_the_clear(
    desk_ledger: Path, no_key: None
) -> None:
    served = Served(desk_ledger, is_secure=True)
    cookie = sign_in(served.browser(), "SS-1", PHRASE).headers["set-cookie"]
    assert cookie.startswith("__Host-desk=")
    assert {"HttpOnly", "Secure", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    served.record.close()


def test_a_forged_or_old_cookie_is_nobody(desk: Served) -> None:
    browser = desk.browser()
    browser.cookies.set("desk", "A" * 43)
    assert browser.get("/law").status_code == 303


def test_a_new_session_gets_a_new_token(desk: Served) -> None:
    browser = desk.signed_in("SS-1")
    before = browser.cookies["desk"]
    sign_in(browser, "SS-1", PHRASE)
    assert browser.cookies["desk"] != before


def test_a_form_to_sign_in_needs_the_token_of_its_browser(desk: Served) -> None:
    token = token_of(desk.browser().get("/sign-in").text)
    fields = {"token": token, "credential": "SS-1", "pass_phrase": PHRASE}
    assert desk.browser().post("/sign-in", data=fields).status_code == 403


# ------------------------------------------------------------------ who is enrolled


def _proves(folder: Path, person: str, phrase: str = PHRASE) -> bool:
    served = Served(folder)
    try:
        return sign_in(served.browser(), person, phrase).status_code == 303
    finally:
        served.record.close()


def test_whoever_is_enrolled_for_cases_signs_in_and_nobody_else(desk: Served) -> None:
    for person in ("S-1", "ss-1", "IT-1"):
        assert desk.signed_in(person)
    for person in ("S-2", "GHOST-1", "D-SB-01-1"):
        assert sign_in(desk.browser(), person, PHRASE).status_code == 401


def test_a_verifier_that_the_key_did_not_seal_lets_nobody_in(
    desk_ledger: Path, no_key: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = copied(desk_ledger, tmp_path)
    assert _proves(folder, "IA-1")
    for path in persons_folder(folder).iterdir():
        path.write_bytes(path.read_bytes().replace(b"verifier", b"verifies"))
    assert not _proves(folder, "IA-1")


def test_another_person_s_verifier_put_in_place_of_one_s_own_lets_nobody_in(
    desk_ledger: Path, no_key: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = copied(desk_ledger, tmp_path)
    own, other = (
        persons_folder(folder) / sha256(person_key(person).encode()).hexdigest()[:32]
        for person in ("SS-1", "S-1")
    )
    assert own.exists()
    assert other.exists()
    shutil.copy(other, own)
    assert not _proves(folder, "SS-1")


def test_whoever_proves_by_a_key_signs_in_by_no_pass_phrase(
    desk_ledger: Path, no_key: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The verifier of an earlier pass phrase still lies there, and proves nothing more."""
    folder = copied(desk_ledger, tmp_path)
    key = Ed25519PrivateKey.generate().public_key()
    pem = tmp_path / "person.pem"
    pem.write_bytes(key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    phrase = tmp_path / "phrase"
    phrase.write_text(PHRASE, encoding="utf-8")
    monkeypatch.setenv("PITLEDGER_PASS_PHRASE_FILE", str(phrase))
    monkeypatch.setenv("PITLEDGER_KEY", str(key_beside(folder)))
    words = ["person", "enroll", "IA-1", "--public-key", str(pem), "--by", "IT-1"]
    assert main([*words, "--ledger", str(folder)]) == 0
    monkeypatch.setenv("PITLEDGER_KEY", os.devnull)
    assert not _proves(folder, "IA-1")
    assert _proves(folder, "SS-1")


def test_the_process_that_serves_never_opens_the_private_key(desk: Served) -> None:
    key = str(key_beside(desk.settings.folder))
    assert os.path.exists(key)
    opened: list[str] = []
    watching = [True]

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if watching and event == "open" and str(arguments[0]).endswith(key):
            opened.append(str(arguments[0]))

    sys.addaudithook(hook)
    browser = desk.signed_in("SS-1")
    for path in ("/round/SB-01:517", "/shift", "/find", "/ledger", "/law/sic_bo"):
        assert browser.get(path).status_code == 200
    watching.clear()
    assert opened == []


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.7", "desk.example"])
def test_the_desk_is_not_served_in_the_clear_to_other_machines(host: str) -> None:
    with pytest.raises(BindingRefused):
        check_binding(host, has_tls=False, is_behind_proxy=False)
    check_binding(host, has_tls=True, is_behind_proxy=False)
    check_binding(host, has_tls=False, is_behind_proxy=True)
    check_binding("127.0.0.1", has_tls=False, is_behind_proxy=False)
