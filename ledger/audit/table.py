"""One table's share of a gaming day: its rounds, findings, capture, and the hash of its rulings."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import field
from datetime import date, timedelta
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from ledger.audit.accounts import TAKEN, Account, account_findings, unopened_findings
from ledger.audit.captured import not_covered_at
from ledger.audit.carried import CarriedStates, StatesWithin
from ledger.audit.dates import days_before
from ledger.audit.ledger_contract import FOREVER, Day, doubt_finding, stated_totals
from ledger.audit.office import HouseRecord
from ledger.audit.recorders import Recorders
from ledger.audit.result import TableCapture
from ledger.audit.table_day import TableDay
from ledger.audit.table_rounds import TableRounds
from ledger.coupons.serial import SerialForms
from ledger.events import BettingOpened, Capture, TableClosed, TableOpened
from ledger.games import BY_GAME
from ledger.games.room import Breach, Room
from ledger.kernel import Certainty, EditionStatus, FactRef, Finding, ref_of, table_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import GENERAL
from ledger.replay import Doubt, DoubtBegins, DoubtEnds, FactStep, Replay, Step
from ledger.rounds import InEveryOrder, Pause, RoundResult, TablePlay, as_finding

if TYPE_CHECKING:
    from ledger.audit.rounds_in_bulk import RoundsInBulk
    from ledger.rounds.in_order import Stretch

Opening = Callable[[InEveryOrder, int], None]


@dataclass(slots=True)
class Hours:
    """When a table was open on the day, by its own facts.

    Args:
        opened_at: when it first opened on the day, microseconds UTC.
        closed_at: when it last closed on the day, microseconds UTC.
        game: the game it last opened with.
        level: what it last claimed to record.
    """

    opened_at: int | None = None
    closed_at: int | None = None
    open_before: bool = False
    """Whether the table was open when the day began."""
    game: str | None = None
    level: Capture | None = None

    def take(self, fact: TableOpened | TableClosed, at: int, day: Day) -> None:
        """Follow an opening or a closing, up to the day's end; ``at`` is in microseconds UTC."""
        if at >= day.ends:
            return
        if at < day.begins:
            self.open_before = isinstance(fact, TableOpened)
        if isinstance(fact, TableOpened):
            self.game, self.level = fact.game, fact.capture
            if day.has(at) and self.opened_at is None:
                self.opened_at = at
        elif day.has(at):
            self.closed_at = at


class OpensNext(NamedTuple):
    """Betting is about to open: the key of that fact, and its merge time in microseconds UTC."""

    ref: FactRef
    at: int


@dataclass(slots=True)
class TableWalk:
    """Walks one table up to the end of a day and yields the day's rounds.

    Its account, recorders, findings and counts are complete once ``rounds`` is exhausted.
    """

    replay: Replay
    house: HouseRecord
    table: str
    day: Day
    explain: bool = False
    carried: CarriedStates | None = None
    rooms: Mapping[str, Room] = field(default_factory=lambda: BY_GAME)
    on_step: Callable[[Step], None] | None = None
    """Called with each step before the play takes it."""
    on_opening: Opening | None = None
    """Called with the play and the moment if a round opens as the first step of a moment."""
    within: StatesWithin | None = None
    """Puts states of the day aside, where rounds open as the first step of a moment."""
    resumed: tuple[int, bytes] | None = None
    """Since when to walk (microseconds UTC), and the state then, from ``CarriedStates.packed``."""
    until: int | None = None
    """The first merge time that is not walked any more: the walk stops as if the rest were still to
    come, and hands out no round that is under way. None: to the end of the day."""
    overlooked: frozenset[FactRef] = frozenset()
    """First missing facts of gaps that count as if nothing were missing; no state is kept then."""
    goes_on: Callable[[], Iterator[Step | Pause]] | None = None
    """Gives what comes from ``until`` on, as the record grows, and pauses in between."""
    retold: Callable[[Iterable[Step]], Iterable[Step]] | None = None
    """Tells some of the steps otherwise than they were recorded; no state is kept then."""
    in_bulk: bool = False
    """Tell rounds in order from tables, with the same results; see ``rounds_in_bulk.py``."""
    on_stretch: Callable[[Stretch], None] | None = None
    """Takes rounds in order as they were told from tables, in place of their results."""
    play: TablePlay = field(init=False)
    orders: InEveryOrder = field(init=False)
    account: Account = field(init=False)
    recorders: Recorders = field(init=False)
    hours: Hours = field(default_factory=Hours)
    doubts: list[Finding] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    events: int = 0
    after: list[FactRef] = field(default_factory=list)
    reach: int = 0
    """As in ``TableDay``."""

    def __post_init__(self) -> None:
        house = self.house
        self.account = Account(self.table, self.day)
        self.recorders = Recorders(self.replay.roster(), self.day)
        self.play = TablePlay(
            self.table,
            house.office,
            house.clock,
            explain=self.explain,
            rooms=self.rooms,
            coupons=house.coupons,
        )
        self.orders = InEveryOrder(self.play)

    def rounds(self) -> Iterator[RoundResult]:
        """Yield the rounds that opened on the day, as they close."""
        return (step for step in self.stretches() if isinstance(step, RoundResult))

    def _steps(
        self, streams: tuple[str, ...], since: int | None, totals: dict[str, int]
    ) -> Iterator[Step | Stretch | Pause]:
        """Yield the steps of the walk, and in place of rounds in order what came of them."""
        replay, orders = self.replay, self.orders
        watched = self.on_step is not None or self.on_opening is not None or self.explain
        facts = None
        is_told_again = self.retold is not None or self.goes_on is not None
        if self.in_bulk and not watched and self.until is None and not is_told_again:
            begins = max(since or 0, self.day.begins)
            facts = replay.table_facts(streams, begins, self.day.ends, totals)
        if facts is None or self.overlooked:
            walked = replay.walk(streams, since=since, until=self.until, stated=totals)
            retelling: Iterable[Step | Pause] = (
                walked if self.retold is None else self.retold(walked)
            )
            if self.goes_on is not None:
                retelling = chain(retelling, self.goes_on())
            steps: Iterator[Step | Pause] = self._reaching(retelling, to_the_end=True)
            yield from orders.ahead(steps)
            return
        from ledger.audit.rounds_in_bulk import RoundsInBulk  # one round is told without it

        bulk = RoundsInBulk(facts, orders, self.house, replay.roster(), self.day, self.within)
        before: Iterable[Step] = replay.walk(streams, since=since, until=begins)
        later: Iterable[Step] = replay.walk(streams, since=self.day.ends, stated=totals)
        while True:
            following = self._next(bulk, before, later)
            yield from orders.ahead(self._reaching(following, to_the_end=False))
            before = ()
            if bulk.is_over:
                return
            stretch = bulk.in_order()
            if stretch is not None:
                yield stretch

    def _next(
        self, bulk: RoundsInBulk, before: Iterable[Step], later: Iterable[Step]
    ) -> Iterator[Step | Pause]:
        """Yield steps up to the next round, with those before the day, or after it."""
        yield from before
        yield from bulk.one_by_one()
        if bulk.is_over:
            yield from self._reaching(later, to_the_end=True)

    def stretches(self) -> Generator[RoundResult | OpensNext | Pause, None, None]:
        """Yield the rounds that opened on the day, and where betting opens, before that is taken.

        Whoever stops there has the play as it stood between two rounds. A record that ``goes_on``
        yields its pauses, too.
        """
        stated = stated_totals(self.house.office, self.day)
        totals = {name: last for name, last in stated.items() if table_of(name) == self.table}
        streams = tuple({*self.replay.tables().get(self.table, ()), *totals})
        orders, play, day = self.orders, self.play, self.day
        since, turns = self._resume(streams)
        state = play.state
        self.hours.game, self.hours.level = state.game, state.capture
        self.hours.open_before = state.house is not None and state.house.opened is not None
        latest = 0
        for step in self._steps(streams, since, totals):
            if isinstance(step, Pause):
                yield step
                continue
            if not isinstance(step, (FactStep, DoubtBegins, DoubtEnds)):
                latest = max(latest, step.moments[-1])
                yield from self._passed_over(step)
                continue
            at = _time_of(step)
            if self.carried is not None and at is not None and 0 < turns <= at:
                turns = self._keep_state(streams, at)
            opens = isinstance(step, FactStep) and type(step.fact) is BettingOpened
            if at is not None and at > latest:
                latest = at
                if opens and self.within is not None:
                    self.within.opens(orders, at)
                if opens and self.on_opening is not None:
                    self.on_opening(orders, at)
            if opens and isinstance(step, FactStep):
                yield OpensNext(ref_of(step.fact), step.at)
            if self.on_step is not None:
                self.on_step(step)
            if isinstance(step, FactStep):
                fact = step.fact
                if day.begins <= step.at < day.ends:
                    self.events += 1
                    self.recorders.take(fact, step.at)
                    if type(fact) in TAKEN:
                        self.account.take(fact, step.at)
                    if play.state.doubts:
                        self.account.doubtful = True
                if isinstance(fact, (TableOpened, TableClosed)):
                    self.hours.take(fact, step.at, day)
                is_pending = step.at >= day.ends and not play.done_with(day.date)
                if is_pending and not play.ends_last_round(step.at):
                    self.after.append(ref_of(fact))
                for result in orders.take(fact, step.at):
                    if result.gaming_day == day.date:
                        yield result
                if step.at >= day.ends and play.done_with(day.date):
                    break
            else:
                self._doubt(step)
            if play.findings:
                self._keep()
        else:
            if self.until is None:
                for result in orders.finish():
                    if result.gaming_day == day.date:
                        yield result
                if stated:
                    orders.day_ends()
        if self.until is None:
            orders.release()
        self._keep()

    def _passed_over(self, stretch: Stretch) -> Iterator[RoundResult]:
        """Yield the rounds that are over, then those of a stretch, and go on after it."""
        if self.within is not None:
            self.within.opens(self.orders, stretch.moments.start)
        for result in self.play.rest():
            if result.gaming_day == self.day.date:
                yield result
        self._keep()
        self.play.skip(
            stretch.facts,
            stretch.house,
            stretch.posted(),
            stretch.room_state(self.play.state.room_state),
            stretch.left,
        )
        self.orders.was_ahead = True
        self.events += stretch.facts
        self.account.settled(stretch.taken, stretch.paid)
        for step in stretch.noted():
            self.account.take(step.fact, step.at)
        if self.on_stretch is not None:
            self.on_stretch(stretch)
            return
        from ledger.rounds.in_order import results_of  # one round is told without it

        yield from results_of(stretch)

    def _reaching(
        self, steps: Iterable[Step | Pause], *, to_the_end: bool
    ) -> Iterator[Step | Pause]:
        """Note how far the walk was read, ahead of the play, too."""
        for step in steps:
            at = None if isinstance(step, Pause) else _time_of(step)
            if at is not None and at > self.reach:
                self.reach = at
            yield step
        if to_the_end:
            self.reach = FOREVER

    def _resume(self, streams: Iterable[str]) -> tuple[int | None, int]:
        """Start from the latest kept state; return since when to walk and when to keep again."""
        clock = self.house.clock
        if self.resumed is not None and self.carried is not None:
            since, state = self.resumed
            if self.carried.resume(self.orders, state):
                return since, clock.bounds(self.day.date)[1]
        if self.carried is not None:
            earlier = days_before(self.replay, clock, streams, self.day.date)
            for known in chain([self.day.date], earlier):
                begins, ends = clock.bounds(known)
                if self.carried.load(self.orders, streams, known, begins):
                    self._forget_posts()
                    return begins, ends
        delivered = self.replay.streams()
        times = (self.replay.extent(s).first_time for s in streams if s in delivered)
        return None, clock.bounds(clock.day_of(min(times, default=0)))[1]

    def _keep_state(self, streams: Iterable[str], at: int) -> int:
        """Keep the state before the first step of a later day; return when that day ends."""
        assert self.carried is not None
        today = self.house.clock.day_of(at)
        begins, ends = self.house.clock.bounds(today)
        if today <= self.day.date:
            self._forget_posts()
        is_as_recorded = not self.overlooked and self.retold is None
        if today <= self.day.date + timedelta(days=1) and is_as_recorded:
            self.carried.keep(self.orders, streams, today, begins)
        return ends

    def _forget_posts(self) -> None:
        """Keep of the posts before a day only the last, which holds when it begins."""
        del self.play.state.posts[:-1]

    def _keep(self) -> None:
        """Take over the play's findings of the day."""
        mine = [f for f in self.play.findings if f.gaming_day == self.day.date]
        self.findings.extend(mine)
        self.play.findings.clear()

    def _doubt(self, step: DoubtBegins | DoubtEnds) -> None:
        if FactRef(step.stream, step.first_seq) in self.overlooked:
            return
        why = "facts are missing" if step.kind is Doubt.GAP else "two records carry one key"
        span = f"{step.stream}:{step.first_seq}" + (
            f"-{step.last_seq}" if step.last_seq != step.first_seq else ""
        )
        begins = isinstance(step, DoubtBegins)
        if not begins or step.stream not in self.play.state.doubts:  # else the carried state has it
            self.orders.doubt(step.stream, f"{why} ({span})", ends=not begins)
        if isinstance(step, DoubtBegins):
            finding = doubt_finding(self.house.office, self.house.clock, self.day, step)
            if finding is not None:
                self.doubts.append(finding)
                self.account.doubtful = True


def _time_of(step: FactStep | DoubtBegins | DoubtEnds) -> int | None:
    """Return when a step of a walk takes place; None where a doubt begins."""
    if isinstance(step, FactStep):
        return step.at
    return step.ends_at if isinstance(step, DoubtEnds) else None


def audit_table(
    replay: Replay,
    house: HouseRecord,
    table: str,
    day: Day,
    carried: CarriedStates | None = None,
    on_round: Callable[[RoundResult], None] | None = None,
    within: StatesWithin | None = None,
    *,
    in_bulk: bool = False,
) -> TableDay:
    """Audit one table's gaming day.

    Args:
        replay: the ledger's replay.
        house: the house's facts.
        table: the table.
        day: the gaming day.
        carried: its kept states; None replays from the beginning.
        on_round: called with each round as it closes.
        within: puts states of the day aside; None: nobody wants them.
        in_bulk: see ``TableWalk.in_bulk``.
    """
    walk = TableWalk(replay, house, table, day, carried=carried, within=within, in_bulk=in_bulk)
    rounds = TableRounds(walk.account)
    if on_round is None:
        walk.on_stretch = rounds.take_stretch
    for result in walk.rounds():
        if on_round is not None:
            on_round(result)
        rounds.take(result)
    table_day = TableDay(
        table=table,
        rounds=rounds.count,
        unknown_rounds=rounds.unknown,
        wagers=rounds.wagers,
        findings=rounds.findings,
        opened=rounds.opened,
        rulings=rounds.rulings(),
    )
    table_day.events = walk.events
    table_day.findings.extend(walk.findings)
    table_day.findings.extend(walk.doubts)
    table_day.findings.extend(walk.recorders.findings(house.office))
    table_day.unchecked = walk.recorders.unchecked
    posts = walk.play.state.posts
    before = sum(post.at < day.begins for post in posts)
    table_day.posts = posts[max(before - 1, 0) :]  # the last before the day and those on it
    table_day.after = walk.after
    table_day.reach = walk.reach
    _standing(walk.play, table_day, day.date)
    level = walk.hours.level
    _account(walk, table_day)
    table_day.capture = TableCapture(
        table=table,
        game=walk.hours.game,
        level=level.value.lower() if level else None,
        opened_at=walk.hours.opened_at,
        closed_at=walk.hours.closed_at,
        rounds=table_day.rounds,
        judged=rounds.count - rounds.unknown,
        wagers=table_day.wagers,
        not_covered=not_covered_at(None if level is None else level.value.lower()),
    )
    return table_day


def _account(walk: TableWalk, table_day: TableDay) -> None:
    """Make the table's account, if it was open or anything was counted for it."""
    account, hours, replay = walk.account, walk.hours, walk.replay
    opened = bool(table_day.rounds) or hours.opened_at is not None
    streams = replay.tables().get(walk.table, ())
    if account.has_counts or (opened and hours.level is Capture.COUNTS) or not opened:
        account.find_late(replay, streams, walk.house.clock, any_count=not opened)
    if not opened and not account.has_counts:
        return
    account.find_coupons(replay, walk.house.clock)
    series = SerialForms(walk.house.office.series)
    table_day.account = account.closed(hours.game, hours.level, series)
    if not opened and account.never_opened and not hours.open_before:
        counts = [count for counts in account.counted.values() for count in counts]
        table_day.findings.extend(unopened_findings(table_day.account, counts, walk.day.date))
    following = (walk.day.date + timedelta(days=1)).isoformat()
    due = following in walk.house.office.closings
    table_day.findings.extend(
        account_findings(
            table_day.account, walk.day.date, closed=hours.closed_at is not None, due=due
        )
    )


def _standing(play: TablePlay, table_day: TableDay, day: date) -> None:
    """Note the status of the texts that day, and report where none is held."""
    if play.state.room is None:
        return
    for chapter in (play.state.room.law, GENERAL):
        edition = chapter.edition
        table_day.standing[edition.chapter] = edition.remark(day) or edition.standing(day).value
    edition = play.state.room.law.edition
    if edition.standing(day) in (EditionStatus.CONTINUED, EditionStatus.LAPSED):
        table_day.continued = f"{edition.chapter}: {edition.remark(day)}"
    if edition.standing(day) is EditionStatus.NOT_YET and table_day.rounds:
        duty = play.state.room.duty_by_name["law_not_held"]
        breach = Breach(duty=duty, facts=(), observed=str(day), certainty=Certainty.UNKNOWN)
        table_day.findings.append(as_finding(breach, day=day, stream=play.table, round_id=None))
