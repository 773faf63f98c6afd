"""Asking the OpenID provider: its discovery document, its keys, and a code for an ID token.

A provider is not trusted to be quick, small or polite: every answer has one deadline and a largest
size, no redirect is followed, and after a failure it is left alone for some seconds.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, Final
from urllib.parse import quote

import httpx2
from joserfc.jwk import KeySet

from ledger.kernel.quick_dataclass import dataclass
from ledger.web.errors import OpenIdRefused, ProviderAway, ProviderWrong
from ledger.web.openid_tokens import (
    ALGORITHMS,
    LONGEST_TOKEN,
    Expected,
    ProvedAccount,
    SignedOut,
    key_name,
    keys_in,
    proved_account,
    signed_out,
)
from ledger.web.settings import OpenIdSettings, is_guarded_address

ANSWER_SECONDS: Final = 8.0
"""How long one answer of the provider may take, from the connection to its last byte."""
ANSWER_BYTES: Final = 262_144
PAUSE_SECONDS: Final = 5
"""For how long a provider that did not answer is left alone."""
DISCOVERY_SECONDS: Final = 60
"""How long the discovery document is taken as it was: shorter than people look at a dead page."""
KEYS_SECONDS: Final = 3_600
KEYS_AGAIN_SECONDS: Final = 10
"""How soon the keys are asked for again because a token names an unknown one."""
MOST_AT_ONCE: Final = 16
"""Requests of the desk that wait for the provider at once; the others are told to try again."""
LONGEST_CODE: Final = 2_048
SCOPES: Final[Mapping[str, str]] = {
    "email": "openid email",
    "email_verified": "openid email",
    "preferred_username": "openid profile",
}
"""What is asked for besides ``openid``, by the claim that names the account."""
_SECOND: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovered:
    """What the discovery document of a provider says, as far as the desk needs it.

    Attributes:
        authorization: where a browser signs in.
        token: where a code is exchanged.
        keys: where the public keys are.
        end_session: where a browser signs out; empty: nowhere.
        proves_in_header: whether the desk proves itself by HTTP Basic, or in the form.
        names_itself: whether the provider names itself in each answer (RFC 9207).
    """

    authorization: str
    token: str
    keys: str
    end_session: str
    proves_in_header: bool
    names_itself: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """What a sign-in was begun with and is held against at its end.

    Attributes:
        state: comes back with the answer.
        nonce: comes back in the token.
        verifier: shows that who exchanges the code is who asked for it (PKCE).
        asked_at: microseconds UTC.
    """

    state: str
    nonce: str
    verifier: str
    asked_at: int


class OpenIdProvider:
    """The provider of one desk.

    Args:
        settings: which one, and what the desk is there.
        clock: now, microseconds UTC.
    """

    def __init__(self, settings: OpenIdSettings, clock: Callable[[], int]) -> None:
        self.settings = settings
        self._clock = clock
        self._lock = asyncio.Lock()
        self._discovered: tuple[int, Discovered] | None = None
        self._keys: tuple[int, KeySet] | None = None
        self._failure: tuple[int, str] | None = None
        self._waiting = 0
        self._tls: ssl.SSLContext | None = None

    # --- what the desk asks -------------------------------------------------------------------

    async def address_to_sign_in(self, begun: Begun) -> str:
        """Return where a browser signs in at the provider.

        Raises:
            ProviderAway, ProviderWrong: nobody can sign in there.
        """
        discovered = await self._discovery()
        settings, age = self.settings, self.settings.max_age_seconds
        challenge = base64.urlsafe_b64encode(sha256(begun.verifier.encode()).digest())
        asked = {
            "response_type": "code",
            "client_id": settings.client_id,
            "redirect_uri": settings.return_address,
            "scope": SCOPES.get(settings.claim, "openid"),
            "state": begun.state,
            "nonce": begun.nonce,
            "code_challenge": challenge.rstrip(b"=").decode(),
            "code_challenge_method": "S256",
            "max_age": str(age),
            **({} if age else {"prompt": "login"}),
            **({"acr_values": " ".join(settings.acr)} if settings.acr else {}),
        }
        return str(httpx2.URL(discovered.authorization).copy_merge_params(asked))

    async def account(self, begun: Begun, answer: Mapping[str, str]) -> ProvedAccount:
        """Return the account that the answer to a sign-in proves.

        Args:
            begun: what it was begun with; it answers nothing a second time.
            answer: what the provider gave the browser to bring.

        Raises:
            OpenIdRefused: it proves nobody.
            ProviderAway, ProviderWrong: it cannot be asked.
        """
        discovered = await self._discovery()
        if "iss" in answer or discovered.names_itself:
            _require(answer.get("iss") == self.settings.issuer, "another issuer's answer")
        if "error" in answer:
            raise OpenIdRefused(f"the provider signed nobody in: {_word(answer['error'])}")
        code = answer.get("code", "")
        _require(0 < len(code) <= LONGEST_CODE, "no code")
        id_token = await self._exchanged(discovered, code, begun.verifier)
        keys = await self._keys_for(discovered, key_name(id_token))
        asked_at = begun.asked_at // _SECOND
        expected = Expected(settings=self.settings, nonce=begun.nonce, asked_at=asked_at)
        return proved_account(id_token, keys, expected, self._clock() // _SECOND)

    async def signed_out(self, logout_token: str) -> SignedOut:
        """Return who signed out at the provider, as a token says that it sent.

        Raises:
            OpenIdRefused: it says nothing of the kind.
            ProviderAway, ProviderWrong: its keys cannot be read.
        """
        name = key_name(logout_token)
        keys = await self._keys_for(await self._discovery(), name)
        return signed_out(logout_token, keys, self.settings, self._clock() // _SECOND)

    def address_to_sign_out(self, proved: ProvedAccount) -> str:
        """Return where a browser signs out at the provider; empty where it cannot."""
        if self._discovered is None or not self._discovered[1].end_session:
            return ""
        leaving = {
            "client_id": self.settings.client_id,
            "id_token_hint": proved.id_token,
            "post_logout_redirect_uri": f"{self.settings.desk}/sign-in",
        }
        return str(httpx2.URL(self._discovered[1].end_session).copy_merge_params(leaving))

    # --- what the provider answers ------------------------------------------------------------

    async def _discovery(self) -> Discovered:
        """The provider's discovery document, read again once a minute.

        Raises:
            ProviderAway, ProviderWrong: there is none that can be used.
        """
        with self._turn():
            async with self._lock:
                kept = self._discovered
                if kept is None or not self._is_fresh(kept[0], DISCOVERY_SECONDS):
                    issuer = self.settings.issuer.rstrip("/")
                    document = await self._asked(
                        "GET", f"{issuer}/.well-known/openid-configuration"
                    )
                    kept = self._discovered = (self._clock(), self._checked(document))
                return kept[1]

    def _checked(self, document: Mapping[str, Any]) -> Discovered:
        """What a discovery document says, if the desk may rely on it (OpenID Discovery, 4.3).

        Raises:
            ProviderWrong: it may not.
        """
        if document.get("issuer") != self.settings.issuer:
            raise self._wrong("its discovery document names another issuer")
        addresses: dict[str, str] = {}
        is_local = self.settings.issuer.startswith("http:")
        for name in (
            "authorization_endpoint",
            "token_endpoint",
            "jwks_uri",
            "end_session_endpoint",
        ):
            address = document.get(name, "" if name == "end_session_endpoint" else None)
            is_usable = isinstance(address, str) and (
                address == "" or is_guarded_address(address, is_local=is_local)
            )
            if not is_usable:
                raise self._wrong(f"its discovery document has no {name} that TLS guards")
            addresses[name] = address
        if not _has(document, "response_types_supported", ("code",), default=("code",)):
            raise self._wrong("it gives no codes")
        if not _has(document, "code_challenge_methods_supported", ("S256",), default=("S256",)):
            raise self._wrong("it takes no S256 challenge")
        if not _has(document, "id_token_signing_alg_values_supported", ALGORITHMS, ALGORITHMS):
            raise self._wrong("it signs by no algorithm that the desk takes")
        basic = ("client_secret_basic",)
        return Discovered(
            authorization=addresses["authorization_endpoint"],
            token=addresses["token_endpoint"],
            keys=addresses["jwks_uri"],
            end_session=addresses["end_session_endpoint"],
            proves_in_header=_has(document, "token_endpoint_auth_methods_supported", basic, basic),
            names_itself=document.get("authorization_response_iss_parameter_supported") is True,
        )

    async def _exchanged(self, discovered: Discovered, code: str, verifier: str) -> str:
        """The ID token that the provider gives for a code.

        Raises:
            OpenIdRefused: the code is good no more, or was another's.
            ProviderAway, ProviderWrong: it gives none for other reasons.
        """
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.settings.return_address,
            "code_verifier": verifier,
        }
        headers: dict[str, str] = {}
        client, secret = self.settings.client_id, self.settings.client_secret
        if secret and discovered.proves_in_header:  # each part is encoded first: RFC 6749, 2.3.1
            pair = f"{quote(client, safe='')}:{quote(secret, safe='')}"
            headers["authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        else:
            form |= {"client_id": client, **({"client_secret": secret} if secret else {})}
        with self._turn():
            answer = await self._asked("POST", discovered.token, form, headers)
        _require(answer.get("error") != "invalid_grant", "the code is not good, or no longer")
        id_token = answer.get("id_token")
        if not isinstance(id_token, str) or len(id_token) > LONGEST_TOKEN:
            raise self._wrong(f"it gives no ID token: {_word(answer.get('error'))}")
        return id_token

    async def _keys_for(self, discovered: Discovered, name: str | None) -> KeySet:
        """The provider's keys, asked for again where a token names one that is not among them.

        Raises:
            ProviderAway, ProviderWrong: they cannot be read.
        """
        with self._turn():
            async with self._lock:
                kept = self._keys
                is_known = kept is not None and (
                    name is None or any(key.kid == name for key in kept[1])
                )
                longest = KEYS_SECONDS if is_known else KEYS_AGAIN_SECONDS
                if kept is None or not self._is_fresh(kept[0], longest):
                    keys = keys_in(await self._asked("GET", discovered.keys))
                    if keys is None:
                        raise self._wrong("it has no public key that can sign")
                    kept = self._keys = (self._clock(), keys)
                return kept[1]

    async def _asked(
        self,
        method: str,
        address: str,
        form: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        """The object that the provider answers.

        Raises:
            ProviderAway: it does not, in time.
            ProviderWrong: it answers something else.
        """
        if self._failure is not None and self._is_fresh(self._failure[0], PAUSE_SECONDS):
            raise ProviderAway(self.settings.provider, self._failure[1])
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                status, body = await self._answered(method, address, form, headers or {})
        except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError, OSError, ValueError) as error:
            raise self._away(type(error).__name__) from error
        if status >= 500 or status == 429:
            raise self._away(f"it answers with status {status}")
        try:
            document = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise self._wrong("it answers no JSON") from error
        is_refusal = form is not None and status in (400, 401)
        if not isinstance(document, dict) or not (status == 200 or is_refusal):
            raise self._wrong(f"it answers with status {status}")
        return document

    async def _answered(
        self,
        method: str,
        address: str,
        form: Mapping[str, str] | None,
        headers: Mapping[str, str],
    ) -> tuple[int, bytes]:
        """The status and the body of an answer that is not too long."""
        if self._tls is None:
            self._tls = httpx2.create_ssl_context()
        own = {"accept": "application/json", "accept-encoding": "identity", **headers}
        body = bytearray()
        async with (
            httpx2.AsyncClient(verify=self._tls, timeout=ANSWER_SECONDS) as client,
            client.stream(method, address, data=form, headers=own) as answer,
        ):
            async for part in answer.aiter_raw():
                body += part
                if len(body) > ANSWER_BYTES:
                    raise self._wrong("its answer is too long")
        return answer.status_code, bytes(body)

    def _is_fresh(self, moment: int, seconds: int) -> bool:
        return 0 <= self._clock() - moment < seconds * _SECOND

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait for the provider, if not too many do."""
        if self._waiting >= MOST_AT_ONCE:
            raise ProviderAway(self.settings.provider, "too many wait for it")
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    def _away(self, cause: str) -> ProviderAway:
        self._failure = (self._clock(), cause)
        return ProviderAway(self.settings.provider, cause)

    def _wrong(self, cause: str) -> ProviderWrong:
        return ProviderWrong(self.settings.provider, cause)


def _has(
    document: Mapping[str, Any], name: str, any_of: tuple[str, ...], default: tuple[str, ...]
) -> bool:
    """Whether a list of the discovery document, or its default, has one of these."""
    listed = document.get(name, default)
    return isinstance(listed, list | tuple) and any(each in listed for each in any_of)


def _word(text: object) -> str:
    """A code of an error for the log, which takes no sentence of others."""
    is_word = isinstance(text, str) and re.fullmatch(r"[a-z_]{1,40}", text) is not None
    return str(text) if is_word else "no reason"


def _require(is_so: bool, otherwise: str) -> None:
    if not is_so:
        raise OpenIdRefused(otherwise)
