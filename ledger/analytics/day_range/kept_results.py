"""What workers sent before it was looked at: kept so that a run that was broken off can go on.

What other machines judged is not believed before a sample of it was judged again. Until then it
lies in a folder of its own, from which only the next run over the same days reads. There it is
sealed by the ledger's key: this run received it, which says nothing of whether it is true. Without
the key it is kept in memory.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

from ledger.analytics.day_range.tasks import ReceivedResult, TaskKey, read_answer, written
from ledger.replay import Replay

FOLDER: Final = "received"
KIND: Final = "received"
"""What the files are called in the index that seals them."""


class KeptResults:
    """The results of one ledger that are not believed yet.

    Args:
        replay: the ledger's replay.
        cache: the ledger's cache; None keeps them in memory.
    """

    def __init__(self, replay: Replay, cache: Path | None) -> None:
        sealed = None if cache is None else replay.sealed(cache / FOLDER, KIND)
        self._sealed = sealed if sealed is not None and sealed.seals.signer is not None else None
        self._memory: dict[str, bytes] = {}

    def read(self, key: TaskKey) -> ReceivedResult | None:
        """Return what is kept of a task; None if it is none, cut, or not what its address says."""
        name = _name(key)
        stored = self._memory.get(name)
        if stored is None and self._sealed is not None:
            stored = self._sealed.read(name)
        if stored is None:
            return None
        received = read_answer(stored)
        if not isinstance(received, ReceivedResult) or received.task.key != key:
            return None
        return None if received.result.judged is None else received

    def keep(self, received: ReceivedResult) -> None:
        """Keep what came of a task."""
        name, content = _name(received.task.key), written(received)
        if self._sealed is None or not self._sealed.write(name, [content]):
            self._memory[name] = content

    def remove(self, key: TaskKey) -> None:
        """Keep nothing of a task any more."""
        name = _name(key)
        self._memory.pop(name, None)
        if self._sealed is not None:
            self._sealed.remove(name)


def _name(key: TaskKey) -> str:
    return f"{key.day.isoformat()}-{sha256(key.table.encode()).hexdigest()[:32]}"
