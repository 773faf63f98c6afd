"""What facts of a round do to the house's side of a table, made from ``TableHouse`` itself.

As for rooms, the readable code is run on partial facts: on a copy of what the house knows, of which
who sits at the table and how many wagers lie there may be written and never read. A fact that
breaks a duty there, or of which more would have to be known, has no row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

from ledger.events import Fact
from ledger.games.room import Breach, Rules
from ledger.house import TableHouse
from ledger.rounds.copying import copied
from ledger.rounds.in_order.partial_facts import Body, Needed, partial_fact
from ledger.rounds.in_order.room_table import KindsOfFact
from ledger.rounds.in_order.state_names import is_as_before, kept_state, name_and_unknowns
from ledger.rounds.in_order.unlooked import LookedInto, Unlooked, Within, WriteOnly

STATES: Final = 2_000
"""The most states of one table's house that are kept for a stretch."""

OF_STAKES: Final = ("limits", "filing_sure")
"""The fields of the house by which a stake is judged; who reads another one is refused."""


class HouseState:
    """What the house knows at a moment, with what facts do to it.

    Attributes:
        house: it; who sits at the table is left out.
        is_known: it holds nothing of facts that no table knows.
        rows: by kind of fact.
        by_body: the same by number of the body, as far as asked; False: it falls back.
        laid: wagers as they are laid, by whether something of the outcome can be seen and by number
            of the body, as far as asked; False: it falls back.
        limits: what of it judges a stake: one object for all states that judge it alike; None
            until a table of wagers asks.
        of_stakes: only what judges a stake; nothing else can be read of it.
    """

    __slots__ = ("by_body", "house", "is_known", "laid", "limits", "of_stakes", "rows")

    def __init__(
        self, house: TableHouse, usual: dict[type[Fact], Needed], *, is_known: bool
    ) -> None:
        self.house, self.is_known = house, is_known
        self.rows = KindsOfFact(usual)
        self.by_body: dict[int, HouseStep | Literal[False]] = {}
        self.laid: tuple[dict[int, Any], dict[int, Any]] = ({}, {})
        self.of_stakes: Any = object.__new__(TableHouse)
        for name in OF_STAKES:
            setattr(self.of_stakes, name, getattr(house, name))
        self.limits: object | None = None


class HouseStep(NamedTuple):
    """What a fact that is in order does to the house.

    Attributes:
        state: the house after it.
        is_written: it changes who sits at the table as well, and must be done for real.
    """

    state: HouseState
    is_written: bool


class HouseTable:
    """What facts do to the house of one table while rules and office stay as they are.

    Args:
        house: of the table.
        rules: those in force.
        first, last: the moments between which all facts lie, microseconds UTC.
    """

    def __init__(self, house: TableHouse, rules: Rules, first: int, last: int) -> None:
        self._rules, self._first, self._last = rules, first, last
        self._office = house.office
        self._states: dict[Any, HouseState] = {}
        self._usual: dict[type[Fact], Needed] = {}
        self._patrons, self._who = WriteOnly(), Unlooked()  # who sits there, in every state

    def state(self, house: TableHouse, fresh: tuple[object, ...] = ()) -> HouseState:
        """Return what the house knows, with its rows.

        Args:
            house: as it is; it is not changed.
            fresh: what the last fact brought that no table knows.

        Raises:
            LookedInto: it has no name, or there are too many, or a duty is pending there that any
                fact may break.
        """
        pending = house.staff.alone is not None or house.opened is None
        if pending or house.submission is not house.judged_last:
            raise LookedInto
        blank: Any = copied(house, self._office)
        blank.patrons, blank.patrons_known = self._patrons, self._who
        parts, unknowns = name_and_unknowns(blank, fresh, by_key=True)
        name = parts, id(house.submission)  # the engine asks which one it is

        def make() -> HouseState:  # of who sits there nothing is known
            return HouseState(blank, self._usual, is_known=unknowns == 1)

        return kept_state(self._states, name, make, STATES)

    def step(self, before: HouseState, body: Body) -> HouseStep | None:
        """Return what a fact does; None: it falls back.

        Args:
            before: what the house knew.
            body: what the fact says.
        """
        rows = before.rows[body.kind]
        parts = body.parts(rows.needed)
        step: HouseStep | None
        if parts in rows.by_parts:
            step = rows.by_parts[parts]
        elif not before.house.minds(body.kind):
            step = rows.by_parts[parts] = HouseStep(before, is_written=False)
        else:
            step = before.rows.add(body, lambda needed: self._run(before, body, needed))
        return step

    def _run(self, before: HouseState, body: Body, needed: Needed) -> HouseStep | None:
        moment = Within(self._first, self._last)
        fact = partial_fact(body, needed, moment)
        after: Any = copied(before.house, self._office)
        patrons = after.patrons = WriteOnly()
        standing: Any = Unlooked()
        if not is_kept([*after.take(self._rules, fact, standing)]):
            return None
        if after.patrons is not patrons:
            return None
        after.patrons, after.patrons_known = before.house.patrons, before.house.patrons_known
        if is_as_before(before.house, after):
            return HouseStep(before, patrons.is_written)
        return HouseStep(self.state(after, (fact.stream, fact.seq, moment)), patrons.is_written)


def is_kept(breaches: Sequence[Breach]) -> bool:
    """Whether a fact keeps every duty of the house."""
    return not breaches
