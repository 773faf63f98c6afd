"""What holds for every request: its size, the name it is asked under, headers of answers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final
from urllib.parse import urlsplit

from ledger.web.media import MEDIA_BYTES

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

BODY_BYTES: Final = 65_536
"""The largest form."""
BODY_SECONDS: Final = 20.0
"""How long a form may take to come whole."""
UPLOAD_PART_SECONDS: Final = 20.0
"""How long the next part of an uploaded file may take."""
MOST_AT_ONCE: Final = 160
"""Requests that are answered at once, open streams of events among them."""
TARGET_BYTES: Final = 4_096
"""The longest path with its query."""
POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self'",
        "script-src 'self'",
        "font-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Final = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),  # without any, browsers send forms with Origin: null
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
)
HSTS: Final = (b"strict-transport-security", b"max-age=31536000")
_NO_STORE: Final = (b"cache-control", b"no-store")
_SAFE: Final = ("GET", "HEAD")
_UPLOAD: Final = re.compile(r"/case/[^/]{1,64}/upload")


class Guard:
    """Stands before the application and lets through what may come in.

    Args:
        app: the application.
        hosts: the names under which it may be asked; empty: any.
        is_secure: whether browsers reach it by TLS.
    """

    def __init__(self, app: App, *, hosts: tuple[str, ...], is_secure: bool) -> None:
        self._app = app
        self._hosts = hosts
        self._extra = HEADERS + ((HSTS,) if is_secure else ())
        self._open = 0

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [pair for pair in message["headers"] if pair[0].lower() != b"server"]
                names = {name.lower() for name, _ in own}
                message["headers"] = [*own, *(pair for pair in self._extra if pair[0] not in names)]
                if b"cache-control" not in names:
                    message["headers"].append(_NO_STORE)
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            await _refuse(with_headers, *refusal)
            return
        self._open += 1
        try:
            await self._take(scope, receive, with_headers)
        finally:
            self._open -= 1

    async def _take(self, scope: Message, receive: Receive, with_headers: Send) -> None:
        """Let a request in whose head is in order."""
        if scope["method"] in _SAFE:
            await self._app(scope, receive, with_headers)
            return
        if _UPLOAD.fullmatch(scope["path"]):
            await self._app(scope, _counted(receive), with_headers)
            return
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await _body(receive)
        except TimeoutError:
            await _refuse(with_headers, 408, "The form did not come whole. Send it again.")
            return
        if body is None:
            await _refuse(with_headers, 413, "The form is longer than a form of the desk can be.")
            return

        parts: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def once() -> Message:  # then as it comes: an answer in parts waits for the end
            return parts.pop() if parts else await receive()

        await self._app(scope, once, with_headers)

    def _refusal(self, scope: Message) -> tuple[int, str] | None:
        """Why a request goes no further, by its head alone."""
        if self._open >= MOST_AT_ONCE:
            return 503, "The desk answers too many requests at once. Try again in a minute."
        head = {name.lower(): text for name, text in scope["headers"]}
        host = head.get(b"host", b"").decode("latin-1")
        if self._hosts and (urlsplit(f"//{host}").hostname or "") not in self._hosts:
            return 421, "The desk is not served under this name."
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > TARGET_BYTES:
            return 414, "The address is longer than any of the desk's."
        if scope["method"] in _SAFE:
            return None
        if scope["method"] != "POST":
            return 405, "The desk takes GET and POST."
        site = head.get(b"sec-fetch-site", b"same-origin")
        origin = head.get(b"origin")
        is_foreign = origin is not None and urlsplit(origin.decode("latin-1")).netloc != host
        if site not in (b"same-origin", b"none") or is_foreign:
            return 403, "A form of the desk is sent from the desk's own pages only."
        return None


async def _body(receive: Receive) -> bytes | None:
    """The body of a request; None where it is too long."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if len(body) > BODY_BYTES:
            return None
        if not message.get("more_body"):
            return bytes(body)


def _counted(receive: Receive) -> Receive:
    """The parts of an upload as they come; one that is too long is cut off, and so no form."""
    length = 0

    async def counted() -> Message:
        nonlocal length
        try:
            async with asyncio.timeout(UPLOAD_PART_SECONDS):
                message = await receive()
        except TimeoutError:
            return {"type": "http.disconnect"}
        length += len(message.get("body", b""))
        if length > MEDIA_BYTES + BODY_BYTES:
            return {"type": "http.disconnect"}
        return message

    return counted


async def _refuse(send: Send, status: int, sentence: str) -> None:
    body = f"{sentence}\n".encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
        *([(b"retry-after", b"60")] if status == 503 else ()),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
