"""The law as data: chapters and editions, index of sections, readings, findings, obligations."""

from ledger.law.chapter import Chapter
from ledger.law.chapters import CHAPTERS, DREAMCATCHER, GENERAL, LEDGER_CONTRACT, SIC_BO
from ledger.law.checklist import Carried, Evidence, Obligation, Status, coverage, obligations
from ledger.law.findings import CodeUnknown, FindingCode, explain, finding_codes
from ledger.law.readings import CONFIRM, Reading, ReadingUnknown, reading, readings
from ledger.law.sections import heading, known, sections

__all__ = [
    "CHAPTERS",
    "CONFIRM",
    "DREAMCATCHER",
    "GENERAL",
    "LEDGER_CONTRACT",
    "SIC_BO",
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
