"""What outsiders write, to framed facts."""

from ledger.intake.amending import amendment, check_act
from ledger.intake.describing import description
from ledger.intake.erasable import (
    Committed,
    ErasableStore,
    Opening,
    OpeningUnknown,
    StoreUnavailable,
    commitment,
    opens,
)
from ledger.intake.importing import Change, Example, Import, Preview
from ledger.intake.lines import (
    LINE_BYTES,
    OWN_POSITION,
    POSITION,
    FactLine,
    Line,
    LineFault,
    RefusedLine,
    read_line,
    read_lines,
)
from ledger.intake.numbers import OFFICE as IMPORTS
from ledger.intake.numbers import Act, Numbers, registrations
from ledger.intake.profile import Profile, load_profile, profile_names
from ledger.intake.refusals import AmendmentWrong, PersonNeeded
from ledger.intake.rows import Check, RowFault
from ledger.intake.spool import Counts

__all__ = [
    "IMPORTS",
    "LINE_BYTES",
    "OWN_POSITION",
    "POSITION",
    "Act",
    "AmendmentWrong",
    "Change",
    "Check",
    "Committed",
    "Counts",
    "ErasableStore",
    "Example",
    "FactLine",
    "Import",
    "Line",
    "LineFault",
    "Numbers",
    "Opening",
    "OpeningUnknown",
    "PersonNeeded",
    "Preview",
    "Profile",
    "RefusedLine",
    "RowFault",
    "StoreUnavailable",
    "amendment",
    "check_act",
    "commitment",
    "description",
    "load_profile",
    "opens",
    "profile_names",
    "read_line",
    "read_lines",
    "registrations",
]
