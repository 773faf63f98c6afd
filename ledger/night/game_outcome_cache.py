"""The outcomes of games over several throws, kept beside the ledger: each is enumerated once.

They are a cache, sealed by the ledger's key under the hash of the code and of all that they hang
on. One that is missing or not sealed is enumerated again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from hashlib import sha256
from operator import or_
from types import GenericAlias
from typing import Final

from ledger.games import ROOMS, Room
from ledger.games.chances import hung_on, outcomes_of
from ledger.games.outcomes import SHARED_KINDS
from ledger.games.room import Outcomes, Rules
from ledger.night import code_hashes
from ledger.night.store import DerivedValues

_KINDS: Final = (kind for room in ROOMS for kind in (*SHARED_KINDS, *room.outcome_kinds))
SHOWN: Final = GenericAlias(tuple, (reduce(or_, _KINDS), ...))
"""Outcomes as they are kept: what rooms name as what their equipment shows, and chances."""


@dataclass(slots=True)
class KeptOutcomes:
    """A cache of the outcomes of rooms, called in place of ``outcomes_of``.

    Attributes:
        derived: the sealed values in the ledger's cache.
    """

    derived: DerivedValues
    _known: dict[tuple[object, ...], Outcomes] = field(default_factory=dict)

    def __call__(self, room: Room, rules: Rules) -> Outcomes:
        """Return every outcome on which a wager of the room can be settled, by these rules."""
        if room.chain is None:
            return outcomes_of(room, rules)
        key = hung_on(room, rules)
        if key not in self._known:
            name = sha256(f"{code_hashes.whole()} {key!r}".encode()).hexdigest()
            outcomes: Outcomes | None = self.derived.read(name)
            if outcomes is None:
                outcomes = outcomes_of(room, rules)
                self.derived.keep(name, outcomes)
            self._known[key] = outcomes
        return self._known[key]
