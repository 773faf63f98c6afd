"""Small tables of the helping commands: schemas, settings, the doctor, the rows of a SELECT."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ledger.codec import Registry
from ledger.events import SUBJECTS
from ledger.reports.tables import plain_table


class Health(StrEnum):
    """How a check of the doctor went."""

    OK = "ok"
    NOTE = "note"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check of the doctor; ``next_step`` helps where it did not go well."""

    name: str
    health: Health
    says: str
    next_step: str | None = None


_STYLES: Final = {
    Health.OK: "green",
    Health.NOTE: "cyan",
    Health.WARN: "yellow",
    Health.FAIL: "bold red",
}


def _table(*names: str) -> Table:
    table = plain_table()
    for name in names:
        table.add_column(name, overflow="fold")
    return table


def schema_rows(registry: Registry) -> list[dict[str, Any]]:
    """Every published schema as plain data."""
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


def schemas_page(rows: Sequence[Mapping[str, Any]]) -> RenderableType:
    """Every published schema for people."""
    table = _table("id", "event", "version", "subject", "fields of its own")
    for row in rows:
        own = row["fields"][5:]
        said = Text(", ".join(own) or "none", style="dim", overflow="ellipsis", no_wrap=True)
        table.add_row(str(row["id"]), row["event"], str(row["version"]), row["subject"] or "", said)
    return Group(table, Text(f"\n{len(rows)} schemas; each fact begins with stream, seq, "
                             "event_time, source, recorded_by."))  # fmt: skip


def settings_page(rows: Sequence[Mapping[str, Any]]) -> RenderableType:
    """Each setting, its value, and where that came from."""
    table = _table("setting", "value", "from", "is")
    for row in rows:
        value = "not set" if row["value"] in (None, "") else str(row["value"])
        source = row["from"] if row["from"] != "default" else f"default ({row['variable']})"
        style = "dim" if row["from"] == "default" else ""
        table.add_row(row["setting"], Text(value, style=style), source, row["is"])
    return table


def doctor_data(checks: Iterable[Check]) -> list[dict[str, Any]]:
    """The doctor's checks as plain data."""
    return [
        {
            "check": check.name,
            "health": check.health.value,
            "says": check.says,
            "next": check.next_step,
        }
        for check in checks
    ]


def doctor_page(checks: Sequence[Check]) -> RenderableType:
    """The doctor's checks for people."""
    table = Table(box=None, show_header=False, padding=(0, 1), pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(ratio=1, overflow="fold")
    for check in checks:
        said = Text(check.says)
        if check.next_step:
            said.append(f"\nnext: {check.next_step}", style="dim")
        table.add_row(Text(check.health.value, style=_STYLES[check.health]), check.name, said)
    bad = sum(check.health is Health.FAIL for check in checks)
    verdict = "Ready." if not bad else f"{bad} {'check' if bad == 1 else 'checks'} failed."
    return Group(table, Text(f"\n{verdict}", style="bold red" if bad else "bold green"))


_MOMENTS: Final = ("_local", "_at", "day", "stream", "round", "fact", "seq")
"""Endings of columns whose values are one word to a reader: moments and names are never broken."""


def selection_page(
    columns: Sequence[str], types: Sequence[str], rows: Sequence[Sequence[Any]]
) -> RenderableType:
    """The rows of a SELECT for people."""
    table = plain_table()
    for name, kind in zip(columns, types, strict=True):
        numeric = kind.endswith("INT") or kind.startswith(("INT", "DECIMAL", "DOUBLE", "HUGEINT"))
        free = kind.startswith("VARCHAR") and not name.endswith(_MOMENTS)
        table.add_column(
            name, justify="right" if numeric else "left", overflow="fold", no_wrap=not free
        )
    for row in rows:
        table.add_row(*("" if value is None else str(value) for value in row))
    count = len(rows)
    return Group(table, Text(f"\n{count:,} {'row' if count == 1 else 'rows'}", style="dim"))
