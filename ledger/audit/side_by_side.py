"""A table's play as recorded and as supposed, side by side, until both are the same again.

The supposed play begins with the state of the recorded one. Both go on by the recorded facts, so
that a change runs into later rounds as far as it reaches: downs, lammers, wagers that stand over.
They are the same again where betting opens with equal states; else they end with the table's day.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Final, TypeVar

from ledger.audit.carried import CarriedStates
from ledger.audit.ledger_contract import Day
from ledger.audit.office import HouseRecord
from ledger.audit.table import OpensNext, TableWalk
from ledger.games.room import Room
from ledger.kernel import FactRef, Finding, table_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import FactStep, Replay, Step
from ledger.rounds import Outcome, Pause, RoundResult, WagerResult, net_cents
from ledger.rounds.supposition import Supposition

Value = TypeVar("Value")
LAST: Final = 1 << 62
"""Where a walk stands that has ended: after every moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked about a round.

    Args:
        round: the key of the fact that opened it.
        opens_at: its merge time, microseconds UTC.
        supposed: other facts in the place of recorded ones.
        law: makes the room by whose law the round is judged; None: the law in force. Later rounds
            are judged by the law in force whatever is asked.
        to_day_end: follow both plays to the end of the day, even if they are the same before.
    """

    round: FactRef
    opens_at: int
    supposed: Supposition = field(default_factory=Supposition)
    law: Callable[[Room], Room] | None = None
    to_day_end: bool = False


@dataclass(frozen=True, slots=True)
class WagerPair:
    """A wager as recorded and as supposed; None where it is not in the round."""

    recorded: WagerResult | None
    supposed: WagerResult | None

    @property
    def either(self) -> WagerResult:
        """The wager as recorded, else as supposed."""
        wager = self.recorded or self.supposed
        assert wager is not None
        return wager

    @property
    def due_cents(self) -> tuple[int | None, int | None]:
        """What the patron is up by the rules, as recorded and as supposed; None if unknown."""
        return _due(self.recorded), _due(self.supposed)

    @property
    def more_cents(self) -> int | None:
        """How much more the patron is due as supposed, in cents; None if either is unknown."""
        recorded, supposed = self.due_cents
        return None if recorded is None or supposed is None else supposed - recorded

    @property
    def settled_more_cents(self) -> int:
        """How much more the house's own acts come to for the patron as supposed, in cents."""
        sides = (None if side is None else side.observed for side in (self.recorded, self.supposed))
        recorded, supposed = (0 if side is None else net_cents(side) or 0 for side in sides)
        return supposed - recorded


def _due(wager: WagerResult | None) -> int | None:
    """What a patron is up by a wager; nothing where it is not in the round, or stands over."""
    if wager is None or wager.expected.outcome is Outcome.STANDS:
        return 0
    return net_cents(wager.expected)


def _substance(wager: WagerResult | None) -> tuple[object, ...] | None:
    """What a wager comes to on both sides, and by which sections; not what was shown."""
    if wager is None:
        return None
    house = wager.observed
    done = None if house is None else (house.outcome, house.winnings_cents, house.stake_taken_cents)
    bet = wager.wager, wager.picks, wager.stake_cents, wager.late, wager.in_doubt, wager.coupons
    due = wager.expected
    owed = due.outcome, due.winnings_cents, due.stake_taken_cents, due.citations
    return *bet, *owed, done, wager.odds, wager.factor, wager.difference_cents


@dataclass(frozen=True, slots=True)
class RoundPair:
    """A round as recorded and as supposed; None where there is no such round."""

    recorded: RoundResult | None
    supposed: RoundResult | None

    @property
    def either(self) -> RoundResult:
        """The round as recorded, else as supposed."""
        result = self.recorded or self.supposed
        assert result is not None
        return result

    def wagers(self) -> Iterator[WagerPair]:
        """Yield the wagers that differ, in the order in which they were placed."""
        pairs = _paired(
            {wager.wager_id: wager for wager in self.recorded.wagers} if self.recorded else {},
            {wager.wager_id: wager for wager in self.supposed.wagers} if self.supposed else {},
        )
        for recorded, supposed in pairs.values():
            if _substance(recorded) != _substance(supposed):
                yield WagerPair(recorded, supposed)

    @property
    def findings(self) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
        """The findings that only the record has, and those that only the supposition has."""
        return differing(
            self.recorded.findings if self.recorded else (),
            self.supposed.findings if self.supposed else (),
        )

    @property
    def differs(self) -> bool:
        """Whether anything of it is another."""
        return self.recorded != self.supposed


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What a question about a round comes to.

    Args:
        asked: the round itself.
        later: the other rounds that differ, in the order in which they ended.
        outside: findings outside of rounds: only as recorded, only as supposed.
        followed: how many rounds were compared.
        joined_at: where both plays are the same again: the key of the fact that opens the next
            round; None: they still differ when the table's day ends, or were followed to its end.
        alike: whether the plays were the same again at the end.
    """

    asked: RoundPair
    later: tuple[RoundPair, ...]
    outside: tuple[tuple[Finding, ...], tuple[Finding, ...]]
    followed: int
    joined_at: FactRef | None
    alike: bool

    @property
    def rounds(self) -> tuple[RoundPair, ...]:
        """The rounds that differ, the one that is asked about first."""
        return tuple(pair for pair in (self.asked, *self.later) if pair.differs)

    @property
    def more_cents(self) -> int:
        """How much more the patrons would be due in all, in cents, as far as that is known."""
        return sum(pair.more_cents or 0 for each in self.rounds for pair in each.wagers())

    @property
    def settled_more_cents(self) -> int:
        """How much more the house's own acts come to for the patrons as supposed, in cents."""
        return sum(pair.settled_more_cents for each in self.rounds for pair in each.wagers())

    @property
    def unknown(self) -> int:
        """Of how many differing wagers an amount is unknown."""
        return sum(pair.more_cents is None for each in self.rounds for pair in each.wagers())


@dataclass(frozen=True, slots=True)
class Start:
    """Whence both plays are followed.

    Args:
        replay: the ledger's replay.
        house: the house's facts, with the coupons; the supposed play may have other ones.
        day: the gaming day of the round.
        carried: folder for carried states; None replays the table from the beginning.
        resumed: since when to walk, and the state then, as for ``TableWalk``.
    """

    replay: Replay
    house: HouseRecord
    day: Day
    carried: Path | None = None
    resumed: tuple[int, bytes] | None = None

    def walk(self, table: str, explains_from: int, house: HouseRecord | None = None) -> TableWalk:
        """Return a walk of a table.

        Args:
            table: which table.
            explains_from: the merge time from which on each wager is explained.
            house: the house's facts; None: as recorded.
        """
        house = house or self.house
        states = None
        if self.carried is not None:
            states = CarriedStates(self.carried, self.replay, house.office)
        walk = TableWalk(self.replay, house, table, self.day, carried=states, resumed=self.resumed)

        def explain(step: Step) -> None:
            if isinstance(step, FactStep) and step.at >= explains_from:
                walk.play.explain = True

        walk.on_step = explain
        return walk


def compare(start: Start, question: Question, house: HouseRecord | None = None) -> Comparison:
    """Follow both plays, and return what differs.

    Args:
        start: whence they are followed; before the round opens.
        question: what is asked.
        house: the house's facts as supposed; None: as recorded.

    Raises:
        LookupError: the round is not among those of the day.
    """
    table = table_of(question.round.stream)
    recorded = start.walk(table, question.opens_at)
    supposed = start.walk(table, question.opens_at, house)
    supposed.retold = question.supposed.apply
    sides = Side(recorded), Side(supposed, question)
    joined_at = _follow(sides, question, _last_moment(start.replay, question))
    pairs = [RoundPair(*pair) for pair in _paired(sides[0].results, sides[1].results).values()]
    name = str(question.round)
    asked = next((pair for pair in pairs if pair.either.round == name), None)
    if asked is None:
        raise LookupError(name)
    after = pairs[pairs.index(asked) :]
    return Comparison(
        asked=asked,
        later=tuple(pair for pair in pairs if pair is not asked and pair.differs),
        outside=differing(recorded.findings, supposed.findings),
        followed=len(after),
        joined_at=joined_at,
        alike=sides[0].is_alike(sides[1]),
    )


@dataclass(slots=True)
class Side:
    """One of the two plays, followed from one opening of betting to the next.

    Args:
        walk: its walk.
        question: by whose law a round is judged; None: the law in force.
    """

    walk: TableWalk
    question: Question | None = None
    results: dict[str, RoundResult] = field(default_factory=dict)
    opens: OpensNext = field(default=OpensNext(FactRef("", 0), -1))
    _stretches: Iterator[RoundResult | OpensNext | Pause] = field(init=False)
    _by_other_law: bool = False

    def __post_init__(self) -> None:
        self._stretches = self.walk.stretches()

    def go_on(self) -> None:
        """Follow the play until betting is about to open, or the table's day ends."""
        for step in self._stretches:
            if isinstance(step, OpensNext):
                self.opens = step
                self._change_law(step.ref)
                return
            if isinstance(step, RoundResult):
                self.results[step.round] = step
        self.opens = OpensNext(FactRef("", 0), LAST)

    def is_alike(self, other: Side) -> bool:
        """Whether both plays know the same and have found the same."""
        orders, others = self.walk.orders, other.walk.orders
        ours, theirs = orders.play, others.play
        same_findings = ours.findings_so_far() == theirs.findings_so_far()
        same_doubts = ours.state.doubts_reported == theirs.state.doubts_reported
        return same_findings and same_doubts and orders.known() == others.known()

    def _change_law(self, opens: FactRef) -> None:
        """Judge the round that is asked about by its law, and whatever follows by that in force."""
        question = self.question
        if question is None or question.law is None:
            return
        if opens == question.round:
            self.walk.orders.judge_by(question.law)
            self._by_other_law = True
        elif self._by_other_law:
            self.walk.orders.judge_by(lambda room: self.walk.rooms[room.game])
            self._by_other_law = False


def _follow(sides: tuple[Side, Side], question: Question, last: int) -> FactRef | None:
    """Follow both plays; return where they are the same again, None if they are not."""
    for side in sides:
        side.go_on()
    while min(side.opens.at for side in sides) < LAST:
        first, second = (side.opens for side in sides)
        handed_out = str(question.round) in sides[0].results
        beyond = first == second and first.at > last and not question.to_day_end
        if handed_out and beyond and sides[0].is_alike(sides[1]):
            return first.ref
        behind = min(first.at, second.at)
        for side in [side for side in sides if side.opens.at == behind]:
            side.go_on()
    return None


def _last_moment(replay: Replay, question: Question) -> int:
    """The last merge time of a supposed fact or of what one follows; else of the opening."""
    refs = [fact.ref for fact in question.supposed.facts]
    refs += [fact.after for fact in question.supposed.facts if fact.after is not None]
    moments = (replay.merged_at(ref.stream, ref.seq) or 0 for ref in refs)
    return max((question.opens_at, *moments))


def differing(
    recorded: Iterable[Finding], supposed: Iterable[Finding]
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Return the findings that only the first has, and those that only the second has."""
    ours, theirs = list(recorded), list(supposed)
    first, second = Counter(map(repr, ours)), Counter(map(repr, theirs))
    return _beyond(ours, second), _beyond(theirs, first)


def _beyond(findings: Iterable[Finding], others: Counter[str]) -> tuple[Finding, ...]:
    left = Counter(others)
    beyond = []
    for finding in findings:
        text = repr(finding)
        if left[text]:
            left[text] -= 1
        else:
            beyond.append(finding)
    return tuple(beyond)


def _paired(
    recorded: Mapping[str, Value], supposed: Mapping[str, Value]
) -> dict[str, tuple[Value | None, Value | None]]:
    """Return the values of both by name, those of the record first."""
    names = dict.fromkeys((*recorded, *supposed))
    return {name: (recorded.get(name), supposed.get(name)) for name in names}
