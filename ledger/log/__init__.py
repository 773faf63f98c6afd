"""Append and read: the log port, and the log as a signed tree of tiles in a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.kernel.lazy_imports import load_on_first_use

if TYPE_CHECKING:
    from ledger.log.backup import Backup, back_up
    from ledger.log.checkpoint import Checkpoint, open_checkpoint
    from ledger.log.entry import facts_in, unwrap
    from ledger.log.errors import (
        BackupDamaged,
        BackupOfAnother,
        BackupPlace,
        BadOrigin,
        CheckpointBroken,
        CheckpointMissing,
        CheckpointNotReached,
        FormatNewer,
        IntentBroken,
        KeyMismatch,
        KeyMissing,
        KeyUnreadable,
        LedgerExists,
        LedgerLocked,
        LedgerMissing,
        OvertakenByAnother,
        PositionUnknown,
        StorageFailed,
        TailUnexplained,
        TreeBroken,
        WitnessesUnreachable,
        WitnessFolderWrong,
        WitnessInconsistent,
        WitnessMissing,
        WitnessPolicyWrong,
        WriterStopped,
    )
    from ledger.log.file_log import FileLog, open_log
    from ledger.log.index import Index, Rows
    from ledger.log.key_rotation import KeyChange, rotate_key
    from ledger.log.keys import key_beside, read_public_key
    from ledger.log.ledger_at_checkpoint import FileSnapshot, read_log
    from ledger.log.log_at_earlier_size import EarlierLog
    from ledger.log.new_ledger import init
    from ledger.log.note import Signer, Verifier, parse_verifier
    from ledger.log.port import (
        CONFLICT,
        OVERSIZE,
        Accepted,
        Appended,
        Arrival,
        Began,
        Coordinates,
        EarlierFact,
        Entry,
        KeyRotated,
        Log,
        Quarantined,
        ReadableLog,
        SchemaUsed,
        Trouble,
        arrivals_of,
    )
    from ledger.log.printed_checkpoint import (
        PrintedComparison,
        PrintedLarger,
        PrintedRootUnreadable,
        PrintedSizeUnreadable,
        compare_with_paper,
        printed_size,
    )
    from ledger.log.stream_writers import FOREIGN, StreamWriters, terminal_of, terminal_topic
    from ledger.log.unsigned_tail import (
        Tail,
        TailSetAside,
        adopt_checkpoint,
        look_at_tail,
        set_tail_aside,
    )
    from ledger.log.verify import Verification, verify
    from ledger.log.witness_folder import WitnessedLog, WitnessFolder, begin_witness
    from ledger.log.witness_network import Witnessed, WitnessNetwork, witnessed_of
    from ledger.log.witness_policy import WitnessPolicy, parse_policy, policy_of, read_policy

__all__ = [
    "CONFLICT",
    "FOREIGN",
    "OVERSIZE",
    "Accepted",
    "Appended",
    "Arrival",
    "Backup",
    "BackupDamaged",
    "BackupOfAnother",
    "BackupPlace",
    "BadOrigin",
    "Began",
    "Checkpoint",
    "CheckpointBroken",
    "CheckpointMissing",
    "CheckpointNotReached",
    "Coordinates",
    "EarlierFact",
    "EarlierLog",
    "Entry",
    "FileLog",
    "FileSnapshot",
    "FormatNewer",
    "Index",
    "IntentBroken",
    "KeyChange",
    "KeyMismatch",
    "KeyMissing",
    "KeyRotated",
    "KeyUnreadable",
    "LedgerExists",
    "LedgerLocked",
    "LedgerMissing",
    "Log",
    "OvertakenByAnother",
    "PositionUnknown",
    "PrintedComparison",
    "PrintedLarger",
    "PrintedRootUnreadable",
    "PrintedSizeUnreadable",
    "Quarantined",
    "ReadableLog",
    "Rows",
    "SchemaUsed",
    "Signer",
    "StorageFailed",
    "StreamWriters",
    "Tail",
    "TailSetAside",
    "TailUnexplained",
    "TreeBroken",
    "Trouble",
    "Verification",
    "Verifier",
    "WitnessFolder",
    "WitnessFolderWrong",
    "WitnessInconsistent",
    "WitnessMissing",
    "WitnessNetwork",
    "WitnessPolicy",
    "WitnessPolicyWrong",
    "Witnessed",
    "WitnessedLog",
    "WitnessesUnreachable",
    "WriterStopped",
    "adopt_checkpoint",
    "arrivals_of",
    "back_up",
    "begin_witness",
    "compare_with_paper",
    "facts_in",
    "init",
    "key_beside",
    "look_at_tail",
    "open_checkpoint",
    "open_log",
    "parse_policy",
    "parse_verifier",
    "policy_of",
    "printed_size",
    "read_log",
    "read_policy",
    "read_public_key",
    "rotate_key",
    "set_tail_aside",
    "terminal_of",
    "terminal_topic",
    "unwrap",
    "verify",
    "witnessed_of",
]

load_on_first_use(__name__)
