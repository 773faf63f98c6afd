"""The transitions of a room, made from its own ``decide``, ``evolve`` and ``close``.

A row says: in a state with these parts, a fact of this kind with these parts writes those fields of
the state, and either nothing is ruled, or the round is decided, or settlements must be complete.
Rows are made when they are first asked for, by running the room on a partial fact and on a state
that is watched (``room_parts.py``); a fact on which the room rules anything else, or of which it
would have to know more, has no row, and its round falls back.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
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
    NOTHING,
    Asking,
    Body,
    Needed,
    Parts,
    partial_fact,
    with_needed,
)
from ledger.rounds.in_order.room_parts import (
    is_as_expected,
    stakes_fields,
    watched,
    whole,
    with_own_unknowns,
    without_stakes,
    written,
)
from ledger.rounds.in_order.rows_of_kind import Part
from ledger.rounds.in_order.stakes_seen import SIGN_PARTS, SIGNS, Layout, StakesSeen, expected
from ledger.rounds.in_order.state_names import is_partial, kept_state, name_and_unknowns, name_of
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
        overwritten: the fields that it writes whatever stood there.
    """

    written: tuple[tuple[int, Part], ...]
    decided: Decision | None
    requires: bool
    overwritten: frozenset[int]


class RoomState:
    """A state of a room.

    Args:
        state: it as a whole, without the wagers on the layout.
        parts: it, field by field.
        betting_open, knowable: what the engine asks of any room's state.

    Attributes:
        numbers: the numbers of its parts (``RowNumbers.room``); None until they are asked for.
        by_body: what a fact leads to, by number of its body and by the signs of the layout, as
            far as asked; False: it falls back.
        closes: whether nothing is owed if the round ends in it; None until it is asked.
    """

    __slots__ = ("betting_open", "by_body", "closes", "knowable", "numbers", "parts", "state")

    def __init__(
        self, state: Any, parts: tuple[Part, ...], *, betting_open: bool, knowable: bool
    ) -> None:
        self.state, self.parts = state, parts
        self.betting_open, self.knowable = betting_open, knowable
        self.numbers: Any = None
        self.by_body: dict[int, Transition | Literal[False]] = {}
        self.closes: bool | None = None


class RoomRows:
    """The rows of one kind of fact: by what it says, and by what was read of the state with that.

    Attributes:
        needed: the parts of the fact that mattered so far.
        looked: by what it says, the numbers of the fields that mattered so far, rising.
        effects: by what it says and what stands in these fields; False: it falls back.
    """

    __slots__ = ("effects", "looked", "needed")

    def __init__(self) -> None:
        self.needed: Needed = NOTHING
        self.looked: dict[Parts, tuple[int, ...]] = {}
        self.effects: dict[Parts, dict[tuple[Part, ...], Effect | Literal[False]]] = {}

    def effect(self, before: Sequence[Part], body: Body) -> Effect | Literal[False] | None:
        """Return what a fact changes; None where there is no row of it."""
        says = body.parts(self.needed)
        effects = self.effects.get(says)
        if effects is None:
            return None
        return effects.get(tuple([before[place] for place in self.looked[says]]))

    def add(
        self,
        before: Sequence[Part],
        body: Body,
        needed: Needed,
        looked: Collection[int],
        effect: Effect | Literal[False],
    ) -> None:
        """Add a row. Where more matters than before, what was known by less is made again.

        Args:
            before: the state before the fact.
            body: what the fact says.
            needed, looked: the parts of the fact and the fields that were read.
            effect: what it changes; False: it falls back.
        """
        more = self.needed | needed
        if more != self.needed:
            self.needed = more
            self.looked.clear()
            self.effects.clear()
        says = body.parts(more)
        fields = tuple(sorted({*self.looked.get(says, ()), *looked}))
        if fields != self.looked.get(says):
            self.looked[says], self.effects[says] = fields, {}
        self.effects[says][tuple([before[place] for place in fields])] = effect


class Asked(NamedTuple):
    """What was asked of a state alone.

    Attributes:
        answer: to it.
        looked: the numbers of the fields that were read for it.
    """

    answer: int
    looked: frozenset[int]


class RoomTable:
    """The transitions of one room under one filing.

    Args:
        rules: law and filing joined; on which gaming day must not matter.

    Attributes:
        rows_kept: how many rows were made.
        kind: the class of the room's states.
        width: how many fields these have, with the signs of the layout where a room asks.
        asks_of_layout: this room asks for signs of the wagers that lie there.
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
        self.kind = kind
        self.asks_of_layout = bool(stakes_fields(kind))
        self.width = len(kind._fields) + SIGNS * self.asks_of_layout
        self._lasting = next(iter(self.room.outlive)) if len(self.room.outlive) == 1 else None
        self._states: dict[tuple[Part, ...], RoomState] = {}
        self._parts: list[dict[Any, Part]] = [{} for _ in kind._fields]
        self._rows: dict[type[Fact], RoomRows] = {}
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
        parts = [self._part(number, part) for number, part in enumerate(map(without_stakes, state))]
        return self._state(tuple(parts))

    def _state(self, parts: tuple[Part, ...]) -> RoomState:
        return kept_state(self._states, parts, lambda: self.of_parts(parts), STATES)

    def joined(self, parts: tuple[Part, ...]) -> RoomState:
        """Return the state of these parts; beyond the most that are kept none is kept."""
        try:
            return self._state(parts)
        except LookedInto:
            return self.of_parts(parts)

    def of_parts(self, parts: tuple[Part, ...]) -> RoomState:
        """Return a state of these parts, which is not kept."""
        stands = self.stands(parts).answer
        return RoomState(
            whole(self.kind, parts),
            parts,
            betting_open=bool(stands & IS_OPEN),
            knowable=bool(stands & IS_KNOWABLE),
        )

    def stands(self, parts: tuple[Part, ...]) -> Asked:
        """Return what the engine asks of any room's state: ``IS_OPEN`` and ``IS_KNOWABLE``."""
        looked: set[int] = set()
        asked = watched(self.kind, parts, looked)
        answer = IS_OPEN * bool(asked.betting_open) + IS_KNOWABLE * bool(asked.knowable)
        return Asked(answer, frozenset(looked))

    def _part(self, number: int, content: Any) -> Part:
        """Return what stands in a field."""
        name, unknowns = name_and_unknowns(content)
        part = self._parts[number].get(name)
        if part is None:
            own = with_own_unknowns(content) if unknowns else content
            is_known = not (unknowns or is_partial(content))
            part = self._parts[number][name] = Part(own, is_known=is_known)
        return part

    def rows(self, kind: type[Fact]) -> RoomRows:
        """Return the rows of a kind of fact that were made so far."""
        rows = self._rows.get(kind)
        if rows is None:
            rows = self._rows[kind] = RoomRows()
        return rows

    def asked_by(self, body: Body) -> tuple[Needed, tuple[int, ...]]:
        """Return by which parts of a fact, and by which fields, it is asked by now."""
        rows = self.rows(body.kind)
        return rows.needed, rows.looked.get(body.parts(rows.needed), ())

    def effect(self, parts: Sequence[Part], body: Body, signs: int = 0) -> Effect | None:
        """Return what a fact changes; None as for ``step``.

        Args:
            parts: of the state before it.
            body: what the fact says.
            signs: those of the wagers on the layout (``stakes_seen``).
        """
        before = (*parts, *SIGN_PARTS[signs]) if self.asks_of_layout else tuple(parts)
        rows = self.rows(body.kind)
        known = rows.effect(before, body)
        if known is None:
            known = self._add(rows, before, body, signs)
        return known or None

    def after(self, before: RoomState, effect: Effect) -> RoomState:
        """Return the state after an effect; beyond the most that are kept it is not kept."""
        if not effect.written:
            return before
        parts = [*before.parts]
        for number, part in effect.written:
            parts[number] = part
        return self.joined(tuple(parts))

    def step(self, before: RoomState, body: Body, signs: int = 0) -> Transition | None:
        """Return what a fact leads to; None: it falls back.

        Args:
            before: the state before it.
            body, signs: as for ``effect``.
        """
        effect = self.effect(before.parts, body, signs)
        if effect is None:
            return None
        try:
            return Transition(self.after(before, effect), effect.decided, effect.requires)
        except LookedInto:  # whether betting is open there hangs on what no table knows
            return None

    def _add(
        self, rows: RoomRows, before: tuple[Part, ...], body: Body, signs: int
    ) -> Effect | None:
        """Make the row of a fact."""
        looked: set[int] = set()
        needed, effect = with_needed(
            lambda asking: self._run(before, body, asking, looked, signs),
            rows.needed,
            body.fact,
            body.shown,
        )
        if self.rows_kept >= ROWS:
            return None
        rows.add(before, body, needed, looked, effect or False)
        self.rows_kept += 1
        return effect

    def _run(
        self, before: tuple[Part, ...], body: Body, asking: Asking, looked: set[int], signs: int
    ) -> Effect | None:
        fact = partial_fact(body, asking, Moment(), body.shown)
        parts = before[: len(self.kind._fields)]
        is_placed = body.position is not None
        layout = Layout(self._lasting, signs, fact, looked, len(parts), is_placed=is_placed)
        state = watched(self.kind, parts, looked, StakesSeen(layout))
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
        if self.asks_of_layout and not self._lie_as_expected(after, fact, decided, layout):
            return None
        changed = [
            (number, part)
            for number, content in written(after)
            if (part := self._part(number, without_stakes(content))) is not parts[number]
            or number not in looked
        ]
        overwritten = frozenset(number for number, _ in changed if number not in looked)
        return Effect(tuple(changed), decided, requires, overwritten)

    @staticmethod
    def _lie_as_expected(after: Any, fact: Fact, decided: Decision | None, layout: Layout) -> bool:
        """Whether the wagers on the layout are what whoever gives signs takes them for."""
        leaves = decided.leaves if isinstance(decided, Decided) else frozenset[str]()
        return is_as_expected(after, expected(fact, decided, layout), leaves)

    def _decision(self, ruling: Decision) -> Decision:
        """Return the one ruling that stands for all that decide alike; it is kept."""
        parts = [getattr(ruling, field.name) for field in fields(ruling) if field.name != "fact"]
        name = type(ruling), name_of(tuple(parts))
        if len(self._decisions) >= STATES or not self._may_leave(ruling):
            raise LookedInto
        return self._decisions.setdefault(name, ruling)

    def _may_leave(self, ruling: Decision) -> bool:
        """Whether a decision leaves no wager standing, or just the one that outlives rounds."""
        leaves = ruling.leaves if isinstance(ruling, Decided) else ()
        return not leaves or (self.asks_of_layout and set(leaves) == {self._lasting})

    def closes(self, state: RoomState) -> bool:
        """Whether a round that ends in this state leaves nothing owed."""
        if state.closes is None:
            state.closes = bool(self.closing(state.parts).answer)
        return state.closes

    def closing(self, parts: tuple[Part, ...]) -> Asked:
        """Return whether a round that ends in a state of these parts leaves nothing owed."""
        last = FactRef(Unlooked(), Unlooked())  # type: ignore[arg-type]
        looked: set[int] = set()
        try:
            owed = self.room.close(self.undated, watched(self.kind, parts, looked), last)
        except (LookedInto, AttributeError):
            return Asked(False, frozenset(looked))
        return Asked(not owed, frozenset(looked))


IS_OPEN, IS_KNOWABLE = 1, 2
"""What ``RoomTable.stands`` tells."""

NAMES_OF_FILING: Final = frozenset({"submission", "fact", "layout"})
"""What tells one submission from another that files the same: itself, and one table's things."""


def unnamed(filed: Filed) -> Filed:
    """Return a filing of which nobody can ask which submission it is."""
    out: Filed = object.__new__(Filed)
    for field in fields(Filed):
        if field.name not in NAMES_OF_FILING:
            object.__setattr__(out, field.name, getattr(filed, field.name))
    object.__setattr__(out, "options", tuple(map(_unnamed, filed.options)))
    return out


def _unnamed(option: Fact) -> Fact:
    """Return what was filed beside the wagers, of which nobody can ask with which submission."""
    out: Fact = object.__new__(type(option))
    for field in fields(option):
        if field.name not in HIDDEN | NAMES_OF_FILING:
            object.__setattr__(out, field.name, getattr(option, field.name))
    return out


def is_filed_alike(filed: Filed | None, other: Filed | None) -> bool:
    """Whether two submissions file the same."""
    if filed is None or other is None:
        return filed is other
    names = {field.name for field in fields(Filed)} - NAMES_OF_FILING - {"options"}
    if not all(getattr(filed, name) == getattr(other, name) for name in names):
        return False
    options = [[name_of(_unnamed(option)) for option in each.options] for each in (filed, other)]
    return options[0] == options[1]


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
