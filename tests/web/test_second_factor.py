"""A second factor: setting it up, signing in with it, and what does not get past it."""

from __future__ import annotations

import json
import re
from base64 import b32decode
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP

from ledger.casework.cases import CaseFiles, CaseRole
from ledger.casework.person_proofs import (
    STEP_SECONDS,
    NotProved,
    PersonProofs,
    TooManyTries,
    persons_folder,
)
from ledger.cli.errors import SettingsWrong
from ledger.cli.settings import load
from ledger.log import read_log
from ledger.log.keys import key_beside
from ledger.replay import Replay
from ledger.web.writer_socket import PROVED_AGAIN
from tests.web.conftest import PHRASE, Served, cheap, copied, token_of
from tests.web.test_writer import served_with_writer

SECRET = b"12345678901234567890"
SECOND = 1_000_000


@pytest.fixture
def folder(desk_ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    cheap(monkeypatch)
    return copied(desk_ledger, tmp_path)


@pytest.fixture
def proofs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> PersonProofs:
    monkeypatch.setenv("PITLEDGER_KEY", str(key_beside(folder)))
    return PersonProofs(folder)


@pytest.mark.parametrize(
    ("moment", "code"), [(59, "287082"), (1111111109, "081804"), (2000000000, "279 037")]
)
def test_codes_are_those_of_rfc_6238(proofs: PersonProofs, moment: int, code: str) -> None:
    """The table of its appendix B, of which an app shows the last six digits."""
    proofs.set_second("SS-1", SECRET, code, moment * SECOND)
    assert proofs.has_second("SS-1")
    with pytest.raises(NotProved):  # each is good once, the one that set it up, too
        proofs.prove_second("SS-1", code, moment * SECOND)


def code_at(moment: int, secret: bytes = SECRET) -> str:
    return TOTP(secret, 6, SHA1(), STEP_SECONDS).generate(moment).decode()


def test_a_code_is_good_once_and_for_its_time_and_the_ones_beside(proofs: PersonProofs) -> None:
    proofs.set_second("SS-1", SECRET, code_at(3_000), 3_000 * SECOND)
    for apart, is_good in ((-60, False), (60, False), (30, True), (0, False)):
        own = code_at(6_000 + apart)
        if is_good:
            proofs.prove_second("SS-1", own, 6_000 * SECOND)
        with pytest.raises(NotProved):
            proofs.prove_second("SS-1", own, 6_000 * SECOND)
    proofs.prove_second("S-1", "", 6_000 * SECOND)  # who has none is asked nothing


@pytest.mark.parametrize(
    "code", ["", "12345", "1234567", "\u0661" * 6, "abcdef", "=1+1", "0" * 999]
)
def test_what_is_no_code_is_refused(proofs: PersonProofs, code: str) -> None:
    with pytest.raises(NotProved):
        proofs.set_second("SS-1", SECRET, code, 59 * SECOND)
    assert not proofs.has_second("SS-1")


def test_a_right_pass_phrase_sets_no_guesses_of_the_code_back(proofs: PersonProofs) -> None:
    proofs.set_second("SS-1", SECRET, code_at(3_000), 3_000 * SECOND)
    for _ in range(5):
        proofs.prove("SS-1", PHRASE, 6_000 * SECOND)
        with pytest.raises(NotProved):
            proofs.prove_second("SS-1", "000000", 6_000 * SECOND)
    with pytest.raises(TooManyTries):
        proofs.prove_second("SS-1", code_at(6_000), 6_000 * SECOND)
    proofs.prove_second("SS-1", code_at(6_061), 6_061 * SECOND)


def test_without_its_file_nobody_signs_in_and_one_that_was_changed_proves_nothing(
    proofs: PersonProofs, folder: Path
) -> None:
    proofs.set_second("SS-1", SECRET, code_at(3_000), 3_000 * SECOND)
    for path in persons_folder(folder).iterdir():
        path.write_bytes(path.read_bytes().replace(b'"second"', b'"sixthh"'))
    with pytest.raises(NotProved):
        proofs.prove("SS-1", PHRASE, 6_000 * SECOND)


def test_nobody_else_of_the_machine_reads_a_secret(proofs: PersonProofs, folder: Path) -> None:
    own = persons_folder(folder)
    own.chmod(0o755)
    proofs.set_second("SS-1", SECRET, code_at(3_000), 3_000 * SECOND)
    assert own.stat().st_mode & 0o077 == 0
    assert all(path.stat().st_mode & 0o077 == 0 for path in own.iterdir() if len(path.name) == 32)


def test_enrolling_again_ends_it(proofs: PersonProofs) -> None:
    proofs.set_second("SS-1", SECRET, code_at(3_000), 3_000 * SECOND)
    proofs.keep("SS-1", PHRASE)
    assert not proofs.has_second("SS-1")


# ------------------------------------------------------------------ at the desk


@pytest.fixture
def desk(folder: Path, no_key: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    cheap(monkeypatch)
    with served_with_writer(folder) as served:
        yield served


def signing_in(desk: Served, code: str):
    browser = desk.browser()
    token = token_of(browser.get("/sign-in").text)
    fields = {"token": token, "credential": "SS-1", "pass_phrase": PHRASE, "code": code}
    return browser, browser.post("/sign-in", data=fields)


def set_up(desk: Served) -> bytes:
    """Set the second factor of SS-1 up as a person does; return its secret."""
    browser = desk.signed_in("SS-1")
    other = desk.signed_in("SS-1")
    page = browser.get("/sessions").text
    secret = b32decode(re.search(r"enter <code>(\w+)</code>", page)[1])
    assert '<svg class="qr"' in page
    fields = {"token": token_of(page), "new_code": code_at(desk.clock.at // SECOND, secret)}
    assert browser.post("/sessions/second-factor", data=fields).status_code == 400
    wrong = {**fields, "pass_phrase": PHRASE, "new_code": "000000"}
    assert browser.post("/sessions/second-factor", data=wrong).status_code == 400
    own = {**fields, "pass_phrase": PHRASE}
    assert browser.post("/sessions/second-factor", data=own).status_code == 303
    assert browser.get("/law").status_code == 200
    assert other.get("/law").status_code == 303  # all other sessions ended
    after = browser.get("/sessions").text
    assert "Set up another device" in after
    assert re.search(r"enter <code>(\w+)</code>", after)[1] not in page
    return secret


def test_signing_in_asks_for_the_code_once_it_is_set_up(desk: Served) -> None:
    secret = set_up(desk)
    assert "second factor set" in "".join(desk.log)
    assert secret.hex() not in "".join(desk.log)
    refused = {code: signing_in(desk, code)[1] for code in ("", "123456")}
    for answer in refused.values():
        assert answer.status_code == 401
        assert "The credential, the pass phrase or the code is wrong" in answer.text
    desk.clock.forward(60)
    code = code_at(desk.clock.at // SECOND, secret)
    browser, answer = signing_in(desk, code)
    assert answer.status_code == 303
    assert browser.get("/shift").status_code == 200
    assert signing_in(desk, code)[1].status_code == 401  # the same code once more
    assert desk.signed_in("IA-1").get("/law").status_code == 200


def test_another_device_needs_a_code_of_the_present_one(desk: Served) -> None:
    secret = set_up(desk)
    desk.clock.forward(60)
    browser, _ = signing_in(desk, code_at(desk.clock.at // SECOND, secret))
    page = browser.get("/sessions").text
    new = b32decode(re.search(r"enter <code>(\w+)</code>", page)[1])
    desk.clock.forward(60)
    moment = desk.clock.at // SECOND
    own = {"token": token_of(page), "pass_phrase": PHRASE, "new_code": code_at(moment, new)}
    without = browser.post("/sessions/second-factor", data=own)
    assert without.status_code == 400
    own["code"] = code_at(moment, secret)
    assert browser.post("/sessions/second-factor", data=own).status_code == 303


def test_without_the_writer_nobody_gets_past_a_second_factor(desk: Served) -> None:
    secret = set_up(desk)
    desk.running.stop()
    desk.clock.forward(60)
    assert signing_in(desk, code_at(desk.clock.at // SECOND, secret))[1].status_code == 401


def test_the_secret_stands_in_no_data_of_the_page(desk: Served) -> None:
    browser = desk.signed_in("SS-1")
    page = browser.get("/sessions").text
    secret = re.search(r"enter <code>(\w+)</code>", page)[1]
    for form in (".json", ".csv"):
        assert secret not in browser.get(f"/sessions{form}").text


# ------------------------------------------------------------------ proof again

WEIGHTY = {
    "decide": "/case/{number}/decide",
    "close": "/case/{number}/close",
    "reopen": "/case/{number}/reopen",
    "sign": "/case/{number}/sign",
    "handover": "/shift/handover",
    "sign_form": "/coupons/form/daily/sign",
    "sign_report": "/night/2021-06-12/sign",
}


def device_of(desk: Served, person: str) -> str:
    """Let a person have a second factor; return a code that is good now."""
    proofs = PersonProofs(desk.settings.folder, key_beside(desk.settings.folder))
    before = desk.clock.at // SECOND
    proofs.set_second(person, SECRET, code_at(before), desk.clock.at)
    desk.clock.forward(60)
    return code_at(desk.clock.at // SECOND)


def opened(desk: Served) -> str:
    browser = desk.signed_in("S-1")
    fields = {"token": token_of(browser.get("/law").text), "id": "o" * 20, "summary": "Small Bet"}
    answer = browser.post("/cases", data=fields)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"].rpartition("/")[2]


def test_each_act_that_weighs_is_tried_here() -> None:
    assert set(WEIGHTY) == PROVED_AGAIN


@pytest.mark.parametrize("act", WEIGHTY)
def test_who_has_a_second_factor_is_asked_for_it_before_each_act_that_weighs(
    desk: Served, act: str
) -> None:
    path = WEIGHTY[act].format(number=opened(desk))
    browser = desk.signed_in("SS-1")
    code = device_of(desk, "SS-1")
    size = read_log(desk.settings.folder).size
    own = {"token": token_of(browser.get("/law").text), "id": "w" * 20, "decision": "x"}
    for proof, status in (
        ({}, 200),
        ({"pass_phrase": PHRASE}, 200),
        ({"pass_phrase": PHRASE, "code": "000000"}, 401),
        ({"pass_phrase": "another phrase entirely", "code": code}, 401),
    ):
        answer = browser.post(path, data={**own, **proof})
        assert answer.status_code == status, answer.text
        assert "Code that your device shows" in answer.text
        assert PHRASE not in answer.text
        assert 'value="000000"' not in answer.text
    assert read_log(desk.settings.folder).size == size
    noted = [json.loads(line) for line in desk.log]
    assert [line["why"] for line in noted if line["event"] == "act not proved"] == (
        ["person_not_proved"] * 2
    )


def test_a_case_is_decided_with_pass_phrase_and_code_and_each_code_decides_once(
    desk: Served,
) -> None:
    number, browser = opened(desk), desk.signed_in("SS-1")
    code = device_of(desk, "SS-1")
    page = browser.get(f"/case/{number}").text
    assert page.count("Code that your device shows") >= 1
    proof = {"token": token_of(page), "pass_phrase": PHRASE, "code": code}
    decided = browser.post(
        f"/case/{number}/decide", data={**proof, "id": "d" * 20, "decision": "You are right."}
    )
    assert decided.status_code == 303, decided.text
    again = browser.post(
        "/shift/handover", data={**proof, "id": "h" * 20, "to": "S-1", "note": "all quiet"}
    )
    assert again.status_code == 401


def test_a_session_that_the_writer_forgot_is_proved_with_the_code_too(desk: Served) -> None:
    number, browser = opened(desk), desk.signed_in("SS-1")
    code = device_of(desk, "SS-1")
    desk.running.stop()
    desk.running.start()
    desk.running.writer._clock = desk.clock
    own = {"token": token_of(browser.get("/law").text), "id": "n" * 20, "text": "seen"}
    for proof in ({}, {"pass_phrase": PHRASE}):
        answer = browser.post(f"/case/{number}/note", data={**own, **proof})
        assert (answer.status_code, "Code that your device" in answer.text) == (200, True)
    own |= {"pass_phrase": PHRASE, "code": code}
    assert browser.post(f"/case/{number}/note", data=own).status_code == 303


def test_a_role_that_must_have_a_second_factor_signs_and_decides_with_one_only(
    desk: Served,
) -> None:
    roles = frozenset({CaseRole.SUPERVISOR})
    desk.running.writer._second_factor_roles = roles
    object.__setattr__(desk.settings, "second_factor_roles", roles)
    number = opened(desk)
    browser = desk.signed_in("SS-1")
    own = {"token": token_of(browser.get("/law").text), "pass_phrase": PHRASE, "decision": "x"}
    for place in ("/sessions", f"/case/{number}", "/shift"):
        assert "Your role needs a second factor" in browser.get(place).text
    for act, path in WEIGHTY.items():
        answer = browser.post(path.format(number=number), data={**own, "id": act * 5 + "x" * 9})
        assert answer.status_code == 403, answer.text
        assert 'href="/sessions#second-factor"' in answer.text
    assert CaseFiles.read(Replay.open(desk.settings.folder)).files[number].decision is None
    own["code"] = device_of(desk, "SS-1")
    done = browser.post(f"/case/{number}/decide", data={**own, "id": "y" * 20})
    assert done.status_code == 303, done.text
    other = desk.signed_in("S-1")  # of another role
    fields = {"token": token_of(other.get("/law").text), "id": "z" * 20, "pass_phrase": PHRASE}
    handed = other.post("/shift/handover", data={**fields, "to": "SS-2", "note": "quiet"})
    assert handed.status_code == 303, handed.text


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        ("", set()),
        ("all", set(CaseRole)),
        ("finance; Board agent", {CaseRole.FINANCE, CaseRole.BOARD_AGENT}),
        ("supervisors", None),
        ("finance;", None),
    ],
)
def test_the_roles_are_read_from_a_setting(
    monkeypatch: pytest.MonkeyPatch, text: str, roles: set[CaseRole] | None
) -> None:
    monkeypatch.setenv("PITLEDGER_SECOND_FACTOR", text)
    if roles is None:
        with pytest.raises(SettingsWrong):
            load()
    else:
        assert load().second_factor_roles == roles
