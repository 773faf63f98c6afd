"""The transitions of a room, made from its own ``decide``, ``evolve`` and ``close``.

A row says: in a state with these parts, a fact of this kind with these parts writes those fields of
the state, and either nothing is ruled, or the round is decided, or settlements must be complete.
Rows are made when they are first asked for, by running the room on a partial fact and on a state
that is watched (``room_parts.py``); a fact on which the room rules anything else, or of which it
would have to know more, has no row, and its round falls back.
"""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any, Final, Literal, NamedTuple

from ledger.events import Fact
from ledger.games.room import (
    Annulled,
    Decided,
    Filed,
    Multiplied,
    Requires,
    Returned,
    Rules,
    Ruling,
)
from ledger.kernel import FactRef
from ledger.rounds.in_order.partial_facts import (
    HIDDEN,
    Asking,
    Body,
    Needed,
    partial_fact,
    with_needed,
)
from ledger.rounds.in_order.room_parts import watched, whole, with_own_unknowns, written
from ledger.rounds.in_order.rows_of_kind import Part, RowsOfKind
from ledger.rounds.in_order.state_names import kept_state, name_and_unknowns, name_of
from ledger.rounds.in_order.unlooked import LookedInto, Moment, Unlooked

STATES: Final = 50_000
"""The most states of a room that are kept; a state beyond them has no row."""
ROWS: Final = 100_000
"""The most rows that are kept of a room; who would need another one falls back."""


Decision = Decided | Returned
"""What decides a round: an outcome, or that every wager goes back."""


class Transition(NamedTuple):
    """What a fact leads to that is in order.

    Attributes:
        state: the state after it.
        decided: what it decides; its ``fact`` stands for the fact itself.
        requires: settlements must be complete by now.
    """

    state: RoomState
    decided: Decision | None
    requires: bool


class Effect(NamedTuple):
    """A row: what a fact changes.

    Attributes:
        written: the fields that hold something else after it, by their numbers.
        decided, requires: as in ``Transition``.
        is_shared: it is the same at every table, whatever names the state holds.
    """

    written: tuple[tuple[int, Part], ...]
    decided: Decision | None
    requires: bool
    is_shared: bool


class RoomState:
    """A state of a room.

    Args:
        kind: the class of the room's states.
        parts: it, field by field.
        named: the numbers of the fields that hold names of one table's things.

    Attributes:
        state: it as a whole.
        betting_open, knowable: what the engine asks of any room's state.
        shared, names: its parts beside those fields, and those in them.
        number: as ``RowNumbers.room`` gives it; None until it is asked.
        by_body: what a fact leads to, by number of its body, as far as asked; False: it falls back.
        closes: whether nothing is owed if the round ends in it; None until it is asked.
    """

    __slots__ = (
        "betting_open", "by_body", "closes", "knowable", "names", "number", "parts", "shared",
        "state",
    )  # fmt: skip

    def __init__(self, kind: type[Any], parts: tuple[Part, ...], named: frozenset[int]) -> None:
        looked: set[int] = set()
        asked = watched(kind, parts, looked)
        self.betting_open, self.knowable = bool(asked.betting_open), bool(asked.knowable)
        if looked & named:  # else it would have to be asked at each table
            raise LookedInto
        self.parts = parts
        self.state = whole(kind, parts)
        self.shared = tuple([part for number, part in enumerate(parts) if number not in named])
        self.names = tuple([parts[number] for number in sorted(named)])
        self.number: int | None = None
        self.by_body: dict[int, Transition | Literal[False]] = {}
        self.closes: bool | None = None


class RoomTable:
    """The transitions of one room under one filing.

    Args:
        rules: law and filing joined; on which gaming day must not matter.

    Attributes:
        rows_kept: how many rows were made.
        named: the numbers of the fields that hold names of one table's things.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.room = rules.room
        self.undated: Any = object.__new__(Rules)
        """The rules without their day and the name of their filing: who asks for it is refused."""
        for field in fields(Rules):
            if field.name != "day":
                object.__setattr__(self.undated, field.name, getattr(rules, field.name))
        if rules.filed is not None:
            object.__setattr__(self.undated, "filed", unnamed(rules.filed))
        kind: Any = type(self.room.initial)
        self._kind = kind
        self.named = frozenset(
            number
            for number, name in enumerate(kind._fields)
            if holds_a_name(self.room.initial, name)
        )
        self._states: dict[tuple[Part, ...], RoomState] = {}
        self._parts: list[dict[Any, Part]] = [{} for _ in kind._fields]
        self._rows: dict[type[Fact], RowsOfKind[Effect]] = {}
        self.rows_kept = 0
        self._decisions: dict[Any, Decision] = {}

    def fits(self, rules: Rules) -> bool:
        """Whether it was made for these rules, whatever their day and the name of their filing."""
        return (
            rules.room is self.room
            and rules.filing_known == self.rules.filing_known
            and is_filed_alike(rules.filed, self.rules.filed)
            and rules.chosen == self.rules.chosen
        )

    def state(self, state: Any) -> RoomState:
        """Return a state of the room with its rows.

        Args:
            state: as the room made it.

        Raises:
            LookedInto: it has no name, or there are too many.
        """
        return self._state(tuple([self._part(number, part) for number, part in enumerate(state)]))

    def _state(self, parts: tuple[Part, ...]) -> RoomState:
        return kept_state(self._states, parts, lambda: self._new(parts), STATES)

    def _new(self, parts: tuple[Part, ...]) -> RoomState:
        return RoomState(self._kind, parts, self.named)

    def joined(self, shared: tuple[Part, ...], names: tuple[Part, ...]) -> RoomState:
        """Return the state of these parts; beyond the most that are kept it is another each time.

        Args:
            shared, names: as in ``RoomState``.
        """
        own, others = iter(names), iter(shared)
        parts = tuple(
            [next(own if number in self.named else others) for number in range(len(self._parts))]
        )
        try:
            return self._state(parts)
        except LookedInto:
            return self._new(parts)

    def _part(self, number: int, content: Any) -> Part:
        """Return what stands in a field."""
        name, unknowns = name_and_unknowns(content)
        part = self._parts[number].get(name)
        if part is None:
            own = with_own_unknowns(content) if unknowns else content
            part = self._parts[number][name] = Part(own, is_known=not unknowns)
        return part

    def rows(self, kind: type[Fact]) -> RowsOfKind[Effect]:
        """Return the rows of a kind of fact that were made so far."""
        rows = self._rows.get(kind)
        if rows is None:
            rows = self._rows[kind] = RowsOfKind()
        return rows

    def effect(self, before: RoomState, body: Body) -> Effect | None:
        """Return what a fact changes; arguments and None as for ``step``."""
        rows = self.rows(body.kind)
        return rows.effects.get(rows.key(before, body)) or self._add(rows, before, body)

    def after(self, before: RoomState, effect: Effect) -> RoomState | None:
        """Return the state after an effect; None: there are too many."""
        if not effect.written:
            return before
        parts = [*before.parts]
        for number, part in effect.written:
            parts[number] = part
        try:
            return self._state(tuple(parts))
        except LookedInto:
            return None

    def step(self, before: RoomState, body: Body) -> Transition | None:
        """Return what a fact leads to; None: it falls back.

        Args:
            before: the state before it.
            body: what the fact says.
        """
        effect = self.effect(before, body)
        after = None if effect is None else self.after(before, effect)
        if effect is None or after is None:
            return None
        return Transition(after, effect.decided, effect.requires)

    def _add(self, rows: RowsOfKind[Effect], before: RoomState, body: Body) -> Effect | None:
        """Make the row of a fact."""
        looked: set[int] = set()
        outcome = with_needed(
            lambda asking: self._run(before, body, asking, looked), rows.needed, body.fact
        )
        if outcome is None or outcome[1] is None or self.rows_kept >= ROWS:
            return None
        needed, effect = outcome[0], outcome[1]
        rows.widen(needed, looked)
        rows.effects[rows.key(before, body)] = effect
        self.rows_kept += 1
        return effect

    def _run(
        self, before: RoomState, body: Body, asking: Asking, looked: set[int]
    ) -> Effect | None:
        fact = partial_fact(body, asking, Moment())
        state = watched(self._kind, before.parts, looked)
        rulings = self.room.decide(self.undated, state, fact)
        after = self.room.evolve(state, fact)
        decided, requires = None, False
        for ruling in rulings:
            if isinstance(ruling, Decision) and decided is None and _is_own(ruling.fact, fact):
                decided = self._decision(ruling)
            elif type(ruling) is Requires:
                requires = True
            elif not is_kept(ruling):
                return None
            after = self.room.evolve(after, ruling)
        changed = [
            (number, part)
            for number, content in written(after)
            if (part := self._part(number, content)) is not before.parts[number]
            or number not in looked
        ]
        is_shared = self.named.isdisjoint(looked | {number for number, _ in changed})
        return Effect(tuple(changed), decided, requires, is_shared)

    def _decision(self, ruling: Decision) -> Decision:
        """Return the one ruling that stands for all that decide alike; it is kept."""
        parts = [getattr(ruling, field.name) for field in fields(ruling) if field.name != "fact"]
        name = type(ruling), name_of(tuple(parts))
        leaves = isinstance(ruling, Decided) and ruling.leaves
        if len(self._decisions) >= STATES or leaves:
            raise LookedInto
        return self._decisions.setdefault(name, ruling)

    def closes(self, state: RoomState) -> bool:
        """Whether a round that ends in this state leaves nothing owed."""
        if state.closes is None:
            last = FactRef(Unlooked(), Unlooked())  # type: ignore[arg-type]
            looked: set[int] = set()
            try:
                asked = watched(self._kind, state.parts, looked)
                owed = self.room.close(self.undated, asked, last)
                state.closes = not owed and self.named.isdisjoint(looked)  # alike at every table
            except (LookedInto, AttributeError):
                state.closes = False
        return state.closes


def holds_a_name(initial: Any, field: str) -> bool:
    """Whether a field of a room's states holds the name of a table's thing.

    That is one that is declared to hold texts and was never stated at first. Rows are right
    whichever fields these are; where they have to do with one they are made for each table.

    Args:
        initial: the first state of the room.
        field: its name.
    """
    is_text = re.search(r"\bstr\b", str(type(initial).__annotations__[field])) is not None
    return is_text and getattr(initial, field) in (None, "")


NAMES_OF_FILING: Final = frozenset({"submission", "fact"})
"""What tells one submission from another that files the same."""


def unnamed(filed: Filed) -> Filed:
    """Return a filing of which nobody can ask which submission it is."""
    out: Filed = object.__new__(Filed)
    for field in fields(Filed):
        if field.name not in NAMES_OF_FILING:
            object.__setattr__(out, field.name, getattr(filed, field.name))
    return out


def is_filed_alike(filed: Filed | None, other: Filed | None) -> bool:
    """Whether two submissions file the same."""
    if filed is None or other is None:
        return filed is other
    names = [field.name for field in fields(Filed) if field.name not in NAMES_OF_FILING]
    return all(getattr(filed, name) == getattr(other, name) for name in names)


def is_kept(ruling: Ruling) -> bool:
    """Whether a ruling leaves a round in order that neither decides it nor asks for settlements.

    One that says that something more is to come before the round is decided does: nothing is
    touched meanwhile, and the round must be decided in the end. A breach is a finding, and whatever
    else a room may rule is for the readable engine.
    """
    return isinstance(ruling, Annulled | Multiplied)


def needed_of_all(body: Body) -> Needed:
    """Every field of a fact that a table may know, and of its parts."""
    found_fields: set[tuple[tuple[type[Any], str], Literal["exactly"]]] = set()
    pending: list[Any] = [body.fact]
    while pending:
        part = pending.pop()
        if type(part) is tuple:
            pending += part
        elif hasattr(type(part), "__dataclass_fields__"):
            for field in fields(part):
                if part is not body.fact or field.name not in HIDDEN:
                    found_fields.add(((type(part), field.name), "exactly"))
                    pending.append(getattr(part, field.name))
    return frozenset(found_fields)


def _is_own(ref: FactRef, fact: Fact) -> bool:
    return ref.stream is fact.stream and ref.seq is fact.seq
