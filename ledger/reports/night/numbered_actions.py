"""The actions of a night with their numbers, as they stand in its tables."""

from __future__ import annotations

from typing import Final

from ledger.casework import Action
from ledger.kernel import Finding
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.night import words
from ledger.reports.night.report_data import NightData

SHOWN: Final = 8
"""So many findings behind an action are listed; of the others the rounds are named."""
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
        """The findings that are listed."""
        findings = self.action.findings
        return findings if len(findings) <= SHOWN + 1 else findings[:SHOWN]

    @property
    def further(self) -> tuple[str, ...]:
        """The rounds of the other findings, as far as they are named."""
        return self._rest()[:NAMED]

    @property
    def unnamed(self) -> int:
        """How many rounds are not named."""
        return max(0, len(self._rest()) - NAMED)

    def _rest(self) -> tuple[str, ...]:
        shown = {finding.round for finding in self.shown}
        return tuple(name for name in self.rounds if name not in shown)


def numbered_actions(night: NightData) -> tuple[Line, ...]:
    """All actions in their order, numbered."""
    return tuple(
        Line(
            number=number,
            action=one,
            title=words.clipped(one.title),
            when=words.when(one, night.clock),
            rounds=words.rounds_of(one),
            footage=(
                "not stated"
                if one.footage_until is None
                else words.day_time(night.clock, one.footage_until)
            ),
        )
        for number, one in enumerate(words.ordered(night.actions), 1)
    )
