"""The report of a night: one page that prints, the pages of its rounds, and the same as text."""

from ledger.reports.night.page import night_page
from ledger.reports.night.report_data import (
    Change,
    HourCount,
    Incomplete,
    NightData,
    OpenBefore,
    OutcomeCounts,
    Phase,
    Signed,
    Takings,
    Unknown,
)
from ledger.reports.night.round import round_html
from ledger.reports.night.signed_page import issued_page, signed_page
from ledger.reports.night.takings import takings_of, takings_of_rows, takings_together
from ledger.reports.night.text import night_text
from ledger.reports.night.unknowns import hours_of, standing_of, unknowns_of
from ledger.reports.night.words import round_file, rounds_of

__all__ = [
    "Change",
    "HourCount",
    "Incomplete",
    "NightData",
    "OpenBefore",
    "OutcomeCounts",
    "Phase",
    "Signed",
    "Takings",
    "Unknown",
    "hours_of",
    "issued_page",
    "night_page",
    "night_text",
    "round_file",
    "round_html",
    "rounds_of",
    "signed_page",
    "standing_of",
    "takings_of",
    "takings_of_rows",
    "takings_together",
    "unknowns_of",
]
