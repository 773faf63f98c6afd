"""Rounds of which somebody looked at a recording, as plain data for the head of a projection."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from ledger.analytics.round_line import RoundLine
from ledger.audit.observed_round import ObservedRound
from ledger.kernel import parse_round_id

OF_TAPE: Final = ("status", "shown", "unknown_because", "wagers", "stake_cents", "findings")
"""What of a line is otherwise where the verdict stands on a recording."""


def observed_data(mark: ObservedRound, line: RoundLine | None) -> dict[str, Any]:
    """Return the mark of an observed round as plain data for a head.

    Args:
        mark: the mark.
        line: its line where the verdict stands on a recording, else None.
    """
    plain = asdict(mark)
    plain["basis"] = None if mark.basis is None else str(mark.basis)
    of_tape = None if line is None else {name: getattr(line, name) for name in OF_TAPE}
    return {"mark": plain, "line": of_tape}


def mark_of_data(plain: dict[str, Any]) -> ObservedRound:
    """Return a mark from what ``observed_data`` gave of it."""
    basis = plain["basis"]
    return ObservedRound(
        **{
            **plain,
            "observations": tuple(plain["observations"]),
            "basis": None if basis is None else parse_round_id(basis),
        }
    )
