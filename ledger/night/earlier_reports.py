"""What the reports of the days before say: causes, takings, open actions; in the same folder.

Each report that was read is named in the manifest with its digest, so that the page says what it
leans on. The days' own results do not depend on it.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Mapping
from dataclasses import asdict, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

from ledger.casework import Action, read_done
from ledger.events import ActionClosed, ActionNoted
from ledger.kernel.quick_dataclass import dataclass
from ledger.log.signed_file_index import Seals
from ledger.night.issue_folders import Issue, reported_issue
from ledger.replay import Replay
from ledger.reports.night import OpenBefore, Takings, takings_of_rows, takings_together

LONGEST: Final = 92
"""For how many days before its own an action is looked for."""
ACTIONS: Final = "actions.json"
TABLES: Final = "tables.json"


Closed = tuple[str, str]
"""An action that was closed: its id, and the evidence on which it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierReports:
    """What the reports of the days before say, as far as this day's report needs it.

    Attributes:
        reports: those that were read, as ``Issue.reference`` names them, the last day first.
        since: by the id of an action of this day, the first day (ISO 8601) on which its cause was
            reported without a break up to this one.
    """

    reports: tuple[Mapping[str, str], ...] = ()
    unsealed: tuple[date, ...] = ()
    """Days whose report the ledger's key does not vouch for: it was not read."""
    since: Mapping[str, str] = field(default_factory=dict)
    takings: Mapping[date, Takings] = field(default_factory=dict)
    """By gaming day, from the first day of the year on."""
    open_before: OpenBefore | None = None

    def plain(self) -> dict[str, object]:
        """Return it as plain data, as the manifest holds it under ``earlier``."""
        return {
            "reports": [dict(one) for one in self.reports],
            "unsealed": [day.isoformat() for day in self.unsealed],
            "since": dict(self.since),
            "takings": [_plain(one) for _, one in sorted(self.takings.items())],
            "open": None
            if self.open_before is None
            else [[day.isoformat(), count] for day, count in self.open_before.by_day],
        }


NONE: Final = EarlierReports()


def read_earlier_reports(
    out: Path,
    day: date,
    seals: Seals,
    actions: Iterable[Action],
    closed: Container[Closed] = frozenset(),
) -> EarlierReports:
    """Read the reports of the days before, as far as this day's report needs them.

    Each cause is followed back day by day, as long as it stands there. Takings go back to the first
    day of the year, actions ``LONGEST`` days.

    Args:
        out: the folder of nights.
        day: the gaming day that is reported.
        seals: those of the ledger.
        actions: of the day, folded.
        closed: the actions that persons closed, as ``closed_actions`` tells.

    Raises:
        IssueDamaged: a report is not what was issued.
    """
    wanted = {(one.code, one.certain, one.table, one.subject): one.id for one in actions}
    since: dict[str, str] = {}
    takings: dict[date, Takings] = {}
    open_by_day: dict[date, int] = {}
    reports, unsealed = [], []
    for back in range(1, max(LONGEST, day.timetuple().tm_yday - 1) + 1):
        before = day - timedelta(days=back)
        issue = reported_issue(out, before, seals)
        if issue is not None and not issue.is_sealed:
            unsealed.append(before)
            issue = None
        if issue is None:
            wanted = {}
            continue
        reports.append(issue.reference())
        if before.year == day.year:
            issue.check(TABLES)
            takings[before] = takings_of_rows(before, _read(issue, TABLES))
        if back > LONGEST:
            continue
        issue.check(ACTIONS)
        reported = _read(issue, ACTIONS)
        open_by_day[before] = sum(
            one["status"] != "closed" and (one["id"], one["evidence"]) not in closed
            for one in reported
        )
        causes = {(one["code"], one["certain"], one["table"], one["subject"]) for one in reported}
        wanted = {cause: name for cause, name in wanted.items() if cause in causes}
        since |= dict.fromkeys(wanted.values(), before.isoformat())
    counted = tuple(sorted((at, count) for at, count in open_by_day.items() if count))
    return EarlierReports(
        reports=tuple(reports),
        unsealed=tuple(unsealed),
        since=since,
        takings=takings,
        open_before=OpenBefore(by_day=counted) if open_by_day else None,
    )


def closed_actions(replay: Replay) -> frozenset[Closed]:
    """Return the actions that persons closed and nobody reopened, with the evidence of each."""
    last = {
        fact.about.action: fact for fact in read_done(replay) if not isinstance(fact, ActionNoted)
    }
    return frozenset(
        (name, fact.about.evidence.hex())
        for name, fact in last.items()
        if isinstance(fact, ActionClosed)
    )


def periods_of(plain: Mapping[str, Any], day: date, own: Takings) -> tuple[Takings | None, ...]:
    """Return the takings of the day before, and of month and year up to and with a day.

    Returns:
        The day before, the month, the year. A period is None where none of its earlier days has a
        report.

    Args:
        plain: what ``EarlierReports.plain`` made.
        day: the gaming day that is reported.
        own: its own takings.
    """
    by_day = {one.last: one for one in map(_takings, plain["takings"])}
    prior = by_day.get(day - timedelta(days=1))
    sums = []
    for first in (day.replace(day=1), day.replace(month=1, day=1)):
        before = [one for at, one in by_day.items() if at >= first]
        known = bool(before) or first == day
        sums.append(takings_together(first, [*before, own]) if known else None)
    return (prior, *sums)


def open_before(plain: Mapping[str, Any]) -> OpenBefore | None:
    """Return the actions of earlier days that nobody closed, as ``EarlierReports.plain`` has them.

    None where no earlier report was read.
    """
    if plain["open"] is None:
        return None
    return OpenBefore(by_day=tuple((date.fromisoformat(at), count) for at, count in plain["open"]))


def _plain(takings: Takings) -> dict[str, object]:
    return {
        name: value.isoformat() if isinstance(value, date) else value
        for name, value in asdict(takings).items()
    }


def _takings(plain: Mapping[str, Any]) -> Takings:
    first, last = (date.fromisoformat(plain[name]) for name in ("first", "last"))
    return Takings(**{**plain, "first": first, "last": last})


def _read(issue: Issue, name: str) -> Any:
    return json.loads((issue.path / name).read_bytes())
