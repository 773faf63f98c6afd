"""How a desk is served."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ledger.casework.cases import CaseRole
from ledger.reports.paper import Paper
from ledger.web.errors import BindingRefused

LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskSettings:
    """What the desk was started with.

    Attributes:
        folder: the ledger's.
        clock: now, microseconds UTC.
        hosts: names under which a browser may ask for it; empty: any name.
        is_secure: browsers reach it by TLS, its own or a proxy's.
        idle_seconds: after so long without a request a session ends.
        longest_seconds: after so long a session ends in any case.
        footage_days: for how many days recordings are kept; None: not set.
        paper: on which letters and forms are printed.
        nights: the folder of the nights' reports.
        second_factor_roles: who signs and decides with a second factor only.
        note: takes each line of the security log.
    """

    folder: Path
    clock: Callable[[], int]
    hosts: tuple[str, ...] = LOOPBACK
    is_secure: bool = False
    idle_seconds: int = 900
    longest_seconds: int = 36_000
    footage_days: int | None = None
    paper: Paper = Paper.LETTER
    nights: Path = Path("pitledger-nights")
    second_factor_roles: frozenset[CaseRole] = frozenset()
    note: Callable[[str], None] = lambda _line: None


def check_binding(host: str, *, has_tls: bool, is_behind_proxy: bool) -> None:
    """Refuse an address at which others could read along.

    Raises:
        BindingRefused: it is not this machine's own, and nothing encrypts.
    """
    if host not in LOOPBACK and not has_tls and not is_behind_proxy:
        raise BindingRefused(host)
