"""Facts that arrived late or that a person added, as every page marks them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.text import Text

from ledger.codec import format_time
from ledger.kernel import PropertyClock, event_words, plural
from ledger.replay.fact_marks import Mark

SHOWN: Final = 10
"""How many marked facts a page names; the JSON form has all."""


def mark_data(mark: Mark) -> dict[str, object]:
    """A mark as plain data."""
    return {
        "stream": mark.ref.stream,
        "seq": mark.ref.seq,
        "event": mark.event,
        "arrived_at": format_time(mark.arrived_at),
        "after_close": mark.closed_at is not None,
        "terminal": mark.source,
        "recorded_by": mark.recorded_by,
        "added_by": mark.added_by,
        "approved_by": mark.approved_by,
    }


def mark_words(mark: Mark, clock: PropertyClock) -> str:
    """A mark as a line for people: which fact, when it arrived, which terminal, who."""
    parts = [f"arrived {clock.local(mark.arrived_at):%Y-%m-%d %H:%M:%S}"]
    if mark.closed_at is not None:
        parts[0] += ", after its day was closed"
    parts.append(f"sent as terminal {mark.source}")
    parts.append(f"recorded by {mark.recorded_by}" if mark.recorded_by else "no person recorded it")
    if mark.added_by is not None:
        approved = f", approved by {mark.approved_by}" if mark.approved_by else ""
        parts.append(f"added by {mark.added_by}{approved}")
    return f"{event_words(mark.event)} {mark.ref}: {'; '.join(parts)}"


def marks_remark(marks: Sequence[Mark]) -> list[str]:
    """In short, that something rests on marked facts; nothing where it does not."""
    if not marks:
        return []
    facts = "a fact" if len(marks) == 1 else f"{len(marks):,} facts"
    return [f"rests on {facts} that arrived after the day was closed or that a person added"]


def marked_words(marks: Sequence[Mark], clock: PropertyClock) -> Iterator[str]:
    """The lines of a page about marked facts; nothing where there are none."""
    if not marks:
        return
    count = plural(len(marks), "fact")
    yield f"Late or added: {count} arrived after the day was closed or came from a person"
    for mark in marks[:SHOWN]:
        yield f"  {mark_words(mark, clock)}"
    if len(marks) > SHOWN:
        yield f"  and {len(marks) - SHOWN:,} more (--format json)"


def marked_lines(marks: Sequence[Mark], clock: PropertyClock) -> Iterator[Text]:
    """The same for a console, with an empty line below."""
    for number, line in enumerate(marked_words(marks, clock)):
        yield Text(line, style="dim" if number else "bold yellow")
    if marks:
        yield Text()
