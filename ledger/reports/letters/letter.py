"""A letter as plain values: what it says, whatever it is printed as.

What is signed is the digest of what it says, so that a text, a page and a PDF of one letter carry
the same signatures.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from typing import Final

from ledger.kernel.quick_dataclass import dataclass

DOMAIN: Final = "pitledger letter v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Some sentences, under a heading where it has one."""

    text: str
    heading: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the letter states in rows: what about, and what."""

    heading: str
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """Who signed a letter, in what capacity, when by the property's clock, and by what proof."""

    capacity: str
    name: str
    credential: str
    signed: str
    proof: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A letter of the property.

    Attributes:
        sender: the property, and under it who holds the certificate.
        recipient: to whom, a line each.
        written: the day, in words.
        reference: the number under which the property finds it again.
        subject: one line.
        body: its parts in order.
        capacities: in what capacities it must be signed, two or more.
    """

    sender: tuple[str, ...]
    recipient: tuple[str, ...]
    written: str
    reference: str
    subject: str
    body: tuple[Paragraph | Facts, ...]
    capacities: tuple[str, ...]

    def document(self) -> bytes:
        """Return all that the letter says, as JSON: the bytes that its digest is of."""
        spoken = json.dumps([DOMAIN, asdict(self)], ensure_ascii=False, separators=(",", ":"))
        return spoken.encode()

    def digest(self) -> bytes:
        """Return SHA-256 (32 bytes) over all that the letter says: what its signers sign."""
        return hashlib.sha256(self.document()).digest()
