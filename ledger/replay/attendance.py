"""Whom a fact concerns beside those it names: who stood at its table then, and who added it.

Assignments are read as they were recorded first: a correction cannot take its own approver away
from the table. Law: the Ledger contract, L.9 and L.10.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from typing import Final

from ledger import events
from ledger.codec import decode
from ledger.kernel import table_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.log.tiles import WIDTH
from ledger.replay.persons import persons_of

STAFF: Final = ("StaffAssigned", "StaffRelieved")
LOOKED_BACK: Final = 3 * 24 * 3600 * 1_000_000
"""How long an assignment that nothing ended still counts, in microseconds."""
_STOOD: Final = {
    events.Role.DEALER: "dealt",
    events.Role.STICKPERSON: "was the stickperson",
    events.Role.BOXPERSON: "was the boxperson",
}


@dataclass(frozen=True, slots=True)
class Stay:
    """A person's time in a role at a table, from ``began`` to ``ended``, in microseconds UTC.

    A stay that nothing ended ends ``LOOKED_BACK`` after it began.
    """

    person: str
    role: events.Role
    began: int
    ended: int


def stays_of(facts: Iterable[tuple[int, events.Fact]]) -> list[Stay]:
    """Return the stays at one table by their beginning.

    Args:
        facts: its staff facts, in any order, each with its time in microseconds UTC.
    """
    stays: list[Stay] = []
    present: dict[tuple[str, events.Role], int] = {}
    for at, fact in sorted(facts, key=lambda pair: (pair[0], pair[1].stream, pair[1].seq)):
        if isinstance(fact, events.StaffAssigned):
            present.setdefault((fact.person, fact.role), at)
        elif isinstance(fact, events.StaffRelieved):
            began = present.pop((fact.person, fact.role), at)
            stays.append(Stay(fact.person, fact.role, began, at))
    stays += [
        Stay(person, role, began, began + LOOKED_BACK) for (person, role), began in present.items()
    ]
    return sorted(stays, key=lambda stay: stay.began)


def attending(
    stays: Sequence[Stay], table: str, moments: Iterable[int]
) -> Iterator[tuple[str, str]]:
    """Yield who stood at a table at any of these moments.

    Args:
        stays: those at the table, by their beginning.
        table: its name, for the words.
        moments: microseconds UTC.

    Returns:
        Credential, and how, in words that follow a name ("dealt at C-01 then").
    """
    for moment in moments:
        low = bisect_left(stays, moment - LOOKED_BACK, key=lambda stay: stay.began)
        high = bisect_right(stays, moment, key=lambda stay: stay.began)
        for stay in stays[low:high]:
            if moment <= stay.ended:
                yield stay.person, f"{_STOOD.get(stay.role, 'supervised')} at {table} then"


Place = tuple[int, int, int, int]
"""Where a staff fact lies: event time, position, offset in the bundle and length in bytes."""


@dataclass(slots=True)
class Attendance:
    """Who stood at each table, and what persons added, as it was recorded first.

    Attributes:
        places: by table, where its staff facts lie: event time, position, offset in the bundle and
            length in bytes.
        added_framed: the facts that say which facts persons added, framed.
        kept: by table, what reads the places of earlier staff facts, which are kept on disk.
    """

    places: dict[str, list[Place]] = field(default_factory=dict)
    added_framed: list[bytes] = field(default_factory=list)
    kept: dict[str, Callable[[], list[Place]]] = field(default_factory=dict)
    _stays: dict[str, list[Stay]] = field(default_factory=dict)

    @property
    def added(self) -> list[events.FactsAdded]:
        """The facts that say which facts persons added."""
        facts = [decode(framed) for framed in self.added_framed]
        return [fact for fact in facts if isinstance(fact, events.FactsAdded)]

    def all_places(self, table: str) -> list[Place]:
        """Return where the staff facts of a table lie."""
        kept = self.kept[table]() if table in self.kept else ()
        return [*kept, *self.places.get(table, ())]

    def __getstate__(self) -> object:
        """A copy in another process takes along what was kept on disk."""
        self.places = {table: self.all_places(table) for table in {*self.kept, *self.places}}
        self.kept = {}
        return object.__getstate__(self)

    def stays(self, table: str, bundles: Callable[[int], bytes]) -> Sequence[Stay]:
        """Return the stays at a table by their beginning; ``bundles`` reads one by its number."""
        if table not in self._stays:
            self._stays[table] = stays_of(
                (at, decode(bundles(position // WIDTH)[offset : offset + length]))
                for at, position, offset, length in self.all_places(table)
            )
        return self._stays[table]

    def concerned(
        self,
        versions: Sequence[events.Fact],
        earlier: events.FactAmended | None,
        bundles: Callable[[int], bytes],
    ) -> dict[str, str]:
        """Return the persons whom a correction or an addition concerns.

        Args:
            versions: the fact as it was recorded first, as it stands, as it is to be, as far as
                there is any.
            earlier: the correction that counted before; None: there was none.
            bundles: reads a bundle by its number.

        Returns:
            By credential, how, in words that follow a name; the first reason counts.
        """
        people: dict[str, str] = {}
        for fact in versions:
            for person, how in persons_of(fact):
                people.setdefault(person, how)
        if earlier is not None:
            people.setdefault(earlier.amended_by, "corrected it before")
        added = self.added
        for stream, seq in {(fact.stream, fact.seq) for fact in versions}:
            for addition in added:
                if (
                    addition.added_stream == stream
                    and addition.first_seq <= seq <= addition.last_seq
                ):
                    people.setdefault(addition.added_by, "added what it is about")
        moments = sorted({fact.event_time for fact in versions})
        for table in sorted({table_of(fact.stream) for fact in versions}):
            for person, how in attending(self.stays(table, bundles), table, moments):
                people.setdefault(person, how)
        return people
