"""One table's gaming day, judged as far as nothing that is still to come can change it.

Facts are judged up to the last moment that every busy stream of the table has passed. A round is
told when it is handed out; what it settled is told as soon as betting opens again. A judgment goes
on from a state within the day, so that a new fact costs some rounds and not the day.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ledger.audit import Day, HouseRecord
from ledger.audit.carried import STATE_EVERY, CarriedStates
from ledger.audit.table import TableWalk
from ledger.kernel import Certainty, Finding
from ledger.replay import Replay
from ledger.rounds import InEveryOrder, RoundResult

QUIET: Final = 120_000_000
"""A stream that is this far behind the newest of its table (microseconds) is not waited for."""
BUSY: Final = 3
"""Nor is one with fewer facts within as long before its last: what it says comes now and then."""


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


@dataclass(slots=True)
class TableWatch:
    """What is certain of one table's gaming day.

    Attributes:
        table: the table.
        day: the gaming day.
        until: up to which merge time it was judged, microseconds UTC.
        findings: what was found up to the state that the next judgment goes on from.
        resumed: that state, and when it held; None: the next one begins with the day.
    """

    table: str
    day: Day
    until: int = 0
    findings: tuple[Finding, ...] = ()
    resumed: tuple[int, bytes] | None = None

    def restart(self) -> None:
        """Judge from the beginning of the day next time: something came that bears on the past."""
        self.findings, self.resumed = (), None

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
        collected = list(self.findings)
        walk = TableWalk(
            replay, house, self.table, self.day, carried=carried, resumed=self.resumed, until=until
        )
        margin = 2 * house.office.clocks.widest(self.table)
        rounds = 0
        latest: tuple[int, bytes, tuple[Finding, ...]] | None = None

        def opens(orders: InEveryOrder, at: int) -> None:
            nonlocal latest, rounds
            is_plain = not orders.alternatives and not orders.with_coupons()
            if rounds >= STATE_EVERY and at < until - margin and is_plain:
                latest = (
                    at,
                    CarriedStates.packed(orders),
                    (*collected, *walk.findings, *walk.doubts),
                )
                rounds = 0

        walk.on_opening = opens
        for result in walk.rounds():
            collected.extend(result.findings)
            rounds += 1
        collected += [*walk.findings, *walk.doubts]
        collected += _of_ended_round(walk)
        if latest is not None:
            self.resumed, self.findings = (latest[0], latest[1]), latest[2]
        self.until = until
        return collected


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
