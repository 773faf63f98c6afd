"""What a day may say when one of its facts was lost or contradicted, held against the whole day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from ledger.audit import DayAudit, audit_day, rounds_of
from ledger.codec import frame
from ledger.events import BettingOpened, Fact, GamingDayClosed, PropertyDescribed
from ledger.floor import FIRST_DAY
from ledger.kernel import table_of
from ledger.log import Arrival
from ledger.replay import Replay
from ledger.rounds import Outcome, RoundResult
from tests.engine import ref, signature
from tests.log.memory_log import MemoryLog

SHAKE = "Six Eight Shake"
RECORD = {"gap", "conflict", "control_total_differs"}
"""Findings about the hole itself."""


@dataclass(eq=False)
class Day:
    """A day's facts as they arrived, framed once, and what the engine says of them."""

    facts: Sequence[Fact]
    framed: list[Arrival]
    audit: DayAudit
    replay: Replay

    @classmethod
    def of(cls, facts: Sequence[Fact], framed: list[Arrival] | None = None) -> Day:
        """Judge them."""
        arrivals = framed or [Arrival(frame(fact)) for fact in facts]
        log = MemoryLog(origin="engine.example", property="Example", record_time=1)
        log.append(arrivals, record_time=2)
        replay = Replay(log)
        return cls(facts, arrivals, audit_day(replay, FIRST_DAY), replay)

    @cached_property
    def rounds(self) -> dict[str, RoundResult]:
        """Its rounds by their ids."""
        return {r.round: r for r in rounds_of(self.replay, FIRST_DAY)}

    def without(self, place: int) -> Day:
        """The day when one fact never arrives."""
        rest = [*self.facts[:place], *self.facts[place + 1 :]]
        return Day.of(rest, [*self.framed[:place], *self.framed[place + 1 :]])

    def against(self, place: int, rival: Fact) -> Day:
        """The day when a second record under a fact's key arrives right after it."""
        twice = [*self.framed[: place + 1], Arrival(frame(rival)), *self.framed[place + 1 :]]
        return Day.of(self.facts, twice)

    def round_with(self, fact: Fact) -> str | None:
        """The round in which a fact of a table lies, by the order of time."""
        opened = [
            (f.event_time, f.stream, f.seq)
            for f in self.facts
            if isinstance(f, BettingOpened)
            and f.stream == table_of(fact.stream)
            and (f.event_time, f.stream, f.seq) <= (fact.event_time, fact.stream, fact.seq)
        ]
        return f"{max(opened)[1]}:{max(opened)[2]}" if opened else None

    def next_of_stream(self, fact: Fact) -> Fact | None:
        """The fact that follows in its stream."""
        return next((f for f in self.facts if ref(f) == (fact.stream, fact.seq + 1)), None)


def complaints(whole: Day, hurt: Day, fact: Fact, *, lost: bool) -> list[str]:
    """What must not be so after one fact was lost, or contradicted."""
    told = f"{type(fact).__name__} {ref(fact)}"
    return [f"{told}: {what}" for what in _complaints(whole, hurt, fact, lost=lost)]


def _complaints(whole: Day, hurt: Day, fact: Fact, *, lost: bool) -> Iterable[str]:
    before = {signature(f) for f in whole.audit.findings if f.certainty == "broken"}
    for found in hurt.audit.findings:
        about_it = found.code in RECORD and (
            ref(fact) in found.facts or found.code not in ("gap", "conflict")
        )
        if found.certainty == "broken" and signature(found) not in before and not about_it:
            yield f"broken now: {found.code} {[str(r) for r in found.facts]} {found.sentence}"
    yield from _told(hurt, fact, lost=lost)
    if fact.stream.partition("/")[0] != "house":
        yield from _rounds(whole, hurt, fact, lost=lost)


def _told(hurt: Day, fact: Fact, *, lost: bool) -> Iterable[str]:
    """The hole itself is found, and once."""
    code = "gap" if lost else "conflict"
    named = [f for f in hurt.audit.findings if f.code == code and ref(fact) in f.facts]
    if lost and isinstance(fact, GamingDayClosed):
        if "day_not_closed" not in {f.code for f in hurt.audit.findings}:
            yield "nobody misses the closing of the day"
    elif len(named) != 1:
        yield f"{code} is told {len(named)} times"


def _rounds(whole: Day, hurt: Day, fact: Fact, *, lost: bool) -> Iterable[str]:
    """The round it lay in is unknown; those that open after the hole are judged as before."""
    mine = whole.round_with(fact)
    unknown = sum(r.status == "unknown" for r in hurt.rounds.values())
    if unknown != hurt.audit.unknown_rounds:
        yield f"{unknown} unknown rounds, counted {hurt.audit.unknown_rounds}"
    opening = lost and isinstance(fact, BettingOpened)
    if mine in whole.rounds and not opening:
        if mine not in hurt.rounds:
            yield f"its round {mine} is not seen"
        elif hurt.rounds[mine].status != "unknown" and _inside(whole, fact, mine):
            yield f"its round {mine} is judged all the same: {hurt.rounds[mine].status}"
    after = whole.next_of_stream(fact) if lost else fact
    for name, was in whole.rounds.items():
        if was.table != table_of(fact.stream) or (opening and name == str(ref(fact))):
            continue
        if after is None or was.opened_at <= after.event_time:
            continue
        now = hurt.rounds.get(name)
        if now is None or not _same(was, now):
            yield f"round {name} is not judged as before: {now and (now.status, now.unknown_because)}"
            return


def _inside(whole: Day, fact: Fact, mine: str) -> bool:
    """Whether a later fact shows that the round was not over: its last settlement is enough."""
    last = max(
        (w.observed.facts[-1] for w in whole.rounds[mine].wagers if w.observed is not None),
        default=None,
    )
    return last is not None and fact.stream == last.stream and fact.seq <= last.seq


def _same(was: RoundResult, now: RoundResult) -> bool:
    """Alike but for a shake of § 668a.3(e), which may have been under way in the hole."""
    before = {w.wager_id: w.expected for w in was.wagers}
    after = {w.wager_id: w.expected for w in now.wagers}
    shakes = {
        w.wager_id for w in now.wagers if w.wager == SHAKE and w.expected.outcome is Outcome.UNKNOWN
    }
    differ = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    return (
        was.shown == now.shown and differ <= shakes and (bool(differ) or was.status == now.status)
    )


def sample(facts: Sequence[Fact], seed: int, more: int) -> list[int]:
    """One fact of every kind, and some more."""
    chance = Random(seed)
    chosen = {chance.choice(places) for places in _by_kind(facts).values()}
    chosen |= set(chance.sample(range(len(facts)), more))
    return sorted(chosen)


def each_kind(facts: Sequence[Fact], seed: int, each: int) -> list[int]:
    """So many facts of every kind, or all where there are fewer."""
    chance = Random(seed)
    taken = [chance.sample(places, min(each, len(places))) for places in _by_kind(facts).values()]
    return sorted(place for places in taken for place in places)


def _by_kind(facts: Sequence[Fact]) -> dict[str, list[int]]:
    kinds: dict[str, list[int]] = defaultdict(list)
    for place, fact in enumerate(facts):
        kinds[type(fact).__name__].append(place)
    return kinds


def describes_the_property(fact: Fact) -> bool:
    """Without this fact no gaming day can be told, and the audit refuses."""
    return isinstance(fact, PropertyDescribed)
