"""The outcomes of games over several throws, kept beside the ledger: each is enumerated once.

They are a cache, sealed by the ledger's key under the hash of the code and of all that they hang
on. One that is missing or not sealed is enumerated again.
"""

from __future__ import annotations

from dataclasses import field
from functools import cache, reduce
from hashlib import sha256
from operator import or_
from types import GenericAlias
from typing import Final

from ledger.games import ROOMS, Room
from ledger.games.chances import hung_on, outcomes_of
from ledger.games.outcomes import SHARED_KINDS
from ledger.games.room import Outcomes, Rules
from ledger.kernel.code_fingerprint import code_fingerprint
from ledger.kernel.quick_dataclass import dataclass
from ledger.kernel.value_bytes import ValueFormat, ValueUnreadable, declared_kinds
from ledger.log.signed_file_index import SealedFolder

KIND: Final = "outcomes"
"""The name of their folder, and what they are called in the index that seals them."""


@cache
def _format() -> ValueFormat:
    """Of outcomes: what rooms name as what their equipment shows, and chances."""
    kinds = (kind for room in ROOMS for kind in (*SHARED_KINDS, *room.outcome_kinds))
    return ValueFormat(declared_kinds([GenericAlias(tuple, (reduce(or_, kinds), ...))]))


@dataclass(slots=True)
class KeptOutcomes:
    """A cache of the outcomes of rooms, called in place of ``outcomes_of``.

    Attributes:
        sealed: where they are kept; None keeps none.
    """

    sealed: SealedFolder | None
    _known: dict[tuple[object, ...], Outcomes] = field(default_factory=dict)

    def __call__(self, room: Room, rules: Rules) -> Outcomes:
        """Return every outcome on which a wager of the room can be settled, by these rules."""
        if room.chain is None or self.sealed is None:
            return outcomes_of(room, rules)
        key = hung_on(room, rules)
        if key not in self._known:
            code = code_fingerprint("kernel", "law", "events", "games")
            name = sha256(f"{code} {key!r}".encode()).hexdigest()
            outcomes = self._read(name)
            if outcomes is None:
                outcomes = outcomes_of(room, rules)
                self.sealed.write(name, [_format().write(outcomes)])
            self._known[key] = outcomes
        return self._known[key]

    def _read(self, name: str) -> Outcomes | None:
        stored = None if self.sealed is None else self.sealed.read(name)
        if stored is None:
            return None
        try:
            outcomes: Outcomes = _format().read(stored)
        except ValueUnreadable:
            return None
        return outcomes
