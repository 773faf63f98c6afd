"""The office's facts that bear on a table, as one hash: the house's, its filings and persons.

Checks of a clock count for the tables that its terminal writes for, up to the next one after what
was read: between two checks a clock was as far off as either of them measured. Credentials count up
to what was read: a table only asks who held one when its facts were recorded.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from collections.abc import Set as AnySet
from hashlib import sha256
from typing import Final
from weakref import WeakKeyDictionary

from ledger.audit.ledger_contract import numbered_here
from ledger.events import EVENTS, SUBJECTS, ClockChecked
from ledger.house import Office
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
        hasher.update(repr((sorted(office.doubts), office.clocks.most)).encode())
        self._bearing = hasher.digest()
        self._credentials = [
            (step.at, f"{step.at} {step.fact!r}\n".encode())
            for step in replay.walk(self._streams, only=BY_TIME)
            if isinstance(step, FactStep)
        ]
        self._checks: dict[str, list[ClockChecked]] = {}
        self._streams_of: dict[str, list[str]] | None = None
        self._by_table: dict[frozenset[str], list[tuple[list[int], list[bytes]]]] = {}
        self._digests: dict[tuple[frozenset[str], tuple[int, ...], int], bytes] = {}
        for step in replay.walk(self._streams, only={"ClockChecked"}):
            if isinstance(step, FactStep) and isinstance(step.fact, ClockChecked):
                self._checks.setdefault(step.fact.checked_source, []).append(step.fact)

    def digest(self, streams: AnySet[str], until: int) -> bytes:
        """Return the SHA-256 of what bears on a table up to a time.

        Args:
            streams: the table's.
            until: microseconds UTC, inclusive; of the checks of a clock the next one after it
                counts, too.
        """
        own = frozenset(streams)
        checks = self._by_table.get(own)
        if checks is None:
            checks = self._by_table[own] = [*self._checks_of(own)]
        counts = tuple(bisect_right(times, until) + 1 for times, _ in checks)
        credentials = bisect_right(self._credentials, until, key=lambda credential: credential[0])
        known = self._digests.get((own, counts, credentials))
        if known is None:
            hasher = sha256(self._bearing)
            for _, line in self._credentials[:credentials]:
                hasher.update(line)
            for count, (_, lines) in zip(counts, checks, strict=True):
                for line in lines[:count]:
                    hasher.update(line)
            known = self._digests[own, counts, credentials] = hasher.digest()
        return known

    def _checks_of(self, streams: AnySet[str]) -> Iterator[tuple[list[int], list[bytes]]]:
        """The checks of all clocks but those of terminals that write for other tables alone.

        Of each clock the times of its checks, and what each said.
        """
        if self._streams_of is None:
            self._streams_of = {}
            for stream, many in self._clocks.registered.items():
                for fact in many:
                    self._streams_of.setdefault(fact.registered_source, []).append(stream)
        for source, checks in sorted(self._checks.items()):
            own = self._streams_of.get(source)
            is_elsewhere = own and all(
                stream not in streams and table_of(stream) not in self._offices for stream in own
            )
            if not is_elsewhere:
                known = sorted(checks, key=lambda check: check.event_time)
                lines = [f"{check!r}\n".encode() for check in known]
                yield [check.event_time for check in known], lines


_READ: Final[WeakKeyDictionary[Replay, OfficeInputs]] = WeakKeyDictionary()


def office_inputs(replay: Replay, office: Office) -> OfficeInputs:
    """Return what bears on the tables of a replay, read once for all who ask."""
    known = _READ.get(replay)
    if known is None:
        known = _READ[replay] = OfficeInputs(replay, office)
    return known
