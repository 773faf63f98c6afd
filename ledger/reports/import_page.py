"""The output of `pitledger import`: new facts, corrections, and the faults of a file."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Final

from ledger.intake import Change, Preview, Profile, RowFault
from ledger.kernel import PropertyClock, dollars, event_words, plural
from ledger.reports.field_words import FieldWords, field_name

SHOWN: Final = 20
"""How many corrections the page shows; the JSON form has up to a thousand."""
HEADER: Final = ("event", "version", "stream", "seq", "source", "recorded_by")


def import_data(seen: Preview) -> dict[str, object]:
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


def _faults(faults: Sequence[RowFault]) -> list[dict[str, object]]:
    return [
        {
            "row": fault.row, "column": fault.column or None, "code": fault.code,
            "reason": fault.reason, "value": fault.cell,
        }
        for fault in faults
    ]  # fmt: skip


def import_text(seen: Preview, *, committed: bool, withdrawn: bool = False) -> str:
    """The preview, or what was committed, as a page: dollars, and the property's local time.

    Args:
        seen: the preview.
        committed: whether its facts were written.
        withdrawn: whether facts that are no longer in the file were withdrawn.
    """
    if seen.refused:
        first = f"{_rows(seen.refused)} of {seen.rows:,} refused: nothing is imported."
    elif committed:
        first = f"Imported: {_rows(seen.rows)} of {seen.file}."
    else:
        first = f"Preview, nothing written: {_rows(seen.rows)} of {seen.file} can be imported."
    lines = [first, f"  profile  {seen.profile}", f"  sha256   {seen.sha256.hex()}"]
    gone = "withdrawn" if withdrawn else "no longer in the file, left unchanged"
    counts = seen.counts
    restored = f" · {counts.restored:,} restored" if counts.restored else ""
    corrected = counts.changed - counts.restored
    lines.append(
        f"  facts    {counts.new:,} new · {counts.same:,} unchanged · {corrected:,} corrected"
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
        lines.append(f"  {plural(seen.rows_warned, 'row')} with a warning, imported as written:")
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
        lines.append("  (only the first refusals are listed)")
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


def profiles_data(kinds: Sequence[Profile]) -> list[dict[str, object]]:
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
    """The rows that were skipped, with the reason."""
    if not seen.rows_skipped:
        return []
    lines = [f"  skipped  {_rows(seen.rows_skipped)}"]
    lines += [f"    row {row}, {why}: {begins}" for row, why, begins in seen.skipped[:SHOWN]]
    more = seen.rows_skipped - SHOWN
    return [*lines, *([f"    and {more:,} more (--format json)"] if more > 0 else [])]


def _warning(fault: RowFault) -> str:
    return f"row {fault.row}, {fault.column}: {fault.reason}"


def _rows(count: int) -> str:
    return plural(count, "row")


def _fact(fact: Mapping[str, object], clock: PropertyClock | None) -> str:
    """A fact in words: the event, its stream, the local time, its fields."""
    words = FieldWords(str(fact["event"]), clock)
    parts = [
        f"{field_name(name)} {words.of(name, content)}"
        for name, content in fact.items()
        if name not in (*HEADER, "event_time") and content is not None and content != []
    ]
    when = words.of("event_time", fact["event_time"])
    return f"{event_words(str(fact['event']))}, {fact['stream']}, {when}" + (
        f": {', '.join(parts)}" if parts else ""
    )


def _change(change: Change, clock: PropertyClock | None) -> list[str]:
    where = f"{change.stream}:{change.seq}"
    at = f"row {change.row} ({change.key}), " if change.row else ""
    if change.after is None:
        was = _fact(change.before, clock) if change.before else "withdrawn before"
        return [f"{at}{where} is no longer in the file: {was}"]
    if change.before is None:
        return [f"{at}{where} was withdrawn and is restored: {_fact(change.after, clock)}"]
    lines = []
    words = FieldWords(str(change.after["event"]), clock)
    for name, after in change.after.items():
        before = change.before.get(name)
        if name not in HEADER and before != after:
            was, became = (words.of(name, content) for content in (before, after))
            lines.append(f"{at}{where} {field_name(name)}: was {was}, now {became}")
    return lines
