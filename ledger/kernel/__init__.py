"""Words that every folder speaks: cents, odds, gaming day, ids, citation, finding, refusal."""

from ledger.kernel.citation import Citation, Edition, EditionStatus
from ledger.kernel.erased import ERASED, WITHHELD, is_unknown_person, legible
from ledger.kernel.errors import IntegrityBroken, LedgerError, SourceUnavailable, UsageError
from ledger.kernel.finding import Certainty, Finding, Severity
from ledger.kernel.gaming_day import (
    FIRST_YEAR,
    LAST_YEAR,
    LONGEST_PAUSE,
    MICROSECONDS,
    PropertyClock,
    seconds,
    to_datetime,
    to_micros,
)
from ledger.kernel.ids import FactRef, event_id, parse_round_id, ref_of, round_id, table_of
from ledger.kernel.instant import Instant
from ledger.kernel.money import Cents, dollars, exact_dollars, parse_dollars, whole_cents
from ledger.kernel.odds import Odds, parse_odds, percent
from ledger.kernel.person import person_key
from ledger.kernel.text import cell_text, duration_words, visible, visible_json
from ledger.kernel.value import value_type
from ledger.kernel.wording import event_words, plural, times

__all__ = [
    "ERASED",
    "FIRST_YEAR",
    "LAST_YEAR",
    "LONGEST_PAUSE",
    "MICROSECONDS",
    "WITHHELD",
    "Cents",
    "Certainty",
    "Citation",
    "Edition",
    "EditionStatus",
    "FactRef",
    "Finding",
    "Instant",
    "IntegrityBroken",
    "LedgerError",
    "Odds",
    "PropertyClock",
    "Severity",
    "SourceUnavailable",
    "UsageError",
    "cell_text",
    "dollars",
    "duration_words",
    "event_id",
    "event_words",
    "exact_dollars",
    "is_unknown_person",
    "legible",
    "parse_dollars",
    "parse_odds",
    "parse_round_id",
    "percent",
    "person_key",
    "plural",
    "ref_of",
    "round_id",
    "seconds",
    "table_of",
    "times",
    "to_datetime",
    "to_micros",
    "value_type",
    "visible",
    "visible_json",
    "whole_cents",
]
