"""What persons saw on recordings of rounds, and which of it a second person confirmed.

An observation counts once somebody else who may do so confirmed it: another person, with a valid
credential of the rank, whom the round does not concern. What does not count stays on record.
Law: the Ledger contract, L.10 and L.11.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from ledger.audit.ledger_contract import CASES, Day
from ledger.events import (
    BettingOpened,
    Fact,
    ObservationConfirmed,
    PersonEnrolled,
    RoundObserved,
    TableClosed,
)
from ledger.kernel import FactRef, ref_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import acts
from ledger.replay import (
    ENROLLED,
    Bar,
    Enrollments,
    FactStep,
    Holding,
    Replay,
    persons_of,
    unproved,
)

STREAM: Final = f"{CASES}/observations"
"""The stream of observations and their confirmations, numbered by the ledger itself."""
KINDS: Final = ("RoundObserved", "ObservationConfirmed")
MOST_FACTS: Final = 5_000
"""How many facts of a table are read to see who took part in a round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What a person saw on the recording of a round, and what became of it.

    Args:
        fact: the observation.
        confirmed: the confirmation that counts; None while there is none.
        filled_since: whether facts of the round came to the ledger after that.
        bar: why the observation itself does not count; None where nothing stands against it.
        refused: the confirmations that do not count, each with the reason.
        replaced_by: the confirmed observation that took its place; None while it stands.
        checked: whether anybody's credential was on record then.
    """

    fact: RoundObserved
    confirmed: ObservationConfirmed | None = None
    filled_since: bool = False
    bar: str | None = None
    refused: tuple[tuple[ObservationConfirmed, str], ...] = ()
    replaced_by: int | None = None
    checked: bool = True

    @property
    def counts(self) -> bool:
        """Whether it is confirmed, entitled, and not replaced."""
        return self.confirmed is not None and self.bar is None and self.replaced_by is None

    @property
    def round(self) -> FactRef:
        """The first fact of its round, as it was when it was observed."""
        return FactRef(self.fact.round_stream, self.fact.round_seq)


def observations(
    replay: Replay, wanted: Callable[[RoundObserved], bool] | None = None
) -> tuple[Observation, ...]:
    """Return the observations on record, in the order of their stream and number.

    Args:
        replay: the ledger's replay.
        wanted: which of them; None: all.
    """
    seen: dict[FactRef, RoundObserved] = {}
    confirmations: dict[FactRef, list[ObservationConfirmed]] = {}
    unproved_acts: dict[FactRef, str | None] = {}
    if not replay.streams_with(KINDS):
        return ()
    enrollments, kinds = Enrollments(replay.roster()), (*KINDS, ENROLLED)
    for step in replay.walk(replay.streams_with(kinds), only=kinds):
        fact = step.fact if isinstance(step, FactStep) else None
        if isinstance(fact, PersonEnrolled):
            enrollments.take(fact)
        elif isinstance(fact, RoundObserved):
            seen[ref_of(fact)] = fact
            unproved_acts[ref_of(fact)] = _unproved(enrollments, fact, fact.observed_by)
        elif isinstance(fact, ObservationConfirmed):
            about = FactRef(fact.stream, fact.observation_seq)
            confirmations.setdefault(about, []).append(fact)
            unproved_acts[ref_of(fact)] = _unproved(enrollments, fact, fact.confirmed_by)
    judged = {
        ref: _judged(replay, fact, confirmations.get(ref, ()), unproved_acts)
        for ref, fact in sorted(seen.items())
        if wanted is None or wanted(fact)
    }
    return tuple(_with_replacements(judged))


def _unproved(
    enrollments: Enrollments, fact: RoundObserved | ObservationConfirmed, person: str
) -> str | None:
    """Why it is not proved who acted; where nobody has a credential, nobody can be enrolled."""
    if enrollments.roster.holding(person, fact.event_time) is Holding.UNKNOWN:
        return None
    return unproved(fact, person, fact.proof, enrollments.persons)


def bar_of_observer(replay: Replay, fact: RoundObserved) -> Bar | None:
    """Return why a person may not state an observation; None where nothing stands against it."""
    return _bar(replay, fact, "observe", fact.observed_by, fact, ())


def bar_of_confirmer(
    replay: Replay, fact: RoundObserved, confirmation: ObservationConfirmed
) -> Bar | None:
    """Return why a confirmation does not count; None where it does."""
    if confirmation.event_time < fact.event_time:
        return Bar("it is dated before the observation")
    person = confirmation.confirmed_by
    return _bar(
        replay, fact, "confirm observation", person, confirmation, (fact.observed_by,)
    )  # fmt: skip


def concerned_by(replay: Replay, fact: RoundObserved) -> dict[str, str]:
    """Return whom the round of an observation concerns, by credential, each with how.

    Those are who is named in its facts, and who dealt or supervised it at any of their moments.
    """
    people: dict[str, str] = {}
    moments = {fact.seen_time}
    for step in _facts_of_round(replay, fact):
        moments.add(step.at)
        for person, how in persons_of(step.fact):
            people.setdefault(person, how)
    standing = dict(replay.attending(fact.table, sorted(moments)))
    return {**people, **standing}


def _facts_of_round(replay: Replay, fact: RoundObserved) -> Iterator[FactStep]:
    """The facts of the table from the first of the round up to the end of the round."""
    since = replay.merged_at(fact.round_stream, fact.round_seq)
    streams = replay.tables().get(fact.table, ())
    if since is None:
        return
    for count, step in enumerate(replay.walk(streams, since=since)):
        if count > MOST_FACTS:
            return
        if isinstance(step, FactStep):
            is_other = ref_of(step.fact) != (fact.round_stream, fact.round_seq)
            if is_other and step.at > since and _ends(step.fact) and step.at > fact.seen_time:
                return
            yield step


def _ends(fact: Fact) -> bool:
    return isinstance(fact, (BettingOpened, TableClosed))


def _judged(
    replay: Replay,
    fact: RoundObserved,
    confirmations: Sequence[ObservationConfirmed],
    unproved_acts: Mapping[FactRef, str | None],
) -> Observation:
    stands_against_it = bar_of_observer(replay, fact)
    bar = unproved_acts[ref_of(fact)] if stands_against_it is None else stands_against_it.why
    confirmed: ObservationConfirmed | None = None
    refused: list[tuple[ObservationConfirmed, str]] = []
    for confirmation in confirmations:
        stands_against = bar_of_confirmer(replay, fact, confirmation)
        not_proved = unproved_acts[ref_of(confirmation)]
        if stands_against is not None:
            refused.append((confirmation, stands_against.why))
        elif not_proved is not None:
            refused.append((confirmation, not_proved))
        elif confirmed is None:
            confirmed = confirmation
    roster = replay.roster()
    last = fact if confirmed is None else confirmed
    person = fact.observed_by if confirmed is None else confirmed.confirmed_by
    return Observation(
        fact=fact,
        confirmed=confirmed,
        filled_since=confirmed is not None and _is_filled_since(replay, fact, confirmed),
        bar=bar,
        refused=tuple(refused),
        checked=roster.holding(person, last.event_time) is not Holding.UNKNOWN,
    )


def _is_filled_since(
    replay: Replay, fact: RoundObserved, confirmation: ObservationConfirmed
) -> bool:
    """Whether facts of the observed round came to the ledger after its confirmation."""
    confirmed_at = replay.recorded_at(*ref_of(confirmation))
    came = (replay.recorded_at(*ref_of(step.fact)) for step in _facts_of_round(replay, fact))
    return confirmed_at is not None and any(at is not None and at > confirmed_at for at in came)


def _with_replacements(judged: Mapping[FactRef, Observation]) -> Iterator[Observation]:
    """Mark what a later observation of the same round replaces, once that observation counts."""
    replaced: dict[FactRef, int] = {}
    for ref, observation in judged.items():
        earlier = observation.fact.replaces
        if earlier is not None and earlier < ref.seq and observation.confirmed is not None:
            before = judged.get(FactRef(ref.stream, earlier))
            if (
                observation.bar is None
                and before is not None
                and before.fact.table == observation.fact.table
            ):
                replaced[FactRef(ref.stream, earlier)] = ref.seq
    for ref, observation in judged.items():
        yield replace(observation, replaced_by=replaced.get(ref))


def _bar(
    replay: Replay,
    about: RoundObserved,
    act: str,
    person: str,
    done: RoundObserved | ObservationConfirmed,
    others: tuple[str, ...],
) -> Bar | None:
    roster = replay.roster()
    if done.recorded_by is not None and not roster.are_one(done.recorded_by, person):
        return Bar(f"{done.recorded_by} recorded it in the name of {person}")
    row = acts()[act]
    concerned = concerned_by(replay, about) if row.apart else {}
    return roster.bar(row, person, done.event_time, concerned=concerned, others=others)


def observed_by_round(
    replay: Replay, tables: Container[str] | None = None, day: Day | None = None
) -> Mapping[FactRef, list[Observation]]:
    """Return the observations on record by the first fact of their round.

    Args:
        replay: the ledger's replay.
        tables: only those of these tables; None: of all.
        day: only those of rounds that began on this gaming day; None: of all days.
    """

    def wanted(fact: RoundObserved) -> bool:
        at = replay.merged_at(fact.round_stream, fact.round_seq)
        return (tables is None or fact.table in tables) and (day is None or day.has(at))

    known: dict[FactRef, list[Observation]] = {}
    for observation in observations(replay, wanted):
        known.setdefault(observation.round, []).append(observation)
    return known
