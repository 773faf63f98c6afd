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


class WatchFenced(UsageError):
    """A watch that began later sends the findings of the same ledger to the same topic."""

    code = "watch_fenced"

    def __init__(self, topic: str) -> None:
        super().__init__(
            "Another watch of this ledger began later and now sends to the topic; this one ends.",
            where=topic,
            cause="it was started on another machine, or while this one was paused",
            next_step="leave the other one running, or stop it and start this one again: "
            "what waits here is kept, and nothing is sent twice",
        )


class NotDelivered(SourceUnavailable):
    """What was found could not be handed on; it stays pending and is tried again."""

    code = "notice_not_delivered"
