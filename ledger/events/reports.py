"""Facts of what persons decided about a report.

One frozen dataclass per schema under ``schemas/cases``: same name, same fields, same order; the
schema's docs give units and meanings.
"""

from __future__ import annotations

from ledger.events.case_words import ActProof
from ledger.events.enums import ReportSigner
from ledger.events.fact_declaration import Header, declared


@declared
class ReportSigned(Header):
    """A person signed the final report of a gaming day."""

    for_gaming_day: str
    issue: int
    signed_as: ReportSigner
    person: str
    printed_name: str
    signed_time: int
    manifest_sha256: bytes
    input_sha256: bytes
    tree_size: int
    root: bytes
    proof: ActProof | None
