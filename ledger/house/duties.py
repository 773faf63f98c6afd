"""The duties of the general provisions that hold at every table, whatever the game.

Law: §§ 521.4, 521.6, 521.7, 521.8, 521.9 (40 Pa.B. 1740).
"""

from __future__ import annotations

from collections.abc import Iterable
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
    Duty("filing_incomplete",          MEDIUM, LAW[".4"],                 "The request {observed} was filed with {expected}, not with the Board's Executive Director."),
    Duty("filing_incomplete",          MEDIUM, LAW[".4(1)"],              "The request {observed} does not hold {expected}."),
    Duty("filing_incomplete",          LOW,    LAW[".4(1)(i)"],           "The request {observed} does not say whether the game is a variation, a composite or a new game.", "request-for-a-feature"),
    Duty("filing_incomplete",          MEDIUM, LAW[".4(1)(ii)#1"],        "The request {observed} does not give the true odds of {expected}."),
    Duty("filing_incomplete",          MEDIUM, LAW[".4(1)(ii)#2"],        "The request {observed} does not give the payout odds of {expected}."),
    Duty("filing_incomplete",          MEDIUM, LAW[".4(1)(ii)#3"],        "The request {observed} does not give the house advantage of {expected}."),
    Duty("filing_odds_mismatch",       HIGH,   LAW[".4(1)(ii)#4"],        "The request states {observed}; by the rules of the game it is {expected}.",                              "floors"),
    Duty("filing_incomplete",          LOW,    LAW[".4(1)(iii)"],         "The request {observed} does not show the layout of the game."),
    Duty("filing_incomplete",          LOW,    LAW[".4(1)(iv)"],          "The request {observed} does not show the equipment of the game."),
    Duty("filing_incomplete",          LOW,    LAW[".4(2)"],              "The request {observed} does not say why it is proposed."),
    Duty("filing_incomplete",          LOW,    LAW[".4(3)"],              "The request {observed} does not list the other jurisdictions that offer it."),
    Duty("filing_incomplete",          LOW,    LAW[".4(4)"],              "The request {observed} does not say whether copyrights, trademarks or patents cover it."),
    Duty("prohibited_device",          HIGH,   LAW[".6#1"],               "{observed} was possessed with the intent to use it at a table game."),
    Duty("prohibited_device",          Severity.CRITICAL, LAW[".6#2"],    "{observed} was used at a table game."),
    Duty("limits_not_set",             HIGH,   LAW[".7(a)"],              "The table opened without a minimum and a maximum wager."),
    Duty("limits_sign_missing",        MEDIUM, LAW[".7(b)#1"],            "No sign at the table showed the limits in effect."),
    Duty("wager_over_limit",           MEDIUM, LAW[".7(c)#1"],            "A wager of {observed} was accepted above the maximum of {expected}.",          "over-limit-stands"),
    Duty("wager_under_limit",          LOW,    LAW[".7(c)#2"],            "A wager of {observed} was accepted below the minimum of {expected}.",          "over-limit-stands"),
    Duty("stake_taken_wrong",          HIGH,   LAW[".7(c)#4"],            "Losing stake of {expected} outside the limits: {observed} collected; the whole stake is lost.", "over-limit-stands"),
    Duty("wager_not_in_increment",     LOW,    LAW[".7(d)#1"],            "A wager of {observed} was accepted; wagers are multiples of {expected}."),
    Duty("requirement_not_filed",      MEDIUM, LAW[".7(d)#2"],            "An increment of {observed} was required at the table but is in no approved Rules Submission."),
    Duty("rules_changed_without_approval", HIGH, LAW[".8(b)#2"],          "The table offered {observed}, which was not approved; {expected} was in force."),
    Duty("reading_not_used",           MEDIUM, LAW[".8(b)#1"],            "The filing chooses {observed}; {expected}."),
    Duty("limits_notice_missing",      MEDIUM, LAW[".8(c)(2)"],           "The limits changed while patrons were playing, without notice.",  "limits-change"),
    Duty("limits_notice_too_short",    MEDIUM, LAW[".8(c)(2)(i)"],        "The limits changed {observed}; 30 minutes' notice is required.",    "limits-change"),
    Duty("limits_sign_missing",        MEDIUM, LAW[".8(c)(2)(ii)#1"],     "The limits changed while patrons were playing, without a sign announcing it.",         "limits-change"),
    Duty("limits_sign_incomplete",     LOW,    LAW[".8(c)(2)(ii)#2"],     "The sign announcing the change of limits {observed}.",                        "limits-change"),
    Duty("limits_change_not_announced", MEDIUM, LAW[".8(c)(2)(iii)"],     "The limits changed while patrons were playing, without an announcement.",  "limits-change"),
    Duty("sign_not_approved",          LOW,    LAW[".8(d)"],              "The sign {observed} was used without approval of its {expected}."),
    Duty("rules_text_not_available",   MEDIUM, LAW[".9(a)#1"],            "At {observed} the text of the rules {expected}.",                       "rules-of-games-offered"),
    Duty("rules_text_not_available",   LOW,    LAW[".9(a)#2"],            "The text of the rules was kept at {observed}, which is neither the security podium nor approved."),
    Duty("rules_access_refused",       MEDIUM, LAW[".9(a)#3"],            "{observed} asked to inspect the text of the rules, which was not made available."),
    Duty("gaming_guide_not_available", LOW,    LAW[".9(b)"],              "{observed} asked for a gaming guide and did not receive one."),
    Duty("gaming_guide_not_approved",  MEDIUM, LAW[".9(c)"],              "The gaming guide {observed} was {expected}; no sample of it was approved."),
    Duty("gaming_guide_not_approved",  MEDIUM, LAW[".9(d)"],              "The gaming guide {observed} was {expected}; it differs materially from the approved one, and no sample of it was approved."),
    Duty("gaming_guide_not_on_web",    LOW,    LAW[".9(f)"],              "The gaming guide was not on the website."),
)
# fmt: on

BY_NAME: Final[dict[str, Duty]] = {f"{duty.code}#{duty.cite.section}": duty for duty in DUTIES}
BY_CODE: Final[dict[str, Duty]] = {duty.code: duty for duty in reversed(DUTIES)}


def by_row(duties: Iterable[Duty]) -> dict[str, Duty]:
    """Return each row by code, section and part: ``filing_incomplete@.4(1)(ii)#2``.

    A row without a part ends in ``#``: ``filing_incomplete@.4(2)#``.
    """
    chapter = LAW.edition.chapter
    return {f"{d.code}@{d.cite.section.removeprefix(chapter)}#{d.cite.part}": d for d in duties}


BY_ROW: Final = by_row(DUTIES)
