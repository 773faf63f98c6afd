"""The ledger of a command that appends for as long as it runs, lent to others between appends."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from time import sleep
from types import TracebackType
from typing import TYPE_CHECKING, Final

from ledger.log.errors import LedgerLocked
from ledger.log.kafka_client import Stopped
from ledger.log.lock_wishes import is_wished_for

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.log import FileLog

LENT_SECONDS: Final = 0.1
"""How long it is let go of at least: who waits asks fifty times a second."""
ASKED_AGAIN_SECONDS: Final = 0.02


class LentLedger:
    """A ledger open for appending, which whoever waits for it may have between two appends.

    Args:
        folder: the ledger's.
        opened: opens it as its one writer.
    """

    def __init__(self, folder: Path, opened: Callable[[], AbstractContextManager[FileLog]]) -> None:
        self._folder, self._opened = folder, opened
        self._stack = ExitStack()
        self.log: FileLog
        """The ledger, as it is open by now."""

    def __enter__(self) -> LentLedger:
        self.log = self._stack.enter_context(self._opened())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.__exit__(kind, error, trace)

    def gather_until(self, moment: float) -> float:
        """Return up to when more may be gathered before an append: not while somebody waits.

        Args:
            moment: up to when it may be where nobody waits, a moment of ``monotonic``.
        """
        return 0.0 if is_wished_for(self._folder) else moment

    def lend(self, stop: Callable[[], bool]) -> FileLog:
        """Let who waits append, and open the ledger again; nobody waits nearly always.

        Args:
            stop: whether to give up waiting for the other one.

        Returns:
            The ledger, as it is open by now.

        Raises:
            Stopped: the other one had it still when we were told to stop.
        """
        if not is_wished_for(self._folder):
            return self.log
        self._stack.close()
        sleep(LENT_SECONDS)
        while True:
            try:
                return self.__enter__().log
            except LedgerLocked:
                if stop():
                    raise Stopped from None
                sleep(ASKED_AGAIN_SECONDS)
