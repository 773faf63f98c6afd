"""What a Sic Bo table has seen: one frozen state for the round and for what outlives it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ledger.events import DiceShaken, Die, ShakerKind
from ledger.games.dice import Faces
from ledger.games.sic_bo.terms import Phase
from ledger.kernel import FactRef


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """None in a field that outlives the round means: not known (never stated, or after a gap)."""

    # outlives the round
    shakers: frozenset[tuple[str, str]] | None = None
    covered: bool | None = None
    broken: FactRef | None = None
    broken_device: str = ""
    device_known: bool = True
    lit: FactRef | None = None
    # of the round
    phase: Phase = Phase.IDLE
    shaken_by_hand: bool = False
    shakes: int | None = 0
    shaken: FactRef | None = None
    dice: tuple[Die, ...] = ()
    faces: Faces | None = None
    stated: Faces | None = None
    entered: Faces | None = None
    thrown: FactRef | None = None
    no_roll: FactRef | None = None
    no_roll_due: bool = False
    shaker_failed: FactRef | None = None
    device_failed: FactRef | None = None
    supervised: bool = False
    settled: FactRef | None = None
    reported: frozenset[str] = frozenset()

    @property
    def in_round(self) -> bool:
        """A round of play is under way."""
        return self.phase is not Phase.IDLE

    @property
    def betting_open(self) -> bool:
        """Wagers may still be placed."""
        return self.phase is Phase.BETTING

    @property
    def knowable(self) -> bool:
        """Something of the dice can already be seen: they are at rest or the cover is off."""
        return self.phase in KNOWABLE or (self.phase is Phase.SHAKEN and self.covered is False)

    @property
    def tossed(self) -> bool:
        """The manual shaker was uncovered, or the automated one has tossed the dice."""
        open_ = not self.shaken_by_hand or self.covered is False
        return self.phase in SEEN or (self.phase is Phase.SHAKEN and open_)

    @property
    def automated_at_table(self) -> bool:
        """An automated shaker is known to stand at the table."""
        return any(kind == ShakerKind.AUTOMATED for _, kind in self.shakers or ())

    def is_automated(self, shaker: str | None) -> bool:
        """Whether this shaker, or the only kind at the table, is known to be automated."""
        return self._kinds(shaker) == {ShakerKind.AUTOMATED.value}

    def by_hand(self, fact: DiceShaken) -> bool:
        """Whether a manual shaker was shaken: as the fact says, else by what stands at the table."""
        if fact.kind is not None:
            return fact.kind is ShakerKind.MANUAL
        return self._kinds(fact.shaker) == {ShakerKind.MANUAL.value}

    def _kinds(self, shaker: str | None) -> set[str]:
        return {kind for name, kind in self.shakers or () if shaker in (None, name)}


SEEN: Final = frozenset({Phase.AT_REST, Phase.ENTERED, Phase.LIT})
"""The dice of the round were seen."""

ENDED: Final = frozenset({Phase.NO_ROLL, Phase.VOID})
"""The round decides nothing."""

KNOWABLE: Final = SEEN | ENDED

INITIAL: Final = State()
