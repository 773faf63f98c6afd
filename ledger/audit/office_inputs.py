"""The office's facts that bear on a table, as one hash: the house's, its filings and persons.

Checks of a clock count for the tables that its terminal writes for, by how far off they let it be
beyond what was registered, up to the next one after what was read: between two checks a clock was
as far off as either of them measured. A check within what was registered says nothing to a table.
Credentials count up to what was read: a table only asks who held one when its facts were recorded.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from collections.abc import Set as AnySet
from hashlib import sha256
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

from ledger.audit.ledger_contract import numbered_here
from ledger.events import EVENTS, SUBJECTS
from ledger.house import Office
from ledger.house.clocks import Clocks
from ledger.kernel import table_of
from ledger.replay import FactStep, Replay
from ledger.replay.roster import KINDS as CREDENTIALS

BY_TABLE: Final = frozenset({"ClockChecked", "GamingDayClosed"})
"""Facts of the office that are taken apart by table."""
BY_TIME: Final = frozenset({"PersonCredentialled", "CredentialDescribed"})
"""Facts of the office that bear on nothing before them."""
OF_CASES: Final = frozenset(name for name, subject in SUBJECTS.items() if subject == "cases")
"""What persons make of facts. A correction bears through the fact that it changes."""
OF_COUPONS: Final = frozenset(name for name, subject in SUBJECTS.items() if subject == "coupons")
OF_SILENCES: Final = frozenset({"StalenessRegistered"})
"""Says what a watch tells, and bears on no finding."""
BEARING: Final = (
    frozenset(EVENTS)
    - BY_TABLE
    - BY_TIME
    - OF_CASES
    - OF_SILENCES
    - (OF_COUPONS - {"CouponSeriesDescribed", *CREDENTIALS})
)
"""Facts of the office that bear on every table. The custody of coupons is asked for instead."""


class ClockOff(NamedTuple):
    """A clock that a check found further off than was ever registered for it.

    Attributes:
        source: its terminal.
        least: the least uncertainty that was ever registered for it, in microseconds.
        times: of its checks, rising, microseconds UTC.
        offsets: how far off each found it, or ``least`` if that is more, in microseconds.
    """

    source: str
    least: int
    times: list[int]
    offsets: list[int]

    def line(self, count: int) -> bytes:
        """What so many checks and the next one let ``Clocks.uncertainty`` say up to there.

        Empty where they let it say what it says without them.
        """
        spans: list[tuple[int | None, int]] = []
        for place in range(count + 1):
            off = max(self.offsets[max(0, place - 1) : place + 1])
            if off != (spans[-1][1] if spans else self.least):
                spans.append((self.times[place - 1] if place else None, off))
        return f"{self.source} {spans}\n".encode() if spans else b""


class OfficeInputs:
    """What of the office's facts bears on a table.

    Args:
        replay: the ledger's replay.
        office: what its office stated.
    """

    def __init__(self, replay: Replay, office: Office) -> None:
        streams = [name for names in replay.offices().values() for name in names]
        self._streams = [name for name in streams if not numbered_here(name)]
        self._offices = replay.offices()
        self._clocks = office.clocks
        hasher = sha256()
        for step in replay.walk(self._streams, only=BEARING):
            if isinstance(step, FactStep):
                hasher.update(f"{step.at} {step.fact!r}\n".encode())
        hasher.update(repr(sorted(office.doubts)).encode())
        self._bearing = hasher.digest()
        self._credentials = [
            (step.at, f"{step.at} {step.fact!r}\n".encode())
            for step in replay.walk(self._streams, only=BY_TIME)
            if isinstance(step, FactStep)
        ]
        self._off: list[tuple[list[str], ClockOff]] | None = None
        self._by_table: dict[frozenset[str], list[ClockOff]] = {}
        self._digests: dict[tuple[frozenset[str], tuple[int, ...], int], bytes] = {}

    def digest(self, streams: AnySet[str], until: int) -> bytes:
        """Return the SHA-256 of what bears on a table up to a time.

        Args:
            streams: the table's.
            until: microseconds UTC, inclusive; of the checks of a clock the next one after it
                counts, too.
        """
        own = frozenset(streams)
        clocks = self._by_table.get(own)
        if clocks is None:
            clocks = self._by_table[own] = [*self._clocks_of(own)]
        counts = tuple(bisect_right(clock.times, until) for clock in clocks)
        credentials = bisect_right(self._credentials, until, key=lambda credential: credential[0])
        known = self._digests.get((own, counts, credentials))
        if known is None:
            hasher = sha256(self._bearing)
            for _, line in self._credentials[:credentials]:
                hasher.update(line)
            for count, clock in zip(counts, clocks, strict=True):
                hasher.update(clock.line(count))
            known = self._digests[own, counts, credentials] = hasher.digest()
        return known

    def _clocks_of(self, streams: AnySet[str]) -> Iterator[ClockOff]:
        """The clocks that were further off than registered, but for those of terminals that write
        for other tables alone. A terminal that writes no stream bears on none."""
        if self._off is None:
            self._off = [*_clocks_off(self._clocks)]
        for writes, clock in self._off:
            if any(stream in streams or table_of(stream) in self._offices for stream in writes):
                yield clock


def _clocks_off(clocks: Clocks) -> Iterator[tuple[list[str], ClockOff]]:
    """The clocks that were further off than registered, each with the streams it writes."""
    streams: dict[str, list[str]] = {}
    least: dict[str, int] = {}
    for stream, registrations in clocks.registered.items():
        for fact in registrations:
            source, own = fact.registered_source, fact.clock_uncertainty_micros
            streams.setdefault(source, []).append(stream)
            least[source] = min(least.get(source, own), own)
    for source in sorted(clocks.checks.keys() & streams.keys()):
        checks = clocks.checks[source]
        offsets = [max(least[source], abs(check.offset)) for check in checks]
        if max(offsets) > least[source]:
            times = [check.at for check in checks]
            yield streams[source], ClockOff(source, least[source], times, offsets)


_READ: Final[WeakKeyDictionary[Replay, OfficeInputs]] = WeakKeyDictionary()


def office_inputs(replay: Replay, office: Office) -> OfficeInputs:
    """Return what bears on the tables of a replay, read once for all who ask."""
    known = _READ.get(replay)
    if known is None:
        known = _READ[replay] = OfficeInputs(replay, office)
    return known
