"""The contract with the floor: all schemas, and one event with a line that ``append`` takes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NotRequired, TypedDict

from rich.console import Group, RenderableType
from rich.text import Text

from ledger.codec import Registry, Schema
from ledger.events import SUBJECTS
from ledger.kernel import plural
from ledger.reports.table_style import folding_table, plain_table


class SchemaRow(TypedDict):
    """A schema as plain data: ``fields`` are its field names, ``fingerprint`` is its newest."""

    id: int
    event: str
    version: int
    subject: str | None
    fields: list[str]
    fingerprint: str


class FieldRow(TypedDict):
    """A field of an event as plain data.

    ``field`` is its path: ``dice[].color`` is a field of each record in a list.
    """

    field: str
    holds: str
    may_be_null: bool
    means: str


class EventRow(TypedDict):
    """An event as plain data; ``example`` is a fact in its plain form, absent if not wanted."""

    event: str
    version: int
    means: str
    fields: list[FieldRow]
    example: NotRequired[dict[str, object]]


def schema_rows(registry: Registry) -> list[SchemaRow]:
    """Every published schema as plain data, by its id."""
    return [
        {
            "id": schema.id,
            "event": schema.name,
            "version": schema.version,
            "subject": SUBJECTS.get(schema.name),
            "fields": [field.name for field in schema.shape.fields],
            "fingerprint": schema.fingerprints[-1],
        }
        for schema in sorted(registry, key=lambda one: one.id)
    ]


def schemas_page(rows: Sequence[SchemaRow]) -> RenderableType:
    """Every published schema for people."""
    table = folding_table("id", "event", "version", "subject", "fields of its own")
    for row in rows:
        own = row["fields"][5:]
        names = Text(", ".join(own) or "none", style="dim", overflow="ellipsis", no_wrap=True)
        subject = row["subject"] or ""
        table.add_row(str(row["id"]), row["event"], str(row["version"]), subject, names)
    return Group(
        table,
        Text(
            f"\n{plural(len(rows), 'schema')}. Every fact begins with"
            " stream, seq, event_time, source, recorded_by."
        ),
    )


def schema_data(schema: Schema, example: Mapping[str, object] | None) -> EventRow:
    """An event as plain data.

    Args:
        schema: of the event's version that is described.
        example: a fact of the event in its plain form; None where none is wanted.
    """
    text = json.loads(schema.text)
    fields: EventRow = {
        "event": schema.name,
        "version": schema.version,
        "means": text.get("doc", ""),
        "fields": [
            {"field": name, "holds": holds, "may_be_null": null, "means": means}
            for name, holds, null, means in _fields(text, "")
        ],
    }
    return fields if example is None else {**fields, "example": dict(example)}


def schema_page(schema: EventRow) -> RenderableType:
    """An event for people: its meaning and a line per field, without the example."""
    table = plain_table()
    table.add_column("field", no_wrap=True)
    table.add_column("holds", overflow="fold")
    table.add_column("means", overflow="fold", ratio=1)
    for row in schema["fields"]:
        holds = row["holds"] + (" or null" if row["may_be_null"] else "")
        table.add_row(row["field"], holds, row["means"])
    head = Text(
        f"{schema['event']}, version {schema['version']}: {schema['means']}\n", style="bold"
    )
    return Group(head, table)


def example_line(schema: EventRow) -> str:
    """The example of an event as one line of JSON, as ``append`` reads it.

    Raises:
        KeyError: the event was described without an example.
    """
    return json.dumps(schema["example"], ensure_ascii=False, separators=(",", ":")) + "\n"


def _fields(record: Mapping[str, Any], before: str) -> Iterator[tuple[str, str, bool, str]]:
    for field in record["fields"]:
        kind = field["type"]
        null = isinstance(kind, list)
        inner = next(one for one in kind if one != "null") if null else kind
        name = f"{before}{field['name']}"
        yield name, _holds(inner), null, field.get("doc", "")
        items = inner.get("items", inner) if isinstance(inner, Mapping) else inner
        if isinstance(items, Mapping) and items.get("type") == "record":
            yield from _fields(items, f"{name}[]." if "items" in inner else f"{name}.")


def _holds(kind: object) -> str:
    """A type in plain words."""
    match kind:
        case {"type": "array", "items": items}:
            return f"a list: {_holds(items)}"
        case {"type": "record", "name": name} | {"name": name, "fields": _}:
            return str(name)
        case {"type": "enum", "symbols": symbols}:
            return "one of " + ", ".join(symbols)
        case {"type": "long", "logicalType": "timestamp-micros"}:
            return "time: 2021-06-12T18:00:00.000000Z"
        case {"type": "long"} | "long":
            low, high = (
                (kind.get("minimum"), kind.get("maximum"))
                if isinstance(kind, Mapping)
                else (None,) * 2
            )
            bounds = [f"from {low}"] * (low is not None) + [f"up to {high}"] * (high is not None)
            return " ".join(["whole number", *bounds])
        case {"type": "string", "format": "date"}:
            return "date: 2021-06-12"
        case {"type": str() as plain} | str(plain):
            words = {"string": "text", "boolean": "true or false", "bytes": "bytes as hex"}
            return words.get(plain, plain)
    return str(kind)
