"""What outsiders write, to framed facts."""

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
    "FactLine",
    "Line",
    "LineFault",
    "RefusedLine",
    "read_line",
    "read_lines",
]
