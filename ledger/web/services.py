"""What the desk asks of the layer above it, which starts it: letters, what-if, forms.

Each is a function of the ledger as the desk has read it, so that nothing is read twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ledger.kernel.quick_dataclass import dataclass

if TYPE_CHECKING:
    from ledger.analytics import JudgedTables
    from ledger.audit import FormDesk
    from ledger.casework.cases import CaseFile
    from ledger.coupons.forms import Issue
    from ledger.kernel import PropertyClock
    from ledger.replay import Replay
    from ledger.reports import LastingFacts, RoundView
    from ledger.reports.forms import Stamp
    from ledger.reports.letters import Letter, Signature
    from ledger.reports.what_if_page import WhatIfAnswer

RoundNamed = Callable[[str], "RoundView"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterAsked:
    """Which letter of a case is meant.

    Attributes:
        recipient: ``patron`` or ``board``.
        wager: the wager that a letter to a patron is about; None: that of its signatures.
        round: its round; None: that of its signatures, or the first of the case.
    """

    recipient: str
    wager: str | None = None
    round: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenLetter:
    """A letter as the case stands, and its signatures."""

    letter: Letter
    signatures: Sequence[Signature]

    @property
    def is_signed(self) -> bool:
        """Whether nobody's signature is missing."""
        return len(self.signatures) >= len(self.letter.capacities)


class ReadRound(Protocol):
    """Reads the round of a fact, explained."""

    def __call__(
        self,
        replay: Replay,
        judged: JudgedTables,
        cache: Path,
        text: str,
        *,
        lasting: LastingFacts | None = None,
    ) -> RoundView:
        """Return the round; ``lasting`` is what is known of facts that outlive rounds."""


class WriteLetter(Protocol):
    """Writes a letter of a case."""

    def __call__(
        self,
        replay: Replay,
        case: CaseFile,
        asked: LetterAsked,
        clock: PropertyClock,
        read: RoundNamed,
    ) -> WrittenLetter:
        """Return the letter, with the signatures that count."""


class Suppose(Protocol):
    """Judges a round as if something had been otherwise."""

    def __call__(
        self, replay: Replay, judged: JudgedTables, folder: Path, seen: RoundView,
        supposed: Mapping[str, Sequence[str]],
    ) -> WhatIfAnswer:  # fmt: skip
        """Return the answer; ``supposed`` has the words of `pitledger whatif` by its options."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What whoever starts the desk gives it.

    Attributes:
        round: the round of a fact, explained.
        write_letter: a letter of a case.
        suppose: a round as if something had been otherwise.
        coupon_desk: the coupon forms of a ledger, and what is stamped on them.
        printed_forms: forms of a gaming day as a page, a table or a workbook.
    """

    round: ReadRound
    write_letter: WriteLetter
    suppose: Suppose
    coupon_desk: Callable[[Path, Replay], tuple[FormDesk, Stamp]]
    printed_forms: Callable[[tuple[Issue, ...], Stamp, str], bytes]
