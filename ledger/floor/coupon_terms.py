"""The Match Play Coupons of this floor: series and printed terms, people, patrons of the mail list.

Typed apart from the rules engine. Law: 58 Pa. Code §§ 525.21, 525.22.
"""

from __future__ import annotations

from fractions import Fraction
from hashlib import sha256
from typing import Final

from ledger import events
from ledger.floor import dreamcatcher_payouts, sic_bo_payouts
from ledger.floor.stream_pens import HOUR
from ledger.kernel.quick_dataclass import dataclass

OFFICE: Final = "coupons"
FINANCE: Final = "coupons/finance"
MARKETING: Final = "coupons/marketing"
MAIL: Final = "coupons/mail"
COUNT: Final = "coupons/count"
STREAMS: Final = (
    (FINANCE, "T-COUPON-FIN"),
    (MARKETING, "T-COUPON-MKT"),
    (MAIL, "T-COUPON-MAIL"),
    (COUNT, "T-COUPON-CNT"),
)
"""The streams of the coupon program, each with the terminal that writes it."""

SUPERVISOR: Final = "FS-1"
SECOND_SUPERVISOR: Final = "FS-2"
EXAMINER: Final = "FM-1"
COUNTERS: Final = ("K-1", "K-2")
MARKETER: Final = "MS-1"
HOSTS: Final = ("MM-1", "MM-2")
PROVIDER: Final = "GSP-POST"
NAMES: Final = {
    SUPERVISOR: "Finance supervisor one",
    SECOND_SUPERVISOR: "Finance supervisor two",
    EXAMINER: "Finance clerk one",
    MARKETER: "Marketing supervisor one",
    HOSTS[0]: "Marketing host one",
    HOSTS[1]: "Marketing host two",
}
"""Printed names of employees."""
FINANCE_SUPERVISORS: Final = (
    (SUPERVISOR, NAMES[SUPERVISOR]),
    (SECOND_SUPERVISOR, NAMES[SECOND_SUPERVISOR]),
)
"""Credential and printed name of those who sign for finance."""

STAFF: Final = (
    *((one, "finance") for one in (SUPERVISOR, SECOND_SUPERVISOR, EXAMINER)),
    *((one, "marketing") for one in (MARKETER, *HOSTS)),
    (PROVIDER, "gaming service provider"),
)
"""Credential and department of those who work for the program alone, its mailing house included."""
FUNCTIONS: Final = (
    (SUPERVISOR, events.CouponDepartment.FINANCE, events.CouponRank.SUPERVISOR),
    (SECOND_SUPERVISOR, events.CouponDepartment.FINANCE, events.CouponRank.SUPERVISOR),
    (EXAMINER, events.CouponDepartment.FINANCE, events.CouponRank.MEMBER),
    *((one, events.CouponDepartment.FINANCE, events.CouponRank.MEMBER) for one in COUNTERS),
    (MARKETER, events.CouponDepartment.MARKETING, events.CouponRank.SUPERVISOR),
    *((one, events.CouponDepartment.MARKETING, events.CouponRank.MEMBER) for one in HOSTS),
)

VAULT: Final = "VAULT-1"
CABINET: Final = "CABINET-7"
COUNT_WITHIN: Final = 18 * HOUR
"""Until when after its removal the coupons of a box are counted: the property's own setting."""

MAILED_PATRONS: Final = (
    ("Wilhelmina Quackenbush", "17 Larkspur Lane, Altoona"),
    ("Barnaby Throckmorton", "4 Cooper's Yard, Scranton"),
    ("Philippa Ottersbach", "902 Quarry Street, Reading"),
    ("Cornelius Wigglesworth", "31 Tannery Row, Erie"),
    ("Henrietta Umberfield", "6 Mill Race Court, York"),
    ("Ignatius Pemberwick", "78 Foundry Avenue, Easton"),
)
"""Names and addresses that are mailed to, over and over; they stand in no fact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One series: what is printed on it, how many are laid in and handed out at full scale.

    ``lasts`` are the gaming days on which it is good, the first included; None: all.
    """

    name: str
    cents: int
    prefix: str
    pays: events.CouponPays
    games: tuple[str, ...] | None
    wagers: tuple[str, ...] | None
    lasts: int | None
    per_day: int

    def serial(self, number: int) -> str:
        """A serial number as it is printed."""
        return f"{self.prefix}{number:0{DIGITS}d}"

    def run(self, first: int, last: int) -> events.CouponRange:
        """Serial numbers from first to last, as a document states them."""
        return events.CouponRange(
            denomination_cents=self.cents,
            first=self.serial(first),
            last=self.serial(last),
            quantity=last - first + 1,
        )

    def allows(self, wager: str) -> bool:
        """Whether a wager is one of those printed on it."""
        return self.wagers is None or wager in self.wagers

    def wins(self, stake: int, winnings: int) -> int | None:
        """What it adds to a wager that won these winnings; None: no whole cents."""
        if self.pays is events.CouponPays.EVEN_MONEY:
            return self.cents
        exact = Fraction(winnings, stake) * self.cents
        return exact.numerator if exact.denominator == 1 else None


DIGITS: Final = 7
_EVENS: Final = tuple(area for area, _ in (*sic_bo_payouts.EVEN, *dreamcatcher_payouts.EVEN))

SERIES: Final = (
    Series(
        name="P25", cents=2_500, prefix="P25-", pays=events.CouponPays.WAGER_ODDS,
        games=None, wagers=None, lasts=None, per_day=120,
    ),
    Series(
        name="P10", cents=1_000, prefix="P10-", pays=events.CouponPays.WAGER_ODDS,
        games=None, wagers=None, lasts=None, per_day=240,
    ),
    Series(
        name="E05", cents=500, prefix="E05-", pays=events.CouponPays.EVEN_MONEY,
        games=(sic_bo_payouts.NAME, dreamcatcher_payouts.NAME), wagers=_EVENS, lasts=2, per_day=80,
    ),
    Series(
        name="M10", cents=1_000, prefix="M10-", pays=events.CouponPays.WAGER_ODDS,
        games=None, wagers=None, lasts=None, per_day=60,
    ),
)  # fmt: skip
"""In the order in which they are described; the last one is mailed."""
MAILED: Final = SERIES[-1]
HANDED: Final = SERIES[:-1]
SHORT: Final = SERIES[2]
"""The series that expires soon."""

UNFIT: Final = frozenset({sic_bo_payouts.ONE})
"""Wagers with which no patron uses a coupon here."""


def series_of(serial: str) -> Series | None:
    """The series of a serial number, None when no series has it."""
    return next((one for one in SERIES if serial.startswith(one.prefix)), None)


def runs(serials: list[str]) -> tuple[events.CouponRange, ...]:
    """Serial numbers as ranges, in order of series and number; each as often as it is there."""
    ranges: list[events.CouponRange] = []
    for series in SERIES:
        numbers = sorted(int(s[len(series.prefix) :]) for s in serials if series_of(s) is series)
        start = 0
        for place in range(1, len(numbers) + 1):
            if place == len(numbers) or numbers[place] != numbers[place - 1] + 1:
                ranges.append(series.run(numbers[start], numbers[place - 1]))
                start = place
    return tuple(ranges)


def signed(person: str, at: int | None = None) -> events.CouponSignature:
    """Name, credential and signature of an employee."""
    return events.CouponSignature(
        person=person, printed_name=NAMES[person], signed=True, signed_time=at
    )


def commitment(seed: int, serial: str, field: str, text: str) -> bytes:
    """SHA-256 over a salt and the text; the salt is this simulation's own.

    Args:
        seed: that of the simulation.
        serial: of the coupon.
        field: which text is committed, such as a name.
        text: the text.
    """
    salt = sha256(f"{seed}/salt/{serial}/{field}".encode()).digest()
    return sha256(salt + text.encode()).digest()
