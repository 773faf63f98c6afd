"""The alerts of an issue, as persons find them again: by id, and as they stand by now."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any, Final

from ledger.audit import day_of
from ledger.casework import Alert, Policy, held_back, read_suppressions
from ledger.codec import format_time, parse_time
from ledger.kernel import PropertyClock, parse_round_id
from ledger.log.signed_file_index import Seals
from ledger.night.errors import IssueDamaged, NightOfAnotherLedger, NothingIssued
from ledger.night.issue_folders import Issue, reported_issue
from ledger.replay import Replay

NAME: Final = "alerts.json"


def alert_data(alert: Alert) -> dict[str, object]:
    """Return an alert as plain data, as ``alerts.json`` holds it; ``at`` is RFC 3339 in UTC."""
    put_off = alert.suppressed_until
    return {
        "id": alert.id,
        "gaming_day": alert.gaming_day.isoformat(),
        "detection": alert.detection,
        "table": alert.table,
        "subject": alert.subject,
        "sentence": alert.sentence,
        "e_value": alert.e_value,
        "level": alert.level,
        "raised": alert.raised,
        "volume": alert.volume,
        "left_out": alert.left_out,
        "power": alert.power,
        "at": format_time(alert.at),
        "facts": [str(ref) for ref in alert.facts],
        "suppressed_until": None if put_off is None else put_off.isoformat(),
        "detail": [list(row) for row in alert.detail],
        "held": alert.not_shown,
    }


def issued_alerts(issue: Issue) -> tuple[Alert, ...]:
    """Return the alerts of an issue as they were judged; nothing is held back.

    Raises:
        IssueDamaged: the file is not what was issued, or of a version that is not known here.
    """
    issue.check(NAME)
    path = issue.path / NAME
    try:
        return tuple(map(_alert, json.loads(path.read_bytes())))
    except (KeyError, TypeError, ValueError) as error:
        raise IssueDamaged(path, "this version cannot read it") from error


def _alert(plain: dict[str, Any]) -> Alert:
    return Alert(
        **{name: plain[name] for name in ("id", "detection", "table", "subject", "sentence")},
        **{name: plain[name] for name in ("e_value", "level", "raised", "volume", "left_out")},
        gaming_day=date.fromisoformat(plain["gaming_day"]),
        power=plain["power"],
        at=parse_time(plain["at"]),
        facts=tuple(map(parse_round_id, plain["facts"])),
        detail=tuple((name, value) for name, value in plain["detail"]),
    )


def last_issue_of(out: Path, day: date | None, seals: Seals) -> Issue:
    """Return the issue of a day that people read, as ``reported_issue``.

    Args:
        out: the folder of nights.
        day: the gaming day; None: the last one that has an issue.
        seals: those of the ledger.

    Args:
        out: the folder of nights.
        day: the gaming day; None: the last one that has an issue.
        seals: those of the ledger.

    Raises:
        NothingIssued: there is none.
        IssueDamaged: a manifest cannot be read.
    """
    days = [day] if day is not None else sorted(_days(out), reverse=True)
    for reported_day in days:
        issue = reported_issue(out, reported_day, seals)
        if issue is not None:
            return issue
    raise NothingIssued(f"{day or 'any day'} in {out}")


def _days(out: Path) -> list[date]:
    days = []
    for path in out.glob("????-??-??"):
        try:
            days.append(date.fromisoformat(path.name))
        except ValueError:
            continue
    return days


def alerts_now(
    replay: Replay, clock: PropertyClock, issue: Issue, policy: Policy
) -> tuple[Alert, ...]:
    """Return the alerts of an issue with what persons snoozed since, and within the budget.

    Args:
        replay: the replay of the ledger.
        clock: the property's.
        issue: an issue of this ledger.
        policy: how many alerts a shift is shown.

    Raises:
        NightOfAnotherLedger: the issue is none of this ledger.
        IssueDamaged: the file is not what was issued.
    """
    size, root = issue.manifest["tree_size"], issue.manifest["root"]
    if (replay.root_at(size) or b"").hex() != root:
        raise NightOfAnotherLedger(issue.path, size)
    begins = day_of(clock, date.fromisoformat(issue.manifest["gaming_day"])).begins
    return held_back(
        issued_alerts(issue), begins, policy=policy, suppressions=read_suppressions(replay)
    )
