"""The gaming days on which what came since can bear; all others say what they said.

Most of what comes are facts of a table that is open, and notes of persons. Such a fact bears on its
own day and on the days of its table that were read up to it or beyond, a note on the days it is
about, where a finding names it. A credential or an enrollment bears on what is dated from its own
moment on: the days whose facts were read up to it, and those that later acts of persons are about.
Anything else (a filing, a coupon that moves, a slip, a correction, a gap that opens or closes, a
control total, a date years off) may bear on any day: all of them are asked then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date
from typing import Final

from ledger.analytics.mart_files import DayMarts, EarlierDays, Soundness
from ledger.audit import HouseRecord, day_of
from ledger.audit.dates import has_far_dates
from ledger.audit.decisions import Decision, day_decided_about
from ledger.audit.ledger_contract import FOREVER, numbered_here, stated_ends
from ledger.audit.office_inputs import OF_CASES
from ledger.coupons.followed_events import OWN, WANTED
from ledger.events import CredentialDescribed, Fact, PersonCredentialled, SourceRegistered
from ledger.kernel import FactRef, ref_of, table_of
from ledger.replay import ENROLLED, FactStep, Replay, person_key, spelling_key

CORRECTING: Final = frozenset(
    {"FactAmended", "FactsAdded", "RoundObserved", "ObservationConfirmed"}
)
"""What persons record that changes how other facts are read."""
SLIPS: Final = frozenset({"FillDelivered", "CreditTaken"})
"""Slips are compared with those of the days around."""
NOTES: Final = OF_CASES - CORRECTING - {ENROLLED}
REGISTERED: Final = "SourceRegistered"
CREDENTIALS: Final = frozenset({"PersonCredentialled", "CredentialDescribed"})
"""Facts of the house by which somebody may act from their moment on."""
SIGNED: Final = OF_CASES | {"CouponFormSigned"}
"""The acts for which somebody must hold a credential, and be enrolled."""


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
    may_bear_on_any = (WANTED | CORRECTING | SLIPS) - CREDENTIALS
    if not replay.is_of_facts(size) or replay.kinds_since(size) & may_bear_on_any:
        return None
    torn = [0, 0, 0]
    sound = soundness(replay, house)
    if any(sound[stream] != earlier.sound.get(stream, torn) for stream in sound):
        return None
    offices, tables = replay.offices(), replay.tables()
    held_before = {table_of(stream) for stream in earlier.sound}
    played_before = {table for day in known.values() for table in day.reach}
    affected: set[date] = set()
    is_of_the_floor, acts_from = False, FOREVER
    for stream, (first, last) in replay.arrived_since(size).items():
        table, kinds = table_of(stream), replay.kinds_since(size, stream)
        if table in tables and (table in played_before or table not in held_before):
            is_of_the_floor = True
            affected |= _days_of_table(house, known, table, first, last)
        elif table in offices and kinds <= NOTES | CREDENTIALS | {ENROLLED, REGISTERED}:
            facts = _facts(replay, stream, first, last, size)
            if not all(_bears_from_its_moment(house, earlier, fact) for fact in facts):
                return None
            if kinds & CREDENTIALS:
                if _has_coupons_from(replay, first) or not _are_spelled_apart(replay, size, facts):
                    return None
                is_of_the_floor = True
                affected |= _days_read_up_to(replay, house, known, first)
            if kinds & (CREDENTIALS | {ENROLLED}):
                acts_from = min(acts_from, first)
            affected |= _days_of_notes(replay, house, facts, known)
        else:  # an office's fact, or one of a table that was an office as far as anybody knew
            return None
    if is_of_the_floor and has_far_dates(replay, house.clock):
        return None
    days_acted_on = _days_of_acts(replay, known, acts_from)
    return None if days_acted_on is None else frozenset(affected | days_acted_on)


def is_of_notes(replay: Replay, earlier: EarlierDays) -> bool:
    """Whether nothing came since but notes of persons, and who may make them.

    Where ``affected_days`` knows the days, no such fact bears on the judgment of a table.
    """
    return replay.kinds_since(earlier.size) <= NOTES | {ENROLLED, REGISTERED}


def _bears_from_its_moment(house: HouseRecord, earlier: EarlierDays, fact: Fact) -> bool:
    """Whether a fact of an office says nothing of what is dated before it."""
    match fact:
        case SourceRegistered():  # that the ledger itself writes a stream which it begins
            before = [known for known in house.office.sources if known.stream in earlier.sound]
            own = fact.registered_stream
            is_new = numbered_here(own) and own not in earlier.sound
            return (
                is_new and bool(before) and fact.registered_source not in house.office.clocks.checks
            )
        case CredentialDescribed():
            return fact.same_person_as is None
    return True


def _are_spelled_apart(replay: Replay, size: int, facts: list[Fact]) -> bool:
    """Whether whoever has a first credential among some facts is spelled as nobody else, and the
    record had somebody's before: else they say of what is dated earlier who acted, or that nobody
    can be checked.
    """
    persons = {person_key(fact.person) for fact in facts if isinstance(fact, PersonCredentialled)}
    people = replay.roster().people
    held_before = {
        person
        for person, credentials in people.items()
        if any((replay.recorded_at(*ref_of(fact)) or 0) < size for _, fact in credentials)
    }
    spelled = Counter(map(spelling_key, people))
    return bool(held_before) and all(
        person in held_before or spelled[spelling_key(person)] == 1 for person in persons
    )


def _days_read_up_to(
    replay: Replay, house: HouseRecord, known: Mapping[date, DayMarts], moment: int
) -> set[date]:
    """The days that end after a moment, and those of which a table was read up to it."""
    last_of = {
        table: max(replay.merged_at(stream, replay.extent(stream).last_seq) or 0 for stream in own)
        for table, own in replay.tables().items()
    }
    return {
        day
        for day, marts in known.items()
        if house.clock.bounds(day)[1] > moment
        or any(
            min(reach, last_of.get(table, reach)) >= moment for table, reach in marts.reach.items()
        )
    }


def _has_coupons_from(replay: Replay, moment: int) -> bool:
    """Whether coupons moved from a moment on: their custody asks who moved them."""
    wanted = WANTED - CREDENTIALS
    if not replay.streams_with(OWN):
        return False
    steps = replay.walk(replay.streams_with(wanted), since=moment, only=wanted)
    return any(isinstance(step, FactStep) for step in steps)


def _days_of_acts(replay: Replay, known: Mapping[date, DayMarts], moment: int) -> set[date] | None:
    """The days about which persons decided from a moment on.

    Returns:
        None where they corrected a fact, or signed a form, which bears on other days.
    """
    days: set[str] = set()
    for stream in replay.streams_with(SIGNED) if moment < FOREVER else ():
        is_rising = not any(replay.out_of_order(stream, 0))
        for step in replay.walk([stream], since=moment if is_rising else None, only=SIGNED):
            if not isinstance(step, FactStep) or max(step.at, step.fact.event_time) < moment:
                continue
            if type(step.fact).__name__ not in NOTES | {ENROLLED}:
                return None
            if isinstance(step.fact, Decision):
                days.add(day_decided_about(step.fact))
    return {day for day in known if day.isoformat() in days}


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
