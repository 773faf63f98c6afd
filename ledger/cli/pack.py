"""`pitledger pack`: the evidence of a round or a case as a file that proves itself."""

from __future__ import annotations

import errno
import os
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ledger.cli.errors import CommandWrong, FileUnwritable
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json, progress
from ledger.cli.packing import PACK_OPTIONS, PackOptions, ended_round, making_of, tree_of

if TYPE_CHECKING:
    from ledger.codec import PersonalKind
    from ledger.evidence import Pack

KeyOption = Annotated[Path | None, Parameter(name="--key", show_default=False)]


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
    from ledger.analytics import JudgedTables, judged_by
    from ledger.evidence import make_pack
    from ledger.replay import Replay

    tree, is_present, signer = tree_of(folder, chosen, key)
    replay = Replay.open(folder, size=tree.size)
    cache = folder / "cache" if is_present else None
    judged = judged_by(folder, replay) if is_present else JudgedTables(replay, None)
    seen = ended_round(replay, judged, cache, round_id)
    return make_pack(seen, judged.record.clock, tree, making_of(replay, hidden, chosen, signer))


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
        f"{packed.about[:1].upper()}{packed.about[1:]} packed in {out}\n"
        f"  holds    {plural(packed.facts, 'fact')}{hidden}; {len(packed.content):,} bytes\n"
        f"  tree     {packed.tree_size:,} entries, root {packed.root.hex()}\n"
        f"  pack     {signed}\n"
        f"  SHA-256  {sha256(packed.content).hexdigest()}\n"
        "  check    python verify.py FILE --key KEY; verify.py and the key from elsewhere than the"
        " pack\n"
    )
