"""A round under way, and the gaming day of rising moments: what a table's play keeps in hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from ledger.events import Capture, Fact
from ledger.games.room import Decided, Requires, Rules, Undecidable
from ledger.kernel import FactRef, Finding, Instant, PropertyClock, ref_of
from ledger.rounds.settle import Resolution
from ledger.rounds.wager_book import WagerBook


@dataclass(frozen=True, slots=True)
class MissingFacts:
    """Facts of a stream were lost, noted among facts that wait until their game is known."""

    stream: str
    why: str
    ends: bool


@dataclass(slots=True)
class Round:
    """A round under way; ``coupons`` says that some lie with its wagers, or lay there.

    ``contested`` are wagers of which the rules cannot tell how they fare, ``raises`` facts of which
    they cannot tell if what these add to a wager takes part. ``shown`` counts the
    throws, spins and hands that it has seen; ``lost`` says that facts were lost since the next
    round opened. ``by_table`` says that the closing of the table ended it, ``limit_shown``
    whether the layout showed a payout limit then, ``afterwards`` are the facts of its wagers and
    coupons since. ``cut_by_gap`` says that it was decided when facts were lost,
    ``settled_before_gap`` that nothing was left to settle then, ``missing`` what was lost since.
    One whose opening was lost is ``opened`` by the first fact that shows it.
    """

    opened: Fact
    ref: FactRef
    day: date
    rules: Rules = field(compare=False)
    capture: Capture | None = None
    closed_by: Fact | None = None
    book: WagerBook = field(default_factory=WagerBook)
    resolution: Resolution = None
    contested: dict[str, bool] = field(default_factory=dict)
    raises: set[FactRef] = field(default_factory=set)
    annulled: bool = False
    pending: bool = False
    coupons: bool = False
    doubtful: str | None = None
    cut_by_gap: bool = False
    settled_before_gap: bool = False
    missing: str | None = None
    codes: set[str] = field(default_factory=set)
    early: list[tuple[str, Requires]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list, compare=False)
    facts: int = field(default=1, compare=False)
    shown: int = 0
    lost: bool = False
    by_table: bool = False
    limit_shown: bool | None = None
    afterwards: list[FactRef] = field(default_factory=list)
    last_fact: Fact | None = field(default=None, compare=False)

    @property
    def last(self) -> FactRef:
        """The last fact that belongs to it."""
        last = self.last_fact or self.opened
        return ref_of(last)

    def reopen(self, fact: FactRef) -> None:
        """What this fact decided is open again."""
        if isinstance(self.resolution, Decided | Undecidable) and self.resolution.fact == fact:
            self.resolution = None
        self.book.reopen(fact)


@dataclass(slots=True)
class GamingDayCache:
    """The gaming day of a moment; the last one answers until a moment lies outside of it."""

    clock: PropertyClock
    day: date | None = None
    begins: Instant = 0
    ends: Instant = -1

    def of(self, at: int) -> date:
        """The gaming day of a moment."""
        if self.day is None or not self.begins <= at < self.ends:
            self.day = self.clock.day_of(at)
            self.begins, self.ends = self.clock.bounds(self.day)
        return self.day
