"""What recordings add to a gaming day: rounds that they close, and what they show otherwise.

A confirmed observation overwrites nothing. Where the record lost facts and the recording shows all
that decides a round, the round counts as judged and is marked as judged from footage; where both
tell a round and differ, that is a finding. Law: the Ledger contract, L.10 and L.11.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ledger.audit.carried import CarriedStates
from ledger.audit.ledger_contract import Day, _finding
from ledger.audit.observations import Observation, observed_by_round
from ledger.audit.observed_round import ObservedRound
from ledger.audit.office import HouseRecord
from ledger.audit.result import DayAudit
from ledger.audit.table import TableWalk
from ledger.audit.tape_account import (
    READING,
    Judge,
    RecordedRound,
    RoundAccounts,
    accounts_of,
    by_whom,
    is_of,
)
from ledger.audit.tape_retelling import Retelling
from ledger.events import BettingOpened, ObservationConfirmed, RoundObserved, WheelPlaced
from ledger.kernel import Certainty, FactRef, Finding, Severity, ref_of, round_id, table_of
from ledger.law import acts
from ledger.replay import DoubtBegins, FactStep, Replay, Step
from ledger.rounds import RoundResult, steps_of


def gaps_within(
    result: RoundResult, steps: Sequence[FactStep], gaps: Iterable[DoubtBegins]
) -> tuple[DoubtBegins, ...]:
    """Return the gaps and conflicts of a table that fall into a round's time.

    Args:
        result: the round.
        steps: its facts.
        gaps: those of the table.
    """
    gaps = tuple(gaps)
    begins = result.opened_at
    ends = result.closed_at or (steps[-1].at if steps else result.opened_at)
    if steps and not isinstance(steps[0].fact, BettingOpened):  # its opening was lost
        ended = [gap.ends_at for gap in gaps if gap.ends_at is not None]
        begins = max((at for at in ended if at <= result.opened_at), default=begins)
    return tuple(
        gap
        for gap in gaps
        if (gap.at is None or gap.at <= ends) and (gap.ends_at is None or gap.ends_at >= begins)
    )


def judge_with(
    replay: Replay,
    house: HouseRecord,
    table: str,
    day: Day,
    carried: CarriedStates | None = None,
    resumed: tuple[int, bytes] | None = None,
) -> Judge:
    """Return what judges a table's day with one of its rounds told again.

    Args:
        replay: the ledger's replay.
        house: the house's facts.
        table: the table.
        day: the gaming day of the round.
        carried: kept states; None replays from the beginning.
        resumed: as in ``TableWalk``.
    """

    def judge(retelling: Retelling) -> RoundResult | None:
        walk = TableWalk(
            replay, house, table, day, explain=True, carried=carried, resumed=resumed,
            overlooked=frozenset(FactRef(gap.stream, gap.first_seq) for gap in retelling.gaps),
            retold=retelling.steps,
        )  # fmt: skip
        wanted = round_id(retelling.opened)
        return next((one for one in walk.rounds() if one.round == wanted), None)

    return judge


def footage_of(
    replay: Replay, house: HouseRecord, day: Day, carried: Path | None = None
) -> tuple[RoundAccounts, ...]:
    """Return the observed rounds of a gaming day by all of their accounts.

    Args:
        replay: the ledger's replay.
        house: the house's facts, with the coupons.
        day: the gaming day.
        carried: folder for carried states; None replays each table from the beginning.
    """
    wanted = observed_by_round(replay, day=day)
    states = CarriedStates.of(carried, replay, house.office)
    tables = sorted({table_of(ref.stream) for ref in wanted} & set(replay.tables()))
    return tuple(
        accounts
        for table in tables
        for accounts in _of_table(replay, house, table, day, wanted, states)
    )


def _of_table(
    replay: Replay,
    house: HouseRecord,
    table: str,
    day: Day,
    wanted: Mapping[FactRef, list[Observation]],
    states: CarriedStates | None,
) -> Iterator[RoundAccounts]:
    left = {ref for ref in wanted if table_of(ref.stream) == table}
    steps: list[FactStep] = []
    gaps: list[DoubtBegins] = []

    def follow(step: Step) -> None:
        if isinstance(step, FactStep):
            steps.append(step)
        elif isinstance(step, DoubtBegins):
            gaps.append(step)

    walk = TableWalk(replay, house, table, day, explain=True, carried=states, on_step=follow)
    for result in walk.rounds():
        own = tuple(steps_of(result, (), steps))
        refs = left & {ref_of(step.fact) for step in own}
        if not refs:
            continue
        left -= refs
        recorded = RecordedRound(
            result=result,
            steps=own,
            gaps=gaps_within(result, own, gaps),
            wheel=wheel_at(replay, table, result.opened_at),
        )
        seen = [one for ref in sorted(refs) for one in wanted[ref] if is_of(one, own)]
        yield accounts_of(recorded, seen, judge_with(replay, house, table, day, states))
        if not left:
            return


def wheel_at(replay: Replay, table: str, at: int) -> WheelPlaced | None:
    """Return the wheel that was in use at a table at a moment, in microseconds UTC."""
    wheel: WheelPlaced | None = None
    for stream in replay.tables().get(table, ()):
        if stream in replay.streams_with({WheelPlaced.__name__}):
            for step in replay.of_kind(stream, WheelPlaced, until=at + 1):
                if isinstance(step.fact, WheelPlaced):
                    wheel = step.fact
    return wheel


# ---------------------------------------------------------------------------- the day


def with_footage(audit: DayAudit, footage: tuple[RoundAccounts, ...]) -> DayAudit:
    """Return the audit of a day with what recordings add to it.

    Args:
        audit: the day by the record alone, with the findings of its footage.
        footage: its observed rounds.
    """
    if not footage:
        return audit
    marks = tuple(map(mark_of, footage))
    closed: dict[str, int] = {}
    for mark in marks:
        if mark.closes_gap:
            closed[mark.table] = closed.get(mark.table, 0) + 1
    return replace(
        audit,
        unknown_rounds=audit.unknown_rounds - sum(closed.values()),
        capture=tuple(
            replace(line, judged=line.judged + closed.get(line.table, 0)) for line in audit.capture
        ),
        footage=marks,
    )


def mark_of(accounts: RoundAccounts) -> ObservedRound:
    """Return the mark of an observed round."""
    basis = accounts.basis
    done = None if basis is None else basis.observation.confirmed
    return ObservedRound(
        round=accounts.terminal.round,
        table=accounts.terminal.table,
        observations=tuple(tape.observation.fact.seq for tape in accounts.tapes),
        because=accounts.because,
        basis=None if basis is None else ref_of(basis.observation.fact),
        observed_by=None if basis is None else basis.observation.fact.observed_by,
        confirmed_by=None if done is None else done.confirmed_by,
        closes_gap=accounts.closes_gap,
    )


def footage_findings(footage: Iterable[RoundAccounts], day: Day) -> Iterator[Finding]:
    """Report the findings of closed rounds, accounts that differ, and acts that do not count."""
    for accounts in footage:
        yield from _idle(accounts, day)
        basis = accounts.basis
        if basis is not None and basis.judged is not None and accounts.closes_gap:
            source = f"From footage, {by_whom(basis.observation)}."
            for finding in basis.judged.findings:
                yield replace(finding, sentence=f"{finding.sentence} {source}")
        else:
            yield from _differs(accounts, day)


def _differs(accounts: RoundAccounts, day: Day) -> Iterator[Finding]:
    """The confirmed accounts of a round that differ from the terminal's."""
    for tape in accounts.tapes:
        if not tape.observation.counts or not tape.differences:
            continue
        first = tape.differences[0]
        more = len(tape.differences) - 1
        tail = f"; {more} more difference{'' if more == 1 else 's'}" if more else ""
        fact = tape.observation.fact
        facts = (ref_of(fact), FactRef(fact.round_stream, fact.round_seq))
        finding = _finding(
            day,
            "tape_differs",
            ".11",
            facts,
            Severity.HIGH,
            f"{first.subject[:1].upper()}{first.subject[1:]}: the recording shows {first.tape},"
            f" the terminal recorded {first.terminal}{tail} ({by_whom(tape.observation)})."
            f" {accounts.because.partition(':')[0].rstrip('.')}.",
            certainty=Certainty.BROKEN if accounts.basis is tape else Certainty.UNKNOWN,
            expected=first.tape,
            observed=first.terminal,
        )
        effect = _effect(accounts) if accounts.basis is tape else None
        yield replace(
            finding, round=accounts.terminal.round, readings=(READING,), effect_cents=effect
        )


def _effect(accounts: RoundAccounts) -> int | None:
    """What the house lost by the difference, in cents, beyond what the terminal's account shows."""
    before = {one.wager_id: one.difference_cents for one in accounts.terminal.wagers}
    after = {one.wager_id: one.difference_cents for one in accounts.result.wagers}
    effect = 0
    for wager_id in {**before, **after}:
        was, after_cents = before.get(wager_id), after.get(wager_id)
        if was == after_cents:
            continue
        if after_cents is None or (was is None and wager_id in before):
            return None
        effect += after_cents - (was or 0)
    return effect or None


def _idle(accounts: RoundAccounts, day: Day) -> Iterator[Finding]:
    """Observations and confirmations that do not count, and those that nobody could check."""
    for tape in accounts.tapes:
        observation = tape.observation
        if observation.bar is not None:
            yield _not_entitled(
                observation.fact, "observe", observation.fact.observed_by, observation.bar, day
            )
        for confirmation, why in observation.refused:
            person = confirmation.confirmed_by
            yield _not_entitled(confirmation, "confirm observation", person, why, day)
        done = observation.confirmed
        if observation.counts and done is not None and not observation.checked:
            yield _finding(
                day,
                "approval_not_checked",
                ".11",
                (ref_of(observation.fact), ref_of(done)),
                Severity.MEDIUM,
                f"The observation of {observation.round} was confirmed by {done.confirmed_by}; the"
                " record has nobody's credential, so nothing shows who that is.",
                certainty=Certainty.UNKNOWN,
                expected="a valid credential",
                observed=done.confirmed_by,
            )


def _not_entitled(
    fact: RoundObserved | ObservationConfirmed, act: str, person: str, why: str, day: Day
) -> Finding:
    return _finding(
        day,
        "decision_not_entitled",
        ".10",
        (ref_of(fact),),
        Severity.HIGH,
        f"It does not count that {person} did this: {acts()[act].does}. {why}.",
        expected="a person who may decide it",
        observed=person,
    )
