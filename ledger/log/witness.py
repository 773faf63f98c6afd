"""A copy of the last checkpoint, kept elsewhere: what a ledger once was, it must go on from."""

from __future__ import annotations

from pathlib import Path

from ledger.kernel import LedgerError
from ledger.log.checkpoint import open_checkpoint
from ledger.log.errors import StorageFailed, WitnessInconsistent, WitnessMissing
from ledger.log.ledger_at_checkpoint import FileSnapshot
from ledger.log.merkle import continues
from ledger.log.note import NoteBroken
from ledger.log.storage import DirectoryStorage


def differs(snapshot: FileSnapshot, raw: bytes) -> str | None:
    """Why a ledger does not continue the checkpoint of a witness; None if it does."""
    try:
        seen = open_checkpoint(raw, snapshot.verifier)
    except NoteBroken as error:
        return f"the witness's checkpoint does not hold: {error}"
    if seen.size > snapshot.size:
        return f"the witness saw {seen.size} entries, the ledger has {snapshot.size}"
    try:
        proof = snapshot.consistency(seen.size)
    except LedgerError as error:
        return f"no proof can be made from {seen.size} entries on: {error.problem}"
    if not continues(seen.size, seen.root, snapshot.size, snapshot.root, proof):
        return f"the first {seen.size} entries are not those that the witness saw"
    return None


class Witness:
    """The file of a witness, for a writer."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._last: bytes | None = None

    def read(self) -> bytes | None:
        """What the witness saw; None if there is none yet."""
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StorageFailed(error, "Reading the witness") from error

    def check(self, snapshot: FileSnapshot) -> None:
        """Refuse a ledger that does not continue what the witness saw.

        Raises:
            WitnessMissing: there is no witness; a new one would have seen nothing.
            WitnessInconsistent: it saw another history, or a longer one.
        """
        raw = self.read()
        if raw is None:
            raise WitnessMissing(str(self.path))
        if raw == self._last:
            return
        problem = differs(snapshot, raw)
        if problem is not None:
            raise WitnessInconsistent(problem, str(self.path))

    def replace(self, note: bytes) -> None:
        """Take the new checkpoint in place of the old one."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        storage = DirectoryStorage(self.path.parent)
        temporary = f".{self.path.name}.new"
        storage.write([(temporary, note)])
        storage.rename(temporary, self.path.name)
        storage.sync_folder(".")
        self._last = note
