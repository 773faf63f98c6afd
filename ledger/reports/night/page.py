"""The report of a night as one page: nothing outside is asked for, no script runs, it prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ledger.casework import Alert
from ledger.kernel import dollars, percent
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
from ledger.reports.night.data import NightData, Phase
from ledger.reports.night.lines import lines
from ledger.reports.night.template import style, template
from ledger.reports.qr import qr_svg, stamp_words

UNKNOWNS: Final = 6
"""So many lines of what is unknown stand on the first page."""
CHANGES: Final = 3
"""So many lines of what changed stand on the first page."""
RECORDS: Final = 5
"""So many remarks on the record stand on the first page."""


def night_page(data: NightData) -> str:
    """The report of a night as one self-contained page."""
    found = lines(data)
    by_place = [[one for one in found if words.place_of(one.action) == at] for at in range(3)]
    waiting, put_off, closed = (tuple(held) for held in by_place)
    context: dict[str, Any] = {
        "style": style(),
        "data": data,
        "final": data.phase is Phase.FINAL,
        "day": words.long_day(data.gaming_day),
        "span": words.span_words(data.clock, data.gaming_day),
        "qr": qr_svg(
            stamp_words(data.origin, data.tree_size, data.root),
            "QR code of tree size and root",
        ),
        "lines": found,
        "waiting": waiting,
        "first": waiting[: words.FIRST_PAGE],
        "put_off": len(put_off),
        "closed": len(closed),
        "unknowns": UNKNOWNS,
        "changes": CHANGES,
        "capture": halves(data.capture),
        "tables": sorted(data.tables, key=lambda one: one.account.table),
        "patrons": [one for one in data.coupons if one.name == "patrons"],
        "others": [one for one in data.coupons if one.name != "patrons"],
        "off": [one for one in data.coupons if one.difference],
        "alerts": data.alerts,
        "alerts_counted": alerts_counted(data.alerts),
        "shown_alerts": sorted(filter(is_shown, data.alerts), key=_alert_order),
        "other_alerts": sorted((a for a in data.alerts if not is_shown(a)), key=_alert_order),
        "charts": charts(data),
        "words": words,
        "dollars": dollars,
        "face": face,
        "percent": lambda part: "–" if part is None else percent(part),
        "per_cent": per_cent,
        "linked": lambda round_id: round_id in data.round_pages,
        "superseded": superseded_lines(data),
        "conclusions": conclusions(data),
        "totals": totals(data),
        "totals_heads": totals_heads(data),
        "totals_remarks": totals_remarks(data),
        "records": RECORDS,
        "shown_columns": shown_columns,
    }
    return with_font(template("page.html").render(context))


def face(cents: int) -> str:
    """A denomination: "$25"."""
    return dollars(cents).removesuffix(".00")


def halves(rows: Sequence[Any]) -> tuple[Sequence[Any], ...]:
    """Rows in two columns, the first one fuller; one column where there are few."""
    if len(rows) < 4:
        return (rows,) if rows else ()
    middle = (len(rows) + 1) // 2
    return rows[:middle], rows[middle:]


def is_shown(alert: Alert) -> bool:
    """Whether an alert stands by itself: raised, not put off, within the budget of its shift."""
    return alert.raised and not alert.held and alert.suppressed_until is None


def _alert_order(alert: Alert) -> tuple[bool, str, str, str, str]:
    """Raised first, then by name: nobody and nothing is ranked."""
    return (not alert.raised, alert.detection, alert.table, alert.subject, alert.id)


def superseded_lines(data: NightData) -> tuple[str, ...]:
    """The signatures that the ledger has for the day, a line each: none of them is for this issue.

    A page is made before it can be signed. One that names this issue's number, or a later one, was
    given for other bytes, which another run had issued.
    """
    titles = dict(words.ROLES)
    superseded = []
    for one in data.signatures:
        why = "Superseded" if one.issue < data.issue else "Signed for other bytes"
        superseded.append(
            f"{why}: issue {one.issue}, {titles[one.signed_as].lower()} {one.name}"
            f" ({one.credential}), {words.full_time(data.clock, one.at)},"
            f" on tree size {one.tree_size:,}"
        )
    return tuple(superseded)
