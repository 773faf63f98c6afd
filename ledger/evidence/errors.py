"""Why no evidence pack is made: one class per reason."""

from __future__ import annotations

from pathlib import Path

from ledger.kernel import IntegrityBroken, SourceUnavailable, UsageError


class RoundStillOpen(UsageError):
    """The round has not ended, and its gaming day is not closed."""

    code = "round_still_open"

    def __init__(self, round_: str) -> None:
        super().__init__(
            f"Round {round_} is still open.",
            cause="its last facts are not recorded yet, and its gaming day is not closed",
            next_step="pack it when it has ended, or when the day is closed",
        )


class SizeUnknown(UsageError):
    """The ledger has no tree of that size in which the round stands."""

    code = "pack_size_unknown"

    def __init__(self, size: int, largest: int) -> None:
        super().__init__(
            f"There is no tree of {size:,} entries; the ledger has {largest:,}.",
            next_step="pitledger checkpoint --format json shows the present size",
        )


class KeyNeeded(SourceUnavailable):
    """An earlier tree is packed only with the ledger's key."""

    code = "pack_key_needed"

    def __init__(self, size: int) -> None:
        super().__init__(
            f"The checkpoint of {size:,} entries is not kept; only the ledger's key can sign it.",
            next_step="name the key with --key FILE, or pack the present tree without --size",
        )


class PackExists(UsageError):
    """A file is there already, and a pack never replaces one."""

    code = "pack_exists"

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"There is a file {path}.", next_step="name another file with --out, or move it away"
        )


class PackTooLarge(UsageError):
    """The pack would be larger than a pack may be."""

    code = "pack_too_large"

    def __init__(self, size: int, limit: int) -> None:
        super().__init__(
            f"The pack would have {size:,} bytes; a pack has at most {limit:,}.",
            next_step="pack single rounds",
        )


class WitnessUnusable(SourceUnavailable):
    """What was named as a witness's checkpoint does not belong to the packed tree."""

    code = "pack_witness_unusable"

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(
            f"The witness's checkpoint cannot be packed: {why}.",
            where=str(path),
            next_step="pitledger verify --witness FILE says more",
        )


class PackWrong(IntegrityBroken):
    """The program in the pack refuses the pack: what was derived and what is on record differ."""

    code = "pack_wrong"

    def __init__(self, reason: str) -> None:
        super().__init__(
            "No pack was written: its own check refuses it.",
            cause=reason,
            next_step="pitledger verify --judged",
        )


class SealedNotPacked(UsageError):
    """The ledger seals personal strings, which a pack cannot disclose yet."""

    code = "pack_sealed"

    def __init__(self) -> None:
        super().__init__(
            "A sealed ledger cannot be packed yet.",
            cause="a pack shows entries whole, and those of this ledger are sealed",
            next_step="pitledger prove POSITION proves an entry as it was signed",
        )
