"""Facts in the making: what happened when, on which stream, and which words of the case said so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from ledger import events
from ledger.kernel import MICROSECONDS, FactRef, PropertyClock

Origin = int | str
"""The index of a fact of the case, ``P<n>`` of its preamble, or ``setup``."""

HOUSE = "house"
SETUP = "setup"


def source_of(stream: str) -> str:
    """The terminal that writes a stream."""
    return f"T-{stream}"


@dataclass(frozen=True)
class _Entry:
    time: int
    stream: str
    kind: type[Any] | None
    fields: dict[str, Any]
    origin: Origin


@dataclass
class Ledgerful:
    """Facts ready for a ledger, and where each came from."""

    facts: list[events.Fact]
    origins: dict[FactRef, Origin]


@dataclass
class Timeline:
    """Collects facts in any order; ``finished`` numbers them in order of time."""

    clock: PropertyClock
    property_name: str = "Conformance Casino"
    _entries: list[_Entry] = field(default_factory=list)
    closes_itself: bool = True

    def add(
        self, time: int, stream: str, kind: type[Any], origin: Origin, /, **fields: Any
    ) -> None:
        """One fact; facts of one moment keep the order in which they were added."""
        self._entries.append(_Entry(time, stream, kind, fields, origin))

    def lose(self, time: int, stream: str, count: int, origin: Origin) -> None:
        """Facts that happened and never arrived: their numbers stay empty."""
        for _ in range(count):
            self._entries.append(_Entry(time, stream, None, {}, origin))

    def stake(self, wager: str) -> int:
        """The cents placed on a wager so far, with all that was added to it."""
        cents = {events.WagerPlaced: "stake_cents", events.WagerIncreased: "added_cents"}
        return sum(
            entry.fields[cents[entry.kind]]
            for entry in self._entries
            if entry.kind in cents and entry.fields["wager_id"] == wager
        )

    def position(self, **whose: Any) -> str | None:
        """Where the last wager lies of this wager's id or of this patron; None if none does."""
        return next(
            (
                entry.fields["position"]
                for entry in reversed(self._entries)
                if entry.kind is events.WagerPlaced and whose.items() <= entry.fields.items()
            ),
            None,
        )

    def days(self) -> list[date]:
        """Gaming days on which anything stands."""
        return sorted({self.clock.day_of(entry.time) for entry in self._entries})

    def earliest(self) -> int:
        """The first moment of all."""
        return min(entry.time for entry in self._entries)

    def _opening(self, at: int) -> Iterator[_Entry]:
        """The property's statement and its terminals, before everything else."""
        statement = {
            "name": self.property_name,
            "certificate_holder": self.property_name,
            "time_zone": self.clock.time_zone,
            "gaming_day_starts_minutes": self.clock.starts_minutes,
        }
        yield _Entry(at, HOUSE, events.PropertyDescribed, statement, SETUP)
        for stream in dict.fromkeys([HOUSE, *(entry.stream for entry in self._entries)]):
            registration = {
                "registered_stream": stream,
                "registered_source": source_of(stream),
                "since": at,
                "clock_uncertainty_micros": 0,
                "order_tolerance_micros": 0,
            }
            yield _Entry(at, HOUSE, events.SourceRegistered, registration, SETUP)

    def finished(self) -> Ledgerful:
        """Number every stream, and close every gaming day with its control totals."""
        opening = list(self._opening(self.earliest() - MICROSECONDS))
        entries = sorted([*opening, *self._entries], key=lambda entry: entry.time)
        closings = {self.clock.bounds(day)[1] - 1: day for day in self._days_of(entries)}
        counts: dict[str, int] = defaultdict(int)
        ends: dict[date, dict[str, int]] = defaultdict(dict)
        done = Ledgerful([], {})
        if self.closes_itself:
            closes = [_Entry(at, HOUSE, events.GamingDayClosed, {}, SETUP) for at in closings]
            entries = sorted([*entries, *closes], key=lambda entry: entry.time)
        for entry in entries:
            counts[entry.stream] += 1
            seq, day = counts[entry.stream], self.clock.day_of(entry.time)
            ends[day][entry.stream] = seq
            if entry.kind is None:
                continue
            fields = dict(entry.fields)
            if entry.kind is events.GamingDayClosed and not fields:
                fields["gaming_day"] = day.isoformat()
                fields["streams"] = tuple(
                    events.StreamEnd(stream=stream, last_seq=last)
                    for stream, last in sorted(ends[day].items())
                )
            done.facts.append(_made(entry, seq, fields))
            done.origins[FactRef(entry.stream, seq)] = entry.origin
        return done

    def _days_of(self, entries: list[_Entry]) -> list[date]:
        return sorted({self.clock.day_of(entry.time) for entry in entries})


def _made(entry: _Entry, seq: int, fields: dict[str, Any]) -> events.Fact:
    assert entry.kind is not None
    fact: events.Fact = entry.kind(
        stream=entry.stream,
        seq=seq,
        event_time=entry.time,
        source=source_of(entry.stream),
        recorded_by=fields.pop("recorded_by", None),
        **fields,
    )
    return fact
