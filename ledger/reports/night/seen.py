"""The rounds of a gaming day that a report links to, with their facts, from the kept states on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ledger.audit import HouseRecord
from ledger.audit.carried import CarriedStates
from ledger.audit.contract import Day
from ledger.audit.table import TableWalk
from ledger.events import BettingOpened, WheelPlaced
from ledger.kernel import parse_round_id, ref_of, round_id, table_of
from ledger.replay import Amended, FactStep, Replay
from ledger.reports.seen import SeenRound
from ledger.rounds import RoundResult, steps_of


def seen_on(
    replay: Replay,
    house: HouseRecord,
    day: Day,
    wanted: Collection[str],
    carried: Path | None = None,
    states_of: Callable[[str], Mapping[int, bytes]] | None = None,
) -> Iterator[SeenRound]:
    """These rounds of a day, table by table, as they close; others are passed over.

    Args:
        replay: the ledger's replay.
        house: what the office stated, with the coupons.
        day: the gaming day.
        wanted: ids of rounds; one that did not open on the day is not found.
        carried: folder for carried states; None replays each table from the beginning.
        states_of: a table's states within the day, packed, by when they held; a walk begins with
            the last before a round.
    """
    states = None if carried is None else CarriedStates(carried, replay, house.office)
    amended = tuple(replay.all_amended())
    for table in sorted({table_of(name.rpartition(":")[0]) for name in wanted}):
        if table in replay.tables():
            left = {name for name in wanted if table_of(name.rpartition(":")[0]) == table}
            opened = {name: _opened(replay, name) for name in left}
            within = states_of(table) if states_of is not None and states is not None else {}
            while left:
                since = _state_before(within, min(opened[name] for name in left))
                resumed = None if since is None else (since, within[since])
                walk = TableWalk(replay, house, table, day, carried=states, resumed=resumed)
                seeing = _Seeing(walk, left.copy())
                walk.on_step = seeing.follow
                for result in walk.rounds():
                    if result.round in left:
                        yield seeing.round(result, amended)
                        left.remove(result.round)
                        following = min((opened[name] for name in left), default=0)
                        if not left or (_state_before(within, following) or 0) > result.opened_at:
                            break
                else:
                    break


def _opened(replay: Replay, round_: str) -> int:
    """When a round opened, by merge time."""
    ref = parse_round_id(round_)
    return replay.merged_at(ref.stream, ref.seq) or 0


def _state_before(states: Mapping[int, bytes], moment: int) -> int | None:
    """When the last state was kept that holds at a moment."""
    return max((at for at in states if at <= moment), default=None)


@dataclass(slots=True)
class _Seeing:
    """Keeps the facts of the round that a walk is in."""

    walk: TableWalk
    wanted: Collection[str]
    steps: list[FactStep] = field(default_factory=list)
    before: list[FactStep] = field(default_factory=list)
    wheel: WheelPlaced | None = None
    since: int = 0

    def __post_init__(self) -> None:
        replay, kinds = self.walk.replay, ("WheelPlaced",)
        own = replay.tables()[self.walk.table]
        streams = [one for one in replay.streams_with(kinds) if one in own]
        begins = self.walk.day.begins
        self.since = begins if self.walk.resumed is None else self.walk.resumed[0]
        for step in replay.walk(streams, until=self.since, only=kinds):
            if isinstance(step, FactStep) and isinstance(step.fact, WheelPlaced):
                self.wheel = step.fact

    def follow(self, step: FactStep) -> None:
        """Take a fact; those before the round that is open now are let go."""
        if self.steps and isinstance(self.steps[-1].fact, BettingOpened):
            self.before = self.steps[:-1] if self.walk.play.late is not None else []
            del self.steps[:-1]
        elif self.walk.play.round is None:
            self.steps.clear()
        self.steps.append(step)
        held = self.walk.play.round  # the play has not taken the fact: it may close this round
        late = self.walk.play.late
        refs = [now.ref for now in (late, held) if now is not None]
        if isinstance(step.fact, BettingOpened):
            refs.append(ref_of(step.fact))
        self.walk.play.explain = any(round_id(one) in self.wanted for one in refs)
        if isinstance(step.fact, WheelPlaced) and step.at >= self.since:
            self.wheel = step.fact

    def round(self, result: RoundResult, amended: tuple[Amended, ...]) -> SeenRound:
        """The round that has just closed."""
        opened = parse_round_id(result.round)
        own = steps_of(result, self.before, self.steps)
        keys = [ref_of(step.fact) for step in own]
        first = keys.index(opened) if opened in keys else 0
        steps = tuple(own[first : first + result.facts])
        capture = self.walk.play.capture
        return SeenRound(
            result=result,
            steps=steps,
            wheel=self.wheel,
            capture=capture.value.lower() if capture else None,
            amended=tuple(one for one in amended if _touches(one, result, steps)),
        )


def _touches(one: Amended, result: RoundResult, steps: tuple[FactStep, ...]) -> bool:
    """Whether an amended fact is one of the round's, or was withdrawn from its time."""
    fact = one.before
    closed = result.closed_at if result.closed_at is not None else steps[-1].at if steps else 0
    within = result.opened_at <= fact.event_time <= closed
    held = any((step.fact.stream, step.fact.seq) == (fact.stream, fact.seq) for step in steps)
    return held or (within and table_of(fact.stream) == result.table)
