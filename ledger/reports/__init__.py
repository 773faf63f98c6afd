"""Pure functions to text and plain data: what people read. No file, clock or network here."""

from ledger.reports.law_coverage import coverage_text, law_coverage
from ledger.reports.law_explain import codes_text, explain_text, law_explain
from ledger.reports.law_odds import law_odds, odds_text
from ledger.reports.law_readings import law_readings, readings_text
from ledger.reports.law_show import RoomUnknown, law_show, names, room_named, show_text

__all__ = [
    "RoomUnknown",
    "codes_text",
    "coverage_text",
    "explain_text",
    "law_coverage",
    "law_explain",
    "law_odds",
    "law_readings",
    "law_show",
    "names",
    "odds_text",
    "readings_text",
    "room_named",
    "show_text",
]
