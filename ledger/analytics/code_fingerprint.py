"""Which code made a projection: a hash over all that can change what the marts say."""

from __future__ import annotations

from typing import Final

from ledger.kernel.code_fingerprint import RULES, code_fingerprint

FOLDERS: Final = (*RULES, "analytics")


def code_hash() -> str:
    """SHA-256 over the names and bytes of the rules and of everything between fact and mart."""
    return code_fingerprint(*FOLDERS)
