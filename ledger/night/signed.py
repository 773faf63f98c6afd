"""The signatures on reports that the ledger has."""

from __future__ import annotations

from typing import Final

from ledger.events import ReportSigned
from ledger.replay import FactStep, Replay

KINDS: Final = ("ReportSigned",)


def signatures_of(replay: Replay) -> tuple[ReportSigned, ...]:
    """All of them, in order; ``manifest_sha256`` says which issue each is for."""
    steps = replay.walk(replay.streams_with(KINDS), only=KINDS)
    facts = (step.fact for step in steps if isinstance(step, FactStep))
    return tuple(fact for fact in facts if isinstance(fact, ReportSigned))
