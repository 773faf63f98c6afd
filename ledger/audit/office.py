"""Reading the office's facts: what holds for all tables, and where that record is in doubt."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.house import Office, take
from ledger.kernel import PropertyClock, SourceUnavailable
from ledger.replay import DoubtBegins, DoubtEnds, FactStep, Replay

FOREVER = 1 << 62


class PropertyUnknown(SourceUnavailable):
    """No fact says in which time zone the property lies, so no gaming day can be told."""

    code = "property_unknown"


@dataclass(frozen=True, slots=True)
class HouseRecord:
    """The office and the property's clock."""

    office: Office
    clock: PropertyClock


def read_office(replay: Replay) -> HouseRecord:
    """Read every office stream of a ledger.

    Raises:
        PropertyUnknown: the ledger has no ``PropertyDescribed``.
    """
    office = Office()
    open_doubts: dict[tuple[str, int], int] = {}
    streams = [stream for streams in replay.offices().values() for stream in streams]
    for step in replay.walk(streams):
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
    return HouseRecord(office, office.clock)
