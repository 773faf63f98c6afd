"""An ordered, verified walk over a log: merge, gaps, conflicts, prefixes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.kernel.lazy_imports import load_on_first_use

if TYPE_CHECKING:
    from ledger.replay.amendments import Amended, Problem
    from ledger.replay.attendance import LOOKED_BACK, STAFF, attending, stays_of
    from ledger.replay.errors import ErasedSince
    from ledger.replay.fact_marks import Mark
    from ledger.replay.persons import name_key, names_person, person_key, persons_of, spelling_key
    from ledger.replay.proven_acts import APPROVAL, Enrolled, signed_bytes, unproved
    from ledger.replay.replay import Replay
    from ledger.replay.replay_items import (
        Conflict,
        Doubt,
        DoubtBegins,
        DoubtEnds,
        FactStep,
        Gap,
        OddKey,
        OutOfOrder,
        RecordedEntry,
        Registration,
        SourceDiffers,
        Step,
        StreamExtent,
        Unreadable,
    )
    from ledger.replay.roster import (
        ADMINISTRATION,
        BOARD,
        ENROLLED,
        Bar,
        CredentialNotHeld,
        Enrollments,
        Holding,
        NotEntitled,
        Roster,
        roster_of,
    )
    from ledger.replay.table_facts import TableFacts
else:
    load_on_first_use(__name__)

__all__ = [
    "ADMINISTRATION",
    "APPROVAL",
    "BOARD",
    "ENROLLED",
    "LOOKED_BACK",
    "STAFF",
    "Amended",
    "Bar",
    "Conflict",
    "CredentialNotHeld",
    "Doubt",
    "DoubtBegins",
    "DoubtEnds",
    "Enrolled",
    "Enrollments",
    "ErasedSince",
    "FactStep",
    "Gap",
    "Holding",
    "Mark",
    "NotEntitled",
    "OddKey",
    "OutOfOrder",
    "Problem",
    "RecordedEntry",
    "Registration",
    "Replay",
    "Roster",
    "SourceDiffers",
    "Step",
    "StreamExtent",
    "TableFacts",
    "Unreadable",
    "attending",
    "name_key",
    "names_person",
    "person_key",
    "persons_of",
    "roster_of",
    "signed_bytes",
    "spelling_key",
    "stays_of",
    "unproved",
]
