"""What a roll came to, in words.

Law: § 668a.3(h).
"""

from __future__ import annotations

from ledger.games.outcomes import DiceOutcome, OutcomeDetail, OutcomeUnknown
from ledger.games.props_and_hops.terms import LAW
from ledger.games.props_and_hops.wagers import box


def outcome_words(detail: OutcomeDetail) -> str:
    """Print the dice: "2-6", "2-6 (as stated)".

    Raises:
        OutcomeUnknown: it is no roll of dice.
    """
    if not isinstance(detail, DiceOutcome):
        raise OutcomeUnknown(LAW.name, detail)
    return box(detail.faces) + (" (as stated)" if detail.as_stated else "")
