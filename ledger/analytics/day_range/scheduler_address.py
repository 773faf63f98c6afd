"""The address of a scheduler, and what both sides need to prove who they are.

A scheduler and its workers run whatever is sent to them. On this machine's own loopback only those
who use this machine reach them; beyond it, both sides need a certificate of the same authority, and
everything is encrypted. There is no third way.
"""

from __future__ import annotations

import ssl
from ipaddress import ip_address
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from ledger.analytics.day_range.errors import AddressWrong, CredentialsUnusable, SchedulerUnsecured
from ledger.kernel.quick_dataclass import dataclass

SCHEMES: Final = frozenset({"tcp", "tls"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """PEM files with which a scheduler, its workers and its clients prove who they are.

    Attributes:
        authority: the certificates of the authority that all of them trust.
        certificate: one's own certificate, signed by it.
        key: one's own private key.
    """

    authority: Path
    certificate: Path
    key: Path

    def check(self) -> None:
        """Read the files once.

        Raises:
            CredentialsUnusable: one is missing or no PEM file, or the key is not the certificate's.
        """
        try:
            context = ssl.create_default_context(cafile=str(self.authority))
            context.load_cert_chain(self.certificate, self.key)
        except (OSError, ssl.SSLError) as error:
            raise CredentialsUnusable(error.strerror or str(error)) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulerAddress:
    """Where a scheduler listens.

    Attributes:
        scheme: "tcp", or "tls" with credentials on both sides.
        host: a name or an address.
        port: its port.
    """

    scheme: str
    host: str
    port: int

    @classmethod
    def parse(cls, text: str) -> SchedulerAddress:
        """Return the address of a text such as ``tcp://127.0.0.1:8786``.

        Raises:
            AddressWrong: it is none.
        """
        try:
            parts = urlsplit(text)
            host, port = parts.hostname, parts.port
        except ValueError as error:
            raise AddressWrong(text) from error
        beyond = (parts.path, parts.query, parts.fragment, parts.username)
        if parts.scheme not in SCHEMES or not host or not port or any(beyond):
            raise AddressWrong(text)
        return cls(scheme=parts.scheme, host=host, port=port)

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches it. A name may mean anything, but for localhost."""
        if self.host == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False

    def check(self, credentials: Credentials | None) -> None:
        """Refuse an address that somebody else could answer or listen to.

        Args:
            credentials: what this side proves itself with, if it has anything.

        Raises:
            SchedulerUnsecured: it is beyond this machine without encryption, or lacks credentials.
            CredentialsUnusable: as for ``Credentials.check``.
        """
        if self.scheme == "tls" and credentials is None:
            raise SchedulerUnsecured(str(self), "no certificate was named")
        if self.scheme == "tcp" and credentials is not None:
            raise SchedulerUnsecured(str(self), "tcp:// encrypts nothing")
        if self.scheme == "tcp" and not self.is_loopback:
            raise SchedulerUnsecured(str(self), "tcp:// encrypts nothing")
        if credentials is not None:
            credentials.check()
