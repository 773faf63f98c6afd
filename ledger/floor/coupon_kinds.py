"""The kinds of irregularities of coupons that can be planted, and the plan of those asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from random import Random
from typing import Final

from ledger.kernel import UsageError
from ledger.kernel.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponKind:
    """One kind of irregularity of coupons.

    Args:
        name: as it is asked for.
        description: in plain words.
        code: the first finding it leads to, and ``cite`` where.
        at_table: whether it happens in a round of play, else in the departments.
        first: the first day, counted from 0, on which it can be; ``last`` the last, None: any.
        needs_next: whether a day must follow.
        group: kinds of one group are never planted at one table, or in the departments, on one day.
    """

    name: str
    description: str
    code: str
    cite: str
    at_table: bool = False
    first: int = 0
    last: int | None = None
    needs_next: bool = False
    group: str | None = None

    def days(self, count: int) -> range:
        """The days of a simulation of so many on which it can be."""
        end = count - (1 if self.needs_next else 0)
        return range(self.first, end if self.last is None else min(end, self.last + 1))


def _table(
    name: str, description: str, code: str, cite: str, *, first: int = 0, last: int | None = None,
    group: str | None = None,
) -> CouponKind:  # fmt: skip
    return CouponKind(
        name=name, description=description, code=code, cite=cite, at_table=True, first=first, last=last,
        group=group,
    )  # fmt: skip


def _office(
    name: str, description: str, code: str, cite: str, *, needs_next: bool = False,
    group: str | None = None,
) -> CouponKind:  # fmt: skip
    return CouponKind(
        name=name, description=description, code=code, cite=cite, needs_next=needs_next, group=group
    )


# fmt: off
_ALL: Final = (
    _table("coupon_not_in_box",           "a redeemed coupon is not in the drop box",                 "redeemed_not_dropped",         "525.22(e)", group="box"),
    _table("coupon_not_redeemed",         "a coupon lies in the drop box that nobody redeemed",       "dropped_not_redeemed",         "525.22(e)"),
    _table("coupon_redeemed_twice",       "a serial number is redeemed a second time",                "coupon_duplicate_serial",      "525.21(m)(3)"),
    _table("coupon_never_issued",         "a coupon from finance's stock is redeemed",                "redeemed_not_issued",          "525.21(m)(3)"),
    _table("coupon_never_received",       "a serial number that was never delivered is redeemed",     "redeemed_not_received",        "525.21(m)(3)"),
    _table("coupon_voided_redeemed",      "a voided coupon is redeemed",                              "redeemed_but_voided",          "525.21(m)(3)"),
    _table("coupon_counterfeit",          "a coupon of no series is redeemed",                        "coupon_counterfeit",           "525.21(m)(1)", group="box"),
    _table("coupon_past_its_day",         "an expired coupon is redeemed",                            "coupon_expired",               "525.21(c)(5)", first=2),
    _table("coupon_other_denomination",   "a coupon is redeemed for another denomination",            "coupon_wrong_denomination",    "525.21(c)(2)"),
    _table("coupon_outside_its_terms",    "a coupon is used on a wager that is not printed on it",    "coupon_outside_terms",         "525.21(c)(4)", last=1),
    _table("coupon_with_few_chips",       "a coupon lies with chips of less than its value",          "coupon_short_chips",           "525.22(b)"),
    _table("coupon_second_in_round",      "a patron uses one coupon more than allowed",               "coupon_too_many",              "603a.21(d)"),
    _table("coupon_overpaid",             "a winner is paid too much on a coupon",                    "wager_overpaid",               "525.22(b)"),
    _table("coupon_underpaid",            "a winner is paid nothing on a coupon",                     "wager_underpaid",              "525.22(b)"),
    _table("coupon_kept_by_dealer",       "a redeemed coupon is put into no drop box",                "coupon_not_dropped",           "525.22(e)"),
    _table("coupon_in_another_box",       "a coupon is found in another table's drop box",            "coupon_wrong_drop_box",        "525.22(e)"),
    _table("coupon_expiry_unchecked",     "the day on a mailed coupon is not looked at",              "coupon_expiry_not_verified",   "525.21(q)(5)"),
    _table("coupon_on_top",               "a coupon lies on top of the chips",                        "coupon_wrong_position",        "525.22(b)"),
    _office("coupon_delivery_short",      "a delivery falls short and nobody is told",                "coupon_deviation_not_reported", "525.21(e)"),
    _office("coupon_examined_by_one",     "marketing is absent when a delivery is examined",          "coupon_examined_without_marketing", "525.21(e)"),
    _office("coupon_requisition_unsigned", "the finance supervisor does not sign the requisition",    "signature_missing",            "525.21(g)(5)", group="authorization"),
    _office("coupon_requisition_one_hand", "one person completes and authorizes the requisition",     "segregation_broken",           "525.21(g)(5)", group="authorization"),
    _office("coupon_issue_over",          "more is issued than was requested",                        "issued_over_requisition",      "525.21(g)(3)"),
    _office("coupon_issue_unrecorded",    "coupons leave before the entry of issue is made",          "issued_before_recorded",       "525.21(h)"),
    _office("coupon_quantity_wrong",      "an entry's quantity is not that of its range",             "serial_quantity_mismatch",     "525.21(h)(2)"),
    _office("coupon_given_by_finance",    "a member of finance gives coupons to patrons",             "coupon_wrong_department",      "525.21(d)"),
    _office("coupon_void_unexplained",    "a coupon is voided and no reason given",                   "void_without_reason",          "525.21(j)(6)"),
    _office("coupon_excluded_mailed",     "a coupon is mailed to a person on an exclusion list",      "mailed_to_excluded",           "525.21(q)(7)"),
    _office("coupon_mailed_unscreened",   "a mailing is not held against one exclusion list",         "mailing_not_screened",         "525.21(q)(7)"),
    _office("coupon_form_unsigned",       "the daily form is not signed",                             "form_not_signed",              "525.21(j)(8)"),
    _office("coupon_form_wrong",          "the daily form has one coupon too many distributed",       "form_figure_wrong",            "525.21(j)(4)"),
    _office("coupon_not_cancelled",       "a redeemed coupon is not cancelled",                       "coupon_not_cancelled",         "525.21(m)(2)"),
    _office("coupon_kept_unlocked",       "marketing keeps coupons in a place that is not locked",    "coupon_storage_breach",        "525.21(k)"),
    _office("coupon_late_count",          "a box's coupons are counted a day late",                   "coupon_deadline_missed",       "525.21(m)", needs_next=True),
)
# fmt: on

COUPON_KINDS: Final = {kind.name: kind for kind in _ALL}
"""Every kind of coupon irregularity by its name."""


@dataclass(slots=True)
class PlannedCoupon:
    """One irregularity to be planted, on its day or the first one after that offers a place."""

    kind: CouponKind
    day: int
    table: str | None
    wait: int


@dataclass(slots=True)
class CouponPlan:
    """What is still to be planted; one of a kind on a day, at tables one per table and day."""

    units: list[PlannedCoupon] = field(default_factory=list)
    _done: set[tuple[str, int, str | None]] = field(default_factory=set)

    def add(self, name: str, count: int, table: str | None, seed: str, days: int) -> None:
        """Take up a wish.

        Raises:
            UsageError: the simulation is too short for it, or it has no table.
        """
        kind = COUPON_KINDS[name]
        if table is not None and not kind.at_table:
            raise UsageError(f"{name} makes no sense at {table}", next_step=f"ask for {name} alone")
        fitting = [
            day
            for day in kind.days(days)
            if kind.at_table
            or not kind.group
            or all(unit.kind.group != kind.group or unit.day != day for unit in self.units)
        ]
        once_a_day = not kind.at_table or table is not None
        if not fitting or (once_a_day and count > len(fitting)):
            raise UsageError(
                f"{count} x {name} cannot be planted in {days} days",
                cause="it is once a day at most, and not on every day",
            )
        free: list[int] = []
        for copy in range(count):
            rng = Random(f"{seed}/{name}/{copy}")
            free = free or list(fitting)
            day = free.pop(rng.randrange(len(free)))
            self.units.append(PlannedCoupon(kind, day, table, rng.randrange(2)))

    def due(self, name: str, day: int) -> bool:
        """Whether a kind of the departments is to be planted today; if so, it is done with this."""
        for unit in self.units:
            if unit.kind.name == name and unit.day == day:
                self.units.remove(unit)
                return True
        return False

    def at(self, table: str, day: int) -> list[PlannedCoupon]:
        """What may be planted at a table now."""
        return [
            unit
            for unit in self.units
            if unit.kind.at_table
            and unit.day <= day
            and day in unit.kind.days(day + 1)
            and unit.table in (None, table)
            and not {(unit.kind.name, day, table), (unit.kind.group or "", day, table)} & self._done
        ]

    def done(self, unit: PlannedCoupon, day: int, table: str) -> None:
        """It is planted.

        Args:
            unit: the irregularity that was due.
            day: the gaming day, counted from 0.
            table: where it was planted.
        """
        self.units.remove(unit)
        self._done |= {(unit.kind.name, day, table)}
        if unit.kind.group:
            self._done.add((unit.kind.group, day, table))

    def check(self) -> None:
        """The simulation is over.

        Raises:
            UsageError: something found no place.
        """
        if self.units:
            names = ", ".join(sorted({unit.kind.name for unit in self.units}))
            raise UsageError(
                f"no place was found for {names}",
                cause="too many plants of a kind, or too short days",
            )


def plan_of(seed: int, wishes: Sequence[tuple[str, int, str | None]], days: int) -> CouponPlan:
    """The plan of all coupon irregularities asked for: kind, how often, at which table.

    Args:
        seed: that of the simulation.
        wishes: kind, how often, and the table where one is named.
        days: gaming days of the simulation.
    """
    plan = CouponPlan()
    for number, (name, count, table) in enumerate(wishes):
        plan.add(name, count, table, f"{seed}/coupons/{number}", days)
    return plan
