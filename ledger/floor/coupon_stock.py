"""Where the coupons of this floor are: the floor's own books, and the pens of the four streams."""

from __future__ import annotations

from dataclasses import field
from datetime import date, timedelta

from ledger.events import CouponRedeemed, Fact
from ledger.floor.coupon_kinds import CouponKind, CouponPlan
from ledger.floor.coupon_terms import HANDED, SERIES, STREAMS, Series, series_of
from ledger.floor.plant_requests import TruthRow
from ledger.floor.stream_pens import SECOND, Pen, Stamp
from ledger.kernel.quick_dataclass import dataclass

LEAST: int = 24
"""So many coupons of each series a day, however short the day."""

LONG: int = 3_700
"""Days for which a series is good that is not printed for a few: longer than any simulation."""


@dataclass(frozen=True, slots=True)
class CouponUse:
    """A redemption of the day that finance will cancel; ``planted``: not all of it is lawful."""

    serial: str
    table: str
    fact: CouponRedeemed
    planted: bool


@dataclass(frozen=True, slots=True)
class AwaitedFinding:
    """What will be found at the count of a table's box."""

    kind: CouponKind
    serial: str
    code: str
    cite: str


@dataclass(slots=True)
class CouponDay:
    """What happens on one gaming day."""

    uses: list[CouponUse] = field(default_factory=list)
    back: list[str] = field(default_factory=list)
    boxes: dict[str, list[str]] = field(default_factory=dict)
    unreadable: dict[str, int] = field(default_factory=dict)
    awaited: dict[str, list[AwaitedFinding]] = field(default_factory=dict)
    carried: list[str] = field(default_factory=list)
    received: list[str] = field(default_factory=list)
    distributed: list[str] = field(default_factory=list)
    voided: list[tuple[str, str | None]] = field(default_factory=list)
    voided_by_finance: list[str] = field(default_factory=list)
    expired_back: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Stock:
    """The books of the program; serial numbers as printed.

    ``patrons`` holds what patrons may use and ``forgotten`` what they do not, ``expired`` what they
    no longer may; ``marketing`` is kept from day to day; ``taken`` is what lies in the boxes that were
    taken away and not counted with their cash; ``late`` are boxes whose coupons are counted a day late.
    """

    seed: int
    first_day: date
    scale: float
    plan: CouponPlan
    pens: dict[str, Pen] = field(
        default_factory=lambda: {name: Pen(name, source) for name, source in STREAMS}
    )
    truth: list[TruthRow] = field(default_factory=list)
    at: int = 0
    index: int = -1
    day: date = date.min
    today: CouponDay = field(default_factory=CouponDay)
    delivered: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_names(), 0))
    finance: list[str] = field(default_factory=list)
    marketing: list[str] = field(default_factory=list)
    patrons: list[str] = field(default_factory=list)
    forgotten: list[str] = field(default_factory=list)
    expired: list[str] = field(default_factory=list)
    voided: list[str] = field(default_factory=list)
    to_cancel: list[str] = field(default_factory=list)
    undeliverable: list[str] = field(default_factory=list)
    lapsed: list[str] = field(default_factory=list)
    spent: set[str] = field(default_factory=set)
    open: set[str] = field(default_factory=set)
    taken: dict[str, tuple[str, ...]] = field(default_factory=dict)
    strange: int = 0
    late: list[tuple[str, str, list[str], int]] = field(default_factory=list)
    redeemed_cents: dict[str, dict[int, int]] = field(default_factory=dict)
    inventoried: set[str] = field(default_factory=set)

    def begin(self, day: date, at: int) -> None:
        """A gaming day begins; what was given back yesterday may be used again."""
        self.patrons += self.today.back
        self.index, self.day, self.at = self.index + 1, day, at
        self.today = CouponDay()
        for serials in (self.patrons, self.forgotten):
            for serial in [one for one in serials if not self.good(one)]:
                serials.remove(serial)
                self.expired.append(serial)

    def amount(self, series: Series) -> int:
        """How many of a series a day takes."""
        return max(LEAST, round(series.per_day * self.scale))

    def handed(self) -> tuple[Series, ...]:
        """The series that marketing hands out today."""
        return tuple(one for one in HANDED if self.day <= self.until(one))

    def until(self, series: Series) -> date:
        """The last day on which a series is good."""
        lasts = LONG if series.lasts is None else series.lasts
        return self.first_day + timedelta(days=lasts - 1)

    def good(self, serial: str) -> bool:
        """Whether a coupon may still be used today."""
        series = series_of(serial)
        return series is not None and self.day <= self.until(series)

    def stamp(self, stream: str, by: str | None, seconds: int = 5) -> Stamp:
        """The first five fields of the next fact, so many seconds after the last one.

        Args:
            stream: of the department.
            by: who records it; None: the department's terminal.
            seconds: after the last fact.
        """
        self.at += seconds * SECOND
        return self.pens[stream].stamp(self.at, by)

    def redeem(self, serial: str) -> None:
        """Add a redemption to the quarter's figures."""
        series = series_of(serial)
        if series is not None:
            cents = self.redeemed_cents.setdefault(quarter_of(self.day), {})
            cents[series.cents] = cents.get(series.cents, 0) + series.cents

    def find(
        self, kind: CouponKind, fact: Fact, *serials: str, code: str | None = None,
        cite: str | None = None, day: str | None = None,
    ) -> None:  # fmt: skip
        """Note what must be found in the departments' streams.

        Args:
            kind: of the irregularity.
            fact: on which the finding rests.
            serials: the coupons that it is about.
            code: of the finding, if not the kind's own.
            cite: the section, if not the kind's own.
            day: the gaming day, ISO 8601; None: the present one.
        """
        self.truth.append(
            truth_row(kind, day or self.day.isoformat(), (fact,), serials, code=code, cite=cite)
        )


def _names() -> tuple[str, ...]:
    return tuple(series.name for series in SERIES)


def quarter_of(day: date) -> str:
    """The quarter of a day, ``2021-Q2``."""
    return f"{day.year}-Q{(day.month - 1) // 3 + 1}"


def truth_row(
    kind: CouponKind,
    day: str,
    facts: tuple[Fact, ...],
    serials: tuple[str, ...],
    *,
    code: str | None = None,
    cite: str | None = None,
    round_id: str | None = None,
) -> TruthRow:
    """One finding that a perfect auditor reports, with the serial numbers it is about.

    Args:
        kind: of the irregularity.
        day: the gaming day, ISO 8601.
        facts: on which it rests.
        serials: the coupons that it is about.
        code: of the finding, if not the kind's own.
        cite: the section, if not the kind's own.
        round_id: the round; None outside of rounds.
    """
    return {
        "kind": kind.name,
        "gaming_day": day,
        "round": round_id,
        "stream": facts[0].stream,
        "seq": [fact.seq for fact in facts],
        "code": code or kind.code,
        "cite": cite or kind.cite,
        "detectable": True,
        "why": None,
        "serials": list(serials),
    }
