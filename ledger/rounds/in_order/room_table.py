"""The transitions of a room, made from its own ``decide``, ``evolve`` and ``close``.

A row says: in a state with these parts, a fact of this kind with these parts writes those fields of
the state, and either nothing is ruled, or the round is decided, or settlements must be complete.
Rows are made when they are first asked for, by running the room on a partial fact and on a state
that is watched (``room_parts.py``); a fact on which the room rules anything else, or of which it
would have to know more, has no row, and its round falls back.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import fields, replace
from functools import cache
from typing import Any, Final, Literal, NamedTuple

from ledger.events import Fact
from ledger.games.room import (
    Annulled,
    Apart,
    Decided,
    DecidedSome,
    Filed,
    Multiplied,
    Requires,
    Room,
    Rules,
    Ruling,
    State,
    Throws,
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
from ledger.rounds.in_order.room_parts import (
    KEPT,
    Shows,
    StandIn,
    is_as_expected,
    noted,
    stakes_fields,
    watched,
    whole,
    with_own_unknowns,
    without_stakes,
    written,
)
from ledger.rounds.in_order.room_rows import (
    MOST_DECIDED,
    Agreement,
    Decision,
    Effect,
    Looked,
    RoomRows,
)
from ledger.rounds.in_order.rows_of_kind import Part
from ledger.rounds.in_order.stakes_seen import (
    NO_SIGNS,
    SIGNS,
    Layout,
    Signs,
    StakesSeen,
    asked_of,
    expected,
    parts_of_signs,
    sign_part,
)
from ledger.rounds.in_order.state_names import is_partial, kept_state, name_and_unknowns, name_of
from ledger.rounds.in_order.unlooked import LookedInto, Moment, Unlooked

STATES: Final = 50_000
"""The most states of a room that are kept; a state beyond them has no row."""
ROWS: Final = 100_000
"""The most rows that are kept of a room; who would need another one falls back."""


NOTHING_SHOWN: Final = Part(Unlooked(), is_known=False)
"""Stands for what a throw shows that no table knows."""
AS_RECORDED: Final = Part(KEPT, is_known=False)
"""Stands for what the fact itself shows, in a field that keeps it."""


class Transition(NamedTuple):
    """What a fact leads to that is in order.

    Attributes:
        state: the state after it.
        effect: its row.
        is_plain: it only writes: it decides nothing, asks for no settlement, and is no throw that
            pends.
    """

    state: RoomState
    effect: Effect
    is_plain: bool


class RoomState:
    """A state of a room.

    Args:
        state: it as a whole, without the wagers on the layout.
        parts: it, field by field.
        stands: what the engine asks of any room's state, as ``RoomTable.stands`` tells it.

    Attributes:
        betting_open, knowable: of this, whether wagers may be placed, and whether something of the
            outcome can be seen.
        numbers: the numbers of its parts (``RowNumbers.room``); None until they are asked for.
        by_body: what a fact leads to, by number of its body, or by that and the signs of the
            layout, as far as asked; False: it falls back.
        closes: whether nothing is owed if the round ends in it; None until it is asked.
    """

    __slots__ = (
        "betting_open", "by_body", "closes", "knowable", "numbers", "parts", "stands", "state",
    )  # fmt: skip

    def __init__(self, state: Any, parts: tuple[Part, ...], stands: int) -> None:
        self.state, self.parts, self.stands = state, parts, stands
        self.betting_open, self.knowable = bool(stands & IS_OPEN), bool(stands & IS_KNOWABLE)
        self.numbers: Any = None
        self.by_body: dict[Any, Transition | Literal[False]] = {}
        self.closes: bool | None = None

    def is_open_to(self, wager: int) -> bool:
        """Whether a wager may be touched whose kind has this number (``RoomTable.wager_numbers``).

        Only where wagers close apart from one another.
        """
        return bool(self.stands >> (wager + OPEN_TO) & 1)


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
        width: how many fields these have, with the signs of the layout where a room asks, and with
            what the last throw shows: from ``shown_at`` on, and from ``compared_at`` on whether the
            fact that comes agrees with it.
        asks_of_layout: this room asks for signs of the wagers that lie there.
        closes_apart: its wagers do not all close together.
        wager_numbers: a number for each of its wagers, where they close apart.
        asked_of: the wagers of which it asks whether any lies there.
        pending_in, last_in: the numbers of the fields with the throw that is pending, and with the
            last one; None without any.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.room = rules.room
        self.undated = undated(rules, self.room)
        kind: Any = type(self.room.initial)
        self.kind = kind
        self.asks_of_layout = bool(stakes_fields(kind))
        throws = self.throws = self.room.throws
        self.shown_at = len(kind._fields) + SIGNS * self.asks_of_layout
        self.compared_at = self.shown_at + (0 if throws is None else len(throws.shown))
        self.width = self.compared_at + (throws is not None)
        self.closes_apart = self.room.closed_to is not None
        names = [row.name for row in self.room.wagers] if self.closes_apart else []
        self.wager_numbers = {name: number for number, name in enumerate(names)}
        self.asked_of = asked_of(self.room)
        self.pending_in = None if throws is None else kind._fields.index(throws.pending)
        self.last_in = None if throws is None else kind._fields.index(throws.last)
        self._shown_by: dict[Part, tuple[Part, ...]] = {}
        self._compared: dict[type[Fact], RoomRows[Agreement]] = {}
        self._without_apart = undated(rules, self._room_without_apart())
        """The same rules with a room whose ``apart`` rules nothing: it is asked by itself."""
        self._kept: dict[Any, Part] = {}
        self._kept_needed: dict[Any, Needed] = {}
        self._states: dict[tuple[Part, ...], RoomState] = {}
        self._parts: list[dict[Any, Part]] = [{} for _ in kind._fields]
        self._rows: dict[type[Fact], RoomRows[Effect]] = {}
        self.rows_kept = 0
        self._decisions: dict[Any, Decision] = {}

    def _room_without_apart(self) -> Room:
        """The room with other rules in ``apart``, which rule nothing.

        They see that nothing was changed yet of what the rules would read in their place.
        """
        if not self.room.apart:
            return self.room
        apart = {
            kind: tuple([Apart(self._unchanged(each.reads), each.reads) for each in rules])
            for kind, rules in self.room.apart.items()
        }
        return replace(self.room, apart=apart)

    def _unchanged(self, reads: frozenset[str]) -> Any:
        places = [self.kind._fields.index(name) for name in reads]

        def rule(_rules: Rules, state: State, _fact: Fact) -> tuple[Ruling, ...]:
            parts: Any = state
            for place in places:
                part = tuple.__getitem__(parts, place)
                if type(part) is not StandIn or part.number != place:
                    raise LookedInto
            return ()

        return rule

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
        return RoomState(whole(self.kind, parts), parts, self.stands(parts).answer)

    def stands(self, parts: tuple[Part, ...]) -> Asked:
        """Return what the engine asks of any room's state: ``IS_OPEN`` and ``IS_KNOWABLE``.

        From ``OPEN_TO`` on, a bit for each wager, where they close apart: while nothing decided it,
        it may be made and lifted.
        """
        looked: set[int] = set()
        asked = watched(self.room, parts, looked)
        answer = IS_OPEN * bool(asked.betting_open) + IS_KNOWABLE * bool(asked.knowable)
        closed_to = self.room.closed_to
        for name, number in self.wager_numbers.items():
            if closed_to is not None and closed_to(asked, name, False) is None:
                answer |= 1 << number + OPEN_TO
        return Asked(answer, frozenset(looked))

    def _part(self, number: int, content: Any) -> Part:
        """Return what stands in a field."""
        if content is KEPT:
            return AS_RECORDED
        name, unknowns = name_and_unknowns(content)
        part = self._parts[number].get(name)
        if part is None:
            own = with_own_unknowns(content) if unknowns else content
            is_known = not (unknowns or is_partial(content))
            part = self._parts[number][name] = Part(own, is_known=is_known)
            if self.throws is not None and number == self.last_in:
                self._shown_by[part] = self._shown(self.throws, own)
        return part

    def as_recorded(self, body: Body) -> Part:
        """Return what a fact shows that a room keeps: all but who made it, and with which thing."""
        holds = body.kind, *[type(part[0]) for part in tuples_in(body.fact) if part]
        needed = self._kept_needed.get(holds)
        if needed is None:
            needed = self._kept_needed[holds] = needed_of_all(body, TOLD_APART)
        shows = holds, body.parts(needed)
        known = self._kept.get(shows)
        if known is None:
            assert self.last_in is not None
            fact = partial_fact(body, Asking(needed), Moment())
            known = self._kept[shows] = self._part(self.last_in, fact)
        return known

    def shown_by(self, last: Part) -> tuple[Part, ...]:
        """Return what a part shows that stands in the field of the last throw; others nothing."""
        return self._shown_by.get(last, ())

    def _shown(self, throws: Throws, last: Any) -> tuple[Part, ...]:
        """What a last throw shows."""
        place = self.kind._fields.index(throws.last)
        initial: Any = self.room.initial
        fields = [*initial]
        fields[place] = last
        state = tuple.__new__(self.kind, fields)
        try:
            return tuple([sign_part(getattr(state, name)) for name in throws.shown])
        except (AttributeError, LookedInto):  # it hangs on what is not kept
            return (NOTHING_SHOWN,) * len(throws.shown)

    def agrees(self, parts: Sequence[Part], body: Body) -> bool | None:
        """Return whether a fact agrees with the last throw; None: it falls back."""
        rows = self.compared_rows(body.kind)
        known = rows.row(parts, body)
        if known is None and self._compare(rows, tuple(parts), body):
            known = rows.row(parts, body)
        return known[0].is_so if known is not None and known[0] else None

    def _compare(self, rows: RoomRows[Agreement], parts: tuple[Part, ...], body: Body) -> bool:
        """Make the row by which a fact is compared; return whether there is room for it."""
        looked: set[int] = set()

        def run(asking: Asking) -> Agreement:
            assert self.throws is not None
            fact = partial_fact(body, asking, Moment(), body.shown)
            compare = getattr(watched(self.room, parts, looked), self.throws.compared[body.kind])
            return Agreement(bool(compare(fact)))

        needed, agreement = with_needed(run, rows.needed, body.fact, body.shown)
        if self.rows_kept >= ROWS:
            return False
        rows.add(parts, body, needed, looked, agreement or False)
        self.rows_kept += 1
        return True

    def compared_rows(self, kind: type[Fact]) -> RoomRows[Agreement]:
        """Return the rows by which a kind of fact is compared."""
        rows = self._compared.get(kind)
        if rows is None:
            rows = self._compared[kind] = RoomRows(most=1)
        return rows

    def rows(self, kind: type[Fact]) -> RoomRows[Effect]:
        """Return the rows of a kind of fact that were made so far."""
        rows = self._rows.get(kind)
        if rows is None:
            rows = self._rows[kind] = RoomRows()
        return rows

    def effect(self, parts: Sequence[Part], body: Body, signs: Signs = NO_SIGNS) -> Effect | None:
        """Return what a fact changes; arguments as those of ``row``, None as for ``step``."""
        row = self.row(parts, body, signs)
        return None if row is None else row[0] or None

    def row(
        self, parts: Sequence[Part], body: Body, signs: Signs = NO_SIGNS
    ) -> tuple[Effect | Literal[False], Looked] | None:
        """Return what a fact changes, and by which fields that was found.

        None where it falls back and there is no row of it; False where there is one.

        Args:
            parts: of the state before it.
            body: what the fact says.
            signs: those of the wagers on the layout (``stakes_seen``).
        """
        before = (*parts, *parts_of_signs(signs)) if self.asks_of_layout else tuple(parts)
        if self.throws is not None and self.last_in is not None:
            agrees: bool | None = False
            if body.kind in self.throws.compared:
                agrees = self.agrees(parts, body)
                if agrees is None:
                    return None
            before = (*before, *self.shown_by(parts[self.last_in]), sign_part(agrees))
        rows = self.rows(body.kind)
        known = rows.row(before, body)
        if known is None and self._add(rows, before, body, signs):
            known = rows.row(before, body)
        return known

    def after(self, before: RoomState, effect: Effect, body: Body) -> RoomState:
        """Return the state after an effect; beyond the most that are kept it is not kept."""
        if not effect.written:
            return before
        parts = [*before.parts]
        for number, part in effect.written:
            parts[number] = self.as_recorded(body) if part is AS_RECORDED else part
        return self.joined(tuple(parts))

    def step(self, before: RoomState, body: Body, signs: Signs = NO_SIGNS) -> Transition | None:
        """Return what a fact leads to; None: it falls back.

        Args:
            before: the state before it.
            body, signs: as for ``effect``.
        """
        effect = self.effect(before.parts, body, signs)
        if effect is None:
            return None
        try:
            return Transition(self.after(before, effect, body), effect, effect.is_plain)
        except LookedInto:  # whether betting is open there hangs on what no table knows
            return None

    def _add(
        self, rows: RoomRows[Effect], before: tuple[Part, ...], body: Body, signs: Signs
    ) -> bool:
        """Make the row of a fact; return whether there is room for it."""
        looked: set[int] = set()
        needed, effect = with_needed(
            lambda asking: self._run(before, body, asking, looked, signs),
            rows.needed,
            body.fact,
            body.shown,
        )
        if self.rows_kept >= ROWS:
            return False
        rows.add(before, body, needed, looked, effect or False)
        self.rows_kept += 1
        return True

    def _run(
        self, before: tuple[Part, ...], body: Body, asking: Asking, looked: set[int], signs: Signs
    ) -> Effect | None:
        fact = partial_fact(body, asking, Moment(), body.shown)
        parts = before[: len(self.kind._fields)]
        is_placed = body.position is not None
        layout = Layout(self.room, signs, fact, looked, len(parts), is_placed=is_placed)
        shows = None if self.throws is None else self._shows(self.throws, before, fact)
        state = watched(self.room, parts, looked, StakesSeen(layout), shows)
        rulings = self.room.decide(self._without_apart, state, fact)
        after = self.room.evolve(state, fact)
        pending = None if self.pending_in is None else parts[self.pending_in].content
        ruled = self.found(rulings, pending, fact)
        if ruled is None:
            return None
        for ruling in rulings:
            after = self.room.evolve(after, ruling)
        if self.asks_of_layout and not self._lie_as_expected(after, fact, ruled.decided, layout):
            return None
        contents = written(after, fact, self.last_in)
        changed = [
            (number, part)
            for number, content in contents
            if (part := self._part(number, without_stakes(content))) is not parts[number]
            or number not in looked
        ]
        note = noted(after)
        return ruled._replace(
            written=tuple(changed),
            overwritten=frozenset(number for number, _ in changed if number not in looked),
            pends=any(
                pends(pending, fact) for number, pending in contents if number == self.pending_in
            ),
            noted=None if note is None else sign_part(note),
        )

    def _shows(self, throws: Throws, before: tuple[Part, ...], fact: Fact) -> Shows:
        """What the last throw shows, as a trial run asks it."""
        at, name = self.shown_at, throws.compared.get(type(fact))
        parts = {
            shown: (place, before[place].content) for place, shown in enumerate(throws.shown, at)
        }
        agrees = self.compared_at, bool(before[self.compared_at].content)
        return Shows(parts, {} if name is None else {name: agrees}, fact)

    def found(
        self, rulings: tuple[Ruling, ...], pending: FactRef | None, fact: Fact
    ) -> Effect | None:
        """Return what a fact decides and asks for, written or not; None where it falls back.

        Args:
            rulings: on the fact.
            pending: the key of the throw that was pending before it.
            fact: it.

        Raises:
            LookedInto: another throw decides, or this cannot be kept.
        """
        decided: Decision | None = None
        some: list[tuple[frozenset[str], Decision]] = []
        by, requires = set(), False
        for ruling in rulings:
            of_some = isinstance(ruling, DecidedSome)
            deciding = ruling.by if isinstance(ruling, DecidedSome) else ruling
            if isinstance(deciding, Decision) and (of_some or decided is None):
                by.add(_is_by_throw(deciding.fact, pending, fact))
                if isinstance(ruling, DecidedSome):
                    some.append((ruling.wagers, self._decision(deciding, "fact", "detail")))
                else:
                    decided = self._decision(deciding, "fact")
            elif type(ruling) is Requires:
                requires = True
            elif not is_kept(ruling):
                return None
        if len(by) > 1 or len(some) > MOST_DECIDED or (some and not self.closes_apart):
            return None
        return Effect((), decided, requires, frozenset(), tuple(some), is_by_throw=True in by)

    @staticmethod
    def _lie_as_expected(after: Any, fact: Fact, decided: Decision | None, layout: Layout) -> bool:
        """Whether the wagers on the layout are what whoever gives signs takes them for."""
        leaves = decided.leaves if isinstance(decided, Decided) else frozenset[str]()
        return is_as_expected(after, expected(fact, decided, layout), leaves)

    def _decision(self, ruling: Decision, *without: str) -> Decision:
        """Return the one ruling that stands for all that decide alike; it is kept.

        Args:
            ruling: any of them.
            without: the fields that do not matter. What decides some wagers alone is reported with
                each of them, and no more of it than what was shown.
        """
        names = [field.name for field in fields(ruling) if field.name not in without]
        parts = [getattr(ruling, name) for name in names]
        own, unknowns = name_and_unknowns(tuple(parts))
        name = type(ruling), len(without), own
        if unknowns or len(self._decisions) >= STATES or not self._may_leave(ruling):
            raise LookedInto
        return self._decisions.setdefault(name, ruling)

    def _may_leave(self, ruling: Decision) -> bool:
        """Whether a decision leaves no wager standing, or just the one that outlives rounds."""
        leaves = ruling.leaves if isinstance(ruling, Decided) else ()
        return not leaves or (self.asks_of_layout and set(leaves) == self.room.outlive)

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
            owed = self.room.close(self.undated, watched(self.room, parts, looked), last)
        except (LookedInto, AttributeError):
            return Asked(False, frozenset(looked))
        return Asked(not owed, frozenset(looked))


IS_OPEN, IS_KNOWABLE = 1, 2
"""What ``RoomTable.stands`` tells."""
OPEN_TO: Final = 2
"""From which bit on it tells to which wagers the layout is open."""
TOLD_APART: Final = frozenset({"serial", "thrown_by"})
"""What of a fact that a room keeps names a thing or a person; whoever asks for it falls back."""


def undated(rules: Rules, room: Room) -> Any:
    """Return rules without their day and the name of their filing: who asks for it is refused."""
    out: Any = object.__new__(Rules)
    for field in fields(Rules):
        if field.name != "day":
            object.__setattr__(out, field.name, getattr(rules, field.name))
    object.__setattr__(out, "room", room)
    if rules.filed is not None:
        object.__setattr__(out, "filed", unnamed(rules.filed))
    return out


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


def needed_of_all(body: Body, without: Collection[str] = ()) -> Needed:
    """Every field of a fact that a table may know, and of its parts, but for some names."""
    found_fields: set[tuple[tuple[type[Any], str], Literal["exactly"]]] = set()
    pending: list[Any] = [body.fact]
    while pending:
        part = pending.pop()
        if type(part) is tuple:
            pending += part
        elif hasattr(type(part), "__dataclass_fields__"):
            for field in fields(part):
                if field.name not in (without if part is not body.fact else (*HIDDEN, *without)):
                    found_fields.add(((type(part), field.name), "exactly"))
                    pending.append(getattr(part, field.name))
    return frozenset(found_fields)


@cache
def _fields_of_tuples(kind: type[Fact]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if str(field.type).startswith("tuple["))


def tuples_in(fact: Fact) -> list[tuple[Any, ...]]:
    """Return what a fact lists."""
    return [getattr(fact, name) for name in _fields_of_tuples(type(fact))]


def _is_by_throw(ref: FactRef, pending: FactRef | None, fact: Fact) -> bool:
    """Whether what decides is the throw that is pending.

    Raises:
        LookedInto: it is neither that nor the fact itself.
    """
    if _is_of(ref, fact.stream, fact.seq):
        return False
    if pending is None or not _is_of(ref, *pending):
        raise LookedInto
    return True


def pends(pending: FactRef | None, fact: Fact) -> bool:
    """Whether a fact is the throw that is pending from here on, if any is.

    Raises:
        LookedInto: another one is, which was not before.
    """
    if pending is not None and not _is_of(pending, fact.stream, fact.seq):
        raise LookedInto
    return pending is not None


def _is_of(ref: FactRef, stream: object, seq: object) -> bool:
    return ref.stream is stream and ref.seq is seq
