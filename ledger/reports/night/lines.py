"""The actions of a night with their numbers, as they stand in its tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ledger.casework import Action
from ledger.kernel import Finding
from ledger.reports.night import words
from ledger.reports.night.data import NightData

SHOWN: Final = 8
"""So many findings behind an action are told one by one; of the others the rounds are named."""
NAMED: Final = 1_000
"""So many rounds behind an action are named on the page; how many more there are is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An action with its number, as it stands in a table."""

    number: int
    action: Action
    title: str
    when: str
    rounds: tuple[str, ...]
    footage: str

    @property
    def shown(self) -> tuple[Finding, ...]:
        """The findings that are told one by one."""
        found = self.action.findings
        return found if len(found) <= SHOWN + 1 else found[:SHOWN]

    @property
    def further(self) -> tuple[str, ...]:
        """The rounds of the other findings, as far as they are named."""
        return self._rest()[:NAMED]

    @property
    def unnamed(self) -> int:
        """How many rounds are not named."""
        return max(0, len(self._rest()) - NAMED)

    def _rest(self) -> tuple[str, ...]:
        told = {one.round for one in self.shown}
        return tuple(one for one in self.rounds if one not in told)


def lines(data: NightData) -> tuple[Line, ...]:
    """All actions in their order, numbered."""
    return tuple(
        Line(
            number=number,
            action=one,
            title=words.clipped(one.title),
            when=words.when(one, data.clock),
            rounds=words.rounds_of(one),
            footage=(
                "not stated"
                if one.footage_until is None
                else words.day_time(data.clock, one.footage_until)
            ),
        )
        for number, one in enumerate(words.ordered(data.actions), 1)
    )
