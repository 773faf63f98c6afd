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
from ledger.reports.night.page import night_page
from ledger.reports.night.round import round_html
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
    "night_page",
    "round_file",
    "round_html",
    "rounds_of",
]
