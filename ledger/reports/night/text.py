"""The report of a night for a terminal: the same order as on paper, short."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.casework import Alert
from ledger.kernel import plural, times
from ledger.reports.alerts import ID_SHOWN, alert_title, alerts_counted
from ledger.reports.audit_page import per_cent
from ledger.reports.fact_sentences import printable
from ledger.reports.forms.text import grid
from ledger.reports.night import words
from ledger.reports.night.conclusions import (
    conclusions,
    totals,
    totals_heads,
    totals_remarks,
)
from ledger.reports.night.numbered_actions import Line, numbered_actions
from ledger.reports.night.page import CHANGES, UNKNOWNS, is_shown, superseded_lines
from ledger.reports.night.report_data import NightData, Phase
from ledger.reports.phrases import calendar_date, short_dollars

COLUMN: Final = 24
"""Characters of a name in a column."""


def night_text(night: NightData) -> str:
    """The report of a night as text, each part under its name."""
    parts = (
        _head(night),
        _conclusions(night),
        _totals(night),
        _capture(night),
        _actions(night),
        _unknowns(night),
        _coupons(night),
        _changes(night),
        _signatures(night),
        _tables(night),
        _alerts(night),
    )
    return "\n\n".join("\n".join(map(_safe, part)) for part in parts) + "\n"


def _safe(line: str) -> str:
    return printable(line)


def _head(night: NightData) -> Iterator[str]:
    for terminal in night.incomplete:
        since = (
            "since an unknown time"
            if terminal.since is None
            else f"since {words.full_time(night.clock, terminal.since)}"
        )
        yield f"INCOMPLETE: terminal {terminal.stream} {since}: {terminal.why}"
    yield night.property_name
    span = words.span_words(night.clock, night.gaming_day)
    restates = "" if night.restates is None else f", replaces issue {night.restates}"
    yield (
        f"Gaming day {calendar_date(night.gaming_day)}, issue {night.issue},"
        f" {night.phase.value.upper()}{restates}"
    )
    yield span
    yield from night.readiness


def _capture(night: NightData) -> Iterator[str]:
    yield "Capture"
    rows = [
        (
            *map(_name, (one.table, one.game or "unknown", one.level or "not stated")),
            *(words.hours(one, night.clock), f"{one.rounds:,}", f"{one.judged:,}"),
            per_cent(one.judged, one.rounds),
        )
        for one in night.capture
    ]
    head = ("table", "game", "level", "open", "rounds", "judged", "%")
    yield from grid(head, rows, [False] * 4 + [True] * 3) if rows else ("No table was open.",)
    for level, tables, missing in words.not_covered(night.capture):
        yield f"Capture level {level} ({tables}) does not record {missing}."
    yield from night.standing


def _actions(night: NightData) -> Iterator[str]:
    places = [words.place_of(one) for one in night.actions]
    waiting = [line for line in numbered_actions(night) if words.place_of(line.action) == 0]
    others = (("snoozed", places.count(1)), ("closed", places.count(2)))
    yield f"Actions: {len(waiting):,} open" + "".join(f", {n:,} {w}" for w, n in others if n)
    shown = waiting[: words.FIRST_PAGE]
    head = (
        "no.",
        "time",
        "table",
        "round",
        "section",
        "overpaid $",
        "underpaid $",
        "footage until",
    )
    numbers = [name.endswith("$") for name in head]
    first, *rest = grid((*head, "status"), [_action(one) for one in shown], [*numbers, False])
    if not shown:
        yield "No open action."
        return
    yield from (first, rest[0])
    for line, numbered in zip(rest[1:], shown, strict=True):
        yield line
        action = numbered.action
        doubt = "" if action.certain or "(unknown)" in numbered.title else " (unknown)"
        age = f", open for {plural(action.age_days, 'day')}" if action.age_days else ""
        yield f"      {numbered.title}{doubt}; {_name(action.department)}{age}"
        for mark in night.marked.get(action.id, ()):
            yield f"      Late or added: {mark}"
    if len(waiting) > words.FIRST_PAGE:
        yield f"and {len(waiting) - words.FIRST_PAGE:,} more"


def _action(line: Line) -> tuple[str, ...]:
    action, rounds = line.action, line.rounds
    where = f"{len(rounds):,} rounds" if len(rounds) > 1 else "".join(rounds) or "–"
    return (
        *(f"{line.number} {action.severity.value}", line.when, _name(action.table), _name(where)),
        *(action.citation.pin, words.amount(action.overpaid_cents)),
        *(words.amount(action.underpaid_cents), line.footage, words.status_words(action)),
    )


def _name(text: str) -> str:
    """A name in a column: on one line, and cut where it is too long for one."""
    return words.clipped(text, COLUMN)


def _unknowns(night: NightData) -> Iterator[str]:
    yield "Unknown"
    for unknown in night.unknowns[:UNKNOWNS]:
        often = f" ({times(unknown.count)})" if unknown.count > 1 else ""
        yield f"  {unknown.where}: {unknown.sentence}{often} {unknown.section}".rstrip()
    if len(night.unknowns) > UNKNOWNS:
        yield f"  and {len(night.unknowns) - UNKNOWNS:,} more"
    if not night.unknowns:
        yield "  Nothing is unknown."


def _coupons(night: NightData) -> Iterator[str]:
    yield "Coupons"
    for balance in night.coupons:
        if balance.name == "patrons" or balance.difference:
            off = f": {words.short_or_over(balance.difference)}" if balance.difference else ""
            name = "" if balance.name == "patrons" else f" {balance.name}:"
            equation = words.equation(balance, every=False)
            yield f"  {short_dollars(balance.denomination_cents)}{name} {equation}{off}"
    yield f"  {night.coupons_line or 'No coupons are in use.'}"


def _tables(night: NightData) -> Iterator[str]:
    yield "Tables"
    head = ("table", "cash drop", "counted win", "calculated win", "difference", "theoretical")
    rows = []
    for row in sorted(night.tables, key=lambda one: one.account.table):
        account = row.account
        waits = account.awaiting and account.drop_cents is None
        rows.append(
            (
                _name(account.table),
                "awaiting count" if waits else words.amount(account.drop_cents),
                *map(words.amount, (account.by_count_cents, account.by_rounds_cents)),
                *map(words.amount, (account.difference_cents, row.theoretical_cents)),
            )
        )
    yield from grid(head, rows, [False] + [True] * 5) if rows else ("Nothing was counted.",)
    for tables, missing in words.not_counted(night.tables):
        yield f"No counted win at {tables}; not on record: {missing}."


def _changes(night: NightData) -> Iterator[str]:
    yield f"Changes since {night.since or 'last night'}"
    for change in night.changes[:CHANGES]:
        forms = f" Signed forms affected: {', '.join(change.forms)}" if change.forms else ""
        yield f"  {change.day}: {'; '.join(filter(None, (change.headline, change.why)))}{forms}"
    if len(night.changes) > CHANGES:
        yield f"  and {len(night.changes) - CHANGES:,} more"
    if not night.changes:
        yield "  None." if night.since else "  There is no earlier report to compare with."


def _signatures(night: NightData) -> Iterator[str]:
    yield f"Signatures on issue {night.issue}"
    yield from (f"  {one}" for one in superseded_lines(night))
    if night.phase is not Phase.FINAL:
        yield "  A preliminary report is not signed."
    else:
        yield from (f"  {title}: not signed" for _, title in words.ROLES)
    yield f"  ledger {night.origin}, tree size {night.tree_size:,}"
    yield f"  root {night.root}"


def _conclusions(night: NightData) -> Iterator[str]:
    yield "Conclusions"
    for figure in conclusions(night):
        yield f"  {figure.title:<17}{figure.figure:>14}  {figure.remark}".rstrip()


def _totals(night: NightData) -> Iterator[str]:
    yield "Totals, in dollars"
    rows = [(line.title, *line.cells) for line in totals(night)]
    yield from grid(("", *totals_heads(night)), rows, [False] + [True] * 4)
    yield from (f"{remark}." for remark in totals_remarks(night))


def _alerts(night: NightData) -> Iterator[str]:
    yield f"Detections: {alerts_counted(night.alerts)}"
    for alert in sorted(filter(is_shown, night.alerts), key=_by_name):
        name = f"{alert.detection.replace('_', ' ')}, {alert.table}"
        yield f"  {alert.id[:ID_SHOWN]}  {name}: {alert.sentence}"
    for alert in sorted(night.alerts, key=_by_name):
        if alert.raised and not is_shown(alert):
            yield f"  {alert.id[:ID_SHOWN]}  {alert_title(alert)}: {alert.not_shown}"


def _by_name(alert: Alert) -> tuple[str, str, str, str]:
    return alert.detection, alert.table, alert.subject, alert.id
