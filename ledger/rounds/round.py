"""A round under way, and the gaming day of a moment: what a table's play keeps at hand."""

from __future__ import annotations

from dataclasses import field
from datetime import date

from ledger.events import Capture, Fact
from ledger.games.room import Decided, Requires, Rules, Undecidable
from ledger.kernel import FactRef, Finding, Instant, PropertyClock, ref_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.rounds.settle import Resolution
from ledger.rounds.wager_book import WagerBook


@dataclass(frozen=True, slots=True)
class MissingFacts:
    """Facts of a stream were lost; noted among the facts that wait until their game is known.

    ``why`` is the reason, for people; ``ends``: the doubt ended here.
    """

    stream: str
    why: str
    ends: bool


@dataclass(slots=True)
class Round:
    """A round under way.

    Args:
        opened: the fact that opened betting, or the first fact that shows the round if that was
            lost.
        ref: the key of that fact, which names the round.
        day: its gaming day.
        rules: by which it is judged.
        capture: what the table claims to record.
        closed_by: the fact by which betting closed.
        book: its wagers.
        resolution: what decided it.
        contested: the wagers of which the rules cannot tell how they fare; see ``PlacedWager``.
        raises: the facts of which the rules cannot tell whether what they add takes part.
        annulled: its last spin or roll does not count.
        pending: another spin or roll is to come.
        coupons: some lie with its wagers, or did.
        doubtful: why it is unknown.
        cut_by_gap: it was decided when facts were lost.
        settled_before_gap: nothing was left to settle then.
        missing: what was lost since then.
        codes: the codes that it has reported.
        early: settlements that should have been complete, by wager id, and the ruling that asks for
            it.
        findings: its findings so far.
        facts: how many facts belong to it.
        shown: how many throws, spins and hands were seen.
        lost: facts were lost since the next round opened.
        by_table: the closing of the table ended it.
        limit_shown: whether the layout showed a payout limit when it ended; None if not known.
        afterwards: the facts of its wagers and coupons since it ended.
        last_fact: the last fact that belongs to it; None while that is ``opened``.
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
        """The key of the last fact that belongs to it."""
        last = self.last_fact or self.opened
        return ref_of(last)

    def reopen(self, fact: FactRef) -> None:
        """Undo what this fact decided."""
        if isinstance(self.resolution, Decided | Undecidable) and self.resolution.fact == fact:
            self.resolution = None
        self.book.reopen(fact)


@dataclass(slots=True)
class GamingDayCache:
    """The gaming day of a moment; the last answer is kept while moments lie within that day."""

    clock: PropertyClock
    day: date | None = None
    begins: Instant = 0
    ends: Instant = -1

    def of(self, at: int) -> date:
        """Return the gaming day of a moment in microseconds UTC, and keep its bounds."""
        if self.day is None or not self.begins <= at < self.ends:
            self.day = self.clock.day_of(at)
            self.begins, self.ends = self.clock.bounds(self.day)
        return self.day
