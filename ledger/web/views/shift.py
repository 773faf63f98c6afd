"""The shift: findings of the last gaming day, gravest first, and terminals that are behind."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from ledger.audit import last_gaming_day
from ledger.casework.cases.shift_log import WRITERS, ShiftRecord
from ledger.codec import to_plain
from ledger.events import ShiftHandedOver
from ledger.kernel import duration_words
from ledger.reports.phrases import calendar_date
from ledger.watch.floor_watch import SILENT_AFTER, is_open
from ledger.web.rendering import Answer
from ledger.web.visit import Visit

MOST: Final = 200
LOGGED: Final = 30
"""Entries of the log of the shift that are shown, the newest."""
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
    log = ShiftRecord.read(record.replay).log
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
        "silent": silent_tables(visit),
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
    document = {
        "gaming_day": str(day) if day else None,
        "findings": rows,
        "in_hand": log.in_hand,
        "log": [to_plain(fact) for fact in log.entries[-LOGGED:]],
    }
    return Answer(template="shift.html", context=context, document=document, rows=rows)


def silent_tables(visit: Visit) -> list[tuple[str, str, str]]:
    """Open tables whose last fact is long behind the floor's newest.

    Returns:
        For each its name, the local time of its last fact, and how far it is behind.
    """
    record = visit.record
    replay, clock = record.replay, record.property_clock
    last = {
        table: max(replay.extent(stream).last_time for stream in streams)
        for table, streams in replay.tables().items()
    }
    newest = max(last.values(), default=0)
    return [
        (table, f"{clock.local(at):%b %-d %H:%M:%S}", duration_words(newest - at))
        for table, at in sorted(last.items(), key=lambda pair: pair[1])
        if newest - at > SILENT_AFTER and is_open(replay, table, at)
    ]
