"""What lies beyond a ledger's checkpoint: told when a writer sets it aside, shown, put right."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ledger.cli.errors import CommandWrong
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json, say

if TYPE_CHECKING:
    from ledger.log import FileLog, Tail, TailSetAside


@contextmanager
def open_ledger(
    folder: Path, *, key: Path | None = None, witness: Path | None = None
) -> Iterator[FileLog]:
    """Open a ledger for appending; say what an interrupted append had left there.

    Afterwards, say which of its witnesses on other machines saw what was appended.

    Args:
        folder: the ledger's.
        key: where the private key lies if not in the usual places.
        witness: a checkpoint kept elsewhere that the ledger must continue.
    """
    from ledger.log import open_log
    from ledger.reports import witnessed_text

    with open_log(folder, key=key, witness=witness) as log:
        if log.set_aside is not None:
            say(_set_aside_text(log.set_aside) + " Nothing that was acknowledged is among it.")
        yield log
        witnessed = log.witnessed()
        if witnessed is not None:
            say(witnessed_text(witnessed).rstrip("\n"))


def tail(
    *,
    adopt: Annotated[Path | None, Parameter(name="--adopt", show_default=False)] = None,
    set_aside: Annotated[bool, Parameter(name="--set-aside", negative="")] = False,
    options: Options = OPTIONS,
) -> int:
    """Show what lies beyond the ledger's checkpoint, and put it right.

    A folder that was copied while facts were appended, or whose checkpoint was put back from an
    older copy, holds facts that its checkpoint does not cover. The exit code is 1 while it does.

    Args:
        adopt: a newer checkpoint, such as the witness's, to be put back; the ledger's own files
            must make its root.
        set_aside: keep those files aside and go on from the checkpoint as it is.
    """
    from ledger.log import adopt_checkpoint, look_at_tail, set_tail_aside

    if adopt is not None and set_aside:
        raise CommandWrong("Either --adopt or --set-aside.", "pitledger tail --help")
    moved = set_tail_aside(options.folder) if set_aside else None
    if adopt is not None:
        adopt_checkpoint(options.folder, adopt)
    left = look_at_tail(options.folder)
    if options.is_json:
        emit_json(
            {
                "tree_size": left.size,
                "files": list(left.files),
                "next_size": None if left.intent is None else left.intent.next_size,
                "problem": left.problem,
                "set_aside": None if moved is None else moved.folder,
            }
        )
    else:
        emit(("" if moved is None else _set_aside_text(moved) + "\n") + _tail_text(left))
    return 1 if left.files or left.problem is not None else 0


def _set_aside_text(moved: TailSetAside) -> str:
    files = "1 file" if moved.files == 1 else f"{moved.files} files"
    return f"Set aside what lay beyond {moved.size} entries: {files}, kept in {moved.folder}."


def _tail_text(left: Tail) -> str:
    head = f"The checkpoint covers {left.size} entries.\n"
    if not left.files and left.problem is None:
        return head + "Nothing lies beyond it.\n"
    shown = "".join(f"  {path}\n" for path in left.files)
    files = "1 file lies" if len(left.files) == 1 else f"{len(left.files)} files lie"
    if left.problem is None:
        return f"{head}{files} beyond it: an append was interrupted; the next one keeps them.\n" + (
            shown
        )
    return (
        f"{head}{files} beyond it, and {left.problem}.\n{shown}"
        "  next  pitledger tail --adopt PATH: a newer checkpoint, such as the witness's\n"
        "        pitledger tail --set-aside: keep these files aside and go on without them\n"
    )
