"""Which folder the environment names as the ledger's, read without the other settings."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

PREFIX: Final = "PITLEDGER_"
"""With which the variables of settings begin, in any letter case."""
LEDGER: Final = f"{PREFIX}LEDGER"
DEFAULT_LEDGER: Final = Path("pitledger-data")
"""The folder of the ledger where nothing names another."""


def named_folder() -> Path:
    """Return the folder that the environment names, or else the default."""
    return Path(os.environ.get(LEDGER) or DEFAULT_LEDGER)


def other_settings() -> bool:
    """Return whether the environment sets anything but the folder of the ledger."""
    return any(name.upper().startswith(PREFIX) and name != LEDGER for name in os.environ)
