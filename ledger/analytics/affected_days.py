"""The gaming days on which what came since can bear; all others say what they said.

Most of what comes are facts of a table that is open, and notes of persons. Such a fact bears on the
days of its table that were read up to it or beyond, a note on the days it is about, where a finding
names it. Anything else (a filing, a coupon that moves, a correction, a gap that opens or closes, a
control total) may bear on any day: all of them are asked then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Final

from ledger.analytics.mart_files import DayMarts, EarlierDays, Soundness
from ledger.audit import HouseRecord, day_of, joined, numbered_here
from ledger.audit.coupons import WANTED
from ledger.audit.decisions import Decision, day_decided_about
from ledger.audit.ledger_contract import stated_ends
from ledger.audit.office_inputs import OF_CASES
from ledger.events import Fact
from ledger.kernel import FactRef, ref_of, table_of
from ledger.replay import FactStep, Replay

CORRECTING: Final = frozenset(
    {"FactAmended", "FactsAdded", "RoundObserved", "ObservationConfirmed", "PersonEnrolled"}
)
"""What persons record that changes how other facts are read."""
NOTES: Final = OF_CASES - CORRECTING


def soundness(replay: Replay, house: HouseRecord) -> Soundness:
    """Return what is torn of each stream."""
    stated = stated_ends(house.office)
    sound: Soundness = {}
    for stream in replay.streams():
        extent = replay.extent(stream)
        short = max(stated.get(stream, 0) - extent.last_seq, 0)
        sound[stream] = [extent.missing, extent.conflicts, short]
    return sound


def affected_days(
    replay: Replay,
    house: HouseRecord,
    earlier: EarlierDays,
) -> frozenset[date] | None:
    """Return the days that stood on which what came since can bear.

    Args:
        replay: the ledger's replay.
        house: the house's facts.
        earlier: what stood.

    Returns:
        None where any day may say something else.
    """
    size, known = earlier.size, earlier.days
    if replay.facts_since(size) != replay.size - size:  # a schema, a quarantined record, a key
        return None
    kinds = replay.kinds_since(size)
    if kinds & (WANTED | CORRECTING):
        return None
    now = soundness(replay, house)
    torn = [0, 0, 0]
    if any(now[stream] != earlier.sound.get(stream, torn) for stream in now):
        return None
    arrived = replay.arrived_since(size)
    offices = replay.offices()
    affected: set[date] = set()
    for stream, (first, last) in arrived.items():
        table = table_of(stream)
        if table not in offices and not numbered_here(stream):
            affected |= _days_of_table(known.values(), table, first)
        elif replay.kinds_since(size, stream) <= NOTES:
            facts = _facts(replay, stream, first, last, size)
            affected |= _days_of_notes(replay, house, facts, known)
        else:
            return None
    return frozenset(affected)


def is_of_notes(replay: Replay, earlier: EarlierDays) -> bool:
    """Whether nothing came since but notes of persons."""
    return replay.kinds_since(earlier.size) <= NOTES


def _days_of_table(known: Iterable[DayMarts], table: str, first: int) -> set[date]:
    """The days of a table that were read up to a moment, and the last one before it."""
    days = [(day.reach[table], day.day) for day in known if table in day.reach]
    before = [reached for reached in days if reached[0] < first]
    affected = {day for reach, day in days if reach >= first}
    if before:
        affected.add(max(day for _, day in before))
    return affected


def _facts(replay: Replay, stream: str, first: int, last: int, size: int) -> list[Fact]:
    walk = replay.walk([stream], since=first, until=last + 1)
    facts = [step.fact for step in walk if isinstance(step, FactStep)]
    return [fact for fact in facts if (replay.recorded_at(*ref_of(fact)) or 0) >= size]


def _days_of_notes(
    replay: Replay, house: HouseRecord, notes: list[Fact], known: Mapping[date, DayMarts]
) -> set[date]:
    """The days of which a finding or a mark names a note."""
    about: dict[date, set[FactRef]] = {}
    for note in notes:
        days = {house.clock.day_of(note.event_time)}
        if isinstance(note, Decision):
            days |= {day for day in known if day.isoformat() == day_decided_about(note)}
        for day in days & known.keys():
            about.setdefault(day, set()).add(ref_of(note))
    return {day for day, refs in about.items() if _names(replay, house, day, refs)}


def _names(replay: Replay, house: HouseRecord, day: date, notes: set[FactRef]) -> bool:
    audit = joined(replay, house, day_of(house.clock, day), (), (), {})
    named = {ref for finding in audit.findings for ref in finding.facts}
    return bool(notes & (named | audit.marks.keys()))
