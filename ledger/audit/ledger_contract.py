"""Findings about the record itself: the Ledger contract, L.1 to L.10.

Every finding is placed on a gaming day by event times alone, so that the same facts give the same
findings however and whenever they arrived. Bytes that are no fact and came under the key of no
known stream cannot be placed, so they are reported on every day: they may belong to any.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import date
from typing import Final

from ledger.codec import key_of, source_of
from ledger.events import Fact, GamingDayClosed
from ledger.house import Office
from ledger.kernel import (
    Certainty,
    FactRef,
    Finding,
    PropertyClock,
    Severity,
    ref_of,
    seconds,
    table_of,
)
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import LEDGER_CONTRACT as LAW
from ledger.log import FOREIGN, terminal_of
from ledger.replay import (
    Amended,
    Doubt,
    DoubtBegins,
    Registration,
    Replay,
    Unreadable,
)

FOREVER: Final = 1 << 62
"""A time after every fact, microseconds UTC."""
ORDER_TOLERANCE: Final = 0
"""Microseconds by which event times may contradict seq if no source states a tolerance."""
CASES: Final = "cases"
"""The office of what persons do with findings. The ledger numbers its streams itself as it appends
to them: nothing can be lost on the way, so no control total has to state them."""

SIGNATURES: Final = "coupons/signatures"
"""The stream of the signatures on coupons' forms, numbered by the ledger in the same way."""


def numbered_here(stream: str) -> bool:
    """Whether our own commands number a stream, so that no closing fact states it."""
    return table_of(stream) == CASES or stream == SIGNATURES


@dataclass(frozen=True, slots=True)
class Day:
    """One gaming day of a property.

    Args:
        date: its date.
        begins: its first microsecond UTC.
        ends: the first microsecond UTC after it.
    """

    date: date
    begins: int
    ends: int

    def has(self, at: int | None) -> bool:
        """Whether a moment in microseconds UTC lies in the day; None does not."""
        return at is not None and self.begins <= at < self.ends


def day_of(clock: PropertyClock, day: date) -> Day:
    """Return a gaming day with its bounds."""
    return Day(day, *clock.bounds(day))


def doubt_finding(
    office: Office, clock: PropertyClock, day: Day, doubt: DoubtBegins
) -> Finding | None:
    """Report a gap or a conflict on the day whose control total covers it.

    Without such a total it is reported on the day of the fact that follows, else of the one before.

    Args:
        office: the closings of gaming days.
        clock: the property's clock.
        day: the day that is audited.
        doubt: the gap or the conflict.

    Returns:
        None if it belongs to another day.
    """
    at = doubt.ends_at if doubt.ends_at is not None else doubt.at
    if doubt.at is not None:
        before = day_of(clock, clock.day_of(doubt.at))
        if stated_totals(office, before).get(doubt.stream, 0) >= doubt.first_seq:
            at = doubt.at
    if not day.has(at):
        return None
    first, last = FactRef(doubt.stream, doubt.first_seq), FactRef(doubt.stream, doubt.last_seq)
    if doubt.kind is Doubt.CONFLICT:
        return _finding(
            day,
            "conflict",
            ".2",
            (first,),
            Severity.CRITICAL,
            f"Two different records carry the key {first}; the one that came first is used.",
        )
    count = doubt.last_seq - doubt.first_seq + 1
    named = str(first) if count == 1 else f"{first} to {doubt.last_seq}"
    facts = (first,) if count == 1 else (first, last)
    plural = "1 fact is" if count == 1 else f"{count} facts are"
    return _finding(
        day, "gap", ".1", facts, Severity.HIGH, f"{plural} missing: {named}.", observed=str(count)
    )


def unreadable(replay: Replay, day: Day) -> Iterator[Finding]:
    """Report quarantined bytes that are no fact (L.3), or whose sender may not write it (L.6)."""
    known = set(replay.streams())
    for record in replay.unreadable():
        if record.reason == FOREIGN:
            yield from _foreign(record, day, known)
            continue
        stream = record.key.decode("utf-8", "replace") if record.key else ""
        if stream in known:
            extent = replay.extent(stream)
            if not (extent.first_time < day.ends and day.begins <= extent.last_time):
                continue
        sentence = (
            f"{record.length} bytes{f' under the key {stream}' if stream else ''} are no fact"
            f" ({record.reason}); they are kept as {record.sha256.hex()[:16]}."
        )
        yield _finding(
            day,
            "undecodable",
            ".3",
            (),
            Severity.HIGH,
            sentence,
            stream=stream if stream in known else "",
            certainty=Certainty.UNKNOWN,
            observed=record.sha256.hex(),
        )


def _foreign(record: Unreadable, day: Day, known: set[str]) -> Iterator[Finding]:
    """A fact of the day whose sender may not write its stream."""
    stream, seq, at = key_of(record.framed)
    if not day.has(at):
        return
    terminal = None if record.topic is None else terminal_of(record.topic)
    source = source_of(record.framed)
    if terminal is None:
        sentence = (
            f"Number {seq} of {stream} came by a shared topic; its terminal has one of its own"
        )
    elif source != terminal:
        sentence = f"Terminal {terminal} sent number {seq} of {stream} in the name of {source}"
    else:
        sentence = f"Terminal {terminal} sent number {seq} of {stream}, which it may not write"
    yield _finding(
        day,
        "foreign_writer",
        ".6",
        (),
        Severity.CRITICAL,
        f"{sentence}. It counts for nothing and is kept as {record.sha256.hex()[:16]}.",
        stream=stream if stream in known else "",
        observed=record.sha256.hex(),
    )


def not_proven(replay: Replay, day: Day) -> tuple[str, ...]:
    """Return the streams with facts of the day of which nothing proves who wrote them.

    Proved is what came by the own topic of its terminal (L.6). What people enter with our commands
    is judged by the person who entered it.
    """
    return tuple(
        stream
        for stream in replay.streams()
        if not numbered_here(stream)
        and not replay.is_proven(stream, day.ends)
        and replay.last_seq_before(stream, day.ends) > replay.last_seq_before(stream, day.begins)
    )


def control_totals(replay: Replay, office: Office, day: Day) -> Iterator[Finding]:
    """Compare the last seq that the house states for each stream with what arrived (L.4, L.7)."""
    closings = office.closings.get(day.date.isoformat(), [])
    if not closings:
        yield _finding(
            day,
            "day_not_closed",
            ".4",
            (),
            Severity.MEDIUM,
            "The gaming day has no closing fact, so nothing shows that all its facts have arrived.",
            certainty=Certainty.UNKNOWN,
        )
        return
    closing = closings[-1]
    at = ref_of(closing)
    stated = {end.stream: end.last_seq for end in closing.streams}
    for stream in sorted(set(stated) | set(replay.streams())):
        last = replay.last_seq_before(stream, day.ends)
        before = replay.last_seq_before(stream, day.begins)
        total = stated.get(stream)
        if stream == closing.stream:  # it states its own number
            if total not in (None, closing.seq):
                yield _totals(day, at, stream, str(total), str(closing.seq))
            total = closing.seq if day.has(closing.event_time) else last
        if total is None:
            if last > before and not numbered_here(stream):
                yield _totals(day, at, stream, "nothing", str(last))
        elif total > last:
            yield _totals(day, at, stream, str(total), str(last))
        elif total < last:
            yield _finding(
                day,
                "fact_after_close",
                ".7",
                (at, FactRef(stream, last)),
                Severity.MEDIUM,
                f"{stream} has facts of the day up to {last}; the day was closed with {total}.",
                expected=str(total),
                observed=str(last),
            )


def stated_ends(office: Office) -> dict[str, int]:
    """Return by stream the highest last number that any closing of a gaming day states."""
    ends: dict[str, int] = {}
    for closings in office.closings.values():
        for closing in closings:
            for end in closing.streams:
                ends[end.stream] = max(ends.get(end.stream, 0), end.last_seq)
    return ends


def stated_totals(office: Office, day: Day) -> dict[str, int]:
    """Return the last seq that the day's closing fact states, by stream; nothing without one."""
    closings: list[GamingDayClosed] = office.closings.get(day.date.isoformat(), [])
    return {end.stream: end.last_seq for end in closings[-1].streams} if closings else {}


def streams_in_order(
    replay: Replay, office: Office, day: Day, streams: Collection[str] | None = None
) -> Iterator[Finding]:
    """Check event times against seq (L.5), and sources and keys (L.6), stream by stream.

    Args:
        replay: the ledger's replay.
        office: the registrations of sources.
        day: the gaming day.
        streams: which; None: all.
    """
    registrations = [
        Registration(stream=s.registered_stream, source=s.registered_source, since=s.since)
        for s in office.sources
    ]
    tolerance = {s.registered_stream: s.order_tolerance_micros for s in office.sources}
    for stream in replay.streams() if streams is None else streams:
        allowed = tolerance.get(stream, ORDER_TOLERANCE)
        for odd in replay.out_of_order(stream, allowed, since=day.begins, until=day.ends):
            yield _finding(
                day,
                "out_of_order",
                ".5",
                (FactRef(stream, odd.seq),),
                Severity.MEDIUM,
                f"Its event time runs against its number by {seconds(abs(odd.off_micros))[1:]}.",
                observed=str(odd.off_micros),
            )
        mine = [r for r in registrations if r.stream == stream]
        if registrations and (mine or not numbered_here(stream)):
            for run in replay.source_differs(stream, mine, since=day.begins, until=day.ends):
                yield _finding(
                    day,
                    "source_not_registered",
                    ".6",
                    (FactRef(stream, run.first_seq), FactRef(stream, run.last_seq)),
                    Severity.HIGH,
                    f"{run.source} is not registered for {stream}: {run.facts} in a row are its.",
                    expected=run.registered or "none registered",
                    observed=run.source,
                    certainty=Certainty.BROKEN if office.sure(None, run.at) else Certainty.UNKNOWN,
                )


def date_far_off(
    day: Day, ends: tuple[FactRef, FactRef], count: int, far: list[date], own: list[date]
) -> Finding:
    """Report facts of a stream whose dates lie years off the ledger's days (L.5).

    Args:
        day: the day under which it is reported.
        ends: the first and the last of them.
        count: how many they are.
        far: their gaming days, rising.
        own: the ledger's gaming days, rising.
    """
    later = far[0] > own[-1]
    years = (far[0] - own[-1] if later else own[0] - far[-1]).days // 365
    named = f"{ends[0]} is" if count == 1 else f"{count} facts, {ends[0]} to {ends[1]}, are"
    span, known = (
        str(days[0]) if len(days) == 1 else f"{days[0]} to {days[-1]}" for days in (far, own)
    )
    return _finding(
        day,
        "date_far_off",
        ".5",
        ends[:1] if count == 1 else ends,
        Severity.HIGH,
        f"{named} dated {span}, {years:,} years {'after' if later else 'before'} the ledger's days"
        f" ({known}).",
        certainty=Certainty.UNKNOWN,
        expected=known,
        observed=span,
    )


def odd_keys(replay: Replay, day: Day, streams: Collection[str] | None = None) -> Iterator[Finding]:
    """Report records whose key is not their stream (L.6); of these streams, None: of all."""
    for stream in replay.streams() if streams is None else streams:
        low, high = (
            replay.last_seq_before(stream, day.begins),
            replay.last_seq_before(stream, day.ends),
        )
        for odd in replay.odd_keys(stream):
            if low < odd.seq <= high:
                key = odd.key.decode("utf-8", "replace") or "no key"
                yield _finding(
                    day,
                    "key_differs",
                    ".6",
                    (FactRef(stream, odd.seq),),
                    Severity.MEDIUM,
                    f"The record came under the key {key!r}, not under its stream.",
                    observed=key,
                )


def redescribed(office: Office, day: Day) -> Iterator[Finding]:
    """Report a later statement of another time zone or start of the day.

    Days go on by the first one.
    """
    for fact in office.redescribed:
        if day.has(fact.event_time):
            yield _finding(
                day,
                "property_redescribed",
                ".5",
                (ref_of(fact),),
                Severity.MEDIUM,
                "The property states another time zone or start of its gaming day; days are still"
                " told by its first statement, since past days must not move.",
                certainty=Certainty.UNKNOWN,
            )


def amended(replay: Replay, day: Day) -> Iterator[Amended]:
    """Yield the facts amended since that are, or were, of the day or about it."""
    for amendment in replay.all_amended():
        facts = (
            (amendment.before,) if amendment.after is None else (amendment.before, amendment.after)
        )
        if any(day.has(fact.event_time) or about(fact) == day.date.isoformat() for fact in facts):
            yield amendment


def about(fact: Fact) -> str | None:
    """Return the gaming day that a fact says it is about, as written; None where it names none."""
    named = getattr(fact, "for_gaming_day", None) or getattr(fact, "gaming_day", None)
    return named if isinstance(named, str) else None


def doubt_steps(
    replay: Replay, office: Office, clock: PropertyClock, day: Day
) -> Iterator[Finding]:
    """Report gaps and conflicts of the office streams; a table's own are met on its walk."""
    streams = [stream for streams in replay.offices().values() for stream in streams]
    for step in replay.walk(streams, only=()):  # no fact is decoded once more for each day
        if isinstance(step, DoubtBegins):
            finding = doubt_finding(office, clock, day, step)
            if finding is not None:
                yield finding


def _totals(day: Day, at: FactRef, stream: str, stated: str, known: str) -> Finding:
    return _finding(
        day,
        "control_total_differs",
        ".4",
        (at,),
        Severity.HIGH,
        f"The day was closed with {stated} as the last number of {stream}; the ledger has {known}.",
        expected=stated,
        observed=known,
    )


def _finding(
    day: Day,
    code: str,
    pin: str,
    facts: tuple[FactRef, ...],
    severity: Severity,
    sentence: str,
    *,
    stream: str = "",
    certainty: Certainty = Certainty.BROKEN,
    expected: str | None = None,
    observed: str | None = None,
) -> Finding:
    return Finding(
        code=code,
        severity=severity,
        certainty=certainty,
        sentence=sentence,
        citations=(LAW[pin],),
        gaming_day=day.date,
        stream=facts[-1].stream if facts else stream,
        facts=facts,
        expected=expected,
        observed=observed,
    )
