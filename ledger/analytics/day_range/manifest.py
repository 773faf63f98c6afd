"""The manifest of a range of gaming days: one hash that says all that was judged of them.

It is canonical JSON (RFC 8785): for each day the digest of its audit, for each table of the day the
content address of its judgment. Nothing in it depends on where or in which order the tables were
judged, so its hash is the same from one process, from several, and from several machines.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from hashlib import sha256
from typing import Final

from ledger.audit.digest import DIGEST_VERSION, canonical
from ledger.kernel.quick_dataclass import dataclass

MANIFEST_VERSION: Final = 1
"""Names what is listed, and how. Only manifests of equal versions are compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayEntry:
    """One gaming day.

    Attributes:
        day: its date.
        digest: of its audit, as ``DayAudit.digest``.
        is_closed: whether the record has its closing; what is judged of an open day may change.
        events: how many facts it has.
        rounds: how many rounds opened.
        unknown_rounds: how many of them are unknown.
        findings: how many findings it has.
        tables: by table, the content address of its judgment, SHA-256 in hexadecimal.
    """

    day: date
    digest: str
    is_closed: bool
    events: int
    rounds: int
    unknown_rounds: int
    findings: int
    tables: Mapping[str, str]

    def data(self) -> dict[str, object]:
        """Return it as the manifest lists it."""
        return {
            "day": self.day.isoformat(),
            "digest": self.digest,
            "closed": self.is_closed,
            "events": self.events,
            "rounds": self.rounds,
            "unknown_rounds": self.unknown_rounds,
            "findings": self.findings,
            "tables": dict(self.tables),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeManifest:
    """All that was judged of a range of gaming days.

    Attributes:
        begins: the first day that was asked for.
        ends: the last.
        tree_size: how many entries of the ledger were read.
        root: the ledger's root at that size, hexadecimal.
        days: the days with a fact, rising.
    """

    begins: date
    ends: date
    tree_size: int
    root: str
    days: tuple[DayEntry, ...]

    def data(self) -> dict[str, object]:
        """Return it as plain data."""
        return {
            "version": MANIFEST_VERSION,
            "digest_version": DIGEST_VERSION,
            "from": self.begins.isoformat(),
            "to": self.ends.isoformat(),
            "tree_size": self.tree_size,
            "root": self.root,
            "days": [entry.data() for entry in self.days],
        }

    def content(self) -> bytes:
        """Return its bytes: canonical JSON."""
        return canonical(self.data())

    @property
    def hash(self) -> str:
        """SHA-256 of its bytes, hexadecimal."""
        return sha256(self.content()).hexdigest()
