"""One round with all that a page about it needs: its result, its facts, the wheel in use."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.events import WheelPlaced
from ledger.replay import Amended, FactStep
from ledger.rounds import RoundResult


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenRound:
    """A round and what was seen of it, in merged order, from its betting-opened fact on."""

    result: RoundResult
    steps: tuple[FactStep, ...]
    doubts: tuple[str, ...] = ()
    wheel: WheelPlaced | None = None
    capture: str | None = None
    amended: tuple[Amended, ...] = ()
