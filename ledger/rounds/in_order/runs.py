"""Runs of rounds in order, one after the other, and where the readable engine can go on after them.

The engine has seen nothing of a run. What it knows of room and house must be, as the next round
opens, what it would know. Most of what a round tells the house is over by then; what is not is done
for real, on the house that the engine goes on with.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from ledger.events import Fact
from ledger.games.room import Rules
from ledger.house import TableHouse
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import FactStep
from ledger.rounds.copying import copied
from ledger.rounds.in_order.between_rounds import (
    lie_alike,
    numbered,
    opening_after,
    room_after,
    wagers_after,
)
from ledger.rounds.in_order.fact_bodies import OF_STAFF
from ledger.rounds.in_order.house_parts import beside_staff, side_of_staff, whole
from ledger.rounds.in_order.house_table import HouseState, is_kept
from ledger.rounds.in_order.machine_walk import read_on
from ledger.rounds.in_order.rounds_read import (
    ENDS,
    FIRST,
    HOUSE_AFTER,
    NAME,
    NONE,
    PAID,
    REAL_AFTER,
    TAKEN,
)
from ledger.rounds.in_order.stretch import Place, Reading, RoundRead
from ledger.rounds.in_order.unlooked import LookedInto, Unlooked
from ledger.rounds.placed import PlacedWager, is_of_coupon, is_of_wager


@dataclass(slots=True)
class Stretch:
    """What came of a run of rounds in order.

    Attributes:
        reading: of the table.
        first, last: its rounds, by their numbers in what was read: from one on and before another.
        house: what the house knows after it.
    """

    reading: Reading
    first: int
    last: int
    house: TableHouse

    def __len__(self) -> int:
        return self.last - self.first

    @property
    def begins(self) -> int:
        """The row of the fact that opens its first round."""
        return self.reading.rounds.get(self.first, FIRST)

    @property
    def ends(self) -> int:
        """The row of the fact that opens the next round, which is not in the run."""
        return self.reading.rounds.get(self.last - 1, ENDS)

    @property
    def moments(self) -> range:
        """The merge times from its first fact to its last, microseconds UTC."""
        at = self.reading.facts.at
        return range(at[self.begins], at[self.ends - 1] + 1)

    @property
    def facts(self) -> int:
        """How many facts it has."""
        return self.ends - self.begins

    @property
    def left(self) -> list[PlacedWager]:
        """The wagers that stand after it, in the order in which they lie there."""
        return wagers_after(self.reading, self.last - 1)

    def room_state(self, before: Any) -> Any:
        """Return what the room knows after it, as far as the next round does not begin it anew.

        Args:
            before: what the room knew before it.
        """
        return room_after(self.reading, self.last - 1, before)

    @property
    def taken(self) -> int:
        """Stakes taken, in cents, as the house did it."""
        return int(self.reading.rounds.rounds[TAKEN, self.first : self.last].sum())

    @property
    def paid(self) -> int:
        """Winnings paid, in cents, as the house did it."""
        return int(self.reading.rounds.rounds[PAID, self.first : self.last].sum())

    def noted(self) -> Iterator[FactStep]:
        """Yield the facts that the caller wants to see."""
        yield from self._steps(self.reading.seen)

    def posted(self) -> Iterator[FactStep]:
        """Yield the facts that change who works at the table."""
        yield from self._steps(self.reading.posts)

    def _steps(self, rows: list[int]) -> Iterator[FactStep]:
        for row in self.reading.between(rows, self.begins, self.ends):
            facts = self.reading.facts
            yield FactStep(self.reading.fact(row), facts.position[row], facts.at[row])


class Anchor(NamedTuple):
    """A place in a run at which all is known that the readable engine would know of the house.

    Attributes:
        rounds: after how many rounds that were read.
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
        begins: where the first of them opens, as the readable engine knows it.
        anchors: where the house is known for real; the first one is before the run.
        first: how many rounds were read before the run.
        reached: after how many rounds read what the house knows was worked out last, and that.
        broken_at: the row of the fact that could not be done for real, where one could not.
    """

    reading: Reading
    begins: Place
    anchors: list[Anchor]
    first: int
    reached: tuple[int, TableHouse] | None = None
    broken_at: int = 0

    def goes_as_far_as_it_can(self) -> None:
        """Read rounds as far as they are in order and can be passed over."""
        place = self.begins
        while True:
            place = read_on(self.reading, place, self.real)
            round_ = self.reading.read(place, self.state_after)
            if round_ is None:
                return
            self._take(round_)
            if round_.was_real or not self.goes_on():
                self.drop()
                if not self._take_really(round_):
                    return
            stands = self.reading.standing_after(self.reading.rounds.count - 1)
            place = Place(round_.room, round_.house, round_.ends, stands)

    @property
    def real(self) -> HouseState | None:
        """What the house knows now, of all that was done for real; None where that has no name."""
        rounds = self.reading.rounds
        if rounds.count == self.first:
            return self.anchors[0].state
        number = rounds.get(rounds.count - 1, REAL_AFTER)
        state: HouseState = self.reading.tables.houses.houses.objects[number]
        return None if number == NONE else state

    def _take(self, round_: RoundRead) -> None:
        """Take a round of which the house keeps nothing but who sits at the table."""
        state = self.real
        for row in round_.written:
            step = None if state is None else self.reading.of_house(state, row)
            state = step.state if step is not None and step.state.is_known else None
        self.reading.keep(round_, state)

    def _take_really(self, round_: RoundRead) -> bool:
        """Take a round of which the house keeps more; return whether a run can go on after it."""
        anchor = self.known_after(self.reading.telling(round_.first, round_.ends))
        if anchor is None:
            return False
        round_.house = anchor.state
        self.reading.keep(round_, anchor.state)
        self.anchors.append(anchor._replace(rounds=self.reading.rounds.count))
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
        house, like = self.done_for_real(rows), self.anchors[-1].state
        if house is None:
            return None
        try:
            state = self.reading.tables.house.state(house, like)
        except LookedInto:
            return None
        return Anchor(self.reading.rounds.count, house, state)

    def done_for_real(self, rows: list[int]) -> TableHouse | None:
        """Return what the house knows after the run and these rows; None if they break a duty."""
        house = self._after_run()
        return house if house is None or not rows else self._after(house, rows)

    def _after_run(self) -> TableHouse | None:
        """What the house knows after the run: beside the anchor, who is at the table by now."""
        rounds, since, house = self.reading.rounds, self.anchors[-1].rounds, self.anchors[-1].house
        if self.reached is not None and since <= self.reached[0] <= rounds.count:
            since, house = self.reached
        rows = rounds.written_between(since, rounds.count)
        after = self._after(house, rows) if rows else house
        if after is not None:
            self.reached = rounds.count, after
        return after

    def _after(self, house: TableHouse, rows: list[int]) -> TableHouse | None:
        """What a house knows after some rows; it is not changed. None if they break a duty."""
        after = copied(house, house.office)
        for row in rows:
            if not self._is_taken(after, row):
                self.broken_at = row
                return None
        return after

    def _is_taken(self, house: TableHouse, row: int) -> bool:
        """Let a house follow the fact of a row; return whether that is possible and in order."""
        rules, fact = self.reading.tables.rules, self.reading.fact(row)
        if type(fact) in OF_STAFF:
            return is_taken_by_staff(house, rules, fact)
        # How many wagers lie there matters only where nobody sits; it is not known here.
        lying: Any = 1 if house.patrons else Unlooked()
        try:
            return is_kept([*house.take(rules, fact, lying)])
        except LookedInto:
            return False

    def drop_broken(self) -> None:
        """Take away the round with the fact that could not be done for real, and all after it."""
        while self.reading.rounds.get(self.reading.rounds.count - 1, ENDS) > self.broken_at:
            self.drop()

    def drop(self) -> None:
        """Take the last round away."""
        self.reading.rounds.count -= 1
        while self.anchors[-1].rounds > self.reading.rounds.count:
            self.anchors.pop()

    def goes_on(self) -> bool:
        """Whether the next round opens in one state from what is known for real and from the run.

        Of the house that is what was known at the anchor, and who sits at the table since then; of
        the room, what holds nothing of facts that no table knows.
        """
        tables, rounds, real = self.reading.tables, self.reading.rounds, self.real
        if real is None:
            return False
        last = rounds.count - 1
        number = int(self.reading.columns.body[rounds.get(last, ENDS)])
        house: HouseState = tables.houses.houses.objects[rounds.get(last, HOUSE_AFTER)]
        step, step_real = tables.of_house(house, number), tables.of_house(real, number)
        return (
            opening_after(self.reading, last) is not None
            and step is not None
            and step_real is not None
            and step.state is step_real.state
        )


def rounds_in_order(
    reading: Reading,
    first: int,
    room_state: object,
    house: TableHouse,
    standing: Collection[PlacedWager] = (),
) -> Stretch | None:
    """Return the run of rounds in order from a row on.

    Where a fact of the round after it may belong to its last round, or nothing is known of that
    round's end, its last round is not in the run: the readable engine then knows both.

    Args:
        reading: of the table.
        first: the row of a fact that opens a round.
        room_state, house: what the readable engine knows before it.
        standing: the wagers of earlier rounds that stand, in the order in which they lie there.

    Returns:
        None where none is in order.
    """
    tables = reading.tables
    try:
        room, known = tables.room.state(room_state), tables.house.state(house)
    except LookedInto:
        return None
    stands = numbered(reading, standing)
    if stands is None or not lie_alike(tables.rules.room, room_state, standing):
        return None
    begins = reading.rounds.count
    run = Run(reading, Place(room, known, first, stands), [Anchor(begins, house, known)], begins)
    run.goes_as_far_as_it_can()
    while reading.rounds.count > begins:
        if not is_left_behind(reading, reading.rounds.count - 1):
            run.drop()
        after = run.done_for_real([])
        if after is None:
            run.drop_broken()
        elif reading.rounds.count > begins:
            return Stretch(reading, begins, reading.rounds.count, after)
    return None


def is_taken_by_staff(house: TableHouse, rules: Rules, fact: Fact) -> bool:
    """Let a house follow a fact about who works there; return whether nothing else is touched.

    It reads nothing then that rows change, and changes nothing that they read, so that it does not
    matter when it is done.
    """
    side, before = side_of_staff(house), copied(_beside_staff(house), house.office)
    try:
        breaches = [*side.take(rules, fact, Unlooked())]
    except (LookedInto, AttributeError):
        return False
    return is_kept(breaches) and _beside_staff(house) == before


def _beside_staff(house: TableHouse) -> list[Any]:
    parts = whole(house)
    return [parts[number] for number in beside_staff()]


def is_left_behind(reading: Reading, last: int) -> bool:
    """Whether no fact of the next round can belong to a wager of the one before it.

    Args:
        reading: of the table.
        last: the number of the round before.
    """
    begins = reading.rounds.get(last, ENDS)
    ends = reading.closed_by(begins)
    if ends is None:
        return False
    rows = reading.between(reading.of_laid, begins, ends)
    if not rows:
        return True
    names = reading.rounds.wagers_of(last)[NAME].tolist()
    stands = reading.standing_after(last)
    lying = {reading.columns.texts[number].decode() for number in names if number not in stands}
    for row in rows:
        fact = reading.fact(row)
        assert is_of_wager(fact) or is_of_coupon(fact)
        if fact.wager_id in lying or (fact.wager_id is None and names_a_coupon(reading, last)):
            return False
    return True


def names_a_coupon(reading: Reading, last: int) -> bool:
    """Whether coupons lay with wagers of a round: one may be named by its serial number alone."""
    return reading.rounds.get(last, FIRST) in reading.results
