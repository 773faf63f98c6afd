"""``python -m ledger`` is ``pitledger``."""

from ledger.cli import run

run()
