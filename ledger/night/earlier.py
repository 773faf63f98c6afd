"""Since when a cause has been reported: the issues of the days before, in the same folder.

Each report that was read is named in the manifest with its digest, so that the page says what it
leans on. The days' own results do not depend on it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

from ledger.casework import Action
from ledger.night.issues import Issue, issues
from ledger.reports.night import Phase

LONGEST: Final = 92
"""For how many days before its own an action is looked for."""
ACTIONS: Final = "actions.json"

Cause = tuple[str, bool, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """The reports that were read, the last one first; ``since``: by action, its first day."""

    reports: tuple[Mapping[str, str], ...] = ()
    since: Mapping[str, str] = field(default_factory=dict)

    def plain(self) -> dict[str, Any]:
        """As data."""
        return {"reports": [dict(one) for one in self.reports], "since": dict(self.since)}


NONE: Final = Earlier()


def earlier_of(out: Path, day: date, actions: Iterable[Action]) -> Earlier:
    """Follow each cause of a day back through the reports, day by day, as long as it stands there.

    Raises:
        IssueDamaged: a report is not what was issued.
    """
    wanted = {(one.code, one.certain, one.table, one.subject): one.id for one in actions}
    since: dict[str, str] = {}
    reports = []
    for back in range(1, LONGEST + 1):
        before = day - timedelta(days=back)
        issue = _last(out, before)
        if issue is None or (back > 1 and not wanted):
            break
        issue.check(ACTIONS)
        reports.append(
            {
                "gaming_day": before.isoformat(),
                "issue": issue.path.name,
                "manifest": issue.digest.hex(),
            }
        )
        held = _causes(issue)
        wanted = {cause: name for cause, name in wanted.items() if cause in held}
        since |= dict.fromkeys(wanted.values(), before.isoformat())
    return Earlier(reports=tuple(reports), since=since)


def _last(out: Path, day: date) -> Issue | None:
    for phase in (Phase.FINAL, Phase.PRELIMINARY):
        found = issues(out, day, phase)
        if found:
            return found[-1]
    return None


def _causes(issue: Issue) -> set[Cause]:
    told = json.loads((issue.path / ACTIONS).read_bytes())
    return {(one["code"], one["certain"], one["table"], one["subject"]) for one in told}
