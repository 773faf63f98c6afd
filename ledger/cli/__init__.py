"""The command `pitledger`: parse, call the public face, show."""

from ledger.cli.run import main

__all__ = ["main"]
