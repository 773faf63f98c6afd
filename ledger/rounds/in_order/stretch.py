"""A run of rounds that are in order under every duty, told from tables and not judged one by one.

A round is in order here if each of its facts has a row in the tables of its room and house, one of
them decides it, and each wager was laid while betting was open and settled, once, exactly as it was
owed. Whatever else comes sends the whole round to the readable engine, with the state that this run
carried to it. What facts of one round have to do with each other beyond room and house is said
here, and is stricter than the engine: nothing is settled before the round is decided, losers are
collected before winners are paid, everything is settled once settlements must be complete.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection
from dataclasses import field
from datetime import date
from itertools import accumulate

from ledger import events
from ledger.events import Fact
from ledger.games.room import Decided, Rules
from ledger.kernel import FactRef
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import TableFacts
from ledger.replay.fact_columns import NULL, UNREAD, Cut, FactColumns
from ledger.rounds.floorperson_posts import POSTED
from ledger.rounds.in_order.fact_bodies import ERASED_BYTES, Bodies, Does, kinds, numbers_of
from ledger.rounds.in_order.house_table import HouseState, HouseStep, HouseTable
from ledger.rounds.in_order.room_table import RoomState, RoomTable, Transition
from ledger.rounds.in_order.wager_table import Laid, Owed, WagerTable
from ledger.rounds.placed import COUPON_FACTS, WAGER_FACTS

Really = Callable[[list[int]], HouseState | None]
OF_LAID = COUPON_FACTS | WAGER_FACTS - {events.WagerPlaced}
"""The facts that can belong to a wager of the round before."""


@dataclass(slots=True)
class Tables:
    """The tables of one table's stretch of a day.

    Args:
        rules: those in force all the time.
        room: the transitions of the room.
        house: what facts do to the house.
        wagers: how wagers are laid and settled.
        bodies: what facts say, by number.
    """

    rules: Rules
    room: RoomTable
    house: HouseTable
    wagers: WagerTable
    bodies: Bodies

    def of_room(self, before: RoomState, number: int) -> Transition | None:
        """Return what a fact with the body of this number leads to; None: it falls back."""
        step = before.by_body.get(number)
        if step is None:
            step = self.room.step(before, self.bodies.bodies[number]) or False
            before.by_body[number] = step
        return step or None

    def of_house(self, before: HouseState, number: int) -> HouseStep | None:
        """Return what such a fact does to the house; None: it falls back."""
        step = before.by_body.get(number)
        if step is None:
            step = self.house.step(before, self.bodies.bodies[number]) or False
            before.by_body[number] = step
        return step or None

    def laid(self, house: HouseState, number: int, *, knowable: bool) -> Laid | None:
        """Return the wager that such a fact lays while betting is open; None: it falls back."""
        known = house.laid[knowable]
        if number not in known:
            body = self.bodies.bodies[number]
            known[number] = self.wagers.laid(body, house, knowable=knowable)
        laid: Laid | None = known[number]
        return laid


@dataclass(slots=True)
class WagerLying:
    """A wager of the round under way: the row that placed it, how it was settled, by which row."""

    laid: Laid
    row: int
    settled: int = NULL
    owed: Owed | None = None


@dataclass(slots=True)
class RoundRead:
    """What was read of one round.

    Attributes:
        first: the row of the fact that opened it.
        ends: the row of the fact that opens the next one.
        room, house: the states before the next row.
        lying: its wagers by the number of their id, in the order in which they were laid.
        unsettled: how many of them are not settled.
        decided: what decided it.
        decided_at: by the fact of which row.
        is_closed: betting closed.
        winner_paid: a winner was paid already.
        written: the rows of facts that change who sits at the table.
        was_real: what a fact does to the house was done for real, since no table has it.
        taken, paid: as in ``Stretch``.
    """

    first: int
    ends: int
    room: RoomState
    house: HouseState
    lying: dict[int, WagerLying] = field(default_factory=dict)
    unsettled: int = 0
    decided: Decided | None = None
    decided_at: int = 0
    is_closed: bool = False
    winner_paid: bool = False
    written: list[int] = field(default_factory=list)
    was_real: bool = False
    taken: int = 0
    paid: int = 0


@dataclass(slots=True, kw_only=True)
class Reading:
    """Reads rounds of one table from its facts, as long as they are in order.

    Args:
        facts: of the table.
        tables: those that are asked.
        table: its name.
        day: the gaming day.
        reach: facts of two streams that lie nearer than this have no known order, microseconds.
        noted: the kinds of fact that the caller wants to see.
        is_held: whether a person holds a valid credential from a moment to another one.
    """

    facts: TableFacts
    tables: Tables
    table: str
    day: date
    reach: int
    noted: Collection[type[Fact]]
    is_held: Callable[[bytes, int, int], bool]
    columns: FactColumns = field(init=False)
    opens: list[int] = field(init=False)
    """The rows of the facts that open rounds."""
    strange: list[int] = field(init=False)
    """By row, how many facts before it fall back by themselves."""
    unsure: list[int] = field(init=False)
    """By row, how many facts before it were recorded by people who do not hold a credential all
    day."""
    seen: list[int] = field(init=False)
    """The rows that the caller wants to see."""
    posts: list[int] = field(init=False)
    """The rows of facts that change who works at the table."""
    of_laid: list[int] = field(init=False)
    """The rows of facts that can belong to a wager of the round before."""

    def __post_init__(self) -> None:
        facts = self.facts
        self.columns = columns = Cut(facts, kinds(), self.tables.bodies).columns()
        texts, patrons = columns.texts, columns.identities[2]
        erased = texts.index(ERASED_BYTES) if ERASED_BYTES in texts else UNREAD - 1
        rows = zip(facts.apart(self.reach), columns.body, patrons, strict=True)
        strange = [not apart or body == UNREAD or who == erased for apart, body, who in rows]
        self.strange = [0, *accumulate(strange)]
        first, last = facts.at[0], facts.at[-1]
        unsure = {
            person
            for person in {*self.columns.person} - {NULL}
            if not self.is_held(self.columns.texts[person], first, last)
        }
        self.unsure = [0, *accumulate([person in unsure for person in self.columns.person])]
        self.opens = self._of({events.BettingOpened})
        self.seen = self._of(self.noted)
        self.posts = self._of(POSTED)
        self.of_laid = self._of(OF_LAID)

    def _of(self, events_: Collection[type[Fact]]) -> list[int]:
        """The rows of some kinds of fact."""
        return self.facts.rows_of(numbers_of(events_))

    @staticmethod
    def between(rows: list[int], first: int, ends: int) -> list[int]:
        """Those of some rows that lie from a row on and before another one."""
        return rows[bisect_left(rows, first) : bisect_left(rows, ends)]

    def ends_of(self, first: int) -> int | None:
        """Return the row that opens the round after the one that this row opens, if any does."""
        following = bisect_left(self.opens, first + 1)
        return self.opens[following] if following < len(self.opens) else None

    def read(
        self, first: int, room: RoomState, house: HouseState, really: Really
    ) -> RoundRead | None:
        """Read one round.

        Args:
            first: the row of the fact that opens it.
            room, house: the states before it.
            really: does for real what some rows since then tell the house, and returns what it then
                knows; None where that breaks a duty, or has no name.

        Returns:
            None where it is not in order, or no other follows.
        """
        ends = self.ends_of(first)
        if ends is None or self.strange[ends + 1] > self.strange[first]:
            return None
        if self.unsure[ends] > self.unsure[first] and not self._are_held(first, ends):
            return None
        round_ = RoundRead(first, ends, room, house)
        in_order = self._follow(round_, really) and self._is_settled(round_)
        return round_ if in_order else None

    def _are_held(self, first: int, ends: int) -> bool:
        """Whether all who recorded these facts hold a credential from the first to the last."""
        began, last, texts = self.facts.at[first], self.facts.at[ends - 1], self.columns.texts
        people = {*self.columns.person[first:ends]} - {NULL}
        return all(self.is_held(texts[person], began, last) for person in people)

    def _follow(self, round_: RoundRead, really: Really) -> bool:
        """Take the facts of a round; return whether each of them may be in order."""
        tables, columns, room = self.tables, self.columns, round_.room
        does, wagers = tables.bodies.does, columns.identities[0]
        first = round_.first
        for row, number in enumerate(columns.body[first : round_.ends], first):
            transition = room.by_body.get(number) or tables.of_room(room, number)
            if transition is None or (transition.requires and self.has_unsettled(round_)):
                return False
            part = does[number]
            if part == SETTLES:
                if not self._settle(round_, row, number, wagers[row]):
                    return False
            elif part == LAYS:
                if not self._lay(round_, row, number, wagers[row]):
                    return False
            elif part == CHANGES:
                if not self._change(round_, number, wagers[row]):
                    return False
            elif part == TELLS_THE_HOUSE:
                step = round_.house.by_body.get(number) or tables.of_house(round_.house, number)
                if step is not None:
                    round_.house = step.state
                elif not self._tell_really(round_, row, really):
                    return False
                if step is not None and step.is_written:
                    round_.written.append(row)
            if transition.decided is not None:
                if round_.decided is not None:
                    return False
                round_.decided, round_.decided_at = transition.decided, row
            after = transition.state
            if after is not room:
                round_.is_closed |= room.betting_open and not after.betting_open
                round_.room = room = after
        return True

    def _tell_really(self, round_: RoundRead, row: int, really: Really) -> bool:
        """Do for real what the facts of a round up to a row tell the house, the last one, too."""
        state = really(self.telling(round_.first, row + 1))
        if state is None:
            return False
        round_.house, round_.was_real = state, True
        return True

    def telling(self, first: int, ends: int) -> list[int]:
        """The rows from one on and before another that tell the house something."""
        does, body = self.tables.bodies.does, self.columns.body
        return [row for row in range(first, ends) if does[body[row]] == TELLS_THE_HOUSE]

    def _lay(self, round_: RoundRead, row: int, number: int, wager_id: int) -> bool:
        if not may_be_touched(round_):
            return False
        laid = self.tables.laid(round_.house, number, knowable=round_.room.knowable)
        if laid is None or wager_id in round_.lying:
            return False
        round_.lying[wager_id] = WagerLying(laid, row)
        round_.unsettled += 1
        return True

    def _change(self, round_: RoundRead, number: int, wager_id: int) -> bool:
        room, wager = round_.room, round_.lying.get(wager_id)
        if wager is None or not may_be_touched(round_):
            return False
        wagers, body = self.tables.wagers, self.tables.bodies.bodies[number]
        laid = wagers.changed(wager.laid, body, round_.house, knowable=room.knowable)
        if laid is None:
            return False
        wager.laid = laid
        if laid.gone:
            wager.owed = wagers.left(laid)
            round_.unsettled -= 1
        return not laid.gone or wager.owed is not None

    def _settle(self, round_: RoundRead, row: int, number: int, wager_id: int) -> bool:
        wager = round_.lying.get(wager_id)
        if wager is None or wager.owed is not None or round_.decided is None:
            return False
        owed = self.tables.wagers.owed(wager.laid, round_.decided)
        fact = self.tables.bodies.bodies[number].fact
        assert isinstance(fact, events.WagerSettled)
        if owed is None or not is_as_owed(fact, owed):
            return False
        if not is_in_turn(fact, winner_paid=round_.winner_paid):
            return False
        round_.winner_paid |= fact.outcome is events.SettledAs.WON
        wager.settled, wager.owed = row, owed
        round_.unsettled -= 1
        round_.taken += fact.stake_taken_cents
        round_.paid += fact.winnings_cents
        return True

    def _is_settled(self, round_: RoundRead) -> bool:
        """Whether a round that the next one ends leaves nothing owed."""
        if round_.decided is None or not round_.is_closed or self.has_unsettled(round_):
            return False
        filed = self.tables.rules.filed
        if filed is not None and filed.payout_limit_cents is not None:
            most = round_.paid + len(round_.lying) * filed.unit_cents
            if most > filed.payout_limit_cents:
                return False
        return self.tables.room.closes(round_.room)

    @staticmethod
    def has_unsettled(round_: RoundRead) -> bool:
        """Whether a wager of the round is not settled yet."""
        return round_.unsettled > 0

    def ref(self, row: int) -> FactRef:
        """Return the key of a fact."""
        facts = self.facts
        return tuple.__new__(FactRef, (facts.streams[facts.rank[row]], facts.seq[row]))

    def text(self, row: int, identity: int) -> str | None:
        """Return a text that tells a fact from others alike; None where it is null."""
        number = self.columns.identities[identity][row]
        return None if number == NULL else self.columns.texts[number].decode()


LAYS, SETTLES, CHANGES = Does.LAYS, Does.SETTLES, Does.CHANGES
TELLS_THE_HOUSE = Does.TELLS_THE_HOUSE


def may_be_touched(round_: RoundRead) -> bool:
    """Whether betting is open, and was not closed before: wagers may be laid and changed."""
    return round_.room.betting_open and not round_.is_closed


def is_in_turn(fact: events.WagerSettled, *, winner_paid: bool) -> bool:
    """Whether a settlement comes in turn: every loser is collected before a winner is paid."""
    return fact.outcome is events.SettledAs.WON or not winner_paid


def is_as_owed(fact: events.WagerSettled, owed: Owed) -> bool:
    """Whether the one act of the house is exactly what was owed."""
    return (fact.outcome, fact.winnings_cents, fact.stake_taken_cents) == owed.done
