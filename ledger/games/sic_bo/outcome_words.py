"""What the dice of a round came to, in words.

Law: § 539.4(c).
"""

from __future__ import annotations

from ledger.games.outcomes import DiceOutcome, OutcomeDetail, OutcomeUnknown
from ledger.games.sic_bo.terms import LAW
from ledger.games.sic_bo.validity import words


def outcome_words(detail: OutcomeDetail) -> str:
    """Print the dice: "2 3 4", "2 3 4 (as stated)".

    Raises:
        OutcomeUnknown: it is no roll of dice.
    """
    if not isinstance(detail, DiceOutcome):
        raise OutcomeUnknown(LAW.name, detail)
    return words(detail.faces) + (" (as stated)" if detail.as_stated else "")
