"""What held at a table while a round was played: people, equipment, limits, clocks."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Final

from ledger.audit import ClockLine, DayUnknown, clock_lines, day_of
from ledger.audit.in_force import TableInForce, in_force
from ledger.kernel import PropertyClock, seconds
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports import RoundView, tell
from ledger.reports.phrases import MILLISECOND, calendar_date
from ledger.web.record import Record

NEAR: Final = frozenset({"staff", "dice", "shaker", "wheel", "deck", "card device", "game"})
"""What a dispute asks for first; limits, signs and devices stand below."""
OWN: Final = frozenset({"camera"})
"""What has a section of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldThen:
    """Something that held while a round was played.

    Attributes:
        kind: "staff", "dice", "limits".
        words: the fact that brought it, as a sentence.
        since: from when on, by the property's clocks.
        is_sure: whether nothing was lost since that could have changed it.
        is_near: whether a dispute asks for it first.
    """

    kind: str
    words: str
    since: str
    is_sure: bool
    is_near: bool


def held_during(record: Record, seen: RoundView) -> list[HeldThen]:
    """Return what held at the table of a round at any time of it, in order of kind and time."""
    result, clock = seen.result, record.property_clock
    table = record.of_facts(
        f"in force {result.table}",
        result.gaming_day,
        lambda: _table(record, result.table, result.gaming_day),
    )
    if table is None:
        return []
    begins, ends = result.opened_at, seen.ends_at
    spans = [
        span
        for span in table.spans
        if span.kind not in OWN
        and span.begins <= ends
        and (span.ends is None or span.ends >= begins)
    ]
    spans.sort(key=lambda span: (span.kind not in NEAR, span.kind, span.begins))
    return [
        HeldThen(
            kind=span.kind,
            words=tell(span.fact, clock),
            since=_since(clock, span.begins, result.gaming_day),
            is_sure=span.sure,
            is_near=span.kind in NEAR,
        )
        for span in spans
    ]


def _table(record: Record, table: str, day: date) -> TableInForce | None:
    try:
        tables = in_force(record.replay, day, table=table, by_day=record.standing).tables
    except DayUnknown:
        return None
    return tables[0] if tables else None


def _since(clock: PropertyClock, moment: int, day: date) -> str:
    local = clock.local(moment)
    beside = "" if clock.day_of(moment) == day else f" on {calendar_date(local.date())}"
    return f"{local:%H:%M:%S}{beside}"


def clocks_of(record: Record, seen: RoundView) -> list[str]:
    """Return how the clocks of the terminals that told a round were checked, as sentences."""
    told_by = {step.fact.source for step in seen.steps}
    day = day_of(record.property_clock, seen.result.gaming_day)
    return list(_clock_words(clock_lines(record.judged.record.office, day, told_by), told_by))


def _clock_words(lines: list[ClockLine], told_by: set[str]) -> Iterator[str]:
    known = {line.source: line for line in lines}
    for source in sorted(told_by):
        line = known.get(source)
        if line is None or line.offset is None:
            yield f"{source}: its clock was never checked"
        else:
            yield f"{source}: {offset_words(line.offset, is_off=bool(line.is_off))}"


def offset_words(offset: int, *, is_off: bool) -> str:
    """Return how a clock went when it was last checked: ahead, behind, or as it should.

    Args:
        offset: how far it was ahead (+) or behind (-), in microseconds.
        is_off: whether that is more than is registered.

    >>> offset_words(-312, is_off=False)
    'in step when last checked'
    >>> offset_words(-1_500_000, is_off=True)
    '1.500 s behind when last checked, more than is allowed'
    """
    beyond = ", more than is allowed" if is_off else ""
    if abs(offset) < MILLISECOND:
        return f"in step when last checked{beyond}"
    side = "behind" if offset < 0 else "ahead"
    return f"{seconds(abs(offset))[1:]} {side} when last checked{beyond}"
