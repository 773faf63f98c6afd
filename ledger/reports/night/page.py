"""The report of a night as one page: nothing outside is asked for, no script runs, A4 on paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from ledger.casework import Action, Alert
from ledger.kernel import Finding, dollars
from ledger.reports.alerts import alerts_counted
from ledger.reports.audit_page import per_cent
from ledger.reports.law_odds import percent
from ledger.reports.night import words
from ledger.reports.night.charts import charts
from ledger.reports.night.data import NightData, Phase
from ledger.reports.night.template import style, template
from ledger.reports.qr import qr_svg, stamp_words

SHOWN: Final = 8
"""So many findings behind an action are told one by one; of the others the rounds are named."""
NAMED: Final = 1_000
"""So many rounds behind an action are named on the page; how many more there are is said."""
UNKNOWNS: Final = 6
"""So many lines of what is unknown stand on the first page."""
CHANGES: Final = 5
"""So many lines of what changed stand on the first page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An action with its number, as it stands in a table."""

    number: int
    action: Action
    title: str
    when: str
    rounds: tuple[str, ...]
    footage: str

    @property
    def shown(self) -> tuple[Finding, ...]:
        """The findings that are told one by one."""
        found = self.action.findings
        return found if len(found) <= SHOWN + 1 else found[:SHOWN]

    @property
    def further(self) -> tuple[str, ...]:
        """The rounds of the other findings, as far as they are named."""
        return self._rest()[:NAMED]

    @property
    def unnamed(self) -> int:
        """How many rounds are not named."""
        return max(0, len(self._rest()) - NAMED)

    def _rest(self) -> tuple[str, ...]:
        told = {one.round for one in self.shown}
        return tuple(one for one in self.rounds if one not in told)


def lines(data: NightData) -> tuple[Line, ...]:
    """All actions in their order, numbered."""
    return tuple(
        Line(
            number=number,
            action=one,
            title=words.clipped(one.title),
            when=words.when(one, data.clock),
            rounds=words.rounds_of(one),
            footage=(
                "not stated"
                if one.footage_until is None
                else words.day_time(data.clock, one.footage_until)
            ),
        )
        for number, one in enumerate(words.ordered(data.actions), 1)
    )


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
        "signatures": signature_lines(data),
    }
    return template("page.html").render(context)


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


def signature_lines(data: NightData) -> tuple[dict[str, str], ...]:
    """Preparer and approver: an empty line where this tree is not signed, and what was signed."""
    found = []
    for role, title in words.ROLES:
        mine = [one for one in data.signatures if one.signed_as == role]
        if not any(one.tree_size == data.tree_size for one in mine):
            found.append({"title": title, "name": "", "credential": "", "mark": "", "at": ""})
        found += [
            {
                "title": title,
                "name": one.name,
                "credential": one.credential,
                "mark": f"signed on tree size {one.tree_size:,}",
                "at": words.full_time(data.clock, one.at),
            }
            for one in mine
        ]
    return tuple(found)
