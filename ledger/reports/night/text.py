"""The report of a night for a terminal: the same order as on paper, short."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.casework import Alert
from ledger.reports.alerts import ID_SHOWN, alert_title, alerts_counted
from ledger.reports.audit_page import per_cent
from ledger.reports.forms.text import grid
from ledger.reports.night import words
from ledger.reports.night.conclusions import (
    conclusions,
    totals,
    totals_heads,
    totals_remarks,
)
from ledger.reports.night.data import NightData, Phase
from ledger.reports.night.lines import Line, lines
from ledger.reports.night.page import CHANGES, UNKNOWNS, face, is_shown, superseded_lines
from ledger.reports.told import printable

COLUMN: Final = 24
"""Characters of a name in a column."""


def night_text(data: NightData) -> str:
    """The report of a night as text, each part under its name."""
    parts = (
        _head(data),
        _conclusions(data),
        _totals(data),
        _capture(data),
        _actions(data),
        _unknowns(data),
        _coupons(data),
        _changes(data),
        _signatures(data),
        _tables(data),
        _alerts(data),
    )
    return "\n\n".join("\n".join(map(_safe, part)) for part in parts) + "\n"


def _safe(line: str) -> str:
    return printable(line)


def _head(data: NightData) -> Iterator[str]:
    for one in data.incomplete:
        since = (
            "since when is not known"
            if one.since is None
            else f"since {words.full_time(data.clock, one.since)}"
        )
        yield f"INCOMPLETE: stream {one.stream} {since}: {one.why}"
    yield data.property_name
    span = words.span_words(data.clock, data.gaming_day)
    restates = "" if data.restates is None else f", takes the place of issue {data.restates}"
    yield (
        f"Gaming day {words.long_day(data.gaming_day)}, issue {data.issue},"
        f" {data.phase.value.upper()}{restates}"
    )
    yield span
    yield from data.readiness


def _capture(data: NightData) -> Iterator[str]:
    yield "Capture"
    rows = [
        (
            *map(_name, (one.table, one.game or "not known", one.level or "not stated")),
            *(words.hours(one, data.clock), f"{one.rounds:,}", f"{one.judged:,}"),
            per_cent(one.judged, one.rounds),
        )
        for one in data.capture
    ]
    head = ("table", "game", "level", "open", "rounds", "judged", "%")
    yield from grid(head, rows, [False] * 4 + [True] * 3) if rows else ("No table was open.",)
    for level, tables, missing in words.not_covered(data.capture):
        yield f"Not covered at level {level} ({tables}): {missing}."
    yield from data.standing


def _actions(data: NightData) -> Iterator[str]:
    places = [words.place_of(one) for one in data.actions]
    found = [one for one in lines(data) if words.place_of(one.action) == 0]
    others = (("put off", places.count(1)), ("closed", places.count(2)))
    yield f"Actions: {len(found):,} open" + "".join(f", {n:,} {w}" for w, n in others if n)
    shown = found[: words.FIRST_PAGE]
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
        yield "Nothing to act on."
        return
    yield from (first, rest[0])
    for line, one in zip(rest[1:], shown, strict=True):
        yield line
        doubt = "" if one.action.certain or "(unknown)" in one.title else " (unknown)"
        yield f"      {one.title}{doubt}; {_name(one.action.department)}, {one.action.age_days:,} d"
        for mark in data.marked.get(one.action.id, ()):
            yield f"      Marked: {mark}"
    if len(found) > words.FIRST_PAGE:
        yield f"and {len(found) - words.FIRST_PAGE:,} more"


def _action(line: Line) -> tuple[str, ...]:
    one = line.action
    rounds = line.rounds
    where = f"{len(rounds):,} rounds" if len(rounds) > 1 else "".join(rounds) or "–"
    return (
        *(f"{line.number} {one.severity.value}", line.when, _name(one.table), _name(where)),
        *(one.citation.pin, words.amount(one.overpaid_cents)),
        *(words.amount(one.underpaid_cents), line.footage, words.status_words(one)),
    )


def _name(text: str) -> str:
    """A name in a column: on one line, and cut where it is too long for one."""
    return words.clipped(text, COLUMN)


def _unknowns(data: NightData) -> Iterator[str]:
    yield "Unknown"
    for one in data.unknowns[:UNKNOWNS]:
        times = f" × {one.count:,}" if one.count > 1 else ""
        yield f"  {one.where}: {one.what}{times} {one.section}".rstrip()
    if len(data.unknowns) > UNKNOWNS:
        yield f"  and {len(data.unknowns) - UNKNOWNS:,} more"
    if not data.unknowns:
        yield "  Nothing that was to be judged is unknown."


def _coupons(data: NightData) -> Iterator[str]:
    yield "Coupons"
    for one in data.coupons:
        if one.name == "patrons" or one.difference:
            off = f", differs by {abs(one.difference):,}" if one.difference else ""
            name = "" if one.name == "patrons" else f" {one.name}:"
            equation = words.equation(one, every=False)
            yield f"  {face(one.denomination_cents)}{name} {equation}{off}"
    yield f"  {data.coupons_line or 'No coupons are in use.'}"


def _tables(data: NightData) -> Iterator[str]:
    yield "Tables"
    head = ("table", "cash drop", "win by count", "win by rounds", "difference", "theoretical")
    rows = []
    for row in sorted(data.tables, key=lambda one: one.account.table):
        one = row.account
        drop = words.amount(one.drop_cents)
        rows.append(
            (
                _name(one.table),
                "awaiting count" if one.awaiting and one.drop_cents is None else drop,
                *map(words.amount, (one.by_count_cents, one.by_rounds_cents)),
                *map(words.amount, (one.difference_cents, row.theoretical_cents)),
            )
        )
    yield from grid(head, rows, [False] + [True] * 5) if rows else ("Nothing was counted.",)
    for tables, missing in words.not_counted(data.tables):
        yield f"No win by count at {tables}; not on record: {missing}."


def _changes(data: NightData) -> Iterator[str]:
    yield f"Changes since {data.since or 'last night'}"
    for one in data.changes[:CHANGES]:
        forms = f" Signed forms affected: {', '.join(one.forms)}" if one.forms else ""
        yield f"  {one.day}: {'; '.join(filter(None, (one.what, one.why)))}{forms}"
    if len(data.changes) > CHANGES:
        yield f"  and {len(data.changes) - CHANGES:,} more"
    if not data.changes:
        yield "  None." if data.since else "  There is no earlier report to compare with."


def _signatures(data: NightData) -> Iterator[str]:
    yield f"Signatures on issue {data.issue}"
    yield from (f"  {one}" for one in superseded_lines(data))
    if data.phase is not Phase.FINAL:
        yield "  A preliminary report is not signed."
    else:
        yield from (f"  {title}: not signed" for _, title in words.ROLES)
    yield f"  ledger {data.origin}, tree size {data.tree_size:,}"
    yield f"  root {data.root}"


def _conclusions(data: NightData) -> Iterator[str]:
    yield "Conclusions"
    for one in conclusions(data):
        yield f"  {one.title:<17}{one.figure:>14}  {one.remark}".rstrip()


def _totals(data: NightData) -> Iterator[str]:
    yield "Totals, in dollars"
    rows = [(line.title, *line.cells) for line in totals(data)]
    yield from grid(("", *totals_heads(data)), rows, [False] + [True] * 4)
    yield from (f"{remark}." for remark in totals_remarks(data))


def _alerts(data: NightData) -> Iterator[str]:
    yield f"Detections: {alerts_counted(data.alerts)}"
    for one in sorted(filter(is_shown, data.alerts), key=_by_name):
        name = f"{one.detection.replace('_', ' ')}, {one.table}"
        yield f"  {one.id[:ID_SHOWN]}  {name}: {one.sentence}"
    for one in sorted(data.alerts, key=_by_name):
        if one.raised and not is_shown(one):
            yield f"  {one.id[:ID_SHOWN]}  {alert_title(one)}: {one.held}"


def _by_name(alert: Alert) -> tuple[str, str, str, str]:
    return alert.detection, alert.table, alert.subject, alert.id
