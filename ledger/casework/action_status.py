"""Where actions stand: what persons did with them, read from the facts of the stream of actions.

An action that was closed stays closed as long as its evidence is what it was; otherwise it is open
again and says what changed. What was done with an action follows it when a late fact moves its
first finding, and with it its id. An act of a person who may not do it stays on the record, changes
no status and says why; a critical action is closed when a second person has closed it, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from datetime import date, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Final

from ledger.audit import AuditedDay, HouseRecord, Mark, TableCapture, read_office
from ledger.audit.ledger_contract import CASES
from ledger.casework.actions_and_alerts import Action, ActionStatus
from ledger.casework.authorization import (
    ActionFact,
    bar_of,
    barred,
    department_of,
    needs_second,
    who,
)
from ledger.casework.finding_subjects import see
from ledger.casework.findings_to_actions import fold
from ledger.casework.multiple_testing import Suppression
from ledger.casework.persons_concerned import Concerned, concerned
from ledger.events import ActionAbout, ActionClosed, ActionTaken, CauseSuppressed
from ledger.kernel import FactRef, dollars, ref_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import acts
from ledger.replay import FactStep, Holding, Replay, Roster

STREAM: Final = f"{CASES}/actions"
"""Where what persons do with actions is recorded; nobody but the ledger numbers it."""

NO_ROSTER: Final = Roster()
WhomOf = Callable[[Action, int], Concerned]
"""Whom an action concerns at a moment; asked only of actions with which somebody did something."""
KINDS: Final = ("ActionTaken", "ActionNoted", "ActionClosed")


@dataclass(frozen=True, slots=True, kw_only=True)
class DayActions:
    """The actions of a gaming day, with what was done.

    ``done`` are the facts of each action in order, by its id; ``gone`` those of actions of the day
    that no finding bears any more, by the id that they name. ``capture`` says of each table what it
    claimed to record: what is not covered has no action either.
    """

    gaming_day: date
    actions: tuple[Action, ...]
    done: Mapping[str, tuple[ActionFact, ...]] = field(default_factory=dict)
    gone: Mapping[str, tuple[ActionFact, ...]] = field(default_factory=dict)
    unheld: frozenset[FactRef] = frozenset()
    """What was done by a person of whom the record does not say that a credential was held."""
    barred: Mapping[FactRef, str] = field(default_factory=dict)
    """What was done and does not count, with why."""
    capture: tuple[TableCapture, ...] = ()
    marks: Mapping[FactRef, Mark] = field(default_factory=dict)
    """What is to be said of facts of the day that came late or that a person added."""


def actions_of(
    replay: Replay,
    day: date,
    *,
    audit: AuditedDay | None = None,
    house: HouseRecord | None = None,
    footage_days: int | None = None,
    earlier: Iterable[Action] = (),
    as_of: date | None = None,
    processes: int = 1,
    carried: Path | None = None,
) -> DayActions:
    """The actions of a gaming day, as they stand.

    Args:
        replay: the ledger's.
        day: the gaming day.
        audit: its audit, where it is known already.
        house: the office, where it was read already.
        footage_days: for how many days the property keeps recordings; None: nothing says so.
        earlier: actions of days before, in which the same causes may have been seen.
        as_of: the gaming day from which ages are told; default the day itself.
        processes: how many share the audit.
        carried: folder of carried states.

    Raises:
        PropertyUnknown: no fact describes the property.
        DayUnknown: no fact lies in that day.
    """
    known = house or read_office(replay)
    if audit is None:
        from ledger.audit import audit_day  # whoever has it needs no rules of a game

        audit = audit_day(replay, day, processes=processes, carried=carried)
    seen = seen_in(replay, known, audit, footage_days)
    old = replace(seen, actions=aged(seen.actions, earlier, as_of or day))
    return with_acts(replay, known, old, read_done(replay), read_suppressions(replay), as_of)


def seen_in(
    replay: Replay, house: HouseRecord, audit: AuditedDay, footage_days: int | None
) -> DayActions:
    """The actions of an audited gaming day, before anybody did anything with them.

    Args:
        replay: the ledger's.
        house: the office.
        audit: the day's.
        footage_days: for how many days the property keeps recordings; None: nothing says so.
    """
    games = {line.table: line.game for line in audit.capture if line.game is not None}
    alerts = see(replay, house, audit)
    return DayActions(
        gaming_day=audit.gaming_day,
        actions=tuple(fold(alerts, house.clock, games=games, footage_days=footage_days)),
        capture=tuple(audit.capture),
        marks=audit.marks,
    )


def with_acts(
    replay: Replay,
    house: HouseRecord,
    seen: DayActions,
    done: Iterable[ActionFact],
    suppressions: Iterable[Suppression],
    as_of: date | None = None,
) -> DayActions:
    """The actions of a gaming day with what persons did and put off.

    Args:
        replay: the ledger's.
        house: the office.
        seen: the day's actions, as ``seen_in`` gives them.
        done: what persons did with any action.
        suppressions: what they put off.
        as_of: the gaming day on which it is asked; None: the day itself.
    """
    day, roster, whom = seen.gaming_day, replay.roster(), whom_of(replay, house)
    laid = standing(seen.actions, done, day, roster, whom)
    shown = suppressed(laid, suppressions, as_of or day, roster, whom)
    return replace(shown, capture=seen.capture, marks=seen.marks)


def read_done(replay: Replay) -> tuple[ActionFact, ...]:
    """What persons did with actions, in order."""
    streams = replay.offices().get(CASES, ())
    steps = replay.walk(streams, only=KINDS)
    facts = (step.fact for step in steps if isinstance(step, FactStep))
    return tuple(fact for fact in facts if isinstance(fact, ActionFact))


def whom_of(replay: Replay, house: HouseRecord) -> WhomOf:
    """Who is concerned by actions of a ledger, as it is asked action by action."""

    def whom(action: Action, at: int) -> Concerned:
        return concerned(replay, house, action, at)

    return whom


def read_suppressions(replay: Replay) -> tuple[Suppression, ...]:
    """What persons put off, in order; the last word on a cause counts.

    A second person who puts off the same cause until the same day confirms it. Who held no valid
    credential of the rank puts off nothing.
    """
    only, roster = ("CauseSuppressed",), replay.roster()
    steps = replay.walk(replay.streams_with(only), only=only)
    last: dict[tuple[str, str, str], Suppression] = {}
    for step in steps:
        if not isinstance(step, FactStep) or not isinstance(step.fact, CauseSuppressed):
            continue
        fact = step.fact
        cause, person = (fact.code, fact.table, fact.subject), fact.suppressed_by
        own = fact.recorded_by is None or roster.are_one(fact.recorded_by, person)
        act = replace(acts()["suppress"], departments=("any",))  # the department: action by action
        if not own or roster.bar(act, person, fact.event_time) is not None:
            continue
        if roster.unproved(fact, person, fact.proof) is not None:
            continue
        holds = roster.holding(person, fact.event_time) is Holding.HELD
        odd = "" if holds else " (no credential on record)"
        until, before = date.fromisoformat(fact.until), last.get(cause)
        same = before is not None and before.until == until and fact.table == before.table
        earlier = before.persons if before is not None and same else ()
        last[cause] = Suppression(
            detection=fact.code,
            until=until,
            reason=fact.reason,
            by=f"{person}{odd}",
            table=fact.table,
            subject=fact.subject,
            persons=(*earlier, (person, fact.event_time)),
        )
    return tuple(last.values())


def suppressed(
    day: DayActions,
    suppressions: Iterable[Suppression],
    as_of: date,
    roster: Roster = NO_ROSTER,
    whom: WhomOf | None = None,
) -> DayActions:
    """The actions of a day with what was put off; each is still there, and still counts.

    Args:
        day: the day's actions.
        suppressions: what persons put off.
        as_of: the gaming day on which it is asked: a suppression ends with its last day.
        roster: who holds a credential.
        whom: whom an action concerns; None: nobody is known to be.
    """
    decided = tuple(suppressions)

    def beside(action: Action) -> Action:
        of = [
            one for one in decided if one.covers(action.code, action.table, action.subject, as_of)
        ]
        if not of:
            return action
        last = max(of, key=lambda one: (one.until, one.by, one.reason))
        counting: list[str] = []
        for person, at in last.persons:
            related = whom(action, at) if whom is not None else {}
            if barred(roster, "suppress", action, person, at, related, counting) is None:
                counting.append(person)
        if not counting:
            return action
        if needs_second(action) and len(counting) < 2:
            waits = f"to be snoozed until {last.until}: a second person, not {counting[0]}"
            return replace(action, waits=waits)
        return replace(action, suppressed_until=last.until, put_off=f"by {last.by}: {last.reason}")

    return replace(day, actions=tuple(map(beside, day.actions)))


def aged(actions: Iterable[Action], earlier: Iterable[Action], as_of: date) -> tuple[Action, ...]:
    """Actions with their age: gaming days since their cause was first seen, day by day.

    A day without the cause begins it anew.

    Args:
        actions: those whose age is asked for.
        earlier: those of the days before.
        as_of: the gaming day on which the age is counted; an age is never below 0.
    """
    seen = {(_cause(one), one.gaming_day) for one in earlier}
    out = []
    for action in actions:
        first = action.gaming_day
        while (_cause(action), first - timedelta(days=1)) in seen:
            first -= timedelta(days=1)
        out.append(replace(action, age_days=max((as_of - first).days, 0)))
    return tuple(out)


def standing(
    actions: Sequence[Action],
    done: Iterable[ActionFact],
    day: date,
    roster: Roster = NO_ROSTER,
    whom: WhomOf | None = None,
) -> DayActions:
    """Lay what persons did beside the actions of a gaming day.

    Args:
        actions: of the day, folded.
        done: what persons did with any action.
        day: the gaming day.
        roster: who holds a credential.
        whom: whom an action concerns; None: nobody is known to be.
    """
    by_id = {action.id: action for action in actions}
    mine: dict[str, list[ActionFact]] = {}
    gone: dict[str, list[ActionFact]] = {}
    for fact in done:
        if fact.about.for_gaming_day != day.isoformat():
            continue
        action = by_id.get(fact.about.action) or _moved(fact.about, actions)
        if action is None:
            gone.setdefault(fact.about.action, []).append(fact)
        else:
            mine.setdefault(action.id, []).append(fact)
    facts = [one for held in (*mine.values(), *gone.values()) for one in held]
    bars: dict[FactRef, str] = {}
    stand = []
    for action in actions:
        acted = mine.get(action.id, [])
        counting = []
        for fact in acted:
            related = whom(action, fact.event_time) if whom is not None else {}
            bar = bar_of(roster, action, fact, related)
            if bar is None:
                counting.append(fact)
            else:
                bars[ref_of(fact)] = bar.why
        stand.append(_as_done(action, counting, roster))
    return DayActions(
        gaming_day=day,
        unheld=frozenset(
            ref_of(one)
            for one in facts
            if roster.holding(who(one), one.event_time) is not Holding.HELD
        ),
        actions=tuple(stand),
        barred=MappingProxyType(bars),
        done=MappingProxyType({name: tuple(facts) for name, facts in mine.items()}),
        gone=MappingProxyType({name: tuple(facts) for name, facts in gone.items()}),
    )


def changed(before: ActionAbout, action: Action) -> str:
    """What differs in the evidence of an action since it was seen so; empty where nothing does."""
    if before.evidence.hex() == action.evidence:
        return ""
    more = len(action.findings) - before.findings
    differences = [f"{_count(abs(more))} {'more' if more > 0 else 'fewer'}"] if more else []
    sides = (
        ("overpaid", before.overpaid_cents, action.overpaid_cents),
        ("underpaid", before.underpaid_cents, action.underpaid_cents),
    )
    for side, then, after in sides:
        if then is None and after is None:
            continue
        if then is None or after is None:
            differences.append(f"{side} {_amount(then)}, now {_amount(after)}")
        elif then != after:
            differences.append(
                f"{dollars(abs(after - then))} {'more' if after > then else 'less'} {side}"
            )
    return ", ".join(differences) or "the same number of findings and amounts, but different facts"


def about(action: Action, replay: Replay) -> ActionAbout:
    """An action as a fact names it."""
    first = _first(action)
    return ActionAbout(
        action=action.id,
        for_gaming_day=action.gaming_day.isoformat(),
        code=action.code,
        section=action.citation.section,
        table=action.table,
        subject=action.subject,
        certain=action.certain,
        first_stream=None if first is None else first.stream,
        first_seq=None if first is None else first.seq,
        first_time=action.since,
        last_time=action.until,
        findings=len(action.findings),
        overpaid_cents=action.overpaid_cents,
        underpaid_cents=action.underpaid_cents,
        evidence=bytes.fromhex(action.evidence),
        tree_size=replay.size,
        root=replay.root,
    )


def _as_done(action: Action, done: Sequence[ActionFact], roster: Roster) -> Action:
    """An action with its status, from what was done and counts.

    The last taking or closing counts. Closings of a critical action on the same evidence are
    joined until two persons have closed it.
    """
    closers: list[ActionClosed] = []
    last: ActionFact | None = None
    for fact in done:
        if isinstance(fact, ActionTaken):
            last, closers = fact, []
        elif isinstance(fact, ActionClosed):
            if closers and closers[0].about.evidence != fact.about.evidence:
                closers = []
            if not any(roster.are_one(one.closed_by, fact.closed_by) for one in closers):
                closers.append(fact)
            last = fact
    if isinstance(last, ActionTaken):
        return replace(
            action, status=ActionStatus.TAKEN, in_hand=last.taken_by, waits=_waits(action)
        )
    if isinstance(last, ActionClosed):
        difference = changed(last.about, action)
        if difference:
            waits, status = _waits(action), ActionStatus.REOPENED
        elif needs_second(action) and len(closers) < 2:
            first = closers[0].closed_by
            waits = f"a second person of {department_of(action)}, not {first}"
            return replace(action, status=ActionStatus.PROPOSED, in_hand=first, waits=waits)
        else:
            waits, status = "", ActionStatus.CLOSED
        return replace(
            action, status=status, changed=difference, in_hand=last.closed_by, waits=waits
        )
    return replace(action, waits=_waits(action))


def _waits(action: Action) -> str:
    """For whom an action waits that nobody has closed."""
    rank = acts()["close"].rank
    people = f"two persons, each a {rank}" if needs_second(action) else f"a {rank}"
    return f"{people} of {department_of(action)} or above, whom it does not concern"


def _moved(seen: ActionAbout, actions: Iterable[Action]) -> Action | None:
    """The action that something done is about, though late facts gave it another id.

    It is the one that now holds the first finding of then, else the one of the same subject whose
    period overlaps.
    """
    alike = [
        action
        for action in actions
        if (action.code, action.table, action.certain) == (seen.code, seen.table, seen.certain)
    ]
    if seen.first_stream is not None and seen.first_seq is not None:
        first = FactRef(seen.first_stream, seen.first_seq)
        for action in alike:
            if any(one.facts and one.facts[-1] == first for one in action.findings):
                return action
    return next(
        (
            action
            for action in alike
            if action.subject == seen.subject
            and action.since <= seen.last_time
            and seen.first_time <= action.until
        ),
        None,
    )


def _first(action: Action) -> FactRef | None:
    facts = action.findings[0].facts
    return facts[-1] if facts else None


def _cause(action: Action) -> tuple[str, bool, str, str]:
    return action.code, action.certain, action.table, action.subject


def _count(findings: int) -> str:
    return "1 finding" if findings == 1 else f"{findings:,} findings"


def _amount(cents: int | None) -> str:
    return "not known" if cents is None else dollars(cents)
