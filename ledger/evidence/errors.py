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


class MediaChanged(UsageError):
    """A file of the case is not as it was put to it."""

    code = "pack_media_changed"

    def __init__(self, name: str, state: str) -> None:
        super().__init__(
            f"{name} is {state} in that folder; no pack was written.",
            next_step="`pitledger case check` says more; without --media only hashes are packed",
        )


class KindUnknown(UsageError):
    """There is no such kind of personal strings to hide."""

    code = "pack_kind_unknown"

    def __init__(self, word: str, known: tuple[str, ...]) -> None:
        super().__init__(
            f"There is no kind of personal strings {word[:40]!r}.",
            next_step=f"--redact takes {', '.join(known)}; several with commas",
        )


class NotHidden(UsageError):
    """Something that the twin should hide stands where it cannot be replaced."""

    code = "pack_not_hidden"

    def __init__(self, member: str) -> None:
        super().__init__(
            f"No twin was written: {member} would still have a reference that it is to hide.",
            cause="a stream, a table or a position is called like a person",
            next_step="pack it in full, for who may see it",
        )
