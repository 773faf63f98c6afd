"""The mark of a round of which somebody looked at a recording."""

from __future__ import annotations

from ledger.kernel import FactRef
from ledger.kernel.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedRound:
    """The mark of a round of which somebody looked at a recording.

    Args:
        round: its id.
        table: the table.
        observations: the numbers of the observations.
        because: on which account its verdict stands, and why, for people.
        basis: the observation on which it stands; None: on the terminal.
        observed_by: whose observation that is.
        confirmed_by: who confirmed it.
        closes_gap: whether the record alone leaves the round unknown.
    """

    round: str
    table: str
    observations: tuple[int, ...]
    because: str
    basis: FactRef | None
    observed_by: str | None
    confirmed_by: str | None
    closes_gap: bool
