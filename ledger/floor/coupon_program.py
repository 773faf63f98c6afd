"""The standing facts of the coupon program: approvals, functions, storage, deadlines, series.

Law: 58 Pa. Code § 525.21(b), (c), (d), (i), (k), (p), (q)(1).
"""

from __future__ import annotations

from typing import Final

from ledger import events
from ledger.floor import coupon_terms as terms
from ledger.floor.coupon_stock import Stock
from ledger.floor.coupon_terms import FINANCE, SUPERVISOR
from ledger.floor.office import TOLERANCE, UNCERTAINTY, Office
from ledger.floor.stream_pens import HOUR, SECOND

_DESIGN: Final = "CD-1"
_CONTROLS: Final = "IC-COUPONS"
_SHOWN: Final = tuple(
    element for element in events.CouponElement if element is not events.CouponElement.UNRECOGNISED
)
_GOVERNS: Final = (
    events.ControlsPart.INVENTORY,
    events.ControlsPart.DISTRIBUTION,
    events.ControlsPart.REDEMPTION,
    events.ControlsPart.STORAGE,
    events.ControlsPart.INVENTORY_PROCEDURE,
    events.ControlsPart.MAILING,
)


def on_the_roster(office: Office, day_start: int) -> list[events.Fact]:
    """Streams and people of the program, in the house's own stream."""
    facts: list[events.Fact] = [
        events.SourceRegistered(
            **office.stamp(),
            registered_stream=stream,
            registered_source=source,
            since=day_start - 24 * HOUR,
            clock_uncertainty_micros=UNCERTAINTY,
            order_tolerance_micros=TOLERANCE,
        )
        for stream, source in terms.STREAMS
    ]
    facts += [
        events.PersonCredentialled(
            **office.stamp(), person=person, department=department, role=None, revoked=False
        )
        for person, department in terms.STAFF
    ]
    facts += [
        events.CredentialDescribed(
            **office.stamp(),
            person=person,
            rank=None,
            printed_name=name,
            same_person_as=None,
            expires_time=None,
        )
        for person, name in terms.NAMES.items()
    ]
    return facts


def standing_facts(stock: Stock) -> list[events.Fact]:
    """Once, before the first coupon is received."""

    facts: list[events.Fact] = [
        events.CouponDesignFiled(
            **stock.stamp(FINANCE, SUPERVISOR), design=_DESIGN, elements=_SHOWN
        ),
        events.CouponDesignApproved(
            **stock.stamp(FINANCE, SUPERVISOR),
            design=_DESIGN,
            bureau=events.Bureau.GAMING_OPERATIONS,
            withdrawn=False,
        ),
        events.CouponControlsFiled(
            **stock.stamp(FINANCE, SUPERVISOR),
            controls=_CONTROLS,
            governs=_GOVERNS,
            finance_department=None,
            marketing_department=None,
        ),
        events.CouponControlsApproved(
            **stock.stamp(FINANCE, SUPERVISOR),
            controls=_CONTROLS,
            bureau=events.Bureau.GAMING_OPERATIONS,
            withdrawn=False,
        ),
    ]
    for area, holder in (
        (terms.VAULT, events.CouponHolder.FINANCE),
        (terms.CABINET, events.CouponHolder.MARKETING),
    ):
        facts.append(
            events.CouponStorageApproved(
                **stock.stamp(FINANCE, SUPERVISOR),
                area=area,
                holder=holder,
                bureau=events.Bureau.CASINO_COMPLIANCE,
                withdrawn=False,
            )
        )
    return [*facts, *_people_and_series(stock)]


def _people_and_series(stock: Stock) -> list[events.Fact]:
    """The property's own deadline, who has which function, and what is printed on each series."""
    facts: list[events.Fact] = []
    facts.append(
        events.CouponDeadlineSet(
            **stock.stamp(FINANCE, SUPERVISOR),
            duty=events.CouponDuty.BOX_COUNT,
            within_seconds=terms.COUNT_WITHIN // SECOND,
            counted_from="the removal of the box",
            source_line="Internal controls of Keystone Landing, 4.7, line 2",
        )
    )
    for person, department, rank in terms.FUNCTIONS:
        facts.append(
            events.CouponFunctionGiven(
                **stock.stamp(FINANCE, SUPERVISOR, 1),
                person=person,
                department=department,
                rank=rank,
                ended=False,
            )
        )
    for series in terms.SERIES:
        facts.append(
            events.CouponSeriesDescribed(
                **stock.stamp(FINANCE, SUPERVISOR),
                series=series.name,
                design=_DESIGN,
                denomination_cents=series.cents,
                prefix=series.prefix,
                digits=terms.DIGITS,
                first=None,
                last=None,
                expires=stock.until(series).isoformat(),
                games=series.games,
                wagers=series.wagers,
                pays=series.pays,
                elements=None,
            )
        )
    return facts
