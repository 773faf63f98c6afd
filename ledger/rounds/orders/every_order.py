"""Judge a table's facts in every order that clocks allow: what does not hold in all is unknown.

Two facts of different sources closer than their joint uncertainty have no known order. Where that
may matter, the play is forked: an alternative takes them the other way round and then whatever
comes, until its state is the same as that of the play as recorded. What the two rule differently is
unknown. A walk is read ahead as far as clocks can be off, so that this is known before a round is
closed.
Law: the Ledger contract, L.5. Readings: clock-drift.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, fields, replace
from itertools import islice
from typing import Any, Final, TypeVar

from ledger.events import Fact, WheelSpun
from ledger.games.room import Room
from ledger.house.clocks import Apart
from ledger.kernel import FactRef, Finding, ref_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import FactStep
from ledger.rounds.clock_uncertainty import apart_of
from ledger.rounds.orders.agreement import agree
from ledger.rounds.orders.differences import (
    Key,
    Soon,
    all_unknown,
    key_of,
    opened,
    unsettled,
    weighed,
)
from ledger.rounds.orders.known_order import lying
from ledger.rounds.orders.order_matters import Trial
from ledger.rounds.orders.possible import movers_of, other_orders
from ledger.rounds.play import ENDS, TablePlay
from ledger.rounds.play_state import PlayState
from ledger.rounds.result import RoundResult
from ledger.rounds.round import Round

Walked = TypeVar("Walked")
Known = TypeVar("Known")

ALTERNATIVES: Final = 48
"""How many alternative orders of a table are followed at a time."""
QUIET: Final = 200
"""An order that made no difference in this many rounds in a row is followed no longer."""


class Pause:
    """Where the walk of a record that is still growing pauses."""


PAUSE: Final = Pause()


@dataclass(slots=True, kw_only=True)
class OtherOrder:
    """What is known of another order beside what its play knows.

    Args:
        apart: the interval that leaves the order open.
        ahead: facts that it took and the record has yet to take.
        checked: whether it was compared with the play as recorded.
        quiet: rounds in a row in which it made no difference.
        over: its findings in rounds that the record has ended since.
        ended: its rounds that the record has yet to end, by id.
        loose: its findings outside of rounds.
    """

    apart: Apart
    ahead: set[FactRef]
    checked: bool = False
    quiet: int = 0
    over: dict[Key, Finding] = field(default_factory=dict)
    ended: dict[str, RoundResult] = field(default_factory=dict)
    loose: list[Finding] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class KnownBeside:
    """What is known beside the play as recorded and its alternatives.

    While there are alternatives, ``outside_rounds`` keeps the findings of the play outside of
    rounds, ``ended`` those of rounds that are over. ``crowded`` is set while more orders are open
    than are followed; ``crowds`` are the rounds that ended then and are kept back.
    """

    outside_rounds: list[Finding] = field(default_factory=list)
    ended: dict[Key, Finding] = field(default_factory=dict)
    crowded: Apart | None = None
    rounds_crowded: int = 0
    crowds: dict[str, Apart] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OrdersState:
    """All that a table's play in every order knows: one value, which is kept and taken up again."""

    recorded: PlayState
    beside: KnownBeside
    others: tuple[tuple[OtherOrder, PlayState], ...]


@dataclass(slots=True)
class Alternative(OtherOrder):
    """A play by another order of the facts."""

    play: TablePlay

    def take(self, fact: Fact, at: int) -> None:
        """Take one more fact, in this order; ``at`` is when it was merged, microseconds UTC."""
        self.end(self.play.take(fact, at))

    def end(self, results: Iterable[RoundResult]) -> None:
        """Keep what rounds came to, and the findings outside of any."""
        for result in results:
            self.ended[result.round] = result
        self.loose += self.play.findings
        self.play.findings.clear()

    def findings(self) -> dict[Key, Finding]:
        """Return all findings of this order since it began, by key."""
        unreleased = self.play.findings_so_far()
        ended = [one for result in self.ended.values() for one in result.findings]
        return self.over | {key_of(one): one for one in (*ended, *unreleased, *self.loose)}

    def weigh(self, result: RoundResult, ours: Mapping[Key, Finding], soon: Soon) -> RoundResult:
        """Return a round as recorded, without what does not hold in this order.

        Args:
            result: the round as recorded.
            ours: all findings of the record since this order began.
            soon: gives the keys of what the record will report of facts that only this order has
                taken.
        """
        theirs = self.findings()
        other = self.ended.pop(result.round, None)
        other_findings = other.findings if other is not None else ()
        self.over.update((key_of(one), one) for one in other_findings)
        findings = weighed(result.findings, other_findings, (ours, theirs), self.apart, soon)
        agreed = replace(unsettled(result, other, self.apart), findings=tuple(findings))
        self.quiet = self.quiet + 1 if agreed == result else 0
        return agreed


@dataclass(slots=True)
class InEveryOrder(KnownBeside):
    """A play as recorded with its alternatives; it takes the place of the play for its caller.

    Args:
        play: the play as recorded.
        coming: the facts that a walk has read ahead.
        queues: the same, by stream.
        furthest: how far the clock of each stream can be off, in microseconds, as far as asked.
        alternatives: the other orders that are followed.
        was_ahead: rounds were passed over, the last of which the record would not have handed out
            before the next round ends.
    """

    play: TablePlay
    reach: int = field(init=False)
    """How far the table's clocks can be off, in microseconds; 0: its order is known."""
    coming: deque[FactStep] = field(default_factory=deque)
    queues: dict[str, deque[FactStep]] = field(default_factory=dict)
    furthest: dict[str, int] = field(default_factory=dict)
    alternatives: list[Alternative] = field(default_factory=list)
    was_ahead: bool = False

    def __post_init__(self) -> None:
        self.reach = self.play.office.clocks.widest(self.play.table)

    def ahead(self, steps: Iterable[Walked]) -> Iterator[Walked]:
        """Yield the steps of a walk as they are, read ahead as far as clocks can be off.

        A pause is passed on at once: what was read ahead waits for what comes after it.
        """
        if not self.reach:
            yield from steps
            return
        waiting: deque[tuple[int, Walked]] = deque()
        at = 0
        for step in steps:
            if isinstance(step, Pause):
                yield step
                continue
            if isinstance(step, FactStep):
                at = step.at
                self.coming.append(step)
                self.queues.setdefault(step.fact.stream, deque()).append(step)
            waiting.append((at, step))
            while waiting[0][0] <= at - self.reach:
                yield self._next(waiting)
        while waiting:
            yield self._next(waiting)

    def _next(self, waiting: deque[tuple[int, Walked]]) -> Walked:
        step = waiting.popleft()[1]
        if isinstance(step, FactStep):
            self.coming.popleft()
            self.queues[step.fact.stream].popleft()
        return step

    def take(self, fact: Fact, at: int) -> Iterable[RoundResult]:
        """Take one fact in every order, and return the rounds that it closes.

        What differs between orders is unknown in the results.

        Args:
            fact: the next fact of the record.
            at: the moment at which it was merged, microseconds UTC; it decides the gaming day.
        """
        coming = self.coming
        if coming and coming[0].at - at < self.reach:
            self._part(fact, at)
        if type(fact) is WheelSpun:
            self._begun(fact, at)
        hands_out = self._hands_out_what_was_passed_over(fact)
        if not self.alternatives and self.crowded is None and not self.crowds:
            return self.play.take(fact, at)
        late = self.play.state.late
        results = list(self.play.take(fact, at))
        ref = ref_of(fact)
        for alternative in self.alternatives:
            if ref in alternative.ahead:
                alternative.ahead.discard(ref)
            else:
                alternative.take(fact, at)
        results = self._judged(results)
        ended = self.play.state.late
        if self.crowded is not None and ended is not None and ended is not late:
            self._crowd_ends(ended)
        if hands_out:
            for alternative in self.alternatives:
                alternative.quiet += 1
        self._join(ended=hands_out or bool(results))
        return results

    def _hands_out_what_was_passed_over(self, fact: Fact) -> bool:
        """Whether the record would hand out the last round that was passed over with this fact."""
        is_due = self.was_ahead and type(fact) in ENDS and self.play.state.round is not None
        self.was_ahead = self.was_ahead and not is_due
        return is_due

    def doubt(self, stream: str, why: str, *, ends: bool) -> None:
        """Note that facts of a stream were lost or conflict.

        Args:
            stream: the stream.
            why: the reason, for people.
            ends: the doubt ends here; otherwise it begins.
        """
        for play in self._plays():
            play.doubt(stream, why, ends=ends)

    def day_ends(self) -> None:
        """End a gaming day: what only later facts would show is judged as of its end."""
        for play in self._plays():
            play.day_ends()

    def judge_by(self, law: Callable[[Room], Room]) -> None:
        """Judge the rounds that open from here on by another law, in every order.

        Args:
            law: returns the room to be judged by in place of the one in force.
        """
        for play in self._plays():
            play.judge_by(law)

    def with_coupons(self) -> bool:
        """Whether coupons lie with wagers in any order; these depend on other tables too."""
        return any(play.with_coupons() for play in self._plays())

    def is_settled(self) -> bool:
        """Whether no other order is followed, and none leaves anything to be weighed."""
        open_ = self.alternatives or self.crowds or self.outside_rounds or self.coming
        return self.crowded is None and not open_

    def _plays(self) -> Iterator[TablePlay]:
        yield from (alternative.play for alternative in self.alternatives)
        yield self.play

    def known(self) -> OrdersState:
        """What is known now, for a state that is kept."""
        others = [(_as(OtherOrder, each), each.play.state) for each in self.alternatives]
        return OrdersState(self.play.state, _as(KnownBeside, self), tuple(others))

    def take_up(self, state: OrdersState) -> None:
        """Go on from a state that was kept."""
        self.play.state = state.recorded
        for field_ in fields(KnownBeside):
            setattr(self, field_.name, getattr(state.beside, field_.name))
        for other, play_state in state.others:
            play = self.play.fork()
            play.state = play_state
            self.alternatives.append(Alternative(play, **_values(OtherOrder, other)))

    def finish(self) -> Iterable[RoundResult]:
        """End the record, and return the rounds that were still to be handed out."""
        results = list(self.play.finish())
        for alternative in self.alternatives:
            alternative.end(alternative.play.finish())
        results = self._judged(results)
        self.release()
        return results

    def release(self) -> None:
        """End every alternative, and give the play its findings outside of rounds back."""
        self._hold()
        for alternative in self.alternatives:
            self._settle(alternative)
        self.play.findings += self.outside_rounds
        self.outside_rounds.clear()
        self.alternatives.clear()
        self.ended.clear()

    # --- what is told -----------------------------------------------------------------------------

    def _hold(self) -> None:
        findings = self.play.findings
        if self.crowded is not None:
            findings = [opened(one, self.crowded) for one in findings]
        self.outside_rounds += findings
        self.play.findings.clear()

    def _all_findings(self) -> dict[Key, Finding]:
        """Return every finding of the play since there are alternatives."""
        unreleased = self.play.findings_so_far()
        return self.ended | {key_of(one): one for one in (*unreleased, *self.outside_rounds)}

    def _judged(self, results: list[RoundResult]) -> list[RoundResult]:
        """Return rounds that are over, without what does not hold in every alternative."""
        self._hold()
        if self.alternatives:
            self.ended.update((key_of(one), one) for r in results for one in r.findings)
        out = []
        for result in results:
            ours = self._all_findings()
            for alternative in self.alternatives:
                ours.update((key_of(one), one) for one in result.findings)
                result = alternative.weigh(result, ours, self._soon)
            if self.alternatives:
                self.ended.update((key_of(one), one) for one in result.findings)
            crowded = self.crowds.pop(result.round, self.crowded)
            out.append(result if crowded is None else all_unknown(result, crowded))
        return out

    def _crowd_ends(self, ended: Round) -> None:
        """Note that a round ended while too many orders were open; the crowd may end with it."""
        assert self.crowded is not None
        self.crowds[str(ended.ref)] = self.crowded
        self.rounds_crowded -= 1
        if self.rounds_crowded <= 0:
            self.crowded = None
            self._forget()

    def _soon(self) -> frozenset[Key]:
        """Return what the play will report of facts that its alternatives have taken already."""
        wanted: set[FactRef] = set().union(*(each.ahead for each in self.alternatives))
        run = Alternative(self.play.fork(), apart=(0, 0), ahead=set())
        for step in self.coming:
            if not wanted:
                break
            run.take(step.fact, step.at)
            wanted.discard(ref_of(step.fact))
        return frozenset(run.findings())

    def _settle(self, alternative: Alternative) -> None:
        """End an alternative: weigh its findings in open rounds and outside of rounds."""
        all_findings = self._all_findings(), alternative.findings()
        those = {
            then.ref: then.findings
            for then in (alternative.play.state.late, alternative.play.state.round)
            if then
        }
        for round_ in (self.play.state.late, self.play.state.round):
            if round_ is not None:
                theirs = those.get(round_.ref, [])
                round_.findings[:] = weighed(
                    round_.findings, theirs, all_findings, alternative.apart
                )
        self.outside_rounds[:] = weighed(
            self.outside_rounds, alternative.loose, all_findings, alternative.apart
        )

    def _forget(self) -> None:
        """Make what unfollowed orders left unknown until it is stated again."""
        for play in self._plays():
            play.forget(play.table)
            standing = (
                play.state.round.book.wagers if play.state.round is not None else play.state.carried
            )
            late = play.state.late.book.wagers if play.state.late is not None else {}
            for wager in (*standing.values(), *late.values()):
                wager.contested = False

    # --- alternatives ----------------------------------------------------------------------------

    def _part(self, fact: Fact, at: int) -> None:
        """Fork the play for each fact to come that may have preceded this one."""
        clocks, step_taken = self.play.office.clocks, FactStep(fact, 0, at)
        open_to = self._open_to(step_taken)
        if not open_to:
            return
        seen: set[tuple[FactRef, ...]] = set()
        trial = Trial(self.play, step_taken, self.reach)
        bound = lying(fact, (step.fact for step, _ in open_to))
        places = {id(step): place for place, step in enumerate(self.coming, 1)}
        for step, apart in open_to:
            if ref_of(step.fact) in bound:
                continue
            between = [step_taken, *islice(self.coming, places[id(step)])]
            movers = movers_of(clocks, between, bound)
            if movers is None or not trial.matters(movers):
                continue
            for order in other_orders(clocks, between, movers):
                refs = tuple(ref_of(one.fact) for one in order)
                if refs not in seen:
                    seen.add(refs)
                    self._follow(order, apart)

    def _open_to(self, step_taken: FactStep) -> list[tuple[FactStep, Apart]]:
        """Return the facts to come that may have preceded this one, in merged order."""
        fact, clocks = step_taken.fact, self.play.office.clocks
        earlier = []
        for stream, queue in self.queues.items():
            if not queue or stream == fact.stream:
                continue
            latest = step_taken.at + self._off(stream) + self._off(fact.stream)
            for step in queue:
                if step.at >= latest:
                    break
                apart = clocks.apart(fact, step.fact)
                if apart is not None:
                    earlier.append((step, apart))
        earlier.sort(key=lambda one: one[0].at)
        return earlier

    def _off(self, stream: str) -> int:
        """Return how far the clock that writes a stream was ever stated or measured to be off."""
        known = self.furthest.get(stream)
        if known is None:
            known = self.furthest[stream] = self.play.office.clocks.furthest(stream)
        return known

    def _follow(self, order: Sequence[FactStep], apart: Apart) -> None:
        if len(self.alternatives) >= ALTERNATIVES:
            self.crowded, self.rounds_crowded = self.crowded or apart, 2
            return
        refs = {ref_of(one.fact) for one in order}
        self._hold()
        alternative = Alternative(
            self.play.fork(), apart=apart, ahead=refs, loose=[*self.outside_rounds]
        )
        for step in order:
            alternative.take(step.fact, step.at)
        self.alternatives.append(alternative)

    def _begun(self, fact: WheelSpun, at: int) -> None:
        """Fork the play for a spin that may have begun before betting closed.

        A spin is recorded when it ends, so its beginning is compared by the clocks.
        """
        open_round = self.play.state.round
        closed = open_round.closed_by if open_round is not None else None
        if fact.started_time is None or closed is None:
            return
        apart = apart_of(self.play.office, closed, replace(fact, event_time=fact.started_time))
        if apart is not None:
            other = closed.event_time + (1 if fact.started_time < closed.event_time else -1)
            self._follow([FactStep(replace(fact, started_time=other), 0, at)], apart)

    def _join(self, *, ended: bool) -> None:
        """Drop the alternatives whose state is the same as that of the play again."""
        kept: list[Alternative] = []
        for alternative in self.alternatives:
            if alternative.ahead or not (ended or not alternative.checked):
                kept.append(alternative)
                continue
            alternative.checked = True
            same = agree(self.play, alternative.play, self.reach)
            if not same and alternative.quiet < QUIET:
                kept.append(alternative)
                continue
            self._settle(alternative)
            if not same:
                self._forget()
        self.alternatives = kept
        if not kept:
            self.release()


def _values(kind: type[Any], known: object) -> dict[str, Any]:
    return {each.name: getattr(known, each.name) for each in fields(kind)}


def _as(kind: type[Known], known: object) -> Known:
    """Only what a kind declares of a value that knows more."""
    return kind(**_values(kind, known))
