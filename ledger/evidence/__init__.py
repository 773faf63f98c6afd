"""A dispute as one file that an outsider checks without us."""

from ledger.evidence.case_pack import PackedCase, PackedLetter, make_case_pack
from ledger.evidence.errors import (
    KeyNeeded,
    KindUnknown,
    MediaChanged,
    NotHidden,
    PackExists,
    PackTooLarge,
    PackWrong,
    RoundStillOpen,
    SizeUnknown,
    WitnessUnusable,
)
from ledger.evidence.pack import Making, Pack, make_pack
from ledger.evidence.packed_tree import PackedTree
from ledger.evidence.redaction import Redaction, kinds_of

__all__ = [
    "KeyNeeded",
    "KindUnknown",
    "Making",
    "MediaChanged",
    "NotHidden",
    "Pack",
    "PackExists",
    "PackTooLarge",
    "PackWrong",
    "PackedCase",
    "PackedLetter",
    "PackedTree",
    "Redaction",
    "RoundStillOpen",
    "SizeUnknown",
    "WitnessUnusable",
    "kinds_of",
    "make_case_pack",
    "make_pack",
]
