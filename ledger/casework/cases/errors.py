"""Why something cannot be done with a case."""

from __future__ import annotations

from ledger.kernel import UsageError


class CaseUnknown(UsageError):
    """There is no case of that number, or it is not for whoever asks."""

    code = "case_unknown"

    def __init__(self, number: str) -> None:
        super().__init__(
            f"There is no case {number[:40]!r}.", next_step="`pitledger case list` lists them"
        )


class HeldByCase(UsageError):
    """A case holds footage of what it is about, so nobody whom it is about is forgotten."""

    code = "held_by_case"

    def __init__(self) -> None:
        super().__init__(
            "A case that holds footage is about this person or coupon; nothing was forgotten.",
            next_step="`pitledger case footage NUMBER FOOTAGE --state released` ends the hold",
        )


class CaseRefused(UsageError):
    """This cannot be done with the case as it stands, or not by this person."""

    code = "case_refused"

    def __init__(self, why: str) -> None:
        super().__init__(f"{why[:1].upper()}{why[1:]}.", next_step="nothing was recorded")
