"""The facts from which a table's gaming day was judged, as one hash: equal hashes, equal judgment.

It covers the table's own facts as far as they were read, the office's facts but for those that
bear on other tables alone, the control totals, and counts of its boxes that come later. What a
play asks about coupons is not in it: whoever keeps a judgment asks those questions again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from functools import cached_property
from hashlib import sha256
from typing import Final

from ledger.audit.accounts import LATE_DAYS
from ledger.audit.coupons import OWN
from ledger.audit.ledger_contract import Day, numbered_here, stated_totals
from ledger.audit.office import HouseRecord
from ledger.audit.table import NEVER
from ledger.events import (
    EVENTS,
    SUBJECTS,
    ClockChecked,
    CouponsCounted,
    DropBoxCounted,
    SourceRegistered,
)
from ledger.kernel import table_of
from ledger.replay import FactStep, Replay
from ledger.replay.roster import KINDS as CREDENTIALS

BY_TABLE: Final = frozenset({"ClockChecked", "GamingDayClosed"})
"""Facts of the office that are taken apart by table."""
OF_CASES: Final = frozenset(name for name, subject in SUBJECTS.items() if subject == "cases")
"""What persons make of facts. A correction bears through the fact that it changes."""
BEARING: Final = (
    frozenset(EVENTS) - BY_TABLE - OF_CASES - (OWN - {"CouponSeriesDescribed", *CREDENTIALS})
)
"""Facts of the office that bear on every table. The custody of coupons is asked for instead."""


class TableDayInputs:
    """What bears on the tables' days of one ledger.

    Args:
        replay: the ledger's replay.
        house: the house's facts.
    """

    def __init__(self, replay: Replay, house: HouseRecord) -> None:
        self._replay, self._house = replay, house

    def digest(self, table: str, day: Day, reach: int) -> bytes:
        """Return the SHA-256 of what bears on a table's day.

        Args:
            table: the table.
            day: the gaming day.
            reach: how far its facts were read, as in ``TableDay``.
        """
        office, clock = self._house.office, self._house.clock
        stated = _own(table, stated_totals(office, day).items())
        ends = _own(table, self._stated_ends.items())
        streams = {*self._replay.tables().get(table, ()), *(name for name, _ in (*stated, *ends))}
        counted_until = clock.bounds(day.date + timedelta(days=LATE_DAYS))[1]
        hasher = sha256(self._of_office)
        parts: Iterator[object] = iter(
            (
                (table, day.date.isoformat(), day.begins, day.ends, reach, stated, ends),
                *self._checks(streams, reach),
                *(self._of_stream(stream, reach) for stream in sorted(streams)),
                *self._counts(table, sorted(streams), day, counted_until),
            )
        )
        for part in parts:
            hasher.update(repr(part).encode() + b"\n")
        return hasher.digest()

    def _of_stream(self, stream: str, reach: int) -> tuple[object, ...]:
        """The facts of a stream up to a time, and where the next one stands."""
        if stream not in self._replay.streams():
            return (stream,)
        last = self._replay.last_seq_before(stream, reach + 1)
        following = None
        if reach < NEVER:
            at = self._replay.times_around(stream, reach + 1)[1]
            following = at, None if at is None else self._replay.last_seq_before(stream, at + 1)
        return stream, last, self._replay.prefix_hash(stream, last), following

    @cached_property
    def _of_office(self) -> bytes:
        """The facts of the office that bear on every table, and where its record is in doubt."""
        hasher = sha256()
        for step in self._replay.walk(self._office_streams(), only=BEARING):
            if isinstance(step, FactStep):
                hasher.update(f"{step.at} {step.fact!r}\n".encode())
        office = self._house.office
        hasher.update(repr((sorted(office.doubts), office.clocks.most)).encode())
        return hasher.digest()

    def _office_streams(self) -> list[str]:
        names = [name for streams in self._replay.offices().values() for name in streams]
        return [name for name in names if not numbered_here(name)]

    @cached_property
    def _checks_by_source(self) -> dict[str, list[ClockChecked]]:
        checks: dict[str, list[ClockChecked]] = {}
        for step in self._replay.walk(self._office_streams(), only={"ClockChecked"}):
            if isinstance(step, FactStep) and isinstance(step.fact, ClockChecked):
                checks.setdefault(step.fact.checked_source, []).append(step.fact)
        return checks

    def _checks(self, streams: Iterable[str], reach: int) -> Iterator[object]:
        """The checks of the clocks that this table's day can hang on: up to the next one after it.

        A terminal that is registered for streams of other tables alone is none of them.
        """
        registered = self._house.office.clocks.registered
        for source, checks in sorted(self._checks_by_source.items()):
            own = [stream for stream, many in registered.items() if _is_of(source, many)]
            is_elsewhere = own and all(
                stream not in streams and table_of(stream) in self._replay.tables()
                for stream in own
            )
            if is_elsewhere:
                continue
            known = sorted(checks, key=lambda check: check.event_time)
            until = sum(check.event_time <= reach for check in known)
            yield source, *known[: until + 1]

    def _counts(self, table: str, streams: Iterable[str], day: Day, until: int) -> Iterator[object]:
        """The counts of the table's boxes up to a time, by the cash count or the coupons' own."""
        replay = self._replay
        boxes = set(replay.streams_with({DropBoxCounted.__name__}))
        for stream in streams:
            if stream in boxes:
                steps = replay.of_kind(stream, DropBoxCounted, since=day.begins, until=until)
                yield from (step.fact for step in steps)
        for stream in replay.streams_with({CouponsCounted.__name__}):
            for step in replay.of_kind(stream, CouponsCounted, since=day.begins, until=until):
                counted = step.fact
                assert isinstance(counted, CouponsCounted)
                if (counted.box_table or table_of(stream)) == table:
                    yield counted

    @cached_property
    def _stated_ends(self) -> dict[str, int]:
        ends: dict[str, int] = {}
        for closings in self._house.office.closings.values():
            for closing in closings:
                for end in closing.streams:
                    ends[end.stream] = max(ends.get(end.stream, 0), end.last_seq)
        return ends


def _own(table: str, totals: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    return sorted((name, last) for name, last in totals if table_of(name) == table)


def _is_of(source: str, registered: Iterable[SourceRegistered]) -> bool:
    return any(fact.registered_source == source for fact in registered)
