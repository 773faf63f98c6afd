"""Rows of a room: what facts do to it, by what they say and by what was read of its state."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, Generic, Literal, NamedTuple, TypeVar

from ledger.games.room import Decided, Returned
from ledger.rounds.in_order.partial_facts import NOTHING, Body, Needed, Parts
from ledger.rounds.in_order.rows_of_kind import Part

Decision = Decided | Returned
"""What decides a round: an outcome, or that every wager goes back."""


MOST_DECIDED: Final = 2
"""The most rulings on some wagers alone that one fact may bring."""


class Effect(NamedTuple):
    """A row: what a fact changes.

    Attributes:
        written: the fields that hold something else after it, by their numbers.
        decided: what it decides; its ``fact`` stands for the fact itself, or for that of a throw.
        requires: settlements of what is decided must be complete by now.
        overwritten: the fields that it writes whatever stood there.
        some: what it decides of wagers of some names alone, with these names.
        is_by_throw: what is decided was by the throw that was pending, and not by this fact.
        pends: it is a throw that counts once a later fact shows it.
        noted: what the room notes with the wager that is made; None where none is.
    """

    written: tuple[tuple[int, Part], ...]
    decided: Decision | None
    requires: bool
    overwritten: frozenset[int]
    some: tuple[tuple[frozenset[str], Decision], ...] = ()
    is_by_throw: bool = False
    pends: bool = False
    noted: Part | None = None

    @property
    def is_plain(self) -> bool:
        """Whether it only writes: it decides nothing, asks for no settlement, pends not."""
        return self.decided is None and not (self.some or self.requires or self.pends)


class Agreement(NamedTuple):
    """Whether a fact agrees with the last throw."""

    is_so: bool


Answer = TypeVar("Answer", Effect, Agreement)


Looked = tuple[int, ...]
"""The numbers of the fields of a state by which something is asked, rising."""
WAYS: Final = 8
"""By how many sets of fields one thing that facts say is asked; of more, two are taken together."""


Ways = list[tuple[Looked, dict[tuple[Part, ...], Answer | Literal[False]]]]
"""By which fields something is asked, with the answers by what stands there."""


class RoomRows(Generic[Answer]):
    """The rows of one kind of fact: by what it says, and by what was read of the state with that.

    What is read hangs on what is found: a touchdown asks for other fields than a gain of yards. So
    there are several ways to ask, each by its own fields. A row of any of them holds.

    Args:
        most: how many ways there may be.

    Attributes:
        needed: the parts of the fact that mattered so far.
        ways: by what it says: the numbers of the fields that mattered in a trial run, rising, and
            the rows by what stands in these fields; False: it falls back.
    """

    __slots__ = ("_most", "needed", "ways")

    def __init__(self, most: int = WAYS) -> None:
        self._most = most
        self.needed: Needed = NOTHING
        self.ways: dict[Parts, Ways[Answer]] = {}

    def looked(self, body: Body) -> tuple[Looked, ...]:
        """Return by which fields a fact is asked, way by way."""
        return tuple([looked for looked, _ in self.ways.get(body.parts(self.needed), ())])

    def row(
        self, before: Sequence[Part], body: Body
    ) -> tuple[Answer | Literal[False], Looked] | None:
        """Return what a fact changes, and by which fields that was found; None: there is no row."""
        for looked, rows in self.ways.get(body.parts(self.needed), ()):
            known = rows.get(tuple([before[place] for place in looked]))
            if known is not None:
                return known, looked
        return None

    def add(
        self,
        before: Sequence[Part],
        body: Body,
        needed: Needed,
        looked: Collection[int],
        answer: Answer | Literal[False],
    ) -> None:
        """Add a row. Where more of the fact matters than before, all rows are made again.

        Args:
            before: the state before the fact.
            body: what the fact says.
            needed, looked: the parts of the fact and the fields that were read.
            answer: what it changes; False: it falls back.
        """
        more = self.needed | needed
        if more != self.needed:
            self.needed = more
            self.ways.clear()
        ways: Ways[Answer] = self.ways.setdefault(body.parts(more), [])
        by: Looked = tuple(sorted(looked))
        rows = next((rows for each, rows in ways if each == by), None)
        if rows is None:
            if len(ways) == self._most:
                by = tuple(sorted({*ways.pop()[0], *by}))
            rows = {}
            ways.append((by, rows))
        rows[tuple([before[place] for place in by])] = answer
