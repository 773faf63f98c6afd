"""What an ID token must be to prove anybody: forged, cut, old, early and foreign ones."""

from __future__ import annotations

import base64
import hmac
import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from joserfc import jws
from joserfc.jwk import ECKey, KeySet, OctKey, OKPKey, RSAKey

from ledger.casework.provider_accounts import ProviderAccount
from ledger.web.errors import OpenIdRefused
from ledger.web.openid_tokens import (
    ALGORITHMS,
    LOGOUT_EVENT,
    LOGOUT_SECONDS,
    SKEW_SECONDS,
    Expected,
    SignedOut,
    key_name,
    keys_in,
    proved_account,
    signed_out,
)
from ledger.web.settings import OpenIdSettings, is_guarded_address

AT = 1_800_000_000
SETTINGS = OpenIdSettings(
    issuer="https://login.example", client_id="desk", desk="https://desk.example"
)
EXPECTED = Expected(settings=SETTINGS, nonce="n" * 43, asked_at=AT - 30)
CLAIMS = {
    "iss": SETTINGS.issuer, "aud": "desk", "sub": "anna", "nonce": EXPECTED.nonce,
    "iat": AT - 1, "exp": AT + 300, "auth_time": AT - 5,
}  # fmt: skip
RSA = RSAKey.generate_key(2048, {"kid": "rsa-1", "use": "sig"})
EC = ECKey.generate_key("P-256", {"kid": "ec-1"})
OKP = OKPKey.generate_key("Ed25519", {"kid": "okp-1"})
KEYS = keys_in({"keys": [key.as_dict(private=False) for key in (RSA, EC, OKP)]})
"""What the provider publishes."""


def signed(claims: object = CLAIMS, key: Any = RSA, alg: str = "RS256", **header: object) -> str:
    registry = jws.JWSRegistry(algorithms=[alg], strict_check_header=False)
    head = {"alg": alg, "kid": key.kid, **header}
    return jws.serialize_compact(head, json.dumps(claims), key, registry=registry)


def without_signature(header: Mapping[str, object]) -> str:
    parts = (json.dumps(part).encode() for part in (header, CLAIMS))
    return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts) + "."


def proved(token: str, expected: Expected = EXPECTED, at: int = AT) -> ProviderAccount:
    assert KEYS is not None
    return proved_account(token, KEYS, expected, at).account


def refusal(token: str, expected: Expected = EXPECTED, at: int = AT) -> str:
    with pytest.raises(OpenIdRefused) as refused:
        proved(token, expected, at)
    return str(refused.value.cause)


@pytest.mark.parametrize(
    ("key", "alg"),
    [(RSA, "RS256"), (RSA, "PS512"), (EC, "ES256"), (OKP, "Ed25519"), (OKP, "EdDSA")],
)
@pytest.mark.filterwarnings("ignore:EdDSA is deprecated")
def test_a_token_of_the_provider_proves_its_account(key: Any, alg: str) -> None:
    assert proved(signed(key=key, alg=alg)) == ProviderAccount(
        issuer="https://login.example", claim="sub", name="anna"
    )


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"iss": "https://login.example.evil.example"}, "issuer"),
        ({"iss": "https://login.example/"}, "issuer"),
        ({"iss": None}, "issuer"),
        ({"aud": "another"}, "client"),
        ({"aud": ["desk", "another"]}, "client"),
        ({"aud": []}, "client"),
        ({"aud": {"desk": 1}}, "client"),
        ({"azp": "another"}, "client"),
        ({"nonce": "m" * 43}, "nonce"),
        ({"nonce": ""}, "nonce"),
        ({"nonce": None}, "nonce"),
        ({"nonce": "\ud800"}, "nonce"),
        ({"exp": AT - SKEW_SECONDS}, "expired"),
        ({"exp": None}, "no time as exp"),
        ({"exp": True}, "no time as exp"),
        ({"exp": "9999999999"}, "no time as exp"),
        ({"exp": float("inf")}, "no time as exp"),
        ({"exp": 10**400}, "no time as exp"),
        ({"iat": AT + SKEW_SECONDS + 1}, "future"),
        ({"nbf": AT + SKEW_SECONDS + 1}, "future"),
        ({"iat": EXPECTED.asked_at - SKEW_SECONDS - 1}, "older"),
        ({"auth_time": EXPECTED.asked_at - SKEW_SECONDS - 1}, "too long ago"),
        ({"auth_time": AT + SKEW_SECONDS + 1}, "future"),
        ({"auth_time": None}, "no time as auth_time"),
        ({"sub": ""}, "no account"),
        ({"sub": 7}, "no account"),
        ({"sub": "x" * 256}, "no account"),
        ({"sub": "an\u202ena"}, "no account"),
        ({"sub": "\ud800"}, "no account"),
    ],
)
def test_a_token_that_answers_to_something_else_proves_nobody(changes: dict, why: str) -> None:
    assert why in refusal(signed({**CLAIMS, **changes}))


def test_clocks_may_differ_by_a_minute_and_no_more() -> None:
    at_the_edge = {"iat": AT + SKEW_SECONDS, "auth_time": AT + SKEW_SECONDS}
    assert proved(signed({**CLAIMS, **at_the_edge, "exp": AT - SKEW_SECONDS + 1}))
    earliest = EXPECTED.asked_at - SKEW_SECONDS
    assert proved(signed({**CLAIMS, "iat": earliest, "auth_time": earliest}))


def test_a_sign_in_at_the_provider_may_be_as_old_as_the_setting_says() -> None:
    settings = OpenIdSettings(
        issuer=SETTINGS.issuer, client_id="desk", desk=SETTINGS.desk, max_age_seconds=600
    )
    expected = Expected(settings=settings, nonce=EXPECTED.nonce, asked_at=EXPECTED.asked_at)
    edge = EXPECTED.asked_at - 600 - SKEW_SECONDS
    assert proved(signed({**CLAIMS, "auth_time": edge}), expected)
    assert "too long ago" in refusal(signed({**CLAIMS, "auth_time": edge - 1}), expected)


# ------------------------------------------------------------------ signatures


def test_no_signature_and_a_shared_secret_prove_nobody() -> None:
    """The public key as a secret is what a verifier takes that believes the token's own word."""
    for alg, digest in (("HS256", "sha256"), ("HS384", "sha384"), ("HS512", "sha512")):
        covered = without_signature({"alg": alg, "kid": "rsa-1"}).rpartition(".")[0]
        code = hmac.digest(RSA.as_pem(private=False), covered.encode(), digest)
        confused = f"{covered}.{base64.urlsafe_b64encode(code).rstrip(b'=').decode()}"
        assert "signature" in refusal(confused)
    for alg in ("none", "None", "nOnE"):
        assert "signature" in refusal(without_signature({"alg": alg, "kid": "rsa-1"}))
    assert {"none", "HS256", "HS384", "HS512"}.isdisjoint(ALGORITHMS)


def test_keys_that_the_token_brings_along_count_for_nothing() -> None:
    own = RSAKey.generate_key(2048, {"kid": "rsa-1"})
    for header in (
        {"jwk": own.as_dict(private=False)},
        {"jku": "https://evil.example/jwks"},
        {"x5u": "https://evil.example/cert"},
    ):
        assert "signature" in refusal(signed(key=own, **header))


def test_a_token_that_asks_for_what_the_desk_does_not_know_proves_nobody() -> None:
    assert "signature" in refusal(without_signature({"alg": "RS256", "crit": ["exp"], "exp": 1}))
    assert proved(signed(own_part="may be there"))


@pytest.mark.parametrize("kid", ["unknown", "ec-1", ""])
def test_another_key_s_name_proves_nobody(kid: str) -> None:
    assert "signature" in refusal(signed(kid=kid))
    assert "signature" in refusal(without_signature({"alg": "RS256", "kid": 7}))
    assert "signature" in refusal(without_signature({"alg": "RS256"}))


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    "token", ["", ".", "..", "a.b.c", "....", "\u00e9" * 9, "x" * 99_999, "e30.e30.e30", "{}"]
)
def test_what_is_no_token_names_no_key_and_proves_nobody(token: str) -> None:
    with pytest.raises(OpenIdRefused):
        key_name(token)
    assert "signature" in refusal(token)


@pytest.mark.parametrize("claims", [[], "text", 7, None])
def test_a_token_without_claims_proves_nobody(claims: object) -> None:
    assert "no claims" in refusal(signed(claims))


GOOD = signed()


@given(st.integers(0, len(GOOD) - 1), st.integers(1, 255))
def test_a_token_that_was_changed_anywhere_proves_nobody(place: int, bits: int) -> None:
    """Of a last letter some bits mean nothing, so what it decodes to has to differ."""
    changed = GOOD[:place] + chr(ord(GOOD[place]) ^ bits) + GOOD[place + 1 :]
    try:
        account = proved(changed)
    except OpenIdRefused:
        return
    decoded = [
        [base64.urlsafe_b64decode(part + "==") for part in token.split(".")]
        for token in (GOOD, changed)
    ]
    assert decoded[0] == decoded[1]
    assert account.name == "anna"


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    "plain",
    [
        {
            "kty": "RSA",
            "e": "AQAB",
            "n": base64.urlsafe_b64encode(b"\xd1" * 128).decode().rstrip("="),
        },
        OctKey.generate_key(256, {"kid": "o"}).as_dict(private=True),
        {**RSA.as_dict(private=False), "use": "enc"},
        {"kty": "RSA", "n": "AQAB"},
        {"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"},
        {"kty": ["RSA"]},
        {"kty": "PQ"},
        "key",
        None,
    ],
)
@pytest.mark.filterwarnings("ignore::joserfc.errors.SecurityWarning")
def test_a_key_that_is_weak_shared_or_for_something_else_is_left_out(plain: Any) -> None:
    assert keys_in({"keys": [plain]}) is None
    assert isinstance(keys_in({"keys": [plain, EC.as_dict(private=False)]}), KeySet)


@pytest.mark.parametrize("document", [{}, {"keys": None}, {"keys": {}}, {"keys": "x"}])
def test_a_list_of_keys_that_is_none(document: dict) -> None:
    assert keys_in(document) is None


# ------------------------------------------------------------------ which claim, and how


def of_claim(claim: str, **more: Any) -> Expected:
    settings = OpenIdSettings(
        issuer=SETTINGS.issuer, client_id="desk", desk=SETTINGS.desk, claim=claim, **more
    )
    return Expected(settings=settings, nonce=EXPECTED.nonce, asked_at=EXPECTED.asked_at)


@pytest.mark.parametrize("verified", [False, None, "true", 1])
def test_an_address_that_the_provider_has_not_verified_names_nobody(verified: object) -> None:
    claims = {**CLAIMS, "email": "anna@example.com"}
    assert "verified" in refusal(signed({**claims, "email_verified": verified}), of_claim("email"))
    assert "verified" in refusal(signed(claims), of_claim("email"))
    account = proved(signed({**claims, "email_verified": True}), of_claim("email"))
    assert (account.claim, account.name) == ("email", "anna@example.com")


def test_a_claim_of_the_property_names_the_account() -> None:
    claims = {**CLAIMS, "https://example.com/staff": "7001"}
    assert proved(signed(claims), of_claim("https://example.com/staff")).name == "7001"
    assert "no account" in refusal(signed(), of_claim("https://example.com/staff"))


def test_a_context_that_was_asked_for_has_to_be_stated() -> None:
    expected = of_claim("sub", acr=("phr", "phrh"))
    assert "context" in refusal(signed(), expected)
    assert "context" in refusal(signed({**CLAIMS, "acr": ["phr"]}), expected)
    assert proved(signed({**CLAIMS, "acr": "phrh"}), expected)


@pytest.mark.parametrize(
    ("amr", "is_second"),
    [(["pwd", "mfa"], True), (["pwd"], False), ("mfa", False), (None, False), ({"mfa": 1}, False)],
)
def test_more_than_one_factor_is_what_the_provider_says(amr: object, is_second: bool) -> None:
    assert KEYS is not None
    account = proved_account(signed({**CLAIMS, "amr": amr}), KEYS, EXPECTED, AT)
    assert account.has_second_factor is is_second


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("address", "is_guarded"),
    [
        ("https://login.example", True),
        ("https://login.example:8443/realm", True),
        ("http://127.0.0.1:9000", True),
        ("http://localhost", True),
        ("http://[::1]:1", True),
        ("http://login.example", False),
        ("http://127.0.0.1.evil.example", False),
        ("http://localhost@evil.example", False),
        ("https://user@login.example", False),
        ("https://login.example/#x", False),
        ("https://login.example/a b", False),
        ("https://login.example/\n", False),
        ("https://b\u00fccher.example", False),
        ("https://login.example:99999", False),
        ("https://", False),
        ("file:///etc/passwd", False),
        ("javascript:alert(1)", False),
        ("//login.example", False),
        ("", False),
    ],
)
def test_an_address_is_guarded_by_tls_or_is_this_machine_s_own(
    address: str, is_guarded: bool
) -> None:
    assert is_guarded_address(address) is is_guarded
    if address.startswith("http:"):
        assert not is_guarded_address(address, is_local=False)


LOGOUT = {
    "iss": SETTINGS.issuer, "aud": "desk", "sub": "anna", "sid": "s-1", "jti": "j-1",
    "iat": AT - 1, "exp": AT + 120, "events": {LOGOUT_EVENT: {}},
}  # fmt: skip


def out(token: str, at: int = AT) -> SignedOut:
    assert KEYS is not None
    return signed_out(token, KEYS, SETTINGS, at)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"sid": None},
        {"sub": None},
        {"aud": ["desk"]},
        {"iat": AT + SKEW_SECONDS},
        {"exp": AT - SKEW_SECONDS + 1},
        {"iat": AT - LOGOUT_SECONDS - SKEW_SECONDS + 1},
    ],
)
def test_a_logout_token_of_the_provider_says_who_signed_out(changes: dict) -> None:
    claims = {**LOGOUT, **changes}
    own = SignedOut(token_id="j-1", subject=claims["sub"], provider_session=claims["sid"])
    assert out(signed({name: part for name, part in claims.items() if part is not None})) == own


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"iss": "https://login.example/"}, "issuer"),
        ({"aud": "another"}, "client"),
        ({"events": None}, "no logout token"),
        ({"events": {"http://schemas.openid.net/event/other": {}}}, "no logout token"),
        ({"events": {LOGOUT_EVENT: "yes"}}, "no logout token"),
        ({"nonce": "n"}, "nonce"),
        ({"nonce": None}, "nonce"),
        ({"jti": None}, "names nobody, or not itself"),
        ({"jti": 7}, "no text as jti"),
        ({"sub": None, "sid": None}, "names nobody"),
        ({"sub": ["anna"]}, "no text as sub"),
        ({"sid": "x" * 256}, "no text as sid"),
        ({"iat": None}, "no time as iat"),
        ({"iat": AT + SKEW_SECONDS + 1}, "future"),
        ({"exp": AT - SKEW_SECONDS}, "expired"),
        ({"iat": AT - LOGOUT_SECONDS - SKEW_SECONDS, "exp": AT + 10**6}, "expired"),
    ],
)
def test_a_token_that_signs_nobody_out(changes: dict, why: str) -> None:
    with pytest.raises(OpenIdRefused) as refused:
        out(signed({**LOGOUT, **changes}))
    assert why in str(refused.value.cause)


def test_an_id_token_a_forged_one_and_one_without_a_signature_sign_nobody_out() -> None:
    thief = RSAKey.generate_key(2048, {"kid": "rsa-1", "use": "sig"})
    for token in (signed(CLAIMS), signed(LOGOUT, thief), without_signature({"alg": "none"})):
        with pytest.raises(OpenIdRefused):
            out(token)
    assert "nonce" in refusal(signed(LOGOUT))  # and no logout token signs anybody in
