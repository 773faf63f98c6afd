"""The outcomes of games over several throws, kept beside the ledger: each is enumerated once.

They are a cache: sealed as every stored output is, under the hash of the code and of all that they
hang on. One that is missing, damaged or unwritable is enumerated again.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from ledger.games import Room
from ledger.games.chances import hung_on, outcomes_of
from ledger.games.room import Outcomes, Rules
from ledger.night import code_hashes
from ledger.night.errors import NightUnwritable
from ledger.night.store import StepOutput, packed, read, write_durably

FOLDER: Final = Path("cache", "outcomes")
"""Where in a ledger's folder they lie."""


@dataclass(slots=True)
class KeptOutcomes:
    """Outcomes of rooms; in place of ``outcomes_of``."""

    ledger: Path
    _known: dict[tuple[Any, ...], Outcomes] = field(default_factory=dict)

    def __call__(self, room: Room, rules: Rules) -> Outcomes:
        """Every outcome on which a wager of the room can be settled, by these rules."""
        if room.chain is None:
            return outcomes_of(room, rules)
        key = hung_on(room, rules)
        if key not in self._known:
            path = (
                self.ledger / FOLDER / sha256(f"{code_hashes.whole()} {key!r}".encode()).hexdigest()
            )
            stored = read(path)
            if stored is None:
                stored = StepOutput(result=outcomes_of(room, rules))
                with suppress(NightUnwritable):
                    write_durably(path, packed(stored))
            self._known[key] = stored.result
        return self._known[key]
