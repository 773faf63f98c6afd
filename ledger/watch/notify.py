"""Hands each notice to a command or to an address, until it was taken.

A command gets the notice as JSON on its standard input and has taken it when it ends with 0. An
address gets it by POST, and has taken it when it answers with 2xx. Either may get one twice after a
crash: ``id``, ``version`` and ``change`` are then the same.
"""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Callable
from http.client import HTTPException
from typing import Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, build_opener

from ledger.log.no_redirect import NoRedirect
from ledger.watch.errors import NotDelivered
from ledger.watch.notices import Notice, notice_data

SECONDS: Final = 10.0
"""How long a receiver may take for a notice."""

Receiver = Callable[[Notice], None]
"""Takes one notice, or raises ``NotDelivered``."""


def receiver_of(target: str) -> Receiver:
    """Return what hands notices to a target.

    Args:
        target: an address that begins with http:// or https://, or a command line.
    """
    if urlsplit(target).scheme in ("http", "https"):
        return lambda notice: _post(target, notice)
    words = shlex.split(target)
    return lambda notice: _run(words, target, notice)


def _body(notice: Notice) -> bytes:
    return json.dumps(notice_data(notice), ensure_ascii=False).encode() + b"\n"


def _post(address: str, notice: Notice) -> None:
    headers = {
        "Content-Type": "application/json",
        "Idempotency-Key": "-".join(notice.key),
    }
    request = Request(address, _body(notice), headers, method="POST")
    try:
        with build_opener(NoRedirect).open(request, timeout=SECONDS):
            return
    except HTTPError as error:
        with error:
            why = f"it answered {error.code}"
    except (URLError, HTTPException, OSError, ValueError) as error:
        why = str(getattr(error, "reason", error))
    raise NotDelivered(f"{address} did not take a notice", cause=why)


def _run(words: list[str], command: str, notice: Notice) -> None:
    try:
        done = subprocess.run(
            words, input=_body(notice), timeout=SECONDS, stdout=subprocess.DEVNULL, check=False
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise NotDelivered(f"`{command}` did not take a notice", cause=str(error)) from error
    if done.returncode:
        raise NotDelivered(
            f"`{command}` did not take a notice", cause=f"it ended with {done.returncode}"
        )
