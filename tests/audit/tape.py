"""A simulated day whose rounds somebody looks at on recordings: facts, observations, accounts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from ledger import events
from ledger.audit import (
    HouseRecord,
    RoundAccounts,
    audit_day,
    day_of,
    footage_of,
    read_office,
    with_coupons,
)
from ledger.audit.observations import STREAM
from ledger.audit.result import DayAudit
from ledger.codec import frame
from ledger.floor import FIRST_DAY, simulate
from ledger.kernel import FactRef
from ledger.log import Arrival
from ledger.replay import Replay
from tests.log.memory_log import MemoryLog

LATER = 86_400_000_000
PROVED = events.ActProof(how=events.ProofKind.PASS_PHRASE, signature=None)


def enrolled(*persons: str, at: int) -> list[events.PersonEnrolled]:
    """The enrollments of an administrator and of others, by pass phrases."""
    return [
        events.PersonEnrolled(
            stream="cases/persons", seq=number, event_time=at, source="pitledger",
            recorded_by="IT-1", person=person, how=events.ProofKind.PASS_PHRASE, public_key=None,
            enrolled_by="IT-1", proof=PROVED if number > 1 else None,
        )
        for number, person in enumerate(("IT-1", *persons), 1)
    ]  # fmt: skip


@cache
def day_facts() -> tuple[events.Fact, ...]:
    """The facts of a small simulated day."""
    return tuple(simulate(144, scale=0.05).facts)


def ledger_of(facts: Iterable[events.Fact]) -> Replay:
    """A ledger in memory with these facts, and those enrolled who look at recordings."""
    log = MemoryLog(origin="floor.example", property="Floor", record_time=1)
    at = max(fact.event_time for fact in day_facts())
    people = enrolled("S-1", "S-2", "SS-1", "SS-2", "FS-1", "D-SB-01-1", at=at)
    log.append([Arrival(frame(fact)) for fact in (*facts, *people)], 2)
    return Replay(log)


def facts_of(stream: str, first: int, last: int) -> list[events.Fact]:
    """Facts of a stream by their numbers."""
    return [one for one in day_facts() if one.stream == stream and first <= one.seq <= last]


def without(*lost: tuple[str, int, int]) -> list[events.Fact]:
    """The day without these facts: stream, first and last number."""
    gone = {(stream, seq) for stream, first, last in lost for seq in range(first, last + 1)}
    return [one for one in day_facts() if (one.stream, one.seq) not in gone]


def observation(
    round_id: str, seen_time: int, *, seq: int = 1, by: str = "S-1", **shown: Any
) -> events.RoundObserved:
    """An observation of a round; what is not given cannot be seen."""
    stream, _, number = round_id.rpartition(":")
    nothing: dict[str, Any] = dict.fromkeys(
        ("throws", "spins", "hands", "wagers", "note", "replaces", "camera_ahead_micros")
    )
    return events.RoundObserved(
        stream=STREAM, seq=seq, event_time=seen_time + LATER, source="pitledger", recorded_by=by,
        table=stream, round_stream=stream, round_seq=int(number), camera=f"CAM-{stream}-A",
        seen_time=seen_time, observed_by=by, proof=PROVED, **{**nothing, **shown},
    )  # fmt: skip


def confirmation(
    seen: events.RoundObserved, by: str = "SS-1", *, seq: int | None = None
) -> events.ObservationConfirmed:
    """The confirmation of an observation a minute later."""
    return events.ObservationConfirmed(
        stream=STREAM, seq=seq or seen.seq + 1, event_time=seen.event_time + 60_000_000,
        source="pitledger", recorded_by=by, observation_seq=seen.seq, confirmed_by=by, proof=PROVED,
    )  # fmt: skip


def throw(*faces: int | None, colors: Sequence[str | None] = ()) -> events.ObservedThrow:
    """One throw as it was seen."""
    named = colors or [None] * len(faces)
    return events.ObservedThrow(
        dice=tuple(
            events.ObservedDie(colour=color, face=face)
            for face, color in zip(faces, named, strict=True)
        )
    )


def wager(
    wager_id: str | None,
    name: str,
    *picks: int,
    stake: int | None,
    seat: str | None = None,
    paid: int | None = None,
    collected: int | None = None,
) -> events.ObservedWager:
    """One wager as it was seen; amounts in cents."""
    return events.ObservedWager(
        wager_id=wager_id, position=seat, wager=name, picks=picks, stake_cents=stake,
        paid_cents=paid, collected_cents=collected,
    )  # fmt: skip


def wagers_as_recorded(round_facts: Iterable[events.Fact]) -> tuple[events.ObservedWager, ...]:
    """The wagers of a round with what the house did, as somebody sees them who sees all."""
    seen: dict[str, events.ObservedWager] = {}
    for fact in round_facts:
        if isinstance(fact, events.WagerPlaced):
            seen[fact.wager_id] = wager(
                fact.wager_id, fact.wager, *fact.picks, stake=fact.stake_cents, seat=fact.position
            )
        elif isinstance(fact, events.WagerIncreased) and fact.wager_id in seen:
            one = seen[fact.wager_id]
            seen[fact.wager_id] = replace(
                one, stake_cents=(one.stake_cents or 0) + fact.added_cents
            )
        elif isinstance(fact, events.WagerSettled) and fact.wager_id in seen:
            seen[fact.wager_id] = replace(
                seen[fact.wager_id],
                paid_cents=fact.winnings_cents,
                collected_cents=fact.stake_taken_cents,
            )
    return tuple(seen.values())


def house_of(replay: Replay) -> HouseRecord:
    """The house's facts, with the coupons."""
    return with_coupons(replay, read_office(replay))


def accounts(facts: Iterable[events.Fact]) -> tuple[RoundAccounts, ...]:
    """The observed rounds of the day."""
    replay = ledger_of(facts)
    house = house_of(replay)
    return footage_of(replay, house, day_of(house.clock, FIRST_DAY))


def audited(facts: Iterable[events.Fact]) -> DayAudit:
    """The audit of the day."""
    return audit_day(ledger_of(facts), FIRST_DAY)


def ref_of_round(round_id: str) -> FactRef:
    """The first fact of a round."""
    stream, _, seq = round_id.rpartition(":")
    return FactRef(stream, int(seq))
