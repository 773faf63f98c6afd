"""The account of a table's gaming day: what was counted there, and what its rounds paid and took.

Win by count is closer + credits + drop - opener - fills. Win by rounds, where wagers are recorded,
is stakes taken - winnings paid, as the house settled. Chips and notes leave a table by no other
way, so the two agree; if not, a fact is missing or wrong (L.8).
Readings: table-day-counts, table-day-drop, table-day-tips-and-transfers, table-day-coupons.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from datetime import date, timedelta
from typing import Final

from ledger import events
from ledger.audit.coupon_counts import Counts, counts_of, face_of
from ledger.audit.ledger_contract import Day
from ledger.audit.result import Staked, TableAccount
from ledger.coupons.serial import SerialForms
from ledger.kernel import (
    MICROSECONDS,
    Certainty,
    FactRef,
    Finding,
    PropertyClock,
    Severity,
    dollars,
    ref_of,
)
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import LEDGER_CONTRACT as LAW
from ledger.replay import Replay
from ledger.rounds import Outcome, RoundResult, RoundStatus, WagerResult

LATE_DAYS: Final = 7
"""How many gaming days after its own the count of a box may come."""

DAY_LENGTH: Final = 24 * 3_600 * MICROSECONDS
COUNTS: Final[frozenset[type[events.Fact]]] = frozenset(
    {
        events.OpenerCounted, events.CloserCounted, events.FillDelivered, events.CreditTaken,
        events.DropBoxHung, events.DropBoxRemoved, events.DropBoxCounted,
    }
)  # fmt: skip
TAKEN: Final[frozenset[type[events.Fact]]] = COUNTS.union((events.CashChanged, events.WagerSettled))
"""The facts from which an account is made."""

COUNT_CODES: Final = frozenset({"box_of_unopened_table", "table_count_missing", "win_differs"})
"""The codes of findings from a table's account."""

READINGS: Final = ("table-day-counts", "table-day-drop", "table-day-tips-and-transfers")


@dataclass(slots=True)
class Account:
    """Collects a table's facts of one gaming day, its rounds, and the late counts of its boxes.

    Args:
        table: the table.
        day: the gaming day.
        sums: cents by kind of fact.
        times: how many facts of each kind came.
        facts: the counts, fills, credits and removals of boxes.
        taken: stakes that the house took, in cents.
        paid: winnings that the house paid, in cents.
        hung: boxes that hang at the table, and the fact that hung them.
        removed: boxes that were removed and not counted, and when (microseconds UTC).
        counted: the counts of each box.
        stakes: decided wagers in cents, by game, filing, wager and pick.
        coupon_counts: the coupons' own counts, by box and part.
        doubtful: facts of the table are missing or conflict.
    """

    table: str
    day: Day
    sums: dict[type[events.Fact], int] = field(default_factory=dict)
    times: dict[type[events.Fact], int] = field(default_factory=dict)
    facts: list[FactRef] = field(default_factory=list)
    taken: int = 0
    paid: int = 0
    hung: dict[str, FactRef] = field(default_factory=dict)
    removed: dict[str, int] = field(default_factory=dict)
    counted: dict[str, list[events.DropBoxCounted]] = field(default_factory=dict)
    stakes: dict[tuple[str, FactRef | None, str, tuple[int, ...]], int] = field(
        default_factory=dict
    )
    coupon_counts: Counts = field(default_factory=dict)
    doubtful: bool = False

    def take(self, fact: events.Fact, at: int) -> None:
        """Follow a fact of the day; it must be of a kind in ``TAKEN``.

        Args:
            fact: the fact.
            at: the moment at which it was merged, microseconds UTC.
        """
        kind = type(fact)
        if isinstance(fact, events.WagerSettled):
            self.taken += fact.stake_taken_cents
            self.paid += fact.winnings_cents
            return
        if isinstance(fact, events.DropBoxCounted):
            self.count(fact)
            return
        if isinstance(fact, events.DropBoxHung):
            self.hung[fact.box] = ref_of(fact)
            return
        if isinstance(fact, events.DropBoxRemoved):
            self.hung.pop(fact.box, None)
            self.removed[fact.box] = at
            self.facts.append(ref_of(fact))
            return
        assert isinstance(
            fact,
            events.OpenerCounted
            | events.CloserCounted
            | events.FillDelivered
            | events.CreditTaken
            | events.CashChanged,
        )
        cents = fact.cash_cents if isinstance(fact, events.CashChanged) else fact.chips_cents
        self.sums[kind] = self.sums.get(kind, 0) + cents
        self.times[kind] = self.times.get(kind, 0) + 1
        if kind is not events.CashChanged:
            self.facts.append(ref_of(fact))

    def count(self, fact: events.DropBoxCounted) -> None:
        """Follow the count of a box, for this gaming day or for another."""
        removed = self.removed.get(fact.box)
        if fact.for_gaming_day == self.day.date.isoformat():
            self.counted.setdefault(fact.box, []).append(fact)
            self.removed.pop(fact.box, None)
            self.hung.pop(fact.box, None)
        elif removed is not None and fact.event_time >= removed:
            del self.removed[fact.box]  # it was the box of that other day
        elif fact.for_gaming_day > self.day.date.isoformat():
            self.hung.pop(fact.box, None)

    def settled(self, taken: int, paid: int) -> None:
        """Add the stakes taken and the winnings paid of many settlements, in cents."""
        self.taken += taken
        self.paid += paid

    def bets(self, result: RoundResult) -> None:
        """Add the stakes of a round's decided wagers, by the odds that judge them."""
        if result.status is RoundStatus.VOID:
            return
        for wager in result.wagers:
            if is_in_action(wager):
                key = (result.game, result.paytable, wager.wager, wager.picks)
                self.stakes[key] = self.stakes.get(key, 0) + wager.stake_cents

    @property
    def has_counts(self) -> bool:
        """Whether anything was counted, delivered or taken away on the day."""
        return bool(self.facts or self.hung or self.counted)

    def waits(self) -> bool:
        """Whether a count of a box is still to come."""
        return bool(self.removed or self.hung) or (self.has_counts and not self.counted)

    def find_late(
        self, replay: Replay, streams: tuple[str, ...], clock: PropertyClock, *, any_count: bool
    ) -> None:
        """Look for counts after the day's end, for ``LATE_DAYS`` at most, while some are missing.

        Args:
            replay: the ledger's replay.
            streams: the table's streams.
            clock: the property's clock.
            any_count: look also for a table of which nothing else was recorded.
        """
        begins = self.day.ends
        for later in range(1, LATE_DAYS + 1):
            if not self.waits() and not (any_count and not self.counted):
                return
            ends = clock.bounds(self.day.date + timedelta(days=later))[1]
            counts = [
                step
                for stream in streams
                for step in replay.of_kind(stream, events.DropBoxCounted, since=begins, until=ends)
            ]
            for step in sorted(counts, key=lambda step: (step.at, step.fact.stream, step.fact.seq)):
                assert isinstance(step.fact, events.DropBoxCounted)
                self.count(step.fact)
            begins = ends

    @property
    def never_opened(self) -> bool:
        """Whether no count shows that the table was opened for gaming on the day."""
        return not (self.times.get(events.OpenerCounted) or self.times.get(events.CloserCounted))

    def find_coupons(self, replay: Replay, clock: PropertyClock) -> None:
        """Look for the coupons' own counts of the table's boxes."""
        self.coupon_counts = counts_of(replay, self.table, self.day, clock, LATE_DAYS)

    def closed(
        self, game: str | None, level: events.Capture | None, forms: SerialForms
    ) -> TableAccount:
        """Return the account as far as its facts go.

        Args:
            game: the game; None if no fact says.
            level: what the table claims to record.
            forms: how serial numbers are written.
        """
        has = self.has_counts
        boxes = [self.one_count(box) for box in sorted(self.counted)]
        drop: int | None = sum(box_cents(box) for box in boxes if box is not None)
        missing = [*self._inventory_missing(), *self._boxes_missing()]
        if not has:
            missing = ["any count"]
        awaiting = self._awaiting()
        if not self.counted or awaiting or None in boxes:
            drop = None
        opener, closer = self.sums.get(events.OpenerCounted), self.sums.get(events.CloserCounted)
        fills = self.sums.get(events.FillDelivered, 0) if has else None
        credits = self.sums.get(events.CreditTaken, 0) if has else None
        by_count = None
        if not missing and None not in (opener, closer, drop):
            by_count = sum(n or 0 for n in (closer, credits, drop))
            by_count -= sum(n or 0 for n in (opener, fills))
        full = level is events.Capture.FULL
        by_rounds = self.taken - self.paid if full else None
        cash = {box: self.one_count(box) for box in self.counted}
        face = face_of(cash, self.coupon_counts, forms) or (0, None)
        counts = tuple(ref_of(fact) for facts in self.counted.values() for fact in facts)
        return TableAccount(
            table=self.table,
            game=game,
            level=level.value.lower() if level else None,
            opener_cents=opener,
            fills_cents=fills,
            credits_cents=credits,
            closer_cents=closer,
            drop_cents=drop,
            cash_changed_cents=self.sums.get(events.CashChanged),
            coupons=face[0],
            coupons_cents=face[1],
            by_count_cents=by_count,
            by_rounds_cents=by_rounds,
            stakes=tuple(
                Staked(game=one[0], paytable=one[1], wager=one[2], picks=one[3], cents=cents)
                for one, cents in self.stakes.items()
            )
            if full
            else None,
            awaiting=awaiting,
            missing=tuple(missing),
            owed=tuple(self._owed()),
            doubtful=self.doubtful,
            facts=(*self.facts, *counts),
        )

    def _awaiting(self) -> tuple[str, ...]:
        """Return the boxes whose cash is still to be counted.

        Where nothing of the table's inventory is recorded, no win is asked for: a box that still
        hangs there awaits nothing, and a box whose coupons were counted was counted as far as
        anybody records it.
        """
        if self.times.get(events.OpenerCounted) or self.times.get(events.CloserCounted):
            return tuple(sorted({*self.removed, *self.hung}))
        return tuple(sorted(self.removed.keys() - self.coupon_counts.keys()))

    def _inventory_missing(self) -> Iterator[str]:
        """Yield what of the table's inventory is not counted, in words."""
        opened, closed = (
            self.times.get(kind, 0) for kind in (events.OpenerCounted, events.CloserCounted)
        )
        if not opened:
            yield "the opener"
        if not closed:
            yield "the closer"
        if opened and closed and opened != closed:
            yield f"an opener or a closer: there are {opened} and {closed}"

    def _boxes_missing(self) -> Iterator[str]:
        """Yield which counts of boxes are missing, in words."""
        for box in sorted(self.removed):
            yield f"the count of box {box}"
        for box in sorted(self.hung):
            yield f"the removal and the count of box {box}"
        if not (self.counted or self.removed or self.hung):
            yield "the count of a drop box"
        for box in sorted(self.counted):
            if self.one_count(box) is None:
                yield f"one count of box {box}: there are two that differ"

    def _owed(self) -> Iterator[str]:
        """Yield what other counts show must exist; a box may still await its count."""
        if self.times.get(events.OpenerCounted, 0) != self.times.get(events.CloserCounted, 0):
            yield from self._inventory_missing()
        for box in sorted(self.counted):
            if self.one_count(box) is None:
                yield f"one count of box {box}: there are two that differ"

    def one_count(self, box: str) -> events.DropBoxCounted | None:
        """Return what a box held; None where it was counted twice and the counts differ."""
        first, *again = self.counted[box]
        same = all(
            (box_cents(other), sorted(other.coupons)) == (box_cents(first), sorted(first.coupons))
            for other in again
        )
        return first if same else None


def box_cents(count: events.DropBoxCounted) -> int:
    """Return the cash in a box, and the chips found in it, in cents (reading table-day-drop)."""
    return count.chips_cents + sum(one.denomination_cents * one.pieces for one in count.cash)


def is_in_action(wager: WagerResult) -> bool:
    """Whether a wager was decided; one taken down, handed back or left standing was not."""
    match wager.expected.outcome:
        case Outcome.WON | Outcome.LOST:
            return True
        case Outcome.RETURNED:  # a push by the rules says which; one that left in time does not
            return bool(wager.expected.citations)
        case Outcome.UNKNOWN:
            done = wager.observed
            return done is not None and done.outcome in (Outcome.WON, Outcome.LOST)
        case Outcome.STANDS:
            return False


def counted_later(replay: Replay, streams: tuple[str, ...], day: Day) -> bool:
    """Whether a box of a table was counted for a gaming day after it, within ``LATE_DAYS``.

    Args:
        replay: the replay of the ledger.
        streams: the table's.
        day: the gaming day that the count names.
    """
    until = day.ends + LATE_DAYS * DAY_LENGTH
    counting = {*streams}.intersection(replay.streams_with([events.DropBoxCounted.__name__]))
    return any(
        isinstance(step.fact, events.DropBoxCounted)
        and step.fact.for_gaming_day == day.date.isoformat()
        for stream in sorted(counting)
        for step in replay.of_kind(stream, events.DropBoxCounted, since=day.ends, until=until)
    )


def unopened_findings(
    account: TableAccount, boxes: Iterable[events.DropBoxCounted], day: date
) -> Iterator[Finding]:
    """Report money from a box of a table that was never opened on the day (L.8).

    Args:
        account: the table's account.
        boxes: the counts of its boxes.
        day: the gaming day.
    """
    for count in boxes:
        cents = box_cents(count)
        if not cents:  # coupons alone are the custody's to tell of
            continue
        yield replace(
            _finding(
                "box_of_unopened_table",
                f"Box {count.box} was counted with {dollars(cents)} for {account.table},"
                " which was not open on this gaming day.",
                account, day, count.stream, Severity.HIGH,
                Certainty.UNKNOWN if account.doubtful else Certainty.BROKEN,
                expected=None, observed=dollars(cents),
            ),
            facts=(ref_of(count),),
        )  # fmt: skip


def account_findings(
    account: TableAccount, day: date, *, closed: bool, due: bool
) -> Iterator[Finding]:
    """Report what an account shows: a count that is missing, or a win that differs (L.8).

    An opener needs a closer, a removed box its count; a table that claims to record nothing but
    counts needs some once it closed.

    Args:
        account: the table's account.
        day: the gaming day.
        closed: the table closed on the day.
        due: the next gaming day was closed too; until then a box may wait for its count.
    """
    only_counts = account.level == events.Capture.COUNTS.value.lower()
    stream = account.facts[-1].stream if account.facts else account.table
    owed = [*account.owed]
    if due:
        owed += [f"the count of box {box}" for box in account.awaiting]
    if only_counts and closed and not (account.facts or account.awaiting):
        owed.append("any count")
    if owed:
        yield _finding(
            "table_count_missing",
            f"The table's win cannot be counted; not on record: {'; '.join(owed)}.",
            account, day, stream, Severity.MEDIUM, Certainty.UNKNOWN,
            expected=None, observed="; ".join(owed),
        )  # fmt: skip
    apart = account.difference_cents
    if not apart:
        return
    by_count, by_rounds = account.by_count_cents or 0, account.by_rounds_cents or 0
    sentence = (
        f"Counted win {dollars(by_count)}, calculated win {dollars(by_rounds)}:"
        f" {dollars(abs(apart))} {'over' if apart > 0 else 'short'}."
    )
    if account.doubtful:
        sentence = f"Facts of the table are missing or contradict each other. {sentence}"
    yield _finding(
        "win_differs", sentence, account, day, stream, Severity.HIGH,
        Certainty.UNKNOWN if account.doubtful else Certainty.BROKEN,
        expected=dollars(by_rounds), observed=dollars(by_count),
    )  # fmt: skip


def _finding(
    code: str,
    sentence: str,
    account: TableAccount,
    day: date,
    stream: str,
    severity: Severity,
    certainty: Certainty,
    *,
    expected: str | None,
    observed: str | None,
) -> Finding:
    return Finding(
        code=code,
        severity=severity,
        certainty=certainty,
        sentence=sentence,
        citations=(LAW[".8"],),
        gaming_day=day,
        stream=stream,
        facts=account.facts,
        readings=READINGS,
        expected=expected,
        observed=observed,
    )
