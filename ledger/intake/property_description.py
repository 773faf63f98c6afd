"""What a new property says first: its name, its time zone, and when its gaming day starts."""

from __future__ import annotations

from zoneinfo import available_timezones

from ledger.events import Fact, PropertyDescribed
from ledger.intake.cells import CellWrong, clock
from ledger.intake.fact_numbers import OFFICE, Act, StreamNumbers, registrations
from ledger.intake.import_errors import PropertyKnown, PropertyWrong
from ledger.replay import FactStep, Replay

HOUSE = "house/property"
SOURCE = "desk"


def described(replay: Replay) -> PropertyDescribed | None:
    """The property's first statement of place and time; None if it made none."""
    offices = [stream for streams in replay.offices().values() for stream in streams]
    for step in replay.walk(offices):
        if isinstance(step, FactStep) and isinstance(step.fact, PropertyDescribed):
            return step.fact
    return None


def description(
    replay: Replay, *, name: str, time_zone: str, starts: str, holder: str | None, by: str, at: int
) -> tuple[Fact, ...]:
    """The description of a property that has none, and who may write the house's stream.

    Args:
        replay: the ledger's.
        name: of the property.
        time_zone: such as America/New_York.
        starts: when the gaming day starts by its clocks, such as 06:00.
        holder: who holds the certificate.
        by: credential of the person who says so.
        at: now, in microseconds UTC.

    Raises:
        PropertyKnown: it was described before.
        PropertyWrong: no such time zone or time.
    """
    before = described(replay)
    if before is not None:
        raise PropertyKnown(before.name, before.time_zone)
    if time_zone not in available_timezones():
        raise PropertyWrong(f"there is no time zone {time_zone!r}")
    try:
        begins = clock(starts)
    except CellWrong as wrong:
        raise PropertyWrong(f"the gaming day starts at {starts!r}: {wrong.reason}") from None
    numbers, act = StreamNumbers(replay), Act(by=by, at=at)
    described_property = PropertyDescribed(
        **numbers.head(HOUSE, act, SOURCE),
        name=name,
        certificate_holder=holder,
        time_zone=time_zone,
        gaming_day_starts_minutes=begins.hour * 60 + begins.minute,
    )
    desk = [(HOUSE, SOURCE, 0), (OFFICE, OFFICE, 0)]
    return (*registrations(desk, act, numbers), described_property)
