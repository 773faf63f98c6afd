"""Parts of a state, and rows of one kind of fact, asked by what mattered of it and of these.

Which parts these are is found by running the readable code. A row made in one state holds in every
state that has the same in those parts. The rows of a room, which ask by other parts for each thing
that a fact may say, stand in ``room_table.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar

from ledger.events import Fact
from ledger.rounds.in_order.partial_facts import NOTHING, Body, Needed, WholeFact

Effect = TypeVar("Effect")


class Part:
    """What stands in one place of a state; two of one place are one if nothing tells them apart.

    Args:
        content: what stands there; it is never changed.
        is_known: it holds nothing of facts that no table knows.
    """

    __slots__ = ("content", "is_known")

    def __init__(self, content: Any, *, is_known: bool) -> None:
        self.content, self.is_known = content, is_known


class RowsOfKind(Generic[Effect]):
    """The rows of one kind of fact: by what it says and what stands in those parts that it reads.

    Attributes:
        needed: the parts of the fact that mattered so far.
        looked: the numbers of the parts of the state that mattered so far, rising.
        effects: by these parts.
    """

    __slots__ = ("effects", "looked", "needed")

    def __init__(self) -> None:
        self.needed: Needed = NOTHING
        self.looked: tuple[int, ...] = ()
        self.effects: dict[tuple[Any, ...], Effect] = {}

    def key(self, parts: Sequence[Part], body: Body | WholeFact) -> tuple[Any, ...]:
        """Return by what a fact is looked up in a state of these parts."""
        return (body.parts(self.needed), *[parts[number] for number in self.looked])

    def widen(self, needed: Needed, looked: Iterable[int]) -> None:
        """Ask by more from here on; what was known by less is made again."""
        more = self.needed | needed, tuple(sorted({*self.looked, *looked}))
        if more != (self.needed, self.looked):
            self.needed, self.looked = more
            self.effects.clear()


class Mattered:
    """What mattered so far at all tables of a game, by kind of fact: parts of the fact and of the
    house. More than matter are no harm.

    Attributes:
        times: how often more was found to matter.
    """

    __slots__ = ("_parts", "times")

    def __init__(self) -> None:
        self._parts: dict[type[Fact], tuple[Needed, tuple[int, ...]]] = {}
        self.times = 0

    def needed(self, kind: type[Fact]) -> Needed:
        """Return which parts of a fact mattered."""
        return self._parts.get(kind, (NOTHING, ()))[0]

    def rows(self, kind: type[Fact]) -> RowsOfKind[Any]:
        """Return rows, still to be made, that ask by these parts."""
        rows: RowsOfKind[Any] = RowsOfKind()
        rows.widen(*self._parts.get(kind, (NOTHING, ())))
        return rows

    def learn(self, kind: type[Fact], rows: RowsOfKind[Any]) -> None:
        """Note what matters now."""
        rows.widen(*self._parts.get(kind, (NOTHING, ())))
        more = rows.needed, rows.looked
        if more != self._parts.get(kind):
            self._parts[kind] = more
            self.times += 1
