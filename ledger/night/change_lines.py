"""The lines of the report that say what changed since the last one: the gravest first, short."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any, Final

from ledger.casework import Action, Status
from ledger.kernel import parse_round_id
from ledger.reports.night import Change

NAMED: Final = 3
"""So many facts, or actions, are named in one line."""


def changes_of(draft: Mapping[str, Any], day: date, actions: Iterable[Action]) -> Iterator[Change]:
    """What changed, a line each: restated days, late facts, what was opened again, closed, new.

    Args:
        draft: the manifest so far.
        day: the gaming day that is reported.
        actions: of the day, as they stand.
    """
    restated, since = draft.get("restates"), draft["since"]
    if restated is not None:
        yield Change(
            day=day,
            what=f"this restates issue {restated['issue']}",
            why=_why(restated),
            facts=tuple(parse_round_id(one["fact"]) for one in restated["late"]),
            forms=(*restated["signed_forms"], *restated["signed_reports"]),
        )
    if since["report"] is None:
        return
    for one in since["restated"]:
        yield Change(
            day=_day(one),
            what=f"restated: {one['issue'].replace('-', ' issue ')}",
            why="; ".join(filter(None, (_why(one), _counted(one["actions"])))),
            facts=tuple(parse_round_id(fact["fact"]) for fact in one["late"]),
            forms=tuple(one["forms"]),
        )
    for one in since["late"]:
        yield Change(
            day=_day(one),
            what=f"{_facts(one)} came late; its night has to be run again",
            why=_listed(one),
            facts=tuple(parse_round_id(fact["fact"]) for fact in one["late"]),
        )
    yield from _reopened(since["restated"], day, actions)
    yield from _closed(since["closed"])
    counts = since["actions"]
    told = (
        f"{counts['new']:,} new, {counts['again']:,} as before, {counts['gone']:,} not found again"
    )
    yield Change(day=day, what=f"actions: {told}", why="")


def since_words(draft: Mapping[str, Any]) -> str:
    """With what the day is compared; empty where there is no earlier report."""
    report = draft["since"]["report"]
    if report is None:
        return ""
    if draft.get("restates") is not None:
        return f"issue {draft['restates']['issue']} of this day"
    return f"the report of {report['gaming_day']}"


def _day(one: Mapping[str, Any]) -> date:
    return date.fromisoformat(one["gaming_day"])


def _why(restated: Mapping[str, Any]) -> str:
    return ", ".join(restated["reasons"]) + (f": {_listed(restated)}" if restated["late"] else "")


def _facts(one: Mapping[str, Any]) -> str:
    count = one["late_facts"]
    return "1 fact" if count == 1 else f"{count:,} facts"


def _listed(one: Mapping[str, Any]) -> str:
    named = [f"{fact['fact']} {fact['event']}" for fact in one["late"][:NAMED]]
    more = one["late_facts"] - len(named)
    return ", ".join(named) + (f" and {more:,} more" if more else "")


def _counted(actions: Mapping[str, int]) -> str:
    words = ((actions["new"], "new"), (actions["gone"], "not found again"))
    return ", ".join(f"{count:,} {word}" for count, word in words if count)


def _reopened(
    restated: Iterable[Mapping[str, Any]], day: date, actions: Iterable[Action]
) -> Iterator[Change]:
    of_days = [(_day(one), [*one["reopened"]]) for one in restated]
    own = [
        {"title": one.title, "changed": one.changed}
        for one in actions
        if one.status is Status.REOPENED
    ]
    for when, held in (*of_days, (day, own)):
        if held:
            told = [f"{one['title']} ({one['changed']})" for one in held]
            yield Change(day=when, what=f"opened again: {_few(told)}", why="")


def _closed(closed: Iterable[Mapping[str, str]]) -> Iterator[Change]:
    by_day: dict[str, list[str]] = {}
    for one in closed:
        said = f"{one['table']} {one['code'].replace('_', ' ')} by {one['by']}: {one['reason']}"
        by_day.setdefault(one["gaming_day"], []).append(said)
    for when, told in sorted(by_day.items()):
        yield Change(day=date.fromisoformat(when), what=f"closed: {_few(told)}", why="")


def _few(told: list[str]) -> str:
    more = len(told) - NAMED
    return "; ".join(told[:NAMED]) + (f" and {more:,} more" if more > 0 else "")
