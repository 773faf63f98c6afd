"""The register of readings, printed: what the texts leave open, and what we decided."""

from __future__ import annotations

import textwrap
from typing import Final

from ledger.law import CONFIRM, Reading, readings

WIDTH: Final = 100


def law_readings() -> list[dict[str, object]]:
    """Every reading as plain data."""
    return [
        {
            "id": entry.id,
            "question": entry.question,
            "choice": {"key": entry.choice, "says": entry.options[entry.choice]},
            "alternatives": [
                {"key": key, "says": entry.options[key]} for key in entry.alternatives
            ],
            "effect": entry.effect,
            "used": list(entry.used),
            "status": entry.status,
            "owner": entry.owner,
            "source": entry.source,
            "address": entry.address,
            "read_on": entry.read_on,
            "confirm": CONFIRM if entry.outside else None,
            "added": entry.added,
        }
        for entry in readings().values()
    ]


def readings_text() -> str:
    """The register as a page for people."""
    entries = readings().values()
    still = sum(entry.status == "open" for entry in entries)
    lines = [
        f"{len(entries)} readings, {still} open. They are ours until counsel or the Board closes"
        " them;",
        "a property may file another of the listed answers in its Rules Submission.",
        "",
    ]
    for entry in entries:
        lines += [*_entry(entry), ""]
    return "\n".join(lines).rstrip() + "\n"


def _entry(entry: Reading) -> list[str]:
    places = ", ".join(f"§ {section}" for section in entry.used)
    mark = ", added to the list we started from" if entry.added else ""
    lines = [f"{entry.id}  ({entry.status}, owner {entry.owner}{mark})"]
    lines += _indent("asks", entry.question)
    lines += _indent("we say", f"{entry.options[entry.choice]} [{entry.choice}]")
    for key in entry.alternatives:
        lines += _indent("or", f"{entry.options[key]} [{key}]")
    lines += _indent("effect", entry.effect)
    lines += _indent("used", places)
    if entry.outside:
        read = f", read {entry.read_on}" if entry.read_on else ", date read not recorded"
        lines += _indent("source", f"outside the texts held: {entry.address}{read}; {CONFIRM}")
    return lines


def _indent(label: str, text: str) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=f"    {label:<7} ",
        subsequent_indent=" " * 12,
        break_on_hyphens=False,
    )
