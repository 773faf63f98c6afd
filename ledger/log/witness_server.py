"""The HTTP interface of a witness: c2sp.org/tlog-witness, and its latest checkpoints to read."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ledger.log.witness_protocol import PATH, REQUEST_BYTES, TEXT_TYPE

if TYPE_CHECKING:
    from fastapi import FastAPI

    from ledger.log.witness_folder import WitnessFolder

CHECKPOINT_PATH: Final = "/logs/{digest}/checkpoint"
"""Where the latest cosigned checkpoint is read; the digest is SHA-256 of the origin, in hex."""
_IDLE_SECONDS: Final = 30
_CONNECTIONS: Final = 64


def _seconds() -> int:
    return int(time.time())


def witness_app(witness: WitnessFolder, clock: Callable[[], int] = _seconds) -> FastAPI:
    """Return the application that answers for a witness.

    Args:
        witness: its folder.
        clock: now, in POSIX seconds.
    """
    from fastapi import FastAPI, Request, Response
    from fastapi.concurrency import run_in_threadpool

    app = FastAPI(openapi_url=None)

    async def add_checkpoint(request: Request) -> Response:
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > REQUEST_BYTES:
                return Response("longer than a request may be\n", 413, media_type=TEXT_TYPE)
        answer = await run_in_threadpool(witness.add_checkpoint, bytes(body), clock())
        headers = {"Content-Type": answer.content_type}
        return Response(answer.body, answer.status, headers)

    async def checkpoint(request: Request) -> Response:
        digest = str(request.path_params["digest"])
        is_digest = len(digest) == 64 and set(digest) <= set("0123456789abcdef")
        note = await run_in_threadpool(witness.checkpoint, digest) if is_digest else None
        if note is None:
            return Response("no checkpoint of such a ledger\n", 404, media_type=TEXT_TYPE)
        return Response(note, headers={"Content-Type": TEXT_TYPE, "Cache-Control": "no-store"})

    app.add_route(PATH, add_checkpoint, methods=["POST"])
    app.add_route(CHECKPOINT_PATH, checkpoint, methods=["GET"])
    return app


def serve(
    witness: WitnessFolder,
    *,
    host: str,
    port: int,
    certificate: Path | None = None,
    private_key: Path | None = None,
) -> None:
    """Serve a witness until the process is told to end; nobody else serves its folder meanwhile.

    Args:
        witness: its folder.
        host: address to listen at.
        port: of the address.
        certificate: of the server, PEM; None serves plain HTTP.
        private_key: of the certificate.

    Raises:
        LedgerLocked: another process serves this witness.
    """
    import uvicorn

    witness.storage.lock()
    try:
        uvicorn.run(
            witness_app(witness),
            host=host,
            port=port,
            ssl_certfile=None if certificate is None else str(certificate),
            ssl_keyfile=None if private_key is None else str(private_key),
            log_level="warning",
            timeout_keep_alive=_IDLE_SECONDS,
            limit_concurrency=_CONNECTIONS,
            server_header=False,
        )
    finally:
        witness.storage.unlock()
