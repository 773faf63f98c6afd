"""What facts of a round do to the house's side of a table, made from ``TableHouse`` itself.

As for rooms, the readable code is run on partial facts, and on a partial house
(``house_parts.py``): who sits at the table and how many wagers lie there may be written and never
read. A fact that breaks a duty there, or of which more would have to be known, has no row.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, Literal, NamedTuple

from ledger.events import Fact
from ledger.games.room import Breach, Rules
from ledger.house import TableHouse
from ledger.house.table import MINDS
from ledger.rounds.copying import copied
from ledger.rounds.in_order.house_parts import (
    UNSET,
    beside_staff,
    check_apart,
    contents,
    groups,
    missing_part,
    partial_house,
    paths,
    places,
    whole,
)
from ledger.rounds.in_order.partial_facts import (
    Asking,
    Body,
    WholeFact,
    partial_fact,
    with_needed,
)
from ledger.rounds.in_order.rows_of_kind import Mattered, Part, RowsOfKind
from ledger.rounds.in_order.state_names import is_as_before, kept_state, name_and_unknowns
from ledger.rounds.in_order.unlooked import LookedInto, Unlooked, Within, WriteOnly

STATES: Final = 2_000
"""The most states of one table's house that are kept for a stretch."""
ROWS: Final = 20_000
"""The most rows that are kept of one table's house; who would need another one falls back."""

OF_STAKES: Final = ("limits", "filing_sure")
"""The fields of the house by which a stake is judged; who reads another one is refused."""


class Stakes:
    """What of a house judges a stake; nothing else can be read of it.

    Args:
        parts: of the house.

    Attributes:
        house: a house of which only this is there.
        usual: the one that stands for all that judge alike; None until a table of wagers asks.
    """

    __slots__ = ("house", "usual")

    def __init__(self, parts: tuple[Part, ...]) -> None:
        self.usual: Stakes | None = None
        self.house: Any = object.__new__(TableHouse)
        for name in OF_STAKES:
            kind = groups().get(name)
            if kind is not None:
                setattr(self.house, name, object.__new__(kind))
        for number in of_stakes():
            *group, name = paths()[number]
            whole = getattr(self.house, group[0]) if group else self.house
            setattr(whole, name, parts[number].content)


@cache
def of_stakes() -> tuple[int, ...]:
    """The numbers of the parts by which a stake is judged."""
    return tuple(number for number, path in enumerate(paths()) if path[0] in OF_STAKES)


class HouseState:
    """What the house knows at a moment, with what facts do to it.

    Attributes:
        parts: it, as ``house_parts`` takes it apart; who sits and works there is left out.
        is_known: it holds nothing of facts that no table knows.
        by_body: what a fact does, by number of its body, as far as asked; False: it falls back.
        laid: wagers as they are laid, by whether something of the outcome can be seen and by number
            of the body, as far as asked; False: it falls back.
        stakes: what of it judges a stake.
    """

    __slots__ = ("by_body", "is_known", "laid", "parts", "stakes")

    def __init__(self, parts: tuple[Part, ...], stakes: Stakes) -> None:
        self.parts, self.stakes = parts, stakes
        self.is_known = all(part.is_known for part in parts)
        self.by_body: dict[int, HouseStep | Literal[False]] = {}
        self.laid: tuple[dict[int, Any], dict[int, Any]] = ({}, {})


class HouseStep(NamedTuple):
    """What a fact that is in order does to the house.

    Attributes:
        state: the house after it.
        is_written: it changes who sits or works there, or is a whole fact, which stays known; it
            must be done for real.
    """

    state: HouseState
    is_written: bool


class Effect(NamedTuple):
    """A row: what a fact changes.

    Attributes:
        written: the parts that are other ones after it, by their numbers.
        is_written: as in ``HouseStep``.
    """

    written: tuple[tuple[int, Part], ...]
    is_written: bool


class HouseTable:
    """What facts do to the house of one table while rules and office stay as they are.

    Args:
        house: of the table.
        rules: those in force.
        first, last: the moments between which all facts lie, microseconds UTC.
        mattered: what mattered at other tables of the game.
    """

    def __init__(
        self, house: TableHouse, rules: Rules, first: int, last: int, mattered: Mattered
    ) -> None:
        self.mattered = mattered
        self._rules, self._first, self._last = rules, first, last
        self._office = house.office
        self._states: dict[Any, HouseState] = {}
        self._stakes: dict[tuple[Part, ...], Stakes] = {}
        self._parts: list[dict[Any, Part]] = [{} for _ in paths()]
        self._rows: dict[type[Fact], RowsOfKind[Effect]] = {}
        self._count = 0
        self._who = Unlooked()  # whether it is known who sits there, in every state

    def state(self, house: TableHouse, like: HouseState | None = None) -> HouseState:
        """Return what the house knows, with its rows.

        Args:
            house: as it is; it is not changed.
            like: a state of a house of which this one is a copy; None where it is none.

        Raises:
            LookedInto: it has no name, or there are too many, or a duty is pending there that any
                fact may break.
        """
        if like is None:
            check_apart(house)
            before: tuple[Part | None, ...] = (None,) * len(paths())
        else:
            before = like.parts
        parts = [
            part
            if part is not None and is_as_before(part.content, content)
            else self._part(number, content)
            for number, (part, content) in enumerate(zip(before, whole(house), strict=True))
        ]
        return self._state(tuple(parts))

    def _part(self, number: int, content: Any) -> Part:
        """Return what stands in a place."""
        name, unknowns = name_and_unknowns(content, by_key=True)
        parts = self._parts[number]
        part = None if unknowns else parts.get(name)
        if part is None:  # the house from which it comes may change later on
            part = Part(copied(content, self._office), is_known=not unknowns)
        if part.is_known:  # nothing is like another one
            parts[name] = part
        return part

    def _state(self, parts: tuple[Part, ...]) -> HouseState:
        if content_of(parts, "staff", "alone") is not None or content_of(parts, "opened") is None:
            raise LookedInto
        if content_of(parts, "submission") is not content_of(parts, "judged_last"):
            raise LookedInto
        return kept_state(self._states, parts, lambda: self._make(parts), STATES)

    def _make(self, parts: tuple[Part, ...]) -> HouseState:
        judging = tuple(parts[number] for number in of_stakes())
        stakes = self._stakes.get(judging)
        if stakes is None:
            stakes = self._stakes[judging] = Stakes(parts)
        return HouseState(parts, stakes)

    def step(self, before: HouseState, body: Body | WholeFact) -> HouseStep | None:
        """Return what a fact does; None: it falls back.

        Args:
            before: what the house knew.
            body: what the fact says; of a whole fact everything is known, and so is what it leaves.
        """
        if body.kind not in MINDS:  # nothing is pending, see ``_state``
            return HouseStep(before, is_written=False)
        rows = self._rows.get(body.kind)
        if rows is None:
            rows = self._rows[body.kind] = self.mattered.rows(body.kind)
        known = rows.effects.get(rows.key(before.parts, body))
        effect = known or self._add(rows, before, body)
        if effect is None:
            return None
        if not effect.written:
            return HouseStep(before, effect.is_written)
        parts = [*before.parts]
        for number, part in effect.written:
            parts[number] = part
        try:
            return HouseStep(self._state(tuple(parts)), effect.is_written)
        except LookedInto:
            return None

    def _add(
        self, rows: RowsOfKind[Effect], before: HouseState, body: Body | WholeFact
    ) -> Effect | None:
        """Make the row of a fact."""
        looked = {*rows.looked}

        def run(asking: Asking) -> Effect | None:
            while True:
                house = partial_house(before.parts, looked, self._office)
                try:
                    fact = partial_fact(body, asking, moment)
                    effect = self._run(house, before, looked, fact)
                    if effect is None or isinstance(body, Body):
                        return effect
                    return effect._replace(is_written=True)
                except AttributeError as missing:
                    part = missing_part(house, missing)
                    if part is None or part in looked:
                        raise
                    looked.add(part)

        moment = Within(self._first, self._last)
        needed, effect = with_needed(run, rows.needed, body.fact)
        if effect is None or self._count >= ROWS:
            return None
        rows.widen(needed, looked)
        self.mattered.learn(body.kind, rows)
        rows.effects[rows.key(before.parts, body)] = effect
        self._count += 1
        return effect

    def _run(self, house: Any, before: HouseState, looked: set[int], fact: Any) -> Effect | None:
        patrons = house.patrons = WriteOnly()
        house.patrons_known = self._who
        standing: Any = Unlooked()
        if not is_kept([*house.take(self._rules, fact, standing)]):
            return None
        if house.patrons is not patrons:
            return None
        written = []
        for number, content in enumerate(contents(house)):
            if content is UNSET:
                continue
            if number not in looked or not is_as_before(before.parts[number].content, content):
                written.append((number, self._part(number, content)))
        if any(number in beside_staff() for number, _ in written):
            return None
        return Effect(tuple(written), patrons.is_written)


def content_of(parts: tuple[Part, ...], *path: str) -> Any:
    """Return what stands in a place of a house."""
    return parts[places()[path]].content


def is_kept(breaches: Sequence[Breach]) -> bool:
    """Whether a fact keeps every duty of the house."""
    return not breaches
