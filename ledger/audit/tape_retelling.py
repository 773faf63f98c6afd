"""The facts of a round as an observation of its recording tells them: in place of the terminal's.

What the observation shows takes the place of what was recorded; what it cannot show stays. Where
facts were lost, what they would have said is put in: the opening of betting, wagers, throws, spins
and hands. Inserted facts have numbers that no terminal gives: nothing is taken for a record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from typing import Any, Final, TypeVar

from ledger import events
from ledger.games.room import Room
from ledger.kernel import FactRef, ref_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import DoubtBegins, FactStep, Step

INSERTED: Final = 1 << 50
"""The first number of inserted facts; no terminal comes that far."""
THROWS: Final = (events.DiceThrown, events.DiceThrownByHand)
RESULTS: Final = (
    *(events.RollCalled, events.SpinCalled, events.ResultAnnounced, events.ValuesEntered),
    *(events.WagerSettled, events.NoRollCalled, events.SpinVoided, events.RoundVoided),
)
"""The facts before which an outcome must have been there."""
CHANGES: Final = (
    *(events.WagerIncreased, events.WagerMoved, events.WagerTakenDown, events.TakeDownRefused),
    events.WagerReturned,
)
"""What happened to a wager between its placing and the close of betting."""

Part = TypeVar("Part")
Showing = TypeVar("Showing", events.Die, events.ThrownDie)


@dataclass(slots=True)
class Retelling:
    """One round told again.

    Args:
        fact: the observation.
        own: the facts of the round as recorded, in merged order.
        room: its game.
        gaps: where facts of it were lost.
        wheel: the wheel in use; None where the game has none.
        standing: ids of the wagers on record, those of earlier rounds among them.
    """

    fact: events.RoundObserved
    own: Sequence[FactStep]
    room: Room
    gaps: Sequence[DoubtBegins] = ()
    wheel: events.WheelPlaced | None = None
    standing: frozenset[str] = frozenset()
    retold: dict[FactRef, list[FactStep]] = field(init=False)
    """By recorded fact, what is told in its place."""
    _inserted: int = 0

    def __post_init__(self) -> None:
        self.retold = {ref_of(step.fact): [step] for step in self.own}
        self._open()
        self._tell_wagers()
        if self.fact.throws is not None:
            self._tell_throws(self.fact.throws)
        if self.fact.spins is not None:
            self._tell_spins(self.fact.spins)
        for hand in self.fact.hands or ():
            self._tell_hand(hand)
        self._tell_payments()

    def steps(self, walked: Iterable[Step]) -> Iterator[Step]:
        """Yield the steps of a walk with this round as it is told."""
        for step in walked:
            if not isinstance(step, FactStep) or ref_of(step.fact) not in self.retold:
                yield step
                continue
            for instead in self.retold[ref_of(step.fact)]:
                yield instead._replace(at=step.at)

    @property
    def opened(self) -> FactRef:
        """The fact that opens the round as it is told."""
        first = self.retold[ref_of(self.own[0].fact)][0]
        return ref_of(first.fact)

    # --- what is put in -------------------------------------------------------------------------

    def _open(self) -> None:
        first = self.own[0]
        if self.gaps and not isinstance(first.fact, events.BettingOpened):
            opened = events.BettingOpened(**self._head(first))
            self.retold[ref_of(first.fact)].insert(0, _step(opened, first))

    def _head(self, beside: FactStep) -> dict[str, Any]:
        """What an inserted fact begins with, as if the same terminal had recorded it then."""
        self._inserted += 1
        return {
            "stream": beside.fact.stream, "seq": INSERTED + self._inserted,
            "event_time": beside.fact.event_time, "source": beside.fact.source,
            "recorded_by": None,
        }  # fmt: skip

    def _before(self, anchor: FactStep, fact: events.Fact) -> None:
        """Put a fact in right before a recorded one."""
        steps = self.retold[ref_of(anchor.fact)]
        place = next((n for n, step in enumerate(steps) if step.fact.seq < INSERTED), len(steps))
        steps.insert(place, _step(fact, anchor))

    def _after(self, anchor: FactStep, fact: events.Fact) -> None:
        """Put a fact in after a recorded one, behind what was put in there before."""
        self.retold[ref_of(anchor.fact)].append(_step(fact, anchor))

    def _outcome_goes_before(self) -> FactStep | None:
        """The recorded fact that an outcome must come before; None where no such was recorded."""
        return next((step for step in self.own if isinstance(step.fact, RESULTS)), None)

    def _last_of_betting(self) -> FactStep:
        betting = (events.BettingOpened, events.WagerPlaced, *CHANGES, events.NoMoreBetsAnnounced)
        steps = [step for step in self.own if isinstance(step.fact, betting)]
        return steps[-1] if steps else self.own[0]

    def _put_outcome(self, kind: type[events.Fact], **fields: Any) -> None:
        """Put a throw, spin or hand in where the record has none."""
        anchor = self._outcome_goes_before()
        beside = anchor or self._last_of_betting()
        closing = events.NoMoreBetsAnnounced
        announces = any(step.fact is closing for step in self.room.phases)
        if announces and not self._has(closing) and self.gaps:
            self._place(anchor, beside, closing(**self._head(beside), announced_by=None, role=None))
        self._place(anchor, beside, kind(**self._head(beside), **fields))

    def _place(self, anchor: FactStep | None, beside: FactStep, fact: events.Fact) -> None:
        if anchor is None:
            self._after(beside, fact)
        else:
            self._before(anchor, fact)

    def _has(self, kind: type[events.Fact]) -> bool:
        return any(isinstance(step.fact, kind) for told in self.retold.values() for step in told)

    # --- wagers ---------------------------------------------------------------------------------

    def _tell_wagers(self) -> None:
        for number, seen in enumerate(self.fact.wagers or (), 1):
            placed = [step for step in self.own if _is_placed(step.fact, seen.wager_id)]
            if seen.wager_id is None or (not placed and seen.wager_id not in self.standing):
                self._put_wager(number, seen)
            elif seen.stake_cents == 0:
                self._drop(step for step in self.own if _wager_of(step.fact) == seen.wager_id)
            elif placed:
                self._change_wager(placed[0], seen)

    def _put_wager(self, number: int, seen: events.ObservedWager) -> None:
        if not seen.stake_cents:
            return
        anchor = self.own[0]
        placed = events.WagerPlaced(
            **self._head(anchor), wager_id=wager_id_of(number, seen), position=seen.position,
            patron=None, wager=seen.wager, picks=seen.picks, stake_cents=seen.stake_cents,
            instrument=events.Instrument.CHIPS, coupons=(),
        )  # fmt: skip
        steps = self.retold[ref_of(anchor.fact)]  # right after the opening, behind those before
        at = 1
        while at < len(steps) and isinstance(steps[at].fact, events.WagerPlaced):
            at += 1
        steps.insert(at, _step(placed, anchor))

    def _change_wager(self, placed: FactStep, seen: events.ObservedWager) -> None:
        was = placed.fact
        assert isinstance(was, events.WagerPlaced)
        instead = replace(
            was,
            position=was.position if seen.position is None else seen.position,
            wager=seen.wager,
            picks=seen.picks,
            stake_cents=was.stake_cents if seen.stake_cents is None else seen.stake_cents,
        )
        self._instead(placed, instead)
        if seen.stake_cents is not None:
            self._drop(
                step
                for step in self.own
                if isinstance(step.fact, CHANGES) and _wager_of(step.fact) == was.wager_id
            )

    def _tell_payments(self) -> None:
        for number, seen in enumerate(self.fact.wagers or (), 1):
            if not payment_seen(seen) or seen.stake_cents == 0:
                continue
            wager_id = wager_id_of(number, seen)
            settled = [
                step
                for step in self.own
                if isinstance(step.fact, events.WagerSettled) and step.fact.wager_id == wager_id
            ]
            if not settled:
                anchor = self.own[-1]
                payment = events.WagerSettled(
                    **self._head(anchor), wager_id=wager_id, **_payment_of(seen)
                )
                self._after(anchor, payment)
                continue
            first = settled[0]
            assert isinstance(first.fact, events.WagerSettled)
            self._instead(first, replace(first.fact, **_payment_of(seen)))
            self._drop(settled[1:])

    # --- outcomes -------------------------------------------------------------------------------

    def _tell_throws(self, throws: Sequence[events.ObservedThrow]) -> None:
        recorded = [step for step in self.own if isinstance(step.fact, THROWS)]
        known = [recorded_faces(step.fact) for step in recorded]
        places = aligned([_faces(throw) for throw in throws], known)
        for throw, place in zip(throws, places, strict=True):
            if place is not None:
                step = recorded[place]
                self._instead(step, _thrown(step.fact, throw))
        self._drop(step for n, step in enumerate(recorded) if n not in places)
        for number, (throw, place) in enumerate(zip(throws, places, strict=True)):
            if place is None:
                following = next((at for at in places[number + 1 :] if at is not None), None)
                self._put_throw(throw, None if following is None else recorded[following])

    def _put_throw(self, throw: events.ObservedThrow, following: FactStep | None) -> None:
        by_hand = any(step.fact is events.DiceThrownByHand for step in self.room.phases)
        kind = events.DiceThrownByHand if by_hand else events.DiceThrown
        fields = _by_hand(throw) if by_hand else _from_shaker(throw)
        if following is None:
            self._put_outcome(kind, **fields)
            return
        ends = [step for step in self.own if step.at <= following.at and self._ends_a_gap(step)]
        anchor = ends[-1] if ends else following
        self._before(anchor, kind(**self._head(anchor), **fields))

    def _ends_a_gap(self, step: FactStep) -> bool:
        return any(
            gap.stream == step.fact.stream and gap.last_seq + 1 == step.fact.seq
            for gap in self.gaps
        )

    def _tell_spins(self, spins: Sequence[events.ObservedSpin]) -> None:
        recorded = [step for step in self.own if isinstance(step.fact, events.WheelSpun)]
        known = [self._symbol(step.fact) for step in recorded]
        places = aligned([spin.symbol for spin in spins], known)
        for spin, place in zip(spins, places, strict=True):
            section = self._section(spin, None if place is None else recorded[place].fact)
            if spin.symbol is None:
                continue
            if place is None:
                self._put_outcome(
                    events.WheelSpun, started_time=None, direction=None,
                    revolutions_thousandths=spin.revolutions_thousandths,
                    clapper=events.Clapper.IN_SECTION, section=section, between=None,
                    symbols=(spin.symbol,), spun_by=None, role=None,
                )  # fmt: skip
                continue
            spun = recorded[place].fact
            assert isinstance(spun, events.WheelSpun)
            if spin.revolutions_thousandths is not None:
                spun = replace(spun, revolutions_thousandths=spin.revolutions_thousandths)
            if spin.symbol != known[place]:
                spun = replace(
                    spun, section=section, symbols=(spin.symbol,), between=None,
                    clapper=events.Clapper.IN_SECTION,
                )  # fmt: skip
            self._instead(recorded[place], spun)
        self._drop(step for n, step in enumerate(recorded) if n not in places)

    def _symbol(self, fact: events.Fact) -> str | None:
        return symbol_of(fact, self.wheel)

    def _section(self, spin: events.ObservedSpin, recorded: events.Fact | None) -> int | None:
        """The index of a section that shows the symbol; the recorded one where it does."""
        sections = self.wheel.sections if self.wheel is not None else ()
        if isinstance(recorded, events.WheelSpun) and self._symbol(recorded) == spin.symbol:
            return recorded.section
        return next((n for n, symbol in enumerate(sections) if symbol == spin.symbol), None)

    def _tell_hand(self, hand: events.ObservedHand) -> None:
        cards = cards_of_hand(hand)
        steps = [
            step
            for step in self.own
            if isinstance(step.fact, events.HandSet) and step.fact.position == hand.position
        ]
        for step in self.own:
            fact = self._now(step)
            if cards is None:
                break
            if isinstance(fact, events.CardsDealt):
                self._instead(step, replace(fact, stacks=_stacks(fact, hand.position, cards)))
            elif _exposes_all(fact, hand.position):
                assert isinstance(fact, events.HandExposed)
                self._instead(step, replace(fact, cards=cards, count=len(cards)))
        for step in steps:
            fact = step.fact
            assert isinstance(fact, events.HandSet)
            self._instead(
                step,
                replace(
                    fact,
                    high=fact.high if hand.high is None else hand.high,
                    medium=fact.medium if hand.medium is None else hand.medium,
                    low=fact.low if hand.low is None else hand.low,
                ),
            )
        if not steps:
            self._put_outcome(
                events.HandSet, position=hand.position, role=None, set_by=None, high=hand.high,
                medium=hand.medium, low=hand.low, reset=None,
            )  # fmt: skip

    # --- changing what is told ------------------------------------------------------------------

    def _now(self, step: FactStep) -> events.Fact:
        """What is told so far in the place of a fact; the fact itself if it was dropped."""
        ref = ref_of(step.fact)
        return next((one.fact for one in self.retold[ref] if ref_of(one.fact) == ref), step.fact)

    def _instead(self, step: FactStep, fact: events.Fact) -> None:
        ref = ref_of(step.fact)
        self.retold[ref] = [
            one._replace(fact=fact) if ref_of(one.fact) == ref else one for one in self.retold[ref]
        ]

    def _drop(self, steps: Iterable[FactStep]) -> None:
        for step in steps:
            ref = ref_of(step.fact)
            self.retold[ref] = [one for one in self.retold[ref] if ref_of(one.fact) != ref]


# ---------------------------------------------------------------------------- what is shown


def recorded_faces(fact: events.Fact) -> tuple[int | None, ...]:
    """Return the faces of a recorded throw, in the order of its dice."""
    assert isinstance(fact, THROWS)
    return tuple(die.face for die in fact.dice)


def symbol_of(fact: events.Fact, wheel: events.WheelPlaced | None) -> str | None:
    """Return what the section of a recorded spin shows; None where it rested between two."""
    assert isinstance(fact, events.WheelSpun)
    if wheel is not None and fact.section is not None and fact.section < len(wheel.sections):
        return wheel.sections[fact.section]
    return fact.symbols[0] if fact.symbols is not None and len(fact.symbols) == 1 else None


def cards_of_hand(hand: events.ObservedHand) -> tuple[str, ...] | None:
    """Return all cards of a hand; None where a part of it cannot be seen."""
    if hand.high is None or hand.medium is None or hand.low is None:
        return None
    return (*hand.high, *hand.medium, *hand.low)


def payment_seen(seen: events.ObservedWager) -> bool:
    """Whether it was seen both what was paid and what was collected."""
    return seen.paid_cents is not None and seen.collected_cents is not None


def wager_id_of(number: int, seen: events.ObservedWager) -> str:
    """Return the id of an observed wager; one that is not on record is named by its place."""
    return seen.wager_id if seen.wager_id is not None else f"tape-{number}"


def aligned(seen: Sequence[Part | None], recorded: Sequence[Part | None]) -> list[int | None]:
    """Return for each part that was seen which recorded one it is, None for one that was lost.

    The recorded ones are taken in turn, unless they are fewer and each of them is among those that
    were seen: then the others were lost.

    >>> aligned(["5", "2x", "10"], ["5", "10"]), aligned(["5", "7"], ["6"])
    ([0, None, 1], [0, None])
    """
    if len(recorded) < len(seen):
        places: list[int | None] = []
        taken = 0
        for part in seen:
            fits = taken < len(recorded) and part is not None and part == recorded[taken]
            places.append(taken if fits else None)
            taken += fits
        if taken == len(recorded):
            return places
    return [number if number < len(recorded) else None for number in range(len(seen))]


def _faces(throw: events.ObservedThrow) -> tuple[int | None, ...]:
    return tuple(die.face for die in throw.dice)


def _step(fact: events.Fact, beside: FactStep) -> FactStep:
    return FactStep(fact, beside.position, beside.at)


def _wager_of(fact: events.Fact) -> str | None:
    wager_id = getattr(fact, "wager_id", None)
    return wager_id if isinstance(wager_id, str) else None


def _exposes_all(fact: events.Fact, position: str) -> bool:
    if not isinstance(fact, events.HandExposed) or fact.position != position:
        return False
    return fact.hand is events.WhichHand.ALL


def _is_placed(fact: events.Fact, wager_id: str | None) -> bool:
    return isinstance(fact, events.WagerPlaced) and fact.wager_id == wager_id


def _payment_of(seen: events.ObservedWager) -> dict[str, Any]:
    won, lost = seen.paid_cents or 0, seen.collected_cents or 0
    outcome = events.SettledAs.WON if won else events.SettledAs.LOST
    return {
        "outcome": outcome if won or lost else events.SettledAs.RETURNED,
        "winnings_cents": won,
        "stake_taken_cents": lost,
    }


def _thrown(fact: events.Fact, throw: events.ObservedThrow) -> events.Fact:
    """A recorded throw with the faces that were seen; dice are matched by color where all tell."""
    assert isinstance(fact, THROWS)
    faces = faces_by_die(fact, throw)
    if isinstance(fact, events.DiceThrown):
        return replace(fact, dice=tuple(map(_showing, fact.dice, faces)))
    return replace(fact, dice=tuple(map(_showing, fact.dice, faces)))


def _showing(die: Showing, face: int | None) -> Showing:
    return die if face is None else replace(die, face=face)


def faces_by_die(
    fact: events.DiceThrown | events.DiceThrownByHand, throw: events.ObservedThrow
) -> tuple[int | None, ...]:
    """Return the seen face of each die of a recorded throw: by color where all tell, else in turn.

    None for a die of which no face was seen.
    """
    left = list(throw.dice)
    if all(die.colour is not None for die in (*fact.dice, *left)):
        faces: list[int | None] = []
        for die in fact.dice:
            same = next((one for one in left if one.colour == die.colour), None)
            if same is not None:
                left.remove(same)
            faces.append(None if same is None else same.face)
        if not left:
            return tuple(faces)
    own = _faces(throw)[: len(fact.dice)]
    return (*own, *[None] * (len(fact.dice) - len(own)))


def _from_shaker(throw: events.ObservedThrow) -> dict[str, Any]:
    dice = [
        events.Die(serial=None, colour=die.colour, face=die.face, rest=events.Rest.FLAT)
        for die in throw.dice
    ]
    return {"dice": tuple(dice), "thrown_by": None}


def _by_hand(throw: events.ObservedThrow) -> dict[str, Any]:
    dice = [
        events.ThrownDie(
            serial=None, colour=die.colour, face=die.face, rest=events.ThrowRest.FLAT,
            resting_side=None, leans_on=None, touched=None,
        )
        for die in throw.dice
    ]  # fmt: skip
    return {
        "purpose": None, "position": None, "thrown_by": None, "released_together": None,
        "struck_far_end": None, "dice": tuple(dice),
    }  # fmt: skip


def _stacks(
    fact: events.CardsDealt, position: str, cards: tuple[str, ...]
) -> tuple[events.Stack, ...]:
    return tuple(
        replace(stack, cards=cards) if stack.position == position else stack
        for stack in fact.stacks
    )
