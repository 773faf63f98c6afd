"""Pitledger's public face: a dozen names, each loaded when it is first asked for (PEP 562).

``from ledger import Replay, audit_day`` is all that an audit needs; ``import ledger`` alone loads
nothing else.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ledger.audit import DayAudit, audit_day, gaming_days, rounds_of
    from ledger.floor import simulate
    from ledger.intake import read_lines
    from ledger.kernel import Finding, LedgerError
    from ledger.log import init, open_log, read_log
    from ledger.log.verify import verify
    from ledger.replay import Replay

__version__ = "0.1.0"

_HOMES: Final = {
    "DayAudit": "ledger.audit",
    "Finding": "ledger.kernel",
    "LedgerError": "ledger.kernel",
    "Replay": "ledger.replay",
    "audit_day": "ledger.audit",
    "gaming_days": "ledger.audit",
    "init": "ledger.log",
    "open_log": "ledger.log",
    "read_lines": "ledger.intake",
    "read_log": "ledger.log",
    "rounds_of": "ledger.audit",
    "simulate": "ledger.floor",
    "verify": "ledger.log",
}

__all__ = [
    "DayAudit",
    "Finding",
    "LedgerError",
    "Replay",
    "__version__",
    "audit_day",
    "gaming_days",
    "init",
    "open_log",
    "read_lines",
    "read_log",
    "rounds_of",
    "simulate",
    "verify",
]


def __getattr__(name: str) -> object:
    """Load a name of the face from its home."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    attribute: object = getattr(import_module(home), name)
    globals()[name] = attribute
    return attribute


def __dir__() -> list[str]:
    """Every name of the face, loaded or not."""
    return sorted(__all__)
