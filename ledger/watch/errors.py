"""Why a watch refuses or stops."""

from __future__ import annotations

from pathlib import Path

from ledger.kernel import SourceUnavailable, UsageError


class WatchRunning(UsageError):
    """Another watch follows the same ledger."""

    code = "watch_running"

    def __init__(self, folder: Path) -> None:
        super().__init__(
            "Another watch follows this ledger; two would tell everything twice.",
            where=str(folder),
            next_step="`pitledger watch --status` shows how far it is; stop it first",
        )


class NotDelivered(SourceUnavailable):
    """What was found could not be handed on; it stays pending and is tried again."""

    code = "notice_not_delivered"
