"""What outsiders write, to framed facts."""

from typing import TYPE_CHECKING

from ledger.kernel.lazy_imports import load_on_first_use

if TYPE_CHECKING:
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
    from ledger.intake.fact_numbers import (
        Act,
        OfTwoPersons,
        Prove,
        StreamNumbers,
        nobody_proves,
        registrations,
    )
    from ledger.intake.forgetting import (
        KeptPerson,
        forget_person,
        hold_person,
        kept_person,
        release_person,
    )
    from ledger.intake.gap_filling import additions
    from ledger.intake.hand_amendments import amendment, check_act, check_people
    from ledger.intake.import_errors import AmendmentWrong, PersonNeeded, ProfileUnknown
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
    from ledger.intake.legal_holds import Hold
    from ledger.intake.mailing_openings import mailed_serials, with_earlier_names
    from ledger.intake.profile import load_profile, profile_names, profile_text
    from ledger.intake.profile_columns import Profile
    from ledger.intake.property_description import description
    from ledger.intake.refused_rows import put_back, write_rejected
    from ledger.intake.rows import Check, Remark, RowFault, Skipped
    from ledger.intake.staging_database import FactCounts
else:
    load_on_first_use(__name__)

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
    "ErasableStore",
    "Example",
    "FactCounts",
    "FactLine",
    "Hold",
    "Import",
    "KeptPerson",
    "Line",
    "LineFault",
    "OfTwoPersons",
    "Opening",
    "OpeningUnknown",
    "PersonNeeded",
    "Preview",
    "Profile",
    "ProfileUnknown",
    "Prove",
    "RefusedLine",
    "Remark",
    "RowFault",
    "Skipped",
    "StoreUnavailable",
    "StreamNumbers",
    "additions",
    "amendment",
    "check_act",
    "check_people",
    "commitment",
    "description",
    "forget_person",
    "hold_person",
    "kept_person",
    "load_profile",
    "mailed_serials",
    "nobody_proves",
    "opens",
    "profile_names",
    "profile_text",
    "put_back",
    "read_line",
    "read_lines",
    "registrations",
    "release_person",
    "with_earlier_names",
    "write_rejected",
]
