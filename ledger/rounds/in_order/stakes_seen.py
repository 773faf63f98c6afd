"""What a room may ask of the wagers on the layout, and what stands for them in a trial run.

No table knows a wager by its id. Before each fact whoever reads a round gives four signs of those
that lie there; a row is asked by the signs that the room asked for, as it is by the fields of its
state.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

from ledger.games.stakes_on_layout import StakesOnLayout
from ledger.rounds.in_order.rows_of_kind import Part
from ledger.rounds.in_order.unlooked import LookedInto, Unlooked, refuse_to_look

OWN, OTHERS, BOUND, GOES = range(4)
"""The signs: the wager that the fact names lies there and outlives rounds; another one does; a
wager of this round lies at the fact's position; nothing is left of the wager that the fact changes.
"""
SIGNS: Final = 4
"""How many these are. Together they are a number, of which each is a bit."""
NO: Final = Part(False, is_known=True)
YES: Final = Part(True, is_known=True)
SIGN_PARTS: Final = tuple(
    tuple(YES if signs >> sign & 1 else NO for sign in range(SIGNS)) for signs in range(1 << SIGNS)
)
"""Signs as parts of a state, by that number."""


class Layout:
    """The signs of the layout in one trial run, and which of them were asked for.

    Args:
        lasting: the one wager that outlives rounds; None where none does.
        signs: they, as a number.
        fact: which is taken; by its position ``BOUND`` is asked.
        is_placed: it names one, and ``BOUND`` tells of it.
        looked: takes the numbers of the signs that are asked for.
        first: the number of the first of them.
    """

    __slots__ = ("_first", "_looked", "_signs", "fact", "is_placed", "lasting")

    def __init__(
        self,
        lasting: str | None,
        signs: int,
        fact: Any,
        looked: set[int],
        first: int,
        *,
        is_placed: bool,
    ) -> None:
        self.lasting, self.fact, self.is_placed = lasting, fact, is_placed
        self._signs, self._looked, self._first = signs, looked, first

    def ask(self, sign: int) -> bool:
        """Return a sign, and note that it was asked for."""
        self._looked.add(self._first + sign)
        return bool(self._signs >> sign & 1)


NOW, WITHOUT, LATER = range(3)
"""Wagers as they lie before the fact, without the one it names, and as nobody may ask."""


class StakesSeen(StakesOnLayout):
    """Wagers of which no more is known than there are signs.

    Args:
        layout: the signs; None where there are none.
        when: before the fact, or after what became of them.
    """

    __slots__ = ("_layout", "_when")
    _layout: Layout | None
    _when: int

    def __init__(self, layout: Layout | None, when: int = NOW) -> None:
        object.__setattr__(self, "_layout", layout)
        object.__setattr__(self, "_when", when)

    def _asked(self, *, when: int = NOW, wager: str | None = None) -> Layout:
        layout = self._layout
        if layout is None or self._when != when:
            raise LookedInto
        if wager is not None and wager != layout.lasting:
            raise LookedInto
        return layout

    def lies(self, wager: str) -> bool:
        """Whether a wager of this name lies there."""
        if self._when == WITHOUT:
            return self._asked(when=WITHOUT, wager=wager).ask(OTHERS)
        layout = self._asked(wager=wager)
        return layout.ask(OTHERS) or layout.ask(OWN)

    def is_of(self, wager_id: str, wager: str) -> bool:
        """Whether the wager that the fact names lies there under this name."""
        _see_that_it_is_hidden(wager_id)
        return self._asked(wager=wager).ask(OWN)

    def is_bound(self, position: str | None) -> bool:
        """Whether a wager of this round lies at the fact's position."""
        layout = self._asked()
        if not layout.is_placed or position != layout.fact.position:  # which matters then
            raise LookedInto
        return layout.ask(BOUND)

    def takes_away(self, _event: object) -> bool:
        """Whether nothing is left of the wager that the fact changes."""
        return self._asked().ask(GOES)

    def named(self, _wager: str) -> Iterator[str]:
        """No wager is known by its id."""
        raise LookedInto

    def without(self, wager_id: str) -> StakesSeen:
        """Return the others."""
        _see_that_it_is_hidden(wager_id)
        self._asked()
        return StakesSeen(self._layout, WITHOUT)

    def _later(self) -> StakesSeen:
        return StakesSeen(self._layout, LATER)

    def placed(self, _event: object) -> StakesSeen:
        """Return what nobody may ask, as all below do."""
        return self._later()

    def changed(self, _event: object) -> StakesSeen:
        """Return them with what is left of a wager."""
        return self._later()

    def moved(self, _event: object) -> StakesSeen:
        """Return them with a wager under its new name."""
        return self._later()

    def kept(self, _wagers: Collection[str]) -> StakesSeen:
        """Return the wagers of these names alone."""
        return self._later()

    def of_earlier_round(self) -> StakesSeen:
        """Return them as a new round finds them."""
        return self._later()

    def fresh(self) -> StakesSeen:
        """Return the wagers alone that were placed in this round."""
        return self._later()


def _see_that_it_is_hidden(wager_id: Any) -> None:
    """See that a wager's id is that of the fact: no other one is known to be any."""
    if type(wager_id) is not Unlooked:
        raise LookedInto


refuse_to_look(StakesSeen)
UNSIGNED: Final = StakesSeen(None)
"""Wagers of which there is no sign."""
