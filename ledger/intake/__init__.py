"""What outsiders write, to framed facts."""

from ledger.intake.erasable import (
    Committed,
    ErasableStore,
    Opening,
    OpeningUnknown,
    StoreUnavailable,
    commitment,
    opens,
)
from ledger.intake.lines import (
    LINE_BYTES,
    FactLine,
    Line,
    LineFault,
    RefusedLine,
    read_line,
    read_lines,
)

__all__ = [
    "LINE_BYTES",
    "Committed",
    "ErasableStore",
    "FactLine",
    "Line",
    "LineFault",
    "Opening",
    "OpeningUnknown",
    "RefusedLine",
    "StoreUnavailable",
    "commitment",
    "opens",
    "read_line",
    "read_lines",
]
