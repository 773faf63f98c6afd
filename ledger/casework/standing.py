"""Where actions stand: what persons did with them, read from the facts of the stream of actions.

An action that was closed stays closed as long as its evidence is what it was; otherwise it is open
again and says what changed. What was done with an action follows it when a late fact moves its
first finding, and with it its id.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Final

from ledger.audit import DayAudit, HouseRecord, TableCapture, audit_day, read_office
from ledger.audit.contract import CASES
from ledger.casework.fold import fold
from ledger.casework.many import Suppression
from ledger.casework.roster import Roster, read_roster
from ledger.casework.subject import see
from ledger.casework.values import Action, Status
from ledger.events import ActionAbout, ActionClosed, ActionNoted, ActionTaken, CauseSuppressed
from ledger.kernel import FactRef, dollars, ref_of
from ledger.replay import FactStep, Replay

STREAM: Final = f"{CASES}/actions"
"""Where what persons do with actions is recorded; nobody but the ledger numbers it."""

ActionFact = ActionTaken | ActionNoted | ActionClosed
NO_ROSTER: Final = Roster()
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
    capture: tuple[TableCapture, ...] = ()


def actions_of(
    replay: Replay,
    day: date,
    *,
    audit: DayAudit | None = None,
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
    found = audit or audit_day(replay, day, processes=processes, carried=carried)
    games = {line.table: line.game for line in found.capture if line.game is not None}
    folded = fold(see(replay, known, found), known.clock, games=games, footage_days=footage_days)
    old = aged(folded, earlier, as_of or day)
    laid = standing(old, read_done(replay), day, read_roster(replay))
    told = suppressed(laid, read_suppressions(replay), as_of or day)
    return replace(told, capture=tuple(found.capture))


def read_done(replay: Replay) -> tuple[ActionFact, ...]:
    """What persons did with actions, in order."""
    streams = replay.offices().get(CASES, ())
    steps = replay.walk(streams, only=KINDS)
    facts = (step.fact for step in steps if isinstance(step, FactStep))
    return tuple(fact for fact in facts if isinstance(fact, ActionFact))


def read_suppressions(replay: Replay) -> tuple[Suppression, ...]:
    """What persons put off, in order; the last word on a cause counts."""
    only, roster = ("CauseSuppressed",), read_roster(replay)
    steps = replay.walk(replay.offices().get(CASES, ()), only=only)
    last: dict[tuple[str, str, str], Suppression] = {}
    for step in steps:
        if isinstance(step, FactStep) and isinstance(step.fact, CauseSuppressed):
            fact = step.fact
            holds = roster.holds(fact.suppressed_by, fact.event_time)
            odd = "" if holds else " (no credential on record)"
            last[fact.code, fact.table, fact.subject] = Suppression(
                detection=fact.code,
                until=date.fromisoformat(fact.until),
                reason=fact.reason,
                by=f"{fact.suppressed_by}{odd}",
                table=fact.table,
                subject=fact.subject,
            )
    return tuple(last.values())


def suppressed(day: DayActions, suppressions: Iterable[Suppression], as_of: date) -> DayActions:
    """The actions of a day with what was put off; each is still there, and still counts.

    Args:
        day: the day's actions.
        suppressions: what persons put off.
        as_of: the gaming day on which it is asked: a suppression ends with its last day.
    """
    held = tuple(suppressions)

    def beside(action: Action) -> Action:
        of = [one for one in held if one.covers(action.code, action.table, action.subject, as_of)]
        if not of:
            return action
        last = max(of, key=lambda one: (one.until, one.by, one.reason))
        return replace(action, suppressed_until=last.until, put_off=f"by {last.by}: {last.reason}")

    return replace(day, actions=tuple(map(beside, day.actions)))


def aged(actions: Iterable[Action], earlier: Iterable[Action], as_of: date) -> tuple[Action, ...]:
    """Actions with their age: gaming days since their cause was first seen, day by day.

    ``earlier`` are actions of days before; a day without the cause begins it anew.
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
    actions: Sequence[Action], done: Iterable[ActionFact], day: date, roster: Roster = NO_ROSTER
) -> DayActions:
    """Lay what persons did beside the actions of a gaming day.

    Args:
        actions: of the day, folded.
        done: what persons did with any action.
        day: the gaming day.
        roster: who holds a credential.
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
    return DayActions(
        gaming_day=day,
        unheld=frozenset(
            ref_of(one) for one in facts if roster.holds(_person(one), one.event_time) is not True
        ),
        actions=tuple(_as_done(action, mine.get(action.id, ())) for action in actions),
        done=MappingProxyType({name: tuple(facts) for name, facts in mine.items()}),
        gone=MappingProxyType({name: tuple(facts) for name, facts in gone.items()}),
    )


def _person(done: ActionFact) -> str:
    match done:
        case ActionTaken():
            return done.taken_by
        case ActionNoted():
            return done.noted_by
        case ActionClosed():
            return done.closed_by


def changed(before: ActionAbout, action: Action) -> str:
    """What differs in the evidence of an action since it was seen so; empty where nothing does."""
    if before.evidence.hex() == action.evidence:
        return ""
    more = len(action.findings) - before.findings
    said = [f"{_count(abs(more))} {'more' if more > 0 else 'fewer'}"] if more else []
    sides = (
        ("overpaid", before.overpaid_cents, action.overpaid_cents),
        ("underpaid", before.underpaid_cents, action.underpaid_cents),
    )
    for side, then, now in sides:
        if then is None and now is None:
            continue
        if then is None or now is None:
            said.append(f"{side} {_amount(then)}, now {_amount(now)}")
        elif then != now:
            said.append(f"{dollars(abs(now - then))} {'more' if now > then else 'less'} {side}")
    return ", ".join(said) or "as many findings and as much money, other facts"


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


def _as_done(action: Action, done: Sequence[ActionFact]) -> Action:
    """An action with its status: the last taking or closing counts."""
    last = next((fact for fact in reversed(done) if not isinstance(fact, ActionNoted)), None)
    if isinstance(last, ActionTaken):
        return replace(action, status=Status.TAKEN, in_hand=last.taken_by)
    if isinstance(last, ActionClosed):
        said = changed(last.about, action)
        status = Status.REOPENED if said else Status.CLOSED
        return replace(action, status=status, changed=said, in_hand=last.closed_by)
    return action


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
