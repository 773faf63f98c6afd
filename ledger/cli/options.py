"""Options that every command has."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal

from cyclopts import Parameter

from ledger.cli.settings import load

Format = Literal["text", "json"]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Options:
    """Which ledger, and for whom the answer is."""

    ledger: Annotated[Path | None, Parameter(name="--ledger", show_default=False)] = None
    """Folder of the ledger; default PITLEDGER_LEDGER, then ./pitledger-data."""

    format: Annotated[Format, Parameter(name="--format")] = "text"
    """For people (text) or for scripts (json)."""

    @property
    def folder(self) -> Path:
        """The folder that is meant."""
        return load().ledger if self.ledger is None else self.ledger

    @property
    def is_json(self) -> bool:
        """Whether a script asks."""
        return self.format == "json"


OPTIONS: Final = Options()
