"""The law as data: chapters and editions, index of sections, readings, findings, obligations."""

from ledger.law.chapter import Chapter
from ledger.law.chapters import (
    ASIA_POKER,
    CHAPTERS,
    DREAMCATCHER,
    GENERAL,
    LEDGER_CONTRACT,
    MATCH_PLAY,
    MATCH_PLAY_FOLLOWED,
    PROPS_AND_HOPS,
    SIC_BO,
    THREE_DICE_FOOTBALL,
)
from ledger.law.checklist import Carried, Evidence, Obligation, Status, coverage, obligations
from ledger.law.findings import CodeUnknown, FindingCode, explain, finding_codes
from ledger.law.readings import CONFIRM, Reading, ReadingUnknown, reading, readings
from ledger.law.sections import heading, known, sections

__all__ = [
    "ASIA_POKER",
    "CHAPTERS",
    "CONFIRM",
    "DREAMCATCHER",
    "GENERAL",
    "LEDGER_CONTRACT",
    "MATCH_PLAY",
    "MATCH_PLAY_FOLLOWED",
    "PROPS_AND_HOPS",
    "SIC_BO",
    "THREE_DICE_FOOTBALL",
    "Carried",
    "Chapter",
    "CodeUnknown",
    "Evidence",
    "FindingCode",
    "Obligation",
    "Reading",
    "ReadingUnknown",
    "Status",
    "coverage",
    "explain",
    "finding_codes",
    "heading",
    "known",
    "obligations",
    "reading",
    "readings",
    "sections",
]
