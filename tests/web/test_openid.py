"""Signing in at a provider: who gets in, who does not, what it may not do, and how it is linked."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from joserfc.jwk import RSAKey
from starlette.testclient import TestClient

from ledger.casework.person_proofs import PersonProofs, persons_folder
from ledger.casework.provider_accounts import ProviderAccount
from ledger.cli.errors import SettingsWrong
from ledger.cli.settings import load
from ledger.log.keys import key_beside
from ledger.web import openid_provider
from ledger.web.errors import ProviderAway, ProviderWrong
from ledger.web.guard import POLICY
from ledger.web.openid_provider import MOST_AT_ONCE, Begun, OpenIdProvider
from ledger.web.openid_tokens import LOGOUT_EVENT
from tests.web.conftest import PHRASE, Served, copied, sign_in, token_of
from tests.web.openid_double import DESK, SECRET, Provider, provider_double
from tests.web.test_bad_input import HOSTILE, add, harmless
from tests.web.test_second_factor import SECRET as DEVICE
from tests.web.test_second_factor import code_at
from tests.web.test_writer import served_with_writer

BACK = "/sign-in/openid/return"
DISCOVERY = "/.well-known/openid-configuration"
BEGUN = Begun(state="s", nonce="n", verifier="v", asked_at=0)


@pytest.fixture(scope="module")
def double() -> Iterator[Provider]:
    with provider_double() as provider:
        yield provider


@pytest.fixture
def provider(double: Provider) -> Provider:
    """The double as it began: what the test before told it is forgotten."""
    vars(double).update(vars(Provider(double.issuer)))
    return double


@pytest.fixture(scope="module")
def linked_ledger(
    desk_ledger: Path, tmp_path_factory: pytest.TempPathFactory, double: Provider
) -> Path:
    """A ledger that tests only read; anna's account is linked to SS-1."""
    folder = copied(desk_ledger, tmp_path_factory.mktemp("openid"))
    link(folder, double, "SS-1", "anna")
    return folder


@pytest.fixture(scope="module")
def served(linked_ledger: Path, double: Provider) -> Iterator[Served]:
    linked_desk = Served(linked_ledger, openid=double.settings)
    yield linked_desk
    linked_desk.record.close()


@pytest.fixture
def desk(served: Served, no_key: None, provider: Provider) -> Served:
    """One desk for all tests, so much later that it remembers nothing of the one before."""
    served.clock.forward(40_000)
    served.log.clear()
    return served


def link(folder: Path, provider: Provider, person: str, name: str) -> None:
    account = ProviderAccount(issuer=provider.issuer, claim="sub", name=name)
    PersonProofs(folder, key_beside(folder)).link_account(person, account, ())


def begun(browser: TestClient, to: str = "/shift", path: str = "/sign-in/openid") -> str:
    answer = browser.get(f"{path}?to={to}")
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def returned(desk: Served, provider: Provider, browser: TestClient, **claims: object):
    """A whole round: to the provider, signed in there, and back."""
    return browser.get(provider.sign_in(begun(browser), desk.clock.at // 1_000_000, **claims))


def causes(desk: Served) -> list[str]:
    lines = map(json.loads, desk.log)
    return [line["cause"] for line in lines if line["event"] == "sign-in failed"]


# ------------------------------------------------------------------ who gets in


def test_a_person_signs_in_at_the_provider_reads_and_signs_out_there_too(
    desk: Served, provider: Provider
) -> None:
    browser = desk.browser()
    assert 'href="/sign-in/openid?to=/shift"' in browser.get("/sign-in?to=/shift").text
    answer = returned(desk, provider, browser)
    assert answer.status_code == 200
    assert '<meta http-equiv="refresh" content="0; url=/shift">' in answer.text
    assert answer.headers["content-security-policy"] == POLICY  # nobody's forms go elsewhere
    page = browser.get("/shift")
    assert page.status_code == 200
    out = browser.post("/sign-out", data={"token": token_of(page.text)})
    (leaving,) = {part for part in out.text.split('"') if part.startswith(provider.issuer)}
    asked = parse_qs(urlsplit(leaving.replace("&amp;", "&")).query)
    assert asked["post_logout_redirect_uri"] == [f"{DESK}/sign-in"]
    assert asked["client_id"] == ["desk"]
    assert browser.get("/shift").status_code == 303
    assert {json.loads(line)["event"] for line in desk.log} == {"sign-in"}
    assert json.loads(desk.log[0])["by"] == "openid"


def logout_token(desk: Served, provider: Provider, **claims: object) -> str:
    at = desk.clock.at // 1_000_000
    own = {"iss": provider.issuer, "aud": "desk", "iat": at, "exp": at + 120,
           "jti": secrets.token_hex(8), "events": {LOGOUT_EVENT: {}}}  # fmt: skip
    return provider.token({**own, **claims})


def test_the_provider_ends_the_sessions_of_who_signed_out_there_and_no_other(
    desk: Served, provider: Provider
) -> None:
    """By the session at the provider, or by the person for all; one begun by a pass phrase stays."""
    sent = "/sign-in/openid/sign-out"
    first, second, own = desk.browser(), desk.browser(), desk.signed_in("SS-1")
    for browser, name in ((first, "s-1"), (second, "s-2")):
        assert returned(desk, provider, browser, sid=name).status_code == 200
    for claims in ({"sid": "s-3"}, {"sub": "bert"}, {"sid": "s-1", "sub": "bert"}):
        answer = desk.browser().post(
            sent, data={"logout_token": logout_token(desk, provider, **claims)}
        )
        assert answer.status_code == 200
    assert [each.get("/shift").status_code for each in (first, second, own)] == [200, 200, 200]
    token = logout_token(desk, provider, sid="s-1", sub="anna")
    answer = desk.browser().post(sent, data={"logout_token": token})
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    assert [each.get("/shift").status_code for each in (first, second, own)] == [303, 200, 200]
    assert desk.browser().post(sent, data={"logout_token": token}).status_code == 400  # good once
    whole = logout_token(desk, provider, sub="anna")
    assert desk.browser().post(sent, data={"logout_token": whole}).status_code == 200
    assert [each.get("/shift").status_code for each in (first, second, own)] == [303, 303, 200]
    lines = [line["event"] for line in map(json.loads, desk.log)]
    assert lines.count("signed out at the provider") == 2
    assert lines.count("sign-out refused") == 1


def test_what_is_no_logout_token_ends_nothing_and_makes_nobody_wait(
    desk: Served, provider: Provider
) -> None:
    browser = desk.browser()
    assert returned(desk, provider, browser, sid="s-1").status_code == 200
    forged = replace(provider, key=RSAKey.generate_key(2048, {"kid": "first", "use": "sig"}))
    for token in (
        "",
        "x",
        "a.b.c",
        "\u202e" * 99,
        "e" * 20_000,
        logout_token(desk, forged, sub="anna"),
    ) * 2:
        answer = desk.browser().post("/sign-in/openid/sign-out", data={"logout_token": token})
        assert answer.status_code == 400
    assert browser.get("/shift").status_code == 200
    assert returned(desk, provider, desk.browser()).status_code == 200


def test_the_provider_is_asked_for_a_new_sign_in_with_a_challenge(
    desk: Served, provider: Provider
) -> None:
    first, second = (parse_qs(urlsplit(begun(desk.browser())).query) for _ in range(2))
    assert first["prompt"] == ["login"]
    assert first["max_age"] == ["0"]
    assert first["kept"] == ["1"]  # what the provider's own address says is left there
    assert first["scope"] == ["openid"]
    assert first["redirect_uri"] == [f"{DESK}{BACK}"]
    for name in ("state", "nonce", "code_challenge"):
        assert len(first[name][0]) == 43
        assert first[name] != second[name]


def test_the_secret_of_the_desk_is_shown_to_nobody_but_the_provider(
    desk: Served, provider: Provider
) -> None:
    answer = returned(desk, provider, desk.browser())
    assert SECRET not in answer.text + "".join(desk.log) + repr(desk.settings)
    assert "client_secret" not in provider.sent[0]  # HTTP Basic, which the double checks


def test_a_session_of_the_provider_ends_when_idle_like_any_other(
    desk: Served, provider: Provider
) -> None:
    browser = desk.browser()
    returned(desk, provider, browser)
    desk.clock.forward(901)
    assert browser.get("/law").status_code == 303


def test_who_signs_in_as_somebody_else_ends_the_earlier_session(
    desk: Served, provider: Provider
) -> None:
    browser = desk.signed_in("IA-1")
    before = browser.cookies["desk"]
    returned(desk, provider, browser)
    other = desk.browser()
    other.cookies.set("desk", before)
    assert other.get("/law").status_code == 303
    assert "SS-1" in browser.get("/law").text


# ------------------------------------------------------------------ who does not


@pytest.mark.parametrize(
    ("claims", "why"),
    [
        ({"iss": "https://another.example"}, "another issuer"),
        ({"aud": "another"}, "for another client"),
        ({"nonce": "another"}, "not what was asked for: another nonce"),
        ({"exp": 1_000}, "expired"),
        ({"auth_time": 1_000}, "signed in at the provider too long ago"),
        ({"sub": "nobody"}, "no credential is linked"),
        ({"sub": "SS-1"}, "no credential is linked"),
    ],
)
def test_a_token_that_proves_nobody_gets_the_form_of_pass_phrases(
    desk: Served, provider: Provider, claims: dict, why: str
) -> None:
    browser = desk.browser()
    answer = returned(desk, provider, browser, **claims)
    assert answer.status_code == 401
    assert 'name="pass_phrase"' in answer.text
    assert browser.get("/law").status_code == 303
    assert causes(desk) == [why]


def test_a_state_is_good_once_in_its_own_browser_and_for_its_time(
    desk: Served, provider: Provider
) -> None:
    browser, thief, moment = desk.browser(), desk.browser(), desk.clock.at // 1_000_000
    back = provider.sign_in(begun(browser), moment)
    begun(thief)  # has a cookie of its own
    assert thief.get(back).status_code == 401
    assert browser.get(back).status_code == 401  # the state was used up by the thief
    back = provider.sign_in(begun(browser), moment)
    assert browser.get(back).status_code == 200
    assert browser.get(back).status_code == 401
    back = provider.sign_in(begun(browser), moment)
    desk.clock.forward(601)
    assert browser.get(back).status_code == 401
    assert causes(desk) == ["another browser", "no such state", "no such state", "too late"]
    assert len(provider.sent) == 1  # no code of these reached the provider


def test_a_code_is_good_once_and_with_its_own_challenge_only(
    desk: Served, provider: Provider
) -> None:
    browser, moment = desk.browser(), desk.clock.at // 1_000_000
    stolen = parse_qs(urlsplit(provider.sign_in(begun(desk.browser()), moment)).query)["code"][0]
    own = parse_qs(urlsplit(begun(browser)).query)["state"][0]
    answer = browser.get(f"{BACK}?code={stolen}&state={own}&iss={provider.issuer}")
    assert answer.status_code == 401
    assert causes(desk) == ["the code is not good, or no longer"]


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("code=c&iss=https://another.example", "another issuer's answer"),
        ("code=c", "another issuer's answer"),
        ("iss={issuer}", "no code"),
        ("code={long}&iss={issuer}", "no code"),
        ("error=access_denied&iss={issuer}", "the provider signed nobody in: access_denied"),
        (
            "error=<script>alert(1)</script>&iss={issuer}",
            "the provider signed nobody in: no reason",
        ),
    ],
)
def test_an_answer_without_a_code_of_the_provider_signs_nobody_in(
    desk: Served, provider: Provider, query: str, why: str
) -> None:
    browser = desk.browser()
    state = parse_qs(urlsplit(begun(browser)).query)["state"][0]
    sent = query.format(issuer=provider.issuer, long="x" * 2_049)
    answer = browser.get(f"{BACK}?state={state}&{sent}")
    assert answer.status_code == 401
    assert "<script>alert" not in answer.text
    assert causes(desk) == [why]


@pytest.mark.parametrize(
    "to", ["https://evil.example/", "//evil.example", "/\\evil", "/x%0d%0aSet-Cookie:a=b"]
)
def test_the_way_on_leads_to_pages_of_the_desk_only(
    desk: Served, provider: Provider, to: str
) -> None:
    browser = desk.browser()
    back = provider.sign_in(begun(browser, to), desk.clock.at // 1_000_000)
    assert 'content="0; url=/"' in browser.get(back).text


def test_hostile_words_on_the_way_there_and_back_lead_nowhere(
    desk: Served, provider: Provider
) -> None:
    browser = desk.browser()
    for kind in sorted(HOSTILE.keys() - {"surrogate", "long"}):
        text = quote(HOSTILE[kind])
        address = begun(browser, text)
        assert address.startswith(provider.issuer), kind
        assert text not in address
        state = parse_qs(urlsplit(address).query)["state"][0]
        sent = f"code={text}&error_description={text}&iss={provider.issuer}"
        for query in (f"state={text}&{sent}", f"state={state}&{sent}"):
            answer = browser.get(f"{BACK}?{query}")
            assert answer.status_code == 401, kind
            harmless(answer)
        assert HOSTILE[kind] not in "".join(desk.log)
        desk.clock.forward(1_000)  # the failures before are forgotten


def test_failures_make_the_next_try_wait(desk: Served, provider: Provider) -> None:
    browser = desk.browser()
    for _ in range(9):  # what nobody began is no try, and keeps nobody else out
        assert browser.get(f"{BACK}?state=x&code=y").status_code == 401
    for _ in range(5):
        assert returned(desk, provider, browser, sub="guess").status_code == 401
    assert browser.get("/sign-in/openid").status_code == 429
    assert sign_in(browser, "SS-1", PHRASE).status_code == 303  # counted apart
    desk.clock.forward(61)
    assert browser.get("/sign-in/openid").status_code == 303


# ------------------------------------------------------------------ rights and second factors


@pytest.fixture
def at_work(
    desk_ledger: Path, no_key: None, tmp_path: Path, provider: Provider
) -> Iterator[Served]:
    """A desk with its writer on a ledger of its own; anna's account is linked to SS-1."""
    folder = copied(desk_ledger, tmp_path)
    link(folder, provider, "SS-1", "anna")
    with served_with_writer(folder, openid=provider.settings) as served:
        yield served


def test_a_credential_that_is_revoked_ends_the_session_and_every_other_way_in(
    at_work: Served, provider: Provider
) -> None:
    browser = at_work.browser()
    returned(at_work, provider, browser)
    assert browser.get("/shift").status_code == 200
    add(at_work.settings.folder, at_work, revoked=True)
    assert browser.get("/shift").status_code == 403
    assert returned(at_work, provider, browser).status_code == 401


def test_what_is_recorded_asks_for_the_pass_phrase_which_the_provider_does_not_know(
    at_work: Served, provider: Provider
) -> None:
    browser = at_work.browser()
    returned(at_work, provider, browser)
    fields = {"token": token_of(browser.get("/shift").text), "id": "i" * 20, "entry": "Quiet."}
    asked = browser.post("/shift/log", data=fields)
    assert asked.status_code == 200
    assert "Give your pass phrase" in asked.text
    wrong = browser.post("/shift/log", data={**fields, "pass_phrase": "another phrase entirely"})
    assert wrong.status_code == 401
    assert "Quiet." not in browser.get("/shift").text
    assert browser.post("/shift/log", data={**fields, "pass_phrase": PHRASE}).status_code == 303
    assert "Quiet." in browser.get("/shift").text
    again = {**fields, "id": "j" * 20, "entry": "Still quiet."}
    assert browser.post("/shift/log", data=again).status_code == 303  # known to the writer now


def test_a_second_factor_of_the_desk_is_not_got_round_by_a_password_of_the_provider(
    at_work: Served, provider: Provider
) -> None:
    folder, moment = at_work.settings.folder, at_work.clock.at // 1_000_000
    proofs = PersonProofs(folder, key_beside(folder))
    proofs.set_second("SS-1", DEVICE, code_at(moment), at_work.clock.at)
    answer = returned(at_work, provider, at_work.browser())
    assert answer.status_code == 401
    assert "the provider did not ask for one" in answer.text
    assert returned(at_work, provider, at_work.browser(), amr=["pwd", "mfa"]).status_code == 200


# ------------------------------------------------------------------ linking


def test_a_person_links_an_account_once_with_the_pass_phrase_and_unlinks_it(
    at_work: Served, provider: Provider
) -> None:
    moment = at_work.clock.at // 1_000_000
    browser = at_work.signed_in("IA-1")
    back = provider.sign_in(begun(browser, path="/sessions/openid"), moment, sub="ines")
    answer = browser.get(back)
    assert "url=/sessions#account" in answer.text
    assert returned(at_work, provider, at_work.browser(), sub="ines").status_code == 401  # not yet
    page = browser.get("/sessions").text
    assert "Link this account to IA-1" in page
    fields = {"token": token_of(page)}
    for phrase in ("", "another phrase entirely"):
        refused = browser.post("/sessions/openid", data={**fields, "pass_phrase": phrase})
        assert refused.status_code == 400
    own = {**fields, "pass_phrase": PHRASE}
    assert browser.post("/sessions/openid", data=own).headers["location"] == "/sessions#account"
    assert browser.post("/sessions/openid", data=own).status_code == 400  # offered no more
    other = at_work.browser()
    assert returned(at_work, provider, other, sub="ines").status_code == 200
    assert "IA-1" in other.get("/law").text
    assert browser.post("/sessions/openid/remove", data=fields).status_code == 400
    assert browser.post("/sessions/openid/remove", data=own).status_code == 303
    assert other.get("/law").status_code == 303  # sessions that it began end
    assert returned(at_work, provider, at_work.browser(), sub="ines").status_code == 401


def test_an_account_belongs_to_one_person_and_the_first_keeps_it(
    at_work: Served, provider: Provider
) -> None:
    browser = at_work.signed_in("IA-1")
    begin = begun(browser, path="/sessions/openid")
    browser.get(provider.sign_in(begin, at_work.clock.at // 1_000_000, sub="anna"))
    fields = {"token": token_of(browser.get("/sessions").text), "pass_phrase": PHRASE}
    refused = browser.post("/sessions/openid", data=fields)
    assert refused.status_code == 400
    assert "linked to another credential" in refused.text
    assert "SS-1" not in refused.text
    proofs = PersonProofs(at_work.settings.folder)
    assert proofs.account("IA-1") is None
    assert proofs.account("SS-1").name == "anna"


def test_the_writer_links_nothing_that_names_no_account_and_nothing_without_a_pass_phrase(
    at_work: Served,
) -> None:
    whole = {"issuer": "https://login.example", "claim": "sub", "name": "ines"}
    for harm in ({"name": ""}, {"name": "x" * 256}, {"name": "in\u202ees"}, {"issuer": "\n"}):
        answer = at_work.running.ask(
            act="account_linked", person="IA-1", pass_phrase=PHRASE, fields={**whole, **harm}
        )
        assert answer["code"] == "account_unreadable"
    for phrase, code in (("", "proof_needed"), ("another phrase entirely", "person_not_proved")):
        answer = at_work.running.ask(
            act="account_linked", person="IA-1", pass_phrase=phrase, fields=whole
        )
        assert answer["code"] == code
    assert PersonProofs(at_work.settings.folder).account("IA-1") is None


def test_an_account_is_offered_to_the_session_that_began_it_and_to_no_other(
    at_work: Served, provider: Provider
) -> None:
    mine, moment = at_work.signed_in("IA-1"), at_work.clock.at // 1_000_000
    back = provider.sign_in(begun(mine, path="/sessions/openid"), moment, sub="eve")
    victim = at_work.signed_in("FS-1")
    begun(victim, path="/sessions/openid")
    answer = victim.get(back)  # somebody else's way back
    assert answer.status_code == 401
    assert 'name="token"' not in answer.text
    for browser in (mine, victim):
        assert "Link this account" not in browser.get("/sessions").text
    back = provider.sign_in(begun(mine, path="/sessions/openid"), moment, sub="eve")
    mine.post("/sign-out", data={"token": token_of(mine.get("/sessions").text)})
    assert mine.get(back).status_code == 401
    assert at_work.browser().get("/sessions/openid").headers["location"].startswith("/sign-in")


def test_enrolling_again_ends_a_link_and_a_file_that_nobody_sealed_links_nobody(
    at_work: Served, provider: Provider
) -> None:
    folder = at_work.settings.folder
    assert returned(at_work, provider, at_work.browser()).status_code == 200
    for path in persons_folder(folder).iterdir():
        path.write_bytes(path.read_bytes().replace(b"anna", b"anne"))
    for name in ("anna", "anne"):
        assert returned(at_work, provider, at_work.browser(), sub=name).status_code == 401
    link(folder, provider, "S-1", "ines")
    PersonProofs(folder, key_beside(folder)).keep("S-1", PHRASE)
    assert returned(at_work, provider, at_work.browser(), sub="ines").status_code == 401


# ------------------------------------------------------------------ a provider in trouble


def refused_page(desk: Served, path: str = "/sign-in/openid"):
    answer = desk.browser().get(path)
    assert answer.status_code == 503
    assert 'name="pass_phrase"' in answer.text
    assert "Sign in with your pass phrase below" in answer.text
    assert not [line for line in desk.log if '"failure"' in line]
    return causes(desk)[-1]


def test_a_provider_that_is_away_is_said_and_left_alone_for_some_seconds(
    linked_ledger: Path, no_key: None
) -> None:
    with provider_double() as provider:
        settings = provider.settings
    served = Served(linked_ledger, openid=settings)
    assert refused_page(served) == "ConnectError"
    assert refused_page(served) == "ConnectError"
    assert sign_in(served.browser(), "SS-1", PHRASE).status_code == 303
    served.record.close()


@pytest.mark.parametrize(
    ("path", "status", "raw", "why"),
    [
        (DISCOVERY, 200, b"<html>", "no JSON"),
        (DISCOVERY, 200, b"[" * 100_000, "no JSON"),
        (DISCOVERY, 200, b"[]", "status 200"),
        (DISCOVERY, 302, b"{}", "status 302"),
        (DISCOVERY, 500, b"{}", "status 500"),
        ("/jwks", 200, b"\xff\xfe", "no JSON"),
        ("/jwks", 200, b'{"keys": []}', "no public key"),
        ("/jwks", 404, b"{}", "status 404"),
        ("/token", 200, b'"' + b"x" * 300_000, "too long"),
        ("/token", 200, b"{}", "no ID token: no reason"),
        ("/token", 307, b"{}", "status 307"),
        ("/token", 503, b"{}", "status 503"),
    ],
    ids=lambda part: str(part)[:20],
)
def test_a_provider_that_answers_nonsense_is_a_page_and_never_a_failure(
    desk: Served, provider: Provider, path: str, status: int, raw: bytes, why: str
) -> None:
    way = "/sign-in/openid"
    browser = desk.browser()
    if path != DISCOVERY:
        way = provider.sign_in(begun(browser), desk.clock.at // 1_000_000)
    provider.raw[path], provider.status[path] = raw, status
    answer = browser.get(way)
    assert answer.status_code == 503
    assert "pass phrase" in answer.text
    assert why in causes(desk)[-1]
    assert "/elsewhere" not in provider.asked
    desk.clock.forward(6)
    provider.raw.clear()
    provider.status.clear()
    assert returned(desk, provider, browser).status_code == 200


def test_a_provider_that_answers_a_byte_at_a_time_is_waited_for_no_longer_than_the_deadline(
    desk: Served, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openid_provider, "ANSWER_SECONDS", 0.3)
    provider.seconds = 0.05  # each byte comes before any limit between two of them
    assert refused_page(desk) == "TimeoutError"


def test_whoever_would_wait_for_a_slow_provider_behind_many_others_is_told_at_once(
    provider: Provider,
) -> None:
    provider.seconds = 0.001
    slow = OpenIdProvider(provider.settings, lambda: 0)

    async def all_at_once() -> list[object]:
        tries = (slow.address_to_sign_in(BEGUN) for _ in range(MOST_AT_ONCE + 4))
        return await asyncio.gather(*tries, return_exceptions=True)

    answers = asyncio.run(all_at_once())
    away = [answer for answer in answers if isinstance(answer, ProviderAway)]
    assert [answer.cause for answer in away] == ["too many wait for it"] * 4
    assert provider.asked == [DISCOVERY]  # one asks for all


@pytest.mark.parametrize(
    "changes",
    [
        {"issuer": "https://another.example"},
        {"issuer": None},
        {"authorization_endpoint": "http://login.example/auth"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"token_endpoint": "file:///etc/passwd"},
        {"token_endpoint": None},
        {"jwks_uri": ["https://login.example"]},
        {"end_session_endpoint": "http://login.example/end"},
        {"response_types_supported": ["id_token"]},
        {"code_challenge_methods_supported": ["plain"]},
        {"id_token_signing_alg_values_supported": ["HS256", "none"]},
    ],
)
def test_a_discovery_document_that_a_desk_must_not_rely_on(
    provider: Provider, changes: dict
) -> None:
    provider.changes[DISCOVERY] = changes
    asked = OpenIdProvider(provider.settings, lambda: 0)
    with pytest.raises(ProviderWrong):
        asyncio.run(asked.address_to_sign_in(BEGUN))
    assert provider.asked == [DISCOVERY]


def test_an_unknown_key_is_asked_for_again_but_not_with_every_token(
    desk: Served, provider: Provider
) -> None:
    browser = desk.browser()
    assert returned(desk, provider, browser).status_code == 200
    second = RSAKey.generate_key(2048, {"kid": "second"})
    provider.key = second
    desk.clock.forward(11)
    assert returned(desk, provider, browser).status_code == 401  # signed, but never published
    assert returned(desk, provider, browser).status_code == 401
    assert provider.asked.count("/jwks") == 2
    provider.published.append(second)
    desk.clock.forward(11)
    assert returned(desk, provider, browser).status_code == 200
    assert provider.asked.count("/jwks") == 3


# ------------------------------------------------------------------ settings


def test_a_desk_without_a_provider_has_no_way_there(no_key: None, linked_ledger: Path) -> None:
    served = Served(linked_ledger)
    browser = served.signed_in("SS-1")
    for path in ("/sign-in/openid", BACK, "/sessions/openid"):
        assert browser.get(path).status_code == 404
    assert "/sign-in/openid" not in served.browser().get("/sign-in").text
    served.record.close()


def test_the_provider_is_set_up_by_the_environment_and_a_file_for_its_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert load().openid is None
    path = tmp_path / "secret"
    path.write_text(f"{SECRET}\n", encoding="utf-8")
    path.chmod(0o600)
    chosen = {
        "ISSUER": "https://login.example/realm",
        "CLIENT": "desk",
        "DESK": "https://desk.example/",
        "SECRET_FILE": str(path),
        "CLAIM": "employee_number",
        "MAX_AGE": "600",
        "ACR": "phr phrh",
    }
    for name, text in chosen.items():
        monkeypatch.setenv(f"PITLEDGER_OIDC_{name}", text)
    openid = load().openid
    assert openid is not None
    assert openid.client_secret == SECRET
    assert SECRET not in repr(openid)
    assert openid.return_address == "https://desk.example/sign-in/openid/return"
    assert (openid.claim, openid.max_age_seconds, openid.acr) == (
        "employee_number", 600, ("phr", "phrh"),
    )  # fmt: skip
    path.chmod(0o640)
    with pytest.raises(SettingsWrong, match="others may read it") as refused:
        load().openid  # noqa: B018
    assert SECRET not in str(refused.value)
    for harm in ("", "x\ny", "x" * 1_001):
        path.write_text(harm, encoding="utf-8")
        path.chmod(0o600)
        with pytest.raises(SettingsWrong, match="one line"):
            load().openid  # noqa: B018
    path.unlink()
    with pytest.raises(SettingsWrong, match="cannot be read"):
        load().openid  # noqa: B018
    monkeypatch.delenv("PITLEDGER_OIDC_CLIENT")
    with pytest.raises(SettingsWrong, match="OIDC_CLIENT"):
        load().openid  # noqa: B018


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ISSUER", "http://login.example"),
        ("ISSUER", "https://login.example?x=1"),
        ("ISSUER", "login.example"),
        ("DESK", "http://desk.example"),
        ("CLAIM", "a b"),
        ("CLAIM", ""),
        ("MAX_AGE", "-1"),
        ("MAX_AGE", "86401"),
        ("ACR", "a  b"),
    ],
)
def test_a_setting_of_the_provider_that_cannot_be_used(
    name: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"PITLEDGER_OIDC_{name}", text)
    if not text:  # as if it were not there
        assert load().oidc_claim == "sub"
        return
    with pytest.raises(SettingsWrong, match=f"PITLEDGER_OIDC_{name}"):
        load()


def test_a_public_client_sends_its_name_and_no_secret(
    linked_ledger: Path, no_key: None, provider: Provider
) -> None:
    served = Served(linked_ledger, openid=replace(provider.settings, client_secret=""))
    returned(served, provider, served.browser())
    assert provider.sent[0]["client_id"] == "desk"
    assert "client_secret" not in provider.sent[0]
    assert causes(served) == ["it gives no ID token: invalid_client"]
    served.record.close()
