"""References of patrons on the pages: a label stands for each until a look at it is recorded.

One who looks is recorded before anything is shown, by the one writer; see ``acts``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, TypeVar

from ledger.codec import PersonalKind, frame
from ledger.codec.personal import declared_strings, personal_strings
from ledger.events import Fact
from ledger.evidence import Redaction
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports import RoundView

T = TypeVar("T")
HIDDEN: Final = "not shown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Patrons:
    """The patrons whom something names.

    Attributes:
        references: theirs, each once, in order.
        labels: what stands for them.
    """

    references: tuple[str, ...]
    labels: Redaction

    def masked(self, part: T) -> T:
        """Return a copy of facts, results or texts in which labels stand for patrons."""
        return self.labels.masked(part) if self.references else part


def patrons_in(facts: Iterable[Fact], also: Iterable[str | None] = ()) -> Patrons:
    """Return the patrons whom facts name, and further ones."""
    named = dict.fromkeys([*_named(facts), *(each for each in also if each)])
    strings = [(PersonalKind.PATRON, reference) for reference in named]
    labels = Redaction(frozenset({PersonalKind.PATRON}), strings)
    return Patrons(references=tuple(named), labels=labels)


def patrons_of_round(seen: RoundView) -> Patrons:
    """Return the patrons whom a round names."""
    facts = [step.fact for step in seen.steps]
    facts += [amended.before for amended in seen.amended]
    return patrons_in(facts, (wager.patron for wager in seen.result.wagers))


@cache
def _naming() -> frozenset[str]:
    """The events that can name a patron, by themselves or in an event that they hold."""
    kinds = (PersonalKind.PATRON, PersonalKind.EVENT)
    return frozenset(event for (event, _), kind in declared_strings().items() if kind in kinds)


def _named(facts: Iterable[Fact]) -> Iterator[str]:
    naming = _naming()
    for fact in facts:
        if type(fact).__name__ not in naming and "*" not in naming:
            continue
        framed = frame(fact)
        for place in personal_strings(framed):
            if place.kind is PersonalKind.PATRON:
                yield framed[place.begin : place.end].decode()
