"""A dispute as one file that an outsider checks without us."""

from ledger.evidence.errors import (
    KeyNeeded,
    PackExists,
    PackTooLarge,
    PackWrong,
    RoundStillOpen,
    SizeUnknown,
    WitnessUnusable,
)
from ledger.evidence.pack import Pack, make_pack
from ledger.evidence.packed_tree import PackedTree

__all__ = [
    "KeyNeeded",
    "Pack",
    "PackExists",
    "PackTooLarge",
    "PackWrong",
    "PackedTree",
    "RoundStillOpen",
    "SizeUnknown",
    "WitnessUnusable",
    "make_pack",
]
