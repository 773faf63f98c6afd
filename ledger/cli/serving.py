"""`pitledger serve`: the desk, and who may sign in at it."""

from __future__ import annotations

import getpass
import sys
from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter

from ledger.cli.errors import CommandWrong
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, say

PORT: Final = 8930
_IDLE_SECONDS: Final = 30
_CONNECTIONS: Final = 200
FileOption = Annotated[Path | None, Parameter(show_default=False)]


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = PORT,
    tls_certificate: FileOption = None,
    tls_key: FileOption = None,
    plain_http_behind_proxy: Annotated[bool, Parameter(negative="")] = False,
    options: Options = OPTIONS,
) -> int:
    """Serve the desk: pages to find rounds, step through them and see the shift, until stopped.

    It only reads the ledger, and never reads its private key. Who may sign in is enrolled by
    `serve enroll CREDENTIAL`; what a person sees follows from department and rank.

    Args:
        host: address to listen at; other than this machine's own only with TLS.
        port: of the address.
        tls_certificate: of the server, PEM.
        tls_key: its private key, PEM.
        plain_http_behind_proxy: a proxy on the way encrypts, so the desk itself does not.
    """
    import uvicorn

    from ledger.cli.days import round_seen
    from ledger.cli.settings import load
    from ledger.cli.wall_clock import read_clock
    from ledger.log import read_log
    from ledger.web.app import desk_app
    from ledger.web.record import Record, without_key
    from ledger.web.settings import LOOPBACK, DeskSettings, check_binding

    if (tls_certificate is None) != (tls_key is None):
        raise CommandWrong("TLS needs both --tls-certificate and --tls-key.", "serve")
    has_tls = tls_certificate is not None
    check_binding(host, has_tls=has_tls, is_behind_proxy=plain_http_behind_proxy)
    read_log(options.folder)  # refuses where there is none
    settings = DeskSettings(
        folder=options.folder,
        clock=read_clock,
        hosts=LOOPBACK if host in LOOPBACK and not plain_http_behind_proxy else (),
        is_secure=has_tls or plain_http_behind_proxy,
        footage_days=load().footage_days,
        note=say,
    )
    record = Record(options.folder, read_clock, round_seen, without_key())
    scheme = "https" if has_tls else "http"
    emit(f"The desk is at {scheme}://{f'[{host}]' if ':' in host else host}:{port}/\n")
    try:
        uvicorn.run(
            desk_app(settings, record),
            host=host,
            port=port,
            ssl_certfile=None if tls_certificate is None else str(tls_certificate),
            ssl_keyfile=None if tls_key is None else str(tls_key),
            log_level="warning",
            access_log=False,
            timeout_keep_alive=_IDLE_SECONDS,
            limit_concurrency=_CONNECTIONS,
            server_header=False,
            proxy_headers=False,
        )
    finally:
        record.close()
    return 0


def serve_enroll(
    credential: Annotated[str, Parameter(name="CREDENTIAL")], /, *, options: Options = OPTIONS
) -> int:
    """Let a credential sign in at the desk, or give it a new pass phrase, which is asked for.

    It needs the ledger's private key, which seals the list of accounts. Where no terminal asks,
    the pass phrase is the first line of standard input.

    Args:
        credential: as the record has it; see `pitledger people`.
    """
    from ledger.cli.wall_clock import read_clock
    from ledger.log.signed_file_index import Seals
    from ledger.replay import Replay
    from ledger.web.accounts import accounts_file, enroll

    replay = Replay.open(options.folder)
    seals = Seals.of(options.folder)
    account = enroll(
        options.folder, seals, replay.roster(), credential, _pass_phrase(), read_clock()
    )
    where = accounts_file(options.folder)
    emit(f"{account.credential} may sign in at the desk.\n  accounts  {where}\n")
    return 0


def _pass_phrase() -> str:
    """The pass phrase as a person types it, twice; from a pipe its first line."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    first = getpass.getpass("New pass phrase: ")
    if first != getpass.getpass("The same again: "):
        raise CommandWrong("The two pass phrases are different.", "serve enroll CREDENTIAL")
    return first
