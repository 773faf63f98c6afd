"""The shift: what the watch tells, open actions, findings, terminals that are behind, the log."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from ledger.audit import last_gaming_day
from ledger.casework import (
    Action,
    ActionStatus,
    DayActions,
    read_done,
    read_suppressions,
    seen_in,
    with_acts,
)
from ledger.casework.cases import CaseAct, barred_from
from ledger.casework.cases.shift_log import WRITERS
from ledger.codec import to_plain
from ledger.events import ShiftHandedOver
from ledger.kernel import Severity, duration_words
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.actions import action_data
from ledger.reports.phrases import calendar_date
from ledger.reports.watch_output import silence_limit_words
from ledger.watch import WHOLE_FLOOR, Feed, Notice, notice_data
from ledger.watch.silences import awaited_feeds, is_open, last_time
from ledger.web.rendering import Answer
from ledger.web.visit import Visit

MOST: Final = 200
LOGGED: Final = 30
"""Entries of the log of the shift that are shown, the newest."""
TOLD: Final = 20
"""Findings of the watch that are shown, the newest."""
ACTION_DAYS: Final = 7
"""Gaming days whose open actions are shown; the night's report has the older ones."""
LEVELS: Final = {
    "full": "every wager and settlement",
    "outcome": "results only; no wager and no settlement",
    "counts": "counts only",
    None: "not stated at its opening",
}
"""What a table records, in words, by its level of capture."""
_GRAVITY: Final = list(Severity)
REFRESH_SECONDS: Final = 30
"""How often the page is read again where scripts run; without them a link does."""
_FINDINGS: Final = """
SELECT severity, certainty, code, sentence, section, table_name, game, round, wager_id,
       round_opened_local, effect_cents, count(*) OVER () AS total
FROM findings WHERE gaming_day = ?
ORDER BY list_position(['critical', 'high', 'medium', 'low', 'info'], severity),
         round_opened_at DESC NULLS LAST, number LIMIT ?
"""


def shift_page(visit: Visit) -> Answer:
    """The last gaming day on record as surveillance works through it.

    Raises:
        ReadModelMissing: nothing can be listed yet.
    """
    record = visit.record
    day = last_gaming_day(record.replay)
    findings = [] if day is None else record.rows(_FINDINGS, [day, MOST], [day])
    log = record.shifts.log
    memory, is_watched = record.watched()
    actions = open_actions(visit)
    capture = [] if day is None else list(_of(visit, day).capture)
    until = None
    if day is not None and visit.footage_days is not None:
        until = calendar_date(day + timedelta(days=visit.footage_days))
    context = {
        "title": "Shift",
        "day": day,
        "findings": findings,
        "total": findings[0]["total"] if findings else 0,
        "footage_until": until,
        "behind": record.behind,
        "silent": silent_feeds(visit),
        "is_watched": is_watched,
        "told_behind": record.replay.size - memory.size,
        "told": newest_told(visit, day),
        "lost": [
            (table, camera, f"{record.property_clock.local(at):%b %-d %H:%M:%S}")
            for (table, camera), at in sorted(memory.lost.items())
        ],
        "is_floor_silent": WHOLE_FLOOR in memory.silent and is_watched,
        "actions": actions,
        "may_open": _may_open(visit),
        "capture": capture,
        "levels": LEVELS,
        "log": list(reversed(log.entries[-LOGGED:])),
        "in_hand": log.in_hand,
        "may_write": not WRITERS.isdisjoint(visit.roles),
        "own": visit.session.person,
        "when": lambda at: f"{record.property_clock.local(at):%b %-d %H:%M}",
        "is_handover": lambda fact: isinstance(fact, ShiftHandedOver),
        "not_counted": log.idle[-LOGGED:],
        "refresh": REFRESH_SECONDS,
        "read_at": f"{record.property_clock.local(record.clock()):%b %-d %H:%M:%S}",
    }
    rows = [{name: row[name] for name in row if name != "total"} for row in findings]
    document: dict[str, object] = {
        "gaming_day": str(day) if day else None,
        "findings": rows,
        "watch": {
            "running": is_watched,
            "behind": record.replay.size - memory.size,
            "findings": [notice_data(notice) for notice in _notices(visit, day)[:TOLD]],
        },
        "actions": [action_data(each.action) for each in actions],
        "capture": {line.table: line.level for line in capture},
        "in_hand": log.in_hand,
        "log": [to_plain(fact) for fact in log.entries[-LOGGED:]],
    }
    return Answer(template="shift.html", context=context, document=document, rows=rows)


def captured_words(table: str, level: str | None) -> str:
    """Return what a table records, in a sentence without its full stop."""
    if level is None:
        return f"{table} did not state what it records"
    return f"{table} records {LEVELS.get(level, 'what this version does not know')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAction:
    """An action that somebody has to look into.

    Attributes:
        action: the action.
        footage_until: until when recordings of it are kept, in words; None: nothing says so.
        is_over: they are not kept any more.
    """

    action: Action
    footage_until: str | None
    is_over: bool


def open_actions(visit: Visit) -> list[OpenAction]:
    """The actions of the last gaming days that are not closed: gravest, then earliest deadline."""
    at, clock = visit.record.clock(), visit.record.property_clock
    days = visit.record.gaming_days()[:ACTION_DAYS]
    standing = [
        action
        for day in days
        for action in _of(visit, day).actions
        if action.status is not ActionStatus.CLOSED and action.suppressed_until is None
    ]
    standing.sort(key=lambda action: (_gravity(action), action.footage_until or 0, action.since))
    return [
        OpenAction(
            action=action,
            footage_until=None
            if action.footage_until is None
            else f"{clock.local(action.footage_until):%b %-d, %Y %H:%M}",
            is_over=action.footage_until is not None and action.footage_until < at,
        )
        for action in standing
    ]


def _may_open(visit: Visit) -> bool:
    ground, at = visit.record.cases.ground(None, CaseAct.OPEN), visit.record.clock()
    return barred_from(None, CaseAct.OPEN, visit.session.person, at, ground) is None


def _gravity(action: Action) -> int:
    return -_GRAVITY.index(action.severity)


@dataclass(slots=True)
class _DayList:
    """The actions of a gaming day, and with what was done with them up to a size of the ledger."""

    seen: DayActions
    acts_size: int = -1
    shown: DayActions | None = None


def _of(visit: Visit, day: date) -> DayActions:
    """The actions of a gaming day, as far as the read model vouches for its judgment.

    What somebody did with an action is laid beside them again; a note costs nothing here.
    """
    record = visit.record
    house = record.judged.record

    def make() -> _DayList:
        audit = record.judged.audit(day)
        return _DayList(seen_in(record.replay, house, audit, visit.footage_days))

    listed = record.of_facts("actions", day, make, has_rows=True, may_lag=True)
    if listed.shown is None or listed.acts_size != record.acts_size:
        replay = record.replay
        acts = read_done(replay), read_suppressions(replay)
        listed.shown = with_acts(replay, house, listed.seen, *acts)
        listed.acts_size = record.acts_size
    return listed.shown


def newest_told(visit: Visit, day: date | None) -> list[tuple[Notice, str]]:
    """What the watch told of a gaming day, the newest first, each with its local time."""
    clock = visit.record.property_clock
    return [
        (notice, "–" if (at := notice.happened_at) is None else f"{clock.local(at):%H:%M:%S}")
        for notice in _notices(visit, day)[:TOLD]
    ]


def _notices(visit: Visit, day: date | None) -> list[Notice]:
    memory, _ = visit.record.watched()
    standing = {} if day is None else memory.days.get(day, {})
    return sorted(standing.values(), key=lambda notice: -(notice.happened_at or 0))


def silent_feeds(visit: Visit) -> list[tuple[str, str, str, str]]:
    """Open tables, and feeds of them, whose last fact is longer ago than they may be silent.

    Returns:
        For each its name, the local time of its last fact, how far that is behind the floor's
        newest, and how long it may be silent; the one that is silent the longest first.
    """
    record = visit.record
    replay, clock = record.replay, record.property_clock
    last = {table: last_time(replay, Feed(table)) for table in replay.tables()}
    newest = max(last.values(), default=0)
    silent = [
        (last_time(replay, feed), feed, limit)
        for feed, limit in awaited_feeds(replay, record.judged.record.office, newest)
        if newest - last_time(replay, feed) > limit.micros
        and is_open(replay, feed.table, last[feed.table])
    ]
    return [
        (
            feed.table if feed.stream is None else f"{feed.table}, feed {feed.stream}",
            f"{clock.local(at):%b %-d %H:%M:%S}",
            duration_words(newest - at),
            silence_limit_words(limit.micros, None if limit.fact is None else str(limit.fact)),
        )
        for at, feed, limit in sorted(
            silent, key=lambda row: (row[0], row[1].table, row[1].stream or "")
        )
    ]
