"""Facts of the log of a shift: what was written down, and to whom it was handed over.

One frozen dataclass per schema under ``schemas/cases``: same name, same fields, same order; the
schema's docs give units and meanings.
"""

from __future__ import annotations

from ledger.events.case_words import ActProof
from ledger.events.fact_declaration import Header, declared


@declared
class ShiftLogged(Header):
    """A person wrote something down in the log of a shift."""

    entry: str
    logged_by: str
    proof: ActProof


@declared
class ShiftHandedOver(Header):
    """A person handed a shift over to the next."""

    note: str
    handed_to: str
    handed_by: str
    proof: ActProof
