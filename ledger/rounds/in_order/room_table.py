"""The transitions of a room, made from its own ``decide``, ``evolve`` and ``close``.

A row says: in this state, a fact of this kind with these parts leads to that state, and either
nothing is ruled, or the round is decided, or settlements must be complete. Rows are made when they
are first asked for, by running the room on a partial fact; a fact on which the room rules anything
else, or of which it would have to know more, has no row, and its round falls back.
"""

from __future__ import annotations

from collections.abc import Callable
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
from ledger.games.standing_stakes import StandingStakes
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
from ledger.rounds.in_order.state_names import kept_state, name_of
from ledger.rounds.in_order.unlooked import STAKES_UNASKED, LookedInto, Moment, Unlooked

STATES: Final = 50_000
"""The most states of a room that are kept; a state beyond them has no row."""


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


class Rows:
    """The rows of one state and one kind of fact, by the parts that were found to matter.

    Args:
        needed: the parts to begin with: those that mattered in other states. More than matter are
            no harm: there are more rows then.
    """

    __slots__ = ("by_parts", "needed")

    def __init__(self, needed: Needed = NOTHING) -> None:
        self.needed = needed
        self.by_parts: dict[Parts, Any] = {}

    def widen(self, needed: Needed) -> None:
        """Ask by more parts from here on; what was known by fewer is made again."""
        if needed != self.needed:
            self.needed = needed
            self.by_parts.clear()

    def add(self, body: Body, run: Callable[[Asking], Any]) -> Any:
        """Add the row of a fact, and return what it does; None: it falls back and has none.

        Args:
            body: what the fact says.
            run: what the readable code makes of the fact when it is given only some fields.
        """
        outcome = with_needed(run, self.needed, body.fact)
        if outcome is None:  # by which parts it falls back is not known
            return None
        needed, step = outcome
        self.widen(self.needed | needed)
        self.by_parts[body.parts(self.needed)] = step
        return step


class KindsOfFact(dict[type[Fact], Rows]):
    """The rows of one state, by kind of fact.

    Args:
        usual: the parts that mattered in other states; what is learned here is added.
    """

    def __init__(self, usual: dict[type[Fact], Needed]) -> None:
        self.usual = usual

    def __missing__(self, kind: type[Fact]) -> Rows:
        rows = self[kind] = Rows(self.usual.get(kind, NOTHING))
        return rows

    def add(self, body: Body, run: Callable[[Asking], Any]) -> Any:
        """Add the row of a fact; see ``Rows.add``."""
        rows = self[body.kind]
        step = rows.add(body, run)
        if step is not None:
            self.usual[body.kind] = rows.needed
        return step


class RoomState:
    """A state of a room, with its rows.

    Attributes:
        state: the state.
        betting_open, knowable: what the engine asks of any room's state.
        rows: by kind of fact.
        by_body: the same by number of the body, as far as asked; False: it falls back.
        closes: whether nothing is owed if the round ends in it; None until it is asked.
    """

    __slots__ = ("betting_open", "by_body", "closes", "knowable", "rows", "state")

    def __init__(self, state: Any, usual: dict[type[Fact], Needed]) -> None:
        self.state = state
        self.betting_open = bool(state.betting_open)
        self.knowable = bool(state.knowable)
        self.rows = KindsOfFact(usual)
        self.by_body: dict[int, Transition | Literal[False]] = {}
        self.closes: bool | None = None


class RoomTable:
    """The transitions of one room under one filing.

    Args:
        rules: law and filing joined; on which gaming day must not matter.
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
        self._states: dict[Any, RoomState] = {}
        self._usual: dict[type[Fact], Needed] = {}
        self._decisions: dict[Any, Decision] = {}

    def fits(self, rules: Rules) -> bool:
        """Whether it was made for these rules, whatever their day and the name of their filing."""
        return (
            rules.room is self.room
            and rules.filing_known == self.rules.filing_known
            and is_filed_alike(rules.filed, self.rules.filed)
            and rules.chosen == self.rules.chosen
        )

    def state(self, state: Any, fresh: tuple[object, ...] = ()) -> RoomState:
        """Return a state of the room with its rows.

        Args:
            state: as the room made it.
            fresh: what the last fact brought that no table knows.

        Raises:
            LookedInto: it has no name, or there are too many.
        """
        name = name_of(state, fresh)
        return kept_state(self._states, name, lambda: RoomState(state, self._usual), STATES)

    def step(self, before: RoomState, body: Body) -> Transition | None:
        """Return what a fact leads to; None: it falls back.

        Args:
            before: the state before it.
            body: what the fact says.
        """
        rows = before.rows[body.kind]
        parts = body.parts(rows.needed)
        transition: Transition | None
        if parts in rows.by_parts:
            transition = rows.by_parts[parts]
        else:
            transition = before.rows.add(body, lambda asking: self._run(before, body, asking))
        return transition

    def _run(self, before: RoomState, body: Body, asking: Asking) -> Transition | None:
        fact = partial_fact(body, asking, Moment())
        state = unasked(before.state)
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
        if after is state:
            return Transition(before, decided, requires)
        fresh = (fact.stream, fact.seq, fact.event_time)
        known = self.state(asked_as_before(after, before.state), fresh)
        return Transition(known, decided, requires)

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
            try:
                state.closes = not self.room.close(self.undated, unasked(state.state), last)
            except (LookedInto, AttributeError):
                state.closes = False
        return state.closes


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


def unasked(state: Any) -> Any:
    """Return a state of a room in which nobody can ask whether a wager stands."""
    if StandingStakes not in map(type, state):
        return state
    return tuple.__new__(
        type(state), [STAKES_UNASKED if type(part) is StandingStakes else part for part in state]
    )


def asked_as_before(after: Any, before: Any) -> Any:
    """Return the state after a fact with the stakes that were there before and that it let be."""
    if not any(part is STAKES_UNASKED for part in after):
        return after
    return tuple.__new__(
        type(after),
        [part if new is STAKES_UNASKED else new for new, part in zip(after, before, strict=True)],
    )


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
