"""What holds for the coupon program at a moment: approvals, people, storage, deadlines, series.

Each question is answered for a moment (microseconds UTC) by what was stated up to then, whatever
came later.
Law: 58 Pa. Code § 525.21(b), (d), (i), (p), (q), (r).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from datetime import date
from typing import Final

from ledger import events
from ledger.kernel.quick_dataclass import dataclass

ALWAYS: Final = (
    events.ControlsPart.INVENTORY,
    events.ControlsPart.DISTRIBUTION,
    events.ControlsPart.REDEMPTION,
)
"""What internal controls must govern before any coupon is issued (§ 525.21(b)(2))."""

Ruled = events.CouponDesignApproved | events.CouponControlsApproved | events.CouponStorageApproved


@dataclass(slots=True)
class Program:
    """All that was stated about the program, in merged order."""

    designs: dict[str, events.CouponDesignFiled] = field(default_factory=dict)
    controls: dict[str, list[events.CouponControlsFiled]] = field(default_factory=dict)
    rulings: dict[tuple[str, str], list[tuple[int, Ruled]]] = field(default_factory=dict)
    functions: dict[str, list[tuple[int, events.CouponFunctionGiven]]] = field(default_factory=dict)
    people: dict[str, list[tuple[int, events.PersonCredentialled]]] = field(default_factory=dict)
    deadlines: dict[events.CouponDuty, events.CouponDeadlineSet] = field(default_factory=dict)
    promotions: list[events.PromotionScheduled] = field(default_factory=list)

    def take(self, fact: object, at: int) -> bool:
        """Add one fact; return False if it is none of the program's."""
        match fact:
            case events.CouponDesignFiled():
                self.designs[fact.design] = fact
            case events.CouponDesignApproved():
                self.rulings.setdefault(("design", fact.design), []).append((at, fact))
            case events.CouponControlsFiled():
                self.controls.setdefault(fact.controls, []).append(fact)
            case events.CouponControlsApproved():
                self.rulings.setdefault(("controls", fact.controls), []).append((at, fact))
            case events.CouponStorageApproved():
                self.rulings.setdefault(("area", fact.area), []).append((at, fact))
            case events.CouponFunctionGiven():
                self.functions.setdefault(fact.person, []).append((at, fact))
            case events.PersonCredentialled():
                self.people.setdefault(fact.person, []).append((at, fact))
            case events.CouponDeadlineSet():
                self.deadlines[fact.duty] = fact
            case events.PromotionScheduled():
                self.promotions.append(fact)
            case _:
                return False
        return True

    def _approved(self, kind: str, name: str, at: int, bureau: events.Bureau | None) -> bool:
        """Whether the last decision up to a moment approves it."""
        known = [fact for when, fact in self.rulings.get((kind, name), ()) if when <= at]
        last = known[-1] if known else None
        return (
            last is not None
            and not last.withdrawn
            and (bureau is None or last.bureau in (None, bureau))
        )

    def design_approved(self, series: events.CouponSeriesDescribed | None, at: int) -> bool:
        """Whether Gaming Operations approved the design of a series by then.

        For a series that names no design, whether it approved any.
        """
        named = series.design if series is not None else None
        designs = [named] if named is not None else [n for k, n in self.rulings if k == "design"]
        return any(
            self._approved("design", one, at, events.Bureau.GAMING_OPERATIONS) for one in designs
        )

    def governed(
        self, parts: Iterable[events.ControlsPart], at: int, bureau: events.Bureau | None = None
    ) -> list[events.ControlsPart]:
        """Return the parts that no approved internal controls govern at a moment.

        Args:
            parts: the parts that are asked about.
            at: the moment, microseconds UTC.
            bureau: who must have approved; None: any bureau.
        """
        governed_parts = {
            part
            for name, filed in self.controls.items()
            if self._approved("controls", name, at, bureau)
            for one in filed
            if one.event_time <= at
            for part in one.governs
        }
        return [part for part in parts if part not in governed_parts]

    def area_approved(self, area: str | None, holder: events.CouponHolder, at: int) -> bool:
        """Whether Casino Compliance approved an area for a department's coupons by then."""
        if area is None or not self._approved("area", area, at, events.Bureau.CASINO_COMPLIANCE):
            return False
        known = [fact for when, fact in self.rulings[("area", area)] if when <= at]
        last = known[-1]
        return isinstance(last, events.CouponStorageApproved) and last.holder in (None, holder)

    def standing(self, person: str, at: int) -> bool | None:
        """Whether a person holds a credential then; None if the roster does not have the person."""
        known = [fact for when, fact in self.people.get(person, ()) if when <= at]
        return not known[-1].revoked if known else None

    def acts_for(
        self, person: str, at: int, department: events.CouponDepartment, *, supervisor: bool
    ) -> bool:
        """Whether a person has a function in a department then.

        ``supervisor``: as a supervisor or above.
        """
        ranks: set[events.CouponRank] = set()
        for when, fact in self.functions.get(person, ()):
            if when <= at and fact.department is department:
                (ranks.discard if fact.ended else ranks.add)(fact.rank)
        if supervisor:
            ranks.discard(events.CouponRank.MEMBER)
        return bool(ranks)

    def departments(self, person: str, at: int) -> set[events.CouponDepartment]:
        """Return the departments for which a person acts then."""
        return {
            one
            for one in (events.CouponDepartment.FINANCE, events.CouponDepartment.MARKETING)
            if self.acts_for(person, at, one, supervisor=False)
        }

    def runs_on(self, day: date) -> bool:
        """Whether a promotional period goes on after this gaming day."""
        text = day.isoformat()
        return any(one.first_gaming_day <= text < one.last_gaming_day for one in self.promotions)

    def elements(
        self, series: events.CouponSeriesDescribed | None
    ) -> tuple[events.CouponElement, ...] | None:
        """Return what a coupon of a series shows, by series or design; None: not recorded."""
        if series is None:
            return None
        if series.elements is not None:
            return series.elements
        design = self.designs.get(series.design or "")
        return design.elements if design else None
