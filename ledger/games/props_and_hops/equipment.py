"""What table, layout, dice and shaker must be, and who places the dice.

Law: §§ 668a.1, 668a.2(f)(1), 668a.3(a), (b), (d).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger import events
from ledger.games.breach_reporting import breach
from ledger.games.inspection import names_all, on_opposite_sides
from ledger.games.props_and_hops.state import State
from ledger.games.props_and_hops.terms import LAW
from ledger.games.props_and_hops.wagers import WAGERS
from ledger.games.room import Approval, Requirement, Rules, Ruling, Trial
from ledger.kernel import Certainty, Severity

LOW, MEDIUM, HIGH = Severity.LOW, Severity.MEDIUM, Severity.HIGH
NAMES: Final = tuple(row.name for row in WAGERS)
FIELD: Final = ("2", "3", "4", "9", "10", "11", "12")

# fmt: off
REQUIREMENTS: Final = (   # §§ 668a.1, 668a.2(f)(1), 668a.3, in their own order
    #           thing           feature                         required                                                          when broken          severity cite                 met by
    Requirement(events.Subject.LAYOUT, "holder_name_or_logo",          "the name or logo of the certificate holder",                     "layout_incomplete", LOW,    LAW[".1(b)(1)"]),
    Requirement(events.Subject.LAYOUT, "wager_areas",                  "an area for each of the wagers",                                 "layout_incomplete", MEDIUM, LAW[".1(b)(2)"],     names_all(NAMES)),
    Requirement(events.Subject.LAYOUT, "shaker_circle",                "a separate circle for the shaker, to the right of the dealer",   "layout_incomplete", LOW,    LAW[".1(b)(3)"]),
    Requirement(events.Subject.LAYOUT, "player_position_diagram",      "a diagram that shows where each player's wagers go",             "layout_incomplete", LOW,    LAW[".1(b)(4)"]),
    Requirement(events.Subject.LAYOUT, "six_eight_shake_requirements", "what is needed to win the Six Eight Shake",                      "layout_incomplete", LOW,    LAW[".1(b)(5)#1"]),
    Requirement(events.Subject.LAYOUT, "six_eight_shake_take_down",    "that the Six Eight Shake may be taken down before a 7",          "layout_incomplete", LOW,    LAW[".1(b)(5)#2"]),
    Requirement(events.Subject.LAYOUT, "field_numbers",                "a Field box with 2, 3, 4, 9, 10, 11 and 12",                     "layout_incomplete", LOW,    LAW[".2(f)(1)#2"],   names_all(FIELD)),
    Requirement(events.Subject.TABLE,  "drop_box",                     "a drop box hangs on the dealer's side",                          "drop_or_tip_box_misplaced", LOW, LAW[".1(c)#1"], on_opposite_sides("dealer side")),
    Requirement(events.Subject.TABLE,  "tip_box",                      "a tip box hangs on the dealer's side, on the other hand",        "drop_or_tip_box_misplaced", LOW, LAW[".1(c)#1"], on_opposite_sides("dealer side")),
    Requirement(events.Subject.DICE,   "physical_characteristics",     "dice of the required build",                                     "dice_not_inspected", HIGH,  LAW[".3(a)#2"]),
    Requirement(events.Subject.DICE,   "inspected_on_receipt",         "dice received and inspected as required",                        "dice_not_inspected", HIGH,  LAW[".3(a)#3"]),
    Requirement(events.Subject.SHAKER, "holder_name_or_logo",          "the name or logo of the certificate holder on the shaker",       "equipment_not_approved", LOW, LAW[".3(b)(3)"]),
)
TRIALS: Final[tuple[Trial, ...]] = ()
APPROVALS: Final = (
    #        kind      approved by             severity cite
    Approval("MANUAL", ("GAMING_OPERATIONS",), HIGH,    LAW[".3(b)#1"]),
)
# fmt: on


def judge_odds_shown(rules: Rules, state: State, fact: events.TableOpened) -> Iterator[Ruling]:
    """Report odds that are neither on the layout nor on a sign (§ 668a.1(b)(6))."""
    if state.odds_on_layout is False and not state.odds_on_sign:
        yield breach(
            rules, "layout_odds_wrong", fact, observed="no payout odds",
            expected="those of § 668a.4, on the layout or on a sign",
        )  # fmt: skip


def judge_placing(rules: Rules, state: State, fact: events.DicePlacedInShaker) -> Iterator[Ruling]:
    """Judge who places the dice in the shaker, and in whose presence (§ 668a.3(d))."""
    if state.staff is None:
        return
    known = Certainty.BROKEN if state.staff_sure else Certainty.UNKNOWN
    if fact.placed_by is None:
        observed, sure = "Who placed the dice in the shaker was not recorded", Certainty.UNKNOWN
    elif (events.Role.FLOORPERSON, fact.placed_by) not in state.staff:
        observed, sure = f"{fact.placed_by} placed the dice in the shaker", known
    elif fact.in_presence_of is None:
        observed, sure = "Who saw the dice placed was not recorded", Certainty.UNKNOWN
    elif not any((events.Role.DEALER, person) in state.staff for person in fact.in_presence_of):
        observed, sure = "The dice were placed without the dealer present", known
    else:
        return
    yield breach(rules, "dice_not_placed_by_floorperson", fact, observed=observed, certainty=sure)


def judge_outside(
    rules: Rules, _state: State, fact: events.DiceSeenOutsideShaker
) -> Iterator[Ruling]:
    """Report dice that lie outside the shaker (§ 668a.3(b)(1))."""
    yield breach(rules, "dice_out_of_shaker", fact)
