"""A step that a plant is changing, and what must be found because of it."""

from __future__ import annotations

from dataclasses import field, replace
from datetime import date

from ledger import events
from ledger.floor.sic_bo_payouts import Area
from ledger.floor.stream_pens import Pen
from ledger.floor.table_state import Step
from ledger.kernel.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ExpectedFinding:
    """One finding that a perfect auditor reports, by the facts it rests on (one stream).

    ``day`` is the gaming day it belongs to where that is not the step's.
    """

    kind: str
    code: str
    cite: str
    facts: tuple[events.Fact, ...]
    opened: events.Fact | None
    day: str | None = None


@dataclass(frozen=True, slots=True)
class StandingWager:
    """A wager as it stands when the betting is over."""

    area: Area
    stake: int
    placed: events.WagerPlaced


@dataclass(slots=True)
class Draft:
    """The facts of a step on their way to being another step; identity names a fact.

    ``unrecorded`` happened and were never written down; ``apart`` is by how many cents a count was
    made to differ.
    """

    step: Step
    facts: list[events.Fact]
    kind: str = ""
    rows: list[ExpectedFinding] = field(default_factory=list)
    lost: list[events.Fact] = field(default_factory=list)
    twins: list[tuple[events.Fact, events.Fact]] = field(default_factory=list)
    unrecorded: list[events.Fact] = field(default_factory=list)
    apart: int = 0

    @property
    def opened(self) -> events.Fact | None:
        """The betting-opened fact, if the step is a round."""
        return next((fact for fact in self.facts if isinstance(fact, events.BettingOpened)), None)

    def settled(self, outcome: events.SettledAs) -> list[events.WagerSettled]:
        """Settlements with an outcome, in order."""
        return [
            f for f in self.facts if isinstance(f, events.WagerSettled) and f.outcome is outcome
        ]

    def standing(self) -> dict[str, StandingWager]:
        """Wagers by id, increases and moves included."""
        wagers: dict[str, StandingWager] = {}
        for fact in self.facts:
            match fact:
                case events.WagerPlaced():
                    area = (fact.wager, fact.picks)
                    wagers[fact.wager_id] = StandingWager(area, fact.stake_cents, fact)
                case events.WagerIncreased():
                    before = wagers[fact.wager_id]
                    more = before.stake + fact.added_cents
                    wagers[fact.wager_id] = replace(before, stake=more)
                case events.WagerMoved():
                    moved = replace(wagers[fact.wager_id], area=(fact.wager, fact.picks))
                    wagers[fact.wager_id] = moved
                case _:
                    pass
        return wagers

    def swap(self, old: events.Fact, new: events.Fact) -> None:
        """Put another fact in the place of one, also where it is to be found."""
        self.facts[self._place(old)] = new
        self.rows = [
            replace(row, facts=tuple(new if fact is old else fact for fact in row.facts))
            for row in self.rows
        ]

    def remove(self, old: events.Fact) -> None:
        """Take a fact out."""
        del self.facts[self._place(old)]

    def insert(self, new: events.Fact) -> None:
        """Put a fact in by its event time."""
        place = next(
            (n for n, fact in enumerate(self.facts) if fact.event_time > new.event_time),
            len(self.facts),
        )
        self.facts.insert(place, new)

    def find(self, code: str, cite: str, *facts: events.Fact) -> None:
        """Note what must be found."""
        self.rows.append(ExpectedFinding(self.kind, code, cite, facts, self.opened))

    def find_on(self, day: date, code: str, cite: str, *facts: events.Fact) -> None:
        """Note what must be found on a gaming day of its own.

        Args:
            day: the gaming day.
            code: of the finding.
            cite: its section.
            facts: on which it rests.
        """
        self.rows.append(
            ExpectedFinding(self.kind, code, cite, facts, self.opened, day.isoformat())
        )

    def _place(self, fact: events.Fact) -> int:
        return next(n for n, other in enumerate(self.facts) if other is fact)

    def number(self, pens: dict[str, Pen]) -> NumberedStep:
        """Number the facts afresh from the step's start, and set the pens to the end."""
        last = dict(self.step.before)
        new: dict[int, events.Fact] = {}
        facts: list[events.Fact] = []
        lost = {id(fact) for fact in self.lost}
        twins = {id(fact): twin for fact, twin in self.twins}
        for fact in self.facts:
            last[fact.stream] += 1
            numbered = replace(fact, seq=last[fact.stream])
            new[id(fact)] = numbered
            if id(fact) not in lost:
                facts.append(numbered)
            if id(fact) in twins:
                facts.append(replace(twins[id(fact)], seq=numbered.seq))
        for stream, seq in last.items():
            pens[stream].seq = seq
        rows = [
            replace(row, facts=tuple(new[id(f)] for f in row.facts), opened=new.get(id(row.opened)))
            for row in self.rows
        ]
        return NumberedStep(facts, list(new.values()), rows)


@dataclass(frozen=True, slots=True)
class NumberedStep:
    """A changed step: what arrives, what happened, and what must be found."""

    facts: list[events.Fact]
    happened: list[events.Fact]
    rows: list[ExpectedFinding]
