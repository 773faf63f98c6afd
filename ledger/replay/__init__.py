"""An ordered, verified walk over a log: merge, gaps, conflicts, prefixes."""

from ledger.replay.amendments import Amended, Problem
from ledger.replay.replay import Replay
from ledger.replay.steps import (
    Conflict,
    Doubt,
    DoubtBegins,
    DoubtEnds,
    Extent,
    FactStep,
    Gap,
    OddKey,
    OutOfOrder,
    Recorded,
    Registration,
    SourceDiffers,
    Step,
    Unreadable,
)

__all__ = [
    "Amended",
    "Conflict",
    "Doubt",
    "DoubtBegins",
    "DoubtEnds",
    "Extent",
    "FactStep",
    "Gap",
    "OddKey",
    "OutOfOrder",
    "Problem",
    "Recorded",
    "Registration",
    "Replay",
    "SourceDiffers",
    "Step",
    "Unreadable",
]
