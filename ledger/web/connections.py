"""How connections of browsers are taken: how many at once, and how long a slow one may take.

The server knows no limit for a head that never ends and for an answer that nobody reads, so a few
idle connections would keep everybody out. The time of a body is ``guard``'s.
"""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from ledger.web.guard import Guard

HEAD_SECONDS: Final = 10.0
"""How long the head of a request may take, from its first byte or the connection's beginning."""
UNREAD_SECONDS: Final = 60
"""After so long without the other end taking anything, a connection is cut."""
IDLE_SECONDS: Final = 30
"""How long a connection stays open for the next request."""
CLOSING_SECONDS: Final = 3
"""How long open pages are waited for at the end: a page of the shift would never close."""
CONNECTIONS: Final = 400
"""Connections at once; ``guard`` limits requests at once before, and says so."""


class TimedConnection(H11Protocol):
    """A connection whose heads have to come in time and whose answers have to be read."""

    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first head."""
        super().connection_made(transport)
        own = transport.get_extra_info("socket")
        if own is not None and hasattr(socket, "TCP_USER_TIMEOUT"):
            own.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_SECONDS * 1_000)
        self._wait_for_head()

    def data_received(self, content: bytes) -> None:
        """Take what came; what begins a further request has to end its head in time, too."""
        before: Any = self.cycle  # None before the first request
        is_between = before is None or before.response_complete
        super().data_received(content)
        if is_between and self.cycle is before and self._head_timer is None:
            self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        if self._head_timer is not None:
            self._head_timer.cancel()
        super().connection_lost(exc)

    def _wait_for_head(self) -> None:
        self._head_timer = self.loop.call_later(HEAD_SECONDS, self._close_late, self.cycle)

    def _close_late(self, before: Any) -> None:
        self._head_timer = None
        if self.cycle is before:  # no head has ended since
            self.transport.close()


def server_config(
    app: Guard, host: str, port: int, tls_certificate: Path | None, tls_key: Path | None
) -> uvicorn.Config:
    """Return how the desk is served at an address."""
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        ssl_certfile=None if tls_certificate is None else str(tls_certificate),
        ssl_keyfile=None if tls_key is None else str(tls_key),
        http=TimedConnection,
        ws="none",
        lifespan="off",
        log_level="warning",
        access_log=False,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=CLOSING_SECONDS,
        limit_concurrency=CONNECTIONS,
        server_header=False,
        proxy_headers=False,
    )
