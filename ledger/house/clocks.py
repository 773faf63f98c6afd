"""The clocks of the terminals: what was registered for each, and what checks measured.

Readings: clock-drift. Offsets are the terminal's time less the reference, in microseconds; event
times are never corrected by them.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from dataclasses import field
from typing import Final

from ledger.events import ClockChecked, Fact, SourceRegistered
from ledger.kernel import FactRef, ref_of, seconds, table_of
from ledger.kernel.quick_dataclass import dataclass

DAY: Final = 86_400_000_000
"""Microseconds in a day of 24 hours."""


Apart = tuple[int, int]
"""How long after another fact one came by its own time, and the joint uncertainty: microseconds."""


def interval(apart: Apart) -> str:
    """Print an interval for people.

    >>> interval((300_000, 500_000))
    '+0.300 s, ± 0.500 s'
    """
    return f"{seconds(apart[0])}, ± {seconds(apart[1])[1:]}"


@dataclass(frozen=True, slots=True)
class Check:
    """One check of a clock: when (microseconds UTC), how far off (microseconds), by which fact."""

    at: int
    offset: int
    fact: FactRef


@dataclass(slots=True)
class Clocks:
    """Registrations by stream and checks by terminal, each in order of their times.

    ``most`` is the most that any clock was ever stated or measured to be off, in microseconds.
    """

    registered: dict[str, list[SourceRegistered]] = field(default_factory=dict)
    checks: dict[str, list[Check]] = field(default_factory=dict)
    most: int = 0

    def take(self, fact: SourceRegistered | ClockChecked) -> None:
        """Add a registration or a check; facts come in merged order."""
        if isinstance(fact, SourceRegistered):
            self.registered.setdefault(fact.registered_stream, []).append(fact)
            self.most = max(self.most, fact.clock_uncertainty_micros)
            return
        check = Check(fact.event_time, fact.offset_micros, ref_of(fact))
        known = self.checks.setdefault(fact.checked_source, [])
        insort(known, check, key=lambda one: one.at)
        self.most = max(self.most, abs(check.offset))

    def uncertainty(self, stream: str, at: int) -> int:
        """Return how far the clock that writes a stream may be off at a moment, in microseconds.

        Between two checks that is what was registered, or what either of them measured if that is
        more. 0 if nothing was registered by then.

        Args:
            stream: the stream.
            at: the moment, microseconds UTC.
        """
        known = [one for one in self.registered.get(stream, ()) if one.since <= at]
        if not known:
            return 0
        own = known[-1].clock_uncertainty_micros
        checks = self.checks.get(known[-1].registered_source)
        if not checks:
            return own
        place = bisect_right(checks, at, key=lambda one: one.at)
        return max(own, *(abs(one.offset) for one in checks[max(0, place - 1) : place + 1]))

    def writer(self, stream: str, at: int) -> str | None:
        """Return the terminal last registered for a stream by a moment; None if none was."""
        known = [one for one in self.registered.get(stream, ()) if one.since <= at]
        return known[-1].registered_source if known else None

    def apart(self, first: Fact, fact: Fact) -> Apart | None:
        """Return how far a fact lies from another one, if the clocks leave their order open.

        None if they come from one terminal or lie farther apart than both clocks may be off
        together.
        """
        if first.source == fact.source:
            return None
        after = fact.event_time - first.event_time
        if abs(after) >= 2 * self.most:
            return None
        joint = sum(self.uncertainty(f.stream, f.event_time) for f in (first, fact))
        return (after, joint) if abs(after) < joint else None

    def claimed(self, source: str, at: int) -> int | None:
        """Return the least uncertainty registered for a terminal at a moment, in microseconds.

        None if none is registered.
        """
        known = []
        for registrations in self.registered.values():
            registered = [one for one in registrations if one.since <= at]
            if registered and registered[-1].registered_source == source:
                known.append(registered[-1].clock_uncertainty_micros)
        return min(known, default=None)

    def furthest(self, stream: str) -> int:
        """Return the most that the clock writing a stream was ever stated or measured to be off.

        In microseconds; 0 if nothing says.
        """
        spans = [0]
        for registration in self.registered.get(stream, ()):
            offsets = (abs(c.offset) for c in self.checks.get(registration.registered_source, ()))
            spans.append(max((registration.clock_uncertainty_micros, *offsets)))
        return max(spans)

    def widest(self, table: str) -> int:
        """Return more than any two clocks of a table's streams can leave open, in microseconds."""
        mine = [stream for stream in self.registered if table_of(stream) == table]
        return 2 * max(map(self.furthest, mine), default=0)

    def sources(self) -> list[str]:
        """Return every terminal that is registered or was checked, by name."""
        named = {one.registered_source for many in self.registered.values() for one in many}
        return sorted(named | set(self.checks))

    def last(self, source: str, before: int) -> list[Check]:
        """Return the checks of a terminal before a moment in microseconds UTC, in order."""
        return [one for one in self.checks.get(source, ()) if one.at < before]


def drift_per_day(checks: list[Check]) -> int | None:
    """Return by how many microseconds a day the offset changed between the last two checks.

    Rounded down to the microsecond. None without two checks at different moments.
    """
    if len(checks) < 2 or checks[-1].at == checks[-2].at:
        return None
    earlier, later = checks[-2:]
    return (later.offset - earlier.offset) * DAY // (later.at - earlier.at)
