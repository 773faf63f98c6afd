"""What a room may ask of the wagers on the layout, and what stands for them in a trial run.

No table knows a wager by its id. Before each fact whoever reads a round gives signs of those that
lie there; a row is asked by the signs that the room asked for, as it is by the fields of its state.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import product
from typing import Any, Final, NamedTuple

from ledger.events import (
    BettingOpened,
    Fact,
    WagerIncreased,
    WagerMoved,
    WagerPlaced,
    WagerReturned,
    WagerSettled,
    WagerTakenDown,
)
from ledger.games.room import Decided, Returned, Room
from ledger.games.stakes_on_layout import StakesOnLayout
from ledger.rounds.in_order.rows_of_kind import Part
from ledger.rounds.in_order.unlooked import LookedInto, Unlooked, refuse_to_look

OWN, OTHERS, BOUND, GOES, NAMED, NOTED = range(6)
"""The signs: the wager that the fact names lies there and is one of ``asked_of``; another one does;
a wager of this round lies at the fact's position; nothing is left of the wager that the fact
changes; the name of the wager that the fact names, and what the room noted with it."""
SIGNS: Final = 6
"""How many these are."""


class Signs(NamedTuple):
    """What shows of the layout before a fact: a value for each sign."""

    own: bool = False
    others: bool = False
    bound: bool = False
    goes: bool = False
    named: str | None = None
    noted: tuple[int, ...] = ()


PLAIN_SIGNS: Final = {
    shown: Signs(own=shown[0], others=shown[1], bound=shown[2], goes=shown[3])
    for shown in product((False, True), repeat=4)
}
"""Signs without a name, by what the others show."""
NO_SIGNS: Final = PLAIN_SIGNS[False, False, False, False]
"""Nothing lies there."""
_PARTS: Final[dict[object, Part]] = {}


def sign_part(shown: object) -> Part:
    """Return what a sign shows as a part of a state; there is one for each value."""
    key = type(shown), shown
    part = _PARTS.get(key)
    if part is None:
        part = _PARTS[key] = Part(shown, is_known=True)
    return part


def parts_of_signs(signs: Signs) -> tuple[Part, ...]:
    """Return signs as parts of a state."""
    return tuple(map(sign_part, signs))


def asked_of(room: Room) -> frozenset[str]:
    """Return the wagers of which a room asks whether any lies there."""
    return room.outlive | room.rolled_for


class Layout:
    """The signs of the layout in one trial run, and which of them were asked for.

    Args:
        room: of it.
        signs: they.
        fact: which is taken; by its position ``BOUND`` is asked.
        is_placed: it names one, and ``BOUND`` tells of it.
        looked: takes the numbers of the signs that are asked for.
        first: the number of the first of them.
    """

    __slots__ = ("_first", "_looked", "_signs", "fact", "is_placed", "outlive", "watched")

    def __init__(
        self,
        room: Room,
        signs: Signs,
        fact: Any,
        looked: set[int],
        first: int,
        *,
        is_placed: bool,
    ) -> None:
        self.outlive, self.watched = room.outlive, asked_of(room)
        self.fact, self.is_placed = fact, is_placed
        self._signs, self._looked, self._first = signs, looked, first

    def ask(self, sign: int) -> Any:
        """Return what a sign shows, and note that it was asked for."""
        self._looked.add(self._first + sign)
        return self._signs[sign]


Became = tuple[str, ...]
"""What became of wagers since before the fact, by the names of the methods that were called."""


def expected(fact: Fact, decided: Decided | Returned | None, layout: Layout) -> Became | None:
    """Return what becomes of the wagers on the layout with a fact, as whoever gives signs has it.

    None: none is left.

    Args:
        fact: of which no more is known than its kind.
        decided: what it decides.
        layout: the signs.
    """
    if decided is not None and layout.outlive:
        return ("kept",)
    match fact:
        case WagerPlaced():
            return ("placed",)
        case WagerIncreased() | WagerTakenDown() | WagerReturned():
            return ("without",) if layout.ask(GOES) else ("changed",)
        case WagerMoved():
            return ("moved",)
        case WagerSettled() if layout.outlive:
            return ("without",)
        case BettingOpened():
            return ("of_earlier_round",) if layout.outlive else None
        case _:
            return ()


class StakeSeen:
    """The wager that the fact names; no more is known of it than its signs tell.

    Args:
        layout: the signs.
    """

    __slots__ = ("_layout",)

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    @property
    def wager(self) -> str:
        """Its name."""
        name: str = self._layout.ask(NAMED)
        return name

    @property
    def noted(self) -> tuple[int, ...]:
        """What the room noted when it was made."""
        numbers: tuple[int, ...] = self._layout.ask(NOTED)
        return numbers


class StakesSeen(StakesOnLayout):
    """Wagers of which no more is known than there are signs.

    Before the fact they may be asked; without the one that it names, whether another one lies
    there; and not at all whatever else became of them.

    Args:
        layout: the signs; None where there are none.
        became: what became of them.
        kept_names: of which names they were kept.
        noted: what the room noted with a wager that was made.
    """

    __slots__ = ("_layout", "became", "kept_names", "noted")
    _layout: Layout | None
    became: Became
    kept_names: frozenset[str]
    noted: tuple[int, ...]

    def __init__(
        self,
        layout: Layout | None,
        became: Became = (),
        kept_names: Collection[str] = (),
        noted: tuple[int, ...] = (),
    ) -> None:
        object.__setattr__(self, "_layout", layout)
        object.__setattr__(self, "became", became)
        object.__setattr__(self, "kept_names", frozenset(kept_names))
        object.__setattr__(self, "noted", noted)

    def _asked(self, became: Became = (), wager: str | None = None) -> Layout:
        layout = self._layout
        if layout is None or self.became != became:
            raise LookedInto
        if wager is not None and wager not in layout.watched:
            raise LookedInto
        return layout

    def lies(self, wager: str) -> bool:
        """Whether a wager of this name lies there."""
        if self.became:
            return bool(self._asked(("without",), wager).ask(OTHERS))
        layout = self._asked(wager=wager)
        return bool(layout.ask(OTHERS) or layout.ask(OWN))

    def of(self, wager_id: str) -> Any:
        """The wager that the fact names, None where none lies there."""
        _see_that_it_is_hidden(wager_id)
        layout = self._asked()
        return None if layout.ask(NAMED) is None else StakeSeen(layout)

    def is_of(self, wager_id: str, wager: str) -> bool:
        """Whether the wager that the fact names lies there under this name."""
        _see_that_it_is_hidden(wager_id)
        return bool(self._asked(wager=wager).ask(OWN))

    def is_bound(self, position: str | None) -> bool:
        """Whether a wager of this round lies at the fact's position."""
        layout = self._asked()
        if not layout.is_placed or position != layout.fact.position:  # which matters then
            raise LookedInto
        return bool(layout.ask(BOUND))

    def takes_away(self, _event: object) -> bool:
        """Whether nothing is left of the wager that the fact changes."""
        return bool(self._asked().ask(GOES))

    def named(self, _wager: str) -> Iterator[str]:
        """No wager is known by its id."""
        raise LookedInto

    def _after(
        self, became: str, kept_names: Collection[str] = (), noted: tuple[int, ...] = ()
    ) -> StakesSeen:
        return StakesSeen(self._layout, (*self.became, became), kept_names, noted)

    def without(self, wager_id: str) -> StakesSeen:
        """Return the others."""
        _see_that_it_is_hidden(wager_id)
        return self._after("without")

    def placed(self, _event: object, noted: tuple[int, ...] = ()) -> StakesSeen:
        """Return them with a new wager."""
        return self._after("placed", noted=noted)

    def changed(self, _event: object) -> StakesSeen:
        """Return them with what is left of a wager."""
        return self._after("changed")

    def moved(self, _event: object, noted: tuple[int, ...] = ()) -> StakesSeen:
        """Return them with a wager under its new name."""
        return self._after("moved", noted=noted)

    def kept(self, wagers: Collection[str]) -> StakesSeen:
        """Return the wagers of these names alone."""
        return self._after("kept", wagers)

    def of_earlier_round(self) -> StakesSeen:
        """Return them as a new round finds them."""
        return self._after("of_earlier_round")

    def fresh(self) -> StakesSeen:
        """Return the wagers alone that were placed in this round."""
        return self._after("fresh")


def _see_that_it_is_hidden(wager_id: Any) -> None:
    """See that a wager's id is that of the fact: no other one is known to be any."""
    if type(wager_id) is not Unlooked:
        raise LookedInto


refuse_to_look(StakesSeen)
refuse_to_look(StakeSeen)
UNSIGNED: Final = StakesSeen(None)
"""Wagers of which there is no sign."""
