"""Compare a ledger with the tree size and root that a printed page names.

The root of the first ``size`` entries is computed again and held against the paper's. A root may be
given in full (64 hexadecimal characters, or 44 of base64), or by its first characters (at least
16); then only those are compared, and ``bits`` says how many that are.
"""

from __future__ import annotations

import re
from base64 import b64encode
from pathlib import Path
from typing import Final

from ledger.kernel import IntegrityBroken, UsageError
from ledger.kernel.quick_dataclass import dataclass
from ledger.log.ledger_at_checkpoint import read_log

LEAST: Final = 16
"""Characters of a root without which nothing is compared."""
WHOLE: Final = 256
"""Bits of a root."""
_HEX: Final = re.compile(r"[0-9a-fA-F]{16,64}")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/]{16,43}=?")


class PrintedRootUnreadable(UsageError):
    """What stands for the printed root is no root, nor the beginning of one."""

    code = "printed_root_unreadable"

    def __init__(self, text: str) -> None:
        shown = text if len(text) <= 80 else f"{text[:79]}…"
        super().__init__(
            f"{shown!r} is no root: give 64 hexadecimal characters, 44 of base64,"
            f" or at least its first {LEAST}.",
            next_step="copy it from the page, or read the code beside it",
        )


class PrintedSizeUnreadable(UsageError):
    """What stands for the printed size is no number of entries."""

    code = "printed_size_unreadable"

    def __init__(self, text: str) -> None:
        super().__init__(
            f"{text!r} is no tree size: it is a whole number from 1.",
            next_step="pitledger verify --printed SIZE ROOT",
        )


class PrintedLarger(IntegrityBroken):
    """The paper speaks of more entries than the ledger has."""

    code = "printed_larger"

    def __init__(self, printed: int, size: int) -> None:
        super().__init__(
            f"The paper was printed from {printed:,} entries; this ledger has {size:,}.",
            cause="entries were lost, or the paper is of another ledger",
            next_step="compare the origin on the paper with `pitledger checkpoint`; keep both",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedComparison:
    """A printed size and root beside the ledger's own root at that size (hexadecimal).

    ``bits`` is how much of the root was compared: 256 for a whole one.
    """

    size: int
    paper_root: str
    root: str
    bits: int
    matches: bool

    @property
    def is_whole(self) -> bool:
        """Whether the whole root was compared."""
        return self.bits == WHOLE


def printed_size(text: str) -> int:
    """The size on a page, with or without separators between thousands.

    Raises:
        PrintedSizeUnreadable: it is no whole number from 1.
    """
    match = re.fullmatch(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+|[1-9][0-9]{0,18}", text.strip(), re.ASCII)
    if match is None:
        raise PrintedSizeUnreadable(text)
    return int(match[0].replace(",", ""))


def compare_with_paper(folder: Path, size: int, paper_root: str) -> PrintedComparison:
    """Compare a ledger with a printed size and root.

    Args:
        folder: where the ledger is; it is read only.
        size: the tree size on the paper.
        paper_root: the root on the paper, whole or its first characters; spaces in it do not count.

    Raises:
        PrintedRootUnreadable: that is no root.
        PrintedLarger: the ledger has fewer entries.
        LedgerMissing, IntegrityBroken: there is no ledger, or what lies there does not hold.
    """
    text = "".join(paper_root.split())
    if not _HEX.fullmatch(text) and not _BASE64.fullmatch(text):
        raise PrintedRootUnreadable(paper_root)
    log = read_log(folder)
    if size > log.size:
        raise PrintedLarger(size, log.size)
    root = log.root_at(size)
    as_base64 = b64encode(root).decode()
    if as_base64.startswith(text):
        bits, matches = min(6 * len(text), WHOLE), True
    elif _HEX.fullmatch(text):
        bits, matches = 4 * len(text), root.hex().startswith(text.lower())
    else:
        bits, matches = min(6 * len(text), WHOLE), False
    return PrintedComparison(
        size=size, paper_root=text, root=root.hex(), bits=bits, matches=matches
    )
