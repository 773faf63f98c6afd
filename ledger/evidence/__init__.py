"""A dispute as one file that an outsider checks without us."""

from ledger.evidence.errors import (
    KeyNeeded,
    KindUnknown,
    NotHidden,
    PackExists,
    PackTooLarge,
    PackWrong,
    RoundStillOpen,
    SizeUnknown,
    WitnessUnusable,
)
from ledger.evidence.pack import Pack, make_pack
from ledger.evidence.packed_tree import PackedTree
from ledger.evidence.redaction import kinds_of

__all__ = [
    "KeyNeeded",
    "KindUnknown",
    "NotHidden",
    "Pack",
    "PackExists",
    "PackTooLarge",
    "PackWrong",
    "PackedTree",
    "RoundStillOpen",
    "SizeUnknown",
    "WitnessUnusable",
    "kinds_of",
    "make_pack",
]
