"""From the words on a command line to an exit code."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from collections.abc import Iterable, Sequence
from typing import Final, NoReturn

from ledger.cli.errors import CommandWrong, MachineShort, OwnFault, shortage
from ledger.cli.output import emit, say
from ledger.kernel import LedgerError
from ledger.kernel.cache_obstacles import noting_obstacles
from ledger.kernel.cyclic_garbage import collect_seldom

INTERRUPTED: Final = 130
ONE_THREAD: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")
"""Libraries of linear algebra start threads that wait busily for work; nothing here has any."""


def run() -> NoReturn:
    """Run the command of this process, and end the process with its exit code.

    The interpreter takes modules and objects apart one by one at its end, a tenth of the time of a
    short command. One that only read has nothing to take apart: what it was to do at exit is done,
    its answer is written, and all else goes with the process.
    """
    collect_seldom()
    code = main()
    from ledger.cli.app import is_write

    if not is_write(sys.argv[1:]) and threading.active_count() == 1:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    raise SystemExit(code)


def main(words: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        words: the command line without the program's name; None takes the process's own.

    Returns:
        0 clean, 1 a finding, something unknown or a refused line, 2 usage, 3 a source or setting is
        missing, 4 integrity broken, 130 interrupted; 70 is our own mistake.
    """
    _speak_utf8()
    for variable in ONE_THREAD:
        os.environ.setdefault(variable, "1")
    words = sys.argv[1:] if words is None else list(words)
    try:
        with noting_obstacles() as obstacles:
            code = _run(words)
        emit("")  # a reader who left is met here, not while Python shuts down
        if obstacles:
            _say_not_kept(words, obstacles)
        return code
    except KeyboardInterrupt:
        from ledger.cli.app import is_write

        say(
            "Interrupted. What was acknowledged is kept; repeat the command to go on."
            if is_write(words)
            else "Stopped. Nothing changed."
        )
        return INTERRUPTED
    except LedgerError as error:
        say(str(error))
        return error.exit_code
    except SystemExit:
        raise
    except BaseException as error:  # a library in Rust that panics raises no Exception
        if os.environ.get("PITLEDGER_DEBUG"):
            raise
        resource = shortage(error)
        fault = OwnFault(error) if resource is None else MachineShort(resource, error)
        say(str(fault))
        return fault.exit_code


def _say_not_kept(words: Sequence[str], obstacles: Iterable[str]) -> None:
    """Say why what was derived for an answer is not kept; a watch says so itself."""
    from ledger.cli.app import is_write

    if not is_write(words) and "watch" not in words[:1]:
        why = " and ".join(sorted(obstacles))
        say(f"What was derived for this answer is not kept, since {why}. [not_kept]")


def _run(words: Sequence[str]) -> int:
    from cyclopts import CycloptsError

    from ledger.cli.app import build

    app = build(words)
    try:
        result = app(words, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        raise CommandWrong(_plain(str(error)), _meant(words)) from error
    except BrokenPipeError:  # help was being printed
        return 0
    return result if isinstance(result, int) else 0


def _plain(message: str) -> str:
    """What the parser says, as one sentence."""
    return " ".join(message.split())


def _meant(words: Sequence[str]) -> str:
    """The command whose help is worth reading."""
    from ledger.cli.app import GROUPS, names

    known = names()
    if words and words[0] in known:
        group = (
            words[0] in GROUPS and len(words) > 1 and f"{words[0]} {words[1]}" in GROUPS[words[0]]
        )
        return f"pitledger {' '.join(words[: 2 if group else 1])}"
    return "pitledger"


def _speak_utf8() -> None:
    """Data is UTF-8 whatever the locale says; what a terminal cannot show is replaced."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")
