"""`pitledger pack`: the evidence of one round as a file that proves itself."""

from __future__ import annotations

import errno
import os
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ledger.cli.errors import FileUnwritable
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json, progress

if TYPE_CHECKING:
    from ledger.codec import PersonalKind
    from ledger.evidence import Pack
    from ledger.kernel import PropertyClock
    from ledger.log import FileSnapshot, Signer
    from ledger.replay import Replay
    from ledger.reports import RoundView

KeyOption = Annotated[Path | None, Parameter(name="--key", show_default=False)]
FileOption = Annotated[Path | None, Parameter(show_default=False)]


def pack(
    *,
    round: Annotated[str, Parameter(name="--round")],
    out: Annotated[Path, Parameter(name="--out")],
    size: Annotated[int | None, Parameter(name="--size", show_default=False)] = None,
    witness: FileOption = None,
    redact: Annotated[str | None, Parameter(show_default=False)] = None,
    key: KeyOption = None,
    options: Options = OPTIONS,
) -> int:
    """Write the evidence of a round as one zip that an outsider checks without Pitledger.

    The same round, tree and version, with the same key and witness, give the same bytes. Without
    the ledger's key the facts are proved all the same, but nobody signs the rest of the pack.

    Args:
        round: stream and number of any of its facts, such as SB-01:1234.
        out: the file to write; a file that is there is never replaced.
        size: pack the ledger as it stood at this many entries; needs the ledger's key.
        witness: a checkpoint that a witness kept; the pack proves that the ledger goes on from it.
        redact: write the twin without personal strings: all, or some of patrons,staff,names,text.
        key: the ledger's private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.
    """
    from ledger import __version__
    from ledger.evidence import PackedTree, PackExists, kinds_of, make_pack
    from ledger.log import read_log

    hidden = kinds_of(redact)

    if os.path.lexists(out):
        raise PackExists(out)
    with progress("packing", ""):
        log = read_log(options.folder)
        signer = _signer(log, key)
        tree = PackedTree(log, size, signer)
        seen, clock, replay = _round_at(
            options.folder, round, tree.size, is_present=tree.size == log.size
        )
        packed = make_pack(
            seen,
            clock,
            tree,
            version=__version__,
            signer=signer,
            witness=witness,
            redact=hidden,
            others=_people(replay) if hidden else (),
        )
        write_new(out, packed.content)
    if options.is_json:
        emit_json(_data(packed, seen.result.round, out))
    else:
        emit(_text(packed, seen.result.round, out))
    return 0


def _signer(log: FileSnapshot, key: Path | None) -> Signer | None:
    """The ledger's key; None where nobody named one and none lies in the usual places."""
    from ledger.log import KeyMissing
    from ledger.log.keys import read_signer

    try:
        return read_signer(log.storage, key, log.verifier)
    except KeyMissing:
        if key is not None:
            raise
        return None


def _round_at(
    folder: Path, text: str, size: int, *, is_present: bool
) -> tuple[RoundView, PropertyClock, Replay]:
    """The round as the ledger of a size has it, the property's clock, and that ledger's replay.

    Raises:
        RoundUnknown: there is no such round.
        RoundStillOpen: its end is not on record, and its day is not closed.
    """
    from ledger.analytics import JudgedTables
    from ledger.cli.days import round_seen
    from ledger.evidence import RoundStillOpen
    from ledger.replay import Replay

    replay = Replay.open(folder, size=size)
    cache = folder / "cache" if is_present else None
    judged = JudgedTables(replay, cache)
    seen = round_seen(replay, judged, cache, text)
    result, closings = seen.result, judged.house.office.closings
    if result.closed_at is None and result.gaming_day.isoformat() not in closings:
        raise RoundStillOpen(result.round)
    return seen, judged.record.clock, replay


def _people(replay: Replay) -> list[tuple[PersonalKind, str]]:
    """The credentials and names on the record: a finding may name somebody whom no fact does."""
    from ledger.codec import PersonalKind

    roster = replay.roster()
    holders = [fact.person for facts in roster.people.values() for _, fact in facts]
    described = [fact for facts in roster.described.values() for _, fact in facts]
    staff = dict.fromkeys([*holders, *(fact.person for fact in described)])
    names = [fact.printed_name for fact in described if fact.printed_name is not None]
    return [
        *((PersonalKind.STAFF, person) for person in staff),
        *((PersonalKind.NAME, name) for name in names),
    ]


def write_new(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, and never over another one.

    Raises:
        PackExists: there is a file.
        FileUnwritable: it cannot be written.
    """
    from ledger.evidence import PackExists
    from ledger.log.storage import DirectoryStorage

    folder, scratch = DirectoryStorage(path.parent), f".{path.name}.{os.getpid()}.unfinished"
    try:
        if not path.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path.parent))
        try:
            folder.write([(scratch, content)])
            folder.name_new(scratch, path.name)
        finally:
            path.with_name(scratch).unlink(missing_ok=True)
        folder.sync_folder(".")
    except FileExistsError as error:
        raise PackExists(path) from error
    except OSError as error:
        raise FileUnwritable(path, error) from error


def _data(packed: Pack, round_id: str, out: Path) -> dict[str, object]:
    return {
        "file": str(out),
        "sha256": sha256(packed.content).hexdigest(),
        "bytes": len(packed.content),
        "round": round_id,
        "facts": packed.facts,
        "hidden_facts": packed.hidden,
        "withheld_strings": packed.withheld,
        "tree_size": packed.tree_size,
        "root": packed.root.hex(),
        "signed": packed.is_signed,
    }


def _text(packed: Pack, round_id: str, out: Path) -> str:
    from ledger.kernel import plural

    hidden = f", {packed.hidden:,} of them as a hash only" if packed.hidden else ""
    hidden += f", {plural(packed.withheld, 'string')} withheld" if packed.withheld else ""
    signed = (
        "signed with the ledger's key"
        if packed.is_signed
        else ("NOT SIGNED, the ledger's key is not at hand: its facts are proved, the rest is not")
    )
    return (
        f"Round {round_id} packed in {out}\n"
        f"  holds    {plural(packed.facts, 'fact')}{hidden}; {len(packed.content):,} bytes\n"
        f"  tree     {packed.tree_size:,} entries, root {packed.root.hex()}\n"
        f"  pack     {signed}\n"
        f"  SHA-256  {sha256(packed.content).hexdigest()}\n"
        "  check    python verify.py FILE --key KEY; verify.py and the key from elsewhere than the"
        " pack\n"
    )
