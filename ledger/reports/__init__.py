"""Pure functions to text and plain data: what people read. No file, clock or network here."""

from ledger.reports.amended import amended_data, amended_text
from ledger.reports.audit_page import TimeOf, audit_data, audit_page
from ledger.reports.demo_page import (
    Demo,
    Simulated,
    demo_data,
    demo_page,
    simulated_data,
    simulated_text,
)
from ledger.reports.explained import Example, examples, explained_data, explained_text
from ledger.reports.findings import finding_data, folded
from ledger.reports.helpers_page import (
    Check,
    Health,
    doctor_data,
    doctor_page,
    schema_rows,
    schemas_page,
    selection_page,
    settings_page,
)
from ledger.reports.import_page import import_data, import_text
from ledger.reports.law_coverage import coverage_text, law_coverage
from ledger.reports.law_explain import codes_text, explain_text, law_explain
from ledger.reports.law_odds import law_odds, odds_text
from ledger.reports.law_readings import law_readings, readings_text
from ledger.reports.law_show import RoomUnknown, law_show, names, room_named, show_text
from ledger.reports.record import (
    AppendedLines,
    Refused,
    append_data,
    append_text,
    entry_data,
    verify_data,
    verify_text,
    with_position,
)
from ledger.reports.round_page import round_data, round_page
from ledger.reports.rounds_page import round_row, rounds_page, wanted_round
from ledger.reports.seen import SeenRound
from ledger.reports.truth import Comparison, Match, TruthMalformed, compare, truth_rows
from ledger.reports.verdict import verdict

__all__ = [
    "AppendedLines",
    "Check",
    "Comparison",
    "Demo",
    "Example",
    "Health",
    "Match",
    "Refused",
    "RoomUnknown",
    "SeenRound",
    "Simulated",
    "TimeOf",
    "TruthMalformed",
    "amended_data",
    "amended_text",
    "append_data",
    "append_text",
    "audit_data",
    "audit_page",
    "codes_text",
    "compare",
    "coverage_text",
    "demo_data",
    "demo_page",
    "doctor_data",
    "doctor_page",
    "entry_data",
    "examples",
    "explain_text",
    "explained_data",
    "explained_text",
    "finding_data",
    "folded",
    "import_data",
    "import_text",
    "law_coverage",
    "law_explain",
    "law_odds",
    "law_readings",
    "law_show",
    "names",
    "odds_text",
    "readings_text",
    "room_named",
    "round_data",
    "round_page",
    "round_row",
    "rounds_page",
    "schema_rows",
    "schemas_page",
    "selection_page",
    "settings_page",
    "show_text",
    "simulated_data",
    "simulated_text",
    "truth_rows",
    "verdict",
    "verify_data",
    "verify_text",
    "wanted_round",
    "with_position",
]
