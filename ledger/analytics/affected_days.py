"""The gaming days on which what came since can bear; all others say what they said.

Most of what comes are facts of a table that is open, and notes of persons. Such a fact bears on its
own day and on the days of its table that were read up to it or beyond, a note on the days it is
about, where a finding names it. Anything else (a filing, a coupon that moves, a slip, a correction,
a gap that opens or closes, a control total, a date years off) may bear on any day: all of them are
asked then.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Final

from ledger.analytics.mart_files import DayMarts, EarlierDays, Soundness
from ledger.audit import HouseRecord, day_of
from ledger.audit.dates import has_far_dates
from ledger.audit.decisions import Decision, day_decided_about
from ledger.audit.ledger_contract import numbered_here, stated_ends
from ledger.audit.office_inputs import OF_CASES
from ledger.coupons.followed_events import WANTED
from ledger.events import Fact
from ledger.kernel import FactRef, ref_of, table_of
from ledger.replay import FactStep, Replay

CORRECTING: Final = frozenset(
    {"FactAmended", "FactsAdded", "RoundObserved", "ObservationConfirmed", "PersonEnrolled"}
)
"""What persons record that changes how other facts are read."""
SLIPS: Final = frozenset({"FillDelivered", "CreditTaken"})
"""Slips are compared with those of the days around."""
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
    if not replay.is_of_facts(size) or replay.kinds_since(size) & (WANTED | CORRECTING | SLIPS):
        return None
    torn = [0, 0, 0]
    sound = soundness(replay, house)
    if any(sound[stream] != earlier.sound.get(stream, torn) for stream in sound):
        return None
    offices, tables = replay.offices(), replay.tables()
    held_before = {table_of(stream) for stream in earlier.sound}
    played_before = {table for day in known.values() for table in day.reach}
    affected: set[date] = set()
    has_tables = False
    for stream, (first, last) in replay.arrived_since(size).items():
        table = table_of(stream)
        if table in tables and (table in played_before or table not in held_before):
            has_tables = True
            affected |= _days_of_table(house, known, table, first, last)
        elif table in offices and replay.kinds_since(size, stream) <= NOTES:
            facts = _facts(replay, stream, first, last, size)
            affected |= _days_of_notes(replay, house, facts, known)
        else:  # an office's fact, or one of a table that was an office as far as anybody knew
            return None
    if has_tables and has_far_dates(replay, house.clock):
        return None
    return frozenset(affected)


def is_of_notes(replay: Replay, earlier: EarlierDays) -> bool:
    """Whether nothing came since but notes of persons."""
    return replay.kinds_since(earlier.size) <= NOTES


def _days_of_table(
    house: HouseRecord, known: Mapping[date, DayMarts], table: str, first: int, last: int
) -> set[date]:
    """The days of facts of a table between two moments, those that were read up to them, and the
    last one before these."""
    begins, ends = house.clock.day_of(first), house.clock.day_of(last)
    affected = {day for day in known if begins <= day <= ends}
    reached = {day: marts.reach[table] for day, marts in known.items() if table in marts.reach}
    affected |= {day for day, reach in reached.items() if reach >= first}
    before = [day for day, reach in reached.items() if reach < first]
    return affected | {max(before)} if before else affected


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
    """Whether a finding of a day may name one of these notes, or a mark does."""
    from ledger.audit.joined_day import findings_on_notes  # few who look need the whole audit
    from ledger.audit.late_and_added_facts import Arrivals
    from ledger.audit.recorders import of_offices

    span = day_of(house.clock, day)
    streams = {ref.stream for ref in notes}
    findings = findings_on_notes(replay, house, span, of_offices(replay, span), streams)
    if any(ref in notes for finding in findings for ref in finding.facts):
        return True
    others = [ref for ref in notes if not numbered_here(ref.stream)]
    arrivals = Arrivals.of(replay, house)
    return any(arrivals.of_fact(ref) is not None for ref in others)
