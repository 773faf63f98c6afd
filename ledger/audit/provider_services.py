"""Services of providers on one gaming day: their use at tables, and the acts around them.

A use holds from its fact until it is ended. It is judged at that fact, and again at the first round
of a later day or after something changed on the day; what it breaks is reported once a day and
table.
Law: chapter 528 through ``ledger.house``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ledger.audit.ledger_contract import Day
from ledger.events import ServiceUsed
from ledger.games.room import Breach
from ledger.house import PROVIDER_DUTIES, Office, judge_act, judge_use
from ledger.kernel import (
    Certainty,
    EditionStatus,
    FactRef,
    Finding,
    PropertyClock,
    parse_round_id,
    ref_of,
)
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import SERVICE_PROVIDERS
from ledger.rounds import as_finding

Opened = tuple[int, str]
"""When a round began (microseconds UTC), and its id."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment at which a service was in use: at the fact that says so, or at a round.

    Args:
        use: the fact of the use.
        at: the moment, microseconds UTC.
        round: the round's id; None at the fact itself.
        sure: False where the use names no table.
    """

    use: ServiceUsed
    at: int
    round: str | None
    sure: bool = True

    @property
    def facts(self) -> tuple[FactRef, ...]:
        """The use, and the fact that opened the round if there is one."""
        own = ref_of(self.use)
        return (own,) if self.round is None else (own, parse_round_id(self.round))


def service_findings(
    office: Office, clock: PropertyClock, day: Day, opened: Mapping[str, Iterable[Opened]]
) -> Iterator[Finding]:
    """Report everything that a gaming day shows about services and their providers.

    Args:
        office: the office's facts.
        clock: the property's clock.
        day: the gaming day.
        opened: by table, the rounds of the day as they opened.
    """
    acts = [fact for facts in office.providers.kept.values() for fact in facts]
    acts = [fact for fact in acts if day.has(fact.event_time)]
    uses = list(_moments(office, day, opened))
    if not acts and not uses:
        return
    if SERVICE_PROVIDERS.edition.standing(day.date) is EditionStatus.NOT_YET:
        if uses:
            yield _not_held(day, uses[0])
        return
    for fact in acts:
        ref = ref_of(fact)
        for breach in judge_act(office.providers, fact, clock):
            yield _finding(office, day, breach, (*breach.facts, ref), fact.event_time, None)
    reported: set[tuple[str, str | None, str, str]] = set()
    judged: dict[FactRef, tuple[object, int]] = {}
    for moment in uses:
        use = moment.use
        state = (clock.local(moment.at).date(), office.providers.changed_by(moment.at))
        if judged.get(moment.facts[0]) == state:
            continue
        judged[moment.facts[0]] = state
        for breach in judge_use(office.providers, use, moment.at, clock):
            cite = breach.duty.cite
            key = (use.service, use.table, breach.duty.code, f"{cite.section}#{cite.part}")
            if key in reported:
                continue
            reported.add(key)
            if not moment.sure:
                breach = replace(breach, certainty=Certainty.UNKNOWN)
            facts = (*breach.facts, *moment.facts)
            yield _finding(office, day, breach, facts, moment.at, moment.round)


def service_standing(
    office: Office, day: Day, opened: Mapping[str, Iterable[Opened]]
) -> dict[str, str]:
    """Return chapter 528 with its status on a day on which a service was in use, else nothing."""
    if next(_moments(office, day, opened), None) is None:
        return {}
    edition = SERVICE_PROVIDERS.edition
    return {edition.chapter: edition.remark(day.date) or edition.standing(day.date).value}


def _moments(office: Office, day: Day, opened: Mapping[str, Iterable[Opened]]) -> Iterator[Moment]:
    """Yield when services were in use on the day, use by use, each in order of time."""
    for use in office.providers.uses:
        if use.event_time >= day.ends:
            continue
        ended = office.providers.ended(use)
        if ended is not None and ended <= day.begins:
            continue
        if day.has(use.event_time):
            yield Moment(use, use.event_time, None)
        tables = [use.table] if use.table is not None else sorted(opened)
        rounds = sorted(one for table in tables for one in opened.get(table, ()))
        for at, round_id in rounds:
            if at > use.event_time and (ended is None or at < ended):
                yield Moment(use, at, round_id, sure=use.table is not None)


def _not_held(day: Day, moment: Moment) -> Finding:
    duty = PROVIDER_DUTIES["law_not_held@#1"]
    breach = Breach(
        duty=duty, facts=moment.facts, observed=str(day.date), certainty=Certainty.UNKNOWN
    )
    return as_finding(breach, day=day.date, stream=moment.use.stream, round_id=moment.round)


def _finding(
    office: Office,
    day: Day,
    breach: Breach,
    facts: tuple[FactRef, ...],
    at: int,
    round_id: str | None,
) -> Finding:
    """Make a finding; after lost facts, what they may have stated is not shown to be missing."""
    if not office.sure(None, at):
        breach = replace(breach, certainty=Certainty.UNKNOWN)
    named = tuple(dict.fromkeys(facts))
    return as_finding(breach, day=day.date, stream=named[-1].stream, round_id=round_id, facts=named)
