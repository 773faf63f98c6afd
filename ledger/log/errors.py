"""Why a log cannot honestly go on: one class per reason."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.kernel import IntegrityBroken, SourceUnavailable, UsageError


class LedgerMissing(SourceUnavailable):
    """There is no ledger in the folder."""

    code = "ledger_missing"

    def __init__(self, folder: str) -> None:
        super().__init__(
            "There is no ledger here.",
            where=folder,
            next_step="check the path: --ledger DIR, or PITLEDGER_LEDGER; a new ledger is begun by"
            " `pitledger init --origin NAME`",
        )


class LedgerExists(UsageError):
    """The folder holds a ledger already, which is never overwritten."""

    code = "ledger_exists"

    def __init__(self, folder: str) -> None:
        super().__init__("A ledger stands here already; it is never overwritten.", where=folder)


class CheckpointMissing(IntegrityBroken):
    """The folder holds the tiles of a ledger, and no checkpoint."""

    code = "checkpoint_missing"

    def __init__(self, folder: str, files: int) -> None:
        super().__init__(
            f"Tiles of a ledger lie here ({files} files), and its checkpoint is missing; "
            "nothing was changed.",
            where=folder,
            cause="the checkpoint was deleted, or the folder was copied in part",
            next_step="put the checkpoint back, such as the witness's; or begin in another folder",
        )


class BadOrigin(UsageError):
    """A name that cannot be the origin of a checkpoint."""

    code = "bad_origin"

    def __init__(self, origin: str) -> None:
        super().__init__(
            f"Not an origin: {origin!r}.",
            cause="an origin has 1 to 200 characters, no blank, no plus, no control character",
        )


class LedgerLocked(SourceUnavailable):
    """Another process is appending."""

    code = "ledger_locked"

    def __init__(self, folder: str) -> None:
        super().__init__(
            "Another writer has this ledger open.",
            where=folder,
            next_step="wait for it to end, or stop it; readers are never locked out",
        )


class KeyMissing(SourceUnavailable):
    """The signing key is not where it should be."""

    code = "key_missing"

    def __init__(self, path: str) -> None:
        super().__init__(
            "The signing key is missing.", where=path, next_step="name it with --key PATH"
        )


class KeyMismatch(IntegrityBroken):
    """The signing key is not the one of this ledger's verifier."""

    code = "key_mismatch"

    def __init__(self, path: str) -> None:
        super().__init__(
            "The signing key does not belong to this ledger's verifier key.",
            where=path,
            cause="a wrong, replaced or damaged key file",
        )


class KeyUnreadable(IntegrityBroken):
    """A key file that is not a key."""

    code = "key_unreadable"

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"Not a key: {problem}.", where=path)


class FormatNewer(SourceUnavailable):
    """The ledger was written by a version that knows more than this one; nothing is changed."""

    code = "format_newer"

    def __init__(self, problem: str, where: str | None = None) -> None:
        super().__init__(
            f"A newer version of Pitledger is needed: {problem}.",
            where=where,
            cause="a newer version wrote to this ledger",
            next_step="install that version again, or a later one; nothing was changed",
        )


class CheckpointBroken(IntegrityBroken):
    """The checkpoint cannot be read, or its signature does not hold."""

    code = "checkpoint_broken"

    def __init__(self, problem: str, where: str = "checkpoint") -> None:
        super().__init__(f"The checkpoint does not hold: {problem}.", where=where)


class TreeBroken(IntegrityBroken):
    """Entries or tiles are not what the checkpoint signed."""

    code = "tree_broken"

    def __init__(self, problem: str, position: int | None = None, where: str | None = None) -> None:
        place = f"position {position}" if position is not None else None
        super().__init__(
            f"{problem[:1].upper()}{problem[1:]}.",
            where=", ".join(part for part in (place, where) if part) or None,
            next_step="pitledger verify; restore the folder from a copy",
        )
        self.position = position


class PositionUnknown(UsageError):
    """A position beyond the end of the ledger."""

    code = "position_unknown"

    def __init__(self, position: int, size: int) -> None:
        super().__init__(f"There is no position {position}: the ledger has {size} entries.")


class OvertakenByAnother(IntegrityBroken):
    """The checkpoint on disk is not the one this writer wrote last."""

    code = "checkpoint_replaced"

    def __init__(self, where: str) -> None:
        super().__init__(
            "The checkpoint on disk is not the one this writer wrote last; nothing was appended.",
            where=where,
            cause="the folder was restored, replaced or written by something else meanwhile",
            next_step="pitledger verify",
        )


class IntentBroken(IntegrityBroken):
    """The note of a begun append cannot be read, or its signature does not hold."""

    code = "intent_broken"

    def __init__(self, problem: str) -> None:
        super().__init__(
            f"The intent of an append does not hold: {problem}.",
            where="intent",
            cause="a damaged file, or one that another ledger or key wrote",
            next_step="pitledger tail shows what lies beyond the checkpoint; "
            "pitledger tail --set-aside moves it, and the intent, aside",
        )


class TailUnexplained(IntegrityBroken):
    """Tiles lie beyond the checkpoint that no intent of this ledger explains."""

    code = "tail_unexplained"

    def __init__(self, size: int, paths: Sequence[str], problem: str) -> None:
        count = "1 file lies" if len(paths) == 1 else f"{len(paths)} files lie"
        super().__init__(
            f"{count} beyond the checkpoint of {size} entries, and {problem}; nothing was changed.",
            where=paths[0] if paths else "intent",
            cause="the folder was copied while facts were appended, or an older checkpoint was "
            "put back: recorded facts may lie there",
            next_step="pitledger tail --adopt PATH puts back a newer checkpoint, such as the "
            "witness's; pitledger tail --set-aside keeps these files aside and goes on without",
        )


class CheckpointNotReached(IntegrityBroken):
    """A checkpoint that the files of this ledger do not bear out."""

    code = "checkpoint_not_reached"

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(
            f"This checkpoint cannot be put back: {problem}.",
            where=path,
            cause="files of the ledger are missing, or the checkpoint is of another copy",
            next_step="copy the whole ledger again; or pitledger tail --set-aside",
        )


class WitnessMissing(SourceUnavailable):
    """The witness that was named is not there; a new one would remember nothing."""

    code = "witness_missing"

    def __init__(self, path: str) -> None:
        super().__init__(
            "The witness is not there.",
            where=path,
            cause="its disk is not mounted, it was deleted, or none was begun yet",
            next_step="bring it back; or begin one with a copy of the ledger's checkpoint file",
        )


class WitnessInconsistent(IntegrityBroken):
    """The witness saw a history that this ledger does not continue."""

    code = "witness_inconsistent"

    def __init__(self, problem: str, where: str) -> None:
        super().__init__(
            f"The ledger does not continue what its witness saw: {problem}.",
            where=where,
            cause="the ledger was cut, replaced or restored from an older copy",
            next_step="pitledger verify --witness PATH; restore the ledger that the witness saw",
        )


class WitnessPolicyWrong(UsageError):
    """The file that names a ledger's witnesses is not one."""

    code = "witness_policy_wrong"

    def __init__(self, path: str, line: int | None, problem: str) -> None:
        super().__init__(
            f"The witnesses of this ledger cannot be read: {problem}.",
            where=path if line is None else f"{path}, line {line}",
            next_step="write it as c2sp.org/tlog-policy has it: witness NAME KEY URL; quorum NAME",
        )


class WitnessesUnreachable(SourceUnavailable):
    """More entries than allowed would go on without being seen by enough witnesses."""

    code = "witnesses_unreachable"

    def __init__(self, unwitnessed: int, limit: int, reasons: str) -> None:
        super().__init__(
            f"{unwitnessed:,} entries are not witnessed; {limit:,} are allowed.",
            where=reasons,
            cause="too few witnesses answer, or they do not know this ledger's key",
            next_step="bring a witness back; or raise PITLEDGER_UNWITNESSED_ENTRIES for a while",
        )


class WitnessFolderWrong(IntegrityBroken):
    """The folder of a witness is not what its own key signed, or is none."""

    code = "witness_folder_wrong"

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(
            f"This witness cannot go on: {problem}.",
            where=path,
            cause="its folder was changed, cut, or never begun",
            next_step="pitledger witness init begins one; one whose folder is lost is retired",
        )


class BackupPlace(UsageError):
    """A folder that cannot take a copy of the ledger."""

    code = "backup_place"

    def __init__(self, folder: str, problem: str) -> None:
        super().__init__(
            f"The ledger cannot be copied there: {problem}.",
            where=folder,
            next_step="name a new folder, an empty one, or one that holds an earlier copy",
        )


class BackupOfAnother(IntegrityBroken):
    """The folder holds a copy that this ledger does not continue; nothing was changed."""

    code = "backup_of_another"

    def __init__(self, folder: str, problem: str) -> None:
        super().__init__(
            f"The copy that lies there is not an earlier state of this ledger: {problem}.",
            where=folder,
            cause="it is another ledger, or this one was cut or put back from an older copy",
            next_step="keep that copy, and back up into another folder; pitledger verify on both",
        )


class BackupDamaged(IntegrityBroken):
    """The copy does not verify."""

    code = "backup_damaged"

    def __init__(self, problem: str, folder: str) -> None:
        super().__init__(
            f"The copy does not hold: {problem}.",
            where=folder,
            cause="a file of the ledger, or one of the copy, was changed or is missing",
            next_step="pitledger verify on the ledger; then back up into another folder",
        )


class StorageFailed(SourceUnavailable):
    """The disk is full or answers with an error; the writer has stopped."""

    code = "storage_failed"

    def __init__(self, error: OSError, doing: str) -> None:
        path = error.filename
        super().__init__(
            f"{doing} failed: {error.strerror or error}.",
            where=str(path) if path else None,
            cause="the disk is full, or answers with errors",
            next_step="make room or mend the disk, then repeat: what was acknowledged is kept",
        )
        self.error = error


_STOPPED = "This writer has stopped after a failure; open the ledger again."


class WriterStopped(IntegrityBroken):
    """An earlier failure stopped this writer."""

    code = "writer_stopped"

    def __init__(self, cause: str) -> None:
        super().__init__(_STOPPED, cause=cause)


class WriterOutOfDisk(SourceUnavailable):
    """An earlier failure of the disk stopped this writer."""

    code = "writer_stopped_by_disk"

    def __init__(self, cause: str) -> None:
        super().__init__(_STOPPED, cause=cause)


class NotWhole(UsageError):
    """Facts that belong together could not all be recorded, so none was."""

    code = "not_whole"

    def __init__(self, arrival: int) -> None:
        super().__init__(
            f"Fact {arrival + 1} contradicts what the ledger holds; none of them was recorded.",
            cause="another import or append wrote the same stream meanwhile",
            next_step="preview again, then commit",
        )


class PersonKeysMissing(SourceUnavailable):
    """Personal strings are sealed whose keys are not at hand."""

    code = "person_keys_missing"

    def __init__(self, path: str, cause: str | None = None) -> None:
        super().__init__(
            "Personal texts of this ledger are sealed, and their keys are not at hand.",
            where=path,
            cause=cause or "the file was moved, or the ledger was copied without it",
            next_step="put its newest copy there, or name it with PITLEDGER_PERSON_KEYS;"
            " if it is lost for good, an empty file in its place says so, and all reads as erased",
        )


class PersonKeysOfAnother(SourceUnavailable):
    """The file of persons' keys belongs to another ledger."""

    code = "person_keys_of_another"

    def __init__(self, path: str) -> None:
        super().__init__(
            "The file of persons' keys belongs to another ledger.",
            where=path,
            next_step="name this ledger's with PITLEDGER_PERSON_KEYS",
        )


class PersonKeysDamaged(IntegrityBroken):
    """The file of persons' keys is not what was written."""

    code = "person_keys_damaged"

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(
            f"The persons' keys cannot be read: {problem}.",
            where=path,
            next_step="put back its newest copy",
        )


class OpeningsMissing(SourceUnavailable):
    """An entry is sealed, and what opens it is not in the folder."""

    code = "openings_missing"

    def __init__(self, position: int, path: str) -> None:
        super().__init__(
            "The personal texts of an entry are sealed, and what opens them is not there.",
            where=f"position {position}, {path}",
            cause="the folder was copied without its openings, or an older copy of them put back",
            next_step="put the folder `openings` back from a copy; `pitledger verify` needs none",
        )


class OpeningWrong(IntegrityBroken):
    """What should open a sealed entry does not belong to it."""

    code = "opening_wrong"

    def __init__(self, position: int, problem: str) -> None:
        super().__init__(
            f"The opening of a sealed entry does not fit it: {problem}.",
            where=f"position {position}",
            cause="openings or keys were altered, swapped, or come from another ledger",
            next_step="put the folder `openings` and the persons' keys back from a copy;"
            " the entry itself is as it was signed",
        )


class PersonUnknown(UsageError):
    """Nothing is sealed under a person's key."""

    code = "person_unknown"

    def __init__(self) -> None:
        super().__init__(
            "Nothing that can be erased is kept of this person.",
            cause="the reference is spelled otherwise, was forgotten before, or never came",
        )


class NotSealed(UsageError):
    """The ledger was not begun to seal personal texts."""

    code = "not_sealed"

    def __init__(self, folder: str) -> None:
        super().__init__(
            "This ledger keeps personal texts as they came; none of them can be erased.",
            where=folder,
            next_step="`pitledger init --sealed` begins one that seals them",
        )


class PersonKeysStand(UsageError):
    """A file of persons' keys stands where a new ledger's would lie; it is never overwritten."""

    code = "person_keys_stand"

    def __init__(self, path: str) -> None:
        super().__init__(
            "A file of persons' keys lies here already; it is never overwritten.",
            where=path,
            cause="a ledger was begun here before, and this may open it",
            next_step="move it to where that ledger went, or name another with"
            " PITLEDGER_PERSON_KEYS",
        )
