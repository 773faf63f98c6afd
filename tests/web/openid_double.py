"""A provider that does what a test says: over real connections, as quick, small and honest as told."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from time import sleep
from typing import Any
from urllib.parse import parse_qs, parse_qsl, unquote, urlsplit

from joserfc import jws
from joserfc.jwk import RSAKey

from ledger.web.settings import OpenIdSettings

SECRET = "a secret: of the desk & provider"
DESK = "http://testserver"
KEY = RSAKey.generate_key(2048, {"kid": "first", "use": "sig"})


@dataclass
class Provider:
    """A provider of which a test changes what it answers.

    ``changes`` are put into its documents by path, ``raw`` stands in place of an answer's bytes,
    ``seconds`` pass before each answer and between its parts.
    """

    issuer: str
    key: Any = field(default_factory=lambda: KEY)
    published: list[Any] = field(default_factory=lambda: [KEY])
    changes: dict[str, dict[str, Any]] = field(default_factory=dict)
    raw: dict[str, bytes] = field(default_factory=dict)
    status: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    asked: list[str] = field(default_factory=list)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    sent: list[dict[str, str]] = field(default_factory=list)

    @property
    def settings(self) -> OpenIdSettings:
        return OpenIdSettings(issuer=self.issuer, client_id="desk", client_secret=SECRET, desk=DESK)

    def sign_in(self, address: str, at: int, **claims: Any) -> str:
        """Sign somebody in where the desk sent a browser; return where it is sent back to."""
        query = dict(parse_qsl(urlsplit(address).query))
        assert query["code_challenge_method"] == "S256"
        assert query["response_type"] == "code"
        code = f"code-{len(self.codes)}"
        own = {"iss": self.issuer, "aud": query["client_id"], "nonce": query["nonce"],
               "sub": "anna", "iat": at, "exp": at + 300, "auth_time": at}  # fmt: skip
        self.codes[code] = {
            "challenge": query["code_challenge"],
            "redirect_uri": query["redirect_uri"],
            "token": self.token({**own, **claims}),
        }
        back = urlsplit(query["redirect_uri"]).path
        return f"{back}?code={code}&state={query['state']}&iss={self.issuer}"

    def token(self, claims: dict[str, Any]) -> str:
        head = {"alg": "RS256", "kid": self.key.kid}
        return jws.serialize_compact(head, json.dumps(claims), self.key)

    def answer(self, path: str, body: bytes, basic: str) -> tuple[int, bytes]:
        self.asked.append(path)
        if path in self.raw:
            return self.status.get(path, 200), self.raw[path]
        match path:
            case "/.well-known/openid-configuration":
                document: dict[str, Any] = {
                    "issuer": self.issuer,
                    "authorization_endpoint": f"{self.issuer}/auth?kept=1",
                    "token_endpoint": f"{self.issuer}/token",
                    "jwks_uri": f"{self.issuer}/jwks",
                    "end_session_endpoint": f"{self.issuer}/end",
                    "authorization_response_iss_parameter_supported": True,
                }
            case "/jwks":
                document = {"keys": [key.as_dict(private=False) for key in self.published]}
            case "/token":
                status, document = self._exchange(body, basic)
                return status, json.dumps(document).encode()
            case _:
                return 404, b"{}"
        return self.status.get(path, 200), json.dumps(
            {**document, **self.changes.get(path, {})}
        ).encode()

    def _exchange(self, body: bytes, basic: str) -> tuple[int, dict[str, str]]:
        form = {name: parts[0] for name, parts in parse_qs(body.decode()).items()}
        self.sent.append(form)
        pair = base64.b64decode(basic.removeprefix("Basic ")).decode().split(":")
        if [unquote(part) for part in pair] != ["desk", SECRET]:
            return 401, {"error": "invalid_client"}
        kept = self.codes.pop(form.get("code", ""), None)  # a code is good once
        verifier = sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(verifier).rstrip(b"=").decode()
        if kept is None or (kept["challenge"], kept["redirect_uri"]) != (
            challenge,
            form.get("redirect_uri"),
        ):
            return 400, {"error": "invalid_grant"}
        return 200, {"token_type": "Bearer", "access_token": "a", "id_token": kept["token"]}


@contextmanager
def provider_double() -> Iterator[Provider]:
    """A provider on this machine, until the test ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(b"")

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers["Content-Length"])))

        def _answer(self, body: bytes) -> None:
            own: Provider = server.own
            status, content = own.answer(
                self.path, body, self.headers.get("Authorization", "Basic Og==")
            )
            self.send_response(status)
            if status in (301, 302, 307):
                self.send_header("Location", f"{own.issuer}/elsewhere")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            parts = [content] if not own.seconds else [bytes([byte]) for byte in content]
            try:
                for part in parts:
                    sleep(own.seconds)
                    self.wfile.write(part)
            except OSError:
                pass

        def log_message(self, *_: Any) -> None:
            pass

    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.own = Provider(f"http://127.0.0.1:{server.server_port}")
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server.own
    finally:
        server.shutdown()
        server.server_close()
