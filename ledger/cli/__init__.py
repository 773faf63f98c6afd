"""The command `pitledger`: parse, call the public face, show."""

from ledger.cli.entry_point import main, run

__all__ = ["main", "run"]
