"""Every outcome of a game with its exact chance, by the room's own enumeration.

Games that are decided over several throws are played through the room itself (``Room.chain``),
which takes a second or two, so what was enumerated is kept. No rule is applied here.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from ledger.games import BY_KEY, Room
from ledger.games.room import Outcomes, Rules, rules_on


def outcomes_of(room: Room, rules: Rules) -> Outcomes:
    """Return every outcome on which a wager of the room can be settled, by these rules.

    Returns:
        What is shown, its exact chance, and the expected factor on the odds. The chances are those
        of fair equipment. The result is kept and shared: it must not be changed.
    """
    if room is not BY_KEY.get(room.key):
        return _played(room, rules)
    if rules.filed is None:
        return _by_law(room.key)
    key = hung_on(room, rules)
    if key not in _KNOWN:
        if len(_KNOWN) >= KEPT:
            _KNOWN.clear()
        _KNOWN[key] = _played(room, rules)
    return _KNOWN[key]


def hung_on(room: Room, rules: Rules) -> tuple[object, ...]:
    """Return what the outcomes depend on: text, readings and filed options; never the odds."""
    if rules.filed is None:
        return (room.key,)
    read = tuple(sorted(rules.filed.readings.items()))
    return (room.key, rules.law.edition, read, repr(rules.chosen))


KEPT: Final = 64
_KNOWN: Final[dict[tuple[object, ...], Outcomes]] = {}
"""Outcomes by what they depend on, at most ``KEPT`` of them."""


@cache
def _by_law(key: str) -> Outcomes:
    """The outcomes of a room as it stands, without a filing; they are the same on every day."""
    return _played(BY_KEY[key], rules_on(BY_KEY[key], BY_KEY[key].law.edition.since, None))


def _played(room: Room, rules: Rules) -> Outcomes:
    return tuple(room.outcomes() if room.chain is None else room.chain(room, rules))
