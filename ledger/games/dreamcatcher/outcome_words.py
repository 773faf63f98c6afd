"""What the spins of a round came to, in words.

Law: §§ 689.2(c), 689.3(b), (c).
"""

from __future__ import annotations

from ledger.games.dreamcatcher.terms import LAW, NUMBERS
from ledger.games.dreamcatcher.wagers import FACTORS
from ledger.games.outcomes import OutcomeDetail, OutcomeUnknown, WheelOutcome


def outcome_words(detail: OutcomeDetail) -> str:
    """Print the sections of a round; the last one decided: "10", "7x, 2x, 10".

    Raises:
        OutcomeUnknown: the chapter has no such section, or not in that place.
    """
    if not isinstance(detail, WheelOutcome) or not _is_on_the_wheel(detail.sections):
        raise OutcomeUnknown(LAW.name, detail)
    return ", ".join(detail.sections)


def _is_on_the_wheel(sections: tuple[str, ...]) -> bool:
    *multipliers, number = sections or ("",)
    return number in NUMBERS and all(symbol in FACTORS for symbol in multipliers)
