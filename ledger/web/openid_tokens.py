"""Whether an ID token proves who signed in, and a logout token who signed out at the provider.

Law: none; OpenID Connect Core 1.0, section 3.1.3.7; OpenID Connect Back-Channel Logout 1.0, section
2.6; RFC 8725 for what a signature may be.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping
from typing import Any, Final

from joserfc import jws
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, Key, KeySet, OKPKey, RSAKey

from ledger.casework.provider_accounts import LONGEST, ProviderAccount
from ledger.kernel.quick_dataclass import dataclass
from ledger.web.errors import OpenIdRefused
from ledger.web.settings import OpenIdSettings

SKEW_SECONDS: Final = 60
"""By how much the provider's clock and the desk's may differ."""
ALGORITHMS: Final = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "Ed25519", "EdDSA"),
)
"""Signatures by a private key that only the provider has; never ``none`` or a shared secret."""
RSA_BITS: Final = 2_048
LONGEST_TOKEN: Final = 16_384
LOGOUT_EVENT: Final = "http://schemas.openid.net/event/backchannel-logout"
LOGOUT_SECONDS: Final = 600
"""How old a logout token may be: for so long it is remembered that it was used."""
MULTIPLE_FACTORS: Final = "mfa"
"""What ``amr`` says where more than one factor was asked for (RFC 8176)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What an ID token must answer to.

    Attributes:
        settings: the provider and the desk.
        nonce: the one that this sign-in was begun with.
        asked_at: when it was begun, seconds since 1970.
    """

    settings: OpenIdSettings
    nonce: str
    asked_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvedAccount:
    """An account whose person has just signed in at the provider.

    Attributes:
        account: what names it.
        has_second_factor: whether the provider says that more than a password was asked for.
        id_token: the token itself, which the provider takes as a hint of who signs out.
        subject: what the provider calls its person.
        provider_session: what it calls the session at the provider; None where it does not say.
    """

    account: ProviderAccount
    has_second_factor: bool
    id_token: str
    subject: str
    provider_session: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedOut:
    """Who signed out at the provider; at least one of both is there.

    Attributes:
        token_id: of the token that says so, which is good once.
        subject: what the provider calls its person; None: whoever is in that session.
        provider_session: what it calls the session; None: all of the person's.
    """

    token_id: str
    subject: str | None
    provider_session: str | None


def keys_in(document: Mapping[str, Any]) -> KeySet | None:
    """Return the public keys of a provider that can sign; None where there is none."""
    listed = document.get("keys")
    keys = [key for each in listed if (key := _key(each))] if isinstance(listed, list) else []
    return KeySet(keys) if keys else None


def _key(plain: object) -> Key | None:
    if not isinstance(plain, dict) or plain.get("use", "sig") != "sig":
        return None
    kinds: dict[object, type[RSAKey] | type[ECKey] | type[OKPKey]] = {
        "RSA": RSAKey,
        "EC": ECKey,
        "OKP": OKPKey,
    }
    try:
        key = kinds[plain.get("kty")].import_key({str(name): part for name, part in plain.items()})
        if isinstance(key, RSAKey) and key.public_key.key_size < RSA_BITS:
            return None
    except (JoseError, KeyError, ValueError, TypeError):
        return None
    return key


def key_name(id_token: str) -> str | None:
    """Return which key a token says that it is signed with; None where it names none.

    Raises:
        OpenIdRefused: it is no token.
    """
    if len(id_token) > LONGEST_TOKEN or not id_token.isascii():
        raise OpenIdRefused("it is no token")
    try:
        name = jws.extract_compact(id_token.encode()).headers().get("kid")
    except (JoseError, ValueError, RecursionError) as error:
        raise OpenIdRefused("it is no token") from error
    return name if isinstance(name, str) else None


def proved_account(id_token: str, keys: KeySet, expected: Expected, at: int) -> ProvedAccount:
    """Return the account that an ID token proves to have signed in for this desk, just now.

    Args:
        id_token: as the provider gave it out.
        keys: the provider's public keys.
        expected: what it must answer to.
        at: now, seconds since 1970.

    Raises:
        OpenIdRefused: it proves nothing of the kind; its cause says why.
    """
    settings = expected.settings
    claims = _claims_for(id_token, keys, settings)
    if claims.get("azp", settings.client_id) != settings.client_id:
        raise OpenIdRefused("for another client")
    if not _is_same(claims.get("nonce"), expected.nonce):
        raise OpenIdRefused("not what was asked for: another nonce")
    _check_times(claims, expected, at)
    if settings.acr and claims.get("acr") not in settings.acr:
        raise OpenIdRefused("signed in by another authentication context")
    methods = claims.get("amr")
    return ProvedAccount(
        account=ProviderAccount(
            issuer=settings.issuer, claim=settings.claim, name=_name_in(claims, settings.claim)
        ),
        has_second_factor=bool(settings.acr)
        or (isinstance(methods, list) and MULTIPLE_FACTORS in methods),
        id_token=id_token,
        subject=str(claims["sub"]),
        provider_session=_text(claims, "sid"),
    )


def signed_out(logout_token: str, keys: KeySet, settings: OpenIdSettings, at: int) -> SignedOut:
    """Return who signed out at the provider, as a token says that it sent to the desk itself.

    Args:
        logout_token: as the provider sent it.
        keys: the provider's public keys.
        settings: the provider and the desk.
        at: now, seconds since 1970.

    Raises:
        OpenIdRefused: it says nothing of the kind; its cause says why.
    """
    claims = _claims_for(logout_token, keys, settings)
    events = claims.get("events")
    if not isinstance(events, dict) or not isinstance(events.get(LOGOUT_EVENT), dict):
        raise OpenIdRefused("no logout token")
    if "nonce" in claims:
        raise OpenIdRefused("no logout token: it has a nonce")
    issued_at = _time(claims, "iat")
    if issued_at > at + SKEW_SECONDS:
        raise OpenIdRefused("from the future")
    expires_at = _time(claims, "exp", issued_at + LOGOUT_SECONDS)
    if min(expires_at, issued_at + LOGOUT_SECONDS) + SKEW_SECONDS <= at:
        raise OpenIdRefused("expired")
    token_id, subject, session = (_text(claims, name) for name in ("jti", "sub", "sid"))
    if token_id is None or (subject is None and session is None):
        raise OpenIdRefused("no logout token: it names nobody, or not itself")
    return SignedOut(token_id=token_id, subject=subject, provider_session=session)


def _claims_for(token: str, keys: KeySet, settings: OpenIdSettings) -> dict[str, Any]:
    """The claims of a token that the provider signed for this desk.

    Raises:
        OpenIdRefused: it did not.
    """
    claims = _signed_claims(token, keys)
    if claims.get("iss") != settings.issuer:
        raise OpenIdRefused("another issuer")
    if claims.get("aud") not in (settings.client_id, [settings.client_id]):
        raise OpenIdRefused("for another client")
    return claims


def _text(claims: Mapping[str, Any], name: str) -> str | None:
    """A claim that is a text; None where it is not there.

    Raises:
        OpenIdRefused: it is something else, or too long.
    """
    text = claims.get(name)
    if text is not None and (not isinstance(text, str) or not 0 < len(text) <= LONGEST):
        raise OpenIdRefused(f"no text as {name}")
    return text


def _signed_claims(id_token: str, keys: KeySet) -> dict[str, Any]:
    """The claims of a token that one of the provider's keys signed.

    Raises:
        OpenIdRefused: none did, by an algorithm that is allowed.
    """
    registry = jws.JWSRegistry(algorithms=ALGORITHMS, strict_check_header=False)
    try:
        token = jws.deserialize_compact(id_token, keys, ALGORITHMS, registry)
        claims = json.loads(token.payload)
    except (JoseError, ValueError, TypeError, RecursionError) as error:
        raise OpenIdRefused(f"no signature of the provider: {type(error).__name__}") from error
    if not isinstance(claims, dict):
        raise OpenIdRefused("no claims")
    return claims


def _check_times(claims: Mapping[str, Any], expected: Expected, at: int) -> None:
    """Require that a token is of now, and that its person signed in when it was asked for.

    Raises:
        OpenIdRefused: it is not.
    """
    expires_at, issued_at = _time(claims, "exp"), _time(claims, "iat")
    if expires_at + SKEW_SECONDS <= at:
        raise OpenIdRefused("expired")
    if issued_at > at + SKEW_SECONDS or _time(claims, "nbf", issued_at) > at + SKEW_SECONDS:
        raise OpenIdRefused("from the future")
    if issued_at < expected.asked_at - SKEW_SECONDS:
        raise OpenIdRefused("older than what was asked for")
    signed_in_at = _time(claims, "auth_time")
    if signed_in_at > at + SKEW_SECONDS:
        raise OpenIdRefused("from the future")
    if signed_in_at < expected.asked_at - expected.settings.max_age_seconds - SKEW_SECONDS:
        raise OpenIdRefused("signed in at the provider too long ago")


def _time(claims: Mapping[str, Any], name: str, default: int | None = None) -> int:
    moment = claims.get(name, default)
    if isinstance(moment, bool) or not isinstance(moment, int | float) or not abs(moment) < 2**53:
        raise OpenIdRefused(f"no time as {name}")
    return int(moment)


def _name_in(claims: Mapping[str, Any], claim: str) -> str:
    """What a claim says of an account.

    Raises:
        OpenIdRefused: it says nothing; or it is an address that the provider has not verified.
    """
    subject, name = claims.get("sub"), claims.get(claim)
    for text in (subject, name):
        if not isinstance(text, str) or not 0 < len(text) <= LONGEST or not text.isprintable():
            raise OpenIdRefused(f"no account as {claim}")
    if claim == "email" and claims.get("email_verified") is not True:
        raise OpenIdRefused("an address that the provider has not verified")
    return str(name)


def _is_same(text: object, expected: str) -> bool:
    return isinstance(text, str) and hmac.compare_digest(
        text.encode("utf-8", "surrogatepass"), expected.encode()
    )
