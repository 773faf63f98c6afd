"""What the command line itself refuses: one class per reason."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import ClassVar, Final

from ledger.kernel import LedgerError, SourceUnavailable, UsageError


class CommandWrong(UsageError):
    """The words on the command line are no command, or lack something."""

    code = "command_wrong"

    def __init__(self, problem: str, command: str) -> None:
        super().__init__(problem, next_step=f"{command} --help")


class SecondFactorNotGiven(UsageError):
    """Who acts has a second factor, and nobody can be asked for its code."""

    code = "second_factor_not_given"

    def __init__(self, person: str) -> None:
        super().__init__(
            f"{person} has a second factor, and its code is asked for at a terminal.",
            next_step="or PITLEDGER_CODE (of who approves, PITLEDGER_APPROVER_CODE) has the six"
            " digits that the device shows; nothing was recorded",
        )


class SecondFactorAtDesk(UsageError):
    """Who acts has passkeys and no codes: only a browser can ask a passkey."""

    code = "second_factor_at_desk"

    def __init__(self, person: str) -> None:
        super().__init__(
            f"{person} has a passkey as second factor, which only a browser can ask.",
            next_step="do it at the desk, or set up a device that shows codes there, on the page of"
            " your own sessions; nothing was recorded",
        )


class FileUnreadable(SourceUnavailable):
    """A file that was named cannot be read."""

    code = "file_unreadable"

    def __init__(self, path: Path | str, error: OSError) -> None:
        super().__init__(
            f"The file cannot be read: {error.strerror or error}.",
            where=str(path),
            next_step="check the name; '-' reads from standard input",
        )


class FileUnwritable(SourceUnavailable):
    """A file that was named, or standard output, cannot be written."""

    code = "file_unwritable"

    def __init__(self, path: Path | str, error: OSError) -> None:
        super().__init__(
            f"The output cannot be written: {error.strerror or error}.",
            where=str(path),
            cause="the disk is full, or the folder is missing or closed to us",
        )


class OutNeeded(UsageError):
    """What was asked for cannot be written to a terminal."""

    code = "out_needed"

    def __init__(self, why: str) -> None:
        super().__init__(f"Name a file to write: {why}.", next_step="--out FILE")


class SettingsWrong(SourceUnavailable):
    """A setting has a value that it cannot have."""

    code = "settings_wrong"

    def __init__(self, variable: str, setting: str, problem: str, meaning: str) -> None:
        super().__init__(
            f"The setting {variable} cannot be used: {problem}.",
            cause=f"it is {setting}; it says {meaning}",
            next_step=f"set it with `export {variable}=VALUE`, or `unset {variable}` for its"
            " default; `pitledger config show` lists all",
        )


class RoundUnknown(UsageError):
    """There is no such round in the ledger."""

    code = "round_unknown"

    def __init__(self, text: str, cause: str) -> None:
        super().__init__(
            f"There is no round {text}.", cause=cause, next_step="pitledger rounds lists them"
        )


class TimeWrong(UsageError):
    """A text is no time of day."""

    code = "time_wrong"

    def __init__(self, text: str) -> None:
        super().__init__(
            f"{text!r} is no time of day.", next_step="hours and minutes, such as 21:05"
        )


class NothingToJudge(UsageError):
    """The ledger has no fact of any table, so it has no gaming day."""

    code = "no_gaming_day"

    def __init__(self, folder: Path) -> None:
        super().__init__(
            "The ledger has no gaming day: it holds no fact of a table.",
            where=str(folder),
            next_step="pitledger append FILE.jsonl, or pitledger floor simulate --seed 1",
        )


class LedgerHoldsFacts(UsageError):
    """A simulated floor is not mixed with facts that are there already."""

    code = "ledger_holds_facts"

    def __init__(self, folder: Path) -> None:
        super().__init__(
            "The ledger holds facts already; a simulated floor is not mixed with them.",
            where=str(folder),
            next_step="name another folder with --ledger, or go on with the same seed: --continue",
        )


class OtherFacts(UsageError):
    """What is there is not what this simulation would have written."""

    code = "other_simulation"

    def __init__(self, key: str) -> None:
        super().__init__(
            f"The ledger holds another fact {key} than this simulation makes.",
            cause="another seed, first day, list of plants or version made it",
            next_step="continue with the options that began it, or name another folder",
        )


class TruthUnreadable(SourceUnavailable):
    """The list of what was planted cannot be used."""

    code = "truth_unreadable"

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"The list of plants cannot be used: {problem}.", where=str(path))


class PaytableUnknown(UsageError):
    """No Rules Submission of that name was filed for the game."""

    code = "paytable_unknown"

    def __init__(self, paytable: str, known: list[str]) -> None:
        super().__init__(
            f"No paytable {paytable!r} was filed for this game.",
            next_step=f"one of: {', '.join(['floor', *known])}",
        )


class WriterRunning(SourceUnavailable):
    """Another process writes for the desk of this ledger."""

    code = "writer_running"

    def __init__(self, where: Path) -> None:
        super().__init__(
            "Another process writes for the desk of this ledger already.",
            where=str(where),
            next_step="one is enough; stop it to start another",
        )


class WriterFolderUnusable(SourceUnavailable):
    """The folder of the desk's writer cannot be used."""

    code = "writer_folder_unusable"

    def __init__(self, where: Path, error: OSError) -> None:
        super().__init__(
            f"The folder of the desk's writer cannot be used: {error.strerror or error}.",
            where=str(where),
            next_step="it must be this user's own, and its place writable",
        )


class MachineShort(SourceUnavailable):
    """The machine gave the process no more of something, wherever that was."""

    code = "machine_short"

    def __init__(self, resource: str, error: BaseException) -> None:
        super().__init__(
            f"The machine has {resource}: {str(error) or type(error).__name__}.",
            next_step="make room, or allow the process more, then repeat; what was acknowledged is"
            " kept",
        )


_SHORT: Final[dict[str, tuple[int, ...]]] = {
    "no room left on its disk": (errno.ENOSPC, errno.EDQUOT, errno.EFBIG),
    "too many open files": (errno.EMFILE, errno.ENFILE),
    "no memory left": (errno.ENOMEM,),
    "a disk that fails or cannot be written": (errno.EIO, errno.EROFS),
}
_NO_MEMORY: Final = ("Out of Memory", "failed to map segment")
"""What DuckDB says, and the loader of a module that is imported when it is first needed."""
_NO_TEMPORARY: Final = "No usable temporary directory"


def shortage(error: BaseException) -> str | None:
    """What the machine is short of, as an error or its text says; None if it is something else.

    Libraries raise errors of their own that only quote the system's words.
    """
    if isinstance(error, MemoryError) or any(word in str(error) for word in _NO_MEMORY):
        return "no memory left"
    if _NO_TEMPORARY in str(error):
        return "no room left on its disk"
    for resource, numbers in _SHORT.items():
        if isinstance(error, OSError) and error.errno in numbers:
            return resource
        if any(os.strerror(number) in str(error) for number in numbers):
            return resource
    return None


class OwnFault(LedgerError):
    """Our own mistake: never a finding, never clean."""

    code: ClassVar[str] = "internal_error"
    exit_code: ClassVar[int] = 70

    def __init__(self, error: BaseException) -> None:
        super().__init__(
            f"Pitledger itself went wrong: {type(error).__name__}: {error}",
            cause="a mistake of this program, not of your facts",
            next_step="repeat with PITLEDGER_DEBUG=1 to see where; nothing acknowledged is lost",
        )
