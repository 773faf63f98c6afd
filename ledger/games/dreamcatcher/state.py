"""What a Dreamcatcher table has seen: one frozen state for the round and for what outlives it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ledger.games.dreamcatcher.terms import Phase
from ledger.games.room import Invalid
from ledger.games.wheel import Sections
from ledger.kernel import FactRef


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """None in a field that outlives the round means: not known (never stated, or after a gap).

    ``stakes`` are the wagers that stand, ``shows`` what the valid spins of the round showed,
    ``factor`` the product of their multipliers.
    """

    # outlives the round
    wheel: str | None = None
    sections: Sections | None = None
    # of the round
    phase: Phase = Phase.IDLE
    announced: int | None = None
    stakes: frozenset[tuple[str, int]] = frozenset()
    spun: FactRef | None = None
    shows: tuple[str, ...] = ()
    factor: int = 1
    void: Invalid | None = None
    in_section: bool = False
    settled: FactRef | None = None
    settled_on_bonus: bool = False
    reported: frozenset[str] = frozenset()

    @property
    def in_round(self) -> bool:
        """A round of play is under way."""
        return self.phase is not Phase.IDLE

    @property
    def betting_open(self) -> bool:
        """Wagers may still be placed: neither "no more bets" nor a spin has come."""
        return self.phase is Phase.BETTING

    @property
    def knowable(self) -> bool:
        """Something of the outcome can already be seen: a spin that counts has ended."""
        return bool(self.shows) or self.phase in KNOWABLE


KNOWABLE: Final = frozenset({Phase.UNREAD, Phase.UNDECIDABLE})

INITIAL: Final = State()
