"""What table, layout, device and shaker must be, and how they are tried before opening.

Law: §§ 539.1, 539.2(a), 539.5(a), 539.6(a).
"""

from __future__ import annotations

from typing import Final

from ledger.events import Role, Subject
from ledger.games.inspection import names_all, on_opposite_sides
from ledger.games.room import Approval, Requirement, Trial
from ledger.games.sic_bo.terms import LAW
from ledger.games.sic_bo.wagers import WAGERS
from ledger.kernel import Severity

LOW, MEDIUM, HIGH = Severity.LOW, Severity.MEDIUM, Severity.HIGH
NAMES: Final = tuple(row.name for row in WAGERS)

# fmt: off
REQUIREMENTS: Final = (   # §§ 539.1, 539.2, in their own order
    #           thing                       feature                    required                                                        when broken          severity cite              met by
    Requirement(Subject.TABLE,             "drop_box",                "a drop box hangs on the dealer's side",                         "drop_or_tip_box_misplaced", LOW, LAW[".1(a)#1"],   on_opposite_sides("dealer side")),
    Requirement(Subject.TABLE,             "tip_box",                 "a tip box hangs on the dealer's side, on the other hand",       "drop_or_tip_box_misplaced", LOW, LAW[".1(a)#1"],   on_opposite_sides("dealer side")),
    Requirement(Subject.ELECTRICAL_DEVICE, "present",                 "a device into which the dealer enters each die",                "device_missing",    HIGH,   LAW[".1(b)#1"]),
    Requirement(Subject.ELECTRICAL_DEVICE, "area_depicts_wagers",     "an area that depicts every permissible wager",                  "layout_incomplete", MEDIUM, LAW[".1(b)#3"]),
    Requirement(Subject.LAYOUT,            "holder_name_or_logo",     "the name or logo of the certificate holder",                    "layout_incomplete", LOW,    LAW[".1(c)(1)"]),
    Requirement(Subject.LAYOUT,            "wager_areas",             "an area for each of the eight wagers",                          "layout_incomplete", MEDIUM, LAW[".1(c)(2)"],  names_all(NAMES)),
    Requirement(Subject.LAYOUT,            "printed_odds",            "the payout odds now offered for each wager",                    "layout_incomplete", MEDIUM, LAW[".1(c)(3)"],  names_all(NAMES)),
    Requirement(Subject.SHAKER,            "compartment_transparent", "a transparent compartment that secures the three dice",         "equipment_not_approved", MEDIUM, LAW[".1(d)(1)(i)#1"]),
    Requirement(Subject.SHAKER,            "cover_opaque",            "an opaque cover that hides the dice (manual shaker)",           "equipment_not_approved", MEDIUM, LAW[".1(d)(1)(i)#1"]),
    Requirement(Subject.SHAKER,            "sealable",                "the capability of being sealed or locked",                      "equipment_not_approved", LOW,    LAW[".1(d)(1)(ii)"]),
    Requirement(Subject.SHAKER,            "holder_name_or_logo",     "the name or logo of the certificate holder",                    "equipment_not_approved", LOW,    LAW[".1(d)(1)(iii)"]),
    Requirement(Subject.DICE,              "inside_shaker",           "dice stay inside the shaker while at the table",                "dice_outside_shaker", HIGH, LAW[".2(a)#2"]),
)
TRIALS: Final = (         # § 539.5(a): before opening, by the floorperson assigned to the table
    #     device               counted in         at least  works when         by                only if at table  cite
    Trial("ELECTRICAL_DEVICE", "values",          3,        "lit_properly",    Role.FLOORPERSON, False,            LAW[".5(a)(1)#1"]),
    Trial("AUTOMATED_SHAKER",  "operations",      3,        "tossed_properly", Role.FLOORPERSON, True,             LAW[".5(a)(2)"]),
)
APPROVALS: Final = (
    #        kind                 approved by                                           severity cite
    Approval("ELECTRICAL_DEVICE", ("GAMING_LABORATORY_OPERATIONS",),                    HIGH,    LAW[".1(b)#2"]),
    Approval("MANUAL",            ("GAMING_OPERATIONS",),                               HIGH,    LAW[".1(d)#1"]),
    Approval("AUTOMATED",         ("GAMING_LABORATORY_OPERATIONS", "GAMING_OPERATIONS"), HIGH,   LAW[".1(d)(2)#1"]),
)
# fmt: on
