"""What changed since the last report: as data in the manifest, and in lines of the report.

The report that is compared with is the one that came out last night (the first final one of the
last day before that has any); where the day itself was reported before, the issue that is restated.
Each issue that was read is named with its digest. The day's own results do not depend on it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

from ledger.audit import Day
from ledger.casework import Action, ActionStatus
from ledger.events import ActionClosed
from ledger.kernel import FactRef, PropertyClock, parse_round_id
from ledger.log.signed_file_index import Seals
from ledger.night.day_input import is_input, named_fact
from ledger.night.issue_folders import Issue, sealed_issues
from ledger.night.manifest import Manifest
from ledger.replay import FactStep, Replay
from ledger.reports.night import Change, Phase

LONGEST: Final = 92
"""For how many days before its own a report is looked for."""
NAMED: Final = 5
"""So many late facts of a day are kept by name; the others are counted."""
NAMED_IN_A_LINE: Final = 3
"""So many facts, or actions, are named in one line of the report."""
ACTIONS: Final = "actions.json"

Cause = tuple[str, bool, str, str]


def compare_with_last_report(
    replay: Replay,
    clock: PropertyClock,
    out: Path,
    day: Day,
    before: Issue | None,
    actions: Iterable[Action],
    seals: Seals,
) -> dict[str, Any]:
    """Compare the day with the last report, and gather what changed in the days before.

    Args:
        replay: the replay of the ledger.
        clock: the property's.
        out: the folder of nights.
        day: the gaming day that is reported, with its bounds.
        before: the issue of it that is restated, None where there is none.
        actions: of the day, folded.
        seals: those of the ledger: what it does not vouch for is no report.

    Returns:
        Plain data for the manifest. ``report``: how the report that is compared with is named, None
        where there is none, and then nothing else. ``actions``: how many are ``new``, there
        ``again`` and ``gone``. ``restated``: the days before that were issued anew since.
        ``late``: the reported days of which facts came since, and which were not issued anew.
        ``closed``: the actions that persons closed since.

    Raises:
        IssueDamaged: a report is not what was issued.
    """
    is_base = before is not None and before.is_sealed
    base = before if is_base else _last_night(out, day.date, seals)
    if base is None:
        return {"report": None}
    size = base.manifest["tree_size"]
    restated = [_restated(out, one, seals) for one in _reissued(out, day.date, size, seals)]
    known = {one["gaming_day"] for one in restated}
    late = [one for one in _late(replay, clock, day, size) if one["gaming_day"] not in known]
    return {
        "report": base.reference(),
        "actions": _compared(_causes(base), {_cause_of(one) for one in actions}),
        "restated": restated,
        "late": [one for one in late if _reported(out, date.fromisoformat(one["gaming_day"]))],
        "closed": [
            one for one in _closed(replay, size) if one["gaming_day"] <= day.date.isoformat()
        ],
    }


def _days_before(day: date) -> Iterator[date]:
    return (day - timedelta(days=back) for back in range(1, LONGEST + 1))


def _reported(out: Path, day: date) -> bool:
    return any((out / day.isoformat()).glob("*/manifest.json"))


def _last_night(out: Path, day: date, seals: Seals) -> Issue | None:
    for earlier in _days_before(day):
        for phase in (Phase.FINAL, Phase.PRELIMINARY):
            of_day = sealed_issues(out, earlier, phase, seals)
            if of_day:
                return of_day[0]
    return None


def _reissued(out: Path, day: date, size: int, seals: Seals) -> Iterator[Issue]:
    """The last issue of each day before that was made anew on a larger tree, oldest day first."""
    for earlier in reversed(list(_days_before(day))):
        if any((out / earlier.isoformat()).glob(f"{Phase.FINAL.value}-*")):
            for last in sealed_issues(out, earlier, Phase.FINAL, seals)[-1:]:
                if last.number > 1 and last.manifest["tree_size"] > size:
                    yield last


def _restated(out: Path, issue: Issue, seals: Seals) -> dict[str, Any]:
    restates: Mapping[str, Any] = issue.manifest["restates"]
    day = date.fromisoformat(issue.manifest["gaming_day"])
    before = sealed_issues(out, day, Phase.FINAL, seals)
    causes = [_causes(one) for one in before if one.number == restates["issue"]]
    actions = _reported_actions(issue)
    return {
        **issue.reference(),
        "reasons": restates["reasons"],
        "late": restates["late"][:NAMED],
        "late_facts": restates["late_facts"],
        "forms": [*restates["signed_forms"], *restates["signed_reports"]],
        "actions": _compared(set().union(*causes), {_cause(one) for one in actions}),
        "reopened": [
            {"title": one["title"], "changed": one["changed"]}
            for one in actions
            if one["status"] == "reopened"
        ],
    }


def _reported_actions(issue: Issue) -> list[dict[str, Any]]:
    issue.check(ACTIONS)
    actions: list[dict[str, Any]] = json.loads((issue.path / ACTIONS).read_bytes())
    return actions


def _causes(issue: Issue) -> set[Cause]:
    return {_cause(one) for one in _reported_actions(issue)}


def _cause(action: Mapping[str, Any]) -> Cause:
    return action["code"], action["certain"], action["table"], action["subject"]


def _cause_of(action: Action) -> Cause:
    return action.code, action.certain, action.table, action.subject


def _compared(before: set[Cause], after: set[Cause]) -> dict[str, int]:
    return {"new": len(after - before), "again": len(after & before), "gone": len(before - after)}


def _late(replay: Replay, clock: PropertyClock, day: Day, size: int) -> list[dict[str, Any]]:
    """The facts of days before that the ledger did not have then, or had otherwise; by day."""
    by_day: dict[date, list[FactRef]] = {}
    for stream in filter(is_input, replay.streams()):
        seqs, positions = replay.places(stream, 0, replay.last_seq_before(stream, day.begins))
        for seq in seqs[positions >= size].tolist():
            (at,) = replay.times(stream, [seq])
            if at is not None:
                by_day.setdefault(clock.day_of(at), []).append(FactRef(stream, seq))
    return [
        {
            "gaming_day": one.isoformat(),
            "late": [named_fact(replay, ref) for ref in refs[:NAMED]],
            "late_facts": len(refs),
        }
        for one, refs in sorted(by_day.items())
        if one < day.date
    ]


def _closed(replay: Replay, size: int) -> Iterator[dict[str, str]]:
    """What persons closed since: of which day, what, who, why."""
    only = ("ActionClosed",)
    for step in replay.walk(replay.streams_with(only), only=only):
        if isinstance(step, FactStep) and step.position >= size:
            fact = step.fact
            if isinstance(fact, ActionClosed):
                yield {
                    "gaming_day": fact.about.for_gaming_day,
                    "action": fact.about.action,
                    "code": fact.about.code,
                    "table": fact.about.table,
                    "by": fact.closed_by,
                    "reason": fact.reason,
                }


# --- as lines of the report -----------------------------------------------------------------------


def change_lines(draft: Manifest, day: date, actions: Iterable[Action]) -> Iterator[Change]:
    """Yield a line for each change: restated days, late facts, reopened and closed actions, counts.

    Args:
        draft: the manifest so far; its ``since`` is what ``compare_with_last_report`` returned.
        day: the gaming day that is reported.
        actions: of the day, as they stand.
    """
    restated, since = draft.get("restates"), draft["since"]
    if restated is not None:
        yield Change(
            day=day,
            headline=f"this restates issue {restated['issue']}",
            why=_reasons_in_words(restated),
            facts=tuple(parse_round_id(one["fact"]) for one in restated["late"]),
            forms=(*restated["signed_forms"], *restated["signed_reports"]),
        )
    if since["report"] is None:
        return
    for change in since["restated"]:
        yield Change(
            day=_day_of(change),
            headline=f"restated: {change['issue'].replace('-', ' issue ')}",
            why="; ".join(
                filter(None, (_reasons_in_words(change), _actions_in_words(change["actions"])))
            ),
            facts=tuple(parse_round_id(fact["fact"]) for fact in change["late"]),
            forms=tuple(change["forms"]),
        )
    for change in since["late"]:
        yield Change(
            day=_day_of(change),
            headline=f"{_count_of_late(change)} came late; its night has to be run again",
            why=_late_in_words(change),
            facts=tuple(parse_round_id(fact["fact"]) for fact in change["late"]),
        )
    yield from _reopened_lines(since["restated"], day, actions)
    yield from _closed_lines(since["closed"])
    counts = since["actions"]
    counted = (
        f"{counts['new']:,} new, {counts['again']:,} as before, {counts['gone']:,} not found again"
    )
    yield Change(day=day, headline=f"actions: {counted}", why="")


def compared_report(draft: Manifest) -> str:
    """Name the report that the day is compared with; empty where there is none."""
    report = draft["since"]["report"]
    if report is None:
        return ""
    if draft.get("restates") is not None:
        return f"issue {draft['restates']['issue']} of this day"
    return f"the report of {report['gaming_day']}"


def _day_of(change: Mapping[str, Any]) -> date:
    return date.fromisoformat(change["gaming_day"])


def _reasons_in_words(restated: Mapping[str, Any]) -> str:
    return ", ".join(restated["reasons"]) + (
        f": {_late_in_words(restated)}" if restated["late"] else ""
    )


def _count_of_late(change: Mapping[str, Any]) -> str:
    count = change["late_facts"]
    return "1 fact" if count == 1 else f"{count:,} facts"


def _late_in_words(change: Mapping[str, Any]) -> str:
    named = [f"{fact['fact']} {fact['event']}" for fact in change["late"][:NAMED_IN_A_LINE]]
    more = change["late_facts"] - len(named)
    return ", ".join(named) + (f" and {more:,} more" if more else "")


def _actions_in_words(actions: Mapping[str, int]) -> str:
    words = ((actions["new"], "new"), (actions["gone"], "not found again"))
    return ", ".join(f"{count:,} {word}" for count, word in words if count)


def _reopened_lines(
    restated: Iterable[Mapping[str, Any]], day: date, actions: Iterable[Action]
) -> Iterator[Change]:
    of_days = [(_day_of(one), [*one["reopened"]]) for one in restated]
    own = [
        {"title": one.title, "changed": one.changed}
        for one in actions
        if one.status is ActionStatus.REOPENED
    ]
    for when, reopened in (*of_days, (day, own)):
        if reopened:
            titles = [f"{one['title']} ({one['changed']})" for one in reopened]
            yield Change(day=when, headline=f"opened again: {_first_few(titles)}", why="")


def _closed_lines(closed: Iterable[Mapping[str, str]]) -> Iterator[Change]:
    by_day: dict[str, list[str]] = {}
    for action in closed:
        code = action["code"].replace("_", " ")
        line = f"{action['table']} {code} by {action['by']}: {action['reason']}"
        by_day.setdefault(action["gaming_day"], []).append(line)
    for when, lines in sorted(by_day.items()):
        yield Change(day=date.fromisoformat(when), headline=f"closed: {_first_few(lines)}", why="")


def _first_few(lines: list[str]) -> str:
    more = len(lines) - NAMED_IN_A_LINE
    return "; ".join(lines[:NAMED_IN_A_LINE]) + (f" and {more:,} more" if more > 0 else "")
