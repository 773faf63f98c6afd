"""The actions of gaming days: a list, and one action with what is behind it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from ledger.audit import Mark, bearing_on
from ledger.casework import Action, ActionFact, ActionStatus, DayActions
from ledger.codec import format_time
from ledger.events import ActionClosed, ActionTaken
from ledger.kernel import FactRef, Finding, PropertyClock, dollars, plural, ref_of
from ledger.reports.audit_page import capture_table, not_covered
from ledger.reports.findings import DOUBTFUL, SEVERITIES, STYLES, finding_data, money, place_of
from ledger.reports.late_facts import mark_data, marked_lines, marks_remark
from ledger.reports.phrases import calendar_date

ID_SHOWN: Final = 6
"""Digits of an id that a list shows, more where two would look alike."""
BEHIND: Final = 40
"""Findings behind an action that are shown unless all are asked for."""
NONE: Final[Mapping[FactRef, str]] = {}
NOBODY: Final[Mapping[str, str]] = {}
STATUS: Final = {
    ActionStatus.OPEN: "",
    ActionStatus.TAKEN: "cyan",
    ActionStatus.PROPOSED: "cyan",
    ActionStatus.CLOSED: "green",
    ActionStatus.REOPENED: "bold red",
}


def actions_data(days: Iterable[DayActions]) -> list[dict[str, object]]:
    """Actions of gaming days as plain data, each with what was done, without its findings."""
    return [
        action_data(
            action,
            day.done.get(action.id, ()),
            unheld=day.unheld,
            barred=day.barred,
            marks=marks_of_action(day, action),
        )
        for day in days
        for action in day.actions
    ]


def action_data(
    action: Action,
    done: Sequence[ActionFact] = (),
    *,
    behind: bool = False,
    unheld: Collection[FactRef] = (),
    barred: Mapping[FactRef, str] = NONE,
    marks: Sequence[Mark] = (),
) -> dict[str, object]:
    """One action as plain data: amounts in cents, times in UTC, null where nothing is to be said.

    Args:
        action: the action.
        done: the facts of what was done about it, in order.
        behind: whether the findings behind it are listed too.
        unheld: facts by a person for whom no credential is on record.
        barred: facts that do not count, each with the reason.
        marks: on the facts behind it that arrived late or that a person added.
    """
    kept = action.footage_until
    fields: dict[str, object] = {
        "id": action.id,
        "gaming_day": action.gaming_day.isoformat(),
        "title": action.title,
        "code": action.code,
        "severity": action.severity.value,
        "certain": action.certain,
        "table": action.table,
        "subject": action.subject,
        "section": action.citation.section,
        "citation": action.citation.on(action.gaming_day),
        "count": action.count,
        "overpaid_cents": action.overpaid_cents,
        "underpaid_cents": action.underpaid_cents,
        "at_stake_cents": action.at_stake_cents,
        "since": format_time(action.since),
        "until": format_time(action.until),
        "round": _round(action),
        "department": action.department,
        "footage_until": None if kept is None else format_time(kept),
        "status": action.status.value,
        "in_hand": action.in_hand or None,
        "waits_for": action.waits or None,
        "changed": action.changed or None,
        "suppressed_until": action.suppressed_until and action.suppressed_until.isoformat(),
        "put_off": action.put_off or None,
        "age_days": action.age_days,
        "evidence": action.evidence,
        "done": [_done_data(fact, unheld, barred) for fact in done],
        "marked": [mark_data(mark) for mark in marks],
    }
    if behind:
        fields["findings"] = [finding_data(finding) for finding in action.findings]
    return fields


def marks_of_action(day: DayActions, action: Action) -> tuple[Mark, ...]:
    """The facts behind an action that came late or that a person added."""
    facts = dict.fromkeys(ref for finding in action.findings for ref in finding.facts)
    return bearing_on(day.marks, facts)


def actions_page(
    days: Sequence[DayActions], clock: PropertyClock, property_name: str | None
) -> RenderableType:
    """Actions as a page: what each table captures, then by gravity, a line each.

    Args:
        days: the gaming days with the actions that are wanted.
        clock: the property's.
        property_name: as it states it.
    """
    parts: list[RenderableType] = []
    for day in days:
        head = Text(f"{property_name or 'Property not named'}, ", style="bold")
        head.append(f"gaming day {calendar_date(day.gaming_day)}", style="bold")
        parts.extend((head, Text(), capture_table(day.capture, day.gaming_day, clock)))
        parts.extend((*not_covered(day.capture), Text()))
        digits = _digits([action.id for action in day.actions])
        for severity in SEVERITIES:
            mine = [action for action in day.actions if action.severity is severity]
            if mine:
                parts.append(Text(severity.value.upper(), style=STYLES[severity]))
                parts.extend(line for action in mine for line in _lines(day, action, digits))
        for name, done in day.gone.items():
            (last,) = describe_acts(done[-1:], clock, day.unheld, day.barred)
            line = f"{name[:digits]}  no longer found ({last})"
            parts.append(Padding(Text(line, style="yellow"), (0, 0, 0, 2)))
        if day.actions or day.gone:
            parts.append(Text())
        parts.extend((_totals(day), Text()))
    return Group(*parts[:-1])


def action_page(
    action: Action,
    done: Sequence[ActionFact],
    clock: PropertyClock,
    *,
    every: bool = False,
    unheld: Collection[FactRef] = (),
    barred: Mapping[FactRef, str] = NONE,
    concerned: Mapping[str, str] = NOBODY,
    marks: Sequence[Mark] = (),
) -> RenderableType:
    """One action, what persons did, and the findings behind it.

    Args:
        action: which.
        done: what persons did with it.
        clock: the property's.
        every: all findings, however many.
        unheld: what was done without a credential on record.
        barred: what was done and does not count, with why.
        concerned: who may not decide about it, each with how it concerns them.
        marks: of the facts behind it that came late or that a person added.
    """
    parts: list[RenderableType] = [Text(action.title, style="bold")]
    parts.extend(Text(f"  {name:<12}{words}") for name, words in _facts(action, clock) if words)
    if action.changed:
        parts.append(Text(f"  {'changed':<12}{action.changed}", style="bold red"))
    if concerned and action.waits:
        barred_people = "; ".join(f"{name} {how}" for name, how in sorted(concerned.items()))
        parts.append(Text(f"  {'not by':<12}{barred_people}"))
    parts.append(Text())
    parts.extend(Text(f"  {line}") for line in describe_acts(done, clock, unheld, barred))
    if done:
        parts.append(Text())
    shown = action.findings if every else action.findings[:BEHIND]
    parts.extend(_finding(finding) for finding in shown)
    if len(shown) < len(action.findings):
        rest = len(action.findings) - len(shown)
        parts.append(Text(f"  and {rest:,} more (add --every to list them)", style="dim"))
    if marks:
        parts.extend((Text(), *marked_lines(marks, clock)))
    return Group(*parts)


def _lines(day: DayActions, action: Action, digits: int) -> Iterator[RenderableType]:
    line = Text(f"{action.id[:digits]}  ", style="dim")
    line.append(action.title, style="not dim")
    yield Padding(line, (0, 0, 0, 2))
    tail = (
        [f"{action.status.value} {_by(action)}".strip()]
        if action.status is not ActionStatus.OPEN
        else []
    )
    if action.status is ActionStatus.PROPOSED or action.waits.startswith("to be snoozed"):
        tail.append(f"waits for {action.waits}")
    if action.suppressed_until is not None:
        tail.append(f"snoozed until {action.suppressed_until} {action.put_off}")
    if action.changed:
        tail.append(action.changed)
    if action.age_days:
        tail.append(f"open for {plural(action.age_days, 'day')}")
    tail += marks_remark(marks_of_action(day, action))
    if tail:
        remarks = Text(", ".join(tail), style=STATUS[action.status])
        yield Padding(remarks, (0, 0, 0, 4 + digits))


def _by(action: Action) -> str:
    if not action.in_hand or action.status is ActionStatus.REOPENED:
        return ""
    return f"by {action.in_hand}"


def _totals(day: DayActions) -> Text:
    actions = day.actions
    if not actions:
        return Text("No actions.", style="green")
    findings = sum(len(action.findings) for action in actions)
    line = Text(plural(len(actions), "action"), style="bold")
    line.append(f" for {plural(findings, 'finding')}", style="not bold")
    over = sum(action.overpaid_cents or 0 for action in actions)
    under = sum(action.underpaid_cents or 0 for action in actions)
    for cents, side in ((over, "overpaid"), (under, "underpaid")):
        if cents:
            line.append(f", {dollars(cents)} {side}", style="not bold")
    mine = Counter(action.department for action in actions).most_common()
    line.append(f"\n{', '.join(f'{name} {count}' for name, count in mine)}", style="not bold dim")
    return line


def _facts(action: Action, clock: PropertyClock) -> Iterator[tuple[str, str]]:
    yield "id", action.id
    yield "severity", action.severity.value
    yield "doubt", "" if action.certain else DOUBTFUL
    yield "code", action.code
    yield "section", action.citation.on(action.gaming_day)
    yield "about", action.subject
    yield "from, to", f"{_moment(action.since, clock)} to {_moment(action.until, clock)}"
    for name, cents in (("overpaid", action.overpaid_cents), ("underpaid", action.underpaid_cents)):
        yield name, dollars(cents) if cents else ""
    yield "department", action.department
    kept = action.footage_until
    yield "footage", "" if kept is None else f"kept until {_moment(kept, clock)}"
    yield "status", f"{action.status.value} {_by(action)}".strip()
    yield "waits for", action.waits


def _finding(finding: Finding) -> RenderableType:
    line = Text(f"{place_of(finding)}  ", style="dim")
    line.append(finding.sentence, style="not dim")
    lost = money(finding.effect_cents)
    if lost:
        line.append(f"  {lost}", style="not dim yellow")
    return Padding(line, (0, 0, 0, 2))


def describe_acts(
    done: Iterable[ActionFact],
    clock: PropertyClock,
    unheld: Collection[FactRef] = (),
    barred: Mapping[FactRef, str] = NONE,
) -> tuple[str, ...]:
    """What persons did with an action, a line each.

    Args:
        done: what was done.
        clock: the property's.
        unheld: what was done without a credential on record.
        barred: what was done and does not count, with why.
    """
    return tuple(_act(fact, clock, unheld, barred) for fact in done)


def _act(
    fact: ActionFact,
    clock: PropertyClock,
    unheld: Collection[FactRef],
    barred: Mapping[FactRef, str],
) -> str:
    at, ref = _moment(fact.event_time, clock), ref_of(fact)
    doubt = f" (DOES NOT COUNT: {barred[ref]})" if ref in barred else ""
    doubt = doubt or (" (no credential on record)" if ref in unheld else "")
    if isinstance(fact, ActionTaken):
        return f"{at}  taken by {fact.taken_by}{doubt}"
    if isinstance(fact, ActionClosed):
        return f"{at}  closed by {fact.closed_by}{doubt}: {fact.reason}"
    return f"{at}  noted by {fact.noted_by}{doubt}: {fact.note}"


def _done_data(
    fact: ActionFact, unheld: Collection[FactRef], barred: Mapping[FactRef, str]
) -> dict[str, object]:
    ref = ref_of(fact)
    at = {
        "at": format_time(fact.event_time),
        "fact": str(ref),
        "credential_on_record": ref not in unheld,
        "counts": ref not in barred,
        "why_not": barred.get(ref),
    }
    if isinstance(fact, ActionTaken):
        return {"did": "taken", "by": fact.taken_by, "said": None, **at}
    if isinstance(fact, ActionClosed):
        return {"did": "closed", "by": fact.closed_by, "said": fact.reason, **at}
    return {"did": "noted", "by": fact.noted_by, "said": fact.note, **at}


def _moment(at: int, clock: PropertyClock) -> str:
    return f"{clock.local(at):%Y-%m-%d %H:%M}"


def _round(action: Action) -> str | None:
    return next((one.round for one in action.findings if one.round is not None), None)


def _digits(ids: Sequence[str]) -> int:
    """As many digits as tell these ids apart."""
    digits = ID_SHOWN
    while len({one[:digits] for one in ids}) < len(set(ids)):
        digits += 1
    return digits
