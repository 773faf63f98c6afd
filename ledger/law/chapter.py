"""A chapter of the regulation, and how a row cites one of its sections."""

from __future__ import annotations

from ledger.kernel import Citation, Edition
from ledger.kernel.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Chapter:
    """One edition of one chapter; ``LAW[".6(b)"]`` is a citation of it.

    A pin may end in ``#part`` where a section makes several statements. The part is that of the
    list of obligations and is not printed.

    >>> from datetime import date
    >>> from ledger.kernel import Edition
    >>> LAW = Chapter(Edition("539", "40 Pa.B. 1740", date(2010, 4, 3)), "Sic Bo")
    >>> cite = LAW[".6(b)#total-9"]
    >>> str(cite), cite.section, cite.part
    ('§ 539.6(b) (40 Pa.B. 1740)', '539.6(b)', 'total-9')
    """

    edition: Edition
    name: str

    def __getitem__(self, pin: str) -> Citation:
        section, _, part = pin.partition("#")
        return Citation(self.edition, f"{self.edition.chapter}{section}", part)
