"""What `pitledger import` says: what a file becomes, what it corrects, what is wrong with it."""

from __future__ import annotations

from typing import Any, Final

from ledger.intake import Change, Preview
from ledger.kernel import dollars

SHOWN: Final = 20
"""How many corrections the page shows; the JSON form has up to a thousand."""
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
        },
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
        "faults": [
            {
                "row": one.row, "column": one.column or None, "code": one.code,
                "reason": one.reason, "value": one.value,
            }
            for one in seen.faults
        ],
    }  # fmt: skip


def import_text(seen: Preview, *, committed: bool, withdrawn: bool = False) -> str:
    """The preview, or what was committed, as a page."""
    if seen.refused:
        first = f"{_rows(seen.refused)} of {seen.rows:,} refused: nothing is imported."
    elif committed:
        first = f"Imported: {_rows(seen.rows)} of {seen.file}."
    else:
        first = f"Preview, nothing written: {_rows(seen.rows)} of {seen.file} are good."
    lines = [first, f"  profile  {seen.profile}", f"  sha256   {seen.sha256.hex()}"]
    gone = "withdrawn" if withdrawn else "gone from the file, left as they are"
    counts = seen.counts
    lines.append(
        f"  facts    {counts.new:,} new · {counts.same:,} as before · {counts.changed:,} corrected"
        f" · {counts.gone:,} {gone}"
    )
    totals = [
        f"{name} {dollars(total) if name in seen.money else f'{total:,}'}"
        for name, total in seen.totals.items()
    ]
    lines += [f"  totals   {' · '.join(totals)}"] if totals else []
    lines += [f"  not used {', '.join(seen.unused)}"] if seen.unused else []
    if not committed and not seen.refused:
        for example in seen.examples:
            lines.append(f"  row {example.row} becomes")
            lines += [f"    {_fact(fact)}" for fact in example.facts]
        if len(seen.examples) < seen.rows:
            lines.append(f"  (--rows {seen.rows} shows what each row becomes)")
    if seen.changes:
        lines.append("  corrections" if committed else "  corrections this file would make")
        lines += [f"    {line}" for one in seen.changes[:SHOWN] for line in _change(one)]
        more = counts.changed + counts.gone - SHOWN
        lines += [f"    and {more:,} more (--format json)"] if more > 0 else []
    if seen.refused > len({fault.row for fault in seen.faults}):
        lines.append("  (only the first refusals are named)")
    return "\n".join(lines) + "\n"


def _rows(count: int) -> str:
    return f"{count:,} row{'' if count == 1 else 's'}"


def _fact(fact: dict[str, Any]) -> str:
    said = [f"{name} {_value(one)}" for name, one in fact.items() if name not in HEADER]
    return f"{fact['event']} in {fact['stream']}: {', '.join(said)}"


def _value(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k} {_value(v)}" for k, v in value.items() if v is not None) + "}"
    return "-" if value is None else str(value)


def _change(one: Change) -> list[str]:
    where = f"{one.stream}:{one.seq}"
    at = f"row {one.row} ({one.key}), " if one.row else ""
    if one.after is None:
        return [f"{at}{where} is no longer in the file: {_fact(one.before) if one.before else '-'}"]
    before = one.before or {}
    out = []
    for name, now in one.after.items():
        if name not in HEADER and before.get(name) != now:
            out.append(f"{at}{where} {name}: {_value(before.get(name))} becomes {_value(now)}")
    return out
