"""Why a replay cannot honestly go on: one class per reason."""

from __future__ import annotations

from ledger.kernel import IntegrityBroken, SourceUnavailable


class EntryWrong(IntegrityBroken):
    """An entry is covered by the signed checkpoint, and this version cannot read it."""

    code = "entry_wrong"

    def __init__(self, position: int, problem: str) -> None:
        super().__init__(
            f"An entry cannot be read: {problem}.",
            where=f"position {position}",
            cause="the ledger was written by a newer version, or by something else",
        )
        self.position = position


class KeyTwice(IntegrityBroken):
    """Two accepted entries have one stream and sequence number; no writer of ours does that."""

    code = "key_twice"

    def __init__(self, stream: str, seq: int, position: int) -> None:
        super().__init__(
            f"Two accepted entries are fact {stream}:{seq}.",
            where=f"position {position}",
            cause="the ledger was written by something else",
        )
        self.position = position


class LogReplaced(IntegrityBroken):
    """The ledger in the folder does not begin with the entries that were indexed."""

    code = "log_replaced"

    def __init__(self, folder: str, size: int) -> None:
        super().__init__(
            f"The ledger no longer begins with the {size} entries that were indexed.",
            where=folder,
            cause="the folder was cut, restored or replaced while it was read",
            next_step="pitledger verify",
        )


class ErasedSince(SourceUnavailable):
    """A person was forgotten while a program read on; it has to begin again."""

    code = "erased_since"

    def __init__(self, folder: str) -> None:
        super().__init__(
            "A person was forgotten since this program read the ledger.",
            where=folder,
            next_step="start it again; nothing else is wrong",
        )
