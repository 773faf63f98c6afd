"""How a desk is served."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from ledger.casework.cases import CaseRole
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.paper import Paper
from ledger.web.errors import BindingRefused

LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenIdSettings:
    """The OpenID provider at which people may sign in to read.

    Attributes:
        issuer: the provider's own address, as its discovery document has it.
        client_id: the desk's name at the provider.
        client_secret: what proves the desk to it; empty for a public client.
        desk: the desk's own address, as browsers and the provider know it.
        claim: which claim of an ID token names the account.
        max_age_seconds: how long ago who signs in may have done so at the provider; 0: just now.
        acr: authentication contexts of which the provider must state one; empty: any.
    """

    issuer: str
    client_id: str
    client_secret: str = field(default="", repr=False)
    desk: str
    claim: str = "sub"
    max_age_seconds: int = 0
    acr: tuple[str, ...] = ()

    @property
    def provider(self) -> str:
        """The provider's name, for people."""
        return urlsplit(self.issuer).hostname or ""

    @property
    def return_address(self) -> str:
        """Where the provider sends a browser back to."""
        return f"{self.desk}/sign-in/openid/return"


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
        openid: the provider at which people may sign in; None: there is none.
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
    openid: OpenIdSettings | None = None
    note: Callable[[str], None] = lambda _line: None


def is_guarded_address(address: str, *, is_local: bool = True) -> bool:
    """Return whether what is sent to an address cannot be read or changed on the way.

    Args:
        address: a URL.
        is_local: this machine's own addresses do without TLS.
    """
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return False
    is_plain = address.isascii() and address.isprintable() and not set(address) & set(' "<>\\^`{|}')
    if not is_plain or not host or "@" in parts.netloc or "#" in address:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and is_local and host in LOOPBACK)


def check_binding(host: str, *, has_tls: bool, is_behind_proxy: bool) -> None:
    """Refuse an address at which others could read along.

    Raises:
        BindingRefused: it is not this machine's own, and nothing encrypts.
    """
    if host not in LOOPBACK and not has_tls and not is_behind_proxy:
        raise BindingRefused(host)
