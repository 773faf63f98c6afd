"""An ordered, verified walk over a log: merge, gaps, conflicts, prefixes."""

from ledger.replay.amendments import Amended, Problem
from ledger.replay.attending import LOOKED_BACK, STAFF, attending, stays_of
from ledger.replay.mark import Mark
from ledger.replay.persons import name_key, names_person, person_key, persons_of
from ledger.replay.replay import Replay
from ledger.replay.roster import (
    Bar,
    CredentialNotHeld,
    Holding,
    NotEntitled,
    Roster,
    roster_of,
)
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
    "LOOKED_BACK",
    "STAFF",
    "Amended",
    "Bar",
    "Conflict",
    "CredentialNotHeld",
    "Doubt",
    "DoubtBegins",
    "DoubtEnds",
    "Extent",
    "FactStep",
    "Gap",
    "Holding",
    "Mark",
    "NotEntitled",
    "OddKey",
    "OutOfOrder",
    "Problem",
    "Recorded",
    "Registration",
    "Replay",
    "Roster",
    "SourceDiffers",
    "Step",
    "Unreadable",
    "attending",
    "name_key",
    "names_person",
    "person_key",
    "persons_of",
    "roster_of",
    "stays_of",
]
