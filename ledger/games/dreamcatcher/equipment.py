"""What table, layout and wheel must be.

Law: § 689.1. The layout and the boxes are compared with itemized inspections, the wheel with the
fact that puts it into use.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ledger.events import Subject, WheelPlaced
from ledger.games.dreamcatcher.terms import INCHES, LAW, NUMBERS, ORDER, SECTIONS
from ledger.games.dreamcatcher.wagers import PAYOUTS
from ledger.games.inspection import names_all, names_any, on_opposite_sides
from ledger.games.room import Approval, Requirement, Trial
from ledger.games.wheel import (
    AtLeastAcross,
    Clockwise,
    EquallySpaced,
    HasClapper,
    InOrder,
    Showing,
    WheelCheck,
    wrong_odds,
)
from ledger.kernel import Odds, Severity

LOW, MEDIUM = Severity.LOW, Severity.MEDIUM

# fmt: off
WHEEL_CHECKS: Final = (   # § 689.1(a), (b), (e), in their own order
    #          required                                  holds                   when broken
    WheelCheck("a wheel five feet or more across",       AtLeastAcross(INCHES),  "wheel_too_small#1"),
    WheelCheck("54 equally spaced sections",             EquallySpaced(SECTIONS), "wheel_sections_wrong#2"),
    WheelCheck("23 sections with 1",                     Showing("1", 23),       "wheel_sections_wrong#3"),
    WheelCheck("15 sections with 2",                     Showing("2", 15),       "wheel_sections_wrong#4"),
    WheelCheck("7 sections with 5",                      Showing("5", 7),        "wheel_sections_wrong#5"),
    WheelCheck("4 sections with 10",                     Showing("10", 4),       "wheel_sections_wrong#6"),
    WheelCheck("2 sections with 20",                     Showing("20", 2),       "wheel_sections_wrong#7"),
    WheelCheck("1 section with 40",                      Showing("40", 1),       "wheel_sections_wrong#8"),
    WheelCheck("1 section with 2x",                      Showing("2x", 1),       "wheel_sections_wrong#9"),
    WheelCheck("1 section with 7x",                      Showing("7x", 1),       "wheel_sections_wrong#10"),
    WheelCheck("the sections in the order listed",       InOrder(ORDER),         "wheel_order_wrong#1"),
    WheelCheck("that order clockwise",                   Clockwise(ORDER),       "wheel_order_wrong#2"),
    WheelCheck("a clapper",                              HasClapper(),           "clapper_missing"),
)
REQUIREMENTS: Final = (   # § 689.1(f), (g), in their own order
    #           thing            feature                required                                                         when broken                  severity cite                met by
    Requirement(Subject.TABLE,  "drop_box",            "a drop box hangs on the dealer's side",                          "drop_or_tip_box_misplaced", LOW,     LAW[".1(f)#1"],     on_opposite_sides("dealer side")),
    Requirement(Subject.TABLE,  "tip_box",             "a tip box hangs on the dealer's side, on the other hand",        "drop_or_tip_box_misplaced", LOW,     LAW[".1(f)#1"],     on_opposite_sides("dealer side")),
    Requirement(Subject.LAYOUT, "holder_name_or_logo", "the name or logo of the certificate holder",                     "layout_incomplete",         LOW,     LAW[".1(g)(1)"]),
    Requirement(Subject.LAYOUT, "wager_areas",         "a betting space for each of 1, 2, 5, 10, 20 and 40",             "layout_incomplete",         MEDIUM,  LAW[".1(g)(2)#1"],  names_all(NUMBERS)),
    Requirement(Subject.LAYOUT, "printed_odds",        "the payout odds of each permissible wager",                      "layout_incomplete",         MEDIUM,  LAW[".1(g)(3)"],    names_all(NUMBERS)),
    Requirement(Subject.LAYOUT, "stated_limits",       "the minimum wager, the maximum wager, or both",                  "layout_incomplete",         LOW,     LAW[".1(g)(4)#1"],  names_any("minimum", "maximum")),
)
TRIALS: Final[tuple[Trial, ...]] = ()          # the chapter has none
APPROVALS: Final[tuple[Approval, ...]] = ()    # of layout and boxes only: see the duties
# fmt: on
ODDS_SHOWN: Final = "layout_odds_wrong#1"
"""The duty of § 689.1(c)."""


class Fault(NamedTuple):
    """What a wheel lacks; not ``sure`` where it was not recorded."""

    duty: str
    observed: str
    expected: str
    sure: bool = True


def faults(wheel: WheelPlaced, due: tuple[tuple[str, Odds], ...]) -> Iterator[Fault]:
    """Compare a wheel with each row, and the odds it shows with those due.

    The order is judged only where the counts are right: with wrong counts it cannot be right
    either. § 689.1(c) names "the payout odds in § 689.3", a filing may be higher: either may be
    shown.

    Args:
        wheel: the fact that puts it into use.
        due: the odds in force by number.
    """
    miscounted = False
    for row in WHEEL_CHECKS:
        fulfilled = row.holds(wheel)
        if miscounted and row.duty.startswith("wheel_order_wrong"):
            continue
        miscounted = miscounted or (fulfilled is False and isinstance(row.holds, Showing))
        if fulfilled is None:
            yield Fault(row.duty, "no record of it", row.required, sure=False)
        elif not fulfilled:
            yield Fault(row.duty, row.holds.seen(wheel), row.required)
    if wheel.odds_shown is None:
        listed = "; ".join(f"{number}: {odds}" for number, odds in due)
        yield Fault(ODDS_SHOWN, "odds that were not recorded", listed, sure=False)
        return
    chapter = {row.wager: row.pays for row in PAYOUTS}
    wrong = wrong_odds(wheel, due, chapter)
    if wrong:
        seen = "; ".join(f"{number}: {text}" for number, text, _ in wrong)
        yield Fault(ODDS_SHOWN, seen, "; ".join(f"{number}: {odds}" for number, _, odds in wrong))
