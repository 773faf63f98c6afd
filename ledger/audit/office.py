"""Read the office's facts: what holds for all tables, and where that record is in doubt.

What these facts themselves break is reported once, on their gaming day, whatever the tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final
from weakref import WeakKeyDictionary

from ledger.audit.ledger_contract import FOREVER, Day
from ledger.coupons import CouponLookup
from ledger.coupons.followed_events import OWN as OF_COUPONS
from ledger.events import SUBJECTS, ClockChecked
from ledger.house import Office, judge_office, take
from ledger.house.clocks import Clocks
from ledger.kernel import Certainty, EditionStatus, Finding, PropertyClock, SourceUnavailable
from ledger.kernel.late_values import read_later
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import GENERAL
from ledger.replay import DoubtBegins, DoubtEnds, FactStep, Replay
from ledger.rounds import as_finding


class PropertyUnknown(SourceUnavailable):
    """No fact says in which time zone the property lies, so no gaming day is known."""

    code = "property_unknown"


@dataclass(frozen=True, slots=True)
class HouseRecord:
    """The house's facts.

    Args:
        office: what was filed, approved and set for the property.
        clock: the property's clock.
        coupons: tells a coupon's state; None where nothing is known of any.
    """

    office: Office
    clock: PropertyClock
    coupons: CouponLookup | None = None


_READ: Final[WeakKeyDictionary[Replay, HouseRecord]] = WeakKeyDictionary()


def read_office(replay: Replay) -> HouseRecord:
    """Read every office stream of a ledger, once for all who ask.

    Raises:
        PropertyUnknown: the ledger has no ``PropertyDescribed``.
    """
    known = _READ.get(replay)
    if known is None:
        known = _READ[replay] = _read(replay)
    return known


CHECKS: Final = frozenset({"ClockChecked"})
"""Nine tenths of what offices record of months; a question that asks for no clock reads none."""
WANTED: Final = SUBJECTS.keys() - (OF_COUPONS - {"CouponSeriesDescribed"}) - CHECKS
"""What the office is told by at once. Of coupons it takes the series alone; the rest, a
good part of what offices record, is passed over undecoded."""


def take_over_office(replay: Replay, record: HouseRecord) -> None:
    """Take over the house's facts for a grown replay: nothing that came since bears on them.

    Args:
        replay: the grown replay.
        record: as it was read of the replay before.
    """
    _READ[replay] = record


def _read(replay: Replay) -> HouseRecord:
    office = Office()
    open_doubts: dict[tuple[str, int], int] = {}
    streams = [stream for streams in replay.offices().values() for stream in streams]
    for step in replay.walk(streams, only=WANTED):
        match step:
            case FactStep(fact=fact):
                take(office, fact)
            case DoubtBegins():
                open_doubts[(step.stream, step.first_seq)] = -1 if step.at is None else step.at
            case DoubtEnds():
                begins = open_doubts.pop((step.stream, step.first_seq), -1)
                office.doubts.append((begins, FOREVER if step.ends_at is None else step.ends_at))
    office.doubts.extend((begins, FOREVER) for begins in open_doubts.values())
    if office.clock is None:
        zones = ", ".join(map(repr, office.unknown_zones))
        missing = "the stream with PropertyDescribed is missing or was lost"
        raise PropertyUnknown(
            "No fact of this ledger describes the property, so its gaming days cannot be told",
            cause=f"the time zone is not known: {zones}" if zones else missing,
            next_step="append the property's PropertyDescribed fact, then audit again",
        )
    clocks = office.clocks
    read_later(office, ("clocks",), lambda: [_with_checks(clocks, replay, streams)])
    return HouseRecord(office, office.clock)


def _with_checks(clocks: Clocks, replay: Replay, streams: Iterable[str]) -> Clocks:
    """The registered clocks with all that checks measured."""
    for step in replay.walk(streams, only=CHECKS):
        if isinstance(step, FactStep) and isinstance(step.fact, ClockChecked):
            clocks.take(step.fact)
    return clocks


def office_findings(house: HouseRecord, day: Day) -> Iterator[Finding]:
    """Report what the office's facts of a gaming day break; unknown before the first edition."""
    in_force = GENERAL.edition.standing(day.date) is not EditionStatus.NOT_YET
    for breach in judge_office(house.office, day.date, day.begins, day.ends):
        judged = breach if in_force else replace(breach, certainty=Certainty.UNKNOWN)
        yield as_finding(judged, day=day.date, stream="", round_id=None)
