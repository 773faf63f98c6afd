"""The mark of a round of which somebody looked at a recording, as lists and audits show it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledger.audit.observed_round import ObservedRound
from ledger.kernel import plural


def footage_words(mark: ObservedRound) -> str:
    """Whether a recording decides a round, and by whose word."""
    if mark.basis is None:
        return f"{plural(len(mark.observations), 'observation')}. {mark.because}"
    whose = f"observed by {mark.observed_by}, confirmed by {mark.confirmed_by}."
    return f"{'From footage' if mark.closes_gap else 'By the tape'}, {whose}"


def footage_lines(marks: Iterable[ObservedRound]) -> Iterator[str]:
    """A line for each observed round."""
    for mark in marks:
        yield f"{mark.round}: {footage_words(mark)}"


def footage_data(mark: ObservedRound) -> dict[str, object]:
    """The mark of a round as plain data."""
    return {
        "stands_on": "terminal" if mark.basis is None else "tape",
        "from_footage": mark.closes_gap,
        "observations": list(mark.observations),
    }


def observed_data(mark: ObservedRound) -> dict[str, object]:
    """The same for the audit of a day: with the round, and whose word it is."""
    return {
        "round": mark.round,
        **footage_data(mark),
        "fact": None if mark.basis is None else str(mark.basis),
        "observed_by": mark.observed_by,
        "confirmed_by": mark.confirmed_by,
        "because": mark.because,
    }
