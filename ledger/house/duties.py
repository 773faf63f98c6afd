"""The duties of the general provisions that hold at every table, whatever the game.

Law: §§ 521.4, 521.7, 521.8 (40 Pa.B. 1740).
"""

from __future__ import annotations

from typing import Final

from ledger.games.room import Duty
from ledger.kernel import Severity
from ledger.law import GENERAL as LAW

LOW, MEDIUM, HIGH = Severity.LOW, Severity.MEDIUM, Severity.HIGH

NOTICE_SECONDS: Final = 1_800
"""A change of limits needs at least 30 minutes of notice; exactly 30 is enough (§ 521.8(c)(2)(i))."""

# fmt: off
DUTIES: Final = (
    #    code                          severity cite                      says when it was not kept                                                        reading
    Duty("game_not_approved",          Severity.CRITICAL, LAW[".4#1"],    "{observed} was offered without a written request and approval."),
    Duty("wager_not_approved",         HIGH,   LAW[".4#2"],               "{observed} is filed, but the chapter has no such wager or line; a new wager needs a written request."),
    Duty("limits_not_set",             HIGH,   LAW[".7(a)"],              "The table opened without a minimum and a maximum wager."),
    Duty("limits_sign_missing",        MEDIUM, LAW[".7(b)#1"],            "No sign at the table showed the limits in effect."),
    Duty("wager_over_limit",           MEDIUM, LAW[".7(c)#1"],            "A wager of {observed} was accepted above the maximum of {expected}.",          "over-limit-stands"),
    Duty("wager_under_limit",          LOW,    LAW[".7(c)#2"],            "A wager of {observed} was accepted below the minimum of {expected}.",          "over-limit-stands"),
    Duty("stake_taken_wrong",          HIGH,   LAW[".7(c)#4"],            "Of a losing stake of {expected} outside the limits, {observed} was taken; it is lost in its entirety.", "over-limit-stands"),
    Duty("wager_not_in_increment",     LOW,    LAW[".7(d)#1"],            "A wager of {observed} was accepted; wagers are multiples of {expected}."),
    Duty("requirement_not_filed",      MEDIUM, LAW[".7(d)#2"],            "An increment of {observed} was required at the table but is in no approved Rules Submission."),
    Duty("rules_changed_without_approval", HIGH, LAW[".8(b)#2"],          "The table offered {observed}, which was not approved; in force was {expected}."),
    Duty("reading_not_used",           MEDIUM, LAW[".8(b)#1"],            "The filing chooses {observed}; {expected}."),
    Duty("limits_notice_too_short",    MEDIUM, LAW[".8(c)(2)(i)"],        "The limits changed {observed}; 30 minutes of notice are required.",    "limits-change"),
    Duty("limits_sign_missing",        MEDIUM, LAW[".8(c)(2)(ii)#1"],     "The limits changed while patrons were playing and no sign told of it.",         "limits-change"),
    Duty("limits_sign_incomplete",     LOW,    LAW[".8(c)(2)(ii)#2"],     "The sign that told of the change of limits {observed}.",                        "limits-change"),
    Duty("limits_change_not_announced", MEDIUM, LAW[".8(c)(2)(iii)"],     "The limits changed while patrons were playing and it had not been announced.",  "limits-change"),
    Duty("sign_not_approved",          LOW,    LAW[".8(d)"],              "The sign {observed} was used without approval of its {expected}."),
)
# fmt: on

BY_NAME: Final[dict[str, Duty]] = {f"{duty.code}#{duty.cite.section}": duty for duty in DUTIES}
BY_CODE: Final[dict[str, Duty]] = {duty.code: duty for duty in reversed(DUTIES)}
