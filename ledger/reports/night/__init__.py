"""The report of a night: one page that prints, the pages of its rounds, and the same as text."""

from ledger.reports.night.data import (
    Change,
    HourCount,
    Incomplete,
    NightData,
    OutcomeCounts,
    Phase,
    Signed,
    Unknown,
)
from ledger.reports.night.gather import hours_of, standing_of, unknowns_of
from ledger.reports.night.page import night_page
from ledger.reports.night.round import round_html
from ledger.reports.night.seen import marks_of, seen_on
from ledger.reports.night.text import night_text
from ledger.reports.night.words import round_file, rounds_of

__all__ = [
    "Change",
    "HourCount",
    "Incomplete",
    "NightData",
    "OutcomeCounts",
    "Phase",
    "Signed",
    "Unknown",
    "hours_of",
    "marks_of",
    "night_page",
    "night_text",
    "round_file",
    "round_html",
    "rounds_of",
    "seen_on",
    "standing_of",
    "unknowns_of",
]
