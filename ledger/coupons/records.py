"""What is kept while the record is followed: days, drop boxes, documents, quantities by place.

Law: 58 Pa. Code § 525.21(f) to (o).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Final, NamedTuple

from ledger import events
from ledger.coupons.custody import WITH_MARKETING, WITH_PATRONS, Custody, Place, Run
from ledger.coupons.serial import Serial, SerialRange, joined
from ledger.kernel import FactRef, ref_of

ON_HAND: Final = frozenset({Place.EXAMINED, Place.STOCK})
"""What finance has on hand: examined, entered or not."""


class Flow(StrEnum):
    """How coupons moved on a gaming day: the terms of the balances."""

    CARRIED_IN = "carried_in"
    RECEIVED = "received"
    DISTRIBUTED = "distributed"
    VOIDED = "voided"
    RETURNED = "returned"
    RETURNED_EXPIRED = "returned_expired"
    KEPT = "kept"
    MAILED = "mailed"
    REDEEMED = "redeemed"
    DROPPED = "dropped"
    CANCELLED_REDEEMED = "cancelled_redeemed"
    VOIDED_FINANCE = "voided_finance"
    STOCKED = "stocked"
    UNDELIVERED = "undelivered"
    REDEEMED_HELD = "redeemed_held"
    VOIDED_PATRONS = "voided_patrons"
    VOIDED_PROVIDER = "voided_provider"
    EXPIRED_PATRONS = "expired_patrons"
    OUT_OF_STOCK = "out_of_stock"


TOLD_BY_NUMBER: Final = frozenset({Flow.REDEEMED, Flow.REDEEMED_HELD, Flow.CANCELLED_REDEEMED})
"""Flows that come coupon by coupon: only their quantities are kept, their ways are in the custody."""


class Irregular(NamedTuple):
    """A redemption that was not in order: of which coupon, where, when and why not.

    ``serial`` is as written where no series has it, and then ``counted`` is False: its value is in
    no total. ``denomination_cents`` is what it stands for or showed, ``paid_cents`` what was paid on
    it; None: not recorded.
    """

    serial: str
    at: int
    table: str
    why: str
    denomination_cents: int | None
    paid_cents: int | None
    counted: bool


@dataclass(slots=True)
class Holdings:
    """Quantities by place and denomination in cents, kept up with every movement."""

    by_place: dict[Place, dict[int, int]] = field(default_factory=dict)
    with_marketing: list[SerialRange] = field(default_factory=list)
    """Ranges that hold all that marketing has, and perhaps more."""

    def marketing_runs(self, custody: Custody) -> list[Run]:
        """What marketing has, run by run."""
        runs = [
            run
            for one in joined(self.with_marketing)
            for run in custody.runs(one)
            if run.place in WITH_MARKETING
        ]
        self.with_marketing = [run.range for run in runs]
        return runs

    def shift(self, run: Run, to: Place) -> None:
        """A run leaves its place for another."""
        if run.series is None:
            return
        if to is Place.MARKETING:
            self.with_marketing.append(run.range)
        cents, quantity = run.series.denomination_cents, run.range.quantity
        for place, more in ((run.place, -quantity), (to, quantity)):
            if place is not Place.NOWHERE:
                quantities = self.by_place.setdefault(place, {})
                quantities[cents] = quantities.get(cents, 0) + more

    def of(self, places: Iterable[Place]) -> dict[int, int]:
        """Quantity per denomination in some places together."""
        totals: dict[int, int] = defaultdict(int)
        for place in places:
            for cents, quantity in self.by_place.get(place, {}).items():
                totals[cents] += quantity
        return dict(totals)

    def marketing(self) -> bool:
        """Whether marketing holds any coupon."""
        return any(self.of(WITH_MARKETING).values())


@dataclass(slots=True)
class DayRecord:
    """What is recorded of one gaming day, by the day's facts and by later ones about it.

    ``runs`` are the ranges of each flow as they moved, ``odd`` those that could not have moved
    so. ``left`` is what marketing had at the day's end, ``stock`` and ``patrons`` the quantities
    then.
    """

    day: date
    runs: dict[Flow, list[tuple[SerialRange, int]]] = field(default_factory=dict)
    odd: dict[Flow, list[tuple[SerialRange, int]]] = field(default_factory=dict)
    counts: dict[tuple[Flow, int], int] = field(default_factory=dict)
    void_reasons: list[tuple[SerialRange, str | None]] = field(default_factory=list)
    redeemed: list[tuple[Serial, FactRef, str]] = field(default_factory=list)
    irregular: list[Irregular] = field(default_factory=list)
    forms: list[events.ReconciliationFormCompleted] = field(default_factory=list)
    forwarded: list[events.CouponsForwarded] = field(default_factory=list)
    reviewed: list[events.CouponsReviewed] = field(default_factory=list)
    acted: dict[str, dict[str, FactRef]] = field(default_factory=dict)
    left: list[Run] = field(default_factory=list)
    stock: dict[int, int] = field(default_factory=dict)
    patrons: dict[int, int] = field(default_factory=dict)
    claimed: list[tuple[SerialRange, FactRef]] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    begun: bool = False

    def open(self, runs: Iterable[Run]) -> None:
        """The gaming day begins: what marketing holds is carried in."""
        if not self.begun:
            self.begun = True
            self.add(Flow.CARRIED_IN, runs)

    def close(self, custody: Custody, holdings: Holdings) -> None:
        """The gaming day ends: what is where is written down."""
        self.left = holdings.marketing_runs(custody)
        self.stock = holdings.of(ON_HAND)
        self.patrons = holdings.of(WITH_PATRONS)

    def add(self, flow: Flow, runs: Iterable[Run], *, odd: bool = False) -> None:
        """Note runs of a flow."""
        if flow in TOLD_BY_NUMBER:
            for run in runs:
                if run.series is not None:
                    key = flow, run.series.denomination_cents
                    self.counts[key] = self.counts.get(key, 0) + run.range.quantity
            return
        kept = (self.odd if odd else self.runs).setdefault(flow, [])
        kept.extend(
            (run.range, run.series.denomination_cents) for run in runs if run.series is not None
        )

    def ranges(self, flow: Flow, cents: int | None = None) -> list[SerialRange]:
        """The ranges of a flow, of one denomination if given."""
        return [one for one, of in self.runs.get(flow, ()) if cents is None or of == cents]

    def quantity(self, flow: Flow, cents: int) -> int:
        """How many of a denomination moved so, rightly or not where they were handed out."""
        if flow in TOLD_BY_NUMBER:
            return self.counts.get((flow, cents), 0)
        rightly = sum(one.quantity for one, of in self.runs.get(flow, ()) if of == cents)
        if flow is not Flow.DISTRIBUTED:
            return rightly
        return rightly + sum(one.quantity for one, of in self.odd.get(flow, ()) if of == cents)

    def approval_due(self, series: str) -> bool:
        """Whether the approval of a series is still to be asked for on this day; then no more."""
        due = series not in self.asked
        self.asked.add(series)
        return due

    def act(self, person: str | None, function: str, ref: FactRef) -> None:
        """Note that a person acted for a department on this day."""
        if person is not None:
            self.acted.setdefault(person, {}).setdefault(function, ref)


@dataclass(slots=True)
class Box:
    """A drop box from being hung to being counted; ``dropped`` is what should be in it.

    ``again`` are further coupons of a number that it has already.
    """

    table: str
    box: str | None
    hung_at: int
    day: date
    hung: FactRef | None = None
    removed_at: int | None = None
    removed: FactRef | None = None
    dropped: dict[Serial, FactRef] = field(default_factory=dict)
    again: list[tuple[Serial, FactRef]] = field(default_factory=list)
    counts: dict[int, tuple[FactRef, tuple[SerialRange, ...], int, int]] = field(
        default_factory=dict
    )
    parts: int = 1
    cash: events.DropBoxCounted | None = None
    cash_ranges: tuple[SerialRange, ...] = ()

    @property
    def is_counted(self) -> bool:
        """Whether every part of a count of its coupons is there."""
        return len(self.counts) >= self.parts or (self.cash is not None and not self.counts)

    @property
    def awaits_count(self) -> bool:
        """Removed and not yet counted: nothing in it is missing."""
        return self.removed_at is not None and not self.is_counted

    def counted(self) -> list[SerialRange]:
        """The ranges found in it; one found twice stands twice."""
        if not self.counts:
            return list(self.cash_ranges)
        return [one for _, (_, ranges, _, _) in sorted(self.counts.items()) for one in ranges]

    def last(self) -> FactRef:
        """The fact that a finding on it belongs to."""
        if self.counts:
            return max(self.counts.values(), key=lambda one: one[3])[0]
        if self.cash is not None:
            return ref_of(self.cash)
        return self.removed or self.hung or FactRef(self.table, 0)


@dataclass(slots=True)
class Delivery:
    """A delivery and its papers."""

    delivered: events.CouponsDelivered | None = None
    examined: list[tuple[int, events.CouponsExamined]] = field(default_factory=list)
    entered: list[tuple[int, events.CouponReceiptEntered]] = field(default_factory=list)
    reports: list[tuple[int, events.CouponDeviationReported]] = field(default_factory=list)
    deviation: str | None = None
    day: date | None = None
    reported_ranges: list[SerialRange] = field(default_factory=list)


@dataclass(slots=True)
class Requisition:
    """A requisition and what was done on it."""

    completed: events.CouponsRequisitioned | None = None
    completed_at: int = -1
    authorized: list[tuple[int, events.RequisitionAuthorized]] = field(default_factory=list)
    entries: list[tuple[int, events.CouponIssueEntered, list[SerialRange]]] = field(
        default_factory=list
    )
    issued: list[events.CouponsIssued] = field(default_factory=list)
    quantities: dict[int, int] = field(default_factory=dict)
    reported_ranges: list[SerialRange] = field(default_factory=list)


@dataclass(slots=True)
class Return:
    """Coupons that went back, and the entry of it."""

    returned: events.CouponsReturned | None = None
    ranges: list[SerialRange] = field(default_factory=list)
    entered: list[events.CouponReturnEntered] = field(default_factory=list)
    day: date | None = None


@dataclass(slots=True)
class MailList:
    """A list of coupons to be mailed."""

    parts: list[events.MailListSupplied] = field(default_factory=list)
    lines: dict[Serial, events.MailLine] = field(default_factory=dict)
    given_to_finance: list[events.MailListGivenToFinance] = field(default_factory=list)
    screened: list[events.ExclusionScreened] = field(default_factory=list)


@dataclass(slots=True)
class Documents:
    """The papers of the program, by their numbers."""

    deliveries: dict[str, Delivery] = field(default_factory=dict)
    requisitions: dict[str, Requisition] = field(default_factory=dict)
    returns: dict[str, Return] = field(default_factory=dict)
    lists: dict[str, MailList] = field(default_factory=dict)
    inventories: list[tuple[int, events.CouponsInventoried, dict[int, int], dict[int, int]]] = (
        field(default_factory=list)
    )
    reports: list[tuple[int, events.QuarterlyReportFiled]] = field(default_factory=list)
    mailings: list[tuple[date, str | None, FactRef, list[SerialRange]]] = field(
        default_factory=list
    )
    finance_voids: list[tuple[date, FactRef, SerialRange]] = field(default_factory=list)
    first_stock: date | None = None
