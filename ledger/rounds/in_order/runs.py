"""Runs of rounds in order, one after the other, and where the readable engine can go on after them.

The engine has seen nothing of a run. What it knows of room and house must be, as the next round
opens, what it would know. Most of what a round tells the house is over by then; what is not is done
for real, on the house that the engine goes on with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import NamedTuple

from ledger import events
from ledger.house import TableHouse
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import FactStep
from ledger.rounds.copying import copied
from ledger.rounds.in_order.house_table import HouseState, is_kept
from ledger.rounds.in_order.room_table import RoomState
from ledger.rounds.in_order.stretch import Reading, RoundRead
from ledger.rounds.in_order.unlooked import LookedInto
from ledger.rounds.placed import is_of_coupon, is_of_wager


@dataclass(slots=True)
class Stretch:
    """What came of a run of rounds in order.

    Attributes:
        reading: of the table.
        rounds: those in order.
        ends: the row of the fact that opens the next round, which is not in the run.
        house: what the house knows after it.
    """

    reading: Reading
    rounds: list[RoundRead]
    ends: int
    house: TableHouse

    @property
    def facts(self) -> int:
        """How many facts it has."""
        return self.ends - self.rounds[0].first

    @property
    def taken(self) -> int:
        """Stakes taken, in cents, as the house did it."""
        return sum(round_.taken for round_ in self.rounds)

    @property
    def paid(self) -> int:
        """Winnings paid, in cents, as the house did it."""
        return sum(round_.paid for round_ in self.rounds)

    def noted(self) -> Iterator[FactStep]:
        """Yield the facts that the caller wants to see."""
        yield from self._steps(self.reading.seen)

    def posted(self) -> Iterator[FactStep]:
        """Yield the facts that change who works at the table."""
        yield from self._steps(self.reading.posts)

    def _steps(self, rows: list[int]) -> Iterator[FactStep]:
        for row in self.reading.between(rows, self.rounds[0].first, self.ends):
            yield self.reading.facts.step(row)


class Anchor(NamedTuple):
    """A place in a run at which all is known that the readable engine would know of the house.

    Attributes:
        rounds: after how many rounds of the run.
        house: what is known there.
        state: the same with its rows.
    """

    rounds: int
    house: TableHouse
    state: HouseState


@dataclass(slots=True)
class Run:
    """Rounds in order from a row on.

    Args:
        reading: of the table.
        begins: the state of the room before the run, as the readable engine keeps it.
        anchors: where the house is known for real; the first one is before the run.
        rounds: the rounds so far.
        real: what the house knows before the run and after each round of it, of all that was done
            for real; None where that has no name.
    """

    reading: Reading
    begins: RoomState
    anchors: list[Anchor]
    real: list[HouseState | None]
    rounds: list[RoundRead] = field(default_factory=list)

    def goes_as_far_as(self, row: int) -> None:
        """Read rounds from a row on, as far as they are in order and can be passed over."""
        room, known = self.begins, self.anchors[-1].state
        while (round_ := self.reading.read(row, room, known, self.state_after)) is not None:
            self._take(round_)
            if round_.was_real or not self.goes_on():
                self.drop()
                if not self._take_really(round_):
                    return
            room, known, row = round_.room, round_.house, round_.ends

    def _take(self, round_: RoundRead) -> None:
        """Take a round of which the house keeps nothing but who sits at the table."""
        state, body = self.real[-1], self.reading.columns.body
        for row in round_.written:
            step = None if state is None else self.reading.tables.of_house(state, body[row])
            state = step.state if step is not None and step.state.is_known else None
        self.rounds.append(round_)
        self.real.append(state)

    def _take_really(self, round_: RoundRead) -> bool:
        """Take a round of which the house keeps more; return whether a run can go on after it."""
        anchor = self.known_after(self.reading.telling(round_.first, round_.ends))
        if anchor is None:
            return False
        round_.house = anchor.state
        self.rounds.append(round_)
        self.real.append(anchor.state)
        self.anchors.append(anchor._replace(rounds=len(self.rounds)))
        if not self.goes_on():
            self.drop()
            return False
        return True

    def state_after(self, rows: list[int]) -> HouseState | None:
        """Return what the house knows after the run so far and these rows; see ``known_after``."""
        anchor = self.known_after(rows)
        return None if anchor is None else anchor.state

    def known_after(self, rows: list[int]) -> Anchor | None:
        """Do for real what the run so far and some rows after it tell the house.

        Returns:
            None where they break a duty, or what the house then knows has no name.
        """
        house = self.done_for_real(rows)
        try:
            state = None if house is None else self.reading.tables.house.state(house)
        except LookedInto:
            return None
        return None if house is None or state is None else Anchor(len(self.rounds), house, state)

    def done_for_real(self, rows: list[int]) -> TableHouse | None:
        """Return what the house knows after the run and these rows; None if they break a duty."""
        reading, house = self.reading, self.anchors[-1].house
        rows = [*self._written(), *rows]
        if not rows:
            return house
        after = copied(house, house.office)
        for row in rows:
            fact = reading.facts.fact(row)
            if type(fact) is events.LimitsSet:  # it matters how many wagers lie there
                return None
            if not is_kept([*after.take(reading.tables.rules, fact, 0)]):
                return None
        return after

    def _written(self) -> list[int]:
        """The rows since the last anchor that change who sits at the table."""
        since = self.rounds[self.anchors[-1].rounds :]
        return [row for round_ in since for row in round_.written]

    def drop(self) -> None:
        """Take the last round away."""
        self.rounds.pop()
        self.real.pop()
        while self.anchors[-1].rounds > len(self.rounds):
            self.anchors.pop()

    def goes_on(self) -> bool:
        """Whether the next round opens in one state from the real one and from that of the run.

        The real one is what was known at the anchor, and who sits at the table since then.
        """
        tables, last, real = self.reading.tables, self.rounds[-1], self.real[-1]
        if real is None:
            return False
        number = self.reading.columns.body[last.ends]
        room, room_real = tables.of_room(last.room, number), tables.of_room(self.begins, number)
        step, step_real = tables.of_house(last.house, number), tables.of_house(real, number)
        return (
            room is not None
            and room_real is not None
            and room.state is room_real.state
            and step is not None
            and step_real is not None
            and step.state is step_real.state
        )


def rounds_in_order(
    reading: Reading, first: int, room_state: object, house: TableHouse
) -> Stretch | None:
    """Return the run of rounds in order from a row on.

    Where a fact of the round after it may belong to its last round, or nothing is known of that
    round's end, its last round is not in the run: the readable engine then knows both.

    Args:
        reading: of the table.
        first: the row of a fact that opens a round.
        room_state, house: what the readable engine knows before it.

    Returns:
        None where none is in order.
    """
    tables = reading.tables
    try:
        room, known = tables.room.state(room_state), tables.house.state(house)
    except LookedInto:
        return None
    run = Run(reading, room, [Anchor(0, house, known)], [known])
    run.goes_as_far_as(first)
    if run.rounds and not is_left_behind(reading, run.rounds[-1]):
        run.drop()
    after = run.done_for_real([])
    if not run.rounds or after is None:
        return None
    return Stretch(reading, run.rounds, run.rounds[-1].ends, after)


def is_left_behind(reading: Reading, last: RoundRead) -> bool:
    """Whether no fact of the next round can belong to a wager of the one before it.

    Args:
        reading: of the table.
        last: the round before.
    """
    ends = reading.ends_of(last.ends)
    if ends is None:
        return False
    lying = {reading.columns.texts[number].decode() for number in last.lying}
    for row in reading.between(reading.of_laid, last.ends, ends):
        fact = reading.facts.fact(row)
        assert is_of_wager(fact) or is_of_coupon(fact)
        if fact.wager_id in lying:
            return False
    return True
