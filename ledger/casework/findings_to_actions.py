"""Findings of one cause as one action.

Findings belong together that have the same code, certainty, table and subject, and whose period is
contiguous. What filed a paytable that is the cause joins the wagers that were paid by it.

A period ends where more than an hour (``REST``) passes from one finding to the next; a wager paid
rightly in between ends that of a paytable (``wrong_payments.py``), and nothing but the gaming day
that of a cause which lasts until it is mended (``causes.toml``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from hashlib import sha256
from typing import Final

from ledger.casework.actions_and_alerts import Action
from ledger.casework.causes import Cause, causes
from ledger.casework.finding_subjects import Seen
from ledger.casework.titles import title
from ledger.casework.wrong_payments import PRICED, UNLAWFUL
from ledger.kernel import Certainty, FactRef, Finding, PropertyClock, Severity

REST: Final = 3600 * 1_000_000
"""Microseconds without a further finding after which a period is over."""
ID_DIGITS: Final = 16
"""Hexadecimal digits of an action's id."""
_DAY: Final = 24 * 3600 * 1_000_000
_GRAVITY: Final = {severity: place for place, severity in enumerate(Severity)}

Key = tuple[str, bool, str, str, int]


def fold(
    seen: Iterable[Seen],
    clock: PropertyClock,
    *,
    games: dict[str, str] | None = None,
    footage_days: int | None = None,
) -> tuple[Action, ...]:
    """The actions of a gaming day: gravest first, then most money, then oldest.

    Args:
        seen: the findings of the day with their subjects, as ``see`` makes them.
        clock: the property's, for the hours in titles.
        games: what is played at each table, for titles.
        footage_days: for how many days the property keeps recordings; None: nothing says so.
    """
    groups: dict[Key, list[Seen]] = {}
    for sighting in seen:
        finding = sighting.finding
        certain = finding.certainty is Certainty.BROKEN
        key = (finding.code, certain, sighting.table, sighting.subject, sighting.part)
        groups.setdefault(key, []).append(sighting)
    joined = _filings(groups)
    actions = []
    for key, alike in groups.items():
        cause = causes().get(key[0]) or Cause(code=key[0], of=(), department="surveillance")
        whole = cause.lasting or (key[0] in PRICED and alike[0].filing is not None)
        for place, period in enumerate(periods(alike, None if whole else REST)):
            more = joined.get(key, []) if place == 0 else []
            game = (games or {}).get(key[2], "")
            actions.append(_action(cause, period, more, clock, game, footage_days))
    return tuple(sorted(actions, key=order_of))


def periods(alike: Sequence[Seen], rest: int | None) -> Iterator[list[Seen]]:
    """Findings of one subject, cut where more than ``rest`` microseconds pass; None: nowhere."""
    ordered = sorted(alike, key=lambda one: one.at)
    start = 0
    for place in range(1, len(ordered)):
        if rest is not None and ordered[place].at - ordered[place - 1].at > rest:
            yield ordered[start:place]
            start = place
    yield ordered[start:]


def order_of(action: Action) -> tuple[int, int, int, str]:
    """Severity, then money, then the oldest footage."""
    return -_GRAVITY[action.severity], -(action.at_stake_cents or 0), action.since, action.id


def action_id(
    day: date,
    code: str,
    section: str,
    table: str,
    subject: str,
    certain: bool,
    first: FactRef | None,
) -> str:
    """The id of an action, from what it is about; later findings of its period leave it alone.

    Args:
        day: the gaming day of its first finding.
        code: of its findings.
        section: the first citation's.
        table: the table; empty for the house.
        subject: what it is about, such as "dealer D-31".
        certain: whether its findings are certain.
        first: the last fact of its first finding; None where that names none.

    Returns:
        Hexadecimal digits of SHA-256 over these.
    """
    about = (day.isoformat(), code, section, table, subject, str(certain), str(first or ""))
    return sha256("\n".join(("pitledger action", *about)).encode()).hexdigest()[:ID_DIGITS]


def evidence_of(findings: Iterable[Finding]) -> str:
    """SHA-256 over what the findings say in fact, whatever their order and words.

    A line holds code, certainty, section, round, wager, facts, expected, observed and effect; the
    lines are sorted.
    """
    lines = sorted(
        "\t".join(
            (
                one.code,
                one.certainty.value,
                one.citations[0].section if one.citations else "",
                one.round or "",
                one.wager or "",
                " ".join(f"{stream}:{seq}" for stream, seq in one.facts),
                one.expected or "",
                one.observed or "",
                "" if one.effect_cents is None else str(one.effect_cents),
            )
        )
        for one in findings
    )
    return sha256("\n".join(lines).encode()).hexdigest()


def _filings(groups: dict[Key, list[Seen]]) -> dict[Key, list[Seen]]:
    """Findings about a filing that join the wagers paid by it; their own groups are taken out."""
    paid: dict[FactRef, Key] = {}
    for key, alike in sorted(groups.items(), key=lambda item: (item[0][2], item[1][0].at)):
        filing = alike[0].filing
        if key[0] in PRICED and filing is not None and alike[0].unlawful:
            paid.setdefault(filing, key)
    out: dict[Key, list[Seen]] = {}
    for key in [key for key in groups if key[0] in UNLAWFUL]:
        filing = groups[key][0].filing
        target = paid.get(filing) if filing is not None else None
        if target is not None and target[1] == key[1]:
            out.setdefault(target, []).extend(groups.pop(key))
    return out


def _action(
    cause: Cause,
    period: Sequence[Seen],
    more: Sequence[Seen],
    clock: PropertyClock,
    game: str,
    footage_days: int | None,
) -> Action:
    first = period[0]
    own = [one.finding for one in period]
    findings = (*own, *(one.finding for one in more))
    effects = [one.effect_cents for one in own if one.effect_cents is not None]
    since, until = first.at, period[-1].at
    finding = first.finding
    cite = finding.citations[0]
    certain = finding.certainty is Certainty.BROKEN
    fact = finding.facts[-1] if finding.facts else None
    action = Action(
        id=action_id(
            finding.gaming_day, cause.code, cite.section, first.table, first.subject, certain, fact
        ),
        gaming_day=finding.gaming_day,
        code=cause.code,
        severity=max((one.severity for one in findings), key=_GRAVITY.__getitem__),
        certain=certain,
        table=first.table,
        subject=first.subject,
        citation=cite,
        title="",
        count=len(own),
        overpaid_cents=sum(cents for cents in effects if cents > 0) if effects else None,
        underpaid_cents=-sum(cents for cents in effects if cents < 0) if effects else None,
        since=since,
        until=until,
        findings=findings,
        evidence=evidence_of(findings),
        department=cause.department,
        footage_until=None if footage_days is None else until + footage_days * _DAY,
    )
    return replace(action, title=title(action, cause, clock, game, first.remark))
