"""The result of a trial of a producer's events: each fault with its field and what it must hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from typing import Final, TypedDict

from ledger.codec import registry
from ledger.intake.producer_trial import Fault, TriedEvent, TriedStream
from ledger.kernel import plural
from ledger.reports.schema_page import FieldRow, schema_data

SHOWN_HOLES: Final = 20
"""How many holes of a stream are listed; all are counted."""


class FaultRow(TypedDict):
    """A fault of one event as plain data.

    ``where`` names the line or record that was tried, ``field`` is a path such as ``dice[0].color``
    (empty for a fault of the event as a whole), ``holds`` and ``means`` describe the field and are
    empty where the schema has none of that path.
    """

    where: str
    event: str | None
    field: str
    code: str
    says: str
    holds: str
    means: str


class StreamRow(TypedDict):
    """The sequence numbers of one stream as plain data.

    ``events`` counts distinct numbers, ``missing`` are holes as pairs of first and last number,
    ``rewritten`` are the numbers of two different events.
    """

    stream: str
    events: int
    last: int
    missing: list[list[int]]
    rewritten: list[int]


def tried_rows(tried: TriedEvent) -> list[FaultRow]:
    """One row per fault of an event; none if it is right."""
    return [_row(tried, fault) for fault in tried.faults]


def stream_rows(streams: Mapping[str, TriedStream]) -> list[StreamRow]:
    """One row per stream, by name: its numbers, the holes in them, and numbers of two events."""
    return [
        {
            "stream": name,
            "events": len(stream.hashes),
            "last": max(stream.hashes),
            "missing": [list(hole) for hole in stream.missing()],
            "rewritten": sorted(stream.rewritten),
        }
        for name, stream in sorted(streams.items())
    ]


def tried_text(rows: Iterable[FaultRow]) -> str:
    """The faults of one event, for people."""
    lines: list[str] = []
    for row in rows:
        if not lines:
            lines.append(", ".join(filter(None, (row["where"], row["event"]))) + ":")
        says = row["says"]
        lines.append(f"  {row['field']}: {says}" if row["field"] else f"  {says}")
        if row["holds"]:
            lines.append("; ".join(filter(None, (f"    holds {row['holds']}", row["means"]))))
    return "".join(f"{line}\n" for line in lines)


def trial_text(events: int, wrong: int, streams: Iterable[StreamRow]) -> str:
    """The end of a trial, for people: what each stream lacks, and the count.

    Args:
        events: how many events were tried.
        wrong: how many of them have at least one fault.
        streams: as ``stream_rows`` gives them.
    """
    lines = [line for row in streams for line in _stream_lines(row)]
    count = plural(events, "event")
    if wrong:
        verdict = f"{events - wrong:,} correct, {wrong:,} with faults"
    else:
        verdict = "each correct, but their numbers are not" if lines else "all correct"
    lines.append(f"{count}: {verdict}" if events else "no events")
    return "".join(f"{line}\n" for line in lines)


def _stream_lines(row: StreamRow) -> Iterator[str]:
    holes = [str(low) if low == high else f"{low} to {high}" for low, high in row["missing"]]
    if holes:
        more = f" and {len(holes) - SHOWN_HOLES:,} more" if len(holes) > SHOWN_HOLES else ""
        yield (
            f"{row['stream']}: numbers must run from 1 without a gap;"
            f" missing: {', '.join(holes[:SHOWN_HOLES])}{more}"
        )
    if row["rewritten"]:
        numbers = ", ".join(str(number) for number in row["rewritten"][:SHOWN_HOLES])
        yield f"{row['stream']}: two different events have the same number: {numbers}"


def _row(tried: TriedEvent, fault: Fault) -> FaultRow:
    field = _fields(tried.event).get(re.sub(r"\[\d+\]", "[]", fault.path))
    null = " or null" if field is not None and field["may_be_null"] else ""
    says = fault.says
    if fault.code == "missing_field" and field is not None and not null:
        says = "the field is absent, and it may not be null"
    return {
        "where": tried.where,
        "event": tried.event,
        "field": fault.path,
        "code": str(fault.code),
        "says": says + _meant(tried.event, fault),
        "holds": f"{field['holds']}{null}" if field is not None else "",
        "means": field["means"] if field is not None else "",
    }


def _meant(event: str | None, fault: Fault) -> str:
    """Which field or event was meant, where one has nearly the name that was written."""
    if fault.code == "unknown_field":
        names = list(_fields(event))
        close = get_close_matches(fault.path, names, n=1) or [
            name for name in names if name.startswith(f"{fault.path}_")
        ]
    elif fault.code == "unknown_event":
        written = re.match(r"'(\w+)'", fault.says)
        close = get_close_matches(written[1] if written else "", [one.name for one in registry()])
    else:
        close = []
    return f"; did you mean {close[0]}?" if close else ""


@cache
def _fields(event: str | None) -> dict[str, FieldRow]:
    """The fields of an event's newest version, by their path."""
    if event is None:
        return {}
    rows = schema_data(registry().by_name(event), None)["fields"]
    return {row["field"]: row for row in rows}
