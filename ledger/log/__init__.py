"""Append and read: the log port, in memory and as a signed tree of tiles in a folder."""

from ledger.log.checkpoint import Checkpoint, open_checkpoint
from ledger.log.earlier import EarlierLog
from ledger.log.entry import facts_in, unwrap
from ledger.log.files import FileLog, init, open_log
from ledger.log.index import Index, Rows
from ledger.log.memory import MemoryLog
from ledger.log.note import Signer, Verifier, parse_verifier
from ledger.log.port import (
    CONFLICT,
    OVERSIZE,
    Accepted,
    Appended,
    Arrival,
    Began,
    Coordinates,
    Earlier,
    Entry,
    Log,
    Quarantined,
    ReadableLog,
    SchemaUsed,
    Trouble,
)
from ledger.log.printed import (
    Printed,
    PrintedLarger,
    PrintedRootUnreadable,
    PrintedSizeUnreadable,
    against_paper,
    printed_size,
)
from ledger.log.refusals import (
    BadOrigin,
    CheckpointBroken,
    KeyMismatch,
    KeyMissing,
    KeyUnreadable,
    LedgerExists,
    LedgerLocked,
    LedgerMissing,
    OvertakenByAnother,
    PositionUnknown,
    StorageFailed,
    TreeBroken,
    WitnessInconsistent,
    WriterStopped,
)
from ledger.log.rotate import rotate_key
from ledger.log.snapshot import FileSnapshot, read_log
from ledger.log.verify import Verification, verify

__all__ = [
    "CONFLICT",
    "OVERSIZE",
    "Accepted",
    "Appended",
    "Arrival",
    "BadOrigin",
    "Began",
    "Checkpoint",
    "CheckpointBroken",
    "Coordinates",
    "Earlier",
    "EarlierLog",
    "Entry",
    "FileLog",
    "FileSnapshot",
    "Index",
    "KeyMismatch",
    "KeyMissing",
    "KeyUnreadable",
    "LedgerExists",
    "LedgerLocked",
    "LedgerMissing",
    "Log",
    "MemoryLog",
    "OvertakenByAnother",
    "PositionUnknown",
    "Printed",
    "PrintedLarger",
    "PrintedRootUnreadable",
    "PrintedSizeUnreadable",
    "Quarantined",
    "ReadableLog",
    "Rows",
    "SchemaUsed",
    "Signer",
    "StorageFailed",
    "TreeBroken",
    "Trouble",
    "Verification",
    "Verifier",
    "WitnessInconsistent",
    "WriterStopped",
    "against_paper",
    "facts_in",
    "init",
    "open_checkpoint",
    "open_log",
    "parse_verifier",
    "printed_size",
    "read_log",
    "rotate_key",
    "unwrap",
    "verify",
]
