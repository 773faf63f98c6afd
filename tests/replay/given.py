"""Facts and logs for the tests of replay."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ledger.codec import frame
from ledger.events import Fact, NoMoreBetsAnnounced, PersonCredentialled
from ledger.log import Arrival
from ledger.replay import DoubtBegins, DoubtEnds, FactStep, Step
from tests.log.memory_log import MemoryLog

START = 1_623_513_600_000_000  # 2021-06-12T16:00:00Z
SECOND = 1_000_000


def fact(
    stream: str,
    seq: int,
    seconds: float | None = None,
    *,
    source: str | None = None,
    by: str = "C-1",
) -> Fact:
    """A fact of a table, or of the house where the stream is ``house``, ``seq`` seconds after the start."""
    moment = START + int((seq if seconds is None else seconds) * SECOND)
    origin = source or f"T-{stream}"
    if stream.partition("/")[0] == "house":
        return PersonCredentialled(
            stream=stream, seq=seq, event_time=moment, source=origin, recorded_by=None,
            person=by, department="pit", role=None, revoked=False,
        )  # fmt: skip
    return NoMoreBetsAnnounced(
        stream=stream,
        seq=seq,
        event_time=moment,
        source=origin,
        recorded_by=by,
        announced_by=by,
        role=None,
    )


def arrivals(facts: Iterable[Fact]) -> list[Arrival]:
    """The facts as they arrive from files."""
    return [Arrival(frame(one)) for one in facts]


def memory(facts: Iterable[Fact], batches: Sequence[int] = ()) -> MemoryLog:
    """A log of facts, appended in batches of these sizes and then the rest."""
    log = MemoryLog(origin="floor", property="Test", record_time=START)
    rest = arrivals(facts)
    for number, size in enumerate(batches):
        log.append(rest[:size], START + number)
        rest = rest[size:]
    log.append(rest, START + len(batches))
    return log


def shown(steps: Iterable[Step]) -> list[str]:
    """Steps in short: ``SB-01:3``, ``gap SB-01:4-5 begins``."""
    out = []
    for step in steps:
        match step:
            case FactStep(fact=one):
                out.append(f"{one.stream}:{one.seq}")
            case DoubtBegins():
                out.append(f"{step.kind} {step.stream}:{step.first_seq}-{step.last_seq} begins")
            case DoubtEnds():
                out.append(f"{step.kind} {step.stream}:{step.first_seq}-{step.last_seq} ends")
    return out


def content(steps: Iterable[Step]) -> list[object]:
    """Steps without positions, which depend on the order of arrival."""
    return [(step.fact, step.at) if isinstance(step, FactStep) else step for step in steps]
