"""The location of a coupon in one line, and each step of its way below.

Law: 58 Pa. Code § 525.21(m)(3), (m)(4).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from ledger.coupons import Place, Step, Whereabouts
from ledger.coupons.forms import moment
from ledger.coupons.serial import Serial
from ledger.kernel import FactRef, Finding, PropertyClock, event_words
from ledger.reports.findings import finding_data
from ledger.reports.forms.text import grid
from ledger.reports.phrases import short_dollars

WORDS: Final = {
    Place.NOWHERE: "NEVER RECEIVED",
    Place.DELIVERED: "DELIVERED, NOT EXAMINED",
    Place.EXAMINED: "EXAMINED, NOT ENTERED",
    Place.ABSENT: "INVOICED, NOT IN THE DELIVERY",
    Place.STOCK: "IN FINANCE STOCK",
    Place.MARKETING: "WITH MARKETING",
    Place.KEPT: "KEPT BY MARKETING",
    Place.LISTED: "LISTED TO BE MAILED",
    Place.PATRON: "WITH A PATRON",
    Place.MAILED: "WITH A PATRON, BY MAIL",
    Place.REDEEMED: "REDEEMED",
    Place.COUNTED: "COUNTED",
    Place.VOIDED: "VOIDED",
    Place.EXPIRED_BACK: "RETURNED, EXPIRED",
    Place.UNDELIVERED: "RETURNED, NOT DELIVERABLE",
    Place.CANCELLED: "CANCELLED",
}
PositionOf = Callable[[FactRef], int | None]


def where_line(
    whereabouts: Whereabouts, clock: PropertyClock, codes: tuple[str, ...], box: str | None
) -> str:
    """Where the coupon is, in one line.

    Args:
        whereabouts: where it is.
        clock: the property's.
        codes: of the findings that name it, in order.
        box: the name of the drop box that should hold it, None if there is none.
    """
    last = next((step.move for step in reversed(whereabouts.steps) if step.moved), None)
    words = WORDS[whereabouts.place]
    if last is not None and whereabouts.place is Place.REDEEMED and last.detail:
        words += f" at {last.detail}"
    if last is not None and whereabouts.place is Place.COUNTED and last.detail:
        words += f" from {last.detail}"
    if last is not None:
        local = clock.local(last.at)
        words += f", {local:%b} {local.day} {local:%H:%M:%S}"
    parts = [str(whereabouts.serial)]
    series = whereabouts.series
    parts.append(short_dollars(series.denomination_cents) if series else "no such series received")
    parts.append(words)
    if "redeemed_not_dropped" in whereabouts.remarks:
        codes = tuple(code for code in codes if code != "coupon_not_cancelled")  # one cause
        parts.append(f"NOT FOUND in {f'box {box}' if box else 'its box'}")
    elif whereabouts.awaits_count is not None:
        parts.append(f"in box {whereabouts.awaits_count}, AWAITING COUNT")
    parts.extend(codes)
    return " · ".join(parts)


def where_text(
    line: str, whereabouts: Whereabouts, clock: PropertyClock, position_of: PositionOf
) -> str:
    """The line, then each step: time, event, from, to, person, ledger position.

    Args:
        line: the answer in one line.
        whereabouts: of the coupon.
        clock: the property's.
        position_of: the ledger position of a fact, None where the ledger lacks it.
    """
    rows = [
        (
            moment(clock, step.move.at),
            event_words(step.move.event),
            step.came_from.value,
            step.move.to.value if step.moved else f"({step.move.to.value}: not possible)",
            step.move.who or "not recorded",
            step.move.detail or "",
            _position(position_of(step.move.ref)),
        )
        for step in whereabouts.steps
    ]
    if not rows:
        return f"{line}\nNo record mentions this serial number.\n"
    head = ("time", "event", "from", "to", "who", "detail", "position")
    return "\n".join([line, "", *grid(head, rows, [False] * 6 + [True])]) + "\n"


def named_text(findings: Sequence[Finding]) -> str:
    """The findings that name the coupon: gaming day, sentence, section, code."""
    if not findings:
        return ""
    rows = [
        (
            finding.gaming_day.isoformat(),
            finding.sentence,
            finding.citations[0].pin,
            finding.code,
        )
        for finding in findings
    ]
    head = ("gaming day", "finding", "section", "code")
    return "\n".join(["", *grid(head, rows, [False] * 4)]) + "\n"


def _position(position: int | None) -> str:
    return "not found" if position is None else f"{position:,}"


def where_data(
    line: str,
    whereabouts: Whereabouts,
    clock: PropertyClock,
    named: Sequence[Finding],
    codes: tuple[str, ...],
    position_of: PositionOf,
) -> dict[str, object]:
    """Where a coupon is, as plain data: the line, its steps, and the findings that name it.

    Args:
        line: the same in one line, for people.
        whereabouts: where the coupon is, and its steps.
        clock: the property's, for local times.
        named: the findings that name the coupon.
        codes: the codes of all findings on it.
        position_of: gives the log position of a step's fact.
    """
    serial: Serial = whereabouts.serial
    return {
        "serial": str(serial),
        "line": line,
        "denomination_cents": whereabouts.series.denomination_cents if whereabouts.series else None,
        "series": whereabouts.series.series if whereabouts.series else None,
        "place": whereabouts.place.value,
        "awaits_count": whereabouts.awaits_count,
        "findings": list(codes),
        "named": [finding_data(finding) for finding in named],
        "steps": [
            {**step_data(step, clock), "position": position_of(step.move.ref)}
            for step in whereabouts.steps
        ],
    }


def step_data(step: Step, clock: PropertyClock) -> dict[str, object]:
    """One step of a coupon's way as plain data.

    Args:
        step: the step.
        clock: the property's, for the local time.
    """
    return {
        "time": moment(clock, step.move.at),
        "event": step.move.event,
        "from": step.came_from.value,
        "to": step.move.to.value,
        "moved": step.moved,
        "who": step.move.who,
        "detail": step.move.detail,
        "stream": step.move.ref.stream,
        "seq": step.move.ref.seq,
    }
