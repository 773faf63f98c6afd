"""The signatures on reports that the ledger has."""

from __future__ import annotations

from datetime import date
from typing import Final

from ledger.events import ReportSigned
from ledger.replay import FactStep, Replay
from ledger.reports.night import Signed

KINDS: Final = ("ReportSigned",)


def signatures_of(replay: Replay) -> tuple[ReportSigned, ...]:
    """Return all signatures, in order; ``manifest_sha256`` says which issue each is for."""
    steps = replay.walk(replay.streams_with(KINDS), only=KINDS)
    facts = (step.fact for step in steps if isinstance(step, FactStep))
    return tuple(fact for fact in facts if isinstance(fact, ReportSigned))


def signatures_of_day(replay: Replay, day: date) -> tuple[Signed, ...]:
    """Return the signatures on all issues of a gaming day, as reports show them."""
    named = day.isoformat()
    return tuple(
        signature_on_page(fact) for fact in signatures_of(replay) if fact.for_gaming_day == named
    )


def signature_on_page(fact: ReportSigned, position: int | None = None) -> Signed:
    """Return a signature as reports show it.

    Args:
        fact: the signature.
        position: of its entry in the ledger; None: the report does not show it.
    """
    return Signed(
        signed_as=fact.signed_as.value.lower(),
        name=fact.printed_name,
        credential=fact.person,
        at=fact.signed_time,
        tree_size=fact.tree_size,
        issue=fact.issue,
        position=position,
    )
