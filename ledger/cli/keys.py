"""The command that gives a ledger a new key."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ledger.cli.ledger_commands import KeyOption, WitnessOption
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json


def key_rotate(
    *,
    handover: Annotated[Path, Parameter(name="--handover")],
    key: KeyOption = None,
    new_key: Annotated[Path | None, Parameter(name="--new-key", show_default=False)] = None,
    lost: Annotated[bool, Parameter(negative="")] = False,
    witness: WitnessOption = None,
    options: Options = OPTIONS,
) -> int:
    """Give the ledger a new key. The old key signs the change, in the ledger itself.

    Give the handover to everyone who keeps the old public key: they can follow to the new one.

    Args:
        handover: a new file, outside the ledger, for the checkpoint that both keys signed.
        key: the old private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.
        new_key: a new file for the new private key; default in the place of the old one.
        lost: the old private key is lost, or somebody may have copied it. It does not sign the
            change, so nobody can follow: tell everyone who trusts the old key yourself.
        witness: the copy of the last checkpoint kept elsewhere; it gets the new one.
    """
    from ledger.cli.wall_clock import read_clock
    from ledger.log import rotate_key

    change = rotate_key(
        options.folder,
        handover,
        record_time=read_clock(),
        key=key,
        new_key=new_key,
        witness=witness,
        lost=lost,
    )
    if options.is_json:
        emit_json(
            {
                "old": str(change.old),
                "new": str(change.new),
                "position": change.position,
                "endorsed_by_old": change.is_endorsed,
                "key": str(change.key),
                "handover": str(handover),
            }
        )
        return 0
    lines = [f"old key {change.old}", f"new key {change.new}"]
    if change.is_endorsed:
        lines.append(f"  both signed entry {change.position:,} of the ledger, and {handover}")
    else:
        lines += [
            f"  THE OLD KEY DID NOT SIGN THIS: only the new one signed entry {change.position:,}.",
            "  Whoever trusts the old key cannot follow. Tell them the new public key yourself,",
            "  and up to which size the old one counts: a longer checkpoint under it is not yours.",
        ]
    lines.append(f"  private key  {change.key}  (keep it, and keep it secret)")
    emit("\n".join(lines) + "\n")
    return 0
