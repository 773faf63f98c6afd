"""Passkeys: made and used in a real browser, and all that is not to be taken for one."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import cbor2
import pytest
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.hashes import SHA256
from playwright.sync_api import sync_playwright

from ledger.casework.passkeys import MOST
from ledger.casework.person_proofs import PersonProofs, persons_folder
from ledger.log.keys import key_beside
from tests.chromium import LONGEST_WAIT_MILLISECONDS, executable
from tests.web.conftest import PHRASE, Served, cheap, copied, sign_in, token_of
from tests.web.test_in_browser import serving
from tests.web.test_second_factor import code_at, opened
from tests.web.test_writer import Running, served_with_writer

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def coded(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Device:
    """A device that makes passkeys, as a browser and an authenticator do together."""

    origin: str = "http://testserver"
    site: str = "testserver"
    flags: int = PRESENT | VERIFIED
    count: int = 0
    key: EllipticCurvePrivateKey = field(default_factory=lambda: generate_private_key(SECP256R1()))
    identity: bytes = b"device-one-credential"

    def _data(self, extra: bytes = b"", flags: int = 0) -> bytes:
        self.count += 1
        head = sha256(self.site.encode()).digest() + bytes([self.flags | flags])
        return head + self.count.to_bytes(4, "big") + extra

    def _client(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def made(self, options: dict[str, Any]) -> str:
        public = self.key.public_key().public_numbers()
        cose = {
            1: 2,
            3: -7,
            -1: 1,
            -2: public.x.to_bytes(32, "big"),
            -3: public.y.to_bytes(32, "big"),
        }
        extra = (
            bytes(16) + len(self.identity).to_bytes(2, "big") + self.identity + cbor2.dumps(cose)
        )
        attestation = {"fmt": "none", "attStmt": {}, "authData": self._data(extra, ATTESTED)}
        response = {
            "clientDataJSON": coded(self._client("webauthn.create", options["challenge"])),
            "attestationObject": coded(cbor2.dumps(attestation)),
        }
        return self._answer(response)

    def signed(self, options: dict[str, Any]) -> str:
        client, data = self._client("webauthn.get", options["challenge"]), self._data()
        signature = self.key.sign(data + sha256(client).digest(), ECDSA(SHA256()))
        response = {
            "clientDataJSON": coded(client),
            "authenticatorData": coded(data),
            "signature": coded(signature),
        }
        return self._answer(response)

    def _answer(self, response: dict[str, str]) -> str:
        own = coded(self.identity)
        answer = {"id": own, "rawId": own, "type": "public-key", "response": response}
        return json.dumps({**answer, "clientExtensionResults": {}})


@pytest.fixture
def folder(desk_ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    cheap(monkeypatch)
    return copied(desk_ledger, tmp_path)


@pytest.fixture
def desk(folder: Path, no_key: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    cheap(monkeypatch)
    with served_with_writer(folder) as served:
        yield served


def asked(browser, purpose: str = "use", page: str = "/law") -> dict[str, Any]:
    token = token_of(browser.get(page).text)
    answer = browser.post("/passkey/challenge", data={"token": token, "purpose": purpose})
    assert answer.status_code == 200, answer.text
    options: dict[str, Any] = answer.json()
    return options


def set_up(desk: Served, browser, device: Device, **more: str):
    created = device.made(asked(browser, "create"))
    fields = {
        "token": token_of(browser.get("/law").text),
        "pass_phrase": PHRASE,
        "created": created,
    }
    return browser.post("/sessions/passkey", data={**fields, "name": "my phone", **more})


def signing_in(desk: Served, device: Device | None, **changes: Any):
    browser = desk.browser()
    options = asked(browser, page="/sign-in")
    page = browser.get("/sign-in").text
    fields = {"token": token_of(page), "credential": "SS-1", "pass_phrase": PHRASE}
    passkey = device.signed({**options, **changes}) if device else ""
    return browser, browser.post("/sign-in", data={**fields, "passkey": passkey})


def test_a_passkey_is_set_up_signs_in_and_signs_what_weighs(desk: Served) -> None:
    number, device, browser = opened(desk), Device(), desk.signed_in("SS-1")
    other = desk.signed_in("SS-1")
    assert set_up(desk, browser, device).status_code == 303
    assert other.get("/law").status_code == 303  # all other sessions ended
    page = browser.get("/sessions").text
    assert "my phone" in page
    assert "for <bdi>testserver</bdi>" in page
    assert sign_in(desk.browser(), "SS-1", PHRASE).status_code == 401
    browser, answer = signing_in(desk, device)
    assert answer.status_code == 303, answer.text
    own = {
        "token": token_of(browser.get("/law").text),
        "id": "d" * 20,
        "decision": "You are right.",
    }
    own["pass_phrase"] = PHRASE
    path = f"/case/{number}/decide"
    bare = browser.post(path, data=own)
    assert (bare.status_code, "Use your passkey" in bare.text) == (200, True)
    assert "Code that your device shows" not in bare.text
    sent = device.signed(asked(browser))
    done = browser.post(path, data={**own, "passkey": sent})
    assert done.status_code == 303, done.text
    own |= {"id": "h" * 20, "to": "S-1", "note": "quiet"}
    again = browser.post("/shift/handover", data={**own, "passkey": sent})
    assert again.status_code == 401  # what was signed is good once
    assert sent not in again.text


@pytest.mark.parametrize(
    "wrong",
    [
        {"origin": "https://evil.example"},
        {"site": "evil.example"},
        {"flags": PRESENT},  # nobody showed who is at the device
        {"flags": VERIFIED},
        {"key": generate_private_key(SECP256R1())},
        {"identity": b"another-credential"},
        {"count": -1},  # the same count again: perhaps a copy
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_what_another_page_device_or_person_signed_does_not_sign_in(
    desk: Served, wrong: dict[str, Any]
) -> None:
    device, browser = Device(count=6), desk.signed_in("SS-1")
    assert set_up(desk, browser, device).status_code == 303
    before = {name: getattr(device, name) for name in wrong}
    for name, content in wrong.items():
        setattr(device, name, device.count + content if name == "count" else content)
    _, answer = signing_in(desk, device)
    assert answer.status_code == 401
    assert "The credential, the pass phrase or the code is wrong" in answer.text
    for name, content in before.items():
        setattr(device, name, content)
    device.count += 1
    assert signing_in(desk, device)[1].status_code == 303


def test_a_challenge_of_ours_is_answered_once_and_soon(desk: Served) -> None:
    device, browser = Device(), desk.signed_in("SS-1")
    assert set_up(desk, browser, device).status_code == 303
    assert signing_in(desk, device, challenge=coded(bytes(32)))[1].status_code == 401
    options = asked(desk.browser(), page="/sign-in")
    desk.clock.forward(121)
    assert signing_in(desk, device, **options)[1].status_code == 401
    assert signing_in(desk, device)[1].status_code == 303


@pytest.mark.parametrize(
    "sent",
    [
        *("x", "{}", "[]", "null", "7", '{"id": 7, "response": {}}', "\u0660" * 40),
        *('{"response": {"clientDataJSON": "!"}}', '{"response": {"clientDataJSON": 7}}'),
        *("[" * 15_000, '{"response": {"clientDataJSON": "' + "A" * 30_000 + '"}}'),
    ],
    ids=range(11),
)
def test_what_is_no_answer_of_a_browser_is_refused(desk: Served, sent: str) -> None:
    device, browser = Device(), desk.signed_in("SS-1")
    assert set_up(desk, browser, device, created=sent).status_code == 400
    assert set_up(desk, browser, device).status_code == 303
    page = desk.browser()
    fields = {"token": token_of(page.get("/sign-in").text), "credential": "SS-1"}
    answer = page.post("/sign-in", data={**fields, "pass_phrase": PHRASE, "passkey": sent})
    assert answer.status_code == 401
    assert not [line for line in desk.log if '"failure"' in line]


def test_a_passkey_is_set_up_by_who_proves_it_and_only_for_this_desk(desk: Served) -> None:
    browser = desk.signed_in("SS-1")
    for wrong in ({"pass_phrase": ""}, {"pass_phrase": "another phrase entirely"}):
        assert set_up(desk, browser, Device(), **wrong).status_code == 400
    for device in (
        Device(origin="https://evil.example"),
        Device(site="evil.example"),
        Device(flags=1),
    ):
        assert set_up(desk, browser, device).status_code == 400
    assert not PersonProofs(desk.settings.folder).has_second("SS-1")
    device = Device()
    assert set_up(desk, browser, device).status_code == 303
    assert (
        set_up(desk, browser, Device(identity=b"two")).status_code == 400
    )  # now with the first one
    more = {"passkey": device.signed(asked(browser))}
    assert set_up(desk, browser, Device(identity=b"two"), **more).status_code == 303
    for number in range(3, MOST + 2):
        more = {"passkey": device.signed(asked(browser))}
        answer = set_up(desk, browser, Device(identity=b"%d" % number), **more)
        assert answer.status_code == (303 if number <= MOST else 400)
    assert PHRASE not in "".join(desk.log)


def test_nobody_removes_a_passkey_without_a_second_factor(desk: Served) -> None:
    device, browser = Device(), desk.signed_in("SS-1")
    assert set_up(desk, browser, device).status_code == 303
    own = {"token": token_of(browser.get("/law").text), "passkey_id": device.identity.hex()}
    own["pass_phrase"] = PHRASE
    assert browser.post("/sessions/passkey/remove", data=own).status_code == 400
    own["passkey"] = device.signed(asked(browser))
    assert browser.post("/sessions/passkey/remove", data=own).status_code == 303
    assert not PersonProofs(desk.settings.folder).has_second("SS-1")
    assert sign_in(desk.browser(), "SS-1", PHRASE).status_code == 303


def test_a_desk_without_a_name_and_a_stranger_are_asked_nothing(desk: Served) -> None:
    browser = desk.signed_in("SS-1")
    assert browser.post("/passkey/challenge", data={"token": "x"}).status_code == 403
    assert desk.browser().post("/passkey/challenge", data={"token": ""}).status_code == 403
    numbered = Served(desk.settings.folder, hosts=("127.0.0.1",))
    page = numbered.browser()
    page.base_url = "http://127.0.0.1"
    token = token_of(page.get("/sign-in").text)
    answer = page.post("/passkey/challenge", data={"token": token})
    assert answer.status_code == 400
    assert "Passkeys need a name" in answer.json()["problem"]
    numbered.record.close()


def test_a_passkey_whose_file_was_changed_proves_nothing(desk: Served, folder: Path) -> None:
    device, browser = Device(), desk.signed_in("SS-1")
    assert set_up(desk, browser, device).status_code == 303
    for path in persons_folder(folder).iterdir():
        if b'"passkeys"' in path.read_bytes():
            path.write_bytes(path.read_bytes().replace(b'"count": 1', b'"count": 0'))
    assert signing_in(desk, device)[1].status_code == 401


def test_the_code_of_a_device_serves_beside_a_passkey(desk: Served) -> None:
    device, browser = Device(), desk.signed_in("SS-1")
    assert set_up(desk, browser, device).status_code == 303
    proofs = PersonProofs(desk.settings.folder, key_beside(desk.settings.folder))
    secret, second = b"12345678901234567890", 1_000_000
    proofs.set_second("SS-1", secret, code_at(desk.clock.at // second), desk.clock.at)
    assert proofs.second_factors("SS-1") == {"code", "passkey"}
    desk.clock.forward(60)
    page = desk.browser()
    fields = {"token": token_of(page.get("/sign-in").text), "credential": "SS-1"}
    fields |= {"pass_phrase": PHRASE, "code": code_at(desk.clock.at // second)}
    assert page.post("/sign-in", data=fields).status_code == 303
    assert signing_in(desk, device)[1].status_code == 303


def test_a_passkey_in_a_real_browser(
    folder: Path, no_key: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    cheap(monkeypatch)
    running = Running(folder, key_beside(folder))
    served = Served(folder, hosts=("localhost",))
    with serving(served) as address, sync_playwright() as playwright:
        base = address.replace("127.0.0.1", "localhost")
        chromium = playwright.chromium.launch(
            executable_path=executable(), args=["--no-sandbox"], headless=True
        )
        page = chromium.new_context().new_page()
        page.set_default_timeout(LONGEST_WAIT_MILLISECONDS)
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        chrome = page.context.new_cdp_session(page)
        chrome.send("WebAuthn.enable")
        options = {
            "protocol": "ctap2", "transport": "internal", "hasResidentKey": True,
            "hasUserVerification": True, "isUserVerified": True,
            "automaticPresenceSimulation": True,
        }  # fmt: skip
        chrome.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        page.goto(f"{base}/sign-in")
        page.fill("#credential", "SS-1")
        page.fill("#pass_phrase", PHRASE)
        page.click("button:text-is('Sign in')")
        page.goto(f"{base}/sessions")
        page.click("summary:has-text('Set up a passkey')")
        page.fill("#passkey-name", "Console 3")
        page.fill("#passkey-phrase", PHRASE)
        page.click("button:has-text('Make the passkey')")
        page.wait_for_url(f"{base}/sessions#passkeys")
        assert "Console 3" in page.inner_text("#passkeys")
        page.click("button:has-text('Sign out')")
        page.fill("#credential", "SS-1")
        page.fill("#pass_phrase", PHRASE)
        page.click("button:text-is('Sign in')")
        assert "is wrong" in page.inner_text("main")
        page.fill("#credential", "SS-1")
        page.fill("#pass_phrase", PHRASE)
        page.click("button:has-text('Sign in with your passkey')")
        page.wait_for_url(f"{base}/find")
        page.goto(f"{base}/shift")
        page.click("summary:has-text('Hand the shift over')")
        page.fill("#to", "S-1")
        page.fill("#note", "All quiet.")
        page.fill("#handover-phrase", PHRASE)
        page.click("button:text-is('Hand over')")  # which asks the passkey by itself
        page.wait_for_url(f"{base}/shift#log")
        assert "All quiet." in page.inner_text("#log")
        page.goto(f"{base}/sessions")
        page.click("summary:has-text('Remove')")
        page.fill("#remove-1", PHRASE)
        page.click("button:has-text('Remove it, with a passkey')")
        page.wait_for_url(f"{base}/sessions#passkeys")
        assert "Console 3" not in page.inner_text("#passkeys")
        assert wrong == []
        chromium.close()
    running.stop()
