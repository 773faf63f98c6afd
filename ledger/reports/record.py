"""What the ledger's own commands say: appending, verifying, reading out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ledger.codec import format_time
from ledger.intake import OWN_POSITION, POSITION
from ledger.log import Began, Entry, Printed, Quarantined, SchemaUsed, Verification


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A line that was not appended, or whose record was quarantined."""

    line: int
    code: str
    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AppendedLines:
    """What became of a file of lines; ``named`` are the first of those that were not accepted."""

    accepted: int
    repeated: int
    conflicts: int
    quarantined: int
    refused: int
    named: tuple[Refused, ...]
    tree_size: int
    root: str
    warnings: tuple[Refused, ...] = ()
    is_preview: bool = False


def append_data(done: AppendedLines) -> dict[str, Any]:
    """The answer of `append` as plain data."""
    return {
        "accepted": done.accepted,
        "repeated": done.repeated,
        "conflicts": done.conflicts,
        "quarantined": done.quarantined,
        "refused": done.refused,
        "lines": [
            {"line": one.line, "code": one.code, "path": one.path or None, "reason": one.reason}
            for one in done.named
        ],
        "tree_size": done.tree_size,
        "root": done.root,
        "warnings": [
            {"line": one.line, "path": one.path, "reason": one.reason} for one in done.warnings
        ],
        "preview": done.is_preview,
    }


def append_text(done: AppendedLines) -> str:
    """The answer of `append` for people."""
    words = [f"{done.accepted:,} {'would be ' if done.is_preview else ''}appended"]
    words += [f"{done.repeated:,} there already"] if done.repeated else []
    words += [f"{done.conflicts:,} in conflict, quarantined"] if done.conflicts else []
    words += [f"{done.quarantined:,} quarantined"] if done.quarantined else []
    words += [f"{done.refused:,} refused"] if done.refused else []
    words += [f"{len(done.warnings):,} unlikely"] if done.warnings else []
    words += ["nothing was changed"] if done.is_preview else []
    return f"{', '.join(words)}\nledger: {done.tree_size:,} entries, root {done.root}\n"


def verify_data(found: Verification) -> dict[str, Any]:
    """The answer of `verify` as plain data."""
    return {
        "tree_size": found.tree_size,
        "root": found.root,
        "origin": found.origin,
        "witness": found.witness,
        "first_bad_position": found.first_bad_position,
        "problem": found.problem,
        "remarks": list(found.remarks),
    }


def verify_text(found: Verification) -> str:
    """The answer of `verify` for people."""
    if found.problem is None:
        lines = [f"Every byte is what was signed: {found.tree_size:,} entries of {found.origin}"]
    else:
        where = (
            "" if found.first_bad_position is None else f" at position {found.first_bad_position:,}"
        )
        lines = [f"NOT what was signed{where}: {found.problem}"]
        lines += ["  next:  stop writing, keep the folder as it is, restore a copy elsewhere"]
    lines += [f"  root     {found.root}"] if found.root else []
    lines += [f"  witness  {found.witness}"]
    lines += [f"  note     {remark}" for remark in found.remarks]
    return "\n".join(lines) + "\n"


def printed_data(found: Printed) -> dict[str, Any]:
    """A ledger held against paper, as plain data."""
    return {
        "size": found.size,
        "given": found.given,
        "root": found.root,
        "bits_compared": found.bits,
        "matches": found.matches,
    }


def printed_text(found: Printed) -> str:
    """A ledger held against paper, and how sure that is, for people."""
    if not found.matches:
        lines = [
            f"NOT the ledger of the paper: the root of its first {found.size:,} entries is another",
            f"  paper    {found.given}",
            f"  ledger   {found.root}",
        ]
    elif found.is_whole:
        lines = [
            f"This is the ledger of the paper: its first {found.size:,} entries have that root",
            "  sure     the whole root agrees, all 256 bits: every entry is the same",
        ]
    else:
        lines = [
            f"The paper agrees, as far as it goes, with the first {found.size:,} entries",
            f"  sure     {len(found.given)} characters, {found.bits} of 256 bits: chance does not"
            " make that; only the whole root excludes intent",
            f"  ledger   {found.root}",
        ]
    return "\n".join(lines) + "\n"


def with_position(plain: dict[str, Any], position: int) -> dict[str, Any]:
    """The plain form of a fact with its position in the ledger first.

    ``position`` is always the ledger's; a fact's own field of that name is shown as
    ``fact_position``, in its place.
    """
    own = {OWN_POSITION if name == POSITION else name: value for name, value in plain.items()}
    return {POSITION: position, **own}


def entry_data(entry: Entry, position: int) -> dict[str, Any]:
    """An entry that is no fact, as plain data."""
    head: dict[str, Any] = {POSITION: position}
    match entry:
        case Began():
            said = {
                "entry": "began",
                "format_version": entry.format_version,
                "origin": entry.origin,
                "property": entry.property,
            }
        case SchemaUsed():
            said = {
                "entry": "schema_used",
                "id": entry.id,
                "name": entry.name,
                "version": entry.version,
            }
        case Quarantined():
            told = entry.conflicts_with
            said = {
                "entry": "quarantined",
                "reason": entry.reason,
                "sha256": entry.sha256.hex(),
                "length": entry.length,
                "key": entry.key.hex() if entry.key is not None else None,
                "conflicts_with": told._asdict() if told else None,
                "coordinates": entry.coordinates._asdict() if entry.coordinates else None,
            }
        case _:
            said = {"entry": "accepted"}
    return {**head, **said, "record_time": format_time(entry.record_time)}
