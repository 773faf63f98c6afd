"""What is kept while the record is followed: days, drop boxes, documents, quantities by place.

Law: 58 Pa. Code § 525.21(f) to (o).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import field
from datetime import date
from enum import StrEnum
from typing import Final, NamedTuple

from ledger import events
from ledger.coupons.custody import WITH_MARKETING, WITH_PATRONS, Custody, Place, Run
from ledger.coupons.serial import Serial, SerialRange, joined
from ledger.kernel import FactRef, ref_of
from ledger.kernel.quick_dataclass import dataclass

ON_HAND: Final = frozenset({Place.EXAMINED, Place.STOCK})
"""The places of what finance has on hand: examined, entered or not."""
_MARKETING: Final = Place.MARKETING
_NOWHERE: Final = Place.NOWHERE


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


_REDEEMED: Final = Flow.REDEEMED
_REDEEMED_HELD: Final = Flow.REDEEMED_HELD
TOLD_BY_NUMBER: Final = frozenset({Flow.REDEEMED, Flow.REDEEMED_HELD, Flow.CANCELLED_REDEEMED})
"""Flows of single coupons: only quantities are kept here, since the custody has their ways."""


class Irregular(NamedTuple):
    """A redemption that was not in order.

    Args:
        serial: the coupon; as written where no series has it.
        at: when, microseconds UTC.
        table: where.
        why: what was wrong, for people.
        denomination_cents: what the coupon stands for or showed; None: not recorded.
        paid_cents: what was paid on it; None: not recorded.
        counted: False where no series has it: its value is in no total.
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
    """Quantities by place and denomination in cents, updated with every movement."""

    by_place: dict[Place, dict[int, int]] = field(default_factory=dict)
    with_marketing: list[SerialRange] = field(default_factory=list)
    """Ranges that include all that marketing has, and perhaps more."""

    def marketing_runs(self, custody: Custody) -> list[Run]:
        """Return what marketing has, run by run."""
        if not self.marketing():  # most of its ranges lie in thousands of runs by then
            self.with_marketing = []
            return []
        runs = [
            run
            for one in joined(self.with_marketing)
            for run in custody.runs(one)
            if run.place in WITH_MARKETING
        ]
        self.with_marketing = [run.range for run in runs]
        return runs

    def shift(self, run: Run, to: Place) -> None:
        """Follow a run from its place to another."""
        (_, _, first, last), series, place, _ = run
        if series is None:
            return
        if to is _MARKETING:
            self.with_marketing.append(run.range)
        self._shift(place, to, series.denomination_cents, last - first + 1)

    def shift_each(self, runs: Sequence[Run], to: Place) -> None:
        """Follow coupons from their places to another, each as ``shift`` does."""
        if to is Place.MARKETING:
            self.with_marketing.extend(run.range for run in runs if run.series is not None)
        together: dict[tuple[Place, int], int] = {}
        for (_, _, first, last), series, place, _ in runs:
            if series is not None:
                key = place, series.denomination_cents
                together[key] = together.get(key, 0) + last - first + 1
        for (place, cents), quantity in together.items():
            self._shift(place, to, cents, quantity)

    def _shift(self, place: Place, to: Place, cents: int, quantity: int) -> None:
        if place is not _NOWHERE:
            left = self.by_place.setdefault(place, {})
            left[cents] = left.get(cents, 0) - quantity
        if to is not _NOWHERE:
            come = self.by_place.setdefault(to, {})
            come[cents] = come.get(cents, 0) + quantity

    def of(self, places: Iterable[Place]) -> dict[int, int]:
        """Return the quantity in some places together, by denomination in cents."""
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
    """What is recorded for one gaming day, by the day's facts and by later ones about it.

    Args:
        day: the gaming day.
        runs: the ranges of each flow, with their denomination in cents.
        odd: the same for coupons that could not have moved so.
        counts: quantities of the flows of single coupons, by flow and denomination in cents.
        void_reasons: what marketing voided, with the reason; None: none recorded.
        redeemed: the coupons redeemed, in order of time.
        redemptions: the fact of each of them, of whose stream's table it is.
        irregular: the redemptions that were not in order.
        forms: marketing's forms.
        forwarded: what went to finance.
        reviewed: finance's reviews.
        acted: by person, the departments for which each acted, and the first fact that shows it.
        left: what marketing had when the day ended.
        stock: finance's stock when the day ended, by denomination in cents.
        patrons: what was with patrons when the day ended, by denomination in cents.
        claimed: coupons that documents claim as returned, with the fact.
        asked: the series whose approval was checked on this day.
        begun: whether the day has begun.
    """

    day: date
    runs: dict[Flow, list[tuple[SerialRange, int]]] = field(default_factory=dict)
    odd: dict[Flow, list[tuple[SerialRange, int]]] = field(default_factory=dict)
    counts: dict[tuple[Flow, int], int] = field(default_factory=dict)
    void_reasons: list[tuple[SerialRange, str | None]] = field(default_factory=list)
    redeemed: list[Serial] = field(default_factory=list)
    redemptions: list[FactRef] = field(default_factory=list)
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
        """Begin the gaming day: what marketing holds is carried in."""
        if not self.begun:
            self.begun = True
            self.add(Flow.CARRIED_IN, runs)

    def close(self, custody: Custody, holdings: Holdings) -> None:
        """End the gaming day: note where everything is."""
        self.left = holdings.marketing_runs(custody)
        self.stock = holdings.of(ON_HAND)
        self.patrons = holdings.of(WITH_PATRONS)

    def add(self, flow: Flow, runs: Iterable[Run], *, odd: bool = False) -> None:
        """Note runs of a flow.

        Args:
            flow: how the coupons moved: printed, distributed, redeemed, ...
            runs: the coupons; those of no series are left out.
            odd: they could not have moved so; they are kept apart.
        """
        if flow in TOLD_BY_NUMBER:
            totals: dict[int, int] = {}
            for (_, _, first, last), series, _, _ in runs:
                if series is not None:
                    cents = series.denomination_cents
                    totals[cents] = totals.get(cents, 0) + last - first + 1
            for cents, quantity in totals.items():
                self.count(flow, cents, quantity)
            return
        kept = (self.odd if odd else self.runs).setdefault(flow, [])
        kept.extend(
            (run.range, run.series.denomination_cents) for run in runs if run.series is not None
        )

    def count(self, flow: Flow, cents: int, quantity: int) -> None:
        """Note a quantity of a flow of single coupons, ``TOLD_BY_NUMBER``."""
        key = flow, cents
        self.counts[key] = self.counts.get(key, 0) + quantity

    def redeem(self, serial: Serial, ref: FactRef, cents: int, *, is_held: bool) -> None:
        """Note a redemption; ``is_held``: a patron held the coupon, as one must."""
        self.redeemed.append(serial)
        self.redemptions.append(ref)
        self.count(_REDEEMED, cents, 1)
        if is_held:
            self.count(_REDEEMED_HELD, cents, 1)

    def ranges(self, flow: Flow, cents: int | None = None) -> list[SerialRange]:
        """Return the ranges of a flow, of one denomination in cents if given."""
        return [one for one, of in self.runs.get(flow, ()) if cents is None or of == cents]

    def quantity(self, flow: Flow, cents: int) -> int:
        """Return how many of a denomination moved so; of distributed coupons, rightly or not."""
        if flow in TOLD_BY_NUMBER:
            return self.counts.get((flow, cents), 0)
        rightly = sum(one.quantity for one, of in self.runs.get(flow, ()) if of == cents)
        if flow is not Flow.DISTRIBUTED:
            return rightly
        return rightly + sum(one.quantity for one, of in self.odd.get(flow, ()) if of == cents)

    def approval_due(self, series: str) -> bool:
        """Whether the approval of a series is still to be checked on this day; then no more."""
        due = series not in self.asked
        self.asked.add(series)
        return due

    def act(self, person: str | None, function: str, ref: FactRef) -> None:
        """Note that a person acted for a department on this day."""
        if person is not None:
            self.acted.setdefault(person, {}).setdefault(function, ref)


@dataclass(slots=True)
class Box:
    """A drop box from being hung to being counted.

    Args:
        table: its table; empty if not known.
        box: its number; None if not known.
        hung_at: when it was hung, microseconds UTC; -1 if no fact says.
        day: the gaming day of its drop.
        hung: the fact that hung it.
        removed_at: when it was removed, microseconds UTC.
        removed: the fact that removed it.
        dropped: the coupons that should be in it, and the fact of each.
        again: further coupons of a number that it has already.
        counts: its counts by part: the fact, the ranges, how many were unreadable, when it was
            merged.
        parts: how many parts a count has.
        cash: its count with the cash.
        cash_ranges: the coupons of that count.
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
        """Whether it was removed and not yet counted: nothing in it is missing."""
        return self.removed_at is not None and not self.is_counted

    def counted(self) -> list[SerialRange]:
        """Return the ranges found in it; one found twice is in it twice."""
        if not self.counts:
            return list(self.cash_ranges)
        return [one for _, (_, ranges, _, _) in sorted(self.counts.items()) for one in ranges]

    def last(self) -> FactRef:
        """Return the fact to which a finding on it belongs."""
        if self.counts:
            return max(self.counts.values(), key=lambda one: one[3])[0]
        if self.cash is not None:
            return ref_of(self.cash)
        return self.removed or self.hung or FactRef(self.table, 0)


@dataclass(slots=True)
class Delivery:
    """A delivery and its papers; moments are in microseconds UTC."""

    delivered: events.CouponsDelivered | None = None
    examined: list[tuple[int, events.CouponsExamined]] = field(default_factory=list)
    entered: list[tuple[int, events.CouponReceiptEntered]] = field(default_factory=list)
    reports: list[tuple[int, events.CouponDeviationReported]] = field(default_factory=list)
    deviation: str | None = None
    day: date | None = None
    reported_ranges: list[SerialRange] = field(default_factory=list)


@dataclass(slots=True)
class Requisition:
    """A requisition and what was done on it; moments are in microseconds UTC."""

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
    """Coupons that went back, and the entry of their return."""

    returned: events.CouponsReturned | None = None
    ranges: list[SerialRange] = field(default_factory=list)
    entered: list[events.CouponReturnEntered] = field(default_factory=list)
    day: date | None = None


@dataclass(slots=True)
class MailList:
    """A list of coupons to be mailed, with its lines by serial number."""

    parts: list[events.MailListSupplied] = field(default_factory=list)
    lines: dict[Serial, events.MailLine] = field(default_factory=dict)
    given_to_finance: list[events.MailListGivenToFinance] = field(default_factory=list)
    screened: list[events.ExclusionScreened] = field(default_factory=list)


@dataclass(slots=True)
class Documents:
    """The papers of the program, by their numbers.

    An inventory stands with when it was merged, and with the books by denomination in cents at that
    moment: undistributed, and returned expired or undelivered.
    """

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
