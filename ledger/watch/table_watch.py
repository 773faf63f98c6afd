"""One table's gaming day, judged as far as nothing that is still to come can change it.

Facts are judged up to the last moment that every busy stream of the table has passed. A round is
told when it is handed out; what it settled is told as soon as betting opens again. The play is kept
where it paused, so that facts which come in order are judged once. Where one comes that bears on
what was judged, a judgment goes on from the last state within the day before it, so that it costs
some rounds and not the day.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator
from collections.abc import Set as AnySet
from dataclasses import field, replace
from typing import Final, NamedTuple

from ledger.audit import Day, HouseRecord
from ledger.audit.carried import CarriedStates
from ledger.audit.office_inputs import OfficeInputs
from ledger.audit.table import OpensNext, TableWalk
from ledger.coupons import CouponLookup
from ledger.coupons.asked_coupons import AskedCoupons
from ledger.kernel import Certainty, Finding
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import Replay, Step
from ledger.rounds import PAUSE, InEveryOrder, Pause, RoundResult

QUIET: Final = 120_000_000
"""A stream that is this far behind the newest of its table (microseconds) is not waited for."""
BUSY: Final = 3
"""Nor is one with fewer facts within as long before its last: what it says comes now and then."""
STATE_EVERY: Final = 64
"""After every so many rounds of a table its state is put aside."""
RECENT: Final = 2 * STATE_EVERY
"""Of the last so many rounds more states are kept: most facts bear on what is recent."""
RECENT_EVERY: Final = 4
"""After every so many rounds there, as they are judged again."""


def known_until(replay: Replay, table: str) -> int:
    """Return the moment up to which a table's record is complete but for facts that come late.

    Returns:
        The first moment (microseconds UTC) that is not; 0 for a table without facts.
    """
    ends = [replay.last_times(stream, BUSY) for stream in replay.tables().get(table, ())]
    newest = max((last for last, _ in ends), default=-1)
    awaited = (
        last
        for last, before in ends
        if newest - last <= QUIET and before is not None and last - before <= QUIET
    )
    return min(awaited, default=newest) + 1


class StateWithin(NamedTuple):
    """A state within the day.

    Attributes:
        at: when it held, microseconds UTC.
        stored: its bytes.
        findings: what was found so far.
        rounds: how many rounds of the day were over.
        over: the last of them, if any are kept.
    """

    at: int
    stored: bytes
    findings: tuple[Finding, ...]
    rounds: int
    over: tuple[RoundResult, ...] = ()


class BookRead(NamedTuple):
    """How far the custody of coupons was followed.

    Attributes:
        reading: counts how often it was read anew.
        until: the merge time of the last fact that it was followed through, microseconds UTC.
    """

    reading: int
    until: int


class BoreOn(NamedTuple):
    """What the office's facts were that bore on what was judged, as they were read."""

    inputs: OfficeInputs
    book: BookRead
    streams: AnySet[str]


@dataclass(slots=True, kw_only=True)
class PausedWalk:
    """A table's walk where it paused.

    Attributes:
        walk: the walk.
        inputs: the office's facts as they were read for it; None: they are not looked at again.
        earlier: what was found in rounds, and what the state it went on from had found.
        rounds: how many rounds of the day are over.
        kept: how many were when a state was put aside last.
        recent: up to how many rounds states are put aside more often.
        since: the first merge time that was not read yet, microseconds UTC.
        until: the first merge time that is not to be read yet.
        over: the last rounds that are over, as many as are kept.
        is_over: no later fact bears on the day.
    """

    walk: TableWalk
    inputs: OfficeInputs | None
    earlier: list[Finding]
    rounds: int
    kept: int
    recent: int
    since: int
    until: int
    over: deque[RoundResult]
    is_over: bool = False
    _stretches: Generator[RoundResult | OpensNext | Pause, None, None] = field(init=False)

    def __post_init__(self) -> None:
        self.walk.goes_on = self._coming
        self._stretches = self.walk.stretches()

    def goes_on_with(self, inputs: OfficeInputs | None, house: HouseRecord, until: int) -> bool:
        """Whether it can be read on up to a moment with what the house had stated when it began.

        That is: what bears on the table up to that moment is the same in today's record.
        """
        if until < self.until:
            return False
        if self.walk.house.office is house.office:
            return True
        if inputs is None or self.inputs is None:
            return False
        streams = {*self.walk.replay.tables().get(self.walk.table, ())}
        return self.inputs.digest(streams, until) == inputs.digest(streams, until)

    def go_on(self) -> None:
        """Judge what was read up to now."""
        if self.is_over:
            return
        for step in self._stretches:
            if isinstance(step, Pause):
                return
            if isinstance(step, RoundResult):
                self.earlier.extend(step.findings)
                self.rounds += 1
                self.over.append(step)
        self.is_over = True

    def findings(self) -> list[Finding]:
        """Return all that is certain."""
        return [*self.earlier, *self.walk.findings, *self.walk.doubts, *_of_ended_round(self.walk)]

    def let_go(self) -> None:
        """Take apart what refers to itself, so that its memory is free at once."""
        self._stretches.close()
        self.walk.goes_on = self.walk.on_opening = None
        self.is_over = True

    def _coming(self) -> Iterator[Step | Pause]:
        """The steps after those that were there at first, and a pause whenever there is no more."""
        self.since = self.until
        walk = self.walk
        while True:
            yield PAUSE
            streams = walk.replay.tables().get(walk.table, ())
            yield from walk.replay.walk(streams, since=self.since, until=self.until)
            self.since = self.until


@dataclass(slots=True)
class TableWatch:
    """What is certain of one table's gaming day.

    Attributes:
        table: the table.
        day: the gaming day.
        until: up to which merge time it was judged, microseconds UTC.
        states: states within the day from which a judgment can go on, by time.
        kept_rounds: how many of the last rounds are kept, for who shows them.
        asked: what its play asked about coupons.
        hangs_on: the hash of the office's facts that bear on it, as far as it was judged.
    """

    table: str
    day: Day
    until: int = 0
    kept_rounds: int = 0
    states: list[StateWithin] = field(default_factory=list)
    asked: AskedCoupons | None = None
    hangs_on: bytes | None = None
    _bore_on: BoreOn | None = None
    _paused: PausedWalk | None = None

    def forget_from(self, moment: int, margin: int = 0) -> None:
        """Forget what was judged after a moment: something came that bears on what follows it.

        Args:
            moment: microseconds UTC.
            margin: how far before it clocks may let it bear, too, in microseconds.
        """
        while self.states and self.states[-1].at > moment - margin:
            self.states.pop()
        if moment < self.until and self._paused is not None:
            self._paused.let_go()
            self._paused = None

    def hang_on(self, inputs: OfficeInputs, book: BookRead, streams: AnySet[str]) -> None:
        """Note the office's facts that bore on what was judged."""
        self.hangs_on = inputs.digest(streams, self.until)
        self._bore_on = BoreOn(inputs, book, streams)

    def stands(
        self,
        inputs: OfficeInputs,
        book: BookRead,
        coupons: CouponLookup | None,
        streams: AnySet[str],
    ) -> bool:
        """Whether the office's facts bear as they did, and its book answers as it did."""
        before = self._bore_on
        is_read_anew = before is None or before.inputs is not inputs or before.streams != streams
        if is_read_anew and self.hangs_on != inputs.digest(streams, self.until):
            return False
        if self.asked is None or (before is not None and before.book == book):
            return True
        followed = before is not None and before.book.reading == book.reading
        since = before.book.until if before is not None and followed else -1
        return self.asked.is_answered_alike(coupons, since)

    def judge(
        self,
        replay: Replay,
        house: HouseRecord,
        carried: CarriedStates,
        until: int,
        inputs: OfficeInputs | None = None,
    ) -> list[Finding]:
        """Judge up to a moment, and return all that is certain of the day.

        Args:
            replay: the ledger's replay.
            house: the house's facts, with the custody of coupons.
            carried: states at the beginning of days.
            until: the first merge time that is not judged.
            inputs: what of the office's facts bears on tables; without it, a play goes on only with
                the very record that it began with.
        """
        paused = self._paused
        if paused is not None and paused.goes_on_with(inputs, house, until):
            if self.asked is not None and house.coupons is not None:
                self.asked.lookup = house.coupons
            paused.walk.replay, paused.walk.carried = replay, carried
            paused.until = until
        else:
            if paused is not None:
                paused.let_go()
            paused = self._paused = self._begun(replay, house, carried, until)
            paused.inputs = inputs
        paused.go_on()
        self.until = until
        self._thin_out(paused.rounds)
        return paused.findings()

    @property
    def is_past_the_day(self) -> bool:
        """Whether its play has taken a fact of a later day, or needs none."""
        paused = self._paused
        return paused is not None and (paused.is_over or paused.walk.play.at >= self.day.ends)

    @property
    def paused(self) -> PausedWalk | None:
        """Its walk where it paused; None where none was judged, or what came made it useless."""
        return self._paused

    def _begun(
        self, replay: Replay, house: HouseRecord, carried: CarriedStates, until: int
    ) -> PausedWalk:
        """A walk that goes on from the last state, or from the beginning of the day."""
        resumed = self.states[-1] if self.states else None
        if resumed is None:
            self.asked = None
        if house.coupons is not None:
            answers = {} if self.asked is None else self.asked.answers
            self.asked = AskedCoupons(house.coupons, answers)
            house = replace(house, coupons=self.asked)
        rounds = 0 if resumed is None else resumed.rounds
        paused = PausedWalk(
            walk=TableWalk(
                replay, house, self.table, self.day, carried=carried, until=until,
                resumed=None if resumed is None else resumed[:2],
            ),
            inputs=None,
            earlier=list(() if resumed is None else resumed.findings),
            rounds=rounds, kept=rounds, recent=0 if resumed is None else rounds + RECENT,
            since=until, until=until,
            over=deque(() if resumed is None else resumed.over, self.kept_rounds),
        )  # fmt: skip
        margin = 2 * house.office.clocks.widest(self.table)

        def opens(orders: InEveryOrder, at: int) -> None:
            every = RECENT_EVERY if paused.rounds < paused.recent else STATE_EVERY
            if paused.rounds - paused.kept < every or at >= paused.until - margin:
                return
            if not orders.alternatives and not orders.with_coupons():
                walk = paused.walk
                findings = (*paused.earlier, *walk.findings, *walk.doubts)
                stored = CarriedStates.packed(orders)
                over = tuple(paused.over)
                self.states.append(StateWithin(at, stored, findings, paused.rounds, over))
                paused.kept = paused.rounds

        paused.walk.on_opening = opens
        return paused

    def _thin_out(self, rounds: int) -> None:
        """Let go of states that are no longer recent, but for one in every so many rounds."""
        kept: list[StateWithin] = []
        for state in self.states:
            is_due = not kept or state.rounds - kept[-1].rounds >= STATE_EVERY
            if is_due or state.rounds >= rounds - RECENT:
                kept.append(state)
        self.states = kept


def _of_ended_round(walk: TableWalk) -> list[Finding]:
    """What is certain of the round after which betting opened again, before it is handed out.

    A wager that nobody settled may be settled yet, so only what settled wagers show is told; and
    where clocks leave the order open, nothing is.
    """
    if walk.orders.alternatives or walk.orders.crowded is not None:
        return []
    result = walk.play.late_as_it_stands()
    if result is None or result.gaming_day != walk.day.date:
        return []
    return [finding for finding in result.findings if _is_certain(finding, result)]


def _is_certain(finding: Finding, result: RoundResult) -> bool:
    settled = {wager.wager_id for wager in result.wagers if wager.observed is not None}
    return (
        finding.certainty is Certainty.BROKEN
        and finding.wager is not None
        and finding.wager in settled
    )
