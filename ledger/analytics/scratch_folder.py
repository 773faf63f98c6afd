"""A folder of this process alone, for a read model that cannot be kept beside its ledger."""

from __future__ import annotations

from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from weakref import finalize


class ScratchFolder:
    """A folder that nobody else may enter; it goes with whoever holds this, or the process.

    Attributes:
        path: the folder; where TMPDIR says, else where the system has such folders.

    Raises:
        OSError: none can be made.
    """

    __slots__ = ("__weakref__", "path")

    def __init__(self) -> None:
        self.path = Path(mkdtemp(prefix="pitledger-"))
        finalize(self, rmtree, self.path, ignore_errors=True)
