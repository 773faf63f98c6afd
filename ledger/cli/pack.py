"""`pitledger pack`: the evidence of a round or a case as a file that proves itself."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from ledger.cli.errors import CommandWrong, FileUnwritable
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json, progress

if TYPE_CHECKING:
    from ledger.analytics import JudgedTables
    from ledger.codec import PersonalKind
    from ledger.evidence import Making, Pack, PackedTree
    from ledger.log import FileSnapshot, Signer
    from ledger.replay import Replay
    from ledger.reports import RoundView

KeyOption = Annotated[Path | None, Parameter(name="--key", show_default=False)]
FileOption = Annotated[Path | None, Parameter(show_default=False)]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class PackOptions:
    """What is in a pack beside its facts, and what is not."""

    size: Annotated[int | None, Parameter(name="--size", show_default=False)] = None
    """Pack the ledger as it stood at this many entries; needs the ledger's key."""
    witness: FileOption = None
    """A checkpoint that a witness kept; the pack proves that the ledger goes on from it."""
    redact: Annotated[str | None, Parameter(show_default=False)] = None
    """Write the twin without personal strings: all, or some of patrons,staff,names,text."""
    media: FileOption = None
    """Put the files of the case into the pack, from this folder; else their hashes alone."""


PACK_OPTIONS: Final = PackOptions()


def pack(
    *,
    round: Annotated[str | None, Parameter(name="--round", show_default=False)] = None,
    case: Annotated[str | None, Parameter(name="--case", show_default=False)] = None,
    person: Annotated[str | None, Parameter(name="--as", show_default=False)] = None,
    out: Annotated[Path, Parameter(name="--out")],
    chosen: PackOptions = PACK_OPTIONS,
    key: KeyOption = None,
    options: Options = OPTIONS,
) -> int:
    """Write the evidence of a round or a case as one zip that an outsider checks without us.

    The same round or case, tree and version, with the same key and witness, give the same bytes.
    Without the ledger's key the facts are proved all the same, but nobody signs the rest.

    Args:
        round: stream and number of any of its facts, such as SB-01:1234.
        case: the number of a case; you prove who you are, and a pack with patrons is a look.
        person: your credential, for a case.
        out: the file to write; a file that is there is never replaced.
        chosen: what is in it beside its facts, and what is not.
        key: the ledger's private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.
    """
    from ledger.evidence import PackExists, kinds_of

    if (round is None) == (case is None) or (case is None) != (person is None):
        raise CommandWrong("Name a round with --round, or a case with --case and --as.", "pack")
    if chosen.media is not None and (case is None or chosen.redact is not None):
        raise CommandWrong("Files are packed of a case, and not in its twin.", "pack")
    hidden = kinds_of(chosen.redact)
    if os.path.lexists(out):
        raise PackExists(out)
    if case is not None and person is not None:
        from ledger.cli.case_packing import packed_case

        packed = packed_case(options.folder, case, person, hidden, chosen, key)
    else:
        with progress("packing", ""):
            packed = _packed_round(options.folder, str(round), hidden, chosen, key)
    write_new(out, packed.content)
    if options.is_json:
        emit_json(_data(packed, out))
    else:
        emit(_text(packed, out))
    return 0


def _packed_round(
    folder: Path,
    round_id: str,
    hidden: frozenset[PersonalKind],
    chosen: PackOptions,
    key: Path | None,
) -> Pack:
    from ledger.analytics import JudgedTables
    from ledger.evidence import make_pack
    from ledger.replay import Replay

    tree, is_present, signer = tree_of(folder, chosen, key)
    replay = Replay.open(folder, size=tree.size)
    cache = folder / "cache" if is_present else None
    judged = JudgedTables(replay, cache)
    seen = ended_round(replay, judged, cache, round_id)
    return make_pack(
        seen, judged.record.clock, tree, making_of(replay, hidden, chosen, signer)
    )


def tree_of(
    folder: Path, chosen: PackOptions, key: Path | None
) -> tuple[PackedTree, bool, Signer | None]:
    """Return the tree that is packed, whether it is the present one, and the ledger's key.

    Raises:
        SizeUnknown, KeyNeeded: there is none of that size, or nobody can sign its checkpoint.
    """
    from ledger.evidence import PackedTree
    from ledger.log import read_log

    log = read_log(folder)
    signer = _signer(log, key)
    tree = PackedTree(log, chosen.size, signer)
    return tree, tree.size == log.size, signer


def making_of(
    replay: Replay, hidden: frozenset[PersonalKind], chosen: PackOptions, signer: Signer | None
) -> Making:
    """Return how a pack is made."""
    from ledger import __version__
    from ledger.evidence import Making

    return Making(
        version=__version__,
        signer=signer,
        witness=chosen.witness,
        redact=hidden,
        others=_people(replay) if hidden else (),
    )


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


def ended_round(
    replay: Replay, judged: JudgedTables, cache: Path | None, text: str
) -> RoundView:
    """Return a round that is over.

    Raises:
        RoundUnknown: there is no such round.
        RoundStillOpen: its end is not on record, and its day is not closed.
    """
    from ledger.cli.days import round_seen
    from ledger.evidence import RoundStillOpen

    seen = round_seen(replay, judged, cache, text)
    result, closings = seen.result, judged.house.office.closings
    if result.closed_at is None and result.gaming_day.isoformat() not in closings:
        raise RoundStillOpen(result.round)
    return seen


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


def _data(packed: Pack, out: Path) -> dict[str, object]:
    return {
        "file": str(out),
        "sha256": sha256(packed.content).hexdigest(),
        "bytes": len(packed.content),
        "about": packed.about,
        "facts": packed.facts,
        "hidden_facts": packed.hidden,
        "withheld_strings": packed.withheld,
        "tree_size": packed.tree_size,
        "root": packed.root.hex(),
        "signed": packed.is_signed,
    }


def _text(packed: Pack, out: Path) -> str:
    from ledger.kernel import plural

    hidden = f", {packed.hidden:,} of them as a hash only" if packed.hidden else ""
    hidden += f", {plural(packed.withheld, 'string')} withheld" if packed.withheld else ""
    signed = (
        "signed with the ledger's key"
        if packed.is_signed
        else ("NOT SIGNED, the ledger's key is not at hand: its facts are proved, the rest is not")
    )
    return (
        f"{packed.about.capitalize()} packed in {out}\n"
        f"  holds    {plural(packed.facts, 'fact')}{hidden}; {len(packed.content):,} bytes\n"
        f"  tree     {packed.tree_size:,} entries, root {packed.root.hex()}\n"
        f"  pack     {signed}\n"
        f"  SHA-256  {sha256(packed.content).hexdigest()}\n"
        "  check    python verify.py FILE --key KEY; verify.py and the key from elsewhere than the"
        " pack\n"
    )
