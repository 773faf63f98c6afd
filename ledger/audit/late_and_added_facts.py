"""Facts that arrived after their day was closed, and facts that a person added.

Such a fact is judged like any other and is marked wherever it is shown: who recorded it, when it
arrived, which terminal it claims, who added it and who approved that. Marks depend on the order of
arrival, so they are shown beside findings and never hashed with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from ledger.audit.ledger_contract import Day, day_of, numbered_here
from ledger.audit.office import HouseRecord
from ledger.events import FactsAdded, RowsImported
from ledger.kernel import FactRef, Finding, ref_of, table_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import FactStep, Mark, Replay


@dataclass(frozen=True, slots=True)
class _Added:
    stream: str
    seqs: frozenset[int] | range
    by: str
    approved_by: str | None

    def has(self, ref: FactRef) -> bool:
        return ref.stream == self.stream and ref.seq in self.seqs


@dataclass(slots=True)
class Arrivals:
    """How the facts of a ledger arrived.

    Args:
        replay: the ledger's replay.
        house: the house's facts.
        added: what persons added or imported.
    """

    replay: Replay
    house: HouseRecord
    added: list[_Added] = field(default_factory=list)
    _closed: dict[str, tuple[int, int] | None] = field(default_factory=dict)

    @classmethod
    def of(cls, replay: Replay, house: HouseRecord) -> Arrivals:
        """Read what persons added to a ledger."""
        return cls(replay, house, list(_additions(replay)))

    def of_day(self, day: Day, findings: Iterable[Finding] = ()) -> dict[FactRef, Mark]:
        """Return the marked facts of a gaming day, and those of other days behind its findings."""
        replay = self.replay
        closed = self._closing(day)
        marks: dict[FactRef, Mark] = {}
        for stream in replay.streams():
            if numbered_here(stream):
                continue
            low, high = (replay.last_seq_before(stream, at) for at in (day.begins, day.ends))
            if high <= low:
                continue
            seqs, positions = replay.places(stream, low, high)
            late = [] if closed is None else seqs[positions >= closed[0]].tolist()
            mine = [one.seqs for one in self.added if one.stream == stream]
            listed = seqs.tolist() if mine else ()
            wanted = {seq for seq in listed if any(seq in added for added in mine)}
            for seq in sorted(wanted.union(late)):
                mark = self.of_fact(FactRef(stream, seq))
                if mark is not None:
                    marks[mark.ref] = mark
        for ref in sorted({ref for finding in findings for ref in finding.facts}):
            at = replay.merged_at(*ref)
            if at is not None and not day.has(at) and (mark := self.of_fact(ref)) is not None:
                marks[ref] = mark
        return marks

    def of_fact(self, ref: FactRef) -> Mark | None:
        """Return the mark of a fact; None where there is nothing to mark or no such fact."""
        position = self.replay.recorded_at(*ref)
        at = self.replay.merged_at(*ref)
        if position is None or at is None:
            return None
        closed = self._closing(day_of(self.house.clock, self.house.clock.day_of(at)))
        late = closed is not None and position >= closed[0]
        by = next((one for one in self.added if one.has(ref)), None)
        if not late and by is None:
            return None
        amended = self.replay.amended(*ref)
        fact = amended.before if amended is not None else self.replay.fact(*ref)
        if fact is None:
            return None
        return Mark(
            ref=ref,
            event=type(fact).__name__,
            event_time=fact.event_time,
            arrived_at=self.replay.arrived(position),
            source=fact.source,
            recorded_by=fact.recorded_by,
            closed_at=closed[1] if closed is not None and late else None,
            added_by=None if by is None else by.by,
            approved_by=None if by is None else by.approved_by,
        )

    def _closing(self, day: Day) -> tuple[int, int] | None:
        """Return the first entry recorded after the day's closing, and when that was recorded."""
        name = day.date.isoformat()
        if name not in self._closed:
            closings = self.house.office.closings.get(name, [])
            places = [self.replay.recorded_at(*ref_of(one)) for one in closings]
            known = [place for place in places if place is not None]
            self._closed[name] = self._after(min(known)) if known else None
        return self._closed[name]

    def _after(self, position: int) -> tuple[int, int]:
        """Search by halving: entries are recorded in order of time."""
        at = self.replay.arrived(position)
        low, high = position, self.replay.size
        while low + 1 < high:
            middle = (low + high) // 2
            if self.replay.arrived(middle) > at:
                high = middle
            else:
                low = middle
        return high, at


def within(
    marks: Mapping[FactRef, Mark], table: str, opened_at: int, closed_at: int | None
) -> tuple[Mark, ...]:
    """Return the marked facts of a table between two moments, such as those of a round.

    Args:
        marks: the marked facts.
        table: the table.
        opened_at: the first moment, microseconds UTC.
        closed_at: the last moment, microseconds UTC; None for no end.
    """
    return tuple(
        mark
        for ref, mark in marks.items()
        if table_of(ref.stream) == table
        and opened_at <= mark.event_time
        and (closed_at is None or mark.event_time <= closed_at)
    )


def bearing_on(marks: Mapping[FactRef, Mark], facts: Iterable[FactRef]) -> tuple[Mark, ...]:
    """Return the marked ones among the facts on which something rests."""
    return tuple(marks[ref] for ref in facts if ref in marks)


def _additions(replay: Replay) -> Iterator[_Added]:
    """Yield what was added by hand, and what was imported from sheets."""
    only = ("FactsAdded", "RowsImported")
    for step in replay.walk(replay.streams_with(only), only=only):
        fact = step.fact if isinstance(step, FactStep) else None
        if isinstance(fact, FactsAdded):
            seqs = range(fact.first_seq, fact.last_seq + 1)
            yield _Added(fact.added_stream, seqs, fact.added_by, fact.approved_by)
        elif isinstance(fact, RowsImported):
            yield _Added(fact.rows_stream, frozenset(fact.seqs), fact.recorded_by or "", None)
