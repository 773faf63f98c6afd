"""A chapter of the regulation, and how a row pins itself to it."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.kernel import Citation, Edition


@dataclass(frozen=True, slots=True)
class Chapter:
    """One edition of one chapter; ``LAW[".6(b)"]`` is a citation of it.

    A pin may end in ``#part`` where a section says several things: ``LAW[".6(b)#total-9"]``; the
    part is that of the list of obligations and is not printed.
    """

    edition: Edition
    name: str

    def __getitem__(self, pin: str) -> Citation:
        section, _, part = pin.partition("#")
        return Citation(self.edition, f"{self.edition.chapter}{section}", part)
