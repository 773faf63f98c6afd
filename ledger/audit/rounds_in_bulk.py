"""One table's gaming day, read in bulk where its rounds are in order and one by one where not.

The facts of the day lie there as columns. Where a round opens and nothing is in doubt at the table,
the rounds in order from there on are told from tables (``ledger/rounds/in_order``); the first one
that is not goes, with the round before it, to the readable engine.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import field
from typing import Final

from ledger.audit.accounts import TAKEN
from ledger.audit.carried import StatesWithin
from ledger.audit.ledger_contract import Day
from ledger.audit.office import HouseRecord
from ledger.codec import registry
from ledger.coupons.asked_coupons import AskedCoupons
from ledger.events import BettingOpened, WagerSettled
from ledger.kernel import EditionStatus
from ledger.kernel.cyclic_garbage import uncollected
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import FactStep, Holding, Roster, TableFacts
from ledger.replay.stream_index import head_of, kind_numbers
from ledger.rounds import InEveryOrder
from ledger.rounds.in_order import (
    Counter,
    Reading,
    Stretch,
    Tables,
    has_tables,
    rounds_in_order,
    tables_for,
)

NOTED = TAKEN - {WagerSettled}
"""The facts of which a table's account is made, beside settlements, which are summed up."""

SEEN_ROUNDS: Final = 2
"""How many rounds a play must have seen for its state to say all that it knows."""


@dataclass(slots=True)
class Held:
    """Whether people hold a credential, asked once for as long as the answer holds."""

    roster: Roster
    _until: dict[bytes, tuple[int, int]] = field(default_factory=dict)

    def __call__(self, person: bytes, first: int, last: int) -> bool:
        """Whether a person surely holds one from a moment to another (microseconds UTC)."""
        since, until = self._until.get(person, (1, 0))
        if not since <= first or not last < until:
            ends, holding = self.roster.held_until(person.decode(), first)
            if holding is not Holding.HELD:
                ends = first
            self._until[person] = (first, ends)
            since, until = first, ends
        return since <= first and last < until


@dataclass(slots=True)
class RoundsInBulk:
    """Reads a table's day.

    Args:
        facts: of the day.
        orders: the table's play.
        house: the house's facts.
        roster: who holds a credential.
        day: the day.
        within: puts states of the day aside, which a run of rounds may not pass over.
        row: the next fact to be read.
        last: up to when the tables of ``reading`` hold, microseconds UTC.
    """

    facts: TableFacts
    orders: InEveryOrder
    house: HouseRecord
    roster: Roster
    day: Day
    within: StatesWithin | None = None
    row: int = 0
    reading: Reading | None = None
    last: int = 0
    holders: Held = field(init=False)

    def __post_init__(self) -> None:
        self.holders = Held(self.roster)

    def one_by_one(self) -> Iterator[FactStep]:
        """Yield facts up to the next one that opens a round, at least one."""
        opens = opening_kinds()
        first = self.row
        while self.row < len(self.facts):
            row = self.row
            if row > first and self.facts.kind[row] in opens and self._is_apart(row):
                return
            self.row += 1
            yield self.facts.step(row)

    def _is_apart(self, row: int) -> bool:
        facts = self.facts
        same = facts.rank[row] == facts.rank[row - 1]
        return same or facts.at[row] - facts.at[row - 1] >= self.orders.reach

    @property
    def is_over(self) -> bool:
        """Whether every fact of the day was read."""
        return self.row == len(self.facts)

    def in_order(self) -> Stretch | None:
        """Return the rounds in order from here on, and pass them over; None if there are none."""
        if not self._is_quiet():
            return None
        with uncollected():  # rows that are made are kept, and so is what they refer to
            return self._in_order()

    def _in_order(self) -> Stretch | None:
        state, at = self.orders.play.state, self.facts.at[self.row]
        assert state.house is not None and state.room is not None
        rules = state.house.rules(self.day.date, at)
        last = min(self.day.ends - 1, state.house.rules_until() - 1)
        if not rules.filing_known or self.facts.at[-1] > last:
            return None
        reading = self.reading
        if reading is None or reading.tables.rules is not rules or self.last < at:
            turns = state.house.equipment.within_a_day_until
            self.last = last if turns < at else min(last, turns)
            reading = self.reading = self._reading_by(tables_for(rules, state.house, at, self.last))
        first = bisect_left(reading.opens, self.row)
        reading.usable = bisect_left(reading.opens, bisect_right(self.facts.at, self.last))
        if self.within is not None:
            before = self._before_state_is_due(self.within, reading, first)
            reading.usable = min(reading.usable, before)
        if reading.usable <= first + 1:
            return None  # the second one would end the first round
        pending = tuple(round_ for round_ in (state.late, state.round) if round_ is not None)
        reading.counter = Counter(desk=state.desk, pending=pending)
        asked = state.desk.lookup if isinstance(state.desk.lookup, AskedCoupons) else None
        answered = 0 if asked is None else len(asked.answers)
        standing = self.orders.play.standing()
        if standing is None:
            return None
        stretch = rounds_in_order(reading, self.row, state.room_state, state.house, standing)
        if asked is not None:  # of other rounds the play asks what it needs, of its own accord
            asked.keep_of_later(answered, range(0) if stretch is None else stretch.moments)
        if stretch is not None:
            self.row = stretch.ends
        return stretch

    def _reading_by(self, tables: Tables) -> Reading:
        """Return what reads the day by these tables; its facts are cut once for the same bodies."""
        if self.reading is not None and self.reading.tables.bodies is tables.bodies:
            return self.reading.by(tables)
        return Reading(
            facts=self.facts,
            tables=tables,
            table=self.orders.play.table,
            day=self.day.date,
            reach=self.orders.reach,
            noted=NOTED,
            is_held=self.holders,
        )

    def _before_state_is_due(self, within: StatesWithin, reading: Reading, first: int) -> int:
        """How many openings lie before the next place at which a state is put aside.

        What a state says of its last two rounds comes of their facts: the play must take these.
        ``first``: the number of the opening from which a run would go.
        """
        if within.facts is None:
            return first
        at, opens = self.facts.at, reading.opens
        taken, since = self.orders.play.state.facts, within.facts
        if within.is_due(self.orders) and self.row and at[self.row - 1] < at[self.row]:
            since = taken  # whoever takes the run puts this state aside first
        due = self.row + since + within.every - taken
        place = bisect_left(opens, max(due, self.row))
        while place < len(opens) and at[opens[place] - 1] == at[opens[place]]:
            place += 1  # none is put aside in the moment of the fact before
        return place if place == len(opens) else max(place - SEEN_ROUNDS + 1, first)

    def _is_quiet(self) -> bool:
        """Whether nothing is in doubt of a round that is under way, and nothing else is open."""
        play, day = self.orders.play, self.day
        state, open_round = play.state, play.state.round
        if not self.orders.is_settled() or state.room is None:
            return False
        doubtful = open_round is not None and (
            open_round.doubtful or open_round.cut_by_gap or open_round.lost
        )
        is_of_today = open_round is None or open_round.day == day.date
        loose = play.findings or state.pending or state.doubts or state.carried
        is_today = state.days.begins == day.begins and state.days.ends == day.ends
        return not (
            doubtful
            or loose
            or play.explain
            or not is_today
            or not is_of_today
            or not has_tables(state.room)
            or state.house is None
            or state.house.opened is None
            or state.room.law.edition.standing(day.date) is EditionStatus.NOT_YET
        )


def opening_kinds() -> frozenset[int]:
    """The numbers of the schemas of the fact that opens a round."""
    return frozenset(
        kind_numbers()[head_of(schema.id)]
        for schema in registry()
        if schema.name == BettingOpened.__name__
    )
