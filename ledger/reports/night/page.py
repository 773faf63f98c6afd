"""The report of a night as one page: nothing outside is asked for, no script runs, it prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from ledger.casework import Alert
from ledger.kernel import dollars, percent, plural, times
from ledger.reports.alerts import alerts_counted
from ledger.reports.audit_page import per_cent
from ledger.reports.font import with_font
from ledger.reports.night import words
from ledger.reports.night.action_columns import shown_columns
from ledger.reports.night.charts import charts
from ledger.reports.night.conclusions import (
    conclusions,
    totals,
    totals_heads,
    totals_remarks,
)
from ledger.reports.night.numbered_actions import numbered_actions
from ledger.reports.night.report_data import NightData, Phase
from ledger.reports.night.template import style, template
from ledger.reports.phrases import calendar_date, short_dollars
from ledger.reports.qr import qr_svg, stamp_words

UNKNOWNS: Final = 6
"""So many lines of what is unknown stand on the first page."""
CHANGES: Final = 3
"""So many lines of what changed stand on the first page."""
RECORDS: Final = 5
"""So many remarks on the record stand on the first page."""

Cells = TypeVar("Cells")
"""What the rows of a table in columns are, whatever they are."""


def night_page(night: NightData) -> str:
    """The report of a night as one self-contained page."""
    lines = numbered_actions(night)
    by_place = [[one for one in lines if words.place_of(one.action) == at] for at in range(3)]
    waiting, snoozed, closed = map(tuple, by_place)
    context: dict[str, object] = {
        "style": style(),
        "night": night,
        "final": night.phase is Phase.FINAL,
        "day": calendar_date(night.gaming_day),
        "span": words.span_words(night.clock, night.gaming_day),
        "qr": qr_svg(
            stamp_words(night.origin, night.tree_size, night.root),
            "QR code of tree size and root",
        ),
        "lines": lines,
        "waiting": waiting,
        "first": waiting[: words.FIRST_PAGE],
        "snoozed": len(snoozed),
        "closed": len(closed),
        "unknowns": UNKNOWNS,
        "changes": CHANGES,
        "capture": halves(night.capture),
        "tables": sorted(night.tables, key=lambda one: one.account.table),
        "patrons": [one for one in night.coupons if one.name == "patrons"],
        "others": [one for one in night.coupons if one.name != "patrons"],
        "off": [one for one in night.coupons if one.difference],
        "alerts": night.alerts,
        "alerts_counted": alerts_counted(night.alerts),
        "shown_alerts": sorted(filter(is_shown, night.alerts), key=_alert_order),
        "other_alerts": sorted((a for a in night.alerts if not is_shown(a)), key=_alert_order),
        "charts": charts(night),
        "words": words,
        "counted": plural,
        "times": times,
        "dollars": dollars,
        "face": short_dollars,
        "percent": lambda part: "–" if part is None else percent(part),
        "per_cent": per_cent,
        "linked": lambda round_id: round_id in night.round_pages,
        "superseded": superseded_lines(night),
        "conclusions": conclusions(night),
        "totals": totals(night),
        "totals_heads": totals_heads(night),
        "totals_remarks": totals_remarks(night),
        "records": RECORDS,
        "shown_columns": shown_columns,
    }
    return with_font(template("page.html").render(context))


def halves(rows: Sequence[Cells]) -> tuple[Sequence[Cells], ...]:
    """Rows in two columns, the first one fuller; one column where there are few."""
    if len(rows) < 4:
        return (rows,) if rows else ()
    middle = (len(rows) + 1) // 2
    return rows[:middle], rows[middle:]


def is_shown(alert: Alert) -> bool:
    """Whether an alert is shown: raised, not snoozed, within the budget of its shift."""
    return alert.raised and not alert.not_shown and alert.suppressed_until is None


def _alert_order(alert: Alert) -> tuple[bool, str, str, str, str]:
    """Raised first, then by name: nobody and nothing is ranked."""
    return (not alert.raised, alert.detection, alert.table, alert.subject, alert.id)


def superseded_lines(night: NightData) -> tuple[str, ...]:
    """The signatures on other issues of the day, a line each.

    A page is issued before it can be signed, so none of them is for this page. A signature on this
    issue's number, or a later one, is for different bytes, which another run issued.
    """
    titles = dict(words.ROLES)
    superseded = []
    for signed in night.signatures:
        why = "Superseded" if signed.issue < night.issue else "Signed for different bytes"
        superseded.append(
            f"{why}: issue {signed.issue}, {titles[signed.signed_as].lower()} {signed.name}"
            f" ({signed.credential}), {words.full_time(night.clock, signed.at)},"
            f" on tree size {signed.tree_size:,}"
        )
    return tuple(superseded)
