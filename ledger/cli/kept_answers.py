"""Answers that were given before: the same question to the same ledger by the same code.

An answer is kept with the checkpoint and the code that it was made from, the settings, the width of
the page, and the bundles of entries on which it rests. The ledger's key seals it. It is given again
only where all of these are what they were: the checkpoint is opened, the seal is checked, and every
one of these bundles is proved to the checkpoint. Anything else is asked anew, and whatever is wrong
is found and named there.

Nothing is kept of an answer with a remark beside it, nor of one that depends on the time of day.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import wraps
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, ParamSpec, Protocol, runtime_checkable

from ledger.cli.options import OPTIONS
from ledger.cli.output import coloured, emit_again, recording, width
from ledger.cli.settings import PREFIX
from ledger.kernel.cyclic_garbage import collected_seldom

if TYPE_CHECKING:
    from ledger.log.bundle_states import Stretches
    from ledger.log.ledger_at_checkpoint import FileSnapshot
    from ledger.log.signed_file_index import SealedFolder

FOLDER: Final = "answers"
KIND: Final = "answers"
"""What the files are called in the index that seals them."""
MOST: Final = 64
"""How many answers are kept of one ledger."""
LONGEST: Final = 2_000_000
"""Characters of the longest answer that is kept."""
OBJECTS_BETWEEN: Final = 200_000
"""Objects that a list makes before the collector looks for circles: most lists end before that."""
Asked = ParamSpec("Asked")


@runtime_checkable
class _OfLedger(Protocol):
    """The options of a command: which ledger, and in what form the answer is wanted."""

    @property
    def folder(self) -> Path: ...
    @property
    def format(self) -> str: ...


def kept_answer(command: Callable[Asked, int]) -> Callable[Asked, int]:
    """Give the answer of a command again where the same was asked of the same ledger.

    Args:
        command: it reads nothing but the ledger, the settings and its words, and asks no clock.
    """

    @wraps(command)
    def answer(*args: Asked.args, **kwargs: Asked.kwargs) -> int:
        options = kwargs.get("options", OPTIONS)
        assert isinstance(options, _OfLedger)
        words = {name: word for name, word in kwargs.items() if name != "options"}
        question = _question(command.__qualname__, args, sorted(words.items()), options.format)
        kept = _Answers.of(options.folder)
        known = None if kept is None else kept.read(question)
        if known is not None:
            text, code = known
            emit_again(text)
            return code
        if kept is None:
            return command(*args, **kwargs)
        from ledger.replay.bundles import noting_bundles

        with recording() as record, noting_bundles() as noted, collected_seldom(OBJECTS_BETWEEN):
            code = command(*args, **kwargs)
        text = "".join(record.parts)
        if record.is_whole and noted.is_whole and len(text) <= LONGEST:
            kept.write(question, text, code, noted.numbers)
        return code

    return answer


def _question(*words: object) -> str:
    """All that an answer hangs on beside the ledger and the code, as one name."""
    settings = sorted(
        (name, setting)
        for name, setting in os.environ.items()
        if name.startswith(PREFIX) and name != f"{PREFIX}LEDGER"
    )
    parts = (words, settings, width(), coloured(sys.stdout), sys.version)
    return sha256(repr(parts).encode()).hexdigest()


class _Answers:
    """The answers that are kept of one ledger, as it stands."""

    def __init__(self, log: FileSnapshot, sealed: SealedFolder) -> None:
        from ledger.log.bundle_states import bundle_states

        self._log = log
        self._sealed = sealed
        self._states = bundle_states(log, sealed.folder.parent, sealed.seals)

    @classmethod
    def of(cls, folder: Path) -> _Answers | None:
        """Open the answers of a ledger; None where its checkpoint does not open, or nobody can."""
        from ledger.kernel import LedgerError
        from ledger.log.ledger_at_checkpoint import CACHE, read_log
        from ledger.log.signed_file_index import SealedFolder, Seals

        try:
            log = read_log(folder)
            if log.is_sealed:  # an answer would keep in clear what may be erased
                return None
            return cls(log, SealedFolder(folder / CACHE / FOLDER, KIND, Seals.of(folder)))
        except LedgerError:  # the command says what is wrong
            return None

    def read(self, question: str) -> tuple[str, int] | None:
        """Return the text and the exit code of an answer; None where none holds."""
        stored = self._sealed.read(question)
        if stored is None:
            return None
        head, _, text = stored.partition(b"\n")
        made_from = json.loads(head)
        if made_from["from"] != self._made_from() or not self._hold(
            [(first, stop) for first, stop in made_from["bundles"]]
        ):
            return None
        return text.decode(), int(made_from["code"])

    def write(self, question: str, text: str, code: int, bundles: Iterable[int]) -> None:
        """Keep an answer, whose bundles were proved as it was made; failing to is no error."""
        from ledger.log.bundle_states import stretches
        from ledger.log.ledger_at_checkpoint import read_log

        if read_log(self._sealed.folder.parent.parent).root != self._log.root:
            return  # the ledger has grown since it was asked
        rests_on = stretches(bundles)
        head = {"from": self._made_from(), "bundles": rests_on, "code": code}
        self._sealed.write(question, [json.dumps(head).encode() + b"\n", text.encode()])
        self._forget_old()

    def _made_from(self) -> list[object]:
        """The checkpoint and the code."""
        from ledger.kernel.code_fingerprint import code_fingerprint, folders

        return [self._log.size, self._log.root.hex(), code_fingerprint(*folders())]

    def _hold(self, rests_on: Stretches) -> bool:
        """Whether the bundles are those that this checkpoint signed."""
        from ledger.kernel import IntegrityBroken

        try:
            self._states.prove_all(rests_on)
        except (IntegrityBroken, OSError):  # the command says what is wrong
            return False
        return True

    def _forget_old(self) -> None:
        """Remove the answers that were kept longest ago, beyond so many."""
        with suppress(OSError):
            paths = sorted(self._sealed.folder.iterdir(), key=lambda path: path.stat().st_mtime)
            for path in paths[:-MOST]:
                path.unlink(missing_ok=True)
