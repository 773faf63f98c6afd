"""Who recorded the facts of a gaming day: a credential that is not valid is a finding.

Facts of one stream by one person in a row are one finding. Where the record has nobody's credential
at that moment, nothing can be checked; such facts are counted and never reported as checked.
Law: the Ledger contract, L.10.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Final

from ledger.audit.ledger_contract import Day
from ledger.events import Fact
from ledger.house import Office
from ledger.kernel import Certainty, FactRef, Finding, Severity, ref_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import LEDGER_CONTRACT as LAW
from ledger.replay import FactStep, Holding, Replay, Roster

_WHY: Final = {
    Holding.NOT_RECORDED: "was never recorded",
    Holding.REVOKED: "was revoked",
    Holding.EXPIRED: "has expired",
}


@dataclass(slots=True)
class Run:
    """Facts of a stream by one person without a valid credential.

    Args:
        first: the first of them.
        last: the last of them.
        at: when the first was merged, microseconds UTC.
        count: how many they are.
    """

    first: FactRef
    last: FactRef
    at: int
    count: int = 1


@dataclass(slots=True)
class Recorders:
    """Follows who recorded the facts of a day.

    Args:
        roster: the credentials.
        day: the gaming day.
        runs: the facts without a valid credential, by stream, person and what is wrong.
        unchecked: how many facts nobody could check.
    """

    roster: Roster
    day: Day
    runs: dict[tuple[str, str, Holding], Run] = field(default_factory=dict)
    unchecked: int = 0
    _seen: dict[str, tuple[int, Holding]] = field(default_factory=dict)

    def take(self, fact: Fact, at: int) -> None:
        """Follow one fact of the day, in order of time; ``at`` is in microseconds UTC."""
        person = fact.recorded_by
        if person is None:
            return
        until, holding = self._seen.get(person, (0, Holding.HELD))
        if at >= until:
            until, holding = self.roster.held_until(person, at)
            self._seen[person] = until, holding
        if holding is Holding.HELD:
            return
        if holding is Holding.UNKNOWN:
            self.unchecked += 1
            return
        ref = ref_of(fact)
        run = self.runs.get((fact.stream, person, holding))
        if run is None:
            self.runs[fact.stream, person, holding] = Run(ref, ref, at)
        else:
            run.last, run.count = ref, run.count + 1

    def findings(self, office: Office) -> Iterator[Finding]:
        """Yield one finding for each run."""
        for (stream, person, holding), run in sorted(self.runs.items()):
            facts = "1 fact" if run.count == 1 else f"{run.count:,} facts"
            were = "was" if run.count == 1 else "were"
            yield Finding(
                code="recorder_not_credentialed",
                severity=Severity.HIGH,
                certainty=Certainty.BROKEN if office.sure(None, run.at) else Certainty.UNKNOWN,
                sentence=f"{facts} of {stream} {were} recorded by {person}, whose credential"
                f" {_WHY[holding]}.",
                citations=(LAW[".10"],),
                gaming_day=self.day.date,
                stream=stream,
                facts=(run.first,) if run.count == 1 else (run.first, run.last),
                expected="a valid credential",
                observed=person,
            )


def of_offices(replay: Replay, day: Day) -> Recorders:
    """Follow who recorded the facts of the offices on a day, with what persons decided."""
    recorders = Recorders(replay.roster(), day)
    streams = [stream for streams in replay.offices().values() for stream in streams]
    for step in replay.walk(streams, since=day.begins, until=day.ends):
        if isinstance(step, FactStep):
            recorders.take(step.fact, step.at)
    return recorders
