"""What changed since the last report: what its readers were told, and what the ledger says now.

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
from ledger.casework import Action
from ledger.events import ActionClosed
from ledger.kernel import FactRef, PropertyClock
from ledger.night.day_input import is_input
from ledger.night.issues import Issue, issues
from ledger.replay import FactStep, Replay
from ledger.reports.night import Phase

LONGEST: Final = 92
"""For how many days before its own a report is looked for."""
NAMED: Final = 5
"""So many facts, or things that were closed, are named one by one."""
ACTIONS: Final = "actions.json"

Cause = tuple[str, bool, str, str]


def since_last(
    replay: Replay,
    clock: PropertyClock,
    out: Path,
    day: Day,
    before: Issue | None,
    actions: Iterable[Action],
) -> dict[str, Any]:
    """What changed, as data.

    Args:
        replay: the ledger's.
        clock: the property's.
        out: the folder of nights.
        day: the gaming day that is reported.
        before: the issue of it that is restated, None where there is none.
        actions: of the day, folded.

    Raises:
        IssueDamaged: a report is not what was issued.
    """
    base = before or _last_night(out, day.date)
    if base is None:
        return {"report": None}
    size = base.manifest["tree_size"]
    restated = [_restated(out, one) for one in _reissued(out, day.date, size)]
    known = {one["gaming_day"] for one in restated}
    late = [one for one in _late(replay, clock, day, size) if one["gaming_day"] not in known]
    return {
        "report": _named(base),
        "actions": _compared(_causes(base), {_cause_of(one) for one in actions}),
        "restated": restated,
        "late": [one for one in late if _reported(out, date.fromisoformat(one["gaming_day"]))],
        "closed": [
            one for one in _closed(replay, size) if one["gaming_day"] <= day.date.isoformat()
        ],
    }


def _named(issue: Issue) -> dict[str, Any]:
    told = issue.manifest
    return {
        "gaming_day": told["gaming_day"],
        "issue": issue.path.name,
        "manifest": issue.digest.hex(),
    }


def _days_before(day: date) -> Iterator[date]:
    return (day - timedelta(days=back) for back in range(1, LONGEST + 1))


def _reported(out: Path, day: date) -> bool:
    return any((out / day.isoformat()).glob("*/manifest.json"))


def _last_night(out: Path, day: date) -> Issue | None:
    for one in _days_before(day):
        for phase in (Phase.FINAL, Phase.PRELIMINARY):
            found = issues(out, one, phase)
            if found:
                return found[0]
    return None


def _reissued(out: Path, day: date, size: int) -> Iterator[Issue]:
    """The last issue of each day before that was made anew on a larger tree, oldest day first."""
    for one in reversed(list(_days_before(day))):
        if any((out / one.isoformat()).glob(f"{Phase.FINAL.value}-*")):
            *_, last = issues(out, one, Phase.FINAL)
            if last.number > 1 and last.manifest["tree_size"] > size:
                yield last


def _restated(out: Path, issue: Issue) -> dict[str, Any]:
    told: Mapping[str, Any] = issue.manifest["restates"]
    day = date.fromisoformat(issue.manifest["gaming_day"])
    was = next(one for one in issues(out, day, Phase.FINAL) if one.number == told["issue"])
    held = _told_actions(issue)
    return {
        **_named(issue),
        "reasons": told["reasons"],
        "late": told["late"][:NAMED],
        "late_facts": told["late_facts"],
        "forms": [*told["signed_forms"], *told["signed_reports"]],
        "actions": _compared(_causes(was), {_cause(one) for one in held}),
        "reopened": [
            {"title": one["title"], "changed": one["changed"]}
            for one in held
            if one["status"] == "reopened"
        ],
    }


def _told_actions(issue: Issue) -> list[dict[str, Any]]:
    issue.check(ACTIONS)
    told: list[dict[str, Any]] = json.loads((issue.path / ACTIONS).read_bytes())
    return told


def _causes(issue: Issue) -> set[Cause]:
    return {_cause(one) for one in _told_actions(issue)}


def _cause(told: Mapping[str, Any]) -> Cause:
    return told["code"], told["certain"], told["table"], told["subject"]


def _cause_of(action: Action) -> Cause:
    return action.code, action.certain, action.table, action.subject


def _compared(was: set[Cause], now: set[Cause]) -> dict[str, int]:
    return {"new": len(now - was), "again": len(now & was), "gone": len(was - now)}


def _late(replay: Replay, clock: PropertyClock, day: Day, size: int) -> list[dict[str, Any]]:
    """The facts of days before that the ledger did not have then, or had otherwise; by day."""
    found: dict[date, list[FactRef]] = {}
    for stream in filter(is_input, replay.streams()):
        seqs, positions = replay.places(stream, 0, replay.last_seq_before(stream, day.begins))
        for seq in seqs[positions >= size].tolist():
            (at,) = replay.times(stream, [seq])
            if at is not None:
                found.setdefault(clock.day_of(at), []).append(FactRef(stream, seq))
    return [
        {
            "gaming_day": one.isoformat(),
            "late": [_fact(replay, ref) for ref in refs[:NAMED]],
            "late_facts": len(refs),
        }
        for one, refs in sorted(found.items())
        if one < day.date
    ]


def _fact(replay: Replay, ref: FactRef) -> dict[str, str]:
    fact = replay.fact(ref.stream, ref.seq)
    return {"fact": str(ref), "event": "withdrawn" if fact is None else type(fact).__name__}


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
