"""One round with all that a page about it needs: result, facts, gaps, cameras, wheel, clocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from itertools import takewhile
from typing import Final

from ledger import events
from ledger.audit import Mark, RoundAccounts, gaps_within
from ledger.house.clocks import Clocks
from ledger.kernel import FactRef, ref_of, table_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import Amended, DoubtBegins, FactStep, Replay, Step
from ledger.rounds import RoundResult, TablePlay, steps_of

CLOSING: Final = (events.NoMoreBetsAnnounced, events.DiceThrownByHand)
"""The facts after which no wager may be made; a game of three dice closes by the throw."""
WAGERING: Final = (
    *(
        events.WagerPlaced,
        events.WagerIncreased,
        events.WagerMoved,
        events.WagerTakenDown,
        events.WagerReturned,
        events.CouponAccepted,
    ),
)
"""The facts of which a verdict asks whether they came before or after betting closed."""
LASTING: Final = ("CameraAssigned", "CameraLost", "CameraRestored", "WheelPlaced")
"""The events of which a round shows what earlier ones left behind."""


@dataclass(slots=True)
class CameraView:
    """A camera of a table: what it covers, since when, and when its picture was lost.

    Times are microseconds UTC; a loss that ends with None had not ended.
    """

    camera: str
    covers: str | None
    since: int
    losses: list[tuple[int, int | None]] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Since:
    """How long after the close of betting a fact came, in microseconds.

    ``uncertainty`` is how far the two clocks may be apart together; None where one terminal
    recorded both.
    """

    closing: events.Fact
    micros: int
    uncertainty: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView:
    """A round and what was seen of it, in merged order, from its betting-opened fact on.

    ``gaps`` are the facts that are missing or in conflict within its time, ``assumed`` the same
    round as it would be judged if what is missing had changed nothing, None where nothing is
    missing or that decides nothing; ``since`` says how long after betting closed each wager came.
    """

    result: RoundResult
    steps: tuple[FactStep, ...]
    gaps: tuple[DoubtBegins, ...] = ()
    wheel: events.WheelPlaced | None = None
    capture: str | None = None
    amended: tuple[Amended, ...] = ()
    cameras: tuple[CameraView, ...] = ()
    since: Mapping[FactRef, Since] = field(default_factory=dict)
    assumed: RoundResult | None = None
    marks: tuple[Mark, ...] = ()
    accounts: RoundAccounts | None = None
    """What recordings show of it; ``result`` is then the round as the verdict has it."""

    @property
    def ends_at(self) -> int:
        """When it closed, or when its last fact happened, in microseconds UTC."""
        if self.result.closed_at is not None:
            return self.result.closed_at
        return self.steps[-1].at if self.steps else self.result.opened_at


@dataclass(slots=True)
class LastingFacts:
    """The facts of ``LASTING`` of tables, for who asks for many rounds of one ledger.

    They are read once for a table, and again where one more came or was amended.
    """

    _sizes: dict[str, int] = field(default_factory=dict)
    _steps: dict[str, list[FactStep]] = field(default_factory=dict)

    def before(self, replay: Replay, table: str, at: int) -> Iterator[FactStep]:
        """Give the facts of a table before a moment (microseconds UTC), in merged order.

        Args:
            replay: the ledger's replay; it may have grown since it was asked last.
            table: which table.
            at: the moment.
        """
        own = replay.tables().get(table, ())
        size = self._sizes.get(table)
        arrived = {} if size in (None, replay.size) else replay.arrived_since(size, LASTING)
        if size is None or any(stream in arrived for stream in own):
            self._steps[table] = [*_lasting_steps(replay, own, None)]
        self._sizes[table] = replay.size
        return takewhile(lambda step: step.at < at, self._steps[table])


def _lasting_steps(replay: Replay, own: Iterable[str], until: int | None) -> Iterator[FactStep]:
    streams = frozenset(own).intersection(replay.streams_with(LASTING))
    for step in replay.walk(sorted(streams), until=until, only=LASTING):
        if isinstance(step, FactStep):
            yield step


@dataclass(slots=True)
class RoundWatch:
    """Follows one table and keeps what a page about its open round needs."""

    clocks: Clocks
    amended: tuple[Amended, ...] = ()
    steps: list[FactStep] = field(default_factory=list)
    before: list[FactStep] = field(default_factory=list)
    """The facts before the open round, while the one before it is kept back."""
    gaps: list[DoubtBegins] = field(default_factory=list)
    wheel: events.WheelPlaced | None = None
    cameras: dict[str, CameraView] = field(default_factory=dict)

    @classmethod
    def begin(
        cls,
        replay: Replay,
        table: str,
        clocks: Clocks,
        amended: Iterable[Amended],
        at: int | None,
        lasting: LastingFacts | None = None,
    ) -> RoundWatch:
        """A watch that begins at a moment and knows what earlier facts of the table left behind.

        Args:
            replay: the ledger's replay.
            table: which table.
            clocks: the terminals' clocks as registered and checked.
            amended: the facts of the ledger that amendments changed.
            at: in microseconds UTC; None begins with the table's first fact.
            lasting: what is known of earlier facts; None reads them.
        """
        watch = cls(clocks, tuple(amended))
        if at is not None and lasting is not None:
            earlier = lasting.before(replay, table, at)
        elif at is not None:
            earlier = _lasting_steps(replay, replay.tables().get(table, ()), at)
        else:
            earlier = iter(())
        for step in earlier:
            watch._keep_lasting(step)
        return watch

    def take(self, step: Step, play: TablePlay) -> None:
        """Follow one step before the play takes it; facts of closed rounds are let go.

        Args:
            step: a fact, or the beginning or end of a gap.
            play: the table's play as it is before the step.
        """
        if isinstance(step, DoubtBegins):
            self.gaps.append(step)
        if not isinstance(step, FactStep):
            return
        state = play.state
        if (
            state.round is not None
            and self.steps
            and state.round.ref == ref_of(self.steps[-1].fact)
        ):
            self.before = self.steps[:-1] if state.late is not None else []
            del self.steps[:-1]
        elif state.round is None and state.late is None:
            self.steps.clear()
        self.steps.append(step)
        self._keep_lasting(step)

    def _keep_lasting(self, step: FactStep) -> None:
        fact, at = step.fact, step.at
        match fact:
            case events.WheelPlaced():
                self.wheel = fact
            case events.CameraAssigned():
                self.cameras[fact.camera] = CameraView(fact.camera, fact.covers, at)
            case events.CameraLost():
                self._view(fact.camera, at).losses.append((at, None))
            case events.CameraRestored():
                losses = self._view(fact.camera, at).losses
                if losses and losses[-1][1] is None:
                    losses[-1] = (losses[-1][0], at)

    def _view(self, camera: str, at: int) -> CameraView:
        return self.cameras.setdefault(camera, CameraView(camera, None, at))

    def round(self, result: RoundResult, capture: str | None) -> RoundView:
        """The round that has just closed, with what was kept of it."""
        steps = tuple(steps_of(result, self.before, self.steps))
        ends = result.closed_at or (steps[-1].at if steps else result.opened_at)
        return RoundView(
            result=result,
            steps=steps,
            gaps=gaps_within(result, steps, self.gaps),
            wheel=self.wheel,
            capture=capture,
            amended=tuple(
                change for change in self.amended if _touches(change, result, steps, ends)
            ),
            cameras=tuple(_cameras(self.cameras.values(), result.opened_at, ends)),
            since=dict(_since(steps, self.clocks)),
        )


def _touches(change: Amended, result: RoundResult, steps: tuple[FactStep, ...], ends: int) -> bool:
    """Whether an amended fact is one of the round's, or was withdrawn from its time."""
    before = change.before
    within = result.opened_at <= before.event_time <= ends
    is_here = any(ref_of(step.fact) == ref_of(before) for step in steps)
    return is_here or (within and table_of(before.stream) == result.table)


def _cameras(views: Iterable[CameraView], begins: int, ends: int) -> Iterator[CameraView]:
    """The cameras of a round, each with the losses that fall into it."""
    for view in sorted(views, key=lambda view: view.camera):
        if view.since <= ends:
            losses = [
                (lost, back)
                for lost, back in view.losses
                if lost <= ends and (back is None or back >= begins)
            ]
            yield CameraView(view.camera, view.covers, view.since, losses)


def _since(steps: Iterable[FactStep], clocks: Clocks) -> Iterator[tuple[FactRef, Since]]:
    """How long after the last close of betting each wager of a round came."""
    closing: events.Fact | None = None
    for step in steps:
        fact = step.fact
        if isinstance(fact, CLOSING):
            closing = fact
        elif closing is not None and isinstance(fact, WAGERING):
            micros = fact.event_time - closing.event_time
            apart: int | None = None
            if fact.source != closing.source:
                apart = sum(clocks.uncertainty(f.stream, f.event_time) for f in (closing, fact))
            yield ref_of(fact), Since(closing=closing, micros=micros, uncertainty=apart)
