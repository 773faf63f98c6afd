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

from ledger.audit.accounts import LATE_DAYS
from ledger.audit.ledger_contract import FOREVER, Day, stated_ends, stated_totals
from ledger.audit.office import HouseRecord
from ledger.audit.office_inputs import office_inputs
from ledger.events import (
    CouponsCounted,
    DropBoxCounted,
)
from ledger.kernel import table_of
from ledger.replay import Replay


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
        read_up_to = min(reach, max(map(self._last_merged, streams), default=reach))
        hasher = sha256(office_inputs(self._replay, office).digest(streams, read_up_to))
        parts: Iterator[object] = iter(
            (
                (table, day.date.isoformat(), day.begins, day.ends, reach, stated, ends),
                *(self._of_stream(stream, reach) for stream in sorted(streams)),
                *self._counts(table, sorted(streams), day, counted_until),
            )
        )
        for part in parts:
            hasher.update(repr(part).encode() + b"\n")
        return hasher.digest()

    def _last_merged(self, stream: str) -> int:
        """When the last fact of a stream was merged; 0 for one that has none yet."""
        if stream not in self._replay.streams():
            return 0
        return self._replay.merged_at(stream, self._replay.extent(stream).last_seq) or 0

    def _of_stream(self, stream: str, reach: int) -> tuple[object, ...]:
        """The facts of a stream up to a time, and where the next one stands."""
        if stream not in self._replay.streams():
            return (stream,)
        last = self._replay.last_seq_before(stream, reach + 1)
        following = None
        if reach < FOREVER:
            at = self._replay.times_around(stream, reach + 1)[1]
            following = at, None if at is None else self._replay.last_seq_before(stream, at + 1)
        return stream, last, self._replay.prefix_key(stream, last), following

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
        return stated_ends(self._house.office)


def _own(table: str, totals: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    return sorted((name, last) for name, last in totals if table_of(name) == table)
