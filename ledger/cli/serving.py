"""`pitledger serve`: the desk."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter

from ledger.cli.errors import CommandWrong
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, say

PORT: Final = 8930
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
    """Serve the desk: pages to find rounds, step through them and work on cases, until stopped.

    This process only reads the ledger, and never its private key; what people record goes to a
    process of its own, `serve writer`, which it starts. Who may sign in is enrolled by
    `person enroll CREDENTIAL`; what a person sees and does follows from department and rank.

    Args:
        host: address to listen at; other than this machine's own only with TLS.
        port: of the address.
        tls_certificate: of the server, PEM.
        tls_key: its private key, PEM.
        plain_http_behind_proxy: a proxy on the way encrypts, so the desk itself does not.
    """
    import signal
    import sys
    from threading import Thread

    import uvicorn

    from ledger.cli.desk_services import SERVICES
    from ledger.cli.settings import load
    from ledger.cli.wall_clock import read_clock
    from ledger.cli.writing import Sibling
    from ledger.log import read_log
    from ledger.web.app import desk_app
    from ledger.web.connections import server_config
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
        paper=load().printed_on,
        nights=load().night,
        second_factor_roles=load().second_factor_roles,
        openid=load().openid,
        note=say,
    )
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # raised again by the server at its end
    environment = without_key()
    record = Record(options.folder, read_clock, SERVICES, environment)
    writer = Sibling(options.folder, environment)
    scheme = "https" if has_tls else "http"
    emit(f"The desk is at {scheme}://{f'[{host}]' if ':' in host else host}:{port}/\n")
    try:
        app = desk_app(settings, record)
        Thread(target=record.read_ahead, daemon=True).start()
        uvicorn.Server(server_config(app, host, port, tls_certificate, tls_key)).run()
    finally:
        writer.close()
        record.close()
    return 0
