"""One table's gaming day, judged as far as nothing that is still to come can change it.

Facts are judged up to the last moment that every busy stream of the table has passed. A round is
told when it is handed out; what it settled is told as soon as betting opens again. A judgment goes
on from the last state within the day that nothing bears on that came since, so that a new fact, and
one that comes a little late, costs some rounds and not the day.
"""

from __future__ import annotations

from collections.abc import Set as AnySet
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from ledger.analytics.judged_tables import AskedCoupons
from ledger.audit import Day, HouseRecord
from ledger.audit.carried import CarriedStates
from ledger.audit.office_inputs import OfficeInputs
from ledger.audit.table import TableWalk
from ledger.coupons import CouponLookup
from ledger.kernel import Certainty, Finding
from ledger.replay import Replay
from ledger.rounds import InEveryOrder, RoundResult

QUIET: Final = 120_000_000
"""A stream that is this far behind the newest of its table (microseconds) is not waited for."""
BUSY: Final = 3
"""Nor is one with fewer facts within as long before its last: what it says comes now and then."""
STATE_EVERY: Final = 16
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
    streams = replay.tables().get(table, ())
    lasts = {stream: replay.extent(stream).last_time for stream in streams}
    newest = max(lasts.values(), default=-1)
    awaited = (
        last
        for stream, last in lasts.items()
        if newest - last <= QUIET and replay.facts_between(stream, last - QUIET, last + 1) >= BUSY
    )
    return min(awaited, default=newest) + 1


class StateWithin(NamedTuple):
    """A state within the day.

    Attributes:
        at: when it held, microseconds UTC.
        stored: its bytes.
        findings: what was found so far.
        rounds: how many rounds of the day were over.
    """

    at: int
    stored: bytes
    findings: tuple[Finding, ...]
    rounds: int


class BoreOn(NamedTuple):
    """What the office's facts were that bore on what was judged, as they were read."""

    inputs: OfficeInputs
    coupons: CouponLookup | None
    streams: AnySet[str]


@dataclass(slots=True)
class TableWatch:
    """What is certain of one table's gaming day.

    Attributes:
        table: the table.
        day: the gaming day.
        until: up to which merge time it was judged, microseconds UTC.
        states: states within the day from which a judgment can go on, by time.
        asked: what its play asked about coupons.
        hangs_on: the hash of the office's facts that bear on it, as far as it was judged.
    """

    table: str
    day: Day
    until: int = 0
    states: list[StateWithin] = field(default_factory=list)
    asked: AskedCoupons | None = None
    hangs_on: bytes | None = None
    _bore_on: BoreOn | None = None

    def forget_from(self, moment: int) -> None:
        """Forget the states after a moment: something came that bears on what follows it."""
        while self.states and self.states[-1].at > moment:
            self.states.pop()

    def hang_on(self, inputs: OfficeInputs, house: HouseRecord, streams: AnySet[str]) -> None:
        """Note the office's facts that bore on what was judged."""
        self.hangs_on = inputs.digest(streams, self.until)
        self._bore_on = BoreOn(inputs, house.coupons, streams)

    def stands(self, inputs: OfficeInputs, house: HouseRecord, streams: AnySet[str]) -> bool:
        """Whether the office's facts bear as they did, and its book answers as it did."""
        before = self._bore_on
        if (
            before is not None
            and before.inputs is inputs
            and before.coupons is house.coupons
            and before.streams == streams
        ):
            return True  # nothing was read anew
        if self.hangs_on != inputs.digest(streams, self.until):
            return False
        return self.asked is None or self.asked.is_answered_alike(house.coupons)

    def judge(
        self, replay: Replay, house: HouseRecord, carried: CarriedStates, until: int
    ) -> list[Finding]:
        """Judge up to a moment, and return all that is certain of the day.

        Args:
            replay: the ledger's replay.
            house: the house's facts, with the custody of coupons.
            carried: states at the beginning of days.
            until: the first merge time that is not judged.
        """
        resumed = self.states[-1] if self.states else None
        if resumed is None:
            self.asked = None
        if house.coupons is not None:
            answers = {} if self.asked is None else self.asked.answers
            self.asked = AskedCoupons(house.coupons, answers)
            house = replace(house, coupons=self.asked)
        collected = list(() if resumed is None else resumed.findings)
        walk = TableWalk(
            replay, house, self.table, self.day, carried=carried, until=until,
            resumed=None if resumed is None else resumed[:2],
        )  # fmt: skip
        margin = 2 * house.office.clocks.widest(self.table)
        rounds = kept = 0 if resumed is None else resumed.rounds
        recent = 0 if resumed is None else resumed.rounds + RECENT

        def opens(orders: InEveryOrder, at: int) -> None:
            nonlocal kept
            every = RECENT_EVERY if rounds < recent else STATE_EVERY
            if rounds - kept < every or at >= until - margin:
                return
            if not orders.alternatives and not orders.with_coupons():
                findings = (*collected, *walk.findings, *walk.doubts)
                self.states.append(StateWithin(at, CarriedStates.packed(orders), findings, rounds))
                kept = rounds

        walk.on_opening = opens
        for result in walk.rounds():
            collected.extend(result.findings)
            rounds += 1
        collected += [*walk.findings, *walk.doubts]
        collected += _of_ended_round(walk)
        self.until = until
        self._thin_out(rounds)
        return collected

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
    late = walk.play.state.late
    if late is None or walk.orders.alternatives or walk.orders.crowded is not None:
        return []
    name = str(late.ref)
    for result in walk.play.fork().finish():
        if result.round == name and result.gaming_day == walk.day.date:
            return [finding for finding in result.findings if _is_certain(finding, result)]
    return []


def _is_certain(finding: Finding, result: RoundResult) -> bool:
    settled = {wager.wager_id for wager in result.wagers if wager.observed is not None}
    return (
        finding.certainty is Certainty.BROKEN
        and finding.wager is not None
        and finding.wager in settled
    )
