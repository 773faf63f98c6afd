"""The law as data: chapters and editions, index of sections, readings, findings, obligations."""

from ledger.law.chapter import Chapter
from ledger.law.chapters import (
    ADDED,
    ASIA_POKER,
    BULLETIN_PAGES,
    CHAPTERS,
    DREAMCATCHER,
    GENERAL,
    LEDGER_CONTRACT,
    MATCH_PLAY,
    MATCH_PLAY_FOLLOWED,
    PROPS_AND_HOPS,
    SERVICE_PROVIDERS,
    SIC_BO,
    THREE_DICE_FOOTBALL,
)
from ledger.law.checklist import (
    Carried,
    Evidence,
    Obligation,
    Status,
    coverage,
    coverage_of,
    obligations,
    obligations_of,
)
from ledger.law.data import LawTableMissing
from ledger.law.decision_rights import ADDRESSED, ANY, RANKS, Act, acts, ranks_of_roles
from ledger.law.findings import CodeUnknown, FindingCode, explain, finding_codes
from ledger.law.readings import CONFIRM, Reading, ReadingUnknown, reading, readings
from ledger.law.sections import heading, known, sections, sections_of
from ledger.law.texts import texts_of
from ledger.law.undated_texts import OtherText, also_named, other_texts

__all__ = [
    "ADDED",
    "ADDRESSED",
    "ANY",
    "ASIA_POKER",
    "BULLETIN_PAGES",
    "CHAPTERS",
    "CONFIRM",
    "DREAMCATCHER",
    "GENERAL",
    "LEDGER_CONTRACT",
    "MATCH_PLAY",
    "MATCH_PLAY_FOLLOWED",
    "PROPS_AND_HOPS",
    "RANKS",
    "SERVICE_PROVIDERS",
    "SIC_BO",
    "THREE_DICE_FOOTBALL",
    "Act",
    "Carried",
    "Chapter",
    "CodeUnknown",
    "Evidence",
    "FindingCode",
    "LawTableMissing",
    "Obligation",
    "OtherText",
    "Reading",
    "ReadingUnknown",
    "Status",
    "TableMissing",
    "acts",
    "also_named",
    "coverage",
    "coverage_of",
    "explain",
    "finding_codes",
    "heading",
    "known",
    "obligations",
    "obligations_of",
    "other_texts",
    "ranks_of_roles",
    "reading",
    "readings",
    "sections",
    "sections_of",
    "texts_of",
]
