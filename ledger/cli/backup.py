"""A verified copy of a ledger, taken while it is written."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ledger.cli.errors import CommandWrong
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json


def backup(
    destination: Path,
    *,
    erasable: Annotated[Path | None, Parameter(name="--erasable", show_default=False)] = None,
    options: Options = OPTIONS,
) -> int:
    """Copy the ledger into another folder, and verify the copy.

    Facts may be appended meanwhile: the copy is what the present checkpoint signed. Repeat it into
    the same folder to add what came since. The private key is never copied: keep it elsewhere.

    Args:
        destination: a new or empty folder, or one that holds an earlier copy of this ledger.
        erasable: a folder for names and addresses of patrons, outside the copy. They are encrypted,
            and their keys are never copied: what is forgotten later is forgotten there too.
            Without it they are not copied.
    """
    from ledger.intake import ErasableStore
    from ledger.log import back_up
    from ledger.log.openings import FOLDER as OPENINGS
    from ledger.log.person_keys import person_keys_file

    if erasable is not None:
        inside, outside = destination.resolve(), erasable.resolve()
        if inside == outside or inside in outside.parents or outside in inside.parents:
            raise CommandWrong(
                "Names and addresses are kept apart from the copy, since it cannot forget.",
                "name another folder with --erasable",
            )
    copied = back_up(options.folder, destination)
    store = ErasableStore(options.folder)
    openings = None if erasable is None else store.copy_to(erasable)
    if options.is_json:
        emit_json(
            {
                "tree_size": copied.tree_size,
                "root": copied.root,
                "destination": str(destination),
                "files_copied": copied.copied,
                "files_kept": copied.kept,
                "openings_copied": openings,
            }
        )
        return 0
    files = "1 file" if copied.copied == 1 else f"{copied.copied:,} files"
    lines = [
        f"Copied {copied.tree_size:,} entries to {destination}, and verified the copy.",
        f"  root   {copied.root}",
        f"  new    {files}; {copied.kept:,} stood there already",
        "  key    the private key is not in it; keep it elsewhere",
    ]
    if (destination / OPENINGS).exists():
        lines.append("  texts  personal texts are in it, encrypted")
        lines.append(f"         their keys are not copied: {person_keys_file(options.folder)}")
    if openings is not None:
        names = "1 name and address" if openings == 1 else f"{openings:,} names and addresses"
        lines.append(f"  names  {names} to {erasable}, encrypted")
        lines.append(f"         their keys are not copied: {store.people.path}")
    elif store.path.exists():
        lines.append("  names  names and addresses are not in it; --erasable DIR copies them apart")
    emit("\n".join(lines) + "\n")
    return 0
