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
    witness: WitnessOption = None,
    options: Options = OPTIONS,
) -> int:
    """Give the ledger a new key: both sign its last checkpoint, then the old one is replaced.

    The old private key is not needed. Give the handover to everyone who keeps the old public key.

    Args:
        handover: a new file, outside the ledger, for the checkpoint that both keys signed.
        key: a new file for the private key; default in the ledger.
        witness: the copy of the last checkpoint kept elsewhere; it gets the new one.
    """
    from ledger.log import rotate_key

    old, new = rotate_key(options.folder, handover, key=key, witness=witness)
    if options.is_json:
        emit_json({"old": str(old), "new": str(new), "handover": str(handover)})
    else:
        emit(f"old key {old}\nnew key {new}\n  both signed {handover}\n")
    return 0
