"""Whether a day's record is complete enough to judge: said before any verdict.

Looked at are control totals, gaps, streams from which nothing came, the terminals' clocks, cameras
and what each table claims to capture. What is not ready is unknown and named, with since when; the
rest is judged. Law: the Ledger contract, L.1, L.4, L.5; § 521.4.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from ledger.audit import ClockLine, Day, HouseRecord, clock_lines
from ledger.codec import format_time
from ledger.events import CameraLost, CameraRestored, Capture, TableOpened
from ledger.kernel import MICROSECONDS, PropertyClock, seconds, table_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.night.day_input import is_input
from ledger.replay import FactStep, Replay


class State(StrEnum):
    """Ready; unknown, since something that should be there is not; or never claimed."""

    READY = "ready"
    UNKNOWN = "unknown"
    NOT_COVERED = "not covered"


STREAMS: Final = frozenset({"closing", "control total", "gap", "late stream"})
"""The lines that say whether all facts are there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadinessLine:
    """The state of one check.

    Attributes:
        check: what was looked at: ``gap``, ``camera``.
        about: the stream, table or terminal that it concerns.
        state: whether it is ready.
        sentence: the state in words, as the report shows it.
        since: from when on it is not ready, in microseconds UTC; None where nothing says so.
        until: when it was ready again; None where it was not, or nothing says so.
    """

    check: str
    about: str
    state: State
    sentence: str
    since: int | None = None
    until: int | None = None

    def plain(self) -> dict[str, str | None]:
        """Return it as plain data, as the issue holds it; times in UTC, RFC 3339."""
        return {
            "what": self.check,
            "about": self.about,
            "state": self.state.value,
            "said": self.sentence,
            "since": None if self.since is None else format_time(self.since),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Readiness:
    """The readiness of a day's record.

    Attributes:
        lines: one for each check of each stream, table or terminal.
        closed: whether the record has a closing of the day.
        streams: how many streams have facts of the day or a control total.
    """

    lines: tuple[ReadinessLine, ...]
    closed: bool
    streams: int

    @property
    def unknown(self) -> tuple[ReadinessLine, ...]:
        """The lines of what should be there and is not."""
        return tuple(one for one in self.lines if one.state is State.UNKNOWN)

    @property
    def incomplete(self) -> tuple[ReadinessLine, ...]:
        """Those of them that say that facts are missing; the others leave the streams whole."""
        return tuple(one for one in self.unknown if one.check in STREAMS)

    def first_line(self, clock: PropertyClock) -> str:
        """Return the first line of a report: which streams are incomplete and since when, or none.

        Args:
            clock: the property's; times are shown by it.
        """
        if not self.incomplete:
            return f"All {self.streams} streams are complete."
        sentences = "; ".join(f"{one.sentence}{_since(one, clock)}" for one in self.incomplete)
        return f"INCOMPLETE: {sentences}."


def _since(line: ReadinessLine, clock: PropertyClock) -> str:
    if line.since is None:
        return ""
    return f" since {clock.local(line.since):%Y-%m-%d %H:%M:%S %Z}"


def readiness(replay: Replay, house: HouseRecord, day: Day) -> Readiness:
    """Check whether the record of a day is complete enough to judge.

    Law: § 521.4; the Ledger contract, L.1, L.4, L.5.
    """
    closings = house.office.closings.get(day.date.isoformat(), [])
    lines = [
        *_totals(replay, house, day),
        *_gaps(replay, day),
        *_silent(replay, house, day),
        *(_clock(one) for one in clock_lines(house.office, day)),
        *_cameras(replay, house.clock, day),
        *_captures(replay, day),
    ]
    active = {
        stream
        for stream in filter(is_input, replay.streams())
        if _first_and_last(replay, stream, day)
    }
    stated = {end.stream for end in closings[-1].streams} if closings else set()
    return Readiness(lines=tuple(lines), closed=bool(closings), streams=len(active | stated))


def _first_and_last(replay: Replay, stream: str, day: Day) -> tuple[int, int] | None:
    """The numbers right before and at the end of a stream's facts of the day."""
    before = replay.last_seq_before(stream, day.begins)
    last = replay.last_seq_before(stream, day.ends)
    return (before, last) if last > before else None


def _totals(replay: Replay, house: HouseRecord, day: Day) -> Iterator[ReadinessLine]:
    closings = house.office.closings.get(day.date.isoformat(), [])
    if not closings:
        yield ReadinessLine(
            check="closing",
            about=day.date.isoformat(),
            state=State.UNKNOWN,
            sentence="the day is not closed: nothing shows that all its facts have arrived",
        )
        return
    closing = closings[-1]
    for end in sorted(closing.streams, key=lambda one: one.stream.encode()):
        if end.stream == closing.stream:
            continue
        last = replay.last_seq_before(end.stream, day.ends)
        if end.last_seq <= last:
            yield ReadinessLine(
                check="control total", about=end.stream, state=State.READY,
                sentence=f"{end.stream} is there up to {end.last_seq}, as the day was closed",
            )  # fmt: skip
        else:
            yield ReadinessLine(
                check="control total", about=end.stream, state=State.UNKNOWN,
                sentence=f"{end.stream} ends at {last}, the day was closed with {end.last_seq}",
                since=replay.merged_at(end.stream, last) or day.begins,
            )  # fmt: skip


def _gaps(replay: Replay, day: Day) -> Iterator[ReadinessLine]:
    for stream in filter(is_input, replay.streams()):
        span = _first_and_last(replay, stream, day)
        if span is None:
            continue
        for gap in replay.gaps(stream):
            if span[0] < gap.first_seq < span[1] or gap.first_seq == span[0] + 1:
                count = gap.last_seq - gap.first_seq + 1
                named = f"{gap.first_seq}-{gap.last_seq}" if count > 1 else f"{gap.first_seq}"
                yield ReadinessLine(
                    check="gap", about=stream, state=State.UNKNOWN,
                    sentence=f"{stream} lacks {count} fact{'s' * (count > 1)} ({named})",
                    since=replay.merged_at(stream, gap.first_seq - 1) or day.begins,
                    until=replay.merged_at(stream, gap.last_seq + 1),
                )  # fmt: skip


def _silent(replay: Replay, house: HouseRecord, day: Day) -> Iterator[ReadinessLine]:
    """Registered streams of tables in use that sent nothing, where no control total says why."""
    stated = {
        end.stream
        for closing in house.office.closings.get(day.date.isoformat(), [])[-1:]
        for end in closing.streams
    }
    in_use = {
        table
        for table, streams in replay.tables().items()
        if any(_first_and_last(replay, one, day) for one in streams)
    }
    for stream, many in sorted(house.office.clocks.registered.items()):
        since = min(one.since for one in many)
        if stream in stated or table_of(stream) not in in_use or since >= day.ends:
            continue
        known = stream in replay.streams()
        if known and _first_and_last(replay, stream, day):
            continue
        last = replay.last_seq_before(stream, day.begins)
        yield ReadinessLine(
            check="late stream", about=stream, state=State.UNKNOWN,
            sentence=f"nothing came from {stream}, whose table was in use",
            since=replay.merged_at(stream, last) if last else max(since, day.begins),
        )  # fmt: skip


def _clock(line: ClockLine) -> ReadinessLine:
    drift = line.drift_per_day
    sentence = f"the clock of {line.source} was never checked"
    if line.offset is not None:
        sentence = f"the clock of {line.source} was off by {seconds(line.offset)}"
        sentence += f", drifting {seconds(drift)} a day" if drift is not None else ""
    states = {None: State.NOT_COVERED, True: State.UNKNOWN, False: State.READY}
    return ReadinessLine(
        check="clock",
        about=line.source,
        state=states[line.is_off],
        sentence=sentence,
        since=line.off_since,
    )


def _cameras(replay: Replay, clock: PropertyClock, day: Day) -> Iterator[ReadinessLine]:
    """Cameras that were down in the day, or before it and not restored: for how long, and when."""
    names = ("CameraLost", "CameraRestored")
    for stream in replay.streams_with(names[:1]):
        lost: dict[str, int] = {}
        outages: list[tuple[str, int, int | None]] = []
        for step in replay.walk((stream,), until=day.ends, only=names):
            if not isinstance(step, FactStep):
                continue
            if isinstance(step.fact, CameraLost):
                lost.setdefault(step.fact.camera, step.at)
            elif isinstance(step.fact, CameraRestored):
                since = lost.pop(step.fact.camera, None)
                if since is not None and step.at >= day.begins:
                    outages.append((step.fact.camera, since, step.at))
        outages += [(camera, since, None) for camera, since in lost.items()]
        for camera, since, until in sorted(outages, key=lambda one: (one[1], one[0])):
            yield ReadinessLine(
                check="camera", about=stream, state=State.UNKNOWN, since=since, until=until,
                sentence=f"camera {camera} at {table_of(stream)} down {_span(clock, since, until)}",
            )  # fmt: skip


def _span(clock: PropertyClock, since: int, until: int | None) -> str:
    """How long, and from when to when by the property's clocks: "29 s, 21:02:10 to 21:02:39"."""
    first = clock.local(since)
    if until is None:
        return f"since {first:%Y-%m-%d %H:%M:%S}, not restored"
    last = clock.local(until)
    ends = f"{last:%H:%M:%S}" if first.date() == last.date() else f"{last:%Y-%m-%d %H:%M:%S}"
    return f"{_lasted((until - since) // MICROSECONDS)}, {first:%Y-%m-%d %H:%M:%S} to {ends}"


def _lasted(whole: int) -> str:
    """So many seconds as people say them."""
    minutes, left = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    parts = ((hours, "h"), (minutes, "min"), (left, "s"))
    return " ".join(f"{count} {unit}" for count, unit in parts if count) or "0 s"


_CLAIMS: Final = {
    Capture.FULL: (State.READY, "wagers, outcomes and settlements"),
    Capture.OUTCOME: (State.NOT_COVERED, "outcomes; no wager and no settlement"),
    Capture.COUNTS: (State.NOT_COVERED, "counts only; no outcome, wager or settlement"),
}


def _captures(replay: Replay, day: Day) -> Iterator[ReadinessLine]:
    """What each table claimed to record, by its openings in the day."""
    names = ("TableOpened",)
    streams: dict[str, list[str]] = {}
    for stream in replay.streams_with(names):
        streams.setdefault(table_of(stream), []).append(stream)
    seen: dict[str, TableOpened] = {}
    for table, many in streams.items():
        for step in replay.walk(many, since=day.begins, until=day.ends, only=names):
            if isinstance(step, FactStep) and isinstance(step.fact, TableOpened):
                seen[table] = step.fact
    for table, fact in sorted(seen.items()):
        state, claim = _CLAIMS.get(fact.capture, (State.UNKNOWN, "a level that is not known"))
        yield ReadinessLine(
            check="capture", about=table, state=state, sentence=f"{table} records {claim}"
        )


def local_day(clock: PropertyClock, day: Day) -> tuple[str, str]:
    """Return begin and end of a gaming day in local time, ISO 8601 with the offset from UTC."""
    begins, ends = (clock.local(at).isoformat(timespec="seconds") for at in (day.begins, day.ends))
    return begins, ends
