"""A round by its accounts: the terminal's, the house's acts, and what a recording shows of it.

The tape's account is judged as the terminal's is, by the same room and the same rules in force, on
the facts as the observation tells them; no account overwrites another. Which one the verdict stands
on is the answer of the register of interpretations.
Law: the Ledger contract, L.11. Readings: tape-and-terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from ledger import events
from ledger.audit.observations import Observation
from ledger.audit.tape_retelling import (
    INSERTED,
    THROWS,
    Retelling,
    aligned,
    cards_of_hand,
    faces_by_die,
    payment_seen,
    recorded_faces,
    symbol_of,
    wager_id_of,
)
from ledger.games import BY_GAME
from ledger.games.room import Room
from ledger.kernel import FactRef, Finding, dollars, ref_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import reading
from ledger.replay import DoubtBegins, FactStep
from ledger.rounds import Outcome, RoundResult, RoundStatus, Settlement, WagerResult

READING: Final = "tape-and-terminal"
"""The interpretation that says on which account a verdict stands."""
NOT_SEEN: Final = "cannot see"
TURN: Final = 1_000
"""One revolution, in thousandths: a person does not count them closer."""

Judge = Callable[[Retelling], "RoundResult | None"]
"""Judges the table with a round told again, and returns that round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRound:
    """A round as it was recorded.

    Args:
        result: how it is judged by the terminal's facts.
        steps: its facts in merged order.
        gaps: where facts of it were lost.
        wheel: the wheel in use; None where the game has none.
    """

    result: RoundResult
    steps: tuple[FactStep, ...]
    gaps: tuple[DoubtBegins, ...] = ()
    wheel: events.WheelPlaced | None = None

    @property
    def is_lost(self) -> bool:
        """Whether it is unknown since facts of it were lost."""
        return self.result.status is RoundStatus.UNKNOWN and bool(self.gaps)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountDifference:
    """One thing that terminal and tape tell differently.

    Args:
        subject: what it is, for people: "throw 1", "W12".
        terminal: what was recorded.
        tape: what the recording shows.
    """

    subject: str
    terminal: str
    tape: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TapeWager:
    """A wager by the tape alone.

    Args:
        wager_id: as in the result that was judged.
        is_seen: whether the observation names it.
        stake_cents: what lay there; None: cannot be seen.
        outcome: how it ends by what the tape shows; unknown where it does not show that.
        due_cents: what the patron is up by the rules; None: not known from the tape.
        paid_cents: the winnings that the dealer paid; None: cannot be seen.
        collected_cents: what the dealer kept of the stake; None: cannot be seen.
    """

    wager_id: str
    is_seen: bool
    stake_cents: int | None
    outcome: Outcome
    due_cents: int | None
    paid_cents: int | None
    collected_cents: int | None

    @property
    def settled_cents(self) -> int | None:
        """What the patron was up by what was seen; None where a part of it cannot be seen."""
        if self.paid_cents is None or self.collected_cents is None:
            return None
        return self.paid_cents - self.collected_cents


@dataclass(frozen=True, slots=True, kw_only=True)
class TapeAccount:
    """What an observation makes of a round.

    Args:
        observation: the observation.
        judged: the round by what the tape shows, and by the record where it cannot show; None
            where that cannot be judged.
        why_not: why it is not judged.
        shown: what the tape shows of dice, wheel and cards, for people.
        wagers: each wager by the tape alone.
        differences: where terminal and tape differ.
    """

    observation: Observation
    judged: RoundResult | None
    why_not: str | None
    shown: tuple[tuple[str, str], ...]
    wagers: tuple[TapeWager, ...]
    differences: tuple[AccountDifference, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundAccounts:
    """A round by all of its accounts.

    Args:
        terminal: as the terminal's facts are judged.
        tapes: one for each observation, in their order.
        basis: the observation on whose account the verdict stands; None: the terminal's.
        because: why it stands there, for people.
        closes_gap: whether the record alone leaves the round unknown.
        closed_before: the observation by which the round was judged before its missing facts came,
            for people; None where none came so late.
    """

    terminal: RoundResult
    tapes: tuple[TapeAccount, ...]
    basis: TapeAccount | None
    because: str
    closes_gap: bool = False
    closed_before: str | None = None

    @property
    def result(self) -> RoundResult:
        """The round as the verdict has it."""
        stands = self.basis.judged if self.basis is not None else None
        return self.terminal if stands is None else stands


def accounts_of(
    recorded: RecordedRound, seen: Sequence[Observation], judge: Judge
) -> RoundAccounts:
    """Return a round by all of its accounts.

    Args:
        recorded: the round on record.
        seen: the observations of it, at least one.
        judge: judges the table with the round told again.
    """
    tapes = tuple(_tape(recorded, one, judge) for one in seen)
    basis, because = _basis(recorded, tapes)
    before = _closed_before(recorded, tapes)
    return RoundAccounts(
        terminal=recorded.result,
        tapes=tapes,
        basis=basis,
        because=because if before is None else f"{because} {before}",
        closes_gap=basis is not None and recorded.is_lost,
        closed_before=before,
    )


def _closed_before(recorded: RecordedRound, tapes: Sequence[TapeAccount]) -> str | None:
    """By which observation a round was judged until facts came that had been missing.

    Those facts change what the verdict stands on. That it once stood on a recording alone stays
    said, since reports were signed by it.
    """
    room = BY_GAME.get(recorded.result.game)
    if room is None or recorded.is_lost:
        return None
    for tape in tapes:
        seen = tape.observation
        if seen.filled_since and seen.bar is None and _lacks(recorded, seen.fact, room) is None:
            return f"Judged from footage until its missing facts came, {by_whom(seen)}."
    return None


def by_whom(observation: Observation) -> str:
    """Return who observed and who confirmed, for people; "not confirmed" where nobody did."""
    done = observation.confirmed
    confirmed = "not confirmed" if done is None else f"confirmed by {done.confirmed_by}"
    return f"observed by {observation.fact.observed_by}, {confirmed}"


# ---------------------------------------------------------------------------- one tape


def _tape(recorded: RecordedRound, observation: Observation, judge: Judge) -> TapeAccount:
    fact = observation.fact
    room = BY_GAME.get(recorded.result.game)
    judged: RoundResult | None = None
    why = "its game is unknown" if room is None or not recorded.steps else None
    if room is not None and recorded.steps:
        why = _lacks(recorded, fact, room) if recorded.is_lost else None
        if why is None:
            gaps = recorded.gaps if recorded.is_lost else ()
            standing = frozenset(wager.wager_id for wager in recorded.result.wagers)
            retelling = Retelling(fact, recorded.steps, room, gaps, recorded.wheel, standing)
            judged = judge(retelling)
            why = None if judged is not None else "the facts as told make no round"
    if judged is not None:
        judged = _named(judged, recorded.result, observation)
        if recorded.is_lost:
            judged = _only_what_is_due(judged, fact)
            if judged.status is RoundStatus.UNKNOWN:
                why = judged.unknown_because or "it still does not show all"
                judged = None
            elif judged.status is RoundStatus.VOID:
                why = f"what was lost may be why it seems void ({judged.shown})"
                judged = None
    return TapeAccount(
        observation=observation,
        judged=judged,
        why_not=why,
        shown=tuple(_shown(fact)),
        wagers=() if room is None else tuple(_tape_wagers(recorded, fact, room, judged)),
        differences=tuple(_differences(recorded, fact)),
    )


def _lacks(recorded: RecordedRound, fact: events.RoundObserved, room: Room) -> str | None:
    """Why an observation cannot close a gap: what it does not show of what may have been lost."""
    missing = _unseen_outcome(fact, room)
    if missing is not None:
        return missing
    if fact.wagers is None:
        return "the recording does not show the wagers"
    if any(seen.stake_cents is None for seen in fact.wagers):
        return "the recording does not show every stake"
    named = {seen.wager_id for seen in fact.wagers}
    left = [one.wager_id for one in recorded.result.wagers if one.wager_id not in named]
    if left:
        return f"the observation says nothing of {', '.join(left)}"
    return None


def _unseen_outcome(fact: events.RoundObserved, room: Room) -> str | None:
    """What of the outcome an observation does not show; None where it shows all it names."""
    if room.hands is not None:
        hands = fact.hands or ()
        if not hands or any(cards_of_hand(hand) is None for hand in hands):
            return "the recording does not show every hand"
        return None
    if any(step.fact is events.WheelSpun for step in room.phases):
        if not fact.spins or any(spin.symbol is None for spin in fact.spins):
            return "the recording does not show where the wheel stopped"
        return None
    if not fact.throws or any(die.face is None for throw in fact.throws for die in throw.dice):
        return "the recording does not show every die"
    return None


def _named(judged: RoundResult, terminal: RoundResult, observation: Observation) -> RoundResult:
    """The round under its own id, each inserted fact named by the observation that tells it."""
    seen = ref_of(observation.fact)

    def ref(recorded: FactRef) -> FactRef:
        return seen if recorded.seq >= INSERTED else recorded

    def side(settlement: Settlement) -> Settlement:
        return replace(settlement, facts=tuple(dict.fromkeys(map(ref, settlement.facts))))

    def finding(original: Finding) -> Finding:
        facts = (seen, *(ref for ref in original.facts if ref.seq < INSERTED))
        return replace(original, facts=facts, round=terminal.round, stream=facts[-1].stream)

    wagers = tuple(
        replace(
            wager,
            placed=ref(wager.placed),
            expected=side(wager.expected),
            observed=None if wager.observed is None else side(wager.observed),
            decided_by=None if wager.decided_by is None else ref(wager.decided_by),
        )
        for wager in judged.wagers
    )
    return replace(
        judged,
        round=terminal.round,
        stream=terminal.stream,
        wagers=wagers,
        findings=tuple(map(finding, judged.findings)),
    )


def _only_what_is_due(judged: RoundResult, fact: events.RoundObserved) -> RoundResult:
    """Of a round whose facts were lost: findings of wagers whose settlement was seen.

    What else was done then, and was lost, nobody told; so nothing is said of it.
    """
    paid = {
        wager_id_of(number, seen)
        for number, seen in enumerate(fact.wagers or (), 1)
        if payment_seen(seen)
    }
    findings = tuple(one for one in judged.findings if one.wager in paid)
    wagers = tuple(
        wager if wager.wager_id in paid else replace(wager, observed=None, difference_cents=None)
        for wager in judged.wagers
    )
    return replace(judged, findings=findings, wagers=wagers)


def _tape_wagers(
    recorded: RecordedRound, fact: events.RoundObserved, room: Room, judged: RoundResult | None
) -> Iterator[TapeWager]:
    seen = {wager_id_of(n, observed): observed for n, observed in enumerate(fact.wagers or (), 1)}
    results = {result.wager_id: result for result in (judged or recorded.result).wagers}
    for wager_id in dict.fromkeys(
        [*(result.wager_id for result in recorded.result.wagers), *results, *seen]
    ):
        observed, result = seen.get(wager_id), results.get(wager_id)
        is_decided = (
            observed is not None
            and judged is not None
            and result is not None
            and observed.stake_cents != 0
            and _shows_outcome_of(result, recorded, fact, room)
        )
        expected = result.expected if is_decided and result is not None else None
        stake = None if observed is None else observed.stake_cents
        due = None if expected is None or stake is None else _net(expected)
        yield TapeWager(
            wager_id=wager_id,
            is_seen=observed is not None,
            stake_cents=stake,
            outcome=Outcome.UNKNOWN if expected is None else expected.outcome,
            due_cents=due,
            paid_cents=None if observed is None else observed.paid_cents,
            collected_cents=None if observed is None else observed.collected_cents,
        )


def _shows_outcome_of(
    wager: WagerResult, recorded: RecordedRound, fact: events.RoundObserved, room: Room
) -> bool:
    """Whether the tape alone shows what decides a wager."""
    if room.hands is None:
        many = {
            len([one for one in recorded.steps if isinstance(one.fact, kind)])
            for kind in (THROWS, events.WheelSpun)
        }
        shown_count = len(fact.throws or fact.spins or ())
        return _unseen_outcome(fact, room) is None and shown_count >= max(many)
    whole = {hand.position for hand in fact.hands or () if cards_of_hand(hand) is not None}
    laid = {one.position for one in recorded.result.wagers}
    return wager.position in whole and bool(whole - laid)


def _net(side: Settlement) -> int | None:
    if side.winnings_cents is None or side.stake_taken_cents is None:
        return None
    return side.winnings_cents - side.stake_taken_cents


# ---------------------------------------------------------------------------- in words


def _shown(fact: events.RoundObserved) -> Iterator[tuple[str, str]]:
    """What the tape shows of dice, wheel and cards: subject and words."""
    for number, throw in enumerate(fact.throws or (), 1):
        yield f"throw {number}", " ".join(_die_words(die) for die in throw.dice)
    for number, spin in enumerate(fact.spins or (), 1):
        yield f"spin {number}", spin.symbol if spin.symbol is not None else NOT_SEEN
    for hand in fact.hands or ():
        parts = (hand.high, hand.medium, hand.low)
        yield f"hand {hand.position}", " / ".join(_cards(part) for part in parts)


def _die_words(die: events.ObservedDie) -> str:
    face = NOT_SEEN if die.face is None else str(die.face)
    return face if die.colour is None else f"{die.colour} {face}"


def _cards(cards: tuple[str, ...] | None) -> str:
    return NOT_SEEN if cards is None else " ".join(cards)


def _differences(
    recorded: RecordedRound, fact: events.RoundObserved
) -> Iterator[AccountDifference]:
    yield from _throws_differ(recorded, fact)
    yield from _spins_differ(recorded, fact)
    yield from _hands_differ(recorded, fact)
    for number, seen in enumerate(fact.wagers or (), 1):
        yield from _wager_differs(recorded, wager_id_of(number, seen), seen)


def _throws_differ(
    recorded: RecordedRound, fact: events.RoundObserved
) -> Iterator[AccountDifference]:
    if fact.throws is None:
        return
    thrown = [step.fact for step in recorded.steps if isinstance(step.fact, THROWS)]
    faces = [tuple(die.face for die in throw.dice) for throw in fact.throws]
    places = aligned(faces, [recorded_faces(one) for one in thrown])
    for number, (throw, place) in enumerate(zip(fact.throws, places, strict=True), 1):
        shown = " ".join(_die_words(die) for die in throw.dice)
        if place is None:
            yield AccountDifference(subject=f"throw {number}", terminal="nothing", tape=shown)
            continue
        was = thrown[place]
        assert isinstance(was, THROWS)
        own, other = recorded_faces(was), faces_by_die(was, throw)
        if any(face is not None and face != known for known, face in zip(own, other, strict=True)):
            yield AccountDifference(
                subject=f"throw {number}",
                terminal=" ".join("?" if one is None else str(one) for one in own),
                tape=" ".join(
                    str(known) if face is None else str(face)
                    for known, face in zip(own, other, strict=True)
                ),
            )
    for place in range(len(thrown)):
        if place not in places:
            words = " ".join(
                "?" if one is None else str(one) for one in recorded_faces(thrown[place])
            )
            yield AccountDifference(subject=f"throw {place + 1}", terminal=words, tape="nothing")


def _spins_differ(
    recorded: RecordedRound, fact: events.RoundObserved
) -> Iterator[AccountDifference]:
    if fact.spins is None:
        return
    spun = [step.fact for step in recorded.steps if isinstance(step.fact, events.WheelSpun)]
    known = [symbol_of(one, recorded.wheel) for one in spun]
    places = aligned([spin.symbol for spin in fact.spins], known)
    for number, (spin, place) in enumerate(zip(fact.spins, places, strict=True), 1):
        was = "nothing" if place is None else known[place] or "between two sections"
        if spin.symbol is not None and spin.symbol != was:
            yield AccountDifference(subject=f"spin {number}", terminal=was, tape=spin.symbol)
        turns = spin.revolutions_thousandths
        recorded_turns = None if place is None else _revolutions(spun[place])
        if turns is not None and recorded_turns is not None and _differ(turns, recorded_turns):
            yield AccountDifference(
                subject=f"spin {number}, revolutions",
                terminal=f"{recorded_turns / 1000:g}",
                tape=f"{turns / 1000:g}",
            )
    for place in range(len(spun)):
        if place not in places:
            yield AccountDifference(
                subject=f"spin {place + 1}", terminal=known[place] or "no section", tape="nothing"
            )


def _revolutions(fact: events.Fact) -> int | None:
    return fact.revolutions_thousandths if isinstance(fact, events.WheelSpun) else None


def _differ(seen: int, recorded: int) -> bool:
    """Whether two counts of revolutions differ by more than a person can count: one turn."""
    return abs(seen - recorded) > TURN


def _hands_differ(
    recorded: RecordedRound, fact: events.RoundObserved
) -> Iterator[AccountDifference]:
    facts = [step.fact for step in recorded.steps]
    known = {one.position: one for one in facts if isinstance(one, events.HandSet)}
    for hand in fact.hands or ():
        own = known.get(hand.position)
        for name in ("high", "medium", "low"):
            tape = getattr(hand, name)
            was = None if own is None else getattr(own, name)
            if tape is not None and (was is None or sorted(tape) != sorted(was)):
                yield AccountDifference(
                    subject=f"hand {hand.position}, {name}",
                    terminal="nothing" if was is None else " ".join(was),
                    tape=" ".join(tape),
                )


def _wager_differs(
    recorded: RecordedRound, wager_id: str, seen: events.ObservedWager
) -> Iterator[AccountDifference]:
    own = next((one for one in recorded.result.wagers if one.wager_id == wager_id), None)
    laid = " ".join([seen.wager, *map(str, seen.picks)])
    stake = "a stake that cannot be seen" if seen.stake_cents is None else dollars(seen.stake_cents)
    if own is None:
        if seen.stake_cents != 0:
            yield AccountDifference(subject=wager_id, terminal="nothing", tape=f"{stake} on {laid}")
        return
    if seen.stake_cents == 0:
        was = f"{dollars(own.stake_cents)} on {' '.join([own.wager, *map(str, own.picks)])}"
        yield AccountDifference(subject=wager_id, terminal=was, tape="no such wager")
        return
    pairs = [
        ("", " ".join([own.wager, *map(str, own.picks)]), laid),
        (" position", own.position, seen.position),
        (" stake", dollars(own.stake_cents), None if seen.stake_cents is None else stake),
    ]
    if own.observed is not None or not recorded.is_lost:
        side = own.observed
        paid = 0 if side is None else side.winnings_cents
        taken = 0 if side is None else side.stake_taken_cents
        pairs += [
            (f" {name}", None if was is None else dollars(was), dollars(cents))
            for name, was, cents in (
                ("paid", paid, seen.paid_cents),
                ("collected", taken, seen.collected_cents),
            )
            if cents is not None
        ]
    for name, terminal, tape in pairs:
        if tape is not None and terminal != tape:
            yield AccountDifference(
                subject=f"{wager_id}{name}", terminal=terminal or "not recorded", tape=tape
            )


# ---------------------------------------------------------------------------- the verdict


def _basis(recorded: RecordedRound, tapes: Sequence[TapeAccount]) -> tuple[TapeAccount | None, str]:
    """On which account the verdict stands, and why."""
    entry = reading(READING)
    confirmed = [tape for tape in tapes if tape.observation.counts]
    if not confirmed:
        return None, "The verdict stands on the terminal: no observation that counts is confirmed."
    judged = [tape for tape in confirmed if tape.judged is not None]
    if not judged:
        return None, f"The verdict stands on the terminal: {confirmed[-1].why_not}."
    if any(_comes_to(one) != _comes_to(judged[0]) for one in judged[1:]):
        return None, "The verdict stands on the terminal: confirmed observations contradict."
    last = judged[-1]
    assert last.judged is not None
    if recorded.is_lost:
        return last, f"The verdict stands on the tape: the record lost facts. {_source(last)}."
    if (
        last.judged.status is RoundStatus.UNKNOWN
        and recorded.result.status is not last.judged.status
    ):
        return None, "The verdict stands on the terminal: by the tape the round is unknown."
    if not last.differences:
        return None, "The verdict stands on the terminal, and the tape agrees."
    return last, f"The verdict stands on the tape: {entry.options[entry.choice]}"


def _source(tape: TapeAccount) -> str:
    return f"From footage, {by_whom(tape.observation)}"


def _comes_to(tape: TapeAccount) -> object:
    result = tape.judged
    assert result is not None
    sides = [
        (wager.wager_id, wager.expected.outcome, _net(wager.expected)) for wager in result.wagers
    ]
    return result.status, result.detail, sides


def is_of(observation: Observation, steps: Sequence[FactStep]) -> bool:
    """Whether an observation is of the round with these facts."""
    return any(ref_of(step.fact) == observation.round for step in steps)
