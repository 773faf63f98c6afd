"""Amended facts: what each said before, what it says now, who changed it and who approved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.text import Text

from ledger.codec import to_plain
from ledger.kernel import event_words, plural
from ledger.replay import Amended
from ledger.reports.field_words import FieldWords, field_name

SHOWN: Final = 10
"""How many amended facts a page names; the JSON form has all."""
_KEY: Final = ("event", "version", "stream", "seq")


def amended_data(amended: Amended) -> dict[str, object]:
    """An amended fact as plain data."""
    return {
        "stream": amended.before.stream,
        "seq": amended.before.seq,
        "before": to_plain(amended.before),
        "now": None if amended.after is None else to_plain(amended.after),
        "reason": amended.by.reason,
        "amended_by": amended.by.amended_by,
        "approved_by": amended.by.approved_by,
        "amendment": {"stream": amended.by.stream, "seq": amended.by.seq},
    }


def amended_text(*amended: Amended) -> str:
    """Amended facts as a few lines."""
    return "".join(f"{line.plain}\n" for line in amended_lines(amended) if line.plain)


def amended_lines(amended: Sequence[Amended]) -> Iterator[Text]:
    """The lines of a page about facts that it shows as they were amended."""
    if not amended:
        return
    yield Text(f"Amended after recording: {plural(len(amended), 'fact')}", style="bold yellow")
    for fact in amended[:SHOWN]:
        line = Text(
            f"  {event_words(type(fact.before).__name__)} {fact.before.stream}:{fact.before.seq}"
        )
        line.append(f": {amended_words(fact)}\n")
        by = fact.by
        approved = f"approved by {by.approved_by}" if by.approved_by else "approved by nobody"
        why = f"    Reason: {by.reason}. Amended by {by.amended_by}, {approved}"
        line.append(f"{why} ({by.stream}:{by.seq})", style="dim")
        yield line
    if len(amended) > SHOWN:
        yield Text(f"  and {len(amended) - SHOWN:,} more (--format json)", style="dim")
    yield Text()


def amended_words(amended: Amended) -> str:
    """Field by field, what an amended fact said before and what it says now."""
    before = to_plain(amended.before)
    event = type(amended.before).__name__
    words_of = FieldWords(event, None).of
    if amended.after is None:
        words = ", ".join(
            f"{field_name(name)} {words_of(name, content)}"
            for name, content in before.items()
            if name not in _KEY and content is not None
        )
        return f"withdrawn; it said {words}"
    after = to_plain(amended.after)
    event_after = type(amended.after).__name__
    if event_after != event:
        return f"now {event_words(event_after)}"
    parts = [
        f"{field_name(name)} was {words_of(name, before.get(name))}, now {words_of(name, content)}"
        for name, content in after.items()
        if name not in _KEY and before.get(name) != content
    ]
    return "; ".join(parts) or "unchanged"
