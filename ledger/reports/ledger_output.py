"""The output of the ledger's own commands: append, verify, cat."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.analytics import JudgedCheck
from ledger.codec import format_time
from ledger.intake import OWN_POSITION, POSITION
from ledger.kernel import plural
from ledger.kernel.quick_dataclass import dataclass
from ledger.log import (
    Began,
    Entry,
    KeyRotated,
    PrintedComparison,
    Quarantined,
    SchemaUsed,
    Verification,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A line that was not appended, or whose record was quarantined; or a warning about a line.

    Attributes:
        line: its number in the file, from 1.
        code: of the fault.
        path: of the field, such as ``dice[0].color``; empty for a fault of the line as a whole.
        reason: the fault in words.
    """

    line: int
    code: str
    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AppendedLines:
    """What became of a file of lines.

    Attributes:
        accepted: lines appended; in a preview, lines that would be.
        repeated: lines already in the ledger.
        conflicts: lines quarantined because another record has their stream and number.
        quarantined: further lines quarantined.
        refused: lines not taken at all.
        named: the first of those that were not accepted.
        tree_size: entries of the ledger afterwards.
        root: its root afterwards, as hex.
        warnings: on lines that were accepted all the same.
        is_preview: nothing was changed.
    """

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


def append_data(done: AppendedLines) -> dict[str, object]:
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
    words += [f"{done.repeated:,} already in the ledger"] if done.repeated else []
    words += [f"{done.conflicts:,} in conflict, quarantined"] if done.conflicts else []
    words += [f"{done.quarantined:,} quarantined"] if done.quarantined else []
    words += [f"{done.refused:,} refused"] if done.refused else []
    words += [plural(len(done.warnings), "warning")] if done.warnings else []
    words += ["nothing changed"] if done.is_preview else []
    return f"{', '.join(words)}\nledger: {done.tree_size:,} entries, root {done.root}\n"


def verify_data(verification: Verification) -> dict[str, object]:
    """The answer of `verify` as plain data."""
    return {
        "tree_size": verification.tree_size,
        "root": verification.root,
        "origin": verification.origin,
        "key": verification.key,
        "witness": verification.witness,
        "cosigned": list(verification.cosigned),
        "too_few_witnesses": verification.too_few,
        "witnesses": verification.witnesses,
        "first_bad_position": verification.first_bad_position,
        "problem": verification.problem,
        "remarks": list(verification.remarks),
    }


def verify_text(verification: Verification) -> str:
    """The answer of `verify` for people."""
    if verification.problem is None:
        size, origin = verification.tree_size, verification.origin
        entries = plural(size or 0, "entry", "entries")
        lines = [f"Every byte is what was signed: {entries} of {origin}"]
    else:
        bad = verification.first_bad_position
        where = "" if bad is None else f" at position {bad:,}"
        lines = [f"NOT what was signed{where}: {verification.problem}"]
        lines += ["  next:    stop writing, keep the folder as it is, restore a copy elsewhere"]
    lines += [f"  root     {verification.root}"] if verification.root else []
    whose = (
        "as you named it"
        if verification.key_was_named
        else "the folder's own; name yours with --verifier"
    )
    lines += [f"  key      {verification.key} ({whose})"] if verification.key else []
    lines += [f"  witness  {verification.witness}"]
    if verification.witnesses is not None:
        total = plural(verification.witnesses, "witness", "witnesses")
        names = "".join(f", {name}" for name in verification.cosigned)
        lines += [f"  TOO FEW  {verification.too_few}"] if verification.too_few else []
        lines += [f"  cosigned by {len(verification.cosigned)} of {total}{names}"]
    lines += [f"  note     {remark}" for remark in verification.remarks]
    return "\n".join(lines) + "\n"


def judged_data(check: JudgedCheck) -> dict[str, object]:
    """What came of judging again, as plain data."""
    return {"equal": check.equal, "waiting": check.waiting, "difference": check.difference}


def judged_text(check: JudgedCheck) -> str:
    """What came of judging again, for people."""
    days = f"{plural(check.equal, 'day')} of a table"
    if check.difference is not None:
        return (
            f"NOT what was judged: {check.difference} (after {days} that agree)\n"
            "  next:    remove the ledger's folder cache, all of which is made again; until then\n"
            "           `pitledger audit --from-nothing` judges without what was kept\n"
        )
    waiting = f"; {check.waiting:,} are judged when they are asked for" if check.waiting else ""
    return f"Judged again from the facts, and the same: {days}{waiting}\n"


def printed_data(printed: PrintedComparison) -> dict[str, object]:
    """A ledger compared with a printed root, as plain data."""
    return {
        "size": printed.size,
        "given": printed.paper_root,
        "root": printed.root,
        "bits_compared": printed.bits,
        "matches": printed.matches,
    }


def printed_text(printed: PrintedComparison) -> str:
    """A ledger compared with a printed root, and how sure the answer is, for people."""
    entries = plural(printed.size, "entry", "entries")
    if not printed.matches:
        lines = [
            f"NOT the ledger on the paper: its first {entries} have a different root",
            f"  paper    {printed.paper_root}",
            f"  ledger   {printed.root}",
        ]
    elif printed.is_whole:
        lines = [
            f"This is the ledger on the paper: its first {entries} have that root",
            "  sure     the whole root agrees, all 256 bits: every entry is the same",
        ]
    else:
        lines = [
            f"The paper agrees, as far as it goes, with the first {entries}",
            f"  sure     {len(printed.paper_root)} characters, {printed.bits} of 256 bits agree:"
            " not by chance; only the whole root rules out a forgery",
            f"  ledger   {printed.root}",
        ]
    return "\n".join(lines) + "\n"


def with_position(plain: Mapping[str, object], position: int) -> dict[str, object]:
    """The plain form of a fact with its position in the ledger first.

    ``position`` is always the ledger's; a fact's own field of that name is shown as
    ``fact_position``, in its place.
    """
    own = {OWN_POSITION if name == POSITION else name: value for name, value in plain.items()}
    return {POSITION: position, **own}


def entry_data(entry: Entry, position: int) -> dict[str, object]:
    """An entry of the ledger that is not a fact, as plain data.

    Args:
        entry: the entry; hashes and keys of it become hex.
        position: its position in the ledger, from 0.
    """
    head: dict[str, object] = {POSITION: position}
    match entry:
        case Began():
            fields = {
                "entry": "began",
                "format_version": entry.format_version,
                "origin": entry.origin,
                "property": entry.property,
            }
        case SchemaUsed():
            fields = {
                "entry": "schema_used",
                "id": entry.id,
                "name": entry.name,
                "version": entry.version,
            }
        case KeyRotated():
            fields = {
                "entry": "key_rotated",
                "old": entry.old,
                "new": entry.new,
                "endorsed_by_old": entry.signed_by_old is not None,
            }
        case Quarantined():
            other = entry.conflicts_with
            fields = {
                "entry": "quarantined",
                "reason": entry.reason,
                "sha256": entry.sha256.hex(),
                "length": entry.length,
                "key": entry.key.hex() if entry.key is not None else None,
                "conflicts_with": other._asdict() if other else None,
                "coordinates": entry.coordinates._asdict() if entry.coordinates else None,
            }
        case _:
            fields = {"entry": "accepted"}
    return {**head, **fields, "record_time": format_time(entry.record_time)}
