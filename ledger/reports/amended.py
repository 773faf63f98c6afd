"""Amended facts: what they said, what they say now, why, by whom and who approved it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from rich.text import Text

from ledger.codec import to_plain
from ledger.replay import Amended

SHOWN: Final = 10
"""How many amended facts a page names; the JSON form has all."""
_KEY: Final = ("event", "version", "stream", "seq")


def amended_data(one: Amended) -> dict[str, Any]:
    """An amended fact as plain data."""
    return {
        "stream": one.before.stream,
        "seq": one.before.seq,
        "before": to_plain(one.before),
        "now": None if one.now is None else to_plain(one.now),
        "reason": one.by.reason,
        "amended_by": one.by.amended_by,
        "approved_by": one.by.approved_by,
        "amendment": {"stream": one.by.stream, "seq": one.by.seq},
    }


def amended_text(*amended: Amended) -> str:
    """Amended facts as a few lines."""
    return "".join(f"{line.plain}\n" for line in amended_lines(amended) if line.plain)


def amended_lines(amended: Sequence[Amended]) -> Iterator[Text]:
    """What a page says of the facts that it shows as they were amended."""
    if not amended:
        return
    count = f"{len(amended):,} fact{'s are' if len(amended) > 1 else ' is'}"
    yield Text(f"Amended: {count} not as recorded first", style="bold yellow")
    for one in amended[:SHOWN]:
        line = Text(f"  {one.before.stream}:{one.before.seq} {type(one.before).__name__}")
        line.append(f": {amended_words(one)}\n")
        by = one.by
        why = f"    because {by.reason!r}; by {by.amended_by}, approved by {by.approved_by}"
        line.append(f"{why} ({by.stream}:{by.seq})", style="dim")
        yield line
    if len(amended) > SHOWN:
        yield Text(f"  and {len(amended) - SHOWN:,} more (--format json)", style="dim")
    yield Text()


def amended_words(one: Amended) -> str:
    """Field by field, what an amended fact said and what it says now."""
    before = to_plain(one.before)
    if one.now is None:
        said = ", ".join(f"{k} {_value(v)}" for k, v in before.items() if k not in _KEY)
        return f"withdrawn; it said {said}"
    now = to_plain(one.now)
    if now["event"] != before["event"]:
        return f"now {now['event']}"
    parts = [
        f"{name} {_value(before.get(name))} is now {_value(value)}"
        for name, value in now.items()
        if name not in _KEY and before.get(name) != value
    ]
    return "; ".join(parts) or "the same again"


def _value(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k} {_value(v)}" for k, v in value.items() if v is not None) + "}"
    return "-" if value is None else str(value)
