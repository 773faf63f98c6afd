"""What `pitledger import` says: what a file becomes, what it corrects, what is wrong with it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any, Final, get_args, get_type_hints

from ledger.events import EVENTS
from ledger.intake import Change, Preview, Profile, RowFault
from ledger.kernel import PropertyClock, dollars, seconds, to_micros

SHOWN: Final = 20
"""How many corrections the page shows; the JSON form has up to a thousand."""
LOCAL: Final = "%m/%d/%Y %H:%M:%S"
"""A moment by the property's clocks."""
HEADER: Final = ("event", "version", "stream", "seq", "source", "recorded_by")


def import_data(seen: Preview) -> dict[str, Any]:
    """The preview as plain data."""
    return {
        "profile": seen.profile,
        "file": seen.file,
        "sha256": seen.sha256.hex(),
        "bytes": seen.bytes,
        "rows": seen.rows,
        "refused": seen.refused,
        "facts": {
            "new": seen.counts.new,
            "same": seen.counts.same,
            "changed": seen.counts.changed,
            "gone": seen.counts.gone,
            "restored": seen.counts.restored,
        },
        "skipped": [
            {"row": row, "why": why, "begins": begins} for row, why, begins in seen.skipped
        ],
        "rows_skipped": seen.rows_skipped,
        "rows_warned": seen.rows_warned,
        "totals": seen.totals,
        "unused_columns": list(seen.unused),
        "examples": [{"row": one.row, "facts": list(one.facts)} for one in seen.examples],
        "changes": [
            {
                "row": one.row or None, "key": one.key or None, "stream": one.stream,
                "seq": one.seq, "before": one.before, "after": one.after,
            }
            for one in seen.changes
        ],
        "faults": _faults(seen.faults),
        "warnings": _faults(seen.warnings),
    }  # fmt: skip


def _faults(faults: Sequence[RowFault]) -> list[dict[str, Any]]:
    return [
        {
            "row": fault.row, "column": fault.column or None, "code": fault.code,
            "reason": fault.reason, "value": fault.value,
        }
        for fault in faults
    ]  # fmt: skip


def import_text(seen: Preview, *, committed: bool, withdrawn: bool = False) -> str:
    """The preview, or what was committed, as a page: dollars, and the property's local time."""
    if seen.refused:
        first = f"{_rows(seen.refused)} of {seen.rows:,} refused: nothing is imported."
    elif committed:
        first = f"Imported: {_rows(seen.rows)} of {seen.file}."
    else:
        first = f"Preview, nothing written: {_rows(seen.rows)} of {seen.file} are good."
    lines = [first, f"  profile  {seen.profile}", f"  sha256   {seen.sha256.hex()}"]
    gone = "withdrawn" if withdrawn else "gone from the file, left as they are"
    counts = seen.counts
    restored = f" · {counts.restored:,} restored" if counts.restored else ""
    corrected = counts.changed - counts.restored
    lines.append(
        f"  facts    {counts.new:,} new · {counts.same:,} as before · {corrected:,} corrected"
        f"{restored} · {counts.gone:,} {gone}"
    )
    totals = [
        f"{name} {dollars(total) if name in seen.money else f'{total:,}'}"
        for name, total in seen.totals.items()
    ]
    lines += [f"  totals   {' · '.join(totals)}"] if totals else []
    lines += [f"  not used {', '.join(seen.unused)}"] if seen.unused else []
    lines += _skipped(seen)
    if seen.rows_warned:
        warned = "warning" if seen.rows_warned == 1 else "warnings"
        lines.append(f"  {seen.rows_warned:,} {warned}; these rows are taken as they stand:")
        lines += [f"    {_warning(fault)}" for fault in seen.warnings[:SHOWN]]
    if not committed and not seen.refused:
        for example in seen.examples:
            lines.append(f"  row {example.row} becomes")
            lines += [f"    {_fact(fact, seen.clock)}" for fact in example.facts]
        if len(seen.examples) < seen.rows:
            lines.append(f"  (--rows {seen.rows} shows what each row becomes)")
    if seen.changes:
        lines.append("  corrections" if committed else "  corrections this file would make")
        changes = seen.changes[:SHOWN]
        lines += [f"    {line}" for change in changes for line in _change(change, seen.clock)]
        more = counts.changed + counts.gone - SHOWN
        lines += [f"    and {more:,} more (--format json)"] if more > 0 else []
    if seen.refused > len({fault.row for fault in seen.faults}):
        lines.append("  (only the first refusals are named)")
    return "\n".join(lines) + "\n"


def profiles_text(kinds: Sequence[Profile]) -> str:
    """The profiles, each with the columns that it reads."""
    lines: list[str] = []
    for kind in kinds:
        about = textwrap.wrap(kind.about, 98, initial_indent="  ", subsequent_indent="  ")
        lines += [kind.name, *about]
        for words, required in (("columns", True), ("if there", False)):
            columns = kind.columns.values()
            named = [column.headings[0] for column in columns if column.required is required]
            if named:
                lines += textwrap.wrap(
                    ", ".join(named), 96, initial_indent=f"  {words:9}", subsequent_indent=" " * 11
                )
        lines.append("")
    lines.append("`pitledger import --copy-profile NAME OUR.toml` writes one to be changed.")
    return "\n".join(lines) + "\n"


def profiles_data(kinds: Sequence[Profile]) -> list[dict[str, Any]]:
    """The profiles as plain data."""
    return [
        {
            "profile": kind.name,
            "about": kind.about,
            "columns": [
                {
                    "headings": list(column.headings), "kind": column.kind,
                    "required": column.required,
                }
                for column in kind.columns.values()
            ],
            "events": list(dict.fromkeys(row.event.__name__ for row in kind.facts)),
        }
        for kind in kinds
    ]  # fmt: skip


def _skipped(seen: Preview) -> list[str]:
    """Which rows were no rows."""
    if not seen.rows_skipped:
        return []
    lines = [f"  skipped  {_rows(seen.rows_skipped)}"]
    lines += [f"    row {row}, {why}: {begins}" for row, why, begins in seen.skipped[:SHOWN]]
    more = seen.rows_skipped - SHOWN
    return [*lines, *([f"    and {more:,} more (--format json)"] if more > 0 else [])]


def _warning(fault: RowFault) -> str:
    return f"row {fault.row}, {fault.column}: {fault.reason}"


def _rows(count: int) -> str:
    return f"{count:,} row{'' if count == 1 else 's'}"


def _fact(fact: dict[str, Any], clock: PropertyClock | None) -> str:
    """A fact in words: what happened, where, when by the property's clocks."""
    words = _Words(fact["event"], clock)
    told = [
        f"{_name(name)} {words.value(name, value)}"
        for name, value in fact.items()
        if name not in (*HEADER, "event_time") and value is not None and value != []
    ]
    event = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", fact["event"]).lower()
    when = words.value("event_time", fact["event_time"])
    return f"{event} in {fact['stream']}, {when}: {', '.join(told) or 'no more'}"


def _name(field: str) -> str:
    """A field's name as words, without its unit."""
    return re.sub(r"_(cents|micros|time)$", "", field).replace("_", " ")


@dataclass(frozen=True, slots=True)
class _Words:
    """How the values of an event's fields are told."""

    event: str
    clock: PropertyClock | None

    def value(self, field: str, value: Any) -> str:
        """A value as people read it."""
        match value:
            case None:
                return "not recorded"
            case bool():
                return "yes" if value else "no"
            case list():
                return "; ".join(self.value(field, part) for part in value) or "none"
            case dict():
                parts = [
                    f"{_name(name)} {self.value(name, part)}"
                    for name, part in value.items()
                    if part is not None
                ]
                return f"({', '.join(parts)})"
            case int() if field.endswith("_cents") or field == "denominations":
                return dollars(value)
            case int() if field.endswith("_micros"):
                return seconds(value)
            case str() if field.endswith("_commitment"):
                return "kept apart"
            case str() if self.clock is not None and field.endswith("_time"):
                return f"{self.clock.local(to_micros(datetime.fromisoformat(value))):{LOCAL}}"
            case str() if field in _word_fields(self.event):
                return value.lower().replace("_", " ")
        return str(value)


@cache
def _word_fields(event: str) -> frozenset[str]:
    """The fields of an event, and of the records in it, that hold words of the schemas."""
    names: set[str] = set()
    waiting: list[Any] = [EVENTS[event]]
    while waiting:
        for name, hint in get_type_hints(waiting.pop()).items():
            for part in (hint, *get_args(hint), *(a for h in get_args(hint) for a in get_args(h))):
                if isinstance(part, type) and issubclass(part, Enum):
                    names.add(name)
                elif is_dataclass(part):
                    waiting.append(part)
    return frozenset(names)


def _change(change: Change, clock: PropertyClock | None) -> list[str]:
    where = f"{change.stream}:{change.seq}"
    at = f"row {change.row} ({change.key}), " if change.row else ""
    if change.after is None:
        was = _fact(change.before, clock) if change.before else "withdrawn before"
        return [f"{at}{where} is no longer in the file: {was}"]
    if change.before is None:
        return [f"{at}{where} was withdrawn and is restored: {_fact(change.after, clock)}"]
    lines = []
    words = _Words(change.after["event"], clock)
    for name, after in change.after.items():
        before = change.before.get(name)
        if name not in HEADER and before != after:
            was, became = (words.value(name, value) for value in (before, after))
            lines.append(f"{at}{where} {_name(name)}: {was} becomes {became}")
    return lines
