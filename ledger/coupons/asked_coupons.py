"""What was asked about coupons, and what the book said."""

from __future__ import annotations

from dataclasses import field
from datetime import date

from ledger.coupons.status import CouponLookup, CouponStatus
from ledger.kernel import FactRef
from ledger.kernel.quick_dataclass import dataclass

Question = tuple[str, int, date, FactRef | None]
"""What ``CouponLookup.status`` is asked."""


@dataclass(slots=True)
class AskedCoupons:
    """Passes a play's questions on to the book, and notes the answers.

    Attributes:
        lookup: who answers.
        answers: by question, the answer, in the order in which they were first asked.
    """

    lookup: CouponLookup
    answers: dict[Question, CouponStatus] = field(default_factory=dict)

    def status(self, text: str, at: int, day: date, ref: FactRef | None = None) -> CouponStatus:
        status = self.lookup.status(text, at, day, ref)
        self.answers[text, at, day, ref] = status
        return status

    def keep_of_later(self, first: int, moments: range) -> None:
        """Keep of what was asked lately only what is about some moments: nothing came of the rest.

        Args:
            first: the first such question, by the order in which they were asked.
            moments: microseconds UTC.
        """
        for question in [*self.answers][first:]:
            if question[1] not in moments:
                del self.answers[question]

    def is_answered_alike(self, lookup: CouponLookup | None, since: int = -1) -> bool:
        """Whether another book gives the same answers to the same questions.

        Args:
            lookup: the book; None: there is none.
            since: only questions about this moment (microseconds UTC) and later ones are asked.
        """
        if lookup is None:
            return not self.answers
        return all(
            lookup.status(*asked) == was for asked, was in self.answers.items() if asked[1] >= since
        )
