"""One line of what is in force, and the words that all its modules use."""

from __future__ import annotations

from typing import Final

from ledger.audit.in_force import Span
from ledger.events import Fact
from ledger.kernel import Citation, FactRef, ref_of
from ledger.kernel.quick_dataclass import dataclass

NOT_RECORDED: Final = "not recorded"
"""The standing of a line of which no fact says anything."""


@dataclass(frozen=True, slots=True)
class Line:
    """What holds, from when to when, by which sections and on which facts.

    Attributes:
        group: the heading under which the line stands, such as "equipment" or "staff".
        says: the line in words.
        since: when it began, in microseconds UTC; None where that is open.
        until: when it ended, in microseconds UTC; None where it still holds. What begins and ends
            in one moment happened then.
        cites: the sections that ask for it.
        facts: the facts that say it.
        standing: None where facts say it; else "not recorded", "not certain" or another word for
            how it stands.
    """

    group: str
    says: str
    since: int | None = None
    until: int | None = None
    cites: tuple[Citation, ...] = ()
    facts: tuple[FactRef, ...] = ()
    standing: str | None = None


def refs(*facts: Fact) -> tuple[FactRef, ...]:
    """The keys of facts."""
    return tuple(ref_of(fact) for fact in facts)


def words(name: str) -> str:
    """A word of an enum as people read it: "gaming operations"."""
    return str(name).lower().replace("_", " ")


def sure(span: Span) -> str | None:
    """What must be said of a span that facts lost since may have ended."""
    return None if span.sure else "not certain"
