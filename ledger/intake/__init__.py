"""What outsiders write, to framed facts."""

from ledger.intake.amending import amendment, check_act, check_people
from ledger.intake.columns import Profile
from ledger.intake.erasable import (
    Committed,
    ErasableStore,
    Opening,
    OpeningUnknown,
    StoreUnavailable,
    commitment,
    opens,
)
from ledger.intake.fact_numbers import OFFICE as IMPORTS
from ledger.intake.fact_numbers import Act, Numbers, registrations
from ledger.intake.forgetting import with_earlier_names
from ledger.intake.gap_filling import additions
from ledger.intake.importing import Change, Example, Import, Preview
from ledger.intake.json_lines import (
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
from ledger.intake.profile import load_profile, profile_names, profile_text
from ledger.intake.property_description import description
from ledger.intake.refusals import AmendmentWrong, PersonNeeded, ProfileUnknown
from ledger.intake.refused_rows import put_back, write_rejected
from ledger.intake.rows import Check, Remark, RowFault, Skipped
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
    "ProfileUnknown",
    "RefusedLine",
    "Remark",
    "RowFault",
    "Skipped",
    "StoreUnavailable",
    "additions",
    "amendment",
    "check_act",
    "check_people",
    "commitment",
    "description",
    "load_profile",
    "opens",
    "profile_names",
    "profile_text",
    "put_back",
    "read_line",
    "read_lines",
    "registrations",
    "with_earlier_names",
    "write_rejected",
]
